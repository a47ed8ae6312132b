"""Causal locks on graphs whose futures can be read off."""

from typing import Any

import pytest
from benchwright.narrative.explore import explore
from benchwright.narrative.locks import Locks
from hypothesis import given
from hypothesis import strategies as st

# Right after a choice comes no lock: it takes a decision between.
NEAR = {"s": {"a": ("good",), "b": ("bad",)}, "good": {}, "bad": {}}
# `b` shuts off the good ending, which lies one decision beyond `a`, and the choice there.
FAR = {
    "s": {"a": ("t",), "b": ("u",)},
    "t": {"c": ("v",), "d": ("bad",)},
    "u": {"e": ("bad",)},
    "v": {"f": ("good",)},
    "good": {},
    "bad": {},
}
# From the hub every room can be had in any order, and the way out is always open.
HUB = {"hub": {"a": ("hub",), "b": ("room",), "out": ("end",)}, "room": {"c": ("hub",)}, "end": {}}
# A cycle that can be left for good: only leaving it locks.
WHEEL = {
    "s": {"turn": ("t",), "leave": ("out",)},
    "t": {"turn": ("s",), "win": ("won",)},
    "out": {"x": ("lost",)},
    "won": {"y": ("prize",)},
    "lost": {},
    "prize": {},
}


def locks(graph_story, graph, **bounds: Any) -> dict[tuple[str, str, str], tuple[set[str], tuple[int, ...]]]:
    chart = explore(graph_story(graph), **bounds)
    return {
        (chart.state(lock.transition.source).location, lock.transition.choice.text, lock.kind): (
            set(lock.events),
            lock.siblings,
        )
        for lock in Locks(chart)
    }


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        pytest.param(NEAR, {}, id="an ending at once is no lock"),
        pytest.param(
            FAR,
            {
                ("s", "b", "ending"): ({"good"}, (0,)),
                ("s", "b", "choice"): ({"v:f"}, (0,)),
                ("t", "d", "ending"): ({"good"}, (0,)),
                # t offers c and d: after d, what lies beyond c is lost; v:f is offered right after c, so it is near.
            },
            id="an ending and a choice beyond a decision",
        ),
        pytest.param(HUB, {("hub", "out", "choice"): ({"hub:a", "hub:b", "room:c"}, (0, 1))}, id="leaving a hub"),
        pytest.param(
            WHEEL,
            {
                ("s", "leave", "ending"): ({"prize"}, (0,)),
                ("s", "leave", "choice"): ({"s:turn", "t:turn", "t:win", "won:y"}, (0,)),
                ("t", "win", "ending"): ({"lost"}, (0,)),
                ("t", "win", "choice"): ({"s:turn", "s:leave", "t:turn", "out:x"}, (0,)),
            },
            id="a cycle left on either side",
        ),
    ],
)
def test_what_a_choice_shuts_off(graph_story, graph, expected):
    assert locks(graph_story, graph) == expected


def test_places_are_counted_once_whatever_the_history(graph_story):
    # Two histories (trust 0 and 1) come to the same place; its lock is one.
    graph = {
        "p": {"x": ("s", (), 0), "y": ("s", (), 1)},
        **FAR,
    }
    chart = explore(graph_story(graph))
    assert Locks(chart).counts() == {"ending": 2, "choice": 1}
    assert sum(lock.kind == "ending" for lock in Locks(chart)) == 4


def test_an_unexplored_future_locks_nothing(graph_story):
    # At depth 1 neither t nor u is expanded; at depth 2 v is not, so the good ending has not been seen.
    assert locks(graph_story, FAR, max_depth=1) == {}
    assert ("s", "b", "ending") not in locks(graph_story, FAR, max_depth=2)


def test_what_can_follow(graph_story):
    found = Locks(explore(graph_story(FAR)))
    assert found.can_follow(0, "ending", "good")
    assert found.can_follow(0, "choice", "v:f")
    u = next(n for n in range(len(found.chart)) if found.chart.state(n).location == "u")
    assert not found.can_follow(u, "ending", "good")
    assert not found.can_follow(0, "ending", "never heard of")


def test_what_one_choice_alone_opens(graph_story):
    # `good` and the choice before it come by way of `a` only, and then of `c` only.
    chart = explore(graph_story(FAR))
    opened = {
        (chart.state(lock.transition.source).location, lock.transition.choice.text, lock.kind): (
            lock.events,
            lock.siblings,
        )
        for lock in Locks(chart).unlocks()
    }
    assert opened == {
        ("s", "a", "ending"): (("good",), (1,)),
        ("s", "a", "choice"): (("v:f",), (1,)),
        ("t", "c", "ending"): (("good",), (1,)),
    }
    assert list(Locks(explore(graph_story(FAR), max_depth=1)).unlocks()) == []


def test_thresholds_that_a_signal_can_no_longer_pass(graph_story):
    # Trust rises with `a`, `c` and `e`: neither after `b` nor after `d` can it come to 2.
    graph = {
        "s": {"a": ("t", (), 1), "b": ("u", (), 0)},
        "t": {"c": ("v", (), 1), "d": ("w", (), 0)},
        "u": {"e": ("w", (), 1)},
        "v": {"f": ("end", (), 0)},
        "w": {"g": ("end", (), 0)},
        "end": {},
    }
    chart = explore(graph_story(graph))
    found = Locks(chart, ["trust >= 2", "trust < 0"])
    shut = [(lock.transition.choice.text, lock.events) for lock in found if lock.kind == "signal"]
    assert shut == [("b", ("trust >= 2",)), ("d", ("trust >= 2",))]
    assert found.counts()["signal"] == 2
    assert "signal" not in Locks(chart).counts()


@given(st.data())
def test_locks_by_search(random_stories, data):
    """Every lock, and no other, by a plain search from each state."""
    chart = explore(data.draw(random_stories), max_states=25)

    def own(number: int) -> set[tuple[str, str]]:
        state = chart.state(number)
        return {("choice", choice.span) for choice in state.choices} | (
            {("ending", state.ending)} if state.ending else set()
        )

    def later(number: int) -> tuple[set[tuple[str, str]], bool]:
        seen, todo, found = set(), [edge.target for edge in chart.transitions(number)], set()
        known = chart.expanded(number)
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                known &= chart.expanded(here)
                found |= own(here)
                todo += [edge.target for edge in chart.transitions(here)]
        return found, known

    expected = {}
    for number in range(len(chart)):
        for edge in chart.transitions(number):
            after, known = later(edge.target)
            others = [other for other in chart.transitions(number) if other.index != edge.index]
            elsewhere = set().union(*(later(other.target)[0] for other in others)) if others else set()
            lost = elsewhere - after - own(edge.target) - {("choice", edge.choice.span)}
            for kind in ("ending", "choice"):
                names = {name for kind_, name in lost if kind_ == kind}
                if known and names:
                    expected[number, edge.index, kind] = names
    found = {(lock.transition.source, lock.transition.index, lock.kind): set(lock.events) for lock in Locks(chart)}
    assert found == expected
