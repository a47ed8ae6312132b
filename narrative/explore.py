"""Whole exploration: every choice of every state from the start on, breadth first, by executing the story.

Two runs that can never differ again are one state. For compiled Ink `liveness.py` decides that, from what the rest of
the story still reads; for other stories equal saved positions do. A position is held until it has been expanded.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..schemas.base import digest
from .flowchart import Flowchart
from .ink import InkStory
from .runtime import Step, Story
from .walk import Reached, Walk, walk

FAILS = "the story fails after"
"""How a line of `Flowchart.cut` begins that tells of a failure."""
MOST_CHOICES = 250
"""Followed of one state: a menu of thousands costs their square, and no bound is looked at within a state."""

Progress = Callable[[int, int], None]
"""Called with the number of states found and the bound."""


class Bounds(NamedTuple):
    """Where exploration stops; None for no bound."""

    states: int = 50_000
    depth: int | None = None
    """Decisions from the start: states this far away are found, and not expanded."""
    seconds: float | None = None


def explore(
    story: Story,
    *,
    watched: Iterable[str] = (),
    max_states: int = 50_000,
    max_depth: int | None = None,
    max_seconds: float | None = None,
    progress: Progress | None = None,
) -> Flowchart:
    """The flowchart of all that can happen, up to the bounds; what was cut is in `Flowchart.cut`.

    Histories that differ only in variables which nothing reads any more are one state, so a transition tells the
    variables that are still read after it, and those in `watched` (what a project reads as signals), and no others.
    Where the story fails after a choice, an `error` state stands and the rest goes on. A story that draws at random
    is explored as it goes with its fixed seed, and is never complete. Raises `InputError` where the story fails before
    the first choice.
    """
    steps = walk(story, watched)
    try:
        chart = explore_by(steps, story.info.sha256, Bounds(max_states, max_depth, max_seconds), progress)
    finally:
        steps.close()
    if isinstance(story, InkStory) and story.seed is not None:
        chart.cut.append(f"draws random numbers: explored as seed {story.seed} draws them")
        chart.complete = False
    return chart


def explore_by(steps: Walk, sha256: str, bounds: Bounds, progress: Progress | None = None) -> Flowchart:
    """`explore`, with the way to take steps given."""
    explorer = Explorer(steps, sha256, bounds, progress)
    explorer.run()
    return explorer.chart


class Explorer:
    """The flowchart, the positions that wait to be expanded, and those that the walk was asked about."""

    def __init__(self, steps: Walk, sha256: str, bounds: Bounds, progress: Progress | None) -> None:
        self.steps, self.bounds, self.progress = steps, bounds, progress
        self.started = time.monotonic()
        self.chart = Flowchart(sha256)
        self.waiting: deque[tuple[int, int, str]] = deque()
        """Number, depth and position."""
        self.asked: deque[tuple[int, int]] = deque()
        self.too_deep = 0
        first = steps.begin()
        self.chart.begin(first.key, first.step)
        self._queue(Flowchart.START, 0, first)

    def run(self) -> None:
        while self.waiting or self.asked:
            if stopped := self._bound():
                self._cut(stopped, len(self.waiting) + len(self.asked))
                break
            self.step()
        self._cut(f"the bound of {self.bounds.depth} decisions was reached", self.too_deep)
        self.chart.complete = all(map(self.chart.expanded, range(len(self.chart))))

    def step(self) -> None:
        """Ask for as much as there is room for, and write down the oldest reply."""
        self._ask()
        number, depth = self.asked.popleft()
        for index, reply in enumerate(self.steps.receive()):
            self._add(number, index, depth + 1, reply)
        if self.progress:
            self.progress(len(self.chart), self.bounds.states)

    def _ask(self) -> None:
        while self.waiting and self.steps.has_room(self.waiting[0][2]):
            number, depth, text = self.waiting.popleft()
            offered = len(self.chart.state(number).choices)
            if offered > MOST_CHOICES:
                self.chart.cut.append(f"a state offers {offered} choices: the first {MOST_CHOICES} were followed")
            self.steps.send(text, min(offered, MOST_CHOICES))
            self.asked.append((number, depth))

    def _bound(self) -> str:
        if len(self.chart) >= self.bounds.states:
            return f"the bound of {self.bounds.states} states was reached"
        if self.bounds.seconds is not None and time.monotonic() - self.started > self.bounds.seconds:
            return f"the bound of {self.bounds.seconds:g} s was reached"
        return ""

    def _cut(self, why: str, unexpanded: int) -> None:
        if unexpanded:
            self.chart.cut.append(f"{why}: {unexpanded} states were not expanded")

    def _add(self, source: int, index: int, depth: int, reply: Reached | str) -> None:
        if isinstance(reply, str):
            self._fail(source, index, reply)
            return
        known = self.chart.find(reply.key) is not None
        target = self.chart.add_state(reply.key, reply.step)
        self.chart.add_transition(source, index, target, reply.step)
        if not known:
            self._queue(target, depth, reply)

    def _queue(self, number: int, depth: int, reached: Reached) -> None:
        if reached.text is None:
            return
        if self.bounds.depth is not None and depth >= self.bounds.depth:
            self.too_deep += 1
        else:
            self.waiting.append((number, depth, reached.text))

    def _fail(self, source: int, index: int, reason: str) -> None:
        state = self.chart.state(source)
        target = self.chart.add_error(digest("error", state.key, index), f"{state.location}/{index}")
        self.chart.add_transition(source, index, target, Step((), (), {}, state.location))
        note = f"{FAILS} {state.choices[index].text!r}: {reason}"
        if note not in self.chart.cut:
            self.chart.cut.append(note)
