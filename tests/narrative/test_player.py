"""The player model on chains that can be solved by hand."""

import math
import random

import pytest
from benchwright.errors import UsageError
from benchwright.narrative.explore import explore
from benchwright.narrative.player import PlayerModel
from hypothesis import given
from hypothesis import strategies as st


def model(graph_story, graph, shares=None, **bounds) -> PlayerModel:
    chart = explore(graph_story(graph), **bounds)
    return PlayerModel(chart, shares) if shares else PlayerModel(chart)


FORK = {"s": {"a": ("good",), "b": ("t",)}, "t": {"a": ("good",), "b": ("bad",), "c": ("bad",)}, "good": {}, "bad": {}}
LOOP = {
    "s": {"again": ("s",), "go": ("t",), "quit": ("bad",)},
    "t": {"back": ("s",), "on": ("good",)},
    "good": {},
    "bad": {},
}
TRAP = {"s": {"a": ("good",), "b": ("round",)}, "round": {"on": ("about",)}, "about": {"on": ("round",)}, "good": {}}
TWO_WAYS = {
    "s": {"a": ("t",), "b": ("t",), "c": ("good",)},
    "t": {"a": ("good",), "b": ("bad",)},
    "good": {},
    "bad": {},
}


@pytest.mark.parametrize(
    ("graph", "endings", "decisions"),
    [
        # good = 1/2 + 1/2 · 1/3; one decision, and a second one half of the time.
        pytest.param(FORK, {"good": 2 / 3, "bad": 1 / 3}, 1.5, id="a tree"),
        # s = 1/3 s + 1/3 t + bad/3 and t = 1/2 s + good/2: s(1 − 1/3 − 1/6) = good/6 + bad/3, so s = good/3 + 2 bad/3.
        # Visits: n(s) = 1 + n(s)/3 + n(t)/2 and n(t) = n(s)/3, so n(s) = 2, n(t) = 2/3.
        pytest.param(LOOP, {"good": 1 / 3, "bad": 2 / 3}, 8 / 3, id="cycles"),
        # Two of three choices lead to one state: t = 2/3, good = 1/3 + 1/3.
        pytest.param(TWO_WAYS, {"good": 2 / 3, "bad": 1 / 3}, 5 / 3, id="parallel transitions"),
        pytest.param({"only": {}}, {"only": 1.0}, 0.0, id="nothing to choose"),
    ],
)
def test_endings_and_length_of_a_play(graph_story, graph, endings, decisions: float):
    found = model(graph_story, graph).outcomes()
    assert found.endings == pytest.approx(endings)
    assert found.decisions == pytest.approx(decisions)
    assert (found.unexplored, found.endless) == pytest.approx((0, 0))


def test_a_play_may_never_end(graph_story):
    found = model(graph_story, TRAP).outcomes()
    assert found.endings == pytest.approx({"good": 0.5})
    assert found.endless == pytest.approx(0.5)
    assert found.decisions == math.inf


def test_a_story_without_an_ending(graph_story):
    found = model(graph_story, {"s": {"on": ("t",)}, "t": {"on": ("s",)}}).outcomes()
    assert (found.endings, found.unexplored, found.endless, found.decisions) == ({}, 0, 1, math.inf)


@pytest.mark.parametrize(
    ("depth", "good", "unexplored", "decisions"),
    [
        pytest.param(0, 0.0, 1.0, 0.0, id="nothing expanded"),
        pytest.param(1, 0.5, 0.5, 1.0, id="the second decision not expanded"),
    ],
)
def test_what_was_not_explored_is_no_ending(graph_story, depth: int, good: float, unexplored: float, decisions: float):
    found = model(graph_story, FORK, max_depth=depth).outcomes()
    assert found.endings.get("good", 0.0) == pytest.approx(good)
    assert found.unexplored == pytest.approx(unexplored)
    assert found.decisions == pytest.approx(decisions)


def test_recorded_shares_weigh_the_choices(graph_story):
    # Three players in four take the first of two choices; of three choices each is taken by a third.
    found = model(graph_story, FORK, lambda state: (3, 1) if len(state.choices) == 2 else (1, 1, 1)).outcomes()
    assert found.endings == pytest.approx({"good": 3 / 4 + 1 / 12, "bad": 2 / 12})


def test_a_choice_that_nobody_takes_closes_its_cycle(graph_story):
    # Nobody goes on from t: then s = 1/3 s + 1/3 t + 1/3 bad with t = s.
    found = model(graph_story, LOOP, lambda state: (1, 0) if len(state.choices) == 2 else (1, 1, 1)).outcomes()
    assert found.endings == pytest.approx({"bad": 1.0})


@pytest.mark.parametrize("shares", [(1,), (1, -1, 1), (0, 0, 0), (1, math.nan, 1), (1, math.inf, 1)], ids=str)
def test_shares_that_are_none_are_refused(graph_story, shares):
    with pytest.raises(UsageError, match="expected"):
        model(graph_story, LOOP, lambda _: shares)


def test_success_from_every_state(graph_story):
    chart = explore(graph_story(LOOP))
    success = dict(
        zip([chart.state(n).location for n in range(len(chart))], PlayerModel(chart).success({"good"}), strict=True)
    )
    # From t: 1/2 + 1/2 · 1/3.
    assert success == pytest.approx({"s": 1 / 3, "t": 2 / 3, "good": 1, "bad": 0})


def test_success_where_a_play_may_never_end(graph_story):
    chart = explore(graph_story(TRAP))
    assert PlayerModel(chart).success({"good"}) == pytest.approx([0.5, 1, 0, 0])


@given(st.data())
def test_probabilities_sum_to_one_and_hold_at_every_step(random_stories, data):
    chart = explore(data.draw(random_stories), max_states=25)
    chain = PlayerModel(chart)
    found = chain.outcomes()
    assert sum(found.endings.values()) + found.unexplored + found.endless == pytest.approx(1)
    reached = [chart.state(number).ending for number in range(len(chart))]
    good = next((ending for ending in reached if ending), "")
    success = chain.success({good})
    assert success[0] == pytest.approx(found.endings.get(good, 0.0))
    assert all(-1e-9 <= part <= 1 + 1e-9 for part in success)
    for number in range(len(chart)):  # one step of the chain keeps the probability
        if edges := chart.transitions(number):
            assert success[number] == pytest.approx(sum(success[edge.target] for edge in edges) / len(edges), abs=1e-9)


def test_a_long_story_is_solved_as_played(graph_story):
    # A walk on a line of 60 places, up or down, from the middle: the gambler's ruin.
    line = {f"n{k}": {"up": (f"n{k + 1}",), "down": (f"n{k - 1}",)} for k in range(1, 60)}
    graph = {"n20": line.pop("n20"), **line, "n0": {}, "n60": {}}
    found = model(graph_story, graph).outcomes()
    assert found.endings == pytest.approx({"n60": 20 / 60, "n0": 40 / 60})
    assert found.decisions == pytest.approx(20 * 40)
    chance, ups = random.Random(5), 0
    for _ in range(300):
        place = 20
        while 0 < place < 60:
            place += 1 if chance.random() < 0.5 else -1
        ups += place == 60
    assert ups / 300 == pytest.approx(found.endings["n60"], abs=0.1)
