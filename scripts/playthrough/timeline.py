"""The play as it runs on the real runtime, laid out in time: which line, menu or signal stands in which frames."""

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from benchwright.narrative.runtime import Runtime, Step
from benchwright.narrative.stories import open_story
from benchwright.schemas.story import Scalar

from .script import PLAY

FPS = 5
TITLE, SHOWN, LIT, SIGNAL, CARD = 12, 11, 6, 14, 12
"""Frames of the title, of a menu before and after its choice is lit, of a signal, and of the closing card."""
UP, DOWN = "▲", "▼"


class Scene(NamedTuple):
    place: str
    light: str
    people: tuple[str, ...]
    chapter: str
    protagonist: str


class Shot(NamedTuple):
    """Frames in which one line is told."""

    start: int
    end: int
    scene: Scene
    text: str
    speaker: str | None
    talking: int
    """For how many frames the speaker's mouth moves."""


class Signal(NamedTuple):
    """A mapped variable that moved."""

    start: int
    end: int
    variable: str
    before: int
    after: int
    text: str


class Menu(NamedTuple):
    """The options, and the chosen one lit from `lit` on."""

    start: int
    lit: int
    end: int
    options: tuple[str, ...]
    choice: int


class Told(NamedTuple):
    """One step of the play: its lines, what moved with them, and the decision, if it is filmed."""

    shots: tuple[Shot, ...]
    signals: tuple[Signal, ...]
    menu: Menu | None


class Film(NamedTuple):
    title: str
    steps: tuple[Told, ...]
    frames: int


def film(folder: Path, seconds: Callable[[str, str], float]) -> Film:
    """Plays the story of a demo folder; `seconds(speaker, words)` says how long a speech takes."""
    story = open_story(folder / "story.ink.json")
    mapped = yaml.safe_load((folder / "benchwright.yaml").read_text(encoding="utf-8"))["signals"]
    steps: list[Told] = []
    at, scene = TITLE, None
    for number, (step, before) in enumerate(played(story.runtime())):
        shots = tuple(line_up(step, number, at, scene, seconds))
        menu = decide(step, PLAY[number].choice, shots[-1].end)
        steps.append(Told(shots, signals(mapped, before, step.variables, at), menu))
        at, scene = menu.end if menu else shots[-1].end, shots[-1].scene
    return Film(story.info.title, tuple(steps), at + CARD)


def played(runtime: Runtime) -> list[tuple[Step, Mapping[str, Scalar]]]:
    """Every step, with the variables as they stood before it."""
    try:
        step = runtime.start()
        steps = [(step, step.variables)]
        for filmed in PLAY[:-1]:
            before = step.variables
            step = runtime.choose([offered.text for offered in step.choices].index(filmed.choice))
            steps.append((step, before))
        return steps
    finally:
        runtime.close()


def line_up(
    step: Step, number: int, at: int, scene: Scene | None, seconds: Callable[[str, str], float]
) -> Iterator[Shot]:
    """A step's lines one after another: what the choice led to is told in the old scene, the rest in the next."""
    for line in step.lines:
        if scene is None or any(tag.startswith("present:") for tag in line.tags):
            place, light, _ = PLAY[number]
            scene = Scene(place, light, step.present, step.chapter, step.protagonist or "")
        talking = math.ceil(seconds(line.speaker, line.text) * FPS) if line.speaker else 0
        end = at + (talking + 3 if talking else reading(line.text))
        yield Shot(at, end, scene, line.text, line.speaker, talking)
        at = end


def reading(text: str) -> int:
    """Frames that it takes to read a line."""
    return math.ceil(max(2.0, 0.6 + len(text) / 33) * FPS)


def decide(step: Step, choice: str, at: int) -> Menu | None:
    options = tuple(offered.text for offered in step.choices)
    return Menu(at, at + SHOWN, at + SHOWN + LIT, options, options.index(choice)) if choice else None


def signals(
    mapped: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any], at: int
) -> tuple[Signal, ...]:
    """What a step moved among the variables that the configuration maps."""
    return tuple(
        Signal(at, at + SIGNAL, name, before[name], after[name], worded(meaning, after[name] > before[name]))
        for name, meaning in mapped.items()
        if after[name] != before[name]
    )


def worded(meaning: Mapping[str, Any], rose: bool) -> str:
    """As in `Trust ▲ Kasimir–Vesna`."""
    label = meaning["label"]
    return " ".join([label[0].upper() + label[1:], UP if rose else DOWN, "–".join(meaning.get("between", ()))]).strip()
