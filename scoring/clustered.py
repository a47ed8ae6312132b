"""Standard errors of a mean over clustered items, as three published evaluators compute them, to compare with theirs.

Our own intervals are bootstraps; these serve to check a figure that somebody else printed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .figure import Figure, undefined


class ClusteredErrors(NamedTuple):
    plain: Figure
    """√(Σ over clusters of (Σ deviations)²) / n."""
    corrected: Figure
    """The same times √(G / (G − 1)) for G clusters, as Inspect AI has it."""
    cross_terms: Figure
    """The variance of the mean of independent items, plus the cross terms within clusters, as lmms-eval has it."""


def standard_errors(values: Sequence[float], clusters: Sequence[str]) -> ClusteredErrors:
    """Of the mean of `values`; undefined for fewer than two clusters."""
    own = np.asarray(values, dtype=np.float64)
    names, place = np.unique(np.asarray(clusters), return_inverse=True)
    if len(names) < 2:
        reason = undefined(f"{len(names)} clusters")
        return ClusteredErrors(reason, reason, reason)
    deviations, n = own - own.mean(), len(own)
    sums = np.bincount(place, weights=deviations)
    together, alone = float((sums**2).sum()), float((deviations**2).sum())
    plain = together**0.5 / n
    cross = max(alone / (n * (n - 1)) + (together - alone) / n**2, 0.0)
    return ClusteredErrors(Figure(plain), Figure(plain * (len(names) / (len(names) - 1)) ** 0.5), Figure(cross**0.5))
