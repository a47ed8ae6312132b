"""How small a paired difference a study can see: power of the two-sided paired t test.

Source: SCORING 23; Social Caption App. F.
"""

import math

from .figure import Figure, undefined


def power(n: int, effect: float, alpha: float = 0.05) -> float:
    """Chance of p < alpha with `n` pairs and a true mean difference of `effect` deviations (d_z), in [0, 1]."""
    from scipy.special import nctdtr, stdtrit

    shift, free = effect * n**0.5, n - 1
    critical = stdtrit(free, 1 - alpha / 2)
    wrong_side = float(nctdtr(free, shift, -critical))
    # scipy gives NaN for some tails that are far below a double's last digit of the sum.
    return (0.0 if math.isnan(wrong_side) else wrong_side) + 1 - float(nctdtr(free, shift, critical))


def detectable(n: int, alpha: float = 0.05, wanted: float = 0.8) -> Figure:
    """Smallest d_z > 0 seen with the wanted power; undefined for fewer than two pairs. n = 50: 0.404."""
    from scipy.optimize import brentq

    if n < 2:
        return undefined("fewer than two pairs")
    highest = 1.0
    while power(n, highest, alpha) < wanted and highest < 1e3:
        highest *= 2
    return Figure(float(brentq(lambda effect: power(n, effect, alpha) - wanted, 0.0, highest, xtol=1e-12)))
