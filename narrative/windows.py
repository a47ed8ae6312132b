"""Exploration around seeded playthroughs: every other choice that a play passes by, followed as far as a window needs.

For stories too large to explore whole (`explore.py`), and where only what lies near the plays is asked about.
"""

import random
from collections.abc import Callable, Iterable, Sequence

from ..schemas.base import digest
from .explore import Bounds, Explorer, Progress
from .flowchart import Flowchart
from .runtime import Story
from .walk import Reached, Walk, walk


def explore_windows(
    story: Story,
    *,
    seed: int,
    recorded: Sequence[tuple[int, ...]] = (),
    playthroughs: int = 8,
    window: int = 3,
    max_states: int = 20_000,
    max_length: int = 400,
    progress: Progress | None = None,
) -> Flowchart:
    """The plays, and from each of their decisions all that can follow within `window` decisions after a choice.

    `recorded` plays, which the story must offer, come first and count among the `playthroughs`. Play k of the others
    follows `random.Random(int(digest(seed, story hash, k), 16))`, each offered choice equally likely, to the end
    or to `max_length` choices. Past `max_states` the windows are left as they are. What was cut is in `Flowchart.cut`.
    The story's first step must not fail; where a later choice fails, an `error` state stands.
    """
    steps = walk(story)
    try:
        around = _Around(steps, story.info.sha256, Bounds(states=max_states), progress)
        sampled = [_sampled(seed, story.info.sha256, k) for k in range(playthroughs - len(recorded))]
        around.play([*map(_recorded, recorded), *sampled], max_length)
        around.widen(window)
    finally:
        steps.close()
    chart = around.chart
    chart.complete = all(map(chart.expanded, range(len(chart))))
    if not chart.complete:
        chart.cut.append(f"only what lies within {window} decisions of {len(chart.plays)} playthroughs was explored")
    return chart


Chooser = Callable[[int, int], int | None]
"""Which choice is made after so many, of so many; None to stop there."""


def _sampled(seed: int, sha256: str, k: int) -> Chooser:
    chance = random.Random(int(digest(seed, sha256, k), 16))
    return lambda made, offered: int(chance.random() * offered)


def _recorded(play: tuple[int, ...]) -> Chooser:
    return lambda made, offered: play[made] if made < len(play) else None


class _Around(Explorer):
    """Keeps the position of every state that was not expanded, and expands those that it is told to."""

    def __init__(self, steps: Walk, sha256: str, bounds: Bounds, progress: Progress | None) -> None:
        self.texts: dict[int, str] = {}
        super().__init__(steps, sha256, bounds, progress)

    def _queue(self, number: int, depth: int, reached: Reached) -> None:
        if reached.text is not None:
            self.texts[number] = reached.text

    def play(self, choosers: Sequence[Chooser], max_length: int) -> None:
        """Record one play for each chooser, all of them a step at a time."""
        here = dict.fromkeys(range(len(choosers)), Flowchart.START)
        plays: list[list[int]] = [[] for _ in choosers]
        while here:
            self._expand(here.values())
            for k, state in list(here.items()):
                index = choosers[k](len(plays[k]), len(self.chart.state(state).choices))
                if index is None:
                    del here[k]
                    continue
                plays[k].append(index)
                here[k] = next(edge.target for edge in self.chart.transitions(state) if edge.index == index)
                going = self.chart.state(here[k]).kind == "decision"
                if going and len(plays[k]) == max_length:
                    self.chart.cut.append(f"a play stopped after {max_length} choices")
                if not going or len(plays[k]) == max_length:
                    del here[k]
        self.chart.plays = list(dict.fromkeys(map(tuple, plays)))

    def widen(self, window: int) -> None:
        """Expand level by level: each state once, with as much left of the window as it ever has."""
        passed = {edge.source for play in self.chart.plays for edge in self.chart.follow(play)}
        level = self._targets(sorted(passed))
        seen = set(level)
        for _ in range(window):
            if len(self.chart) >= self.bounds.states:
                self.chart.cut.append(f"the bound of {self.bounds.states} states was reached")
                return
            self._expand(level)
            level = [target for target in self._targets(level) if target not in seen]
            seen.update(level)

    def _targets(self, numbers: Iterable[int]) -> list[int]:
        return list(dict.fromkeys(edge.target for number in numbers for edge in self.chart.transitions(number)))

    def _expand(self, numbers: Iterable[int]) -> None:
        """Take every choice of those states that were not expanded yet."""
        for number in dict.fromkeys(numbers):
            if number in self.texts:
                self.waiting.append((number, 0, self.texts.pop(number)))
        while self.waiting or self.asked:
            self.step()
