"""Intervals in closed form."""

import math
from typing import NamedTuple

Z95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


class Interval(NamedTuple):
    low: float
    high: float


def wilson(correct: int, n: int, z: float = Z95) -> Interval:
    """Wilson's interval of a proportion, without continuity correction, in [0, 1]; NaN for n = 0.

    (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n), p = correct/n. Only for whole counts of independent items: half
    credits, macro means and clustered items need a bootstrap. All wrong gives a lower end of exactly 0, all right an
    upper end of exactly 1. Source: SCORING 11; E. B. Wilson 1927, doi:10.1080/01621459.1927.10502953.
    """
    if not 0 <= correct <= n:
        raise ValueError(f"{correct} correct of {n}")
    if n == 0:
        return Interval(math.nan, math.nan)
    p, share = correct / n, z * z / n
    centre = (p + share / 2) / (1 + share)
    half = z / (1 + share) * math.sqrt(p * (1 - p) / n + share / (4 * n))
    return Interval(0.0 if correct == 0 else centre - half, 1.0 if correct == n else centre + half)


def clopper_pearson(correct: int, n: int, alpha: float = 0.05) -> Interval:
    """The exact interval of a proportion, in [0, 1]; never narrower than promised, so wider than Wilson's. NaN for n=0.

    Source: C. J. Clopper & E. S. Pearson 1934, doi:10.1093/biomet/26.4.404.
    """
    from scipy.special import betaincinv

    if not 0 <= correct <= n:
        raise ValueError(f"{correct} correct of {n}")
    if n == 0:
        return Interval(math.nan, math.nan)
    low = 0.0 if correct == 0 else float(betaincinv(correct, n - correct + 1, alpha / 2))
    return Interval(low, 1.0 if correct == n else float(betaincinv(correct + 1, n - correct, 1 - alpha / 2)))
