import json
from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.narrative.flowchart import Flowchart, cached
from benchwright.narrative.runtime import Choice, Line, Step
from benchwright.narrative.windows import explore_windows
from hypothesis import given
from hypothesis import strategies as st

DOOR = Step((Line("It is late.", "f:1"),), (Choice("Knock", "f:2"), Choice("Wait", "f:3")), {"trust": 0}, "door", "one")
LEFT = Step((Line("She opens.", "f:4", "ANN", ("warm",)),), (), {"trust": 1}, "end", "one", "TOM", ("ANN",), "met")
SAME_END = Step((Line("An hour passes.", "f:5"), Line("She opens.", "f:4")), (), {"trust": 1.0}, "end", ending="met")


@pytest.fixture
def chart():
    chart = Flowchart("sha256:00")
    chart.begin("door", DOOR)
    for index, step in enumerate((LEFT, SAME_END)):
        chart.add_transition(0, index, chart.add_state("met", step), step)
    chart.plays.append((1,))
    return chart


def test_two_replies_to_one_state_are_two_edges(chart):
    knock, wait = chart.transitions(0)
    assert (knock.target, wait.target) == (1, 1)
    assert [line.text for line in knock.lines] == ["She opens."]
    assert [line.text for line in wait.lines] == ["An hour passes.", "She opens."]
    assert chart.graph.number_of_edges(0, 1) == 2


def test_a_state_is_what_was_seen_first(chart):
    state = chart.state(1)
    assert (state.kind, state.ending, state.protagonist, state.present) == ("ending", "met", "TOM", ("ANN",))
    assert chart.state(0).kind == "decision"
    assert chart.find("met") == 1
    assert chart.find("nowhere") is None


def test_following_a_play(chart):
    assert chart.state_at(()) == Flowchart.START
    assert chart.state_at((1,)) == 1
    assert [edge.choice.text for edge in chart.follow((1,))] == ["Wait"]
    with pytest.raises(LookupError, match="choice 0 after 1 choices"):
        chart.follow((1, 0))


def test_expanded_means_every_choice_taken(chart):
    assert chart.expanded(0)
    assert chart.expanded(1)
    chart.graph.remove_edge(0, 1, key=1)
    assert not chart.expanded(0)


def test_an_error_is_a_state_that_is_never_expanded(chart):
    number = chart.add_error("broken", "door/1")
    assert chart.state(number).kind == "error"
    assert not chart.expanded(number)


def test_retaking_a_choice_replaces_what_it_led_to(chart):
    elsewhere = chart.add_state("elsewhere", LEFT)
    chart.add_transition(0, 0, elsewhere, LEFT)
    assert [edge.target for edge in chart.transitions(0)] == [elsewhere, 1]


def test_equal_variables_are_shared_but_types_are_kept(chart):
    knock, wait = chart.transitions(0)
    assert type(knock.variables["trust"]) is int
    assert type(wait.variables["trust"]) is float
    third = chart.add_transition(0, 1, 1, LEFT._replace(variables={"trust": 1}))
    assert third.variables is knock.variables


def test_cache_file_round_trip(chart, tmp_path: Path):
    chart.cut.append("something")
    chart.save(tmp_path / "deep" / "chart.json")
    again = Flowchart.load(tmp_path / "deep" / "chart.json")
    assert again.to_json() == chart.to_json()
    assert again.transitions(0) == chart.transitions(0)
    assert (again.state(0), again.state(1)) == (chart.state(0), chart.state(1))
    assert (again.opening, again.plays, again.cut, again.complete) == (DOOR.lines, [(1,)], ["something"], False)
    assert list(tmp_path.glob("deep/*")) == [tmp_path / "deep" / "chart.json"]


@given(data=st.data())
def test_json_round_trip_of_any_chart(data, random_stories):
    chart = explore_windows(data.draw(random_stories), seed=1, playthroughs=2, window=1, max_length=5)
    written = json.loads(json.dumps(chart.to_json()))
    assert json.loads(json.dumps(Flowchart.from_json(written).to_json())) == written


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"flowchart": 0}', '{"flowchart": 1, "source_sha256": "x"}'],
    ids=["empty", "broken", "list", "other-format", "incomplete"],
)
def test_a_bad_cache_file_is_one_line(text: str, tmp_path: Path):
    path = tmp_path / "chart.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"chart\.json: not a flowchart of this version .* delete it") as caught:
        Flowchart.load(path)
    assert "\n" not in str(caught.value)


def test_a_failed_save_leaves_what_was_there(chart, tmp_path: Path):
    path = tmp_path / "chart.json"
    path.write_text("old")
    chart.cut.append(object())
    with pytest.raises(TypeError):
        chart.save(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_cached_makes_once(chart, tmp_path: Path):
    made = []

    def make():
        made.append(1)
        return chart

    first = cached(tmp_path, ("sha256:00", 7), make)
    second = cached(tmp_path, ("sha256:00", 7), make)
    assert len(made) == 1
    assert second.to_json() == first.to_json()
    cached(tmp_path, ("sha256:00", 8), make)
    assert len(made) == 2
