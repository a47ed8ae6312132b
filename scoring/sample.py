"""A subset that looks like the whole: seats by stratum, and what is left over where it brings the margins nearest.

Every stratum (a combination of all factors) first gets the whole part of its share. The seats that remain go one by one
to the stratum that leaves the shares of single levels least wrong. Who of a stratum is taken goes by digest of seed and
id: the order of the units does not matter. Source: Social Caption 3.2.4 and App. E, which does not say how; ours.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..schemas.base import digest

LEVELS = ("low", "middle", "high")


class Unit(NamedTuple):
    """A video, or an item. Every unit has the same factors."""

    id: str
    levels: Mapping[str, str]
    """Level of each factor."""


class Level(NamedTuple):
    """One level of one factor, in the whole and in the sample."""

    factor: str
    level: str
    units: int
    taken: int
    wanted: float
    """`taken`, if the sample were an exact miniature."""

    @property
    def matched(self) -> bool:
        """Nearer than one whole unit, which is as near as it can be."""
        return abs(self.taken - self.wanted) < 1


class Sample(NamedTuple):
    ids: tuple[str, ...]
    """In ascending order."""
    levels: tuple[Level, ...]
    lost: tuple[str, ...]
    """Combinations of levels that no unit of the sample has, as `factor=level, …`, with how many units have them."""

    def unmatched(self) -> list[Level]:
        return [level for level in self.levels if not level.matched]


def sample(units: Sequence[Unit], n: int, seed: int) -> Sample:
    """`n` of the units. Raises `ValueError` for more than there are, an id that stands twice, or unlike factors."""
    if not 0 < n <= len(units):
        raise ValueError(f"{n} of {len(units)} cannot be taken")
    if len({unit.id for unit in units}) < len(units) or len({tuple(sorted(unit.levels)) for unit in units}) > 1:
        raise ValueError("every unit needs an id of its own and the same factors")
    strata: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for unit in sorted(units, key=lambda unit: digest(seed, "sample", unit.id)):
        strata.setdefault(tuple(sorted(unit.levels.items())), []).append(unit.id)
    seats = _seats(strata, n, seed)
    ids = sorted(unit for stratum, own in strata.items() for unit in own[: seats[stratum]])
    lost = [f"{', '.join('='.join(pair) for pair in stratum)} ({len(own)})"
            for stratum, own in sorted(strata.items()) if not seats[stratum]]  # fmt: skip
    return Sample(tuple(ids), tuple(_levels(strata, seats, n)), tuple(lost))


Strata = Mapping[tuple[tuple[str, str], ...], Sequence[str]]


def _seats(strata: Strata, n: int, seed: int) -> Counter[tuple[tuple[str, str], ...]]:
    total = sum(map(len, strata.values()))
    seats = Counter({stratum: n * len(own) // total for stratum, own in strata.items()})
    wanted, taken = (
        _margins(strata, {stratum: len(own) * n / total for stratum, own in strata.items()}),
        Counter[object](),
    )
    for stratum, count in seats.items():
        taken.update(dict.fromkeys(stratum, count))
    for _ in range(n - seats.total()):
        free = [stratum for stratum, own in strata.items() if seats[stratum] < len(own)]
        # One more seat changes the squared error of each of its levels by 2·(taken − wanted) + 1.
        best = min(free, key=lambda stratum: (
            round(sum(2 * (taken[pair] - wanted[pair]) + 1 for pair in stratum), 9),
            seats[stratum] - n * len(strata[stratum]) / total,
            digest(seed, "seat", *(part for pair in stratum for part in pair)),
        ))  # fmt: skip
        seats[best] += 1
        taken.update(dict.fromkeys(best, 1))
    return seats


def _margins(strata: Strata, weights: Mapping[tuple[tuple[str, str], ...], float]) -> dict[tuple[str, str], float]:
    """Weight of each level of each factor."""
    found: dict[tuple[str, str], float] = {}
    for stratum in sorted(strata):
        for pair in stratum:
            found[pair] = found.get(pair, 0.0) + weights[stratum]
    return found


def _levels(strata: Strata, seats: Mapping[tuple[tuple[str, str], ...], int], n: int) -> list[Level]:
    whole = _margins(strata, {stratum: float(len(own)) for stratum, own in strata.items()})
    taken = _margins(strata, {stratum: float(seats[stratum]) for stratum in strata})
    total = sum(map(len, strata.values()))
    return [
        Level(factor, level, round(count), round(taken[factor, level]), n * count / total)
        for (factor, level), count in sorted(whole.items())
    ]


def thirds(values: Mapping[str, float]) -> dict[str, str]:
    """`low`, `middle` or `high` for each unit: by rank, equal values always alike. All equal: all `middle`."""
    ordered = sorted(values.values())
    if not ordered or ordered[0] == ordered[-1]:
        return dict.fromkeys(values, "middle")
    first, second = ordered[(len(ordered) - 1) // 3], ordered[2 * (len(ordered) - 1) // 3]
    return {
        unit: LEVELS[0] if value <= first else LEVELS[1] if value <= second else LEVELS[2]
        for unit, value in values.items()
    }
