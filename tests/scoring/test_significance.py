"""Tests of differences against scipy and by hand; power and what a percentage can be."""

import math
import random

import pytest
from benchwright.scoring import grim, power, significance
from benchwright.scoring.drop import drops
from hypothesis import given
from hypothesis import strategies as st

ps = st.lists(st.floats(0, 1), max_size=12)


@given(p=ps)
def test_holm_is_monotone_and_never_smaller(p: list[float]) -> None:
    adjusted = significance.holm(p)
    assert all(own <= held <= 1 for own, held in zip(p, adjusted, strict=True))
    ranked = [held for _, held in sorted(zip(p, adjusted, strict=True))]
    assert ranked == sorted(ranked)


@given(p=ps, order=st.randoms(use_true_random=False))
def test_holm_knows_no_order(p: list[float], order: random.Random) -> None:
    places = list(range(len(p)))
    order.shuffle(places)
    turned = significance.holm([p[place] for place in places])
    assert [turned[places.index(place)] for place in range(len(p))] == significance.holm(p)


@given(b=st.integers(0, 400), c=st.integers(0, 400))
def test_mcnemar_is_a_fair_coin(b: int, c: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    expected = stats.binomtest(min(b, c), b + c, 0.5).pvalue if b + c else 1.0
    assert significance.mcnemar(b, c).p == pytest.approx(expected, abs=1e-12)


def test_mcnemar_at_known_points() -> None:
    assert significance.mcnemar(4, 15).p == pytest.approx(0.019211, abs=5e-7)  # SCORING 16
    assert significance.mcnemar(0, 0).chi2 == (None, "no item was answered right by one alone")


@pytest.mark.parametrize(
    ("counts", "expected"),
    [((63, 74, 40, 80), 3.2e-6), ((236, 260, 139, 160), 0.255), ((0, 5, 0, 5), 1.0)],  # SCORING 14
)
def test_fisher(counts: tuple[int, int, int, int], expected: float) -> None:
    assert significance.fisher(*counts).value == pytest.approx(expected, rel=0.02)


def test_fisher_without_items() -> None:
    assert significance.fisher(0, 0, 3, 5) == (None, "one of the two groups has no items")


def test_sign_flips() -> None:
    """Ten episodes all one way: 2 of 1024 flips reach as far. Balanced ones: every flip does."""
    assert significance.sign_flips([1.0] * 10).value == pytest.approx(2 / 1024, abs=1e-3)
    assert significance.sign_flips([1.0, -1.0] * 5).value == 1
    assert significance.sign_flips([0.0, 0.0]).value == 1
    assert significance.sign_flips([1.0] * 60).value == 1 / 10_001  # never 0: the sample itself is one of the draws
    assert significance.sign_flips([]) == (None, "no episodes")


def test_power() -> None:
    """At no effect the power is the size of the test; at statsmodels' solution it is .8, to its solver's tolerance."""
    assert power.power(50, 0.0) == pytest.approx(0.05, abs=1e-9)
    assert power.power(50, 0.4041829997377859) == pytest.approx(0.8, abs=1e-8)
    assert power.power(2, power.detectable(2).value or 0) == pytest.approx(0.8, abs=1e-9)
    assert power.detectable(1) == (None, "fewer than two pairs")


@given(n=st.integers(1, 400), data=st.data())
def test_every_true_percentage_is_reachable(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    assert grim.reachable(round(100 * k / n, 2), n)
    assert grim.reachable(math.floor(10 * (100 * k / n) + 0.5) / 10, n, decimals=1)


@pytest.mark.parametrize(
    ("percentage", "n", "decimals", "expected"),
    [
        (28.6, 21, 1, True),
        (28.5, 21, 1, False),
        (12.5, 8, 1, True),
        (100.0, 3, 2, True),
        (101.0, 3, 2, False),
        (0, 0, 2, False),
    ],
)
def test_grim(percentage: float, n: int, decimals: int, expected: bool) -> None:
    assert grim.reachable(percentage, n, decimals) is expected


def test_drops_by_model() -> None:
    """40 items of each set in 20 episodes; the first model falls from 36/40 to 16/40, the second not at all."""
    capabilities = ["intent_recognition", "causal_antecedent", "latent_state"] * 40
    episodes = [f"e{item // 6:02}" for item in range(120)]
    steep = [float(place < (36, 16, 0)[item % 3]) for item in range(120) for place in [item // 3]]
    level = [float(place % 2) for item in range(120) for place in [item // 3]]
    found = drops({"steep": steep, "level": level}, capabilities, episodes)
    assert list(found) == ["level", "steep"]
    assert found["steep"].difference.value == pytest.approx(0.5)
    assert found["steep"].p.value == pytest.approx(significance.fisher(36, 40, 16, 40).value)
    assert found["steep"].p_holm.value == pytest.approx(2 * (found["steep"].p.value or 0))
    assert found["level"].p_holm.value == 1
    spread = found["steep"].spread.interval
    assert spread is not None
    assert 0 < spread.low < 0.5 < spread.high


def test_drops_without_one_of_the_sets() -> None:
    (found,) = drops({"m": [1, 0]}, ["intent_recognition", "moral_dilemma"], ["a", "b"]).values()
    assert (found.perception.value, found.difference.value, found.p.value, found.p_holm.value) == (1, None, None, None)
    assert found.spread.interval is None
    with pytest.raises(ValueError, match="whole credits"):
        drops({"m": [0.5]}, ["intent_recognition"], ["a"])
