"""Filters by ablation: the chance of guessing, the quota in order, and what is told before and after."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from benchwright.errors import UsageError
from benchwright.evaluation.ablation import PARTS, SAMPLES, Tried, accuracies, filtered, guessed, order
from benchwright.schemas.ablation import Part, Solved
from benchwright.schemas.base import digest
from benchwright.schemas.clip import ClipRef
from benchwright.schemas.item import Option
from benchwright.schemas.release import ModelInput
from hypothesis import given
from hypothesis import strategies as st

TWO = ("a/one", "b/two")


def test_the_chance_of_guessing_four_of_five() -> None:
    """Six options: 5 · (1/6)^4 · 5/6 + (1/6)^5 = 26/7776, the .3 % of the rule. Two of four right: 1/6 as well."""
    assert guessed(6) == Fraction(26, 7776)
    assert guessed(4, 2) == Fraction(26, 7776)
    assert guessed(4) == Fraction(16, 1024)
    assert guessed(1) == 1
    with pytest.raises(UsageError):
        guessed(0)


def tried(number: int, right: Mapping[Part, tuple[int, int]], options: int = 6) -> Tried:
    item = ModelInput(
        id=f"i{number:03}", capability="grounding", interaction="conflict", format="single", background="",
        clip=ClipRef(media="media/c.json", start=0, end=1, unit="lines"), question="Who?",
        options=tuple(Option(id=f"o{n}", text=str(n)) for n in range(1, options + 1)),
    )  # fmt: skip
    solved = (
        Solved(model=model, condition=part, right=count)
        for part, counts in right.items()
        for model, count in zip(TWO, counts, strict=True)
    )
    return Tried(item, 1, tuple(solved))


CASES = {
    "both solve it blindly": ((4, 5), "dropped"),
    "one of them does": ((5, 3), "kept"),
    "three of five is not solved": ((3, 3), "kept"),
}


@pytest.mark.parametrize(("right", "verdict"), CASES.values(), ids=CASES)
def test_both_families_have_to_solve_it(right: tuple[int, int], verdict: str) -> None:
    """The first solved item falls under the quota of one; the second is judged."""
    first, second = filtered([tried(0, {"question-only": (5, 5)}), tried(1, {"question-only": right})], TWO)
    assert (first.verdict, second.verdict) == ("kept by quota", verdict)


def test_words_and_pictures_are_tags_and_no_faults() -> None:
    (one,) = filtered([tried(0, {"transcript-only": (4, 0), "single-image": (0, 5), "full": (5, 5)})], TWO)
    assert (one.verdict, one.tags) == ("kept", ("words-suffice", "picture-suffices"))


@given(st.lists(st.booleans(), max_size=60), st.integers(2, 6))
def test_what_is_left_is_solved_no_more_often_than_guessing_allows_and_not_never(given_away: list[bool], options: int):
    items = [tried(n, {"question-only": (5, 5) if away else (0, 0)}, options) for n, away in enumerate(given_away)]
    found = filtered(items, TWO)
    kept = [one for one in found if one.verdict != "dropped"]
    hits = sum(one.verdict == "kept by quota" for one in found)
    assert hits <= -(-len(kept) * guessed(options) // 1)
    assert (hits > 0) == any(given_away)


def test_accuracy_is_told_before_and_after() -> None:
    items = [tried(n, {"question-only": (5, 4) if n < 2 else (0, 1)}) for n in range(4)]
    one, two = accuracies(items, filtered(items, TWO))
    assert (one.model, one.before, one.n_before, one.n_after) == (TWO[0], 0.5, 4, 3)
    assert one.after == pytest.approx(1 / 3)
    assert two.before == pytest.approx((4 + 4 + 1 + 1) / (4 * SAMPLES))
    assert one.guessing == pytest.approx(1 / 6)


def test_each_sample_has_an_order_of_its_own() -> None:
    assert len({order(7, sample) for sample in range(SAMPLES)}) == SAMPLES
    assert order(7, 0) == int(digest(7, "ablation", 0)[:12], 16)
    assert len(PARTS) == 4
