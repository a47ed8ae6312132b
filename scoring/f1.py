"""Binary F1 between two raters, always beside what a rater who says yes to everything would get.

Source: SCORING 19; Social Caption 3.2.4, App. G. The paper gives no threshold: ours counts 4 and 5 as yes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .figure import Figure, quotient

THRESHOLD = 4


class F1(NamedTuple):
    f1: Figure
    """2 |A∩B| / (|A| + |B|), in [0, 1]; symmetric, and undefined where neither says yes."""
    always_positive: Figure
    """The same for one rater against saying yes to everything."""
    positive_rate: Figure
    """Share of yes over both raters."""


def binary_f1(first: Sequence[bool | int], second: Sequence[bool | int]) -> F1:
    """Of paired yes/no ratings. An F1 near `always_positive` shows no agreement beyond a shared habit of saying yes."""
    both = sum(bool(a) and bool(b) for a, b in zip(first, second, strict=True))
    positive = sum(map(bool, first)) + sum(map(bool, second))
    rate = quotient(positive, len(first) + len(second), "no ratings")
    baseline = Figure(always_positive(rate.value)) if rate.value is not None else rate
    return F1(quotient(2 * both, positive, "neither rater says yes"), baseline, rate)


def always_positive(rate: float) -> float:
    """F1 of saying yes to everything against a rater who says yes at `rate`, in [0, 1]: 2p / (1 + p)."""
    return 2 * rate / (1 + rate)


def thresholded(ratings: Sequence[int], least: int = THRESHOLD) -> list[bool]:
    """Which of 1–5 ratings count as yes."""
    return [rating >= least for rating in ratings]
