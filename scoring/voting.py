"""What several models know together: oracle, best single model, plurality, strict majority, wrong answers in common.

A vote is the set of option ids that a model chose, so that a multi-select item has one vote a set; None or an empty set
abstains. Source: SCORING 8 and 30; PsycheMME App. H.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

Vote = Collection[str] | None


class Best(NamedTuple):
    """The best single model, chosen on the very items it is scored on: an optimistic figure, to be labelled so."""

    model: int
    credit: float


def oracle(votes: Sequence[Vote], reference: Collection[str]) -> float:
    """1 where any model is right, else 0."""
    return float(frozenset(reference) in _counted(votes))


def plurality(votes: Sequence[Vote], reference: Collection[str]) -> float:
    """1/r where the reference is among the r sets with most votes, else 0: what breaking ties evenly expects."""
    top = leaders(votes)
    return 1 / len(top) if frozenset(reference) in top else 0.0


def strict_majority(votes: Sequence[Vote], reference: Collection[str]) -> float:
    """1 where more than half of all models, abstainers among them, chose the reference, else 0."""
    return float(_counted(votes)[frozenset(reference)] >= len(votes) // 2 + 1)


def leaders(votes: Sequence[Vote]) -> frozenset[frozenset[str]]:
    """The sets with most votes; more than one: a tie. Empty where all abstain."""
    counts = _counted(votes)
    most = max(counts.values(), default=0)
    return frozenset(vote for vote, count in counts.items() if count == most)


def wrong_together(votes: Sequence[Vote], reference: Collection[str], least: int = 5) -> bool:
    """Whether at least `least` models chose one and the same wrong set."""
    wrong = [count for vote, count in _counted(votes).items() if vote != frozenset(reference)]
    return max(wrong, default=0) >= least


def best_single(credits: Sequence[Sequence[float]]) -> Best | None:
    """Highest mean over models; `credits` is (models, items), all on the same items. A tie goes to the first model.

    None for no models or no items.
    """
    if not credits or not credits[0]:
        return None
    means = [sum(own) / len(own) for own in credits]
    model = max(range(len(means)), key=means.__getitem__)
    return Best(model, means[model])


def _counted(votes: Sequence[Vote]) -> Counter[frozenset[str]]:
    return Counter(frozenset(vote) for vote in votes if vote)
