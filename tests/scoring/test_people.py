"""Human baselines, endorsement, mismatched videos, tiers, clustered errors."""

import pytest
from benchwright.scoring import mismatch, tiers
from benchwright.scoring.clustered import standard_errors
from benchwright.scoring.human import Marked, baseline, consistency
from hypothesis import given
from hypothesis import strategies as st

MARKS = [
    Marked("ann", "i1", "T", 1.0),
    Marked("ann", "i2", "N", None),
    Marked("bob", "i1", "T", 0.0),
    Marked("bob", "i2", "N", 1.0),
]


def test_skipped_in_or_out() -> None:
    within, without = baseline(MARKS, count_skipped=True), baseline(MARKS, count_skipped=False)
    assert (within.n, within.pooled.value, within.macro.value) == (4, 0.5, 0.5)
    assert (without.n, without.pooled.value, without.macro.value) == (3, 2 / 3, 0.75)
    assert {person: figure.value for person, figure in within.by_person.items()} == {"ann": 0.5, "bob": 0.5}
    assert {name: figure.value for name, figure in without.by_capability.items()} == {"N": 1.0, "T": 0.5}


def test_nobody() -> None:
    found = baseline([], count_skipped=True)
    assert (found.pooled, found.macro) == ((None, "nobody answered"),) * 2


def test_sanity_duplicates() -> None:
    again = [Marked("ann", "i1", "T", 1.0), Marked("bob", "i1", "T", 1.0), Marked("cyd", "i1", "T", 1.0)]
    assert consistency(MARKS, again).value == 0.5
    assert consistency(MARKS, []).value is None


def test_the_published_derangement() -> None:
    assert mismatch.derangement(6, 42) == [1, 2, 3, 4, 5, 0]  # SCORING 22
    assert mismatch.derangement(0, 42) == []
    with pytest.raises(ValueError, match="two videos or more"):
        mismatch.derangement(1, 42)


@given(videos=st.lists(st.sampled_from([f"v{n}" for n in range(30)]), min_size=2).filter(lambda own: len(set(own)) > 1),
       seed=st.sampled_from(mismatch.HISTORY_SEEDS))  # fmt: skip
def test_no_video_keeps_its_own_and_none_serves_twice(videos: list[str], seed: int) -> None:
    found = mismatch.partners(videos, seed)
    assert all(video != other for video, other in found.items())
    assert set(found) == set(found.values()) == set(videos)
    assert mismatch.partners(videos[::-1], seed) == found


def test_mismatched_scores_must_fall() -> None:
    found = mismatch.mismatch([25, 28, 30], [6, 7, 28])
    assert found.matched.value == pytest.approx(83 / 3)
    assert found.mismatched.value == pytest.approx(41 / 3)
    assert found.auc.value == pytest.approx((2 + 2.5 + 3) / 9)  # 28 ties with 28
    assert mismatch.auc([], [1]) == (None, "no scores on one side")
    assert mismatch.mean_over_seeds([[1, 0], [0, 0], [1, 1]]) == pytest.approx([2 / 3, 1 / 3])


def test_tiers() -> None:
    found = tiers.profiles([("T", "A"), ("T", "C"), ("N", "AB"), ("N", "B")])
    assert list(found) == ["N", "T", "all"]
    assert found["T"] == (2, {"A": 0.5, "B": 0, "AB": 0, "C": 0.5})
    assert found["all"].grounded() == 0.75
    assert tiers.profiles([]) == {}


def test_one_cluster_has_no_error() -> None:
    assert standard_errors([1, 0], ["a", "a"]).plain == (None, "1 clusters")


def test_clusters_of_one_are_independent_items() -> None:
    """Then the corrected error is the plain one of the mean, s / √n."""
    found = standard_errors([1, 0, 1, 1], list("abcd"))
    assert found.corrected.value == pytest.approx((0.25 / 4) ** 0.5)
    assert found.cross_terms.value == pytest.approx(found.corrected.value)
