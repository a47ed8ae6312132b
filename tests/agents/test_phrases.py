"""What choices are called, how text is set, and who is found in it."""

import re

import pytest
from benchwright.agents.phrases import Cast, deed, first_person, is_speech, quoted, typeset
from benchwright.narrative.runtime import Line
from hypothesis import given
from hypothesis import strategies as st

DEEDS = {
    "Tell Ilse": "chooses to tell Ilse",
    "Tell Ilse the truth.": "chooses to tell Ilse the truth",
    "Tell Ilse!": "chooses to tell Ilse",
    "TELL ILSE": "chooses to tell ILSE",
    "Co-operate": "chooses to co-operate",
    "Say nothing": "chooses to say nothing",
    "Go — now.": "chooses to go — now",
    "<b>Run</b>": "chooses to run",
    'Open "the box"': "chooses to open “the box”",
    "Don't tell Ilse.": "chooses not to tell Ilse",
    "Don’t move!": "chooses not to move",
    "Don't you dare": "picks “Don’t you dare”",
    "Don't": "picks “Don’t”",
    '"I know."': "says “I know”",
    "“I know”": "says “I know”",
    "“Don't!”": "says “Don’t!”",
    "“Yes.”": "says “Yes”",
    '"Wait!" you say.': "picks “‘Wait!’ you say”",
    '"Yes." Tell her "no".': "picks “‘Yes.’ Tell her ‘no’”",
    "Yes": "answers “Yes”",
    "No!": "answers “No!”",
    "Yes, tell her": "answers “Yes, tell her”",
    "Of course, Ivo.": "answers “Of course, Ivo”",
    "Yesterday": "picks “Yesterday”",
    "No one": "picks “No one”",
    "Never mind": "picks “Never mind”",
    "I tell him": "says “I tell him”",
    "I'm leaving.": "says “I’m leaving”",
    "I’m leaving.": "says “I’m leaving”",
    'I said "no".': "says “I said ‘no’”",
    "We wait": "says “We wait”",
    "Wait…": "picks “Wait”",
    "Wait...": "picks “Wait”",
    "…": "picks “…”",
    "...": "picks “...”",
    "Tell Ilse?": "picks “Tell Ilse?”",
    "The door": "picks “The door”",
    "Teller": "picks “Teller”",
    "Öffne die Tür.": "picks “Öffne die Tür”",
    "等待": "picks “等待”",
    "3": "picks “3”",
}


@pytest.mark.parametrize("choice", DEEDS)
def test_deed(language, choice: str):
    assert deed(choice, language).present == DEEDS[choice]


FORMS = {
    "chooses": ("chosen", "chose"),
    "says": ("said", "said"),
    "answers": ("answered",) * 2,
    "picks": ("picked",) * 2,
}


@pytest.mark.parametrize("choice", DEEDS)
def test_the_three_forms_of_a_deed_differ_in_their_first_word_only(language, choice: str):
    found = deed(choice, language)
    verb, _, rest = found.present.partition(" ")
    assert (found.supposed, found.past) == tuple(f"{form} {rest}" for form in FORMS[verb])


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=40))
def test_every_choice_has_a_deed_with_balanced_quotes(language, choice: str):
    found = deed(choice, language)
    assert found.present.partition(" ")[0] in FORMS
    if not set('“”"') & set(choice):
        assert found.present.count("“") == found.present.count("”")


SET = {
    'She says "yes" twice.': "She says “yes” twice.",
    '"a" and "b"': "“a” and “b”",
    '"open to the end': "“open to the end”",
    "it's the boys' room": "it’s the boys’ room",
    "don’t": "don’t",
    "“as it is”": "“as it is”",
    "<i>so</i> <b class='x'>there</b>": "so there",
    "a < b > c": "a < b > c",
    "  two \n lines\t": "two lines",
    "": "",
    "naïve Öl 等": "naïve Öl 等",
}


@pytest.mark.parametrize("text", SET)
def test_typeset(text: str):
    assert typeset(text) == SET[text]


@given(st.text(alphabet="ab '\"“”<>/i\n", max_size=20))
def test_typeset_text_has_no_straight_double_quotes_and_no_double_blanks(text: str):
    found = typeset(text)
    assert '"' not in found
    assert not re.search(r"\s\s", found)
    assert found == found.strip()


QUOTED = [
    (Line("It rains.", "a"), "It rains."),
    (Line("No.", "a", "Ilse"), "Ilse says, “No.”"),
    (Line('"No."', "a", "Ilse"), "Ilse says, “No.”"),
    (Line('Ilse says "no".', "a"), "Ilse says “no”."),
]


@pytest.mark.parametrize(("line", "expected"), QUOTED)
def test_quoted(line: Line, expected: str):
    assert quoted(line) == expected


ACTORS = {
    "Ilse nods.": "Ilse Brandt",
    "Ilse Brandt nods.": "Ilse Brandt",
    "Mrs Brandt nods.": "Ilse Brandt",
    "Then Ivo nods.": "Ivo",
    "And Ivo goes.": "Ivo",
    "José nods.": "José",
    "“No,” says Ilse.": "Ilse Brandt",
    '"No," Ilse says.': "Ilse Brandt",
    "“No,” Mrs Brandt said, “never.”": "Ilse Brandt",
    "“Ivo runs,” whispered Ilse Brandt.": "Ilse Brandt",
    "“Ilse knows”, Ivo said.": "Ivo",
    "“No,” nods Ilse.": None,
    "“No.” Ilse turns.": None,
    "“Ilse said so.”": None,
    "Ilse is here.": None,
    "Ivo was hit.": None,
    "Ilse and Ivo nod.": None,
    "Ilse, tired, nods.": None,
    "Ilse's hand shakes.": None,
    "He nods to Ilse.": None,
    "Article 5 says so.": None,
    "Artur nods.": None,
    "Joséphine nods.": None,
    "Oslo sleeps.": None,
    "ILSE nods.": None,
    "Ilse": None,
    "": None,
}


INWARD = {
    "I can only hope that Ilse waits.": True,
    "In truth, it is men like Ivo who are complex. I live to make things ordered.": True,
    "Ivo never quite understood it.": True,
    "If she hates me, she will come.": True,
    "I wonder, and Ivo nods.": True,
    "Ivo nods, and I wonder.": False,
    "He would not sit down. I think of that.": False,
    "“I hope so,” Ivo replies.": False,
    "“I hope so": False,
    "The night is dark.": False,
    "Hello thinkers.": False,
    "": False,
}


@pytest.mark.parametrize("text", INWARD)
def test_inward(cast: Cast, text: str):
    assert cast.inward(text) == INWARD[text]


@pytest.mark.parametrize("text", ACTORS)
def test_actor(cast: Cast, text: str):
    assert cast.actor(Line(text, "a")) == ACTORS[text]


def test_the_actor_of_a_line_with_a_speaker_is_the_speaker(cast: Cast):
    assert cast.actor(Line("Ivo nods.", "a", "Mrs Brandt")) == "Ilse Brandt"
    assert cast.actor(Line("Ivo nods.", "a", "the guard")) == "the guard"


MENTIONED = {
    "Ilse's brother Ivo": {"Ilse Brandt", "Ivo"},
    "Mrs Brandt and Ilse": {"Ilse Brandt"},
    "“Ivo?” asks José.": {"Ivo", "José"},
    "Ivory, Artur, partIvo": set(),
    "In Oslo": set(),
    "ivo": set(),
    "": set(),
}


@pytest.mark.parametrize("text", MENTIONED)
def test_mentioned(cast: Cast, text: str):
    assert cast.mentioned(text) == MENTIONED[text]


def test_a_cast_of_nobody_finds_nobody(language):
    nobody = Cast((), language)
    assert nobody.actor(Line("Ilse nods.", "a")) is None
    assert nobody.mentioned("Ilse nods. ") == frozenset()
    assert nobody.first_name("Ilse") == "Ilse"


FIRST_PERSON = {
    "I nod.": True,
    "He takes my hand.": True,
    "I'm late.": True,
    "“I know,” says Ivo.": False,
    '"My hand!" says Ivo.': False,
    "“No,” I say.": True,
    "Mine. He is in Iowa.": False,
    "": False,
}


@pytest.mark.parametrize("text", FIRST_PERSON)
def test_first_person(text: str):
    assert first_person(text) == FIRST_PERSON[text]


SPEECH = [
    (Line("“I have nothing to say,” says Ivo.", "a"), True),
    (Line("“No,” says Ivo, and turns away.", "a"), False),
    (Line("He turns away.", "a", "Ivo"), True),
    (Line("He turns away.", "a"), False),
    (Line("", "a"), False),
]


@pytest.mark.parametrize(("line", "expected"), SPEECH)
def test_is_speech(line: Line, expected: bool):
    assert is_speech(line) == expected
