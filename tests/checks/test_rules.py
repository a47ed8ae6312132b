"""Shortcut rules on a whole release: their bounds, and when nothing can be told."""

import random
from functools import cache

import numpy as np
import pytest
from benchwright.checks.blind import predict
from benchwright.checks.rules import Posed, rule_scores, upper_bounds
from benchwright.checks.shortcuts import SHORTCUTS
from benchwright.schemas.item import Option
from benchwright.schemas.score import RuleScore

WORDS = tuple(f"{first}{second}" for first in ("bo", "la", "wi", "ha", "fe") for second in ("at", "mp", "nd"))


def posed(count: int, giveaway: str = "", per_episode: int = 2) -> list[Posed]:
    """Items of random words; `giveaway` stands in every key and in no foil."""
    dice = random.Random(7)
    made = []
    for number in range(count):
        texts = [" ".join(dice.choices(WORDS, k=4)) + f" {number}.{at}" for at in range(6)]
        key = dice.randrange(6)
        texts[key] += giveaway
        options = tuple(Option(id=f"o{at}", text=text) for at, text in enumerate(texts))
        made.append(Posed(f"Question {number}?", "A boat.", options, (f"o{key}",), f"e{number // per_episode}", "s"))
    return made


@cache
def scores_of(count: int, giveaway: str, per_episode: int) -> dict[str, RuleScore]:
    return {score.rule: score for score in rule_scores(posed(count, giveaway, per_episode), seed=1)}


def test_every_rule_is_tried_in_both_directions() -> None:
    found = [score.rule for score in rule_scores(posed(20), seed=1)]
    assert found == [*SHORTCUTS, "learned-blind"]


@pytest.mark.parametrize(
    ("count", "per_episode", "giveaway", "rule", "verdict"),
    [
        pytest.param(299, 1, "", "longest", "too few to tell", id="one-item-short"),
        pytest.param(320, 1, "", "learned-blind", "holds", id="nothing-to-learn"),
        pytest.param(320, 1, " indeed and at some length", "longest", "breaks", id="keys-are-longest"),
        pytest.param(320, 1, " indeed", "learned-blind", "breaks", id="a-word-gives-keys-away"),
        pytest.param(320, 1, " indeed and at some length", "shortest", "holds", id="the-other-direction"),
        pytest.param(320, 60, "", "longest", "too few to tell", id="six-episodes"),
    ],
)
def test_verdicts(count: int, per_episode: int, giveaway: str, rule: str, verdict: str) -> None:
    scores = scores_of(count, giveaway, per_episode)
    assert scores[rule].verdict == verdict
    assert (scores[rule].reason == "") == (verdict != "too few to tell")
    assert scores[rule].limit == pytest.approx(1 / 6 + 0.1)


def test_a_bound_lies_above_wilson_and_grows_with_clustering() -> None:
    hits = np.zeros((400, 1))
    hits[:80] = 1.0
    alone, together = ([f"e{number // size}" for number in range(400)] for size in (1, 20))
    # Wilson one-sided: z = 1.645, p = .2, n = 400: (.2 + z²/800 + z √(.16/400 + z²/640000)) / (1 + z²/400) = .2350
    assert upper_bounds(hits, alone)[0] == pytest.approx(0.235, abs=0.002)
    clustered = upper_bounds(hits, together)[0]
    assert clustered is not None
    assert clustered > 0.3  # four of twenty episodes hold all hits
    assert upper_bounds(np.zeros((400, 1)), alone)[0] == pytest.approx(0.0067, abs=0.0005)  # z²/(400 + z²)


def test_items_with_several_right_options_are_left_out() -> None:
    items = [item._replace(answer=("o0", "o1")) for item in posed(3)]
    assert rule_scores(items, seed=1) == ()
    assert rule_scores([*items, *posed(2)], seed=1)[0].n == 2


def test_the_blind_model_sees_no_key_of_its_own_fold() -> None:
    items = posed(60, " indeed")
    episode = items[0].episode
    lying = [item._replace(answer=("o5",)) if item.episode == episode else item for item in items]
    own = [at for at, item in enumerate(items) if item.episode == episode]
    honest, misled = predict(items, seed=1), predict(lying, seed=1)
    assert [honest[at] for at in own] == [misled[at] for at in own]


def test_the_blind_model_has_one_story_to_learn_from() -> None:
    assert len(predict(posed(1), seed=1)) == 1
