"""A clip: the stretch of a source that an item is about, and what of it may be shown."""

from typing import Literal, Self

from pydantic import field_validator, model_validator

from .base import Record, classed, seconds

LEADING = 4
"""Lines at the end of a clip by which a derived item is audited."""


class Span(Record):
    """A stretch of a video: from `start` up to `end`, in seconds from its first picture."""

    start: float = classed("public", ge=0)
    end: float = classed("public", ge=0)

    @field_validator("start", "end")
    @classmethod
    def _rounded(cls, value: float) -> float:
        return seconds(value)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"a span that ends at {self.end:g} cannot start at {self.start:g}")
        return self

    @property
    def duration(self) -> float:
        return seconds(self.end - self.start)


class Cue(Span):
    """One subtitle, or one segment of a transcript."""

    text: str = classed("public")


class VideoSpan(Span):
    """Where a recorded playthrough shows a clip."""

    source_id: str = classed("public")
    """Of the video."""
    confidence: float = classed("public", ge=0, le=1)
    """Share of the clip's words that the video's transcript has at this place."""


class TranscriptLine(Record):
    """One line of a transcript; anonymised wherever it is public."""

    text: str = classed("public")
    speaker: str | None = classed("public", None)
    """Who says it; of a choice, who makes it, where the story names one."""
    kind: Literal["line", "choice", "menu"] = classed("public", "line")
    """`choice` is what the protagonist decided to do, as the story words it; `menu`, just before it, all that could be
    chosen there, where that was more than one thing."""

    @property
    def told(self) -> bool:
        """Whether it tells what came about; a menu does not."""
        return self.kind != "menu"


class ClipRef(Record):
    """Where a clip is, as an item states it."""

    media: str = classed("public")
    """Path inside the release: `media/<clip id>.json` for a transcript."""
    start: float = classed("public", ge=0)
    end: float = classed("public", ge=0)
    unit: Literal["seconds", "lines"] = classed("public", "seconds")
    """Unit of `start` and `end`: seconds of video, or lines of transcript."""


class Excerpt(Record):
    """What the Tracker cut out of a play, a video or a transcript, with real names: the raw form of a clip."""

    lines: tuple[TranscriptLine, ...] = classed("backend")
    background: str = classed("backend")
    play: tuple[int, ...] = classed("backend", ())
    """Choice indices from the start of the story to the end of the clip; none where it is no play."""
    first: int = classed("backend", 0)
    """Number of decisions of `play` that lie before the clip starts."""
    spans: tuple[str, ...] = classed("backend")
    """Source span of each line, in order; of a menu the place of its decision."""
    video: VideoSpan | None = classed("backend", None)
    overlays: tuple[str, ...] = classed("backend", ())
    """What the video shows there beside the story: signals such as "Trust ▲"."""
    history: tuple[str, ...] = classed("backend", ())
    """What was said earlier, turn by turn, where an item is to draw on it."""


class Clip(Record):
    """The public form of an excerpt."""

    clip_id: str = classed("public")
    """`c` + digest of source and play; never of anything that the label depends on."""
    source_id: str = classed("public")
    ref: ClipRef = classed("public")
    background: str = classed("public")
    transcript: tuple[TranscriptLine, ...] = classed("public")
    video: VideoSpan | None = classed("public", None)
    """None where no video shows it. It follows from source, play and lines shown, like the transcript."""

    @property
    def leading(self) -> tuple[str, ...]:
        """The last lines that tell something, which lead to the decision, as cues: `line 7`."""
        told = [number for number, line in enumerate(self.transcript, 1) if line.told]
        return tuple(f"line {number}" for number in told[-LEADING:])
