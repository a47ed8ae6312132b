"""Where a capital proves a name."""

import pytest
from benchwright.anonymize.position import dated, initial, proves_name, sentence, titled


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Hope", True), ("  Hope", True), ("Yes. Hope", True), ("Yes! Hope", True), ("Yes… Hope", True),
        ("Yes: Hope", True), ("Yes — Hope", True), ("Yes - Hope", True), ('"Hope', True), ("“Hope", True),
        ("(Hope", True), ("*Hope", True), ("Yes\nHope", True), ('"Yes." Hope', True), ('said, "Hope', True),
        ("Mr. Hope", False), ("see Hope", False), ("yes, Hope", False), ("yes; Hope", False), ('"Yes," Hope', False),
        ("“Yes,” Hope", False), ("half-Hope", False), ("I, Hope", False), ("at 4 Hope", False),
    ],
)  # fmt: skip
def test_initial(text, first):
    assert initial(text, text.index("Hope")) is first


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Mr Hope", True), ("Mr. Hope", True), ("Commander\u00a0Hope", True), ("mister Hope", False), ("sir Hope", False)],
)
def test_titled(text, expected):
    assert titled(text, text.index("Hope")) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("in May", True), ("since May", True), ("May 3", True), ("with May", False), ("saw May", False)],
)
def test_dated(text, expected):
    at = text.index("May")
    assert dated(text, at, at + 3) is expected


def test_a_sentence_ends_at_its_stop_and_not_at_a_title():
    text = "One. Mr. Hope left. Two"
    assert sentence(text, 9, 13) == (" Mr. ", " left")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [("to Hope", "en", True), ("To Hope", "en", False), ("Then Hope left", "en", True), ("to Hope", "de", False)],
)
def test_proves_name(text, language, expected):
    at = text.index("Hope")
    assert proves_name(text, at, at + 4, language) is expected
