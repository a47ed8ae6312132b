"""Reasoning-Verified credit: answer credit, lowered by how well the rationale is supported and hangs together.

A judge gives two labels; each has a weight, and the largest weight makes the best pair keep all of the answer's credit.
Source: SCORING 3 and 30; PsycheMME Eq. 4, Tables 11 and 20, App. G.4.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .figure import Figure, quotient

LABELS = {
    "strong": 3, "coherent": 3, "fully coherent": 3,
    "normal": 2, "acceptable": 2,
    "weak": 1,
    "contradicted": 0, "contradictory": 0,
    "insufficient": None, "unevaluable": None,
}  # fmt: skip
"""Level of a label of Evidence Support or Logical Integrity; None: nothing to weigh, so no credit."""
ADVERSE = (0, 1)


class Weights(NamedTuple):
    """Weight of each level; all above 0, `strong` the largest."""

    contradicted: float
    weak: float
    normal: float
    strong: float

    def of(self, label: str | None) -> float:
        """In [0, strong]; 0 for no label and for labels that cannot be weighed. Raises `ValueError` for another one."""
        found = level(label)
        return 0.0 if found is None else self[found]


STANDARD = Weights(0.5, 0.8, 1.0, 1.2)
SOFT = Weights(0.7, 0.9, 1.0, 1.1)
STRICT = Weights(0.3, 0.6, 1.0, 1.2)


class Judged(NamedTuple):
    """One reply with what its judges said."""

    answer: float
    """Credit of the answer, in [0, 1]."""
    covered: bool
    """Whether an informative rationale is there."""
    evidence: str | None
    logic: str | None


def level(label: str | None) -> int | None:
    """0 (contradicted) to 3 (strong); None for no label, insufficient and unevaluable."""
    if label is None:
        return None
    if label not in LABELS:
        raise ValueError(f"no label {label!r}: {', '.join(LABELS)}")
    return LABELS[label]


def verified(reply: Judged, weights: Weights = STANDARD) -> float:
    """a · c · e/λ · l/λ with λ the largest weight, in [0, a]; more is better."""
    return reply.answer * reply.covered * _share(reply.evidence, weights) * _share(reply.logic, weights)


def _share(label: str | None, weights: Weights) -> float:
    return weights.of(label) / weights.strong


AGGREGATES: dict[str, Callable[[float, float], float]] = {
    "product": lambda evidence, logic: evidence * logic,
    "mean": lambda evidence, logic: (evidence + logic) / 2,
    "minimum": min,
    "support only": lambda evidence, _: evidence,
    "logic only": lambda _, logic: logic,
    "threshold": lambda evidence, logic: float(min(evidence, logic) >= STANDARD.normal / STANDARD.strong),
    "both strongest": lambda evidence, logic: float(evidence == logic == 1.0),
}
"""Ways to join the two normalised weights. `threshold`: both at least normal."""


def aggregated(reply: Judged, aggregate: str) -> float:
    """Credit under another way to join the labels, in [0, a]; a label without weight leaves none under any of them.

    Source: SCORING 30; PsycheMME Table 20.
    """
    evidence, logic = _share(reply.evidence, STANDARD), _share(reply.logic, STANDARD)
    if not evidence or not logic:
        return 0.0
    return reply.answer * reply.covered * AGGREGATES[aggregate](evidence, logic)


class Adverse(NamedTuple):
    """How many of `n` fully right replies have an adverse label: weak or contradicted."""

    n: int
    both: int
    only_evidence: int
    only_logic: int
    neither: int

    def evidence_rate(self) -> Figure:
        return quotient(self.both + self.only_evidence, self.n, NO_RIGHT)

    def logic_rate(self) -> Figure:
        return quotient(self.both + self.only_logic, self.n, NO_RIGHT)


NO_RIGHT = "no reply has full answer credit"


def adverse(replies: Sequence[Judged]) -> Adverse:
    """Counts over the replies with full answer credit. Source: SCORING 30; PsycheMME App. G.1, Table 17."""
    pairs = [
        (level(reply.evidence) in ADVERSE, level(reply.logic) in ADVERSE) for reply in replies if reply.answer == 1
    ]
    kinds = ((True, True), (True, False), (False, True), (False, False))
    return Adverse(len(pairs), *(pairs.count(kind) for kind in kinds))


class JointWeights(NamedTuple):
    """Mean verification weight of two models where both answers are fully right."""

    n: int
    first: Figure
    second: Figure
    difference: Figure
    """First less second, taken before rounding."""


def joint_weights(first: Sequence[Judged], second: Sequence[Judged]) -> JointWeights:
    """Rationale quality of two models on the items that both answer fully; item i of one is item i of the other.

    Source: SCORING 30; PsycheMME App. G.4.
    """
    both = [pair for pair in zip(first, second, strict=True) if pair[0].answer == pair[1].answer == 1]
    sums = [sum(verified(pair[side]) for pair in both) for side in (0, 1)]
    reason = "no item has full answer credit from both"
    return JointWeights(len(both), *(quotient(total, len(both), reason) for total in (*sums, sums[0] - sums[1])))
