"""A clip: the stretch of a source that an item is about, and what of it may be shown."""

from typing import Literal

from .base import Record, classed


class TranscriptLine(Record):
    """One line of a transcript; anonymised wherever it is public."""

    text: str = classed("public")
    speaker: str | None = classed("public", None)
    kind: Literal["line", "choice"] = classed("public", "line")
    """`choice` is what the protagonist decided to do, as the story words it."""


class ClipRef(Record):
    """Where a clip is, as an item states it."""

    media: str = classed("public")
    """Path inside the release: `media/<clip id>.json` for a transcript."""
    start: float = classed("public", ge=0)
    end: float = classed("public", ge=0)
    unit: Literal["seconds", "lines"] = classed("public", "seconds")
    """Unit of `start` and `end`: seconds of video, or lines of transcript."""


class Excerpt(Record):
    """What the Tracker cut out of a play, with real names: the raw form of a clip."""

    lines: tuple[TranscriptLine, ...] = classed("backend")
    background: str = classed("backend")
    play: tuple[int, ...] = classed("backend")
    """Choice indices from the start of the story to the end of the clip."""
    first: int = classed("backend")
    """Number of decisions of `play` that lie before the clip starts."""
    spans: tuple[str, ...] = classed("backend")
    """Source span of each line, in order."""


class Clip(Record):
    """The public form of an excerpt."""

    clip_id: str = classed("public")
    """`c` + digest of source and play; never of anything that the label depends on."""
    source_id: str = classed("public")
    ref: ClipRef = classed("public")
    background: str = classed("public")
    transcript: tuple[TranscriptLine, ...] = classed("public")
