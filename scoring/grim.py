"""Whether a printed percentage can come from whole counts at all (GRIM).

Source: SCORING 28; Brown & Heathers 2017, doi:10.1177/1948550616673876.
"""

import math


def reachable(percentage: float, n: int, decimals: int = 2) -> bool:
    """Whether some k of `n` gives the percentage when rounded to `decimals`, whichever way halves are rounded."""
    if n <= 0:
        return False
    half = 0.5 * 10.0**-decimals + 1e-9
    nearest = math.floor(percentage * n / 100)
    return any(abs(100 * k / n - percentage) <= half for k in (nearest, nearest + 1) if 0 <= k <= n)


def reachable_cells(percentages: list[float], n: int, decimals: int = 2) -> int:
    """How many cells of a table of percentages over `n` fit it; compare with what chance would let through."""
    return sum(reachable(percentage, n, decimals) for percentage in percentages)
