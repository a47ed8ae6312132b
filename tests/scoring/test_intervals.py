"""Wilson and the bootstrap by episode, against scipy and numpy."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from benchwright.scoring import bootstrap
from benchwright.scoring.intervals import Interval, clopper_pearson, wilson
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("correct", "n", "low", "high"),
    [
        (6, 21, 0.138139, 0.499564),  # SCORING 11
        (63, 74, 0.753105, 0.914919),
        (0, 21, 0.0, 0.154639),
        (21, 21, 0.845361, 1.0),
        (5, 10, 0.236593, 0.763407),
        (0, 1, 0.0, 0.793451),
    ],
)
def test_wilson_at_known_points(correct: int, n: int, low: float, high: float) -> None:
    assert wilson(correct, n) == pytest.approx((low, high), abs=5e-7)


@settings(deadline=None)
@given(n=st.integers(1, 3000), data=st.data())
def test_wilson_agrees_with_scipy(n: int, data: st.DataObject) -> None:
    stats = pytest.importorskip("scipy.stats")
    correct = data.draw(st.integers(0, n))
    expected = stats.binomtest(correct, n).proportion_ci(0.95, "wilson")
    assert wilson(correct, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


@settings(deadline=None)
@given(n=st.integers(1, 3000), data=st.data())
def test_the_exact_interval_agrees_with_scipy(n: int, data: st.DataObject) -> None:
    stats = pytest.importorskip("scipy.stats")
    correct = data.draw(st.integers(0, n))
    expected = stats.binomtest(correct, n).proportion_ci(0.95, "exact")
    assert clopper_pearson(correct, n) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_nothing_is_undefined_and_nonsense_an_error(interval: Callable[[int, int], Interval]) -> None:
    assert all(math.isnan(end) for end in interval(0, 0))
    for correct, n in ((-1, 4), (5, 4)):
        with pytest.raises(ValueError, match="correct of"):
            interval(correct, n)


def test_chunks_do_not_change_the_stream() -> None:
    """The rule names one matrix; ours is drawn in pieces."""
    whole = np.random.RandomState(42).randint(0, 7, (10_000, 7))
    expected = np.stack([np.bincount(row, minlength=7) for row in whole])
    assert (bootstrap.resample(np.eye(7)) == expected).all()


def test_undefined_draws_are_dropped_and_counted() -> None:
    values = bootstrap.ratios(np.array([1.0, 0.0, 2.0]), np.array([2.0, 0.0, 4.0]))
    assert bootstrap.percentile(values) == ((0.5, 0.5), 1)
    assert bootstrap.percentile(np.array([np.nan, np.nan])) == (None, 2)


@settings(deadline=None)
@given(rows=st.lists(st.lists(st.floats(-5, 5) | st.just(math.nan), min_size=7, max_size=7), min_size=1, max_size=4))
def test_percentiles_are_numpys_over_what_is_defined(rows: list[list[float]]) -> None:
    ends, dropped = bootstrap.percentiles(np.array(rows))
    for row, own, lost in zip(rows, ends, dropped, strict=True):
        defined = [value for value in row if not math.isnan(value)]
        assert lost == 7 - len(defined)
        expected = np.quantile(defined, [0.025, 0.975], method="linear") if defined else [math.nan, math.nan]
        assert own == pytest.approx(expected, nan_ok=True, rel=1e-14)
