"""What people reach: answers per annotator, pooled and macro; sanity duplicates; how often experts endorse a judge."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .figure import Figure, quotient, undefined


class Marked(NamedTuple):
    """One person's mark on one item: an answer's credit in [0, 1], or 1 and 0 for endorsed and not."""

    person: str
    item: str
    capability: str
    credit: float | None
    """None where the person skipped it."""


class Baseline(NamedTuple):
    n: int
    """Marks in the denominator."""
    pooled: Figure
    macro: Figure
    """Mean over capabilities of the pooled mean within each."""
    by_person: dict[str, Figure]
    by_capability: dict[str, Figure]


def baseline(marks: Iterable[Marked], count_skipped: bool) -> Baseline:
    """Skipped items count as wrong (PsycheMME) or not at all (SocialReasonBench): the release says which.

    Endorsement of a judge's decisions goes the same way; it is not blind agreement, since the expert sees the decision.
    Source: SCORING 21 and 25.
    """
    kept = [mark for mark in marks if count_skipped or mark.credit is not None]
    capabilities = _means(kept, lambda mark: mark.capability)
    values = [figure.value for figure in capabilities.values() if figure.value is not None]
    macro = Figure(sum(values) / len(values)) if values else undefined("nobody answered")
    return Baseline(len(kept), _mean(kept), macro, _means(kept, lambda mark: mark.person), capabilities)


def consistency(first: Sequence[Marked], again: Sequence[Marked]) -> Figure:
    """Share of sanity duplicates with the same credit as the first time; duplicates stay out of the baseline."""
    before = {(mark.person, mark.item): mark.credit for mark in first}
    repeated = [mark for mark in again if (mark.person, mark.item) in before]
    same = sum(mark.credit == before[mark.person, mark.item] for mark in repeated)
    return quotient(same, len(repeated), "no item was answered twice by one person")


def _means(marks: Sequence[Marked], of: Callable[[Marked], str]) -> dict[str, Figure]:
    groups: dict[str, list[Marked]] = defaultdict(list)
    for mark in marks:
        groups[of(mark)].append(mark)
    return {name: _mean(own) for name, own in sorted(groups.items())}


def _mean(marks: Sequence[Marked]) -> Figure:
    return quotient(sum(mark.credit or 0.0 for mark in marks), len(marks), "nobody answered")
