"""Content words, their folding, and the cutting of sentences."""

import pytest
from benchwright.narrative.words import content_words, first_sentences, presumed, sentences, tokens
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("She trusted him.", {"trust"}),
        ("He is trusting; she trusts. Trust!", {"trust"}),
        ("The stories of a story", {"stori"}),
        ("Running, he runs and ran", {"run", "ran"}),
        ("She hides; hiding, to hide", {"hid"}),
        ("happy, happily", {"happi"}),
        ("Don't, can't, won't, I'm, you’ll, they've", set()),
        ("Kate's coat and Kates’ coats", {"kat", "coat"}),
        ("kisses, dress, bus, glasses", {"kiss", "dress", "bus", "glass"}),
        ("sing, red, bed, ring", {"sing", "red", "bed", "ring"}),
        ("Room 14 at 9", {"room", "14", "9"}),
        ("Ærø og Bjørk", {"ærø", "og", "bjørk"}),
        ("Привет, Мир", {"привет", "мир"}),
        ("भरोसा करो", {"भरोसा", "करो"}),
        ("信任他。", {"信任", "任他"}),
        ("— … !", set()),
        ("", set()),
    ],
)
def test_content_words(text, words):
    assert content_words(text) == words


@pytest.mark.parametrize(
    ("a", "b", "shared"),
    [
        ("Tell Kate the truth", "Kate knew the truth", 2),
        ("Say nothing", "He said nothing at all", 0),
        ("Hide the letters", "The letter was hidden under letters", 1),
        ("Straße", "STRASSE", 1),
        ("e\u0301t\u00e9", "\u00e9te\u0301", 1),
    ],
    ids=["two", "stop words only", "counted once", "casefold", "normal forms"],
)
def test_words_that_two_texts_share(a, b, shared):
    assert len(content_words(a) & content_words(b)) == shared


@given(st.text())
def test_words_of_words_are_the_same_words(text):
    assert content_words(" ".join(tokens(text))) == content_words(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Mr. Harris nods. He leaves.", ["Mr. Harris nods.", "He leaves."]),
        ('"Stop." She turns.', ['"Stop."', "She turns."]),
        ("At 3.14 it rang… Twice.", ["At 3.14 it rang…", "Twice."]),
        ("一。二。", ["一。", "二。"]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences(text, parts):
    assert list(sentences(text)) == parts


@pytest.mark.parametrize(("width", "kept"), [(5, "One two."), (14, "One two."), (15, "One two. Three.")])
def test_first_sentences_fit_but_for_the_first(width, kept):
    assert first_sentences("One two. Three.", width) == kept


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("The key is in the lock.", [{"key"}, {"lock"}]),
        ("He took the old brass lamp.", [{"old", "brass"}]),
        ("She is glad to have this back.", [set()]),
        ("Leave those two and that chair.", [set(), {"chair"}]),
        ("He says that he will not.", []),
        ("A dog barks at his door.", []),
        ("Over the", []),
    ],
)
def test_what_a_text_presumes(text: str, things: list[set[str]]) -> None:
    assert [set(thing) for thing in presumed(text)] == things
