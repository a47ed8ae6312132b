"""Credit of one answer, and the plain means over many."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ..schemas.release import KeyRow, ModelInput


def choice(chosen: Iterable[str], reference: Iterable[str]) -> float:
    """1 where the chosen set equals the reference and is not empty, else 0: missing or extra ids lose it all.

    Source: SCORING 1; PsycheMME App. D.3.
    """
    picked = set(chosen)
    return float(bool(picked) and picked == set(reference))


def micro(credits: Sequence[float]) -> float | None:
    """Mean over items, in [0, 1]; None for none."""
    return sum(credits) / len(credits) if credits else None


def macro(credits: Sequence[float], groups: Sequence[str]) -> float | None:
    """Mean over groups of the mean within each, in [0, 1]; None for no items. Source: SCORING 4; PsycheMME Eq. 5."""
    by_group: dict[str, list[float]] = defaultdict(list)
    for group, credit in zip(groups, credits, strict=True):
        by_group[group].append(credit)
    return micro([sum(own) / len(own) for _, own in sorted(by_group.items())])


def chance(inputs: Sequence[ModelInput]) -> float:
    """Accuracy of picking one option blindly: the mean of 1 / number of options. 0 for no items."""
    return micro([1 / len(item.options) for item in inputs]) or 0.0


def random_expectation(inputs: Sequence[ModelInput], keys: Sequence[KeyRow]) -> float:
    """Exact expectation of `baseline/random`, which names one option: it hits only where the reference is one id.

    Equals `chance` where every item has a single answer. 0 for no items.
    """
    single = {key.id for key in keys if len(key.answer) == 1}
    return micro([1 / len(item.options) if item.id in single else 0.0 for item in inputs]) or 0.0
