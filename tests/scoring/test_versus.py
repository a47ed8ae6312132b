"""Several runs of one release: their names, every pair, the drop to reasoning, tiers."""

import pytest
from benchwright.scoring.gather import Row, gather
from benchwright.scoring.versus import ablations, comparisons, falls, run_names, tier_shares

from .conftest import RUN, world


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        ([("a", "full"), ("b", "full")], ["a", "b"]),
        ([("a", "full"), ("a", "question-only"), ("b", "full")], ["a (full)", "a (question-only)", "b"]),
        ([("a", "full"), ("a", "full"), ("a", "full")], ["a (full)", "a (full) #2", "a (full) #3"]),
        ([], []),
    ],
)
def test_runs_have_names_of_their_own(runs: list[tuple[str, str]], names: list[str]) -> None:
    infos = [RUN.model_copy(update={"model": model, "condition": condition}) for model, condition in runs]
    assert run_names(infos) == names


def rows(chosen: list[str], capabilities: str = "TN") -> list[Row]:
    return gather(*world(chosen, 2, capabilities), RUN)


def test_pairs_of_runs() -> None:
    """24 items in 12 episodes; b misses the second item of each: half a point lower, and wholly so in N."""
    (found,) = comparisons(["a", "b"], [rows(["o1"] * 24), rows(["o1", "o2"] * 12)])
    assert (found.first, found.second, found.n, found.value, found.macro) == ("a", "b", 24, 0.5, 0.5)
    assert (found.low, found.high) == (0.5, 0.5)
    assert found.p == pytest.approx(2 / 4096, abs=5e-4)
    assert found.method == "sign flips by episode"
    assert comparisons(["a"], [rows(["o1"] * 24)]) == []
    assert comparisons([], []) == []


def test_an_unscored_item_is_out_for_both() -> None:
    (found,) = comparisons(["a", "b"], [rows(["error"] + ["o1"] * 23), rows(["o1"] * 24)])
    assert (found.n, found.value) == (23, 0)


def test_an_ablation_is_what_a_condition_loses_on_common_items() -> None:
    """Of 24 items in 12 episodes one is unscored in each run of `a`: 22 are common. Blind, it misses every odd one."""
    told = [("a", "question-only"), ("a", "full"), ("b", "full"), ("a", "full")]
    runs = [RUN.model_copy(update={"model": model, "condition": condition}) for model, condition in told]
    blind = rows(["error", *["o2", "o1"] * 11, "o2"])
    full, other, again = rows(["o1", "error", *["o1"] * 22]), rows(["o1"] * 24), rows(["o2"] * 24)
    (found,) = ablations(runs, [blind, full, other, again])
    assert (found.model, found.condition, found.base, found.n) == ("a", "question-only", "full", 22)
    assert (found.accuracy, found.base_accuracy, found.value) == (0.5, 1.0, -0.5)
    assert (found.low, found.high) == (-0.5, -0.5)
    assert found.p == found.p_holm
    assert ablations(runs[1:3], [full, other]) == []
    assert ablations([], []) == []


def test_ablations_are_signed_alike_wherever_the_base_stands_in_the_alphabet() -> None:
    runs = [RUN.model_copy(update={"condition": name}) for name in ("blind", "full", "single-image")]
    found = ablations(runs, [rows(["o2"] * 24), rows(["o1"] * 24), rows(["o2", "o1"] * 12)])
    assert [(one.condition, one.value, one.low) for one in found] == [("blind", -1, -1), ("single-image", -0.5, -0.5)]
    assert [one.p_holm for one in found] == [pytest.approx(2 * max(one.p or 0 for one in found))] * 2


def test_few_episodes_are_said() -> None:
    (found,) = comparisons(["a", "b"], [rows(["o1"] * 8), rows(["o2"] * 8)])
    assert (found.low, found.high, found.macro_low) == (None, None, None)
    assert found.reason == "4 episodes, fewer than 10: no interval"


def test_drops_need_both_sets_and_whole_runs() -> None:
    names = ["intent_recognition", "causal_antecedent"]
    inputs, keys, replies = world(["o1", "o2"] * 12)
    inputs = [one.model_copy(update={"capability": names[place % 2]}) for place, one in enumerate(inputs)]
    whole = gather(inputs, keys, replies, RUN)
    broken = gather(inputs, keys, replies[1:], RUN)
    (found,) = falls(["whole", "broken"], [whole, broken])
    assert (found.run, found.perception, found.reasoning, found.value) == ("whole", 1, 0, 1)
    assert found.p == found.p_holm
    assert (found.low, found.high) == (1, 1)
    assert falls(["other"], [rows(["o1"] * 24)]) == []
    assert falls(["broken"], [broken]) == []


def test_tiers_are_by_capability() -> None:
    assert tier_shares(rows(["o1"] * 4)) == {
        name: {"A": 0.0, "B": 1.0, "AB": 0.0, "C": 0.0} for name in ("N", "T", "all")
    }
