"""What votes come to: a table of cases worked out by hand, and laws that hold of every set of votes."""

import pytest
from benchwright.review.deal import deal, stratified
from benchwright.review.modes import VERIFIED, decision
from benchwright.review.verdicts import Detection, Subject, Vote, clip_rejected, detections, uncounted, verdict
from benchwright.schemas.review import Work
from hypothesis import given
from hypothesis import strategies as st

ITEM = Subject("p", "h", ("o2",))
BALLOTS = {
    "approve": ("h", "approve"), "reject": ("h", "reject"), "abstain": ("h", "abstain"), "locked": ("", ""),
    "stale": ("other", "approve"),
}  # fmt: skip


def vote(number: int, cast: str = "approve", ids: str = "o2", said: str = "answer", public: str = "p", ballot: int = 0):
    item_hash, decided = BALLOTS[cast]
    return Vote(f"r{number}", ballot, public, item_hash, said, (ids,) if said == "answer" else (), decided)


FIVE = [vote(n) for n in range(5)]
CASES = {
    "nobody": ([], "waiting"),
    "four of five": (FIVE[:4], "waiting"),
    "all five": (FIVE, "approved"),
    "one chose another option": ([*FIVE[:4], vote(4, ids="o1")], "approved"),
    "two chose another option": ([*FIVE[:3], vote(3, ids="o1"), vote(4, ids="o3")], "not the key"),
    "one finds it ambiguous": ([*FIVE[:4], vote(4, said="ambiguous")], "approved"),
    "two find it ambiguous": ([*FIVE[:3], vote(3, said="ambiguous"), vote(4, said="ambiguous")], "ambiguous"),
    "ambiguous before anybody has judged": ([vote(n, "locked", said="ambiguous") for n in range(2)], "ambiguous"),
    "one rejection": ([*FIVE[:4], vote(4, "reject")], "rejected"),
    "one rejection beside five": ([*FIVE, vote(5, "reject")], "rejected"),
    "an abstention is no approval": ([*FIVE[:4], vote(4, "abstain")], "waiting"),
    "a skip is no approval": ([*FIVE[:4], vote(4, "abstain", said="skip")], "waiting"),
    "an approval of an earlier version": ([*FIVE[:4], vote(4, "stale")], "waiting"),
    "a rejection of an earlier ballot": ([*FIVE, vote(5, "reject", ballot=1)], "approved"),
    "words that were seen before an edit": ([vote(n, public="old") for n in range(5)], "waiting"),
    "six, of whom two erred": ([*FIVE[:4], vote(4, ids="o1"), vote(5, ids="o1")], "not the key"),
}


@pytest.mark.parametrize(("votes", "state"), CASES.values(), ids=list(CASES))
def test_states(votes: list[Vote], state: str):
    assert verdict(ITEM, votes, 5).state == state


def test_an_open_answer_is_not_compared_with_the_key():
    votes = [vote(n, ids="words") for n in range(5)]
    assert verdict(ITEM._replace(choice=False), votes, 5).state == "approved"


@pytest.mark.parametrize(
    ("outcome", "state"), [("discard", "discarded"), ("revise", "revise"), ("vote again", "approved")]
)
def test_an_adjudication_never_approves(outcome: str, state: str):
    assert verdict(ITEM._replace(outcome=outcome), FIVE, 5).state == state


def test_a_clip_that_was_screened_out():
    assert verdict(ITEM._replace(clip_rejected=True), FIVE, 5).state == "clip rejected"
    assert clip_rejected([{"usable": "yes"}, {"usable": "unsure", "social": "no"}])
    assert not clip_rejected([{"usable": "yes"}, {}])


def test_who_missed_the_planted_approves_nothing_but_may_still_reject():
    found = detections([("r0", n < 4) for n in range(10)] + [("r1", n < 5) for n in range(10)] + [("r2", False)] * 9)
    assert found == {"r0": Detection(10, 4), "r1": Detection(10, 5), "r2": Detection(9, 0)}
    assert uncounted(found) == {"r0"}
    assert verdict(ITEM, FIVE, 5, {"r0"})[:2] == ("waiting", 4)
    assert verdict(ITEM, [*FIVE, vote(0, "reject")], 5, {"r0"}).state == "rejected"


MARKS = {
    "all yes": ({}, "approve"), "one no": ({2: "no"}, "reject"), "one unsure": ({1: "unsure"}, "abstain"),
    "no and unsure": ({0: "unsure", 3: "no"}, "reject"), "one open": ({3: None}, "abstain"),
}  # fmt: skip


@pytest.mark.parametrize(("changed", "expected"), MARKS.values(), ids=list(MARKS))
def test_a_decision_follows_from_the_marks(changed: dict[int, str | None], expected: str):
    given_marks = {one.name: changed.get(n, "yes") for n, one in enumerate(VERIFIED)}
    work = Work(said="answer", ids=("o1",), marks={name: mark for name, mark in given_marks.items() if mark})
    assert decision(work) == expected
    assert decision(work.model_copy(update={"said": "skip"})) == "abstain"


VOTES = st.lists(
    st.builds(vote, st.integers(0, 6), st.sampled_from(sorted(BALLOTS)), st.sampled_from(["o1", "o2"]),
              st.sampled_from(["answer", "ambiguous", "skip"]), st.sampled_from(["p", "q"])),
    max_size=9, unique_by=lambda one: one.reviewer,
)  # fmt: skip


@given(VOTES, st.permutations(range(9)), st.integers(1, 6))
def test_the_order_of_votes_is_no_matter(votes: list[Vote], order: list[int], needed: int):
    shuffled = [votes[place] for place in order if place < len(votes)]
    assert verdict(ITEM, votes, needed) == verdict(ITEM, shuffled, needed)


@given(VOTES, st.integers(1, 6))
def test_approved_means_what_it_says(votes: list[Vote], needed: int):
    found = verdict(ITEM, votes, needed)
    now = [one for one in votes if one.public_hash == "p"]
    counted = [one for one in now if one.item_hash == "h"]
    if found.state == "approved":
        assert {one.decision for one in counted} <= {"approve", "abstain"}
        assert sum(one.decision == "approve" for one in counted) >= needed
        assert sum(one.ids == ("o2",) for one in now) * 5 >= 4 * needed
        assert sum(one.said == "ambiguous" for one in now) < 2
    assert not found.disputed or found.state != "approved"


@given(st.integers(0, 40), st.integers(1, 7), st.integers(1, 7), st.integers(0, 99))
def test_a_deal_is_balanced_and_complete(count: int, people: int, each: int, seed: int):
    tasks, names = [f"t{n}" for n in range(count)], [f"p{n}" for n in range(people)]
    shares = deal(tasks, names, each, seed, "verification")
    assert sorted(task for own in shares.values() for task in own) == sorted(tasks * min(each, people))
    assert all(len(set(own)) == len(own) for own in shares.values())
    sizes = [len(own) for own in shares.values()]
    assert max(sizes) - min(sizes) <= 1
    assert shares == deal(reversed(tasks), names, each, seed, "verification")


def test_shares_of_one_are_disjoint_and_each_order_is_a_persons_own():
    shares = deal([f"t{n}" for n in range(60)], ["a", "b", "c"], 1, 7, "baseline")
    assert not set(shares["a"]) & set(shares["b"])
    both = deal([f"t{n}" for n in range(60)], ["a", "b"], 2, 7, "verification")
    assert sorted(both["a"]) == sorted(both["b"])
    assert both["a"] != both["b"]


@given(st.dictionaries(st.integers(0, 99).map(str), st.sampled_from("xyz"), max_size=40), st.integers(0, 50))
def test_strata_have_their_share(strata: dict[str, str], n: int):
    found = stratified(strata, n, 7)
    assert len(found) == len(set(found)) == min(n, len(strata))
    for stratum in set(strata.values()):
        whole = sum(own == stratum for own in strata.values())
        taken = sum(strata[name] == stratum for name in found)
        assert abs(taken - len(found) * whole / len(strata)) < 1
