"""Cues that a model notes of a scene: of lines that are there and tell something."""

import pytest
from benchwright.agents.watching import Noted
from benchwright.schemas.clip import TranscriptLine

LINES = (
    TranscriptLine(text="Stay.", speaker="Alpha"),
    TranscriptLine(text="[Go | Wait]", kind="menu"),
    TranscriptLine(text="Go", kind="choice"),
)


@pytest.mark.parametrize(("line", "kept"), [(0, True), (1, True), (2, False), (3, True), (4, False)])
def test_a_cue_belongs_to_a_line_that_tells_something(line: int, kept: bool) -> None:
    noted = Noted.model_validate({"line": line, "kind": "verbal", "person": "Alpha", "text": "stay"})
    assert (noted.seen(LINES) is not None) is kept
