"""Item analysis: planted faults are found, sound items raise no alarm, the order of models changes nothing."""

import random

import numpy as np
import pytest
from benchwright.scoring.itemanalysis import Asked, analyse, cronbach, subscores

OPTIONS = ("o1", "o2", "o3", "o4")
MODELS = 60


def asked(items: int = 40, miskeyed: int = 3, dead: int = 5) -> list[Asked]:
    """Models of growing ability answer. Item `miskeyed` has a wrong key, for the able choose o2; nobody takes one foil
    of item `dead`."""
    chance = random.Random(11)
    found = []
    for item in range(items):
        chosen = []
        for model in range(MODELS):
            knows = chance.random() < 0.2 + 0.75 * model / MODELS
            foils = {dead: OPTIONS[1:3], miskeyed: ("o1", "o3", "o4")}.get(item, OPTIONS[1:])
            right = "o2" if item == miskeyed else "o1"
            chosen.append(frozenset({right if knows else chance.choice(foils)}))
        found.append(Asked(f"i{item:02}", frozenset({"o1"}), OPTIONS, tuple(chosen)))
    return found


def test_planted_faults() -> None:
    found = analyse(asked())
    assert [one.item for one in found if one.miskey] == ["i03"]
    assert found[3].miskey == ("o2",)
    assert (found[3].discrimination.value or 0) < 0 < found[3].difficulty < 0.2
    assert found[5].rare_foils == ("o4",)
    assert sum(bool(one.rare_foils) for one in found) < 10
    sound = [one.discrimination.value or 0 for number, one in enumerate(found) if number != 3]
    assert np.mean(sound) > 0.15
    assert not any(one.exploratory for one in found)
    low, _, high = found[0].foils["o2"]
    assert low > high


def test_the_order_of_models_does_not_matter() -> None:
    before = asked()
    order = list(range(MODELS))
    random.Random(2).shuffle(order)
    after = [one._replace(chosen=tuple(one.chosen[place] for place in order)) for one in before]
    for first, second in zip(analyse(before), analyse(after), strict=True):
        assert first._replace(discrimination=second.discrimination) == second
        assert first.discrimination.value == pytest.approx(second.discrimination.value, abs=1e-12)


def test_few_models_are_exploratory() -> None:
    one = Asked("i", frozenset({"o1"}), OPTIONS, (frozenset({"o1"}), frozenset()))
    (found,) = analyse([one])
    assert found.exploratory
    assert found.difficulty == 0.5
    assert analyse([]) == []
    with pytest.raises(ValueError, match="one choice a model"):
        analyse([one, one._replace(chosen=())])


def test_cronbach_of_equal_items_is_one() -> None:
    assert cronbach(np.array([[0, 1, 1, 0], [0, 1, 1, 0]], float)).value == pytest.approx(1)
    assert cronbach(np.ones((2, 4))) == (None, "models do not differ")
    assert cronbach(np.ones((1, 4))).value is None


def test_a_subscore_of_its_own_and_one_of_the_same() -> None:
    """T rests on an ability of its own, which the total predicts worse than T's own items do. N1 and N2 share one: the
    total of twenty items knows it better than N1's five."""
    chance = np.random.RandomState(4)
    own, shared = chance.normal(size=(2, 400))

    def items(ability: np.ndarray, number: int) -> np.ndarray:
        return (ability + chance.normal(size=(number, 400)) > 0).astype(float)

    third, first, second = items(own, 20), items(shared, 5), items(shared, 15)
    apart = subscores({"T": third, "N1": first, "N2": second})["T"]
    together = subscores({"N1": first, "N2": second})["N1"]
    assert (apart.reliability.value or 0) > (apart.prmse.value or 0) + 0.1
    assert (together.prmse.value or 0) > (together.reliability.value or 0) + 0.1
    assert not apart.exploratory
    alone = subscores({"T": third})["T"]
    assert alone.prmse.value == pytest.approx(alone.reliability.value)  # the total is the subscore itself
