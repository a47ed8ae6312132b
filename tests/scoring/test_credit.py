"""Credit of an answer and means of many."""

import json
from pathlib import Path

import pytest
from benchwright.schemas.base import shown_order
from benchwright.scoring import credit

from .conftest import item, key


@pytest.mark.parametrize(
    ("chosen", "reference", "expected"),
    [
        ("AC", "CA", 1.0),  # SCORING 1
        ("ACD", "AC", 0.0),
        ("A", "AC", 0.0),
        ("B", "B", 1.0),
        ("B", "A", 0.0),
        ("", "A", 0.0),
        ("", "", 0.0),
    ],
)
def test_a_choice_is_right_whole_or_wrong(chosen: str, reference: str, expected: float) -> None:
    assert credit.choice(chosen, reference) == expected


def test_means() -> None:
    x, groups = [1, 0, 1, 1, 0.5, 0], list("TTNNNS")
    assert credit.macro(x, groups) == pytest.approx(0.4444444)  # (1/2 + 5/6 + 0) / 3
    assert credit.micro(x) == pytest.approx(0.5833333)
    assert credit.micro([]) is None
    assert credit.macro([], []) is None


def test_published_vectors(shared: Path) -> None:
    checked = 0
    for vector in json.loads((shared / "vectors" / "paper_vectors.json").read_text("utf-8")):
        inputs, expected, near = vector["inputs"], vector["expected"], vector.get("tol", 0)
        match vector["metric"]:
            case "exact_set_credit":
                got = credit.choice(inputs["pred"] or (), inputs["reference"])
            case "macro_pct":
                got = 100 * (credit.macro(inputs["x"], inputs["capability"]) or 0)
            case "micro_pct":
                got = 100 * (credit.micro(inputs["x"]) or 0)
            case "accuracy_pct" | "rate_pct":
                right = inputs.get("correct", inputs.get("k"))
                got = 100 * (credit.micro([1.0] * right + [0.0] * (inputs["n"] - right)) or 0)
            case "option_permutation_sha256":
                order = shown_order(inputs["seed"], inputs["qid"], reversed(inputs["option_ids"]))
                assert list(order) == expected
                continue
            case _:
                continue
        assert got == pytest.approx(expected, abs=near + 1e-9)
        checked += 1
    assert checked == 20


def test_chance_and_the_random_baseline() -> None:
    inputs = [item(1, options=6), item(2, options=4), item(3, options=3, format="multiple")]
    keys = [key(1), key(2), key(3, answer=("o1", "o2"))]
    assert credit.chance(inputs) == pytest.approx((1 / 6 + 1 / 4 + 1 / 3) / 3)
    assert credit.random_expectation(inputs[:2], keys[:2]) == pytest.approx(credit.chance(inputs[:2]))
    assert credit.random_expectation(inputs, keys) == pytest.approx((1 / 6 + 1 / 4) / 3)  # it never names a pair
    assert credit.chance([]) == 0
