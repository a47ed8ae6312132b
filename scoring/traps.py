"""Trap Fall Rate: what wrong answers have in common, against what erring blindly would show."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..schemas.release import KeyRow
from ..schemas.score import TrapRate
from .bootstrap import FEWEST_EPISODES, Floats, percentile, ratios, resample

UNTAGGED = "none"


class Wrong(NamedTuple):
    """One wrong reply: the foils it chose (none where it could not be read), and the item's foils with their traps."""

    chosen: tuple[str, ...]
    foils: tuple[str, ...]
    traps: dict[str, str]
    episode: str

    def fell(self, trap: str) -> bool:
        return any(self.traps.get(option) == trap for option in self.chosen)

    def share(self, trap: str) -> float:
        """Chance of falling into the trap when one foil is chosen blindly."""
        return sum(self.traps.get(option) == trap for option in self.foils) / len(self.foils) if self.foils else 0.0


def trap_names(keys: Iterable[KeyRow]) -> list[str]:
    """The traps that some foil is tagged with, in order of name."""
    return sorted({trap for key in keys for trap in key.traps.values()} - {UNTAGGED})


def trap_rates(wrong: Sequence[Wrong], names: Sequence[str]) -> dict[str, TrapRate]:
    """One rate a trap over the wrong replies; undefined (None) where there are none.

    Rate: wrong replies that chose an option with the trap / wrong replies; a reply that named no option is wrong
    without a trap, so the rate over those that named one stands beside it. Expected: the mean over wrong replies of
    (foils with the trap / foils). The ratio's interval draws whole episodes. Source: SCORING 12 and additions.
    """
    intervals = _ratio_intervals([reply for reply in wrong if reply.chosen], names)
    return {name: _rate(wrong, name)._with(intervals[name]) for name in names}


class _Rate(NamedTuple):
    rate: float | None
    rate_of_parsed: float | None
    expected: float | None
    ratio: float | None
    chosen: int
    wrong: int

    def _with(self, interval: tuple[float | None, float | None, str]) -> TrapRate:
        low, high, reason = interval
        return TrapRate(**self._asdict(), ratio_low=low, ratio_high=high, ratio_reason=reason)


def _rate(wrong: Sequence[Wrong], trap: str) -> _Rate:
    parsed = [reply for reply in wrong if reply.chosen]
    chosen = sum(reply.fell(trap) for reply in parsed)
    expected_of_parsed = sum(reply.share(trap) for reply in parsed)
    return _Rate(
        rate=chosen / len(wrong) if wrong else None,
        rate_of_parsed=chosen / len(parsed) if parsed else None,
        expected=sum(reply.share(trap) for reply in wrong) / len(wrong) if wrong else None,
        ratio=chosen / expected_of_parsed if expected_of_parsed else None,
        chosen=chosen,
        wrong=len(wrong),
    )


def _ratio_intervals(
    parsed: Sequence[Wrong], names: Sequence[str]
) -> dict[str, tuple[float | None, float | None, str]]:
    """By trap: the ends of the ratio's interval and, where they are None, why."""
    episodes = sorted({reply.episode for reply in parsed})
    if len(episodes) < FEWEST_EPISODES:
        return dict.fromkeys(names, (None, None, f"wrong answers in fewer than {FEWEST_EPISODES} episodes"))
    fallen, expected = _sums(parsed, names, episodes)
    drawn = resample(np.hstack([fallen, expected]))
    values = ratios(drawn[:, : len(names)], drawn[:, len(names) :])
    found = {name: percentile(values[:, column]) for column, name in enumerate(names)}
    return {
        name: (interval.low, interval.high, "") if interval else (None, None, "no wrong answer could fall into it")
        for name, (interval, _) in found.items()
    }


def _sums(parsed: Sequence[Wrong], names: Sequence[str], episodes: Sequence[str]) -> tuple[Floats, Floats]:
    row = {episode: number for number, episode in enumerate(episodes)}
    fallen, expected = np.zeros((len(episodes), len(names))), np.zeros((len(episodes), len(names)))
    for reply in parsed:
        for column, name in enumerate(names):
            fallen[row[reply.episode], column] += reply.fell(name)
            expected[row[reply.episode], column] += reply.share(name)
    return fallen, expected
