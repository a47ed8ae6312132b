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
    return np.concatenate([counts @ sums for counts in drawn_counts(sums.shape[0], draws, seed)])


def ratios(numerators: Floats, denominators: Floats) -> Floats:
    """Elementwise quotient; NaN where the denominator is 0, as in a draw that holds no item of a capability."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominators == 0, np.nan, numerators / denominators)


def percentile(values: Floats) -> tuple[Interval | None, int]:
    """The middle 95 % of a figure's draws, and how many draws were undefined and dropped. None where all were.

    All-equal draws give an interval of no width: it says that the data do not vary, not that the figure is known.
    """
    ends, dropped = percentiles(values[None, :])
    low, high = ends[0].tolist()
    return None if dropped[0] == values.size else Interval(low, high), int(dropped[0])


def percentiles(values: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """(figures, draws) → (figures, 2) ends of the middle 95 %, and how many draws of each were undefined.

    A row without a defined draw has NaN ends. Equals `numpy.quantile(…, method="linear")` over the defined draws, at
    half its time: sorting puts NaN last, so rows of every length are read from one sorted table.
    """
    ordered = np.sort(values, axis=1)
    defined = values.shape[1] - np.isnan(ordered).sum(axis=1)
    ends = [_between(ordered, np.maximum(defined - 1, 0) * share) for share in (0.025, 0.975)]
    return np.stack(ends, axis=1), values.shape[1] - defined


def _between(ordered: Floats, place: Floats) -> Floats:
    """Each row's value at a fractional place, interpolated linearly."""
    below = np.floor(place).astype(np.int64)
    rows = np.arange(ordered.shape[0])
    low, high = ordered[rows, below], ordered[rows, np.minimum(below + 1, ordered.shape[1] - 1)]
    weight = place - below
    high = np.where(weight == 0, low, high)
    return np.asarray(low + (high - low) * weight)


def drawn_counts(episodes: int, draws: int, seed: int) -> Iterator[Floats]:
    """How often each episode was drawn: (chunk, episodes) at a time, which bounds the memory, not the stream."""
    random = np.random.RandomState(seed)
    for start in range(0, draws, CHUNK):
        yield counted(random.randint(0, episodes, (min(CHUNK, draws - start), episodes), dtype=np.int64))


def counted(drawn: NDArray[np.int64]) -> Floats:
    """(rows, episodes) places drawn, from whatever generator, → (rows, episodes) how often each was."""
    rows, episodes = drawn.shape
    offsets = np.arange(rows, dtype=np.int64)[:, None] * episodes
    flat = np.bincount((drawn + offsets).ravel(), minlength=rows * episodes)
    return flat.reshape(rows, episodes).astype(np.float64)
