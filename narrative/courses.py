"""How choices move a story's variables, seen on a few plays drawn at random: a measure moves, a constant does not."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from ..schemas.base import digest
from ..schemas.story import Scalar
from .runtime import Choice, Runtime, Step, Story

PLAYS = 12
LONGEST = 80
"""Decisions after which a play is broken off."""
ENOUGH = 12
"""Movements of every variable after which no further play is drawn."""


@dataclass
class Course:
    """How one variable was seen to move."""

    steps: list[float] = field(default_factory=list)
    """By how much each choice that moved it did so."""
    deciders: Counter[str] = field(default_factory=Counter)
    """Who made those choices, where the story says so."""
    spans: list[str] = field(default_factory=list)
    """Where they stand in the source."""


def observe(story: Story, runtime: Runtime, names: Collection[str]) -> dict[str, Course]:
    """The course of each variable, true and false counting as 1 and 0. Raises `StoryError` where the story fails."""
    courses = {name: Course() for name in names}
    for number in range(PLAYS):
        if all(len(course.steps) >= ENOUGH for course in courses.values()):
            break
        chance = random.Random(int(digest(story.info.sha256, "courses", number), 16))
        for before, choice, after in _play(runtime, chance):
            for name, course in courses.items():
                _note(course, before, choice, _number(after.variables, name) - _number(before.variables, name))
    return courses


def _note(course: Course, before: Step, choice: Choice, by: float) -> None:
    if by:
        course.steps.append(by)
        course.spans.append(choice.span)
        if before.protagonist:
            course.deciders[before.protagonist] += 1


def _play(runtime: Runtime, chance: random.Random) -> Iterator[tuple[Step, Choice, Step]]:
    """Each decision of a play with the choice taken and what it led to."""
    step = runtime.start()
    for _ in range(LONGEST):
        if not step.choices:
            return
        index = int(chance.random() * len(step.choices))
        before, step = step, runtime.choose(index)
        yield before, before.choices[index], step


def _number(variables: Mapping[str, Scalar], name: str) -> float:
    value = variables.get(name)
    return 0.0 if value is None or isinstance(value, str) else float(value)
