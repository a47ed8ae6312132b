"""Credit of one answer, and the plain means over many."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ..schemas.release import KeyRow, ModelInput
from .figure import Figure, undefined


def choice(chosen: Iterable[str], reference: Iterable[str]) -> float:
    """1 where the chosen set equals the reference and is not empty, else 0: missing or extra ids lose it all.

    Source: SCORING 1; PsycheMME App. D.3.
    """
    picked = set(chosen)
    return float(bool(picked) and picked == set(reference))


def micro(credits: Sequence[float]) -> float | None:
    """Mean over items, in [0, 1]; None for none."""
    return sum(credits) / len(credits) if credits else None


def by_group(credits: Sequence[float], groups: Sequence[str]) -> dict[str, float]:
    """Mean over the items of each group, in [0, 1], in order of name. Empty for no items."""
    found: dict[str, list[float]] = defaultdict(list)
    for group, credit in zip(groups, credits, strict=True):
        found[group].append(credit)
    return {group: sum(own) / len(own) for group, own in sorted(found.items())}


def macro(credits: Sequence[float], groups: Sequence[str]) -> float | None:
    """Mean over groups of the mean within each, in [0, 1]; None for no items. Source: SCORING 4; PsycheMME Eq. 5."""
    return micro(list(by_group(credits, groups).values()))


def whole_macro(credits: Sequence[float], groups: Sequence[str], expected: Iterable[str]) -> Figure:
    """The macro mean over a fixed set of groups; undefined, and which is missing, where one of them has no item."""
    if absent := sorted(set(expected) - set(groups)):
        return undefined(f"no item of {', '.join(absent)}")
    mean = macro(credits, groups)
    return undefined("no items") if mean is None else Figure(mean)


def chance(inputs: Sequence[ModelInput]) -> float:
    """Accuracy of picking one option blindly: the mean of 1 / number of options, or 0 for an open question. 0 for no
    items."""
    return micro([1 / len(item.options) if item.options else 0.0 for item in inputs]) or 0.0


def random_expectation(inputs: Sequence[ModelInput], keys: Sequence[KeyRow]) -> float:
    """Exact expectation of `baseline/random`, which names one option: it hits only where the reference is one id.

    Equals `chance` where every item has a single answer. 0 for no items.
    """
    single = {key.id for key in keys if len(key.answer) == 1}
    return micro([1 / len(item.options) if item.id in single else 0.0 for item in inputs]) or 0.0
