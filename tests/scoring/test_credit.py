"""Credit of an answer and means of many."""

import pytest
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


def test_a_macro_mean_over_declared_groups() -> None:
    assert credit.whole_macro([1, 0], "TN", "NT") == (0.5, "")
    assert credit.whole_macro([1, 0], "TN", "NTSA") == (None, "no item of A, S")
    assert credit.whole_macro([], [], []) == (None, "no items")


def test_chance_and_the_random_baseline() -> None:
    inputs = [item(1, options=6), item(2, options=4), item(3, options=3, format="multiple")]
    keys = [key(1), key(2), key(3, answer=("o1", "o2"))]
    assert credit.chance(inputs) == pytest.approx((1 / 6 + 1 / 4 + 1 / 3) / 3)
    assert credit.random_expectation(inputs[:2], keys[:2]) == pytest.approx(credit.chance(inputs[:2]))
    assert credit.random_expectation(inputs, keys) == pytest.approx((1 / 6 + 1 / 4) / 3)  # it never names a pair
    assert credit.chance([]) == 0
