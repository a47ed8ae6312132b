"""Filters by ablation: what two families of models solve without the clip says that a question gives itself away.

An item that question, options and background alone solve for every family is dropped, but for as many as guessing would
solve: a filter that left none would itself be a shortcut, since then the option that nobody picks blindly is right.
What words or one picture alone solve is tagged, and no fault.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..errors import UsageError
from ..prompts.loader import Template
from ..schemas.ablation import FamilyAccuracy, Filtered, Part, Solved
from ..schemas.base import digest
from ..schemas.release import ModelInput
from .conditions import Condition, Look, named
from .film import Material, material
from .posing import Sight
from .prompt import Asked, Transcripts, ask

SAMPLES, NEEDED = 5, 4
"""Samples of an item, and right ones from which it counts as solved."""
PARTS: tuple[Part, ...] = ("question-only", "transcript-only", "single-image", "full")
TAGS: Mapping[Part, str] = {"transcript-only": "words-suffice", "single-image": "picture-suffices"}
BACKGROUND = Condition("question-only", Look(True, "never"))
"""Unlike the condition of that name in an evaluation it shows the background and the history: both are public."""


class Tried(NamedTuple):
    """One item with what came of it."""

    item: ModelInput
    answers: int
    """Right options."""
    solved: tuple[Solved, ...]


def order(seed: int, sample: int) -> int:
    """The permutation seed of one sample: each shows the options in another order."""
    return int(digest(seed, "ablation", sample)[:12], 16)


def request(
    item: ModelInput, transcripts: Transcripts, model: str, part: Part, seed: int, template: Template, sight: Sight
) -> Asked:
    """What one sample asks. Raises `UsageError` where the condition has nothing to show of this clip."""
    if part == "question-only":
        return ask(
            item, transcripts, model=model, condition=BACKGROUND, seed=seed, template=template, material=Material(False)
        )
    condition = named(part)
    got = material(condition, item, sight.takes, sight.films)
    return ask(item, transcripts, model=model, condition=condition, seed=seed, template=template, material=got)


def guessed(options: int, answers: int = 1) -> Fraction:
    """The chance that guessing solves an item: `NEEDED` of `SAMPLES` sets of `answers` options, or more.

    With six options and one answer it is 0.3 %. Raises `UsageError` for a question without options.
    """
    if options < 1:
        raise UsageError("an open question cannot be guessed at")
    hit = Fraction(1, math.comb(options, answers))
    terms = (math.comb(SAMPLES, k) * hit**k * (1 - hit) ** (SAMPLES - k) for k in range(NEEDED, SAMPLES + 1))
    return sum(terms, Fraction(0))


def filtered(tested: Sequence[Tried], models: Sequence[str]) -> tuple[Filtered, ...]:
    """The verdict on each item, in the order given, which must not depend on what models said. Pure."""
    found, hits, chances = [], 0, Fraction(0)
    for one in tested:
        chance = guessed(len(one.item.options), one.answers)
        given_away = _solves(one, "question-only", models, every=True)
        allowed = hits + 1 <= math.ceil(chances + chance)
        if not given_away or allowed:
            hits, chances = hits + given_away, chances + chance
        tags = tuple(tag for part, tag in TAGS.items() if _solves(one, part, models, every=False))
        verdict = "kept" if not given_away else "kept by quota" if allowed else "dropped"
        found.append(
            Filtered.model_validate(
                {"id": one.item.id, "capability": one.item.capability, "verdict": verdict, "tags": tags,
                 "solved": one.solved}
            )
        )  # fmt: skip
    return tuple(found)


def _solves(one: Tried, part: Part, models: Sequence[str], *, every: bool) -> bool:
    """Whether a condition solves an item for every model, or for any."""
    right = {solved.model: solved.right for solved in one.solved if solved.condition == part}
    solved = [right.get(model, 0) >= NEEDED for model in models]
    return all(solved) if every else any(solved)


def accuracies(tested: Sequence[Tried], found: Iterable[Filtered]) -> tuple[FamilyAccuracy, ...]:
    """Of each model under each condition, before the filter and after it."""
    kept = {one.id for one in found if one.verdict != "dropped"}
    pairs = dict.fromkeys((solved.model, solved.condition) for one in tested for solved in one.solved)
    return tuple(_accuracy(model, part, tested, kept) for model, part in pairs)


def _accuracy(model: str, part: Part, tested: Sequence[Tried], kept: set[str]) -> FamilyAccuracy:
    rows = [
        (one, solved.right)
        for one in tested
        for solved in one.solved
        if (solved.model, solved.condition) == (model, part)
    ]
    after = [right for one, right in rows if one.item.id in kept]
    chances = [Fraction(1, math.comb(len(one.item.options), one.answers)) for one, _ in rows]
    return FamilyAccuracy(
        model=model,
        condition=part,
        before=_share([right for _, right in rows]),
        n_before=len(rows),
        after=_share(after),
        n_after=len(after),
        guessing=float(sum(chances) / len(chances)) if chances else None,
    )


def _share(right: Sequence[int]) -> float | None:
    return sum(right) / (SAMPLES * len(right)) if right else None
