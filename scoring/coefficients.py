"""Coefficients of agreement, each from sums over units: raw, unanimity, Cohen, Fleiss, Krippendorff, Gwet.

Each has two halves: what one unit adds, (units, k), and the figure of summed units, (…, k) → (…). Chance-corrected ones
are (observed − expected) / (1 − expected), NaN where the expectation is 1: all ratings equal leave nothing to correct.
Source: SCORING 20 and "Agreement between people".
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import Floats, ratios
from .ratings import GAP, Ratings

Level = Literal["nominal", "ordinal", "interval", "ratio"]
Weighting = Literal["linear", "quadratic"] | None


class Coefficient(NamedTuple):
    units: Floats
    """(units, k): what each unit adds."""
    figure: Callable[[Floats], Floats]
    """(…, k) sums → (…); NaN where undefined."""
    undefined: str
    """Why it is undefined where it is."""


NO_PAIRS = "no unit has two ratings"
CONSTANT = "all ratings are equal: nothing beyond chance to agree on"


def raw(ratings: Ratings) -> Coefficient:
    """Mean over units with two ratings or more of the share of pairs of raters that agree, in [0, 1]."""
    pairs, agree = _pairs(ratings.counts())
    return Coefficient(_columns(ratios(agree, pairs), pairs > 0), _mean, NO_PAIRS)


def unanimity(ratings: Ratings) -> Coefficient:
    """Share of units with two ratings or more on which all raters agree, in [0, 1]."""
    pairs, agree = _pairs(ratings.counts())
    return Coefficient(_columns(agree == pairs, pairs > 0), _mean, NO_PAIRS)


def cohen(ratings: Ratings, first: int, second: int, weights: Weighting = None) -> Coefficient:
    """Cohen's kappa of two raters over the units that both rated, in [−1, 1]; `weights` by distance on the scale.

    Equals `sklearn.metrics.cohen_kappa_score` with `labels` the scale. Source: J. Cohen 1960, 1968.
    """
    size = len(ratings.categories)
    a, b = ratings.codes[:, first], ratings.codes[:, second]
    both = (a != GAP) & (b != GAP)
    confusion = np.zeros((len(a), size, size))
    confusion[np.flatnonzero(both), a[both], b[both]] = 1
    cost = _costs(size, weights)
    return Coefficient(confusion.reshape(len(a), size * size), lambda sums: _cohen(sums, cost), CONSTANT)


def fleiss(ratings: Ratings) -> Coefficient:
    """Fleiss' kappa over the units that every rater rated, in [−1, 1]: it is defined for equal numbers of ratings.

    Source: J. L. Fleiss 1971, doi:10.1037/h0031619.
    """
    counts = ratings.counts()
    whole = counts.sum(axis=1) == ratings.codes.shape[1]
    pairs, agree = _pairs(counts)
    usable = whole & (pairs > 0)
    units = np.column_stack([counts, ratios(agree, pairs), np.ones(len(counts))])
    units[~usable] = 0
    return Coefficient(units, _fleiss, "no unit was rated by all, or all their ratings are equal")


def krippendorff(ratings: Ratings, level: Level = "nominal") -> Coefficient:
    """Krippendorff's alpha, 1 − D_o / D_e, at most 1; units with one rating add nothing.

    Source: K. Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    counts = ratings.counts()
    size, rated = counts.shape[1], counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :] - np.eye(size) * counts[:, :, None]
    coincidences = np.where(rated[:, None, None] > 1, pairs / np.maximum(rated - 1, 1)[:, None, None], 0)
    values = ratings.values() if level in ("interval", "ratio") else np.arange(size, dtype=np.float64)
    return Coefficient(
        coincidences.reshape(len(counts), size * size), lambda sums: _alpha(sums, level, values), CONSTANT
    )


def gwet(ratings: Ratings, weights: Weighting = None) -> Coefficient:
    """Gwet's AC1, or AC2 with weights, in [−1, 1]. Prevalence moves it less than it moves kappa.

    Observed agreement over units with two ratings or more; prevalence over all units rated; the number of categories is
    that of the scale. Source: K. L. Gwet 2008, doi:10.1348/000711006X126600; 2014, "Handbook", chapter 5.
    """
    counts, size = ratings.counts(), len(ratings.categories)
    rated, weight = counts.sum(axis=1), 1 - _costs(size, weights)
    pairs = rated * (rated - 1)
    agree = (counts * (counts @ weight - 1)).sum(axis=1)
    units = np.column_stack([ratios(counts, rated[:, None]), ratios(agree, pairs), pairs > 0, rated > 0])
    return Coefficient(np.nan_to_num(units), lambda sums: _gwet(sums, weight), CONSTANT)


def _pairs(counts: Floats) -> tuple[Floats, Floats]:
    """Per unit: ordered pairs of raters, and those that agree."""
    rated = counts.sum(axis=1)
    return rated * (rated - 1), (counts * (counts - 1)).sum(axis=1)


def _columns(values: ArrayLike, where: NDArray[np.bool_]) -> Floats:
    return np.column_stack([np.where(where, values, 0.0), where])


def _mean(sums: Floats) -> Floats:
    return ratios(sums[..., 0], sums[..., 1])


def _corrected(observed: Floats, expected: Floats) -> Floats:
    return ratios(observed - expected, np.where(np.isclose(expected, 1, rtol=0, atol=1e-12), 0, 1 - expected))


def _costs(size: int, weights: Weighting) -> Floats:
    """(size, size): 0 on the diagonal, 1 at the greatest distance; without weights 1 everywhere else."""
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    if weights is None:
        return np.minimum(distance, 1)
    return (distance / max(size - 1, 1)) ** (2 if weights == "quadratic" else 1)


def _cohen(sums: Floats, cost: Floats) -> Floats:
    confusion = sums.reshape(*sums.shape[:-1], *cost.shape)
    n = confusion.sum(axis=(-2, -1))
    rows, columns = confusion.sum(axis=-1), confusion.sum(axis=-2)
    expected = np.einsum("...i,ij,...j->...", rows, cost, columns)
    return 1 - ratios((confusion * cost).sum(axis=(-2, -1)) * n, expected)


def _fleiss(sums: Floats) -> Floats:
    counts, agree, units = sums[..., :-2], sums[..., -2], sums[..., -1]
    shares = ratios(counts, counts.sum(axis=-1)[..., None])
    return _corrected(ratios(agree, units), (shares**2).sum(axis=-1))


def _alpha(sums: Floats, level: Level, values: Floats) -> Floats:
    size = len(values)
    coincidences = sums.reshape(*sums.shape[:-1], size, size)
    margins = coincidences.sum(axis=-1)
    n = margins.sum(axis=-1)
    distance = _distances(margins, level, values)
    observed = (coincidences * distance).sum(axis=(-2, -1))
    expected = (margins[..., :, None] * margins[..., None, :] * distance).sum(axis=(-2, -1))
    return 1 - ratios(observed * (n - 1), expected)


def _distances(margins: Floats, level: Level, values: Floats) -> Floats:
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "interval":
        return np.asarray(np.subtract.outer(values, values) ** 2)
    if level == "ratio":
        return np.nan_to_num(ratios(np.subtract.outer(values, values), np.add.outer(values, values))) ** 2
    middle = np.cumsum(margins, axis=-1) - margins / 2
    return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)


def _gwet(sums: Floats, weight: Floats) -> Floats:
    size = len(weight)
    shares = ratios(sums[..., :size], sums[..., -1:])
    observed = ratios(sums[..., size], sums[..., size + 1])
    spread = (shares * (1 - shares)).sum(axis=-1)
    if size < 2:
        return np.full(observed.shape, np.nan)
    return _corrected(observed, weight.sum() * spread / (size * (size - 1)))
