"""Which play a video shows: the story is followed choice by choice, along the plays that its transcript bears out.

A beam: of all plays of one length those are followed that explain the transcript best so far, at most `WIDTH`; and of
the transcript only what lies around the place where a play stands.
The video may end before the story does; then the play ends with the last choice of which the transcript has something.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .heard import Heard, Row
from .plays import LONGEST
from .runtime import Runtime, Step, expand, future

WIDTH = 8
"""Plays that are followed at once."""
MARGIN = 25.0
"""Words by which a play may fall behind the best one before it is given up."""
BACK, AHEAD = 150, 600
"""Words of the transcript before and after the place where a play stands that are looked at."""


@dataclass(frozen=True)
class Play:
    """A play followed so far."""

    play: tuple[int, ...]
    steps: tuple[Step, ...]
    """The start, and what followed each choice."""
    state: str
    row: Row
    """Over the places from `since` on."""
    since: int
    hope: float
    """Score that may be expected of going on."""
    bound: float
    """Score that no going on can exceed."""
    final: float
    """Score of ending the play here, or within what its last choice tells."""


def recover(heard: Heard, runtime: Runtime) -> Play:
    """The play that explains a transcript best. Raises `StoryError` where the story's first step fails."""
    best = start = _begin(heard, runtime)
    beam = [start]
    while beam and len(beam[0].play) < LONGEST:
        longer = [one for play in beam for one in _continued(heard, runtime, play)]
        best = max([best, *longer], key=lambda play: play.final)
        beam = _kept(longer, best.final)
    return best


def given(runtime: Runtime, play: Sequence[int]) -> tuple[Step, ...]:
    """The steps of a play that is known. Raises `LookupError` with the number of the choice that is not offered."""
    steps = [runtime.start()]
    for number, index in enumerate(play):
        if not 0 <= index < len(steps[-1].choices):
            raise LookupError(number)
        steps.append(runtime.choose(index))
    return tuple(steps)


def _begin(heard: Heard, runtime: Runtime) -> Play:
    step = runtime.start()
    start = Play((), (step,), runtime.save(), heard.begin(), since=0, hope=0.0, bound=0.0, final=0.0)
    return _told(heard, start, [line.text for line in step.lines])


def _continued(heard: Heard, runtime: Runtime, play: Play) -> Iterator[Play]:
    for index, branch in enumerate(expand(runtime, play.state)):
        if branch.step is not None:
            texts = [play.steps[-1].choices[index].text, *(line.text for line in branch.step.lines)]
            longer = replace(
                play, play=(*play.play, index), steps=(*play.steps, branch.step), state=branch.state, final=-math.inf
            )
            yield _told(heard, longer, texts)


def _told(heard: Heard, play: Play, texts: Sequence[str]) -> Play:
    """The play with its last texts told; it may end after each of them. Only what is near is kept of its row."""
    part = heard.part(play.since, play.since + len(play.row) - 1)
    row, final = play.row, play.final
    for text in texts:
        row = part.tell(row, heard.taken_apart(text))
        final = max(final, part.final(row))
    place = play.since + part.place(row)
    since = max(play.since, place - BACK)
    until = min(len(heard), place + AHEAD)
    kept = np.full(until - since + 1, -math.inf)
    known = row[since - play.since : until - play.since + 1]
    kept[: len(known)] = known
    return replace(play, row=kept, since=since, hope=part.hope(row), bound=part.bound(row), final=final)


def _kept(plays: Sequence[Play], best: float) -> list[Play]:
    """The most hopeful plays, one for each position of the story, that can still become better than the best."""
    hopeful = sorted(plays, key=lambda play: (-play.hope, play.play))
    there: dict[str, Play] = {}
    for play in hopeful:
        if play.bound > best and play.hope >= hopeful[0].hope - MARGIN and play.steps[-1].choices:
            there.setdefault(future(play.state), play)
    return list(there.values())[:WIDTH]
