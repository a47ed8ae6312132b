"""The paired bootstrap by episode: whole episodes are drawn, and one matrix of draws serves every figure.

Draws turn into counts an episode, and counts times sums an episode is one matrix product for all models, metrics and
groups at once: that the draws are shared is what makes comparisons paired. Source: SCORING 9; PsycheMME App. D.5.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .intervals import Interval

DRAWS = 10_000
SEED = 42
RESAMPLER_ID = f"episodes/RandomState({SEED}).randint(0,E,({DRAWS},E))/percentile-linear"
"""Names the stream of numbers and the rule; E is the number of episodes, which stand in order of their ids."""
FEWEST_EPISODES = 10
CHUNK = 1000

Floats = NDArray[np.float64]


def resample(sums: Floats, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """(episodes, figures) sums → (draws, figures) sums over the episodes drawn, with replacement.

    The stream is the frozen legacy one, so that intervals are the same under every numpy.
    """
    return np.concatenate([counts @ sums for counts in _counts(sums.shape[0], draws, seed)])


def ratios(numerators: Floats, denominators: Floats) -> Floats:
    """Elementwise quotient; NaN where the denominator is 0, as in a draw that holds no item of a capability."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominators == 0, np.nan, numerators / denominators)


def percentile(values: Floats) -> tuple[Interval | None, int]:
    """The middle 95 % of a figure's draws, and how many draws were undefined and dropped. None where all were.

    All-equal draws give an interval of no width: it says that the data do not vary, not that the figure is known.
    """
    defined = values[~np.isnan(values)]
    if defined.size == 0:
        return None, values.size
    low, high = np.quantile(defined, [0.025, 0.975], method="linear")
    return Interval(float(low), float(high)), values.size - defined.size


def _counts(episodes: int, draws: int, seed: int) -> Iterator[Floats]:
    """How often each episode was drawn: (chunk, episodes) at a time, which bounds the memory, not the stream."""
    random = np.random.RandomState(seed)
    for start in range(0, draws, CHUNK):
        rows = min(CHUNK, draws - start)
        drawn = random.randint(0, episodes, (rows, episodes), dtype=np.int64)
        offsets = np.arange(rows, dtype=np.int64)[:, None] * episodes
        flat = np.bincount((drawn + offsets).ravel(), minlength=rows * episodes)
        yield flat.reshape(rows, episodes).astype(np.float64)
