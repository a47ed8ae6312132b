"""What many models' answers say about the items themselves: hard ones, odd ones, dead foils, keys that may be wrong.

A model's ability is its mean credit over the other items. With few models all of it is exploratory.
Source: SCORING 29; classical test theory (Lord & Novick 1968).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .bootstrap import Floats
from .figure import Figure, undefined

RARE = 0.05
ENOUGH_MODELS = 30
"""Below it an analysis is exploratory."""


class Asked(NamedTuple):
    """One item and what each model chose, in one order of models for all items."""

    item: str
    key: frozenset[str]
    options: tuple[str, ...]
    chosen: tuple[frozenset[str], ...]
    """Empty where a reply named none."""


class Analysed(NamedTuple):
    item: str
    difficulty: float
    """Mean credit over models, in [0, 1]: high is easy."""
    discrimination: Figure
    """Correlation of credit with the credit on all other items, in [−1, 1]; below 0 the able fail it."""
    foils: dict[str, tuple[float, float, float]]
    """Share of the bottom, middle and top third of models that chose each foil; NaN for an empty third."""
    rare_foils: tuple[str, ...]
    """Foils that fewer than 5 % of models chose."""
    miskey: tuple[str, ...]
    """Foils that more of the top third chose than chose the key: the key may be wrong."""
    exploratory: bool


def analyse(asked: Sequence[Asked]) -> list[Analysed]:
    """One record an item, in the order given. Models may come in any order, the same for every item.

    Thirds are by score on all items; models with equal scores are never parted, so thirds may differ in size. Raises
    `ValueError` where items have different numbers of models.
    """
    if len({len(one.chosen) for one in asked}) > 1:
        raise ValueError("every item needs one choice a model")
    credits = np.array([[float(chosen == one.key) for chosen in one.chosen] for one in asked])
    if not credits.size:
        return []
    thirds = _thirds(credits.sum(axis=0))
    return [_analysed(one, own, credits.sum(axis=0) - own, thirds) for one, own in zip(asked, credits, strict=True)]


def _analysed(one: Asked, credit: Floats, rest: Floats, thirds: Floats) -> Analysed:
    chosen = {option: np.array([option in own for own in one.chosen]) for option in one.options}
    foils = [option for option in one.options if option not in one.key]
    top = thirds == 2
    right = credit[top].mean() if top.any() else 0.0
    return Analysed(
        one.item,
        float(credit.mean()),
        correlation(credit, rest),
        {option: _by_third(chosen[option], thirds) for option in foils},
        tuple(option for option in foils if chosen[option].mean() < RARE),
        tuple(option for option in foils if top.any() and chosen[option][top].mean() > right),
        len(credit) < ENOUGH_MODELS,
    )


def correlation(first: Floats, second: Floats) -> Figure:
    """Pearson's, in [−1, 1]; undefined where one side does not vary."""
    a, b = first - first.mean(), second - second.mean()
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return Figure(float(a @ b) / spread) if spread > 1e-12 else undefined("one side does not vary")


def _thirds(scores: Floats) -> Floats:
    """0 for the bottom, 2 for the top third, 1 between; equal scores fall into one third."""
    ordered = np.sort(scores)
    size = max(len(scores) // 3, 1)
    low, high = ordered[size - 1], ordered[-size]
    return np.where(scores >= high, 2, np.where(scores <= low, 0, 1))


def _by_third(chose: Floats, thirds: Floats) -> tuple[float, float, float]:
    low, middle, high = (
        float(chose[thirds == third].mean()) if (thirds == third).any() else float("nan") for third in range(3)
    )
    return low, middle, high


class Subscore(NamedTuple):
    """Whether a capability's own score tells more of it than the total does: it does where reliability > prmse."""

    items: int
    reliability: Figure
    """Cronbach's alpha of the capability's items: also the PRMSE of the subscore itself."""
    prmse: Figure
    """Share of the true subscore's variance that the total score predicts, in [0, 1]."""
    exploratory: bool


def subscores(credits: Mapping[str, Floats]) -> dict[str, Subscore]:
    """`credits`: capability → (items, models), models in one order. Source: S. J. Haberman 2008,
    doi:10.3102/1076998607302636."""
    total = sum((own.sum(axis=0) for own in credits.values()), np.zeros(1))
    return {name: _subscore(own, total) for name, own in sorted(credits.items())}


def _subscore(own: Floats, total: Floats) -> Subscore:
    reliability = cronbach(own)
    exploratory = own.shape[1] < ENOUGH_MODELS
    if reliability.value is None or reliability.value <= 0 or total.var(ddof=1) == 0:
        reason = reliability.reason or "the subscore is not reliable at all"
        return Subscore(len(own), reliability, undefined(reason), exploratory)
    score = own.sum(axis=0)
    variance = score.var(ddof=1)
    shared = np.cov(score, total)[0, 1] - variance * (1 - reliability.value)
    prmse = shared**2 / (variance * reliability.value * total.var(ddof=1))
    return Subscore(len(own), reliability, Figure(min(float(prmse), 1.0)), exploratory)


def cronbach(credits: Floats) -> Figure:
    """α = k/(k−1) (1 − Σ item variances / variance of the sum) of (items, models); at most 1."""
    items, models = credits.shape
    if items < 2 or models < 2:
        return undefined(f"{items} items, {models} models: too few")
    variance = float(credits.sum(axis=0).var(ddof=1))
    if variance == 0:
        return undefined("models do not differ")
    return Figure(items / (items - 1) * (1 - float(credits.var(axis=1, ddof=1).sum()) / variance))
