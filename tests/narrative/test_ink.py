"""Ink played in a child process: what is told, saved positions, and stories that break the runtime.

The compiled stories in `stories/` were made with inkjs's compiler from the sources beside them.
"""

import functools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import InputError, StoryError
from benchwright.narrative.ink import names, speech
from benchwright.narrative.ink_child import Player
from benchwright.narrative.ink_index import common_path, scalar
from benchwright.narrative.runtime import Step, Story, expand, future
from benchwright.narrative.stories import open_story

pytest.importorskip("bink")
STORIES = Path(__file__).parent / "stories"


@pytest.fixture(scope="module")
def evening():
    return open_story(STORIES / "evening.ink.json")


@pytest.fixture(scope="module")
def runtimes():
    """Opens a runtime by story; all are closed at the end."""
    opened = []

    def runtime(name, **how):
        opened.append(open_story(STORIES / f"{name}.ink.json").runtime(**how))
        return opened[-1]

    yield runtime
    for one in opened:
        one.close()


@pytest.fixture(scope="module")
def play(runtimes):
    """Plays a story by name, always on the same runtime: it and the last step."""
    one = functools.cache(runtimes)

    def played(name, *choices, **how):
        runtime = one(name, **how)
        step = runtime.start()
        for index in choices:
            step = runtime.choose(index)
        return runtime, step

    return played


# -- what is told ---------------------------------------------------------------------------------


def test_global_tags_describe_the_story(evening):
    info = evening.info
    assert (info.title, info.language, info.license) == ("An evening", "en", "MIT")
    assert info.background == "Ada and Ben run a small theatre."
    assert info.protagonists == ("ADA", "BEN")
    assert [person.name for person in info.people] == ["ADA", "BEN", "KATE"]
    assert (
        info.texts.index("The lamps come on.") < info.texts.index("Kate smiles at you.") < info.texts.index("You walk.")
    )


@pytest.mark.parametrize(
    ("line", "speaker", "text"),
    [
        (0, None, "The lamps come on."),
        (1, "KATE", "Is L\u00e9a here, or not?"),
        (2, "Dr Mabuse Senior", "Not L\u00e9a, no."),
        (3, None, "It is late: nobody answers."),
        (4, None, "note: nothing."),
    ],
    ids=["narration", "speech with a variable", "three words, NFC", "a sentence is no name", "lower case is no name"],
)
def test_lines_and_speakers(play, line, speaker, text):
    _, step = play("evening")
    assert (step.lines[line].speaker, step.lines[line].text) == (speaker, text)


@pytest.mark.parametrize(
    ("raw", "speaker"),
    [
        ("KATE: Yes.", "KATE"),
        ("Old Man Kate: Yes.", "Old Man Kate"),
        ("Guard 2: Halt!", "Guard 2"),
        ("O'Brien-Smith: Yes.", "O'Brien-Smith"),
        ("Éva: Igen.", "Éva"),
        ("王明: 你好", "王明"),
        ("The old Man: Yes.", None),
        ("One Two Three Four: Yes.", None),
        ("KATE:Yes.", None),
        ("KATE: ", None),
        ("12: Yes.", None),
        ("", None),
    ],
)
def test_speech(raw, speaker):
    assert speech(raw) == ((speaker, raw.partition(": ")[2]) if speaker else (None, raw))


def test_tags_hold_until_changed(play):
    runtime, first = play("evening")
    assert (first.chapter, first.protagonist, first.present) == ("One", "ADA", ("ADA", "KATE"))
    second = runtime.choose(1)
    assert (second.chapter, second.protagonist) == ("One", "ADA")
    third = runtime.choose(2)
    assert (third.chapter, third.protagonist, third.present) == ("Two", "BEN", ("ADA", "KATE"))
    assert third.lines[0].tags == ("chapter: Two", "protagonist: BEN")
    assert first.lines[0].tags == ("chapter: One", "present: ADA, KATE")


def test_every_kind_of_variable(play):
    _, step = play("evening")
    first = {"trust": 1, "open": True, "name": "L\u00e9a", "next": "lobby", "mood": "calm, tired"}
    assert step.variables == first
    assert type(step.variables["open"]) is bool
    _, step = play("evening", 1, 2)
    assert step.variables == {**first, "trust": 3, "open": False, "next": "street", "mood": "calm"}


def test_endings_are_named_by_tag_or_by_knot(play):
    assert play("evening", 1, 2, 1)[1].ending == "street"
    assert play("evening", 1, 2, 0)[1].ending == "together"
    assert play("fallback", 0, 0)[1].ending == "leave"
    assert play("evening")[1].ending is None


# -- spans and locations --------------------------------------------------------------------------


def told(play: Callable[..., Any], *choices: int) -> dict[str, str]:
    """Span by text of what a play of `evening` told last."""
    return {line.text: line.span for line in play("evening", *choices)[1].lines}


def test_alternative_wordings_share_a_span_and_conditions_do_not(play):
    once, twice = told(play), told(play, 1)
    assert once["The lobby is quiet."] == twice["The lobby is quieter."]
    assert once["The clock strikes nine."] == twice["The clock strikes ten."]
    assert once["Kate looks away."] != twice["Kate smiles at you."]
    assert told(play, 1, 2, 1)["She waves."] != told(play, 2, 0)["She is gone."]
    assert once["Is L\u00e9a here, or not?"].startswith("0:")


def test_places_of_one_story_differ(evening, play):
    spans = [*told(play).values(), *told(play, 1).values()]
    assert len(set(spans)) == len(spans) - 2  # the lobby and the clock are told twice
    assert not [span for span in spans if span.startswith("text:")]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("You walk home, and 3 stars are out.", "together:0"),
        ("You walk home, and 12 stars are out.", "together:0"),
        ("She nods and sits down.", "lobby.0.c-0:2"),
        ("something that no text of the source is part of", "text:"),
        ("42", "text:"),
    ],
    ids=["dynamic", "same place", "glued", "foreign", "number"],
)
def test_span_of_a_text(evening, text, place):
    assert evening.index.span(text).startswith(place)


def test_a_hub_keeps_its_location_while_its_choices_run_out(play):
    steps = [play("evening", *choices)[1] for choices in ((), (0,), (0, 0), (1,))]
    assert {len(step.choices) for step in steps} == {2, 3}
    assert len({step.location for step in steps}) == 1
    assert play("evening", 2)[1].location != steps[0].location
    assert play("fallback")[1].location == play("fallback", 1)[1].location


def test_choices_under_a_condition_belong_to_the_decision(play):
    richer, poorer = play("evening", 1, 2)[1], play("evening", 2)[1]
    assert (len(richer.choices), len(poorer.choices)) == (2, 1)
    assert richer.location == poorer.location
    assert poorer.choices[0].span in {choice.span for choice in richer.choices}


@pytest.mark.parametrize(
    ("paths", "common"),
    [(["a.0.b", "a.0.c"], "a.0"), (["a.0"], "a.0"), (["a.10", "a.1"], "a"), (["a", "b"], ""), ([], "")],
)
def test_common_path(paths, common):
    assert common_path(paths) == common


@pytest.mark.parametrize(
    ("value", "ours"),
    [(True, True), (1, 1), (0.5, 0.5), ("^a", "a"), ({"^->": "a.b"}, "a.b"), ({"list": {"l.b": 2, "l.a": 1}}, "a, b")],
)
def test_values(value, ours):
    assert scalar(value) == ours
    assert type(scalar(value)) is type(ours)


def test_names():
    assert names(" A,  B C ,,") == ("A", "B C")


# -- positions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("story", ["evening", "fallback"])
def test_loading_changes_nothing(runtimes, story):
    """Every play to depth 5, straight and with a position loaded by another runtime before every choice."""
    straight, other = runtimes(story), runtimes(story)

    def compare(choices: tuple[int, ...], state: str) -> None:
        straight.start()
        for index in choices:
            straight.choose(index)
        step = other.load(state)
        assert straight.save() == state == other.save()
        assert straight.load(state) == step
        for index in range(len(step.choices) if len(choices) < 5 else 0):
            other.load(state)
            other.choose(index)
            compare((*choices, index), other.save())

    straight.start()
    compare((), straight.save())


def test_invisible_choices_stay_invisible(play):
    """The trap this guards against: bink offers the fallback once the state is loaded."""
    runtime, step = play("fallback")
    assert [choice.text for choice in step.choices] == ["Ask Ivo", "Ask Kate"]
    assert len(runtime.load(runtime.save()).choices) == 2
    assert [line.text for line in runtime.choose(1).lines] == ["Perhaps.", "The hub."]
    runtime.load(runtime.save())
    assert [line.text for line in runtime.choose(0).lines] == ["No.", "The hub.", "They leave."]


def test_bink_still_has_the_trap():
    from bink.story import Story

    story = Story((STORIES / "fallback.ink.json").read_text(encoding="utf-8-sig"))
    story.continue_maximally()
    before = list(story.choices)
    story.load_state(story.save_state())
    assert list(story.choices) == [*before, ""]


def test_expanding_is_choosing_one_by_one(play):
    runtime, step = play("evening")
    state = runtime.save()
    branches = expand(runtime, state)
    assert runtime.save() == state
    for index in range(len(step.choices)):
        runtime.load(state)
        assert branches[index].step == runtime.choose(index)
        assert branches[index].state == runtime.save()


def test_what_was_told_does_not_bear_on_the_future(play):
    runtime, _ = play("fallback", 0)
    state = runtime.save()
    rest = state.split("\n", 1)[1]
    assert future(state) == rest
    other = json.dumps([["Something else."]]) + "\n" + rest
    assert runtime.load(other).lines[0].text == "Something else."
    assert runtime.choose(0).lines[0].text == "Perhaps."


@pytest.mark.parametrize("state", ["", "x", "[]\n{}\n{}", '[]\n{}\n{"flows": 1}', "[1]\n{}\n[]"])
def test_what_is_no_position_is_said_so(play, state):
    runtime, step = play("fallback")
    with pytest.raises(StoryError, match=r"fallback\.ink\.json: not a saved position"):
        runtime.load(state)
    assert runtime.choose(0) != step


def test_a_position_that_only_looks_like_one_breaks_the_choice_alone(play):
    runtime, step = play("fallback")
    told, marks, state = runtime.save().split("\n")
    runtime.load("\n".join((told, marks, state.replace("hub.0.c-0", "nowhere.at.all"))))
    with pytest.raises(StoryError):
        runtime.choose(0)
    assert runtime.start() == step


@pytest.mark.parametrize("index", [-1, 2, 99])
def test_a_choice_that_is_not_offered(play, index):
    runtime, _ = play("fallback")
    with pytest.raises(IndexError, match=f"choice {index} of 2"):
        runtime.choose(index)


def test_nothing_can_be_chosen_before_the_start():
    runtime = open_story(STORIES / "fallback.ink.json").runtime()
    with pytest.raises(StoryError, match="no play"):
        runtime.choose(0)
    runtime.close()


def random_play(story: Story, seed: int, by_position: bool) -> list[Step]:
    """The steps of one random play; `by_position` loads a saved position, in another runtime, before each choice."""
    chance, runtimes = random.Random(seed), [story.runtime(), story.runtime()]
    steps = [runtimes[0].start()]
    while steps[-1].choices:
        if by_position:
            state = runtimes[0].save()
            runtimes.reverse()
            assert runtimes[0].load(state) == steps[-1]
        steps.append(runtimes[0].choose(chance.randrange(len(steps[-1].choices))))
    for runtime in runtimes:
        runtime.close()
    return steps


@pytest.mark.parametrize("seed", range(8))
def test_the_intercept_plays_alike_with_and_without_positions(intercept, seed):
    straight = random_play(intercept, seed, by_position=False)
    assert straight == random_play(intercept, seed, by_position=True)
    assert straight[-1].ending
    assert not [line for step in straight for line in step.lines if line.span.startswith("text:")]


# -- random numbers -------------------------------------------------------------------------------


def test_a_story_that_draws_is_refused():
    with pytest.raises(InputError, match=r"draws\.ink\.json:street.*draws random numbers"):
        open_story(STORIES / "draws.ink.json")


def test_a_seed_fixes_what_is_drawn():
    def lines(seed: int) -> tuple[str, ...]:
        runtime = open_story(STORIES / "draws.ink.json", random_seed=seed).runtime()
        texts = (runtime.start().lines[0].text, runtime.choose(0).lines[0].text, runtime.choose(0).lines[0].text)
        runtime.close()
        return texts

    assert lines(1) == lines(1)
    assert set(lines(1)) == {"You meet a cat.", "You meet a dog.", "You meet a fox."}
    assert len({lines(seed) for seed in range(4)}) > 1


# -- stories that break the runtime ---------------------------------------------------------------

BROKEN = [
    pytest.param(0, "ran for more than 1 s", id="endless loop"),
    pytest.param(1, "more than 5000 lines without a choice", id="endless text"),
    pytest.param(2, "crashed its runtime", id="endless memory"),
    pytest.param(3, "attempt to divide by zero", id="panic"),
    pytest.param(4, "ran out of content", id="loose end"),
]


@pytest.mark.parametrize(("index", "problem"), BROKEN)
def test_a_broken_story_costs_one_line_and_the_runtime_goes_on(play, index, problem):
    runtime, step = play("broken", seconds=30 if index == 2 else 1)
    state = runtime.save()
    with pytest.raises(StoryError) as raised:
        runtime.choose(index)
    message = str(raised.value)
    assert message.startswith(f"{STORIES / 'broken.ink.json'}:after {index} ({step.choices[index].text}): ")
    assert problem in message
    assert "\n" not in message
    assert runtime.load(state) == step
    assert runtime.choose(5).lines[-1].text == "You leave."
    assert runtime.start() == step


def test_a_broken_branch_does_not_hide_the_others(play):
    runtime, step = play("broken", seconds=1)
    branches = expand(runtime, runtime.save())
    assert [branch.error is None for branch in branches] == [False] * 5 + [True]
    assert "divide by zero" in str(branches[3].error)
    assert branches[5].step is not None
    assert branches[5].step.lines[-1].text == "You leave."
    assert runtime.start() == step


def test_the_child_is_killed_with_the_parent(tmp_path):
    """The parent is killed while the child runs in circles: no more than its own look at the clock later it is gone."""
    script = f"""
from pathlib import Path
from benchwright.narrative.stories import open_story
runtime = open_story(Path({str(STORIES / "broken.ink.json")!r})).runtime(seconds=60)
runtime.start()
print(runtime._child._process.pid, flush=True)
runtime.choose(0)
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    with parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        time.sleep(0.3)
        os.kill(child, 0)
        parent.send_signal(signal.SIGKILL)
    wait_until(lambda: gone(child))


def test_an_idle_child_ends_with_its_parent(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "benchwright.narrative.ink_child"], stdin=subprocess.PIPE, cwd=tmp_path
    )
    with child:
        assert child.stdin
        child.stdin.write(b'{"source": "", "fallbacks": [], "seconds": 1}\n')
        child.stdin.close()
        assert child.wait(10) == 0


def gone(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def wait_until(holds: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_closing_ends_the_child_and_a_closed_runtime_can_start_again(runtimes):
    runtime = runtimes("fallback")
    step = runtime.start()
    process = runtime._child._process
    runtime.close()
    assert process.poll() is not None
    runtime.close()
    assert runtime.start() == step


def test_a_forgotten_runtime_leaves_no_child():
    runtime: Any = open_story(STORIES / "fallback.ink.json").runtime()
    runtime.start()
    process = runtime._child._process
    del runtime
    assert process.poll() is not None


# -- the child's surroundings ---------------------------------------------------------------------


def test_the_child_imports_nothing_heavy():
    listing = "import sys, benchwright.narrative.ink_child; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout.split()
    assert "benchwright.narrative.ink_child" in loaded
    assert not {"pydantic", "networkx", "numpy", "yaml", "asyncio"} & set(loaded)


def test_files_that_shadow_modules_do_not_reach_the_child(tmp_path, monkeypatch, runtimes):
    for name in ("json", "bink", "re", "benchwright"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')")
    monkeypatch.chdir(tmp_path)
    assert runtimes("fallback").start().choices


def test_without_bink_there_is_one_clear_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "bink", None)
    with pytest.raises(InputError, match=r"fallback\.ink\.json: .* bink, which is not installed"):
        open_story(STORIES / "fallback.ink.json")


def test_a_player_starts_afresh_after_an_error():
    player = Player((STORIES / "broken.ink.json").read_text(encoding="utf-8-sig"), (), 60)
    first = player.start()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="ran out of content"):
            player.choose(first, 4)
        assert "You leave." in player.choose(first, 5)
    assert player.start() == first
