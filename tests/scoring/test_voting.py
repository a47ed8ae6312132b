"""What models know together: the published rule by hand, and that neither models nor options have an order."""

import random

import pytest
from benchwright.scoring import voting
from benchwright.scoring.voting import Vote
from hypothesis import given
from hypothesis import strategies as st

A, B, C, AC = (frozenset(ids) for ids in ("A", "B", "C", "AC"))


@pytest.mark.parametrize(
    ("votes", "reference", "oracle", "plurality", "majority"),
    [
        ([A, A, B, B, C], B, 1, 1 / 2, 0),
        ([A, A, B], A, 1, 1, 1),
        ([A, A, None, None], A, 1, 1, 0),  # abstainers count among the models
        ([AC, AC, A, C], AC, 1, 1, 0),  # one vote a set, not one an option
        ([A, C], AC, 0, 0, 0),
        ([None, frozenset()], A, 0, 0, 0),
        ([], A, 0, 0, 0),
        ([A], A, 1, 1, 1),
    ],
    ids=["tie", "majority", "abstainers", "sets", "halves of a set", "all abstain", "no models", "one model"],
)
def test_by_hand(
    votes: list[Vote], reference: frozenset[str], oracle: float, plurality: float, majority: float
) -> None:
    assert voting.oracle(votes, reference) == oracle
    assert voting.plurality(votes, reference) == plurality
    assert voting.strict_majority(votes, reference) == majority


def test_wrong_together() -> None:
    assert voting.wrong_together([A] * 5 + [B] * 3, B)
    assert not voting.wrong_together([A] * 4 + [C] * 2 + [B] * 2, B)
    assert not voting.wrong_together([B] * 8, B)


def test_the_best_single_model() -> None:
    assert voting.best_single([[1, 0, 0], [1, 1, 0], [0, 1, 1]]) == (1, 2 / 3)
    assert voting.best_single([]) is None
    assert voting.best_single([[]]) is None


ballots = st.lists(st.none() | st.frozensets(st.sampled_from("ABC"), max_size=2), max_size=9)
references = st.frozensets(st.sampled_from("ABC"), min_size=1, max_size=2)


@given(votes=ballots, reference=references, order=st.randoms(use_true_random=False))
def test_models_and_options_have_no_order(votes: list[Vote], reference: frozenset[str], order: random.Random) -> None:
    turned = list(votes)
    order.shuffle(turned)
    names = list("ABC")
    order.shuffle(names)
    renamed = dict(zip("ABC", names, strict=True))
    others = [vote and frozenset(renamed[option] for option in vote) for vote in turned]
    other = frozenset(renamed[option] for option in reference)
    for rule in (voting.oracle, voting.plurality, voting.strict_majority):
        assert rule(votes, reference) == rule(others, other)


@given(votes=ballots, reference=references, place=st.integers(0, 8))
def test_abstaining_instead_of_being_right_never_helps(
    votes: list[Vote], reference: frozenset[str], place: int
) -> None:
    right = [place for place, vote in enumerate(votes) if vote == reference]
    if right:
        spoilt = list(votes)
        spoilt[right[place % len(right)]] = None
        for rule in (voting.oracle, voting.plurality, voting.strict_majority):
            assert rule(spoilt, reference) <= rule(votes, reference)


@given(votes=ballots, reference=references)
def test_a_majority_is_a_plurality_and_a_plurality_an_oracle(votes: list[Vote], reference: frozenset[str]) -> None:
    assert (
        voting.strict_majority(votes, reference)
        <= voting.plurality(votes, reference)
        <= voting.oracle(votes, reference)
    )
