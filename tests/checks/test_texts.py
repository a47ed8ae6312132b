"""Texts are compared as a reader compares them."""

import pytest
from benchwright.checks.texts import contains, same_answer, similarity, word_count
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("He said: “Where were you, then?”", "where were you then", True),
        ("He burns the letters.", "burns the letter", False),
        ("He burns the letter.", "he burns the letter!", True),
        ("Yes, of course.", "Yes", False),
        ("Yes!", "yes", True),
        ("Anything", "", False),
        ("", "anything at all", False),
        ("他说他不会离开这里。", "不会离开这里", True),
        ("他说他不会离开。", "他说", False),
        ("ΑΥΤΟΣ ΦΕΥΓΕΙ ΤΩΡΑ", "αυτος φευγει τωρα", True),
    ],
)
def test_contains(text, part, expected):
    assert contains(text, part) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("She walks to the old harbour slowly.", "She walked to the old harbour slowly.", True),
        ("Opens the door for the old man again.", "Opened the door for the old man again.", True),
        ("She walks to the old harbour at 4.", "She walks to the old harbour at 5.", False),
        ("Alpha gives the letter to Beta at once.", "Beta gives the letter to Alpha at once.", False),
        ("Beta gives the letter to them at once.", "Zeta gives the letter to them at once.", False),
        ("She will tell him about the money.", "She will not tell him about the money.", False),
        ("The trust between them rises over the clip.", "The trust between them falls over the clip.", False),
        ("She leaves.", "The ferry sinks.", False),
    ],
)
def test_same_answer(one, other, expected):
    assert same_answer(one, other, 0.9) is expected


@pytest.mark.parametrize(
    ("text", "count"),
    [("What is next?", 3), ("", 0), ("接下来会发生什么？", 4), ("What 会发生?", 2), ("Had O’Neill gone?", 3)],
)
def test_word_count(text, count):
    assert word_count(text) == count


@given(st.text(max_size=30), st.text(max_size=30))
def test_similarity_is_a_symmetric_share(one, other):
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, other) == similarity(other, one)
    assert similarity(one, one) == 1


@given(st.text("ab c", min_size=1, max_size=12), st.text("ab c", max_size=12), st.text("ab c", max_size=12))
def test_a_text_contains_its_whole_words(part, before, after):
    if len(part.split()) >= 3:
        assert contains(f"{before} {part} {after}", part)
