"""Verified credit, its alternatives, stage losses, retention: tables by hand and the laws that they keep."""

import math

import pytest
from benchwright.scoring import stages, verified
from benchwright.scoring.rationale import covered
from benchwright.scoring.verified import AGGREGATES, LABELS, SOFT, STANDARD, STRICT, Judged, Weights
from hypothesis import given
from hypothesis import strategies as st

replies = st.builds(
    Judged,
    st.sampled_from([0.0, 0.5, 1.0]),
    st.booleans(),
    st.sampled_from([None, *LABELS]),
    st.sampled_from([None, *LABELS]),
)
weights = st.sampled_from([STANDARD, SOFT, STRICT])


@given(reply=replies, weights=weights)
def test_verified_is_at_most_raw(reply: Judged, weights: Weights) -> None:
    assert 0 <= verified.verified(reply, weights) <= reply.answer
    for aggregate in AGGREGATES:
        assert 0 <= verified.aggregated(reply, aggregate) <= reply.answer


@given(reply=replies, weights=weights)
def test_losses_and_what_is_kept_sum_to_one(reply: Judged, weights: Weights) -> None:
    losses = stages.stage_losses(reply, weights)
    assert math.fsum(losses) == pytest.approx(1, abs=1e-12)
    assert all(-1e-12 <= loss <= 1 for loss in losses)
    assert losses.kept == pytest.approx(verified.verified(reply, weights), abs=1e-12)


@given(rows=st.lists(st.tuples(st.sampled_from("TNS"), replies), min_size=1, max_size=20))
def test_mean_losses_sum_to_one_and_know_no_order(rows: list[tuple[str, Judged]]) -> None:
    groups, own = zip(*rows, strict=True)
    losses = stages.mean_losses(own, groups)
    turned = stages.mean_losses(own[::-1], groups[::-1])
    assert losses is not None
    assert turned is not None
    assert math.fsum(losses) == pytest.approx(1, abs=1e-12)
    assert turned == pytest.approx(losses, abs=1e-12)


def test_mean_losses_weigh_capabilities_alike() -> None:
    """T: one answer lost. N: three kept whole. Half is lost, not a quarter."""
    right, wrong = Judged(1, True, "strong", "coherent"), Judged(0, True, "strong", "coherent")
    assert stages.mean_losses([wrong, right, right, right], "TNNN") == (0.5, 0, 0, 0, 0.5)
    assert stages.mean_losses([], []) is None


@pytest.mark.parametrize(
    ("aggregate", "evidence", "logic", "expected"),
    [
        ("product", "weak", "acceptable", 0.8 / 1.44),
        ("mean", "weak", "acceptable", 1.8 / 2.4),
        ("mean", "strong", "unevaluable", 0),
        ("minimum", "weak", "acceptable", 0.8 / 1.2),
        ("support only", "weak", "coherent", 0.8 / 1.2),
        ("support only", "strong", None, 0),
        ("logic only", "weak", "coherent", 1),
        ("threshold", "normal", "acceptable", 1),
        ("threshold", "weak", "coherent", 0),
        ("both strongest", "strong", "coherent", 1),
        ("both strongest", "strong", "acceptable", 0),
    ],
)
def test_alternatives(aggregate: str, evidence: str, logic: str | None, expected: float) -> None:
    assert verified.aggregated(Judged(1, True, evidence, logic), aggregate) == pytest.approx(expected)


def test_a_label_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="no label 'great'"):
        verified.verified(Judged(1, True, "great", "coherent"))


def test_adverse_labels_count_among_right_answers_only() -> None:
    found = verified.adverse(
        [
            Judged(1, True, "weak", "contradictory"),
            Judged(1, True, "contradicted", "coherent"),
            Judged(1, True, "normal", "weak"),
            Judged(1, True, "normal", "acceptable"),
            Judged(0.5, True, "weak", "weak"),
        ]
    )
    assert found == (4, 1, 1, 1, 1)
    assert (found.evidence_rate().value, found.logic_rate().value) == (0.5, 0.5)
    assert verified.adverse([]).evidence_rate() == (None, "no reply has full answer credit")


def test_rationale_quality_where_both_are_right() -> None:
    strong, weak, wrong = (
        Judged(1, True, "strong", "coherent"),
        Judged(1, True, "weak", "coherent"),
        Judged(0, True, "strong", "coherent"),
    )
    found = verified.joint_weights([strong, strong, wrong], [strong, weak, strong])
    assert found.n == 2
    assert found.first.value == 1
    assert found.second.value == pytest.approx((1 + 0.8 / 1.2) / 2)
    assert found.difference.value == pytest.approx(0.2 / 1.2)
    assert verified.joint_weights([wrong], [strong]).difference.value is None


def test_retention() -> None:
    assert stages.retention([1, 0.5, 0], [0.75, 0.25, 0]).value == pytest.approx(1 / 1.5)
    assert stages.retention([0, 0], [0, 0]) == (None, "no answer credit to retain")


def test_half_credits() -> None:
    found = stages.half_credits([0, 0.5, 0.5, 1])
    assert found is not None
    assert found == (0.75, 0.25, 0.5)
    assert stages.half_credits([]) is None
    with pytest.raises(ValueError, match=r"0\.7 is none of"):
        stages.half_credits([0.7])


@given(counts=st.lists(st.integers(0, 30), min_size=6, max_size=6))
def test_the_gap_is_the_sum_of_its_parts(counts: list[int]) -> None:
    first, second = stages.half_credit(*counts[:3]), stages.half_credit(*counts[3:])
    if first and second:
        gap = stages.half_credit_gap(first, second)
        assert gap.gap == pytest.approx(gap.from_nonzero + gap.from_full, abs=1e-12)


@pytest.mark.parametrize(("label", "value"), [(0.5, 0.5), (1.0, 1.0), (0.7, None), (None, None)])
def test_a_judges_label_is_never_silently_nothing(label: float | None, value: float | None) -> None:
    found = stages.open_credit(label)
    assert found.value == value
    assert (value is None) == found.reason.startswith("judge error")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She turns her chair away.", True),
        ("turns away", False),
        ("she turns away", True),
        ("  ", False),
        (None, False),
        ("N/A", False),
        ("Why did she leave the room?", False),  # the question again
        ("she wants to be alone", False),  # an option again
        ("She wants to be alone!", False),
        ("她转过身去不看他", True),
        ("她转身了", False),
        ("彼女は椅子をそらした", True),
        ("เธอหันหลังให้เขา", True),
        ("don't look-away now", True),
        ("... --- ...", False),
    ],
)
def test_what_is_informative(text: str | None, expected: bool) -> None:
    options = ["She wants to be alone.", "She is late for work."]
    assert covered({"G": text}, "Why did she leave the room?", options) == expected
    assert (
        covered({"G": None, "R": text, "answer": "she has to go home"}, "Why did she leave the room?", options)
        == expected
    )
