"""The conditions under which a model is run: which parts of a record it is shown, and after how many worked examples.

A condition is written as its parts, joined by `+`: what is looked at, which history goes with it, how many shots stand
before it. `transcript-only+4-shot` and `history-mismatched#42` are conditions.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from ..errors import UsageError

History = Literal["matched", "none", "mismatched"]
Words = Literal["always", "unless heard", "never"]
Picture = Literal["moving", "still", "none"]

SEEDS = (42, 2026, 3407)
"""Of mismatched histories; results are averaged over them. Source: PsycheMME App. J."""
SHOTS = (0, 1, 2, 4, 8, 16)
"""Worked examples before the question. Source: Social Genome, Tables 4 to 6."""
RECOGNITION = "recognition"
"""No question of the release is asked, but which work the clip is from."""


class Look(NamedTuple):
    """What of the clip is shown. Question and options always are."""

    scene: bool
    """Background and history, and the parts below."""
    words: Words = "always"
    """The transcript; `unless heard`: where the model does not hear the sound itself."""
    picture: Picture = "none"
    sound: bool = False


LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "full": Look(True, "unless heard", "moving", sound=True),
        "question-only": Look(False, "never"),
        "transcript-only": Look(True),
        "visual-only": Look(True, "never", "moving"),
        "single-image": Look(True, "unless heard", "still", sound=True),
        "muted": Look(True, "always", "moving"),
        RECOGNITION: Look(True, "unless heard", "moving", sound=True),
    }
)
"""A clip that no video shows has nothing but its transcript: there `transcript-only` and `muted` show what `full` does,
by the same bytes, and cost no second call; what would show nothing is refused."""


class Condition(NamedTuple):
    name: str
    """As runs and tables write it."""
    look: Look
    history: History = "matched"
    seed: int | None = None
    """Of a mismatched history."""
    shots: int = 0

    @property
    def probe(self) -> bool:
        """Whether it asks for the work instead of the question."""
        return self.name == RECOGNITION


def named(name: str) -> Condition:
    """The condition of that name. Raises `UsageError` with the parts there are."""
    looks, histories, shots = _sorted(name)
    if max(map(len, (looks, histories, shots))) > 1:
        raise UsageError(f"condition {name!r} says the same thing twice")
    look, history, count = looks[:1], histories[:1], [own for own in shots if own != "0-shot"]
    kind, seed = _history(history[0]) if history else ("matched", None)
    if (look == [RECOGNITION] or (look == ["question-only"] and history)) and (history or count):
        raise UsageError(f"condition {name!r}: {look[0]} stands alone")
    parts = [*(own for own in look if own != "full"), *history, *count]
    number = int(count[0].partition("-")[0]) if count else 0
    return Condition("+".join(parts) or "full", LOOKS[look[0] if look else "full"], kind, seed, number)


def expanded(name: str) -> list[Condition]:
    """The condition of that name; one for each seed where a mismatched history has none."""
    if "history-mismatched" not in name.split("+"):
        return [named(name)]
    return [named(name.replace("history-mismatched", f"history-mismatched#{seed}")) for seed in SEEDS]


def _sorted(name: str) -> tuple[list[str], list[str], list[str]]:
    """The parts of a name by kind."""
    parts = name.split("+")
    looks = [part for part in parts if part in LOOKS]
    histories = [part for part in parts if re.fullmatch(r"history-(matched|none|mismatched#\d{1,9})", part)]
    shots = [part for part in parts if part in {f"{count}-shot" for count in SHOTS}]
    if unknown := [part for part in parts if part not in (*looks, *histories, *shots)]:
        raise UsageError(f"there is no condition {unknown[0]!r}; there are {', '.join(_all())}")
    return looks, histories, shots


def _all() -> Iterator[str]:
    yield from LOOKS
    yield from ("history-matched", "history-none", "history-mismatched")
    yield from (f"{count}-shot" for count in SHOTS)


def _history(part: str) -> tuple[History, int | None]:
    kind, _, seed = part.removeprefix("history-").partition("#")
    histories: tuple[History, ...] = ("matched", "none", "mismatched")
    return next(history for history in histories if history == kind), int(seed) if seed else None


CONDITIONS: Mapping[str, Condition] = MappingProxyType({name: named(name) for name in LOOKS})
