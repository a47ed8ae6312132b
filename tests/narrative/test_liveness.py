"""Keys of states: what they must tell apart, by playing, and what they may take for one.

The compiled stories in `stories/` were made with inkjs's compiler from the sources beside them.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.narrative.agreement import disagreements
from benchwright.narrative.explore import Bounds, explore_by
from benchwright.narrative.flowchart import Flowchart
from benchwright.narrative.ink import InkStory
from benchwright.narrative.ink_code import Code, UnreadableCodeError
from benchwright.narrative.ink_limits import combined, limit, limited
from benchwright.narrative.ink_walker import Walker
from benchwright.narrative.liveness import Liveness
from benchwright.narrative.stories import open_story
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .ink_maker import compiled, runtime_here, source, walk_here

pytest.importorskip("bink")
STORIES = Path(__file__).parent / "stories"
NAMES = ["keys", "counts", "tunnels", "turns", "threads", "evening", "fallback"]


def opened(name: str) -> InkStory:
    story = open_story(STORIES / f"{name}.ink.json")
    assert isinstance(story, InkStory)
    return story


def chart_of(
    story: InkStory, kind: type[Walker] = Walker, states: int = 3000, watched: tuple[str, ...] = ()
) -> Flowchart:
    return explore_by(walk_here(story, kind, watched), story.info.sha256, Bounds(states))


def differ(story: InkStory, chart: Flowchart, plays: int = 60) -> int:
    return len(disagreements(runtime_here(story), chart, range(plays), max_length=60))


class Exactly(Walker):
    """Whose every position is a state of its own, but for what the last step told."""

    def __init__(self, **opening) -> None:
        super().__init__(**opening)
        self._liveness = Liveness({"root": "unreadable"})


def without(**dropped: Any) -> type[Walker]:
    """A walker whose keys leave something out."""

    class Weak(Walker):
        def __init__(self, **opening) -> None:
            super().__init__(**opening)
            self._liveness = Dropping(json.loads(self._source))

    class Dropping(Liveness):
        def live(self, state, choices, threads):
            found = super().live(state, choices, threads)
            return found._replace(**{name: value(found) for name, value in dropped.items()})

    return Weak


@pytest.mark.parametrize("name", NAMES)
def test_plays_agree_with_the_merged_chart(name: str):
    story = opened(name)
    chart = chart_of(story)
    assert chart.complete
    assert differ(story, chart) == 0


@pytest.mark.parametrize(
    ("name", "dropped"),
    [
        ("keys", {"variables": lambda live: frozenset()}),
        ("counts", {"counts": lambda live: {}}),
        ("counts", {"counts": lambda live: dict.fromkeys(live.counts, 1)}),
        ("tunnels", {"variables": lambda live: frozenset()}),
        ("tunnels", {"temporaries": lambda live: tuple(tuple(() for _ in one) for one in live.temporaries)}),
        ("turns", {"turns": lambda live: ()}),
        ("turns", {"clock": lambda live: False}),
        ("threads", {"variables": lambda live: live.variables - {"goods"}}),
        ("threads", {"temporaries": lambda live: tuple(tuple(() for _ in one) for one in live.temporaries)}),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_plays_find_out_a_key_that_leaves_something_out(name: str, dropped):
    story = opened(name)
    assert differ(story, chart_of(story, without(**dropped)), plays=200) > 0


def live_at(story: InkStory, *play: int, watched: tuple[str, ...] = ()) -> frozenset[str]:
    """The variables that are live after some choices."""
    runtime = story.runtime()
    runtime.start()
    for index in play:
        runtime.choose(index)
    state = json.loads(runtime.save().split("\n", 2)[2])
    runtime.close()
    return frozenset(Liveness(json.loads(story.source), watched).key(state)[1])


@pytest.mark.parametrize(
    ("play", "live"),
    [
        pytest.param((), {"key", "noise"}, id="start: bell is set on every way before it is read"),
        pytest.param((2,), {"key"}, id="noise was told, and the only choice that tells it again is gone"),
        pytest.param((0,), {"key"}, id="at the door only the key is read"),
    ],
)
def test_a_variable_lives_until_it_is_last_read_or_set_again(play, live: set[str]):
    assert live_at(opened("keys"), *play) == live


def test_watched_variables_stay_alive():
    assert live_at(opened("keys"), 0, watched=("bell",)) == {"key", "bell"}
    assert len(chart_of(opened("keys"), watched=("noise",))) > len(chart_of(opened("keys")))


@pytest.mark.parametrize("name", ["keys", "counts", "tunnels", "threads"])
def test_merging_loses_no_choice_line_or_ending(name: str):
    merged, exact = chart_of(opened(name)), chart_of(opened(name), Exactly, 1500)

    def shown(chart: Flowchart) -> tuple[set[Any], set[Any], set[Any]]:
        states = [chart.state(number) for number in range(len(chart))]
        told = {line for number in range(len(chart)) for edge in chart.transitions(number) for line in edge.lines}
        return {choice for state in states for choice in state.choices}, told, {state.ending for state in states}

    assert len(merged) < len(exact)
    if exact.complete:
        assert shown(merged) == shown(exact)
    else:
        assert all(some <= every for some, every in zip(shown(exact), shown(merged), strict=True))


def test_a_hub_that_is_left_at_will_is_finite():
    # `square` counts its visits for ever; nothing tells more than six from each other.
    chart = chart_of(opened("counts"))
    assert chart.complete
    assert not chart_of(opened("counts"), Exactly, 500).complete


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(compiled())
def test_plays_of_random_stories_agree(story):
    data = source(story)
    ink = InkStory(Path("random.ink.json"), data, story)
    assert Liveness(story).reason == ""
    chart = chart_of(ink, states=80)
    assert differ(ink, chart, plays=12) == 0


COUNT = {"CNT?": "hall"}
CONDITIONAL = [{"->": ".^.b", "c": True}, {"b": ["^x", None]}]


@pytest.mark.parametrize(
    ("items", "offset", "expected"),
    [
        pytest.param([COUNT, "out", "/ev"], 0, 0, id="shown"),
        pytest.param([COUNT, 2, ">", "/ev"], 0, 3, id="more than two: 3 and above are one"),
        pytest.param([2, COUNT, "<", "/ev"], 0, 0, id="the other way round: not looked back at"),
        pytest.param([COUNT, "!", "/ev"], 0, 1, id="not"),
        pytest.param([COUNT, {"VAR?": "a"}, "&&", "/ev"], 0, 1, id="first of and"),
        pytest.param([COUNT, {"VAR?": "a"}, 1, ">", "||", "/ev"], 0, 1, id="or, over a comparison"),
        pytest.param([COUNT, {"VAR?": "a"}, ">", "/ev"], 0, 0, id="compared with a variable"),
        pytest.param([COUNT, 1, "+", 2, ">", "/ev"], 0, 0, id="in a sum"),
        pytest.param([COUNT, "/ev", {"*": ".^.c-0", "flg": 5}], 0, 1, id="condition of a choice"),
        pytest.param([COUNT, "/ev", {"*": ".^.c-0", "flg": 4}], 0, 0, id="a choice without one"),
        pytest.param([COUNT, "/ev", {"->": ".^.b", "c": True}], 0, 1, id="conditional divert"),
        pytest.param([COUNT, "/ev", {"VAR=": "a", "re": True}], 0, 0, id="stored"),
        pytest.param(["visit", 2, "MIN", "/ev"], 1, 3, id="a|b|c: the third visit and later are one"),
        pytest.param(["visit", 3, "%", "/ev"], 1, -3, id="&a|b|c"),
        pytest.param([COUNT, {"f()": "half"}, "/ev"], 0, 0, id="passed to a function"),
    ],
)
def test_how_much_of_a_count_is_read(items, offset: int, expected: int):
    place = items.index(COUNT) if COUNT in items else 0
    assert limit(items, place, offset) == expected


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=4), st.integers(0, 60), st.integers(0, 60))
def test_counts_that_one_limit_takes_for_equal_are_equal_to_all_it_serves(limits: list[int], one: int, other: int):
    together = combined(limits)
    if limited(one, together) == limited(other, together):
        assert all(limited(one, each) == limited(other, each) for each in limits)


@pytest.mark.parametrize(
    "root",
    [
        pytest.param(["^text", {"what": "ever"}, None], id="unknown item"),
        pytest.param([{"->": "nowhere.at.all"}, None], id="missing target"),
        pytest.param([{"->": 5}, None], id="no path"),
    ],
)
def test_code_that_cannot_be_followed_is_refused_and_its_keys_hold_everything(root):
    with pytest.raises(UnreadableCodeError):
        Code({"root": root})
    assert Liveness({"root": root}).reason
