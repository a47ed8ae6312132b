"""Social Caption: totals, the mixed model against its closed form and against statsmodels, F1 beside its baseline."""

import random
from typing import Any

import numpy as np
import pytest
from benchwright.scoring import caption, f1, mixed
from benchwright.scoring.caption import Rated
from benchwright.scoring.mixed import Scored, contrasts
from hypothesis import given
from hypothesis import strategies as st


def test_raters_then_videos() -> None:
    """v1 has two raters (24 and 20), v2 one (30): 26, not the mean of three."""
    ratings = [
        Rated("v1", "r1", (4, 4, 4, 4, 4, 4)),
        Rated("v1", "r2", (3, 3, 3, 3, 4, 4)),
        Rated("v2", "r1", (5, 5, 5, 5, 5, 5)),
    ]
    assert caption.by_video(ratings) == {"v1": 22, "v2": 30}
    assert caption.score(ratings).value == 26
    assert caption.item_means(ratings, caption.HSA_ITEMS)["scene description"] == 4
    assert caption.score([]) == (None, "no ratings")
    assert caption.item_means([], caption.DSA_ITEMS) == {}


@pytest.mark.parametrize(
    "items", [(5,) * 5, (5,) * 7, (0, 5, 5, 5, 5, 5), (6, 5, 5, 5, 5, 5), (4.5, 5, 5, 5, 5, 5), (True, 5, 5, 5, 5, 5)]
)
def test_a_judges_ratings_are_six_whole_ones(items: Any) -> None:
    with pytest.raises(ValueError, match="six whole ratings"):
        caption.total(items)


def scores(videos: int, seed: int, missing: float = 0, between: float = 2.0) -> list[Scored]:
    chance = random.Random(seed)
    ease = [chance.gauss(0, between) for _ in range(videos)]
    return [
        Scored(f"v{video:02}", model, 20 + effect + ease[video] + chance.gauss(0, 1))
        for video in range(videos)
        for model, effect in (("a", 0.0), ("b", 1.0), ("c", 2.7))
        if chance.random() >= missing
    ]


def test_complete_data_has_a_closed_form() -> None:
    """Mean paired difference, and √(2·MSE/n) with the mean square left by videos and models."""
    rows = scores(50, 1)
    table = np.array([row.score for row in rows]).reshape(50, 3)
    left = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    error = (2 * (left**2).sum() / (49 * 2) / 50) ** 0.5
    found, reason = contrasts(rows)
    assert reason == ""
    assert [(one.first, one.second) for one in found] == [("b", "a"), ("c", "a"), ("c", "b")]
    for one, (a, b) in zip(found, [(1, 0), (2, 0), (2, 1)], strict=True):
        assert one.estimate == pytest.approx((table[:, a] - table[:, b]).mean())
        assert one.error == pytest.approx(error, rel=1e-6)
        assert one.p <= one.p_holm <= 3 * one.p + 1e-12


@pytest.mark.parametrize(
    ("missing", "between", "near"), [(0, 2.0, 1e-4), (0.3, 2.0, 0.03), (0.3, 0.5, 0.03), (0.5, 4.0, 0.03)]
)
def test_gaps_are_those_of_statsmodels(missing: float, between: float, near: float) -> None:
    """Estimates and variances; with gaps its errors hold a little for the uncertainty of the variances, ours do not."""
    formulas = pytest.importorskip("statsmodels.formula.api")
    pandas = pytest.importorskip("pandas")
    rows = scores(50, 9, missing, between)
    data = pandas.DataFrame(rows)
    theirs = formulas.mixedlm("score ~ C(model)", data, groups="video").fit(reml=True)
    fitted, _ = mixed.fit(rows)
    assert fitted is not None
    assert fitted.residual == pytest.approx(theirs.scale, rel=1e-3)
    assert fitted.between == pytest.approx(float(theirs.cov_re.iloc[0, 0]), rel=1e-3)
    found, _ = contrasts(rows)
    for one, name in zip(found[:2], ("b", "c"), strict=True):
        assert one.estimate == pytest.approx(theirs.params[f"C(model)[T.{name}]"], abs=1e-4)
        assert one.error == pytest.approx(theirs.bse[f"C(model)[T.{name}]"], rel=near)


def test_the_order_of_rows_does_not_matter() -> None:
    rows = scores(20, 4, 0.3)
    shuffled = list(rows)
    random.Random(1).shuffle(shuffled)
    assert contrasts(rows) == contrasts(shuffled)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "0 models on 0 videos: too few to compare"),
        (scores(1, 1), "3 models on 1 videos: too few to compare"),
        ([Scored(f"v{n}", model, 5.0) for n in range(9) for model in "ab"], "scores do not vary within models"),
        (
            [Scored(f"v{n}", model, n + float(model == "b")) for n in range(9) for model in "ab"],
            "models differ by the same on every video: no error to test against",
        ),
    ],
)
def test_what_cannot_be_fitted(rows: list[Scored], reason: str) -> None:
    assert contrasts(rows) == ([], reason)


def test_videos_that_explain_nothing() -> None:
    """Within videos scores differ more than between them: the variance of videos is 0, and the error the pooled one."""
    chance = random.Random(2)
    rows = []
    for video in range(40):
        own = [1.0, -1.0]
        chance.shuffle(own)
        rows += [Scored(f"v{video:02}", model, value) for model, value in zip("ab", own, strict=True)]
    found, _ = mixed.fit(rows)
    assert found is not None
    assert found.between == pytest.approx(0, abs=1e-6)


binary = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30)


@given(pairs=binary)
def test_f1_is_symmetric_and_beats_nothing_by_saying_yes(pairs: list[tuple[bool, bool]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found, turned = f1.binary_f1(first, second), f1.binary_f1(second, first)
    assert found == turned
    if any(first) or any(second):
        assert 0 <= (found.f1.value or 0) <= 1
        always = f1.binary_f1(first, [True] * len(first)).f1.value
        assert always == pytest.approx(f1.always_positive(sum(first) / len(first)))
    else:
        assert found.f1 == (None, "neither rater says yes")


def test_four_counts_as_yes() -> None:
    assert f1.thresholded([1, 3, 4, 5]) == [False, False, True, True]
