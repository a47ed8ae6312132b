"""Matched subsets: as near to the whole as can be, whatever the order, and honest about the rest."""

import random
from collections import Counter

import pytest
from benchwright.scoring.sample import LEVELS, Unit, sample, thirds
from hypothesis import given, settings
from hypothesis import strategies as st

FACTORS = {"difficulty": LEVELS, "question": ("why", "what", "how", "who"), "people": ("1", "2", "3 or more"),
           "dialogue": LEVELS}  # fmt: skip


def whole(n: int, seed: int = 1) -> list[Unit]:
    """Units whose factors lean to their first levels."""
    rng = random.Random(seed)
    return [
        Unit(f"v{number:03}", {factor: rng.choices(levels, range(len(levels), 0, -1))[0]
                               for factor, levels in FACTORS.items()})
        for number in range(n)
    ]  # fmt: skip


def test_a_miniature_by_hand() -> None:
    """Six of a, three of b, three of c, half of them wanted: 3, 1.5 and 1.5. The one seat over goes to b or to c."""
    units = [Unit(f"{level}{number}", {"x": level}) for level, count in (("a", 6), ("b", 3), ("c", 3))
             for number in range(count)]  # fmt: skip
    found = sample(units, 6, 42)
    counts = Counter(name[0] for name in found.ids)
    assert counts["a"] == 3
    assert sorted((counts["b"], counts["c"])) == [1, 2]
    assert [level.wanted for level in found.levels] == [3, 1.5, 1.5]
    assert found.unmatched() == []
    assert found.lost == ()


def test_fifty_of_a_hundred_and_forty_five_match_on_every_factor() -> None:
    """The size of Social Caption's subset."""
    found = sample(whole(145), 50, 42)
    assert len(set(found.ids)) == 50
    assert found.unmatched() == []


def test_what_cannot_be_matched_is_told() -> None:
    """Two units differ in all four factors: one seat leaves half of a unit of each level open, and one stratum out."""
    units = [Unit("a", {"x": "1", "y": "1"}), Unit("b", {"x": "2", "y": "2"})]
    found = sample(units, 1, 42)
    assert [level.wanted for level in found.levels] == [0.5] * 4
    assert found.lost in (("x=1, y=1 (1)",), ("x=2, y=2 (1)",))
    lonely = [Unit(f"a{place}", {"x": "usual"}) for place in range(30)] + [Unit("b", {"x": "rare"})]
    assert sample(lonely, 10, 42).lost == ("x=rare (1)",)


def test_a_level_that_is_a_whole_unit_off_is_told() -> None:
    """Four units under five factors, two wanted: nearest on the whole are the first and the last, and both are b in the
    fourth factor, where one of each is wanted."""
    letters = ("baabb", "aabaa", "bbaab", "bbbbb")
    units = [Unit(f"u{place}", {f"f{at}": own for at, own in enumerate(row)}) for place, row in enumerate(letters)]
    found = sample(units, 2, 42)
    assert found.ids == ("u0", "u3")
    assert [(level.factor, level.level, level.taken, level.wanted) for level in found.unmatched()] == [
        ("f3", "a", 0, 1),
        ("f3", "b", 2, 1),
    ]


@settings(max_examples=40)
@given(n=st.integers(1, 60), size=st.integers(1, 60), world=st.integers(0, 20), seed=st.integers(0, 5))
def test_the_laws_of_a_sample(n: int, size: int, world: int, seed: int) -> None:
    units = whole(max(n, size), world)
    found = sample(units, n, seed)
    assert len(set(found.ids)) == n
    assert set(found.ids) <= {unit.id for unit in units}
    random.Random(seed).shuffle(units)
    assert sample(units, n, seed) == found
    for factor in FACTORS:
        own = [level for level in found.levels if level.factor == factor]
        assert sum(level.taken for level in own) == n
        assert sum(level.wanted for level in own) == pytest.approx(n)
        assert sum(level.units for level in own) == len(units)


def test_another_seed_takes_others() -> None:
    units = whole(145)
    assert len({sample(units, 50, seed).ids for seed in range(5)}) == 5


@pytest.mark.parametrize(
    ("units", "n", "says"),
    [
        ([], 1, "1 of 0"),
        ([Unit("a", {"x": "1"})], 2, "2 of 1"),
        ([Unit("a", {"x": "1"})] * 2, 1, "id of its own"),
        ([Unit("a", {"x": "1"}), Unit("b", {"y": "1"})], 1, "same factors"),
    ],
    ids=["none", "too many", "twice", "unlike"],
)
def test_what_cannot_be_sampled(units: list[Unit], n: int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        sample(units, n, 42)


def test_thirds_by_hand() -> None:
    assert thirds({"a": 1, "b": 2, "c": 3}) == {"a": "low", "b": "middle", "c": "high"}
    assert thirds({"a": 1, "b": 1}) == {"a": "middle", "b": "middle"}
    assert thirds({}) == {}
    even = Counter(thirds({str(place): place for place in range(30)}).values())
    assert max(even.values()) - min(even.values()) <= 2


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 5), max_size=20))
def test_equal_values_are_in_the_same_third(values: dict[str, int]) -> None:
    levels = thirds(values)
    assert all((levels[a] == levels[b]) or values[a] != values[b] for a in values for b in values)
    order = [LEVELS.index(levels[name]) for name in sorted(values, key=values.__getitem__)]
    assert order == sorted(order)
