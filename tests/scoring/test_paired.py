"""Paired comparisons: what is compared, that it is paired, and that the order of nothing matters."""

import random

import numpy as np
import pytest
from benchwright.scoring import bootstrap
from benchwright.scoring.comparison import compare_all
from benchwright.scoring.paired import differences, draw
from hypothesis import given, settings
from hypothesis import strategies as st


def world(items: int, series: int, seed: int) -> tuple[np.ndarray, list[str], list[str]]:
    chance = np.random.RandomState(seed)
    credits = chance.choice([0.0, 0.5, 1.0, 1 / 1.44, 0.8 / 1.44], (items, series))
    return credits, [f"e{number % 13:02}" for number in range(items)], [f"c{number % 3}" for number in range(items)]


@settings(max_examples=15)
@given(order=st.randoms(use_true_random=False), seed=st.integers(0, 99))
def test_the_order_of_items_changes_no_bit(order: random.Random, seed: int) -> None:
    credits, episodes, groups = world(240, 4, seed)
    places = list(range(240))
    order.shuffle(places)
    first = draw(credits, episodes, groups, draws=200)
    second = draw(
        credits[places], [episodes[place] for place in places], [groups[place] for place in places], draws=200
    )
    assert first.groups == second.groups
    assert (first.sums == second.sums).all()
    assert (first.counts == second.counts).all()


def test_the_order_of_series_changes_none_of_them() -> None:
    credits, episodes, groups = world(60, 4, 7)
    first, second = (draw(credits[:, places], episodes, groups, draws=300) for places in ([0, 1, 2, 3], [3, 1, 0, 2]))
    assert first.macro()[[3, 1, 0, 2]] == pytest.approx(second.macro(), abs=1e-12)


def test_sums_by_hand() -> None:
    """Two episodes; the stream decides how often each is drawn, the rest is arithmetic."""
    drawn = draw([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], ["b", "a", "a"], ["T", "T", "N"], draws=50)
    counts = np.concatenate(list(bootstrap.drawn_counts(2, 50, bootstrap.SEED)))
    times_a, times_b = counts.T
    assert (drawn.groups, drawn.episodes) == (("N", "T"), 2)
    assert (drawn.sums[1, 0] == times_a + times_b).all()
    assert (drawn.sums[1, 1] == times_a).all()
    assert (drawn.counts[0] == times_a).all()
    expected = bootstrap.ratios(times_a + times_b, 2 * times_a + times_b)
    assert (drawn.micro()[0] == expected).all()


def test_a_draw_without_a_capability_is_undefined_in_macro_alone() -> None:
    episodes = [f"e{number:02}" for number in range(12)]
    drawn = draw(np.ones((12, 1)), episodes, ["rare", *["usual"] * 11])
    (macro,), (micro,) = drawn.spreads(drawn.macro()), drawn.spreads(drawn.micro())
    assert macro.dropped == pytest.approx(10_000 * (11 / 12) ** 12, rel=0.05)
    assert macro.reason == f"{macro.dropped} of 10000 draws were undefined and dropped"
    assert (macro.interval, micro.interval, micro.dropped) == ((1, 1), (1, 1), 0)


def test_a_difference_is_taken_within_the_draw() -> None:
    """A model and itself, half a point lower: the difference has no width, though both have."""
    credits, episodes, groups = world(60, 1, 3)
    drawn = draw(np.hstack([credits, credits - 0.25]), episodes, groups)
    (spread,) = drawn.spreads(differences(drawn.macro(), [(0, 1)]))
    assert spread.interval == pytest.approx((0.25, 0.25))
    single = drawn.spreads(drawn.macro())[0].interval
    assert single is not None
    assert single.high - single.low > 0.05


def test_few_episodes_and_no_items() -> None:
    drawn = draw([[1.0]] * 9, [str(number) for number in range(9)], ["T"] * 9)
    assert drawn.spreads(drawn.micro())[0] == (None, 0, "9 episodes, fewer than 10: no interval")
    with pytest.raises(ValueError, match="0 rows of credits"):
        draw(np.zeros((0, 1)), [], [])


def test_comparisons_of_independent_items_are_mcnemars() -> None:
    """Twenty items, each its own episode: b = 8 only the first right, c = 2 only the second; two-sided .109375."""
    first = [1.0] * 13 + [0.0] * 7
    second = [1.0] * 5 + [0.0] * 8 + [1.0] * 2 + [0.0] * 5
    (found,) = compare_all({"m2": second, "m1": first}, [f"e{n:02}" for n in range(20)], ["T", "N"] * 10)
    assert (found.first, found.second, found.n, found.method) == ("m1", "m2", 20, "exact McNemar")
    assert found.difference == pytest.approx(6 / 20)
    assert found.p.value == pytest.approx(112 / 1024)
    assert found.p_holm == found.p


def test_comparisons_of_clustered_items_flip_whole_episodes() -> None:
    """Twelve episodes of five items, all for the first model: 2 flips in 4,096 reach as far, however many items."""
    credits = {"a": [1.0] * 60, "b": [0.0] * 60, "c": [0.5] * 60}
    found = compare_all(credits, [f"e{n // 5:02}" for n in range(60)], ["T"] * 60)
    assert [(one.first, one.second) for one in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found[0].method == "sign flips by episode"
    assert found[0].p.value == pytest.approx(2 / 4096, abs=5e-4)
    assert found[0].p_holm.value == pytest.approx(3 * (found[0].p.value or 0))
    assert found[2].macro_difference == -0.5
    (whole,) = compare_all({"a": [1.0] * 60, "b": [0.0] * 60}, [f"e{n // 5:02}" for n in range(60)], ["T"] * 60)
    assert whole.method == "sign flips by episode"


def test_an_item_that_one_model_lacks_is_dropped_for_all() -> None:
    credits: dict[str, list[float | None]] = {
        "a": [0.0, 1.0, 0.0] * 10,
        "b": [1.0, None, 0.0] * 10,
        "c": [0.0, 0.0, 0.0] * 10,
    }
    found = compare_all(credits, [f"e{n:02}" for n in range(30)], ["T"] * 30)
    assert {one.n for one in found} == {20}
    assert found[1].difference == 0  # a's credit against c stood on the items that b lacks
    assert compare_all({"a": [1.0]}, ["e"], ["T"]) == []
    assert compare_all({"a": [None], "b": [1.0]}, ["e"], ["T"]) == []


@settings(max_examples=10)
@given(order=st.randoms(use_true_random=False))
def test_the_order_of_models_and_items_changes_no_comparison(order: random.Random) -> None:
    credits, episodes, groups = world(40, 3, 5)
    models, places = ["a", "b", "c"], list(range(40))
    columns = dict(zip(models, credits.T.tolist(), strict=True))
    order.shuffle(places)
    turned = {model: [columns[model][place] for place in places] for model in reversed(models)}
    before = compare_all(columns, episodes, groups)
    after = compare_all(turned, [episodes[place] for place in places], [groups[place] for place in places])
    for one, other in zip(before, after, strict=True):
        assert (one.first, one.second, one.p, one.p_holm) == (other.first, other.second, other.p, other.p_holm)
        assert one.spread.interval == pytest.approx(other.spread.interval, abs=1e-12)
        assert one.difference == pytest.approx(other.difference, abs=1e-12)
