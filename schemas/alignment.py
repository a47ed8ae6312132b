"""An alignment: which play of a story a video shows, and when each line and choice of it is told."""

from typing import Literal

from .base import Record, classed
from .clip import Cue, Span


class Moment(Record):
    """One line of a play, or one choice that was made."""

    kind: Literal["line", "choice"] = classed("backend")
    after: int = classed("backend", ge=0)
    """Choices made before it: lines after 3 are what the fourth state tells; choice 3 is the fourth one made."""
    words: int = classed("backend", ge=0)
    span: Span | None = classed("backend", None)
    """None where the video's transcript has too little of it: unaligned."""
    confidence: float = classed("backend", ge=0, le=1)
    """Share of its words, common ones counting less, that the transcript has at this place."""


class StateSpan(Record):
    """When one state of a play is told: its lines from the choice that led there to the next decision."""

    after: int = classed("backend", ge=0)
    span: Span | None = classed("backend", None)
    """None where nothing of it is aligned."""
    confidence: float = classed("backend", ge=0, le=1)


class Alignment(Record):
    """A recorded playthrough in time."""

    play: tuple[int, ...] = classed("backend")
    """Choice indices from the start of the story to the last choice that the video shows."""
    moments: tuple[Moment, ...] = classed("backend")
    """In the order in which they are told."""
    extra: tuple[Cue, ...] = classed("backend", ())
    """Cues of which nothing belongs to the play: signals on the screen, an introduction, credits."""

    @property
    def confidence(self) -> float:
        """Share of all words that are aligned, 0 to 1; 0 where there are none."""
        return _confidence(self.moments)

    def states(self) -> tuple[StateSpan, ...]:
        """Each state along the play, the first decision's at the start."""
        return tuple(self._state(after) for after in range(len(self.play) + 1))

    def _state(self, after: int) -> StateSpan:
        lines = [moment for moment in self.moments if moment.kind == "line" and moment.after == after]
        return StateSpan(after=after, span=covered(lines), confidence=_confidence(lines))


def covered(moments: tuple[Moment, ...] | list[Moment]) -> Span | None:
    """From the first start to the last end of what is aligned; None where nothing is."""
    spans = [moment.span for moment in moments if moment.span]
    if not spans:
        return None
    return Span(start=min(span.start for span in spans), end=max(span.end for span in spans))


def _confidence(moments: tuple[Moment, ...] | list[Moment]) -> float:
    words = sum(moment.words for moment in moments)
    return round(sum(m.confidence * m.words for m in moments if m.span) / words, 6) if words else 0.0
