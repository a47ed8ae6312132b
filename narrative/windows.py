"""Exploration around seeded playthroughs: every other choice that a play passes by, followed as far as a window needs.

States are one where their saved text is equal, which merges little; whole exploration is `explore.py`.
"""

import random
from collections.abc import Callable

from ..errors import StoryError
from ..schemas.base import digest
from .flowchart import Flowchart
from .runtime import Branch, Runtime, Step, Story, expand

Progress = Callable[[int, int], None]
"""Called with the number of states found and the bound."""


def explore_windows(
    story: Story,
    *,
    seed: int,
    playthroughs: int = 8,
    window: int = 3,
    max_states: int = 20_000,
    max_length: int = 400,
    progress: Progress | None = None,
) -> Flowchart:
    """The plays, and from each of their decisions all that can follow within `window` decisions after a choice.

    Play k follows `random.Random(int(digest(seed, story hash, k), 16))`, each offered choice equally likely, to the end
    or to `max_length` choices. Past `max_states` no further state is expanded. What was cut is in `Flowchart.cut`.
    The story's first step must not fail; where a later choice fails, an `error` state stands.
    """
    explorer = _Explorer(story, max_states, progress)
    try:
        for k in range(playthroughs):
            explorer.play(random.Random(int(digest(seed, story.info.sha256, k), 16)), max_length)
        explorer.widen(window)
    finally:
        explorer.close()
    chart = explorer.chart
    chart.complete = all(map(chart.expanded, range(len(chart))))
    if not chart.complete:
        chart.cut.append(f"only what lies within {window} decisions of {len(chart.plays)} playthroughs was explored")
    return chart


class _Explorer:
    """One runtime, the flowchart it fills, and the saved text of every state that has still to be expanded."""

    def __init__(self, story: Story, max_states: int, progress: Progress | None) -> None:
        self.max_states, self.progress = max_states, progress
        self.chart = Flowchart(story.info.sha256)
        self.runtime: Runtime = story.runtime()
        self.texts: dict[int, str] = {}
        step = self.runtime.start()
        text = self.runtime.save()
        self.texts[self.chart.begin(_key(step, text), step)] = text

    def close(self) -> None:
        self.runtime.close()

    def play(self, chance: random.Random, max_length: int) -> None:
        """Record one play from the start to its end."""
        step, here, taken = self.runtime.start(), Flowchart.START, list[int]()
        while step.choices and len(taken) < max_length:
            taken.append(int(chance.random() * len(step.choices)))
            branch = self._choose(taken[-1])
            here = self._add(here, taken[-1], branch)
            if branch.step is None:
                break
            step = branch.step
        if step.choices:
            self._note(f"a play stopped after {len(taken)} choices")
        if tuple(taken) not in self.chart.plays:
            self.chart.plays.append(tuple(taken))

    def widen(self, window: int) -> None:
        """Expand level by level: each state once, with as much left of the window as it ever has."""
        level = [number for number in self.texts if self.chart.transitions(number)]
        seen = set(level)
        for _ in range(window + 1):
            targets = dict.fromkeys(target for number in level for target in self._expand(number))
            level = [target for target in targets if target not in seen and target in self.texts]
            seen.update(level)

    def _expand(self, number: int) -> list[int]:
        """Take every choice of a state; the numbers of the states that follow."""
        if len(self.chart) >= self.max_states:
            self._note(f"the bound of {self.max_states} states was reached")
            return []
        branches = expand(self.runtime, self.texts.pop(number))
        return [self._add(number, index, branch) for index, branch in enumerate(branches)]

    def _choose(self, index: int) -> Branch:
        try:
            step = self.runtime.choose(index)
            return Branch(step, self.runtime.save(), None)
        except StoryError as error:
            return Branch(None, "", error)

    def _add(self, source: int, index: int, branch: Branch) -> int:
        """Write down what came of a choice, unless it is known; the number of the state that follows."""
        known = next((t.target for t in self.chart.transitions(source) if t.index == index), None)
        if known is not None:
            return known
        if branch.step is None:
            return self._fail(source, index, branch.error)
        key = _key(branch.step, branch.state)
        new = self.chart.find(key) is None
        target = self.chart.add_state(key, branch.step)
        self.chart.add_transition(source, index, target, branch.step)
        if new and branch.step.choices:
            self.texts[target] = branch.state
        if self.progress:
            self.progress(len(self.chart), self.max_states)
        return target

    def _fail(self, source: int, index: int, error: StoryError | None) -> int:
        state = self.chart.state(source)
        target = self.chart.add_error(digest("error", state.key, index), f"{state.location}/{index}")
        self.chart.add_transition(source, index, target, Step((), (), {}, state.location))
        self._note(f"the story fails after {state.choices[index].text!r}: {error}")
        return target

    def _note(self, what: str) -> None:
        if what not in self.chart.cut:
            self.chart.cut.append(what)


def _key(step: Step, text: str) -> str:
    """Nothing follows an ending, so its id is enough."""
    return digest("state", text) if step.choices else digest("ending", step.ending or "")
