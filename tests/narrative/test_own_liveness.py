"""Keys of positions in our own format: by playing, over random stories, and on one whose liveness can be read off."""

import json
import tempfile
from pathlib import Path
from typing import Any

from benchwright.narrative.agreement import disagreements
from benchwright.narrative.explore import Bounds, explore, explore_by
from benchwright.narrative.flowchart import Flowchart
from benchwright.narrative.own import OwnStory
from benchwright.narrative.walk import PlainWalk
from hypothesis import given, settings
from hypothesis import strategies as st

DOOR: dict[str, Any] = {
    "hall": {
        "lines": [{"text": "{steps} steps."}],
        "choices": [
            {"text": "Take the key", "effects": ["key = true"], "to": "door"},
            {"text": "Leave it", "to": "door"},
            {"text": "Walk", "once": True, "effects": ["steps += 1", "walked += 1"], "to": "hall"},
        ],
    },
    "door": {
        "lines": [{"text": "A door."}],
        "choices": [{"text": "Try it", "to": "beyond"}, {"text": "Knock", "to": "knocked"}],
    },
    "beyond": {"lines": [{"text": "Open.", "if": "key"}, {"text": "Shut.", "if": "not key"}], "ending": "Tried"},
    "knocked": {"lines": [{"text": "Silence."}], "ending": "Knocked"},
}


def opened(states: dict[str, Any], variables: dict[str, Any]) -> OwnStory:
    story = {
        "benchwright_story": 1,
        "title": "Test",
        "protagonists": ["Ada"],
        "variables": variables,
        "start": next(iter(states)),
        "states": states,
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "test.story.json"
        path.write_text(json.dumps(story), encoding="utf-8")
        return OwnStory(path)


def shown(chart: Flowchart) -> tuple[set[Any], set[Any], set[Any]]:
    states = [chart.state(number) for number in range(len(chart))]
    told = {line for number in range(len(chart)) for edge in chart.transitions(number) for line in edge.lines}
    return {choice for state in states for choice in state.choices}, told, {state.ending for state in states}


def test_what_is_read_no_more_makes_no_states():
    story = opened(DOOR, {"steps": 0, "walked": 0, "key": False})
    chart = explore(story)
    # The hall before and after the walk; the door with and without the key; two endings.
    assert len(chart) == 6
    assert chart.complete
    at_door = next(edge for edge in chart.transitions(0) if edge.choice.text == "Leave it")
    assert dict(at_door.variables) == {"key": False}
    assert disagreements(story.runtime(), chart, range(30)) == []


def test_watched_variables_make_states_and_are_told():
    story = opened(DOOR, {"steps": 0, "walked": 0, "key": False})
    chart = explore(story, watched=["walked"])
    assert len(chart) == 8
    told = [set(edge.variables) for number in range(len(chart)) for edge in chart.transitions(number)]
    assert all("walked" in names for names in told)


names, places = st.sampled_from(["a", "b"]), st.sampled_from(["s0", "s1", "s2", "s3"])
conditions = st.one_of(
    st.builds("{} {} {}".format, names, st.sampled_from([">", "==", "<="]), st.integers(0, 2)),
    st.builds('visits("{}") > {}'.format, places, st.integers(0, 2)),
)
effects = st.one_of(
    st.builds("{} = {}".format, names, st.integers(0, 2)),
    st.builds("{} = {}".format, names, names),
    st.builds("{0} = {0} * 2 - {1}".format, names, names),
)
lines = st.lists(
    st.fixed_dictionaries({"text": st.sampled_from(["Here.", "a is {a}.", "b is {b}."])}, optional={"if": conditions}),
    min_size=1,
    max_size=2,
)
choices = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.sampled_from(["Go", "Stay {a}"]),
            "to": st.sampled_from(["s0", "s1", "s2", "s3", "s1", "s2", "s3", "end"]),
            "lines": st.just([]),
            "once": st.booleans(),
            "effects": st.lists(effects, min_size=1, max_size=2),
        },
        optional={"if": conditions},
    ),
    min_size=2,
    max_size=3,
)
states = st.fixed_dictionaries(
    {"lines": lines, "choices": choices, "goto": st.just([{"to": "end"}])},
    optional={"effects": st.lists(effects, max_size=1)},
)
stories = st.fixed_dictionaries(dict.fromkeys(("s0", "s1", "s2", "s3"), states))


@settings(max_examples=60, deadline=None)
@given(stories)
def test_plays_of_random_stories_agree(graph):
    story = opened({**graph, "end": {"lines": [{"text": "Over."}], "ending": "Over"}}, {"a": 0, "b": 1})
    chart = explore(story, max_states=150)
    assert disagreements(story.runtime(), chart, range(12)) == []
    exact = explore_by(PlainWalk(story), story.info.sha256, Bounds(states=150))
    if exact.complete:
        assert chart.complete
        assert len(chart) <= len(exact)
        assert shown(chart) == shown(exact)
