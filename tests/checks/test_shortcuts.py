"""Shortcut rules: what each picks, and that none sees more than texts in the order shown."""

from collections import Counter

import pytest
from benchwright.checks.shortcuts import SHORTCUTS
from benchwright.schemas.item import Option
from hypothesis import given
from hypothesis import strategies as st

TRANSCRIPT = "Alpha hides the lantern under the table. Beta looks for the lantern."
QUESTION = "What would Beta do about the boat?"
OPTIONS = (
    Option(id="o1", text="Beta takes the lantern from the table"),  # words: beta lantern table, all told
    Option(id="o2", text="Beta sails the boat away"),  # boat is asked about
    Option(id="o3", text="Sings"),
    Option(id="o4", text="Beta quietly repairs the broken window of the old kitchen"),
)


@pytest.mark.parametrize(
    ("rule", "picked"),
    [
        ("most-similar", "o1"),  # 3 of 3 words against 1 of 4, 0 of 1, 1 of 7
        ("least-similar", "o3"),
        ("longest", "o4"),
        ("shortest", "o3"),
        ("most-like-question", "o2"),  # beta, boat of beta, sail, boat: 2 of 3
        ("least-like-question", "o3"),
        ("first", "o1"),
        ("last", "o4"),
        ("least-typical", "o3"),  # shares no word with any other
    ],
)
def test_what_a_rule_picks(rule: str, picked: str) -> None:
    assert SHORTCUTS[rule](QUESTION, TRANSCRIPT, OPTIONS) == picked


def test_the_most_typical_option_shares_most_with_the_others() -> None:
    options = [Option(id=f"o{n}", text=text) for n, text in enumerate(["red boat", "red boat house", "green house"])]
    assert SHORTCUTS["most-typical"]("q", "", options) == "o1"


texts = st.lists(
    st.lists(st.sampled_from(["boat", "lantern", "table", "beta", "green", "sails"]), max_size=4).map(" ".join),
    min_size=2,
    max_size=6,
    unique=True,
)


@pytest.mark.parametrize("rule", [name for name in SHORTCUTS if name not in ("first", "last")])
@given(texts=texts)
def test_neither_order_nor_ids_change_a_choice(rule: str, texts: list[str]) -> None:
    options = [Option(id=f"o{n}", text=text) for n, text in enumerate(texts)]
    turned = [Option(id=f"x{n}", text=text) for n, text in enumerate(reversed(texts))]
    picked = {option.id: option.text for option in (*options, *turned)}
    choose = SHORTCUTS[rule]
    assert picked[choose(QUESTION, TRANSCRIPT, options)] == picked[choose(QUESTION, TRANSCRIPT, turned)]


def test_ties_are_spread_over_the_options() -> None:
    options = [Option(id=f"o{n}", text=text) for n, text in enumerate(["green", "yellow", "purple", "orange"])]
    picked = Counter(SHORTCUTS["most-similar"](f"Question {n}?", "nothing of it", options) for n in range(400))
    assert set(picked) == {"o0", "o1", "o2", "o3"}
    assert max(picked.values()) < 140  # 100 expected, standard deviation 8.7


def test_no_options_no_choice() -> None:
    with pytest.raises(ValueError):
        SHORTCUTS["longest"]("q", "", [])
