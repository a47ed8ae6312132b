"""Tests of differences, and what many of them at once must be corrected by. p values in [0, 1]."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .bootstrap import CHUNK, DRAWS, SEED
from .figure import Figure, undefined


def holm(p: Sequence[float]) -> list[float]:
    """Holm's adjusted p values, in the order given: sorted, (m − i) p, running maximum, at most 1.

    Source: SCORING 15; S. Holm 1979, Scandinavian Journal of Statistics 6.
    """
    adjusted, highest = [0.0] * len(p), 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=lambda place: p[place])):
        highest = max(highest, min(1.0, (len(p) - rank) * p[place]))
        adjusted[place] = highest
    return adjusted


class McNemar(NamedTuple):
    """Exact two-sided p, and χ² with continuity correction as some papers print it."""

    p: float
    chi2: Figure
    chi2_p: Figure


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """Of paired right/wrong answers: how many only the first, and only the second, got right.

    Exact: twice the smaller tail of a fair coin over the discordant pairs, at most 1 (so 1 without any). χ² is
    (|b − c| − 1)² / (b + c), undefined without discordant pairs. Source: SCORING 16; doi:10.1007/BF02295996.
    """
    n, few = only_first + only_second, min(only_first, only_second)
    tail = sum(math.comb(n, k) for k in range(few + 1))
    p = min(1.0, 2 * tail / 2**n)
    if n == 0:
        reason = "no item was answered right by one alone"
        return McNemar(p, undefined(reason), undefined(reason))
    chi2 = (abs(only_first - only_second) - 1) ** 2 / n
    return McNemar(p, Figure(chi2), Figure(math.erfc(math.sqrt(chi2 / 2))))


def fisher(correct: int, n: int, other_correct: int, other_n: int) -> Figure:
    """Fisher's exact two-sided p of two accuracies on different items; undefined where one has no items.

    For unpaired groups only. Source: SCORING 14; R. A. Fisher 1935.
    """
    from scipy.stats import fisher_exact

    if not n or not other_n:
        return undefined("one of the two groups has no items")
    return Figure(float(fisher_exact([[correct, n - correct], [other_correct, other_n - other_correct]])[1]))


def sign_flips(differences: Sequence[float], draws: int = DRAWS, seed: int = SEED) -> Figure:
    """Permutation p of paired differences, one an episode (their sum within it): signs are flipped at random.

    (1 + draws at least as far from 0) / (1 + draws), two-sided; undefined for no episodes. Pass them in order of
    episode id, so that the stream means the same in every run. Source: SCORING 16.
    """
    own = np.asarray(differences, dtype=np.float64)
    if own.size == 0:
        return undefined("no episodes")
    random, reach, far = np.random.RandomState(seed), abs(own.sum()) * (1 - 1e-12), 0
    for start in range(0, draws, CHUNK):
        signs = 2.0 * random.randint(0, 2, (min(CHUNK, draws - start), own.size)) - 1
        far += int(np.count_nonzero(np.abs(signs @ own) >= reach))
    return Figure((1 + far) / (1 + draws))
