import pytest
from benchwright.errors import StoryError
from benchwright.narrative.windows import explore_windows
from hypothesis import given
from hypothesis import strategies as st

LONG = {
    **{f"s{n}": {"on": (f"s{n + 1}", [f"on{n}/1"]), "off": (f"t{n}", [f"off{n}/1"])} for n in range(6)},
    **{f"t{n}": {"a": (f"u{n}",), "b": (f"u{n}",)} for n in range(6)},
    **{f"u{n}": {"c": (f"v{n}",)} for n in range(6)},
    **{f"v{n}": {"d": ("end",)} for n in range(6)},
    "s6": {},
    "end": {},
}


def reach(chart, number: int, depth: int) -> bool:
    """Whether everything within `depth` decisions after a state is expanded."""
    return depth == 0 or (
        chart.expanded(number) and all(reach(chart, edge.target, depth - 1) for edge in chart.transitions(number))
    )


@pytest.mark.parametrize("window", [0, 1, 2, 3])
def test_every_choice_passed_by_is_known_for_the_window_and_no_further(graph_story, window: int):
    chart = explore_windows(graph_story(LONG), seed=6, playthroughs=1, window=window)
    taken = [edge for play in chart.plays for edge in chart.follow(play)]
    siblings = [other for edge in taken for other in chart.transitions(edge.source) if other.index != edge.index]
    assert all(reach(chart, edge.target, window) for edge in [*taken, *siblings])
    off = [edge for edge in siblings if edge.choice.text == "off"]
    assert off
    assert [reach(chart, edge.target, window + 1) for edge in off] == [window == 3] * len(off)
    assert chart.complete == all(map(chart.expanded, range(len(chart))))
    assert chart.complete == (not chart.cut)


def test_a_small_story_is_complete(graph_story):
    chart = explore_windows(
        graph_story({"s": {"a": ("t", ["x/1"]), "b": ("t", ["y/1"])}, "t": {"c": ("end",)}, "end": {}}), seed=1
    )
    assert chart.complete
    assert chart.cut == []
    assert len(chart) == 3


def test_same_seed_same_chart_other_seed_other_plays(graph_story):
    first, again, other = (explore_windows(graph_story(LONG), seed=seed, playthroughs=4) for seed in (1, 1, 2))
    assert again.to_json() == first.to_json()
    assert other.plays != first.plays


def test_plays_are_the_published_draw(graph_story):
    # Play k: random.Random(int(digest(seed, story hash, k), 16)); choice floor(random() * offered).
    import random

    from benchwright.schemas.base import digest

    story = graph_story(LONG)
    chart = explore_windows(story, seed=5, playthroughs=1)
    chance, runtime, play = random.Random(int(digest(5, story.info.sha256, 0), 16)), story.runtime(), []
    step = runtime.start()
    while step.choices:
        play.append(int(chance.random() * len(step.choices)))
        step = runtime.choose(play[-1])
    assert chart.plays == [tuple(play)]


def test_bounds_are_said(graph_story):
    loop = graph_story({"s": {"a": ("s", [], 1), "b": ("s", [], -1)}})
    chart = explore_windows(loop, seed=1, playthroughs=1, window=50, max_states=20, max_length=5)
    assert not chart.complete
    assert [len(play) for play in chart.plays] == [5]
    assert chart.cut == [
        "a play stopped after 5 choices",
        "the bound of 20 states was reached",
        "only what lies within 50 decisions of 1 playthroughs was explored",
    ]
    assert 20 <= len(chart) <= 22


def test_progress_counts_up(graph_story):
    seen: list[tuple[int, int]] = []
    chart = explore_windows(graph_story(LONG), seed=1, progress=lambda done, bound: seen.append((done, bound)))
    assert seen == sorted(seen)
    assert seen[-1] == (len(chart), 20_000)


class Failing:
    """A story that fails where `b` is chosen."""

    def __init__(self, story) -> None:
        self.info, self.story = story.info, story

    def runtime(self):
        runtime = self.story.runtime()
        choose = runtime.choose

        def choose_or_fail(index: int):
            if list(runtime.graph[runtime.here])[index] == "b":
                raise StoryError("story", "endless recursion", "after a")
            return choose(index)

        runtime.choose = choose_or_fail
        return runtime


def test_a_story_that_fails_costs_one_state(graph_story):
    good = graph_story({"s": {"a": ("s2",), "b": ("s2",)}, "s2": {"c": ("end",), "d": ("end",)}, "end": {}})
    chart = explore_windows(Failing(good), seed=1, playthroughs=8)
    assert [chart.state(edge.target).kind for edge in chart.transitions(0)] == ["decision", "error"]
    assert chart.expanded(chart.transitions(0)[0].target)
    assert not chart.complete
    assert [note for note in chart.cut if "endless recursion" in note] == [
        "the story fails after 'b': endless recursion"
    ]


@given(data=st.data(), seed=st.integers(0, 99))
def test_the_chart_tells_what_the_runtime_tells(data, seed: int, random_stories):
    story = data.draw(random_stories)
    chart = explore_windows(story, seed=seed, playthroughs=2, window=2, max_length=6)
    runtime = story.runtime()
    here, step = 0, runtime.start()
    assert chart.opening == step.lines
    while chart.transitions(here):
        edge = data.draw(st.sampled_from(chart.transitions(here)))
        step = runtime.choose(edge.index)
        assert (edge.lines, edge.variables) == (step.lines, step.variables)
        here = edge.target
        assert (chart.state(here).choices, chart.state(here).ending) == (step.choices, step.ending)
        if not data.draw(st.booleans()):
            break


def test_on_the_intercept_every_play_ends(intercept):
    chart = explore_windows(intercept, seed=1, playthroughs=3, window=1)
    ends = [chart.state(chart.state_at(play)).ending for play in chart.plays]
    assert len(ends) == 3
    assert all(ends)
    siblings = [
        edge for play in chart.plays for taken in chart.follow(play) for edge in chart.transitions(taken.source)
    ]
    assert all(reach(chart, edge.target, 1) for edge in siblings)
