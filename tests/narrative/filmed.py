"""Plays of the demo story as if they were filmed: cues with the faults of transcripts, and the times that are true."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchwright.narrative.recover import given
from benchwright.narrative.runtime import Runtime, Step
from benchwright.schemas.clip import Cue

DEMO = Path(__file__).resolve().parents[2] / "project" / "demo"
STORY = DEMO / "story.ink.json"
PACE = 14.0
"""Characters a second."""
PAUSE = 0.2


@dataclass(frozen=True)
class Faults:
    """Shares of words or cues."""

    misheard: float = 0.0
    """Of these words a third is dropped, a third another word, a third cut short."""
    missing: float = 0.0
    extra: float = 0.0
    split: float = 0.0
    merged: float = 0.0
    choices: bool = True
    """Whether the choices made stand in the cues."""


@dataclass(frozen=True)
class Filmed:
    play: tuple[int, ...]
    steps: tuple[Step, ...]
    cues: tuple[Cue, ...]
    truth: tuple[tuple[float, float] | None, ...]
    """Start and end of each line and choice, in order; None where it is missing."""


def at_random(runtime: Runtime, seed: int, length: int) -> tuple[int, ...]:
    chance, step = Random(seed), runtime.start()
    play: list[int] = []
    while step.choices and len(play) < length:
        play.append(int(chance.random() * len(step.choices)))
        step = runtime.choose(play[-1])
    return tuple(play)


def film(runtime: Runtime, play: tuple[int, ...], faults: Faults, seed: int = 0) -> Filmed:
    steps, chance = given(runtime, play), Random(seed)
    other = [word for step in steps for line in step.lines for word in line.text.split()]
    told, truth, clock = [], [], 3.0
    for kind, text in texts(steps, play):
        start, clock = clock, clock + len(text) / PACE
        shown = (faults.choices or kind == "line") and chance.random() >= faults.missing
        truth.append((start, clock) if shown else None)
        if shown:
            told.append((start, clock, misheard(text, faults.misheard, other, chance)))
        if chance.random() < faults.extra:
            told.append((clock, clock + 1.4, "[Trust ▲ Kasimir–Vesna]"))
            clock += 1.4
        clock += PAUSE
    cues = [Cue(start=a, end=b, text=text) for a, b, text in regrouped(told, faults, chance)]
    return Filmed(play, steps, tuple(cues), tuple(truth))


def texts(steps: tuple[Step, ...], play: tuple[int, ...]) -> list[tuple[str, str]]:
    found = []
    for number, step in enumerate(steps):
        found += [("line", line.text) for line in step.lines]
        found += [("choice", step.choices[index].text) for index in play[number : number + 1]]
    return found


def misheard(text: str, share: float, other: list[str], chance: Random) -> str:
    words = []
    for word in text.split():
        drawn = chance.random()
        if drawn >= share / 3:
            wrong = chance.choice(other) if drawn < 2 * share / 3 else word[:-1] if len(word) > 3 else word
            words.append(wrong if drawn < share else word)
    return " ".join(words) or text


def regrouped(told: list[tuple[float, float, str]], faults: Faults, chance: Random) -> list[tuple[float, float, str]]:
    """Cues cut in two, or joined with the next one where that follows at once."""
    found, waiting = [], list(told)
    while waiting:
        start, end, text = waiting.pop(0)
        drawn, words = chance.random(), text.split()
        if drawn < faults.split and len(words) > 5:
            first = " ".join(words[: len(words) // 2])
            middle = start + (end - start) * len(first) / len(text)
            found += [(start, middle, first), (middle, end, " ".join(words[len(words) // 2 :]))]
        elif drawn < faults.split + faults.merged and waiting and waiting[0][0] - end < 2 * PAUSE:
            _, end, more = waiting.pop(0)
            found.append((start, end, f"{text} {more}"))
        else:
            found.append((start, end, text))
    return found
