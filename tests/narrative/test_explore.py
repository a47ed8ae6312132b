"""Whole exploration: complete and right, or cut and saying so."""

import random
from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.narrative.agreement import disagreement, disagreements
from benchwright.narrative.explore import FAILS, MOST_CHOICES, Bounds, explore, explore_by
from benchwright.narrative.flowchart import Flowchart
from benchwright.narrative.ink import InkStory
from benchwright.narrative.stories import open_story
from benchwright.narrative.summary import summarise
from benchwright.narrative.walk import InkWalk
from hypothesis import given
from hypothesis import strategies as st

STORIES = Path(__file__).parent / "stories"

# Three decisions, each with two choices; every state but the endings is passed on two ways.
LADDER = {
    "s0": {"a": ("s1", ["x/1"]), "b": ("s1", ["y/1"])},
    "s1": {"a": ("s2", ["z/1"]), "b": ("out",)},
    "s2": {"a": ("s0",), "b": ("end",)},
    "out": {},
    "end": {},
}


def ink(name: str) -> InkStory:
    pytest.importorskip("bink")
    story = open_story(STORIES / f"{name}.ink.json")
    assert isinstance(story, InkStory)
    return story


def test_of_an_endless_menu_the_first_choices_are_followed(graph_story):
    menu = {f"c{number}": ("end",) for number in range(MOST_CHOICES + 50)}
    chart = explore(graph_story({"s0": menu, "end": {}}))
    assert chart.graph.number_of_edges() == MOST_CHOICES
    assert not chart.complete
    assert chart.cut == [f"a state offers {MOST_CHOICES + 50} choices: the first {MOST_CHOICES} were followed"]


def test_every_state_and_choice_once_in_order_of_distance(graph_story):
    chart = explore(graph_story(LADDER))
    assert [chart.state(number).location for number in range(len(chart))] == ["s0", "s1", "s2", "out", "end"]
    assert chart.graph.number_of_edges() == 6
    assert chart.complete
    assert chart.cut == []
    assert [line.text for line in chart.opening] == ["opening/1"]


@given(st.data())
def test_plays_of_any_story_agree(random_stories, data):
    story = data.draw(random_stories)
    chart = explore(story, max_states=40)
    assert disagreements(story.runtime(), chart, range(8)) == []
    assert chart.complete == (not chart.cut)


@pytest.mark.parametrize(
    ("bounds", "states", "cut"),
    [
        ({"max_states": 1}, 1, "the bound of 1 states was reached: 1 states were not expanded"),
        ({"max_states": 4}, 4, "the bound of 4 states was reached: 1 states were not expanded"),
        ({"max_depth": 0}, 1, "the bound of 0 decisions was reached: 1 states were not expanded"),
        ({"max_depth": 1}, 2, "the bound of 1 decisions was reached: 1 states were not expanded"),
        ({"max_seconds": 0.0}, 1, "the bound of 0 s was reached: 1 states were not expanded"),
    ],
    ids=str,
)
def test_what_a_bound_cuts_is_said(graph_story, bounds, states: int, cut: str):
    story = graph_story(LADDER)
    chart = explore(story, **bounds)
    assert len(chart) == states
    assert not chart.complete
    assert chart.cut == [cut]
    assert sum(not chart.expanded(number) for number in range(states)) == 1
    assert disagreements(story.runtime(), chart, range(5)) == []


@pytest.mark.parametrize("bounds", [{"max_states": 5}, {"max_depth": 4}, {"max_seconds": 60}], ids=str)
def test_a_bound_that_cuts_nothing_leaves_the_flowchart_complete(graph_story, bounds):
    chart = explore(graph_story(LADDER), **bounds)
    assert (len(chart), chart.complete, chart.cut) == (5, True, [])


def test_progress_tells_the_states_found_and_the_bound(graph_story):
    told: list[tuple[int, int]] = []
    explore(graph_story(LADDER), max_states=50, progress=lambda found, most: told.append((found, most)))
    assert told == [(2, 50), (4, 50), (5, 50)]


def test_a_story_of_ours_is_explored_whole():
    story = open_story(STORIES / "bridge.story.yaml")
    chart = explore(story, max_states=400)
    assert disagreements(story.runtime(), chart, range(30)) == []
    found = summarise(story, chart, 0.5)
    assert found.choices.source >= found.choices.reachable > 2
    assert {"trust"} <= set(chart.variables)


def test_choices_that_break_the_story_cost_one_line_each_and_the_rest_goes_on():
    story = ink("broken")
    steps = InkWalk(story, seconds=2)
    try:
        chart = explore_by(steps, story.info.sha256, Bounds())
    finally:
        steps.close()
    failed = [edge.index for edge in chart.transitions(Flowchart.START) if chart.state(edge.target).kind == "error"]
    assert failed == [0, 1, 2, 3, 4]
    assert len(chart.cut) == 5
    assert all(line.startswith(FAILS) and "\n" not in line for line in chart.cut)
    assert [line.text for line in chart.transitions(Flowchart.START)[5].lines][-1] == "You leave."
    assert not chart.complete
    assert summarise(story, chart, 1.0).errors == tuple(chart.cut)


def test_a_story_that_fails_at_once_is_refused_in_one_line(tmp_path):
    pytest.importorskip("bink")
    path = tmp_path / "circle.ink.json"
    path.write_text('{"inkVersion":21,"root":[[{"->":"k"},null],"done",{"k":["^On",{"->":"k"},null]}],"listDefs":{}}')
    story = open_story(path)
    assert isinstance(story, InkStory)
    steps = InkWalk(story, seconds=1)
    with pytest.raises(InputError, match=r"circle.ink.json:before the first choice: "):
        explore_by(steps, story.info.sha256, Bounds())
    steps.close()


@pytest.mark.parametrize("name", ["threads", "counts"])
def test_the_chart_does_not_depend_on_the_number_of_processes(name: str):
    story, charts = ink(name), []
    for workers in (1, 3):
        steps = InkWalk(story, workers=workers)
        charts.append(explore_by(steps, story.info.sha256, Bounds()).to_json())
        steps.close()
    assert charts[0] == charts[1]


def test_transitions_tell_live_and_watched_variables_only():
    story = ink("keys")
    told = {edge.choice.text: set(edge.variables) for edge in explore(story).transitions(Flowchart.START)}
    assert told["Take the key"] == {"key"}
    watched = explore(story, watched=["noise"])
    assert {name for edge in watched.transitions(Flowchart.START) for name in edge.variables} == {"key", "noise"}


def test_an_agreeing_play_can_disagree(graph_story):
    # The same story with one line told otherwise: every play passes it.
    other = {**LADDER, "s0": {"a": ("s1", ["x/2"]), "b": ("s1", ["x/2"])}}
    chart = explore(graph_story(LADDER))
    found = disagreement(graph_story(other).runtime(), chart, random.Random(1))
    assert found is not None
    assert found.what.startswith("lines: ")
    assert len(found.play) == 1


def test_the_summary_has_the_published_shape(graph_story):
    found = summarise(graph_story(LADDER), explore(graph_story(LADDER)), 1.23456).to_json()
    assert list(found) == [
        "states", "transitions", "complete", "choices", "endings", "locks", "decisions", "errors", "cut",
        "random_seed", "seconds",
    ]  # fmt: skip
    assert list(found["choices"]) == ["source", "reachable", "unreachable"]
    # From s0 to s1 surely; there 1/2 out; at s2 1/2 end, 1/2 back: out = 1/2 + 1/4 out, so out = 2/3.
    assert found["endings"] == [
        {"id": "out", "label": "out", "probability": 0.666667},
        {"id": "end", "label": "end", "probability": 0.333333},
    ]
    assert (found["states"], found["transitions"], found["decisions"], found["seconds"]) == (5, 6, 3, 1.235)


def test_nothing_is_called_unreachable_on_an_unfinished_flowchart():
    story = ink("keys")
    whole, part = (summarise(story, explore(story, max_depth=depth), 1.0).choices for depth in (None, 0))
    assert (whole.source, whole.reachable, whole.unreachable) == (5, 5, ())
    assert (part.source, part.reachable, part.unreachable) == (5, 3, ())


@pytest.mark.slow
def test_the_intercept_whole(intercept):
    chart = explore(intercept)
    found = summarise(intercept, chart, 0.0)
    # Figures of NARRATIVE 3, which were measured with another implementation.
    assert (found.complete, found.choices.source, found.choices.reachable) == (True, 343, 319)
    assert len(found.choices.unreachable) == 24
    assert [round(ending.probability, 3) for ending in found.endings] == [0.932, 0.044, 0.023, 0.001]
    assert sum(ending.probability for ending in found.endings) == pytest.approx(1)
    runtime = intercept.runtime()
    assert disagreements(runtime, chart, range(40)) == []
    runtime.close()


def test_a_story_that_draws_is_explored_with_its_seed_and_never_complete():
    pytest.importorskip("bink")
    story = open_story(STORIES / "draws.ink.json", random_seed=3)
    chart = explore(story, max_states=200)
    assert chart.cut[-1] == "draws random numbers: explored as seed 3 draws them"
    assert not chart.complete
    runtime = story.runtime()
    assert disagreements(runtime, chart, range(10)) == []
    runtime.close()


def test_ld41_emoji_reaches_its_bound_and_says_so(shared):
    pytest.importorskip("bink")
    story = open_story(shared / "data/narratives/ink/ld41-emoji/LD41-Emoji.v21.ink.json", random_seed=1)
    chart = explore(story, max_states=300)
    assert not chart.complete
    assert chart.cut[0].startswith("the bound of 300 states was reached")
    runtime = story.runtime()
    assert disagreements(runtime, chart, range(15)) == []
    runtime.close()
