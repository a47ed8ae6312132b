"""What units of a sample are told apart by."""

from benchwright.project.subset import _length
from benchwright.schemas.clip import ClipRef, TranscriptLine

LINES = (
    TranscriptLine(text="Stay.", speaker="Alpha"),
    TranscriptLine(text="[Go | Wait]", kind="menu"),
    TranscriptLine(text="Go", kind="choice"),
)


def test_a_menu_makes_no_clip_longer() -> None:
    assert _length(ClipRef(media="media/c.json", start=0, end=3, unit="lines"), LINES) == 2
    assert _length(ClipRef(media="media/c.mp4", start=1, end=4.5), LINES) == 3.5
