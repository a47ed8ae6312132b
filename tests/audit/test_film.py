"""The film on an audit's page: the clip itself, and marks where what claims cite is said."""

import base64
from pathlib import Path

import pytest
from benchwright.audit.film import Film, Said, film
from benchwright.media.probe import probe
from benchwright.schemas.clip import Cue, Span

VIDEO = Path(__file__).resolve().parents[2] / "project" / "demo" / "playthrough.mp4"
SPAN = Span(start=4.0, end=9.0)
CUES = (
    Cue(start=1.0, end=3.9, text="Before the clip."),
    Cue(start=3.0, end=4.5, text="The boat leaves."),
    Cue(start=6.0, end=8.0, text="She looks at him."),
    Cue(start=9.0, end=11.0, text="After the clip."),
)


def test_the_clip_alone_stands_in_the_page(tmp_path: Path) -> None:
    found = film(VIDEO, SPAN, CUES, ["“The boat leaves,” he says. She looks at him!"])
    head, data = found.data.split(",")
    assert head == "data:video/mp4;base64"
    (tmp_path / "clip.mp4").write_bytes(base64.b64decode(data))
    assert probe(tmp_path / "clip.mp4").duration == pytest.approx(5.0, abs=0.1)
    assert found.length == 5.0


@pytest.mark.parametrize(
    ("quotes", "cited"),
    [
        ([], []),
        (["The boat leaves."], [0.0]),
        (["the boat leaves", "She looks at him. And away."], [0.0, 2.0]),
        (["Nothing of the kind.", "…"], []),
    ],
    ids=["none", "one", "part of a longer quote", "another text, and no text"],
)
def test_what_claims_cite_is_marked(quotes: list[str], cited: list[float]) -> None:
    found = film(Path("gone.mp4"), SPAN, CUES, quotes)
    assert [one.time for one in found.said] == [0.0, 2.0]
    assert [one.time for one in found.said if one.evidence] == cited


def test_marks_lie_along_the_clip() -> None:
    found = Film("", 8.0, (Said(2.0, "a", True), Said(3.0, "b", False), Said(6.0, "c", True)))
    assert [at for at, _ in found.ticks] == [25.0, 75.0]


def test_a_video_that_is_gone_leaves_the_words(tmp_path: Path) -> None:
    assert film(tmp_path / "gone.mp4", SPAN, CUES, []).data == ""
