"""Every shortcut rule, in both directions, tried on a whole release at once, each with the bound that a gate needs.

A rule passes where the one-sided 95 % upper bound of its accuracy lies below chance and ten points; below 300 items
nothing can be told: at 40 items a rule that truly scores 30 % passes a laxer test half the time. Source: SCORING,
additions ("Shortcut gates").
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from ..schemas.item import Option
from ..schemas.score import RuleScore
from ..scoring.bootstrap import FEWEST_EPISODES, Floats, ratios, resample
from ..scoring.intervals import wilson
from .blind import NAME, predict
from .shortcuts import SHORTCUTS

FEWEST_ITEMS = 300
MARGIN = 0.10
Z_ONE_SIDED = 1.6448536269514722
"""The 95 % point of the normal distribution."""


class Posed(NamedTuple):
    """One item as a model is shown it, and what is right."""

    question: str
    transcript: str
    options: tuple[Option, ...]
    """In the order shown."""
    answer: tuple[str, ...]
    episode: str
    story: str


def rule_scores(items: Sequence[Posed], *, seed: int) -> tuple[RuleScore, ...]:
    """Each rule of `SHORTCUTS` and the learned blind model, over the items with one right option; () for none.

    `seed` deals the items into the blind model's folds.
    """
    posed = [item for item in items if len(item.answer) == 1]
    if not posed:
        return ()
    picks = {
        name: [rule(item.question, item.transcript, item.options) for item in posed] for name, rule in SHORTCUTS.items()
    } | {NAME: predict(posed, seed=seed)}
    hits = np.array([[pick == item.answer[0] for pick, item in zip(own, posed, strict=True)] for own in picks.values()])
    bounds = upper_bounds(hits.T.astype(np.float64), [item.episode for item in posed])
    chance = sum(1 / len(item.options) for item in posed) / len(posed)
    episodes = len({item.episode for item in posed})
    return tuple(
        _score(name, int(own.sum()), _Sample(len(posed), episodes, chance), bound)
        for name, own, bound in zip(picks, hits, bounds, strict=True)
    )


def upper_bounds(hits: Floats, episodes: Sequence[str]) -> list[float | None]:
    """One-sided 95 % upper bounds of the column means of `hits` (items, rules), in [0, 1]; None below ten episodes.

    The bootstrap by episode alone says 0 for a rule that never hits, and Wilson's alone takes items of one episode for
    independent: the larger of the two is given.
    """
    names = sorted(set(episodes))
    if len(names) < FEWEST_EPISODES:
        return [None] * hits.shape[1]
    place = {name: row for row, name in enumerate(names)}
    sums = np.zeros((len(names), hits.shape[1] + 1))
    np.add.at(sums, [place[episode] for episode in episodes], np.hstack([hits, np.ones((len(hits), 1))]))
    drawn = resample(sums)
    by_episode = np.quantile(ratios(drawn[:, :-1], drawn[:, -1:]), 0.95, axis=0, method="linear")
    by_item = [wilson(int(correct), len(hits), Z_ONE_SIDED).high for correct in hits.sum(axis=0)]
    return [max(float(one), other) for one, other in zip(by_episode, by_item, strict=True)]


class _Sample(NamedTuple):
    n: int
    episodes: int
    chance: float


def _score(rule: str, correct: int, sample: _Sample, bound: float | None) -> RuleScore:
    verdict, reason = _verdict(sample, bound)
    return RuleScore(
        rule=rule,
        n=sample.n,
        episodes=sample.episodes,
        correct=correct,
        accuracy=correct / sample.n,
        bound=bound,
        chance=sample.chance,
        limit=sample.chance + MARGIN,
        verdict=verdict,
        reason=reason,
    )


def _verdict(sample: _Sample, bound: float | None) -> tuple[Literal["holds", "breaks", "too few to tell"], str]:
    if sample.n < FEWEST_ITEMS:
        return "too few to tell", f"{sample.n} items, fewer than {FEWEST_ITEMS}"
    if bound is None:
        return "too few to tell", f"{sample.episodes} episodes, fewer than {FEWEST_EPISODES}"
    return ("holds" if bound < sample.chance + MARGIN else "breaks"), ""
