"""Trap Fall Rate: by hand, and what erring blindly gives."""

import random

import pytest
from benchwright.scoring.traps import Wrong, trap_rates

TRAPS = {"o2": "visual", "o3": "visual", "o4": "logic", "o5": "knowledge", "o6": "none"}
FOILS = ("o2", "o3", "o4", "o5", "o6")
NAMES = ["knowledge", "logic", "visual"]


def wrong(chosen: str = "", episode: str = "e", foils: tuple[str, ...] = FOILS) -> Wrong:
    return Wrong((chosen,) if chosen else (), foils, TRAPS, episode)


def test_by_hand() -> None:
    """Two fell for a visual foil (one of an item with that foil alone), one for logic, one reply was unreadable."""
    rates = trap_rates([wrong("o2"), wrong("o2", foils=("o2",)), wrong("o4"), wrong()], NAMES)
    visual = rates["visual"]
    assert (visual.chosen, visual.wrong) == (2, 4)
    assert visual.rate == pytest.approx(2 / 4)
    assert visual.rate_of_parsed == pytest.approx(2 / 3)
    assert visual.expected == pytest.approx((0.4 + 1 + 0.4 + 0.4) / 4)
    assert visual.ratio == pytest.approx(2 / (0.4 + 1 + 0.4))
    assert (visual.ratio_low, visual.ratio_high) == (None, None)
    assert visual.ratio_reason == "wrong answers in fewer than 10 episodes"


def test_a_trap_that_nobody_fell_into_has_a_ratio_of_nothing() -> None:
    rate = trap_rates([wrong("o2"), wrong("o4")], NAMES)["knowledge"]
    assert (rate.rate, rate.ratio) == (0, 0)


def test_nothing_wrong_is_undefined() -> None:
    rate = trap_rates([], ["logic"])["logic"]
    assert (rate.rate, rate.rate_of_parsed, rate.expected, rate.ratio, rate.wrong) == (None, None, None, None, 0)


def test_a_trap_that_no_foil_of_them_has() -> None:
    rate = trap_rates([wrong("o2", f"e{n}", ("o2",)) for n in range(12)], ["logic"])["logic"]
    assert (rate.rate, rate.expected, rate.ratio) == (0, 0, None)
    assert (rate.ratio_low, rate.ratio_reason) == (None, "no wrong answer could fall into it")


def test_erring_blindly_gives_a_ratio_of_one() -> None:
    blind = random.Random(7)
    rates = trap_rates([wrong(blind.choice(FOILS), f"e{n % 200}") for n in range(3000)], NAMES)
    for rate in rates.values():
        assert rate.ratio == pytest.approx(1, abs=0.15)
        assert rate.ratio_low is not None
        assert rate.ratio_high is not None
        assert rate.ratio_low < rate.ratio < rate.ratio_high  # type: ignore[operator]
