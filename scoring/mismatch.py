"""Does a judge look at what it judges? Replies are judged again beside somebody else's video: scores must fall.

Source: SCORING 22 and 26; Social Caption App. J; PsycheMME App. J.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from .figure import Figure, quotient, undefined

HISTORY_SEEDS = (42, 2026, 3407)


class Mismatch(NamedTuple):
    matched: Figure
    """Mean score beside the right video."""
    mismatched: Figure
    auc: Figure
    """Chance that a matched score lies above a mismatched one, ties half: 1 tells them apart, 0.5 not at all."""


def derangement(n: int, seed: int) -> list[int]:
    """A permutation of 0..n−1 that moves every place, uniform among those: shuffled until none stays.

    Raises `ValueError` for n = 1, which has none. Empty for 0.
    """
    if n == 1:
        raise ValueError("one thing cannot change places: a mismatch needs two videos or more")
    shuffle = random.Random(seed)
    while True:
        order = list(range(n))
        shuffle.shuffle(order)
        if all(place != other for place, other in enumerate(order)):
            return order


def partners(videos: Sequence[str], seed: int) -> dict[str, str]:
    """Each distinct video's stand-in. Videos move, not single replies, so that no reply meets its own video again.

    Depends on the set of videos and the seed only. Raises `ValueError` for a single video.
    """
    distinct = sorted(set(videos))
    return {distinct[place]: distinct[other] for place, other in enumerate(derangement(len(distinct), seed))}


def mismatch(matched: Sequence[float], mismatched: Sequence[float]) -> Mismatch:
    """Both means and the AUC; a reply whose judge failed is in neither."""
    reason = "no scores"
    means = [quotient(sum(scores), len(scores), reason) for scores in (matched, mismatched)]
    return Mismatch(means[0], means[1], auc(matched, mismatched))


def auc(above: Sequence[float], below: Sequence[float]) -> Figure:
    """Share of pairs in which the first lies higher, ties half, in [0, 1]; undefined where one side is empty."""
    if not above or not below:
        return undefined("no scores on one side")
    wins = sum((high > low) + (high == low) / 2 for high in above for low in below)
    return Figure(wins / (len(above) * len(below)))


def mean_over_seeds(credits: Sequence[Sequence[float]]) -> list[float]:
    """(seeds, items) → one credit an item, before anything is resampled. Raises `ValueError` for unequal lengths."""
    return [sum(own) / len(own) for own in zip(*credits, strict=True)]
