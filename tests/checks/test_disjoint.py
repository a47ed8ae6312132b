"""Sets of items that share a passage or a question are told apart from those that share a template or a greeting."""

import pytest
from benchwright.checks.disjoint import Side, shared
from benchwright.checks.duplicates import Asks, asks

SCENE = (
    "Odile hides the ledger under the bench.", "The road to the mill is closed by snow.",
    "Ferris counts the coins onto the table.", "Nobody has seen the bailiff since Sunday.",
)  # fmt: skip
OTHER = (
    "A gull sits on the mast and does not move.", "The harbour master reads the letter twice.",
    "Nine barrels roll down the ramp at once.", "Somebody has painted over the old name.",
)  # fmt: skip
SHORT = ("Yes.", "Come in!", "Thank you.", "I know.")


def side(name: str, lines: tuple[str, ...] = (), *asked: Asks) -> Side:
    return Side(name, {f"media/{name}.json": lines}, asked)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (SCENE, True),
        (tuple(line.upper() + " " for line in SCENE), True),
        ((*SCENE[:3], OTHER[0]), True),
        ((*SCENE[:3], *SHORT), True),
        ((*SCENE[:2], *OTHER[:2]), False),  # half, and not more
        (OTHER, False),
        (SHORT, False),
        (SCENE[:2], False),  # too little to tell
        ((SCENE[0],) * 9, False),  # one line said nine times
        ((), False),
    ],
    ids=["same", "spelling", "most", "small talk", "half", "other", "greetings", "short", "refrain", "empty"],
)
def test_passages(lines: tuple[str, ...], found: bool) -> None:
    codes = [finding.code for finding in shared(side("one", lines), side("other", (*SCENE, *SHORT)))]
    assert codes == ["split-passage"] * found


OPTIONS = ("Alpha burns the letter.", "Beta leaves at dawn.", "The ferry sinks.")


@pytest.mark.parametrize(
    ("question", "options", "found"),
    [
        ("What does Alpha do next?", OPTIONS, True),
        ("what does alpha do next", tuple(reversed(OPTIONS)), True),
        ("What does Alpha do next?", ("Beta burns the boat.", "Gamma sings.", "Nobody comes."), False),
        ("Why did the ferry leave so late?", OPTIONS, False),
        ("What does Alpha do next?", (), False),
    ],
    ids=["same", "spelling and order", "template", "other question", "open"],
)
def test_questions(question: str, options: tuple[str, ...], found: bool) -> None:
    one = side("one", (), asks("i1", question, options))
    other = side("other", (), asks("i2", "What does Alpha do next?", OPTIONS))
    assert [finding.code for finding in shared(one, other)] == ["split-duplicate"] * found
    assert [finding.place for finding in shared(one, other)] == ["i1"] * found


def test_open_questions_are_alike_where_their_references_are() -> None:
    asked = "What does Alpha need?"
    one = side("one", (), asks("i1", asked, ["Somebody who listens."]), asks("i2", asked, ["A coat."]))
    other = side("other", (), asks("i3", asked, ["somebody who listens"]))
    assert [finding.place for finding in shared(one, other)] == ["i1"]
