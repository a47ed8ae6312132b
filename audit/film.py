"""The film of an audited clip, as a page carries it: the pictures themselves, and when its subtitles are said."""

import base64
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..errors import InputError
from ..media.cut import film as cut
from ..schemas.clip import Cue, Span
from .evidence import bare

MOST = 24 * 2**20
"""Bytes of film that a page carries; of a longer one it names the place alone."""


class Said(NamedTuple):
    """One subtitle."""

    time: float
    """Seconds from the start of the clip."""
    text: str
    evidence: bool
    """Whether a claim cites it."""


class Film(NamedTuple):
    data: str
    """A `data:` address of the clip as MP4; empty where it is too large, or the video is gone."""
    length: float
    """Seconds."""
    said: tuple[Said, ...]

    @property
    def ticks(self) -> list[tuple[float, Said]]:
        """What claims cite, each with its place along the clip, 0-100."""
        return [(round(100 * one.time / self.length, 2), one) for one in self.said if one.evidence]


def film(video: Path, span: Span, cues: Iterable[Cue], quotes: Sequence[str]) -> Film:
    """The film of a span. `quotes` are those of the claims; a subtitle is one where either holds the other."""
    cited = [bare(quote) for quote in quotes if bare(quote)]
    said = tuple(
        Said(round(max(0.0, cue.start - span.start), 3), cue.text, _cited(bare(cue.text), cited))
        for cue in cues
        if cue.start < span.end and cue.end > span.start
    )
    return Film(_data(video, span), span.end - span.start, said)


def _cited(text: str, quotes: Sequence[str]) -> bool:
    return bool(text) and any(text in quote or quote in text for quote in quotes)


def _data(video: Path, span: Span) -> str:
    with TemporaryDirectory() as folder:
        out = Path(folder) / "clip.mp4"
        try:
            cut(video, span, out, sound=True)
        except (InputError, OSError):
            return ""
        size = out.stat().st_size
        return f"data:video/mp4;base64,{base64.b64encode(out.read_bytes()).decode()}" if size <= MOST else ""
