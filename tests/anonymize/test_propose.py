"""What is proposed as a name, of what kind, and what is not."""

import json
from pathlib import Path

import pytest
from benchwright.anonymize.lexicon import assign, entities, merge
from benchwright.anonymize.propose import doubtful, propose
from benchwright.anonymize.replace import Anonymizer
from benchwright.schemas.story import Entity


def proposed(*texts: str, known: tuple[Entity, ...] = ()) -> list[tuple[str, ...]]:
    return [entity.names for entity in propose(texts, known)]


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["I saw Hooper there. Then Harris left."], [("Hooper",), ("Harris",)]),
        (["Hooper was late."], [("Hooper",)]),
        (["Walk away.", "Walk to the door.", "You walk on."], []),
        (["Listen to him.", "Somehow it works."], []),
        (["He met Commander Harris and Mr Manning.", "Mr. Quill nods."], [("Harris",), ("Manning",), ("Quill",)]),
        (["Now Captain Mora speaks.", "The Captain waits, and Captain too."], [("Mora",)]),
        (["On Monday and in May, I swear to God, OK?"], []),
        (["the Germans and a British officer, the Nazis too"], []),
        (["he said <i>Somehow</i> and *Never* again"], []),
        (["She whispers: Look at that.", 'He says, "Look at me."'], []),
        (["IN DEBUG MODE WITH HOOPER!", "The Long Way Home"], []),
        (["We drove to Hut 14, past Hut 5. The hut is cold, a hut."], [("Hut 14",), ("Hut 5",)]),
        (["so Manning 2 times and Manning again"], [("Manning",)]),
        (["with Ines Calder. Then Ines left. But Calder stayed."], [("Ines Calder", "Ines", "Calder")]),
        (["to Ines Calder and to Tomas Calder. Old Calder."], [("Ines Calder",), ("Tomas Calder",), ("Calder",)]),
        (["by Jean-Luc de Vries, then Jean-Luc nods"], [("Jean-Luc de Vries", "Jean-Luc")]),
        (["said Hooper. The Hoopers left, and Hooper's dog"], [("Hooper",)]),
        (["a plan of Hooper-like beauty"], [("Hooper",)]),
        (["I'll ask. I've seen what I'd do."], []),
        (["the good ending and a bad one", "You get the Good Ending now."], []),
        (["They joined the Security Department at security.", "a department"], [("Security Department",)]),
        (["Poor Hooper. We met Hooper."], [("Hooper",)]),
        (["HOOPER: Where is it?", "HOOPER: I see.", "HOOPER: No."], [("Hooper",)]),
        (["王明：你好。", "王明：再见。", "李华：走吧。"], [("王明",)]),
        (["Здесь Анна. Вижу Анну и Ивана.", "он дал Анне книгу"], [("Анна", "Анну", "Анне"), ("Ивана",)]),
        (["Der Mann und der Hund sahen das Haus mit Herrn Wolf und einer Frau im Garten."] * 20, [("Wolf",)]),
        (["hooper", "visit"], []),
        ([""], []),
        ([], []),
    ],
)
def test_propose(texts, names):
    assert sorted(proposed(*texts)) == sorted(names)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Then Harris says no, and Mr Harris nods.", "person"),
        ('"It was fine, Harris," he said. "Yes, Harris."', "person"),
        ("We live in Bletchley, near Bletchley.", "place"),
        ("the town of Ostervik; the Ostervik quay", "place"),
        ("They took the train to Scotland.", "place"),
        ("We went down Calder Street.", "place"),
        ("I work for the Calder Institute, and for the company Nordkai", "organization"),
        ("the Reich would fall, the Reich", "organization"),
        ("They stole it from the Bombe. It was a Bombe.", "other"),
        ("the men of NASA met NASA", "organization"),
        ("with Hooper", "person"),
    ],
)
def test_kind(text, kind):
    assert {entity.kind for entity in propose([text])} == {kind}


def test_a_name_that_is_a_word_too_is_marked():
    texts = ["so Hope nods", "then Hope smiles", "with Hope, to Hope, for Hope", "I hope so"]
    assert [(entity.names, entity.common_word) for entity in propose(texts)] == [(("Hope",), True)]


def test_values_that_a_story_compares_are_no_words():
    assert [entity.common_word for entity in propose(["so Vesna nods", "vesna", "vesna"])] == [False]


def test_known_names_are_not_proposed_and_grow_aliases():
    known = (Entity(names=("Ines Calder",), placeholder="Alpha", descriptor="the pilot"), Entity(names=("Mr Quill",)))
    found = propose(["then Ines saw Quill and Ines Calder and the Quills"], known)
    assert found == [Entity(names=("Ines Calder", "Ines"), placeholder="Alpha", descriptor="the pilot")]


def test_doubtful_words_stand_only_at_the_start_of_sentences():
    texts = ['"Iain," he murmurs.', "Wait for Hooper.", "You wait.", "Poor Hooper", "Listen. Monday."]
    assert doubtful(texts) == ["Iain", "Poor", "Listen"]
    assert doubtful(texts, known=[Entity(names=("Iain",))]) == ["Poor", "Listen"]


def ink_texts(path: Path) -> list[str]:
    """The text fragments of a compiled Ink file."""

    def strings(value: object) -> list[str]:
        if isinstance(value, str):
            return [value[1:]] if value.startswith("^") else []
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return [text for part in parts for text in strings(part)]

    return strings(json.loads(path.read_text("utf-8-sig")))


@pytest.fixture(scope="module")
def intercept(shared: Path) -> list[str]:
    return ink_texts(shared / "data/narratives/ink/the-intercept/TheIntercept.v21.ink.json")


def test_the_intercept_unaided(intercept):
    found = {entity.names[0]: entity for entity in propose(intercept)}
    people = {"Hooper", "Harris", "Manning", "Russell", "Peterson", "Collins", "Quince", "Lyon", "Jeremy", "Hitler"}
    things = {
        "Bletchley",
        "Bombe",
        "Reich",
        "Scotland",
        "House",
        "Rag",
        "Armed Forces",
        "Hut 14",
        "Hut 5",
        "Hut 3",
        "Hut 2",
    }
    assert people | things <= set(found)
    assert len(set(found) - people - things) <= 2, "more than two that no reader would call a name"
    assert all(found[name].kind == "person" for name in people)
    assert (found["Bletchley"].kind, found["Reich"].kind, found["Bombe"].kind) == ("place", "organization", "other")
    assert "Iain" in doubtful(intercept)


def test_the_intercept_is_anonymised_whole(intercept):
    anonymizer = Anonymizer(entities(assign(merge(proposed=propose(intercept)), intercept)))
    public = [anonymizer.text(text) for text in intercept]
    assert [(text, leak) for text in public for leak in anonymizer.leaks(text)] == []
    assert [(text, hit) for text in public for hit in anonymizer.ambiguous(text)] == []
    assert [anonymizer.text(text) for text in public] == public
    changed = [text for text, raw in zip(public, intercept, strict=True) if text != raw]
    assert 200 < len(changed) < 300


def test_the_leak_test_raises_no_alarm_on_text_without_names(intercept):
    names = [entity.names[0] for entity in propose(intercept)]
    anonymizer = Anonymizer(entities(assign(merge(proposed=propose(intercept)), intercept)))
    ordinary = [text for text in intercept if not any(name in text for name in names)]
    assert len(ordinary) > 1000
    assert [(text, leak) for text in ordinary for leak in anonymizer.leaks(text)] == []


def test_the_demo_names_its_whole_cast():
    demo = Path(__file__).parents[2] / "project/demo/story.ink.json"
    if not demo.exists():
        pytest.skip("the demo story is not compiled")
    texts = ink_texts(demo)
    found = {entity.names[0] for entity in propose(texts)}
    assert {"Vesna", "Joonas", "Kasimir", "Sunniva", "Henrike", "Nordkai", "Ostervik"} <= found
    assert len(found) <= 14
