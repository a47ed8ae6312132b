"""Agreement: by hand, against other people's libraries on a thousand random tables, and where nothing is defined."""

import random
import warnings
from typing import Any

import numpy as np
import pytest
from benchwright.scoring import coefficients
from benchwright.scoring.agreement import Agreement, agreement, measure
from benchwright.scoring.ratings import GAP, Ratings, tabulate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TABLES = 1000
Table = list[list[int | None]]


def random_tables() -> list[Table]:
    """2 to 6 raters, 1 to 30 units, 1 to 5 categories, up to half of the ratings missing; some all equal."""
    chance = random.Random(20261130)
    tables = []
    for _ in range(TABLES):
        raters, units, categories = chance.randint(2, 6), chance.randint(1, 30), chance.randint(1, 5)
        missing, follows = chance.choice([0, 0, 0.1, 0.3, 0.5]), chance.random()
        truth = [chance.randint(1, categories) for _ in range(units)]
        tables.append(
            [
                [
                    None
                    if chance.random() < missing
                    else (own if chance.random() < follows else chance.randint(1, categories))
                    for _ in range(raters)
                ]
                for own in truth
            ]
        )
    return tables


@pytest.fixture(scope="module")
def tables() -> list[Ratings]:
    return [tabulate(table, categories=range(1, 6)) for table in random_tables()]


def same(ours: float | None, theirs: float, where: object) -> None:
    if ours is None:
        assert np.isnan(theirs), f"undefined, but {theirs} elsewhere: {where}"
    else:
        assert ours == pytest.approx(theirs, abs=1e-9), where


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_is_that_of_krippendorff(level: Any, tables: list[Ratings]) -> None:
    library = pytest.importorskip("krippendorff")
    undefined = 0
    for ratings in tables:
        counts = ratings.counts()
        ours = measure(coefficients.krippendorff(ratings, level)).value
        paired = counts[counts.sum(axis=1) > 1].sum(axis=0)
        if (paired > 0).sum() < 2:  # the library raises, or warns and gives NaN or 1
            undefined += 1
            assert ours is None
            continue
        theirs = library.alpha(
            value_counts=counts.astype(int), value_domain=[1, 2, 3, 4, 5], level_of_measurement=level
        )
        same(ours, theirs, ratings)
    assert 50 < undefined < TABLES / 2


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_is_that_of_scikit_learn(weights: Any, tables: list[Ratings]) -> None:
    library = pytest.importorskip("sklearn.metrics")
    undefined = 0
    for ratings in tables:
        a, b = (ratings.codes[:, rater] for rater in (0, 1))
        both = (a != GAP) & (b != GAP)
        ours = measure(coefficients.cohen(ratings, 0, 1, weights)).value
        if not both.any():
            assert ours is None
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = library.cohen_kappa_score(a[both], b[both], labels=list(range(5)), weights=weights)
        undefined += ours is None
        same(ours, theirs, ratings)
    assert undefined > 50


def test_fleiss_is_that_of_statsmodels(tables: list[Ratings]) -> None:
    library = pytest.importorskip("statsmodels.stats.inter_rater")
    undefined = 0
    for ratings in tables:
        counts = ratings.counts()
        whole = counts[counts.sum(axis=1) == ratings.codes.shape[1]]
        ours = measure(coefficients.fleiss(ratings)).value
        undefined += ours is None
        if ours is None:  # there: NaN, or nothing to divide by
            assert len(whole) == 0 or (whole.sum(axis=0) > 0).sum() == 1
            continue
        same(ours, library.fleiss_kappa(whole), ratings)
    assert undefined > 50


def test_three_models_by_hand() -> None:
    """Three raters, four units: aab, aaa, bbb, ab·. Raw (1/3 + 1 + 1 + 0) / 4; unanimous 2 of 4.
    Fleiss on the three whole units: a 5/9, b 4/9, P = 7/9, P_e = 41/81, kappa = 22/40."""
    found = agreement([["a", "a", "b"], ["a", "a", "a"], ["b", "b", "b"], ["a", "b", None]])
    assert found.units == 4
    assert found.raw.figure.value == pytest.approx(7 / 12)
    assert found.unanimity.figure.value == pytest.approx(1 / 2)
    assert found.fleiss.figure.value == pytest.approx(22 / 40)
    assert found.cohen[0, 1].value == pytest.approx(1 / 2)  # aa aa bb ab: 3/4 observed, 1/2 expected
    assert found.cohen_mean.value == pytest.approx(np.mean([own.value for own in found.cohen.values()]))


def test_gwet_by_hand() -> None:
    """Two raters, ten units: nine times yes-yes, once yes-no. π(yes) = 19/20, P_e = 2 · 19/20 · 1/20, P = 9/10."""
    found = agreement([["y", "y"]] * 9 + [["y", "n"]])
    assert found.gwet.figure.value == pytest.approx((0.9 - 0.095) / (1 - 0.095))
    assert found.cohen[0, 1].value == pytest.approx(0)  # kappa sees nothing in the same table


OBSERVERS = (
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
)
"""Four observers of twelve units, with gaps: K. Krippendorff 2011, section C; K. L. Gwet 2014, table 2.10."""


@pytest.mark.parametrize(
    ("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_on_krippendorffs_own_table(level: Any, expected: float) -> None:
    ratings = tabulate(list(zip(*OBSERVERS, strict=True)))
    assert measure(coefficients.krippendorff(ratings, level)).value == pytest.approx(expected, abs=6e-4)


def test_gwet_on_the_same_table() -> None:
    """AC1 0.775 is printed there; AC2 as the package irrCAC 0.4 gives it."""
    ratings = tabulate(list(zip(*OBSERVERS, strict=True)))
    assert measure(coefficients.gwet(ratings)).value == pytest.approx(0.77544, abs=1e-5)
    assert measure(coefficients.gwet(ratings, "linear")).value == pytest.approx(0.858739136, abs=1e-9)
    assert measure(coefficients.gwet(ratings, "quadratic")).value == pytest.approx(0.914000724, abs=1e-9)


def test_never_alpha_alone() -> None:
    """Five raters who approve 96 % at random: raw agreement .92, alpha .01 (SCORING)."""
    chance = random.Random(5)
    found = agreement([[int(chance.random() < 0.96) for _ in range(5)] for _ in range(2000)])
    assert found.raw.figure.value == pytest.approx(0.96**2 + 0.04**2, abs=0.01)
    assert found.alpha.figure.value == pytest.approx(0, abs=0.02)
    assert found.gwet.figure.value == pytest.approx(0.92, abs=0.02)


def corrected(found: Agreement) -> list[Any]:
    return [found.fleiss.figure, found.alpha.figure, found.gwet.figure, found.cohen_mean, *found.cohen.values()]


@pytest.mark.parametrize(
    ("table", "raw"),
    [
        ([["a", "a", "a"]] * 5, 1.0),
        ([["a", None, None], [None, "b", None]], None),
        ([[None, None]], None),
        ([], None),
    ],
    ids=["all equal", "never two", "no ratings", "no units"],
)
def test_what_is_undefined_has_a_reason(table: Any, raw: float | None) -> None:
    found = agreement(table)
    assert found.raw.figure.value == raw
    for figure in corrected(found):
        assert figure.value is None
        assert figure.reason


def test_raters_who_never_agree_because_each_says_one_thing() -> None:
    """Both constant, and not the same: as far from agreement as chance is, not undefined."""
    assert agreement([["a", "b"]] * 5).cohen[0, 1].value == 0


def test_bad_tables() -> None:
    with pytest.raises(ValueError, match="one entry a rater"):
        tabulate([["a"], ["a", "b"]])
    with pytest.raises(ValueError, match="'c' is not on the scale"):
        tabulate([["a", "c"]], categories=["a", "b"])


ratings = st.lists(st.lists(st.sampled_from([1, 2, 3, None]), min_size=3, max_size=3), min_size=1, max_size=15)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=ratings, order=st.randoms(use_true_random=False))
def test_neither_the_order_of_units_nor_that_of_raters_matters(table: Table, order: random.Random) -> None:
    columns = [0, 1, 2]
    order.shuffle(columns)
    turned = [[row[column] for column in columns] for row in table]
    order.shuffle(turned)
    before, after = (agreement(one, level="ordinal", weights="quadratic") for one in (table, turned))
    for name in ("raw", "unanimity", "fleiss", "alpha", "gwet"):
        same_figure(getattr(before, name).figure.value, getattr(after, name).figure.value)
    same_figure(before.cohen_mean.value, after.cohen_mean.value)


def same_figure(first: float | None, second: float | None) -> None:
    assert first == (None if second is None else pytest.approx(second, abs=1e-9))


def test_intervals_are_by_cluster() -> None:
    """Every unit five times over: as clusters they tell no more than once, as units of their own they seem to."""
    chance = random.Random(3)
    once = [[chance.randint(0, 1), chance.randint(0, 1)] for _ in range(20)]
    videos = [f"v{number:02}" for number in range(20)]
    single = agreement(once, videos).raw.interval
    fivefold = agreement(once * 5, videos * 5).raw.interval
    pretended = agreement(once * 5, [str(number) for number in range(100)]).raw.interval
    assert single is not None
    assert pretended is not None
    assert single == fivefold
    assert pretended.high - pretended.low < 0.7 * (single.high - single.low)
    assert agreement(once[:9], videos[:9]).alpha.interval is None
