"""Agreement between raters, reported together, since each figure misleads alone.

Five raters who approve 96 % of everything at random agree on 92 % and have an alpha near 0; raters of a rare category
can differ little and still have a low kappa. Source: SCORING, "Agreement between people".
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from . import coefficients
from .bootstrap import FEWEST_EPISODES, percentile, resample
from .coefficients import Coefficient, Level, Weighting
from .figure import Figure, undefined
from .intervals import Interval
from .ratings import GAP, Rating, Ratings, tabulate


class Agreed(NamedTuple):
    """One coefficient with its interval by cluster, None where there is none."""

    figure: Figure
    interval: Interval | None


class Agreement(NamedTuple):
    units: int
    """With two ratings or more."""
    raw: Agreed
    unanimity: Agreed
    cohen: dict[tuple[int, int], Figure]
    """By pair of raters."""
    cohen_mean: Figure
    """Over the pairs for which it is defined."""
    fleiss: Agreed
    alpha: Agreed
    gwet: Agreed
    """AC1; AC2 where weights were asked for."""


def agreement(
    table: Sequence[Sequence[Rating]],
    clusters: Sequence[str] | None = None,
    *,
    level: Level = "nominal",
    weights: Weighting = None,
    categories: Sequence[str | int | float] | None = None,
) -> Agreement:
    """All coefficients of (units, raters) ratings. Answers are to be rated by option id, never by the letter shown.

    `level` is alpha's scale, `weights` Cohen's and Gwet's. `clusters` names each unit's source video: whole clusters
    are drawn for the intervals, none below ten. Raises `ValueError` for a table that is none.
    """
    ratings = tabulate(table, categories)
    pairs = cohen_pairs(ratings, weights)
    return Agreement(
        units=int(((ratings.codes != GAP).sum(axis=1) > 1).sum()),
        raw=agreed(coefficients.raw(ratings), clusters),
        unanimity=agreed(coefficients.unanimity(ratings), clusters),
        cohen=pairs,
        cohen_mean=_mean(list(pairs.values())),
        fleiss=agreed(coefficients.fleiss(ratings), clusters),
        alpha=agreed(coefficients.krippendorff(ratings, level), clusters),
        gwet=agreed(coefficients.gwet(ratings, weights), clusters),
    )


def cohen_pairs(ratings: Ratings, weights: Weighting = None) -> dict[tuple[int, int], Figure]:
    """Cohen's kappa of every pair of raters, by their columns."""
    pairs = combinations(range(ratings.codes.shape[1]), 2)
    return {pair: measure(coefficients.cohen(ratings, *pair, weights)) for pair in pairs}


def measure(coefficient: Coefficient) -> Figure:
    """The figure over all units; undefined with the coefficient's reason."""
    if not coefficient.units.size:
        return undefined("no ratings")
    value = float(coefficient.figure(coefficient.units.sum(axis=0)))
    return undefined(coefficient.undefined) if np.isnan(value) else Figure(value)


def agreed(coefficient: Coefficient, clusters: Sequence[str] | None) -> Agreed:
    """The figure, and its bootstrap over whole clusters, in order of their ids."""
    figure = measure(coefficient)
    if clusters is None or figure.value is None or len(set(clusters)) < FEWEST_EPISODES:
        return Agreed(figure, None)
    _, place = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.zeros((place.max() + 1, coefficient.units.shape[1]))
    np.add.at(sums, place, coefficient.units)
    return Agreed(figure, percentile(coefficient.figure(resample(sums)))[0])


def _mean(figures: Sequence[Figure]) -> Figure:
    defined = [figure.value for figure in figures if figure.value is not None]
    return Figure(sum(defined) / len(defined)) if defined else undefined("no pair of raters has a defined kappa")
