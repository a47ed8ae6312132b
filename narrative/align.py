"""A playthrough video against its story (NARRATIVE 7): when each line and choice of a play is told.

Pure: a transcript goes in as cues, a play as what a runtime told. Words are matched monotonously over the whole play
(`heard.py`); a line keeps those of its matches that lie close together, and is aligned where they are enough of it.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ..schemas.alignment import Alignment, Moment, covered
from ..schemas.clip import Span, VideoSpan
from .heard import Heard, Row, weight
from .runtime import Step
from .words import spoken

FLOOR = 0.5
"""Confidence below which a line is unaligned."""
CLIP_FLOOR = 0.6
"""Confidence below which a clip has no span."""
NEAR_ENDS = 3
"""Among so many lines or choices at either end of a clip one has to be aligned."""
APART = 0.25
"""What each further word between two matches of a line takes from their worth."""
CLOSE = 2
"""Words between two matches, more than the line itself has there, that take nothing."""
LABEL = 1
"""Words at the start or end of a cue that may be a speaker's name, and belong to the line beside them."""


class Unit(NamedTuple):
    """A line or a choice, with its words."""

    kind: Literal["line", "choice"]
    after: int
    words: tuple[str, ...]


class Matched(NamedTuple):
    """The matches of one unit that lie together, as places in the unit and in the transcript."""

    pairs: tuple[tuple[int, int], ...]
    worth: float


class Recording(NamedTuple):
    """A playthrough that a video shows."""

    source_id: str
    """Of the video."""
    alignment: Alignment


def units_of(steps: Sequence[Step], play: Sequence[int]) -> list[Unit]:
    """What a play tells, in order. `steps` are the start and what followed each choice."""
    units: list[Unit] = []
    for after, step in enumerate(steps):
        units += [Unit("line", after, tuple(spoken(line.text))) for line in step.lines]
        if after < len(play):
            units.append(Unit("choice", after, tuple(spoken(step.choices[play[after]].text))))
    return units


def align(heard: Heard, steps: Sequence[Step], play: Sequence[int]) -> Alignment:
    """The spans of all lines and choices of a play. `steps` are the start and what followed each choice of it."""
    units = units_of(steps, play)
    matches = [_together(unit, pairs, heard) for unit, pairs in zip(units, _pairs(heard, units), strict=True)]
    claimed = {place for matched in matches for _, place in matched.pairs}
    moments = [_moment(heard, unit, matched, claimed) for unit, matched in zip(units, matches, strict=True)]
    mentioned = {heard.words[place].cue for place in claimed}
    extra = tuple(cue for number, cue in enumerate(heard.cues) if number not in mentioned)
    return Alignment(play=tuple(play), moments=tuple(moments), extra=extra)


def clip_span(alignment: Alignment, source_id: str, play: Sequence[int], first: int, shown: int) -> VideoSpan | None:
    """Where a video shows a clip: from the first line after `first` choices to the last choice of `play` and `shown`
    lines of its reply. It never reaches into what is told next.

    None where the video shows another play, or too little of the clip is aligned.
    """
    if alignment.play[: len(play)] != tuple(play):
        return None
    moments = alignment.moments
    told = [at for at, moment in enumerate(moments) if moment.after == len(play) and moment.kind == "line"]
    choices = (at for at, moment in enumerate(moments) if moment.after == len(play) and moment.kind == "choice")
    end = told[shown] if shown < len(told) else next(choices, len(moments))
    inside = [moment for moment in moments[:end] if moment.after >= first]
    span = covered(inside)
    confidence = Alignment(play=(), moments=tuple(inside)).confidence
    ends = (inside[:NEAR_ENDS], inside[-NEAR_ENDS:])
    if span is None or confidence < CLIP_FLOOR or not all(covered(part) for part in ends):
        return None
    until = _until(inside[-1], span, moments[end:])
    return VideoSpan(start=span.start, end=until, source_id=source_id, confidence=confidence) if until else None


def best_span(recordings: Iterable[Recording], play: Sequence[int], first: int, shown: int) -> VideoSpan | None:
    """Where a clip is shown best among some recordings; None where none shows it."""
    spans = (clip_span(one.alignment, one.source_id, play, first, shown) for one in recordings)
    found = [span for span in spans if span is not None]
    return min(found, key=lambda span: (-span.confidence, span.source_id), default=None)


def overlays(recordings: Iterable[Recording], span: VideoSpan) -> tuple[str, ...]:
    """What a video shows within a span beside the story, as far as its cues say."""
    shown = next((one.alignment.extra for one in recordings if one.source_id == span.source_id), ())
    return tuple(cue.text for cue in shown if cue.start < span.end and span.start < cue.end)


def _until(last: Moment, span: Span, rest: Sequence[Moment]) -> float | None:
    """Where a clip ends: before what is told next. A choice that nobody says is made right before that."""
    following = next((moment.span.start for moment in rest if moment.span), None)
    if following is None:
        return span.end
    if last.span is None and last.kind == "choice" and rest[0].span is not None:
        return following if following > span.start else None
    end = min(span.end, following)
    return end if end > span.start else None


def _pairs(heard: Heard, units: Sequence[Unit]) -> list[list[tuple[int, int]]]:
    """The matches of each unit on the best way through transcript and play."""
    before: list[Row] = []
    whole, row = heard.part(0, len(heard)), heard.begin()
    for unit in units:
        before.append(row)
        row = whole.tell(row, unit.words)
    place = whole.last(row)
    found: list[list[tuple[int, int]]] = []
    for unit, row in zip(reversed(units), reversed(before), strict=True):
        pairs, place = whole.trace(whole.rows(row, unit.words), unit.words, place)
        found.append(pairs)
    return found[::-1]


def _together(unit: Unit, pairs: Sequence[tuple[int, int]], heard: Heard) -> Matched:
    """The run of matches that is worth most, where words in between take from it: a stray match far off is left out."""
    best = run = Matched((), 0.0)
    for pair in _tightened(unit, pairs, heard):
        worth = float(heard.gain(unit.words[pair[0]])[pair[1]])
        if run.pairs:
            apart = (pair[1] - run.pairs[-1][1]) - (pair[0] - run.pairs[-1][0]) - CLOSE
            run = Matched(run.pairs, run.worth - APART * max(0, apart))
        kept = run if run.worth > 0 else Matched((), 0.0)
        run = Matched((*kept.pairs, pair), kept.worth + worth)
        best = max(best, run, key=lambda matched: matched.worth)
    return best


def _tightened(unit: Unit, pairs: Sequence[tuple[int, int]], heard: Heard) -> list[tuple[int, int]]:
    """The matches, each as close behind the one before as it is worth as much: words repeat."""
    close: list[tuple[int, int]] = []
    for at, place in pairs:
        near = close[-1][1] + at - close[-1][0] if close else place
        gain = heard.gain(unit.words[at])
        close.append((at, near if near < place and gain[near] >= gain[place] else place))
    return close


def _moment(heard: Heard, unit: Unit, matched: Matched, claimed: set[int]) -> Moment:
    whole = sum(map(weight, unit.words))
    worth = sum(float(heard.gain(unit.words[at])[place]) for at, place in matched.pairs)
    confidence = round(worth / whole, 6) if whole else 0.0
    span = _span(heard, unit, matched, claimed) if confidence >= FLOOR else None
    return Moment(kind=unit.kind, after=unit.after, words=len(unit.words), span=span, confidence=confidence)


def _span(heard: Heard, unit: Unit, matched: Matched, claimed: set[int]) -> Span:
    """From the first to the last match, and over the unit's misheard words beside them in the same cue."""
    (first_word, first), (last_word, last) = matched.pairs[0], matched.pairs[-1]
    start = _widened(heard, first, -1, first_word, claimed)
    end = _widened(heard, last, 1, len(unit.words) - 1 - last_word, claimed)
    return Span(start=heard.words[start].start, end=heard.words[end].end)


def _widened(heard: Heard, place: int, step: int, missing: int, claimed: set[int]) -> int:
    """The place moved over words that nothing else claims: as many as are missing, or to the end of the cue if near."""
    free, cue = [], heard.words[place].cue
    at = place + step
    while 0 <= at < len(heard) and heard.words[at].cue == cue and at not in claimed:
        free.append(at)
        at += step
    ends_cue = not (0 <= at < len(heard) and heard.words[at].cue == cue)
    reach = len(free) if ends_cue and len(free) <= missing + LABEL else min(missing, len(free))
    return free[reach - 1] if reach else place
