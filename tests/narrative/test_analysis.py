"""Must and May against hand-made graphs, and against every path written out."""

import itertools

import pytest
from benchwright.errors import UsageError
from benchwright.narrative.analysis import Analysis, Chance, UnexploredError, compare
from benchwright.narrative.explore import explore
from benchwright.narrative.flowchart import Flowchart
from benchwright.narrative.runtime import Choice, Line, Step
from benchwright.narrative.stories import open_story
from benchwright.narrative.windows import explore_windows
from benchwright.schemas.grounding import Event
from hypothesis import given, settings
from hypothesis import strategies as st

FORK = {
    "s": {"tell": ("t", ["own/1"], 1), "hide": ("h", ["own/2", "cold/1"])},
    "t": {"stay": ("u", ["warm/1"]), "go": ("u", ["warm/2", "rain/1"], 1)},
    "u": {"wait": ("good", ["late/1"])},
    "h": {"stay": ("bad", ["late/1"], -1)},
    "good": {},
    "bad": {},
}
"""`own` and `warm` are places with two wordings."""


def whole(story) -> Analysis:
    return Analysis(explore_windows(story, seed=1, playthroughs=6, window=6, max_length=12))


def line(*texts: str) -> Event:
    return Event(kind="line", match=texts)


def number_of(analysis: Analysis, event: Event) -> int:
    number = analysis.occurrences.number(event)
    assert number is not None
    return number


def named(analysis: Analysis, numbers) -> set[str]:
    """Lines by their place, choices on offer by `?text`, endings by `!id`."""
    names = set()
    for event in map(analysis.event, numbers):
        first = event.match if event.kind == "ending" else event.match[0]
        mark = {"line": "", "choice_open": "?", "ending": "!"}[event.kind]
        names.add(mark + str(first).partition("/")[0])
    return names


# Window 0 is the own text of the target with what is offered there. Both ways from `t` lead to `u`, so `warm` is sure
# at window 1 although its wording is not, and `rain` is only possible.
@pytest.mark.parametrize(
    ("index", "window", "must", "may"),
    [
        (0, 0, {"own", "?stay", "?go"}, {"own", "?stay", "?go"}),
        (0, 1, {"own", "?stay", "?go", "warm", "?wait"}, {"own", "?stay", "?go", "warm", "?wait", "rain"}),
        (0, 2, {"own", "?stay", "?go", "warm", "?wait", "late", "!good"},
         {"own", "?stay", "?go", "warm", "?wait", "rain", "late", "!good"}),
        (1, 0, {"own", "cold", "?stay"}, {"own", "cold", "?stay"}),
        (1, 1, {"own", "cold", "?stay", "late", "!bad"}, {"own", "cold", "?stay", "late", "!bad"}),
        (1, 6, {"own", "cold", "?stay", "late", "!bad"}, {"own", "cold", "?stay", "late", "!bad"}),
    ],
    ids=["tell-0", "tell-1", "tell-2", "hide-0", "hide-1", "hide-ended"],
)  # fmt: skip
def test_must_and_may(graph_story, index: int, window: int, must: set[str], may: set[str]):
    analysis = whole(graph_story(FORK))
    edge = analysis.chart.transitions(0)[index]
    assert named(analysis, analysis.must(edge, window)) == must
    assert named(analysis, analysis.may(edge, window)) == may


def test_what_only_the_other_choice_brings(graph_story):
    analysis = whole(graph_story(FORK))
    tell, hide = analysis.chart.transitions(0)
    assert named(analysis, analysis.surely_only(tell, hide, 1)) == {"?go", "warm", "?wait"}
    assert named(analysis, analysis.surely_only(hide, tell, 1)) == {"cold", "late", "!bad"}
    assert named(analysis, analysis.surely_only(hide, tell, 2)) == {"cold", "!bad"}


def test_depth_is_the_smallest_window(graph_story):
    analysis = whole(graph_story(FORK))
    tell, _ = analysis.chart.transitions(0)
    depths = {name: analysis.depth_of(number, tell) for number in range(len(analysis.occurrences))
              for name in named(analysis, [number])}  # fmt: skip
    assert depths == {
        "opening": None, "?tell": None, "?hide": None, "own": 0, "?stay": 0, "?go": 0, "warm": 1, "?wait": 1,
        "rain": None, "late": 2, "!good": 2, "cold": None, "!bad": None,
    }  # fmt: skip


def test_what_happened_before_a_decision(graph_story):
    analysis = whole(graph_story(FORK))
    assert named(analysis, analysis.happened(())) == {"opening", "?tell", "?hide"}
    assert named(analysis, analysis.happened((0, 1))) == {
        "opening", "?tell", "?hide", "own", "?stay", "?go", "warm", "rain", "?wait",
    }  # fmt: skip


def test_one_place_is_one_event_and_quotes_keep_the_wording(graph_story):
    analysis = whole(graph_story(FORK))
    tell, hide = analysis.chart.transitions(0)
    own = analysis.occurrences.line_number(tell.lines[0])
    assert analysis.occurrences.line_number(hide.lines[0]) == own
    assert analysis.event(own) == line("own/1", "own/2")
    assert analysis.occurrences.number(line("own/1", "own/2")) == own
    assert analysis.occurrences.number(line("own/1")) is None
    assert [one.text for one in analysis.quotes(own, tell, 2)] == ["own/1"]
    warm = next(number for number in analysis.must(tell, 1) if analysis.event(number) == line("warm/1", "warm/2"))
    assert [one.text for one in analysis.quotes(warm, tell, 0)] == []
    assert [one.text for one in analysis.quotes(warm, tell, 1)] == ["warm/1", "warm/2"]
    assert {one.speaker for one in analysis.lines(warm)} == {"ANN"}
    assert analysis.lines(number_of(analysis, Event(kind="ending", match="bad"))) == ()


def test_places_that_share_a_text_are_one_event():
    # The middle place tells "yes" as the first does and "no" as the last does, so all three are one.
    chart = Flowchart("sha256:00")
    choices = tuple(Choice(str(number), f"c{number}") for number in range(4))
    chart.begin("start", Step((), choices, {}, "start"))
    told = [[("yes", "p1")], [(" ye\u0301s ", "p2"), ("no", "p2")], [("no", "p3")], [("y\u00e9s", "p4")]]
    for index, lines in enumerate(told):
        step = Step(tuple(Line(text, span) for text, span in lines), (), {}, "end", ending=f"e{index}")
        chart.add_transition(0, index, chart.add_state(f"e{index}", step), step)
    analysis = Analysis(chart)
    numbers = [[analysis.occurrences.line_number(one) for one in edge.lines] for edge in chart.transitions(0)]
    first, (accented, plain), last, composed = numbers
    assert first != last
    assert accented == plain == last[0] == composed[0]
    assert analysis.event(plain) == line("no", "y\u00e9s")


def test_beyond_what_was_explored_nothing_is_said(graph_story):
    analysis = Analysis(explore_windows(graph_story(FORK), seed=1, playthroughs=1, window=0))
    taken = analysis.chart.plays[0][0]
    other = next(edge for edge in analysis.chart.transitions(0) if edge.index != taken)
    assert analysis.known(other, 0)
    assert not analysis.known(other, 1)
    for ask in (analysis.must, analysis.may):
        with pytest.raises(UnexploredError, match="not explored for 1 decisions"):
            ask(other, 1)
    with pytest.raises(UnexploredError):
        analysis.chance(line("late/1"), (), other, 1)
    assert analysis.depth_of(number_of(analysis, Event(kind="choice_open", match=("stay",))), other) == 0


def test_where_the_story_failed_not_even_its_own_text_is_known(graph_story):
    analysis = whole(graph_story({"s": {"a": ("end",), "b": ("end",)}, "end": {}}))
    chart = analysis.chart
    failed = chart.add_transition(0, 1, chart.add_error("broken", "s/1"), Step((), (), {}, ""))
    analysis = Analysis(chart)
    assert not analysis.known(failed, 0)
    assert analysis.known(chart.transitions(0)[0], 3)
    assert analysis.replies("s", "s:b") == ()


@pytest.mark.parametrize(
    ("event", "play", "index", "window", "chance"),
    [
        (Event(kind="signal", match="trust > 0"), (), 0, 0, (True, True)),
        (Event(kind="signal", match="trust >= 2"), (), 0, 0, (False, False)),
        (Event(kind="signal", match="trust >= 2"), (), 0, 1, (False, True)),
        (Event(kind="signal", match="trust == 0"), (), 1, 1, (False, False)),
        (Event(kind="fate", match="trust < 0"), (), 1, 1, (True, True)),
        (Event(kind="choice", match=("stay",)), (), 0, 1, (False, True)),
        (Event(kind="choice", match=("stay",)), (), 1, 1, (True, True)),
        (Event(kind="choice", match=("tell",)), (), 0, 3, (False, False)),
        (Event(kind="choice_lost", match=("go",)), (), 1, 3, (True, True)),
        (Event(kind="choice_lost", match=("go",)), (), 0, 3, (False, False)),
        (Event(kind="choice_open", match=("go", "wait")), (), 0, 0, (True, True)),
        (Event(kind="ending", match="good"), (), 0, 1, (False, False)),
        (Event(kind="ending", match="good"), (0,), 0, 1, (True, True)),
        (line("warm/2"), (), 0, 1, (False, True)),
        (line("never/1"), (), 0, 3, (False, False)),
    ],
    ids=lambda value: f"{value.kind}-{value.match}" if isinstance(value, Event) else None,
)
def test_chance_of_one_event(graph_story, event: Event, play, index: int, window: int, chance):
    analysis = whole(graph_story(FORK))
    edge = analysis.chart.transitions(analysis.chart.state_at(play))[index]
    assert analysis.chance(event, play, edge, window) == Chance(*chance)


@pytest.mark.parametrize(
    ("expression", "true"),
    [
        ("trust >= 2", True), ("trust<=1.5", False), ("trust==2", True), ("trust != 2", False), (" trust  > -1 ", True),
        ("met == 1", True), ("name == 2", False), ("name != 2", False),
    ],
)  # fmt: skip
def test_compare(expression: str, true: bool):
    assert compare(expression, {"trust": 2, "met": True, "name": "2"}) is true


@pytest.mark.parametrize(
    "expression", ["trust", "trust > much", "trust => 2", "hope > 1", "trust > 1 and 2", "1 < trust"]
)
def test_what_compares_to_nothing_is_refused(expression: str):
    with pytest.raises(UsageError, match="variable op number"):
        compare(expression, {"trust": 2})


def test_decisions_of_the_recorded_plays(graph_story):
    chart = whole(graph_story(FORK)).chart
    chart.plays = [(0, 0, 0), (0, 1, 0), (0, 0, 0), (1, 0)]
    found = Analysis(chart).decisions()
    # `t` is left in two ways; `u` and `h` offer one choice only; `u` is reached with different trust.
    assert [(decision.play, decision.taken, decision.location) for decision in found] == [
        ((), 0, "s"), ((0,), 0, "t"), ((0,), 1, "t"), ((), 1, "s"),
    ]  # fmt: skip
    assert len(Analysis(chart).decisions(least=1)) == 7


def test_replies_differ_with_the_history(graph_story):
    # Two ways into one place of the story, told apart by trust; the answer depends on it, its wording does not count.
    chart = Flowchart("sha256:00")
    chart.begin("start", Step((), (Choice("a", "1"), Choice("b", "2"), Choice("c", "3")), {}, "start"))
    ask = (Choice("Ask", "room:ask"),)
    answers = [("He answers.", "yes"), ("He tells you.", "yes"), ("He turns away.", "no")]
    end = Step((), (), {}, "end", ending="end")
    for index, (text, span) in enumerate(answers):
        step = Step((), ask, {"trust": index}, "room")
        room = chart.add_state(f"room {index}", step)
        chart.add_transition(0, index, room, step)
        chart.add_transition(room, 0, chart.add_state("end", end), end._replace(lines=(Line(text, span, "TOM"),)))
    replies = Analysis(chart).replies("room", "room:ask")
    assert [[edge.source for edge in reply.transitions] for reply in replies] == [[1, 3], [4]]
    assert [reply.lines[0].text for reply in replies] == ["He answers.", "He turns away."]
    assert Analysis(chart).replies("room", "elsewhere") == ()


# NARRATIVE 5. First: x is lost by d instead of c, although it can be had through b and e as well. Second: at a hub
# every way to x goes through c, but after d one can still take it. `p` is the decision between a cause and x.
DETOUR = {
    "s0": {"a": ("s1",), "b": ("s2",)},
    "s1": {"c": ("p",), "d": ("end",)},
    "s2": {"e": ("p",)},
    "p": {"go": ("end", ["x/1"])},
    "end": {},
}
HUB = {"hub": {"c": ("p",), "d": ("hub", [], 1)}, "p": {"go": ("end", ["x/1"])}, "end": {}}
ONLY_DOOR = {"s": {"c": ("p",), "d": ("end",)}, "p": {"go": ("end", ["x/1"])}, "end": {}}


@pytest.mark.parametrize(
    ("graph", "play", "window", "causes", "refuted"),
    [
        (DETOUR, (0, 0, 0), 2, (1,), (0,)),
        (DETOUR, (0, 0, 0), 1, (1,), ()),
        (DETOUR, (1, 0, 0), 2, (), (0,)),
        (HUB, (0, 0), 2, (), (0,)),
        (HUB, (1, 0, 0), 2, (), (0, 1)),
        (HUB, (0, 0), 1, (0,), ()),
        (ONLY_DOOR, (0, 0), 1, (0,), ()),
        (ONLY_DOOR, (0, 0), 0, (), ()),
        (ONLY_DOOR, (0,), 3, (), ()),
    ],
    ids=["replacing-c-loses-x", "too-far-for-a", "other-way", "hub", "hub-later", "hub-too-near", "door", "window-0",
         "not-there-yet"],
)  # fmt: skip
def test_causal_antecedents(graph_story, graph, play, window: int, causes, refuted):
    found = whole(graph_story(graph)).antecedents(play, line("x/1"), window)
    assert (found.causes, found.refuted) == (causes, refuted)


def test_an_event_that_came_before_has_no_antecedent(graph_story):
    twice = {"s": {"c": ("p", ["x/1"]), "d": ("end",)}, "p": {"go": ("end", ["x/1"])}, "end": {}}
    assert whole(graph_story(twice)).antecedents((0, 0), line("x/1"), 3) == ((), ())
    assert whole(graph_story(twice)).antecedents((0, 0), line("opening/1"), 3) == ((), ())


def test_a_threshold_crossed_after_a_cause(graph_story):
    gift: dict[str, dict[str, tuple[object, ...]]] = {
        "s": {"give": ("p", [], 1), "keep": ("q", [], -1)},
        "p": {"talk": ("end", [], 1)},
        "q": {"talk": ("end", [], 1)},
        "end": {},
    }
    analysis = whole(graph_story(gift))
    assert analysis.antecedents((0, 0), Event(kind="signal", match="trust >= 2"), 2) == ((0,), ())
    assert analysis.antecedents((0, 0), Event(kind="signal", match="trust >= 1"), 2) == ((), ())
    assert analysis.antecedents((1, 0), Event(kind="signal", match="trust == 0"), 2) == ((), ())


def paths(story, play, index: int, window: int) -> list[list[Step]]:
    """The steps of every path, by replaying each from the start."""
    runtime, found = story.runtime(), list[list[Step]]()
    runtime.start()
    for choice in play:
        runtime.choose(choice)
    steps = [runtime.choose(index)]
    if not steps[0].choices or window == 0:
        return [steps]
    for after in range(len(steps[0].choices)):
        found += [[steps[0], *rest] for rest in paths(story, (*play, index), after, window - 1)]
    return found


def happenings(path: list[Step]) -> set[tuple[str, str]]:
    """What is seen on a path: places of lines, texts on offer, endings."""
    seen = {("line", told.span) for step in path for told in step.lines}
    seen |= {("choice_open", choice.text) for step in path for choice in step.choices}
    return seen | {("ending", step.ending) for step in path if step.ending}


def plainly(analysis: Analysis, numbers) -> set[tuple[str, str]]:
    """Events as `happenings` writes them; here a place's texts all begin with its name."""
    names: set[tuple[str, str]] = set()
    for event in map(analysis.event, numbers):
        first = event.match if isinstance(event.match, str) else event.match[0]
        names.add((event.kind, first.partition("/")[0] if event.kind == "line" else first))
    return names


@settings(max_examples=60, deadline=None)
@given(data=st.data(), window=st.integers(0, 3))
def test_sets_are_those_of_every_path_written_out(data, window: int, random_stories):
    story = data.draw(random_stories)
    analysis = Analysis(explore_windows(story, seed=1, playthroughs=2, window=3, max_length=4))
    for decision in analysis.decisions(least=1):
        for edge in analysis.chart.transitions(decision.state):
            if analysis.known(edge, window):
                seen = [happenings(path) for path in paths(story, decision.play, edge.index, window)]
                assert plainly(analysis, analysis.must(edge, window)) == set.intersection(*seen)
                assert plainly(analysis, analysis.may(edge, window)) == set.union(*seen)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_laws_of_must_and_may(data, random_stories):
    analysis = Analysis(explore_windows(data.draw(random_stories), seed=1, playthroughs=2, window=3, max_length=4))
    chart = analysis.chart
    checked = 0
    for edge in itertools.chain.from_iterable(map(chart.transitions, range(len(chart)))):
        windows = [window for window in range(4) if analysis.known(edge, window)]
        assert windows == list(range(len(windows)))
        for window in windows:
            assert analysis.must(edge, window) <= analysis.may(edge, window)
            checked += 1
        for window in windows[1:]:
            assert analysis.must(edge, window - 1) <= analysis.must(edge, window)
            assert analysis.may(edge, window - 1) <= analysis.may(edge, window)
    assert checked


def test_an_unexplored_window_stays_unknown_when_a_chart_is_cut(graph_story):
    loop = graph_story({"s": {"a": ("s", ["x/1"], 1), "b": ("s", ["y/1"], -1)}})
    analysis = Analysis(explore_windows(loop, seed=1, playthroughs=1, window=5, max_states=6, max_length=2))
    first = analysis.chart.transitions(0)[0]
    assert analysis.known(first, 1)
    assert not analysis.known(first, 6)
    assert analysis.depth_of(analysis.occurrences.line_number(first.lines[0]), first, deepest=6) == 0


MOODS = """
benchwright_story: 1
title: Moods
protagonists: [Marta]
variables: {warm: false}
start: gate
states:
  gate:
    choices:
      - {text: Greet him, to: yard, effects: [warm = true]}
      - {text: Pass by, to: yard}
  yard:
    choices:
      - text: Ask
        to: end
        lines:
          - {text: He smiles at her., if: warm}
          - {text: He looks away., if: not warm}
      - {text: Leave, to: end, lines: [{text: A dog barks.}]}
  end: {ending: over}
"""


def test_what_may_ever_follow_a_choice_counts_every_history(tmp_path):
    path = tmp_path / "moods.story.yaml"
    path.write_text(MOODS)
    analysis = Analysis(explore(open_story(path)))
    warm, cold = (analysis.chart.follow((first, 0))[-1] for first in (0, 1))
    smile, away, bark = (
        number_of(analysis, line(text)) for text in ("He smiles at her.", "He looks away.", "A dog barks.")
    )
    assert smile in analysis.may(warm, 0)
    assert away not in analysis.may(warm, 0)
    assert analysis.ever(warm, 0) == analysis.ever(cold, 0)
    assert {smile, away} <= analysis.ever(warm, 0)
    assert bark not in analysis.ever(warm, 0)
