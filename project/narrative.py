"""Stories looked at by themselves, before they join a project: explored, played, linted."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..anonymize.propose import doubtful, propose
from ..errors import UsageError
from ..narrative.explore import explore as explore_story
from ..narrative.ink import InkStory
from ..narrative.own import OwnStory
from ..narrative.runtime import Runtime, Step, Story
from ..narrative.stories import open_story
from ..narrative.summary import Exploration as Exploration
from ..narrative.summary import summarise
from ..schemas.finding import Finding
from ..schemas.story import Entity

Progress = Callable[[str, int, int | None], None]


RANDOM_SEED = 42
"""Fixes what a story draws at random, while it is only looked at; a build takes no such story."""


class Bounds(NamedTuple):
    """Where exploration stops."""

    states: int
    depth: int | None
    """Decisions from the start."""
    seconds: float | None


class Played(NamedTuple):
    """A story, and where a play of it stands."""

    story: Story
    lines: tuple[str, ...]
    """What was told, `NAME: words` where somebody speaks, and `> words` for each choice taken."""
    choices: tuple[str, ...]
    """What is offered now."""
    ending: str | None
    variables: dict[str, Any]
    random_seed: int | None
    """What the story draws was fixed by this seed; None for a story that draws nothing."""


def explore(path: Path, bounds: Bounds, progress: Progress) -> Exploration:
    """Explore a story as far as the bounds allow; one that draws random numbers as `RANDOM_SEED` draws them.

    Raises `InputError` for a file that is no story.
    """
    return _explored(open_story(path, random_seed=RANDOM_SEED), bounds, progress)


def play(path: Path, choices: Sequence[int]) -> Played:
    """Play a story by the indices of its choices, from 0. Raises `UsageError` for an index that is not offered."""
    story = open_story(path, random_seed=RANDOM_SEED)
    runtime = story.runtime()
    try:
        lines, step = _take(runtime, choices)
    finally:
        runtime.close()
    seed = story.seed if isinstance(story, InkStory) else None
    return Played(story, lines, tuple(choice.text for choice in step.choices), step.ending, dict(step.variables), seed)


def lint(path: Path, bounds: Bounds, progress: Progress) -> list[Finding]:
    """What an author should look at; errors are what breaks a play of the story."""
    story = open_story(path, random_seed=RANDOM_SEED)
    return [*_of_file(story), *_of_play(_explored(story, bounds, progress))]


def _explored(story: Story, bounds: Bounds, progress: Progress) -> Exploration:
    started = time.monotonic()
    chart = explore_story(
        story,
        max_states=bounds.states,
        max_depth=bounds.depth,
        max_seconds=bounds.seconds,
        progress=lambda states, most: progress(f"exploring {story.info.title}", states, None),
    )
    return summarise(story, chart, time.monotonic() - started)


def _take(runtime: Runtime, choices: Sequence[int]) -> tuple[tuple[str, ...], Step]:
    step = runtime.start()
    lines = [*_told(step)]
    for place, index in enumerate(choices):
        if not 0 <= index < len(step.choices):
            offered = f"0 to {len(step.choices) - 1}" if step.choices else "none, the story has ended"
            raise UsageError(f"choice {index} (number {place + 1} of the play) is not offered; there are {offered}")
        lines.append(f"> {step.choices[index].text}")
        step = runtime.choose(index)
        lines += _told(step)
    return tuple(lines), step


def _told(step: Step) -> Iterator[str]:
    return (f"{line.speaker}: {line.text}" if line.speaker else line.text for line in step.lines)


def _of_file(story: Story) -> Iterator[Finding]:
    info = story.info
    for warning in story.warnings if isinstance(story, OwnStory) else ():
        yield _warning("story-slip", warning)
    if not info.license:
        yield _warning("no-licence", "the story states no licence; a release needs one")
    if not info.background:
        yield _warning("no-background", "the story states no background; clips from its middle may be hard to follow")
    declared = tuple(Entity(names=(person.name, *person.aliases), kind=person.kind) for person in info.people)
    proposed = propose(info.texts, declared)
    if proposed:
        names = ", ".join(entity.names[-1] for entity in proposed)
        yield _warning("names-undeclared", f"proposed as names, since the text uses them so: {names}")
    if perhaps := doubtful(info.texts, (*declared, *proposed)):
        yield _warning("names-doubtful", f"names perhaps, only seen where a sentence begins: {', '.join(perhaps)}")


def _of_play(found: Exploration) -> Iterator[Finding]:
    for error in found.errors:
        yield Finding(code="play-fails", message=error)
    for cut in found.cut:
        yield _warning("not-explored", cut)
    for span in found.choices.unreachable:
        yield _warning("choice-unreachable", "no player can ever be offered this choice", span)
    if found.complete and not found.endings:
        yield Finding(code="no-ending", message="no ending was reached")


def _warning(code: str, message: str, place: str = "") -> Finding:
    return Finding(code=code, message=message, place=place, severity="warning")
