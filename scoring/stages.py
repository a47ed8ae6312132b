"""Where answer credit is lost on its way to verified credit, what is kept, and what half credits are made of."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .figure import Figure, quotient, undefined
from .verified import STANDARD, Judged, Weights

HALVES = (0.0, 0.5, 1.0)


class StageLosses(NamedTuple):
    """Shares of one item's credit; they sum to 1. Evidence stands before logic, and the split depends on that order."""

    answer: float
    coverage: float
    evidence: float
    logic: float
    kept: float


def losses(answer: float, covered: float, evidence: float, logic: float, largest: float = 1.2) -> StageLosses:
    """1−a, a(1−c), ac(1−e/λ), ac(e/λ)(1−l/λ), and v; `evidence` and `logic` in [0, λ].

    Source: SCORING 6; PsycheMME App. D.5.
    """
    with_rationale = answer * covered
    supported = with_rationale * (evidence / largest)
    kept = supported * (logic / largest)
    return StageLosses(1 - answer, answer - with_rationale, with_rationale - supported, supported - kept, kept)


def stage_losses(reply: Judged, weights: Weights = STANDARD) -> StageLosses:
    """The losses of one judged reply; `kept` is its verified credit."""
    e, l = weights.of(reply.evidence), weights.of(reply.logic)  # noqa: E741
    return losses(reply.answer, float(reply.covered), e, l, weights.strong)


def mean_losses(replies: Sequence[Judged], groups: Sequence[str]) -> StageLosses | None:
    """Macro over groups of the mean within each, as the plots weigh them; None for no replies."""
    by_group: dict[str, list[StageLosses]] = {}
    for group, reply in sorted(zip(groups, replies, strict=True), key=lambda pair: pair[0]):
        by_group.setdefault(group, []).append(stage_losses(reply))
    means = [[sum(stage) / len(own) for stage in zip(*own, strict=True)] for own in by_group.values()]
    return StageLosses(*(sum(stage) / len(means) for stage in zip(*means, strict=True))) if means else None


def retention(answer: Sequence[float], verified: Sequence[float]) -> Figure:
    """Σv / Σa, in [0, 1]: the share of earned answer credit that is kept; over several models pass all their replies.

    Undefined where no answer earned credit. Source: SCORING 5; PsycheMME Eq. 6.
    """
    return quotient(sum(verified), sum(answer), "no answer credit to retain")


class HalfCredit(NamedTuple):
    """Shares of open answers in [0, 1]; mean = ½ nonzero + ½ full."""

    nonzero: float
    full: float
    mean: float


class HalfCreditGap(NamedTuple):
    """How far the first mean lies above the second, and the two parts that it is the sum of."""

    gap: float
    from_nonzero: float
    from_full: float
    full_difference: float


def half_credit(zero: int, half: int, full: int) -> HalfCredit | None:
    """From counts of open answers with credit 0, ½ and 1; None for no answers. Source: SCORING 7; PsycheMME Eq. 7."""
    n = zero + half + full
    if not n:
        return None
    nonzero, whole = (half + full) / n, full / n
    return HalfCredit(nonzero, whole, (nonzero + whole) / 2)


def half_credits(credits: Sequence[float]) -> HalfCredit | None:
    """From the credits themselves. Raises `ValueError` for one that is not 0, ½ or 1."""
    counts = Counter(credits)
    if strange := sorted(set(counts) - set(HALVES)):
        raise ValueError(f"open credit {strange[0]} is none of {HALVES}")
    return half_credit(*(counts[half] for half in HALVES))


def half_credit_gap(first: HalfCredit, second: HalfCredit) -> HalfCreditGap:
    """Decompose the difference of two means. Source: PsycheMME App. G.2."""
    full = first.full - second.full
    return HalfCreditGap(first.mean - second.mean, (first.nonzero - second.nonzero) / 2, full / 2, full)


def open_credit(label: float | None) -> Figure:
    """A judge's label as credit; undefined where the judge gave none of 0, ½ and 1: the run is then incomplete.

    Source: SCORING 2.
    """
    return Figure(label) if label in HALVES else undefined(f"judge error: {label!r} is none of {HALVES}")
