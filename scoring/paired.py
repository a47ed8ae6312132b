"""Many series over the same items, resampled together: macro, micro, groups, retention and every difference of them.

A series is one credit an item: a model, a condition, a metric, or what a vote among models earns. All share one matrix
of draws, which is what pairs them. Source: SCORING 9, 10, 26; PsycheMME App. D.5.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import DRAWS, FEWEST_EPISODES, SEED, Floats, drawn_counts, percentiles, ratios
from .intervals import Interval


class Spread(NamedTuple):
    """The 95 % interval of one figure; None with the reason."""

    interval: Interval | None
    dropped: int
    """Draws in which the figure was undefined."""
    reason: str = ""


class Drawn(NamedTuple):
    """Sums over the drawn episodes. Axes: G groups in order of name, S series, D draws."""

    groups: tuple[str, ...]
    episodes: int
    sums: Floats
    """(G, S, D)."""
    counts: Floats
    """(G, D) items."""

    def group(self, name: str) -> Floats:
        """(S, D) means within a group; NaN in draws that hold none of its items."""
        place = self.groups.index(name)
        return ratios(self.sums[place], self.counts[place])

    def macro(self) -> Floats:
        """(S, D) means over groups of the mean within each; NaN in draws that lack a group."""
        total = np.zeros(self.sums.shape[1:])
        for name in self.groups:
            total += self.group(name)
        return total / len(self.groups)

    def micro(self) -> Floats:
        """(S, D) means over items."""
        return ratios(self.totals(), self.counts.sum(axis=0))

    def totals(self) -> Floats:
        """(S, D) summed credit; the quotient of two series' totals is a retention."""
        return np.asarray(self.sums.sum(axis=0))

    def spreads(self, values: Floats) -> list[Spread]:
        """(figures, D) → one interval a figure; none below ten episodes."""
        if self.episodes < FEWEST_EPISODES:
            few = Spread(None, 0, f"{self.episodes} episodes, fewer than {FEWEST_EPISODES}: no interval")
            return [few] * values.shape[0]
        ends, dropped = percentiles(values)
        return [_spread(*own, values.shape[1]) for own in zip(ends.tolist(), dropped.tolist(), strict=True)]


def draw(
    credits: ArrayLike, episodes: Sequence[str], groups: Sequence[str], draws: int = DRAWS, seed: int = SEED
) -> Drawn:
    """Resample whole episodes. `credits` is (items, S), without gaps: an item that one series lacks is left out of all.

    The draws depend on the sorted episode ids alone, and the sums not on the order of items. Raises `ValueError` for
    no items, or for lengths that differ.
    """
    table = np.asarray(credits, dtype=np.float64)
    if not table.size or not len(table) == len(episodes) == len(groups):
        raise ValueError(f"{len(table)} rows of credits, {len(episodes)} episodes, {len(groups)} groups")
    names, cells = _cells(episodes, groups)
    size, series = len(set(episodes)), table.shape[1]
    sums = _cell_sums(table, cells, size * len(names)).reshape(size, -1)
    counts = np.bincount(cells, minlength=size * len(names)).reshape(size, -1)
    weights = np.ascontiguousarray(np.hstack([sums, counts]).T)
    drawn = np.empty((weights.shape[0], draws))
    start = 0
    for chosen in drawn_counts(size, draws, seed):
        np.matmul(weights, chosen.T, out=drawn[:, start : start + len(chosen)])
        start += len(chosen)
    split = len(names) * series
    return Drawn(names, size, drawn[:split].reshape(len(names), series, draws), drawn[split:])


def differences(values: Floats, pairs: Sequence[tuple[int, int]]) -> Floats:
    """(S, D) → (pairs, D): first less second within each draw."""
    firsts, seconds = [first for first, _ in pairs], [second for _, second in pairs]
    return values[firsts] - values[seconds]


def _cells(episodes: Sequence[str], groups: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The groups' names, and each item's cell: episode by group."""
    names, group = np.unique(np.asarray(groups), return_inverse=True)
    _, episode = np.unique(np.asarray(episodes), return_inverse=True)
    return tuple(names.tolist()), (episode * len(names) + group).astype(np.int64)


def _cell_sums(credits: Floats, cells: NDArray[np.int64], size: int) -> Floats:
    """(cells, S). Values are added in order of size, so that the last digit does not depend on the order of items."""
    sums = np.zeros((size, credits.shape[1]))
    present, starts = np.unique(np.sort(cells), return_index=True)
    for column, own in enumerate(credits.T):
        sums[present, column] = np.add.reduceat(own[np.lexsort((own, cells))], starts)
    return sums


def _spread(ends: Sequence[float], dropped: int, draws: int) -> Spread:
    if dropped == draws:
        return Spread(None, dropped, "undefined in every draw")
    reason = f"{dropped} of {draws} draws were undefined and dropped" if dropped else ""
    return Spread(Interval(*ends), dropped, reason)
