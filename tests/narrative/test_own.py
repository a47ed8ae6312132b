"""Our own story format: how it is played, and every mistake with its line."""

import json
import random
from pathlib import Path

import pytest
import yaml
from benchwright.errors import InputError, StoryError
from benchwright.narrative.own import OwnStory
from benchwright.narrative.runtime import Step, expand, future

STORIES = Path(__file__).parent / "stories"


@pytest.fixture(scope="module")
def bridge():
    return OwnStory(STORIES / "bridge.story.yaml")


@pytest.fixture
def write(tmp_path):
    """Writes the states of a small story; other top-level keys as keywords."""

    def written(states, **keys):
        top = {"benchwright_story": 1, "title": "T", "protagonists": ["Ada"], "start": "one", **keys}
        path = tmp_path / "story.yaml"
        path.write_text(yaml.safe_dump(top, sort_keys=False) + f"states:\n{states}", encoding="utf-8")
        return path

    return written


def texts(step: Step) -> list[str]:
    return [line.text for line in step.lines]


def shown(step: Step) -> list[str]:
    return [choice.text for choice in step.choices]


def test_protagonists_are_people_with_names_to_hide(write):
    people = [{"name": "Ben Ash", "aliases": ["Ben"]}]
    path = write("  one: {ending: over}\n", protagonists=["Ada", "Ben", "Ada"], people=people)
    assert [person.name for person in OwnStory(path).info.people] == ["Ben Ash", "Ada"]


# -- playing --------------------------------------------------------------------------------------


def test_a_play(bridge):
    """By hand: the truth is told once (trust 1), then they cross together and arrive."""
    runtime = bridge.runtime()
    step = runtime.start()
    assert texts(step) == ["The bridge sways.", "Is it safe?"]
    assert shown(step) == ["Tell her the truth", "Say nothing"]
    assert (step.chapter, step.protagonist, step.present, step.ending) == ("One", "Ada", ("Kate", "Ivo"), None)
    step = runtime.choose(0)
    assert texts(step) == ["Thank you.", "The bridge sways.", "Is it safe?", "You have asked 1 times."]
    assert shown(step) == ["Say nothing", "Cross with her"]
    assert step.variables == {"trust": 1, "told": True, "word": "bridge"}
    step = runtime.choose(1)
    assert texts(step) == ["They cross.", "The far side."]
    assert (step.ending, step.chapter, step.choices) == ("Across", "Two", ())


def test_spans_name_state_choice_and_line(bridge):
    runtime = bridge.runtime()
    first = runtime.start()
    assert [line.span for line in first.lines] == ["arrival/0", "arrival/1"]
    assert [choice.span for choice in first.choices] == ["arrival#0", "arrival#1"]
    second = runtime.choose(0)
    assert second.lines[0].span == "arrival/0/0"
    assert [choice.span for choice in second.choices] == ["arrival#1", "arrival#2"]
    assert second.location == first.location


def test_what_the_file_says_of_itself(bridge):
    info = bridge.info
    assert (info.title, info.format, info.license, info.protagonists) == ("The bridge", "story", "MIT", ("Ada", "Ben"))
    assert info.people[1].aliases == ("The foreman",)
    assert info.signals["trust"].kind == "relationship_change"
    assert info.texts[:2] == ("The {word} sways.", "Is it safe?")
    assert "Thank you." in info.texts
    assert bridge.warnings == ()


@pytest.mark.parametrize("seed", range(20))
def test_loading_changes_nothing(bridge, seed):
    chance = random.Random(seed)
    straight, other = bridge.runtime(), bridge.runtime()
    step = straight.start()
    while step.choices:
        state = straight.save()
        assert other.load(state) == step
        assert other.save() == state
        index = chance.randrange(len(step.choices))
        step = straight.choose(index)
        assert other.choose(index) == step
    assert step.ending in ("Across", "Fallen")


def test_expanding_by_the_general_way(bridge):
    runtime = bridge.runtime()
    runtime.start()
    branches = expand(runtime, runtime.save())
    assert [branch.step.lines[0].text for branch in branches if branch.step] == ["Thank you.", "They cross."]
    assert runtime.load(branches[0].state) == branches[0].step


def test_what_cannot_matter_is_not_in_the_position(bridge, write):
    """Visits are counted only where an expression asks for them: going round in a circle is one state."""
    runtime = bridge.runtime()
    runtime.start()
    runtime.choose(0)
    assert '"visits":{"arrival":2}' in future(runtime.save())
    story = write("  one: {choices: [{text: Again, to: one}, {text: End, to: two}]}\n  two: {ending: Over}\n")
    runtime = OwnStory(story).runtime()
    runtime.start()
    before = future(runtime.save())
    runtime.choose(0)
    assert future(runtime.save()) == before


def test_a_chapter_holds_until_another_is_named(write):
    runtime = OwnStory(
        write(
            "  one: {chapter: I, choices: [{text: On, to: two}]}\n"
            "  two: {choices: [{text: On, to: three}]}\n"
            "  three: {chapter: II, ending: Over}\n"
        )
    ).runtime()
    assert [runtime.start().chapter, runtime.choose(0).chapter, runtime.choose(0).chapter] == ["I", "I", "II"]


@pytest.mark.parametrize(
    ("value", "text"),
    [("true", "true"), ("3", "3"), ("2.0", "2"), ("0.5", "0.5"), ("Lé", "L\u00e9"), ("'{x}'", "{x}")],
    ids=["bool", "int", "whole float", "float", "NFC", "not filled twice"],
)
def test_variables_in_texts(write, value, text):
    value = value.replace("Lé", "Le\u0301")
    story = write(
        "  one: {ending: Over, lines: [{text: 'It is { x }, {} {x y} {'}]}\n", variables={"x": yaml.safe_load(value)}
    )
    assert texts(OwnStory(story).runtime().start()) == [f"It is {text}, {{}} {{x y}} {{"]


def test_effects_run_before_lines_and_in_order(write):
    runtime = OwnStory(
        write(
            "  one:\n"
            "    effects: [n += 1, n = n * 3]\n"
            "    lines: [{text: 'n is {n}'}]\n"
            "    choices: [{text: 'take {n}', to: two, effects: [n -= 1], lines: [{text: 'now {n}', if: n == 2}]}]\n"
            "  two: {effects: [n = n + 10], lines: [{text: 'then {n}'}], ending: Over}\n",
            variables={"n": 0},
        )
    ).runtime()
    step = runtime.start()
    assert (texts(step), shown(step)) == (["n is 3"], ["take 3"])
    assert texts(runtime.choose(0)) == ["now 2", "then 12"]


def test_json_is_read_alike(bridge, tmp_path):
    path = tmp_path / "bridge.json"
    path.write_text(json.dumps(yaml.safe_load(bridge.path.read_text())), encoding="utf-8-sig")
    assert OwnStory(path).runtime().start() == bridge.runtime().start()


@pytest.mark.parametrize("index", [-1, 2])
def test_a_choice_that_is_not_offered(bridge, index):
    runtime = bridge.runtime()
    runtime.start()
    with pytest.raises(IndexError):
        runtime.choose(index)


@pytest.mark.parametrize("state", ["", "x", "[]\n[]", "[]\n{}", "[[1]]\n{}"])
def test_what_is_no_position_is_said_so(bridge, state):
    with pytest.raises(StoryError, match="not a saved position"):
        bridge.runtime().load(state)


def test_nothing_can_be_chosen_before_the_start(bridge):
    with pytest.raises(StoryError, match="no play"):
        bridge.runtime().choose(0)


# -- stories that break off -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("states", "problem"),
    [
        ("  one: {goto: [{to: two}]}\n  two: {goto: [{to: one}]}\n", r"state (one|two): 1000 states without a choice"),
        (
            "  one: {goto: [{to: two, if: n > 0}]}\n  two: {ending: Over}\n",
            "state one: no choice is offered",
        ),
        ("  one: {effects: [n += 'x'], ending: Over}\n", "state one: .*'x' is no number"),
        ("  one: {goto: [{to: one, if: 1 // n}]}\n", "state one: .*division by zero"),
    ],
    ids=["circle", "stuck", "effect", "condition"],
)
def test_breaking_off_names_the_state(write, states, problem):
    path = write(states, variables={"n": 0})
    with pytest.raises(StoryError, match=problem) as raised:
        OwnStory(path).runtime().start()
    assert str(raised.value).startswith(f"{path}:state ")


# -- mistakes -------------------------------------------------------------------------------------

END = "  end: {ending: Over}\n"
MISTAKES = [
    ("  one: {choices: [{text: Go, to: nowhere}]}\n", "no state 'nowhere'; there is end, one"),
    ("  one: {goto: [{to: nowhere}]}\n", "no state 'nowhere'"),
    ("  one: {choices: [{text: Go}]}\n", "choice 'Go' leads nowhere"),
    ("  one: {}\n", "can neither choose nor go on"),
    ("  one: {ending: Over, goto: [{to: one}]}\n", "an ending, so it has neither choices nor goto"),
    ("  one: {ending_class: success, goto: [{to: one}]}\n", "an ending_class and no ending"),
    ("  one: {ending: Over, lines: [{text: Hi, speaker: Kate}]}\n", "no person 'Kate'; there is Ada"),
    ("  one: {ending: Over, present: [Kate]}\n", "no person 'Kate'"),
    ("  one: {ending: Over, protagonist: Kate}\n", "no protagonist 'Kate'"),
    ("  one: {ending: Over, effects: [m = 1]}\n", "no variable 'm'; there is n"),
    ("  one: {ending: Over, effects: [n = m]}\n", "no variable 'm'"),
    ("  one: {ending: Over, effects: [n == 1]}\n", "is no effect"),
    ("  one: {ending: Over, lines: [{text: Hi, if: m > 1}]}\n", "no variable 'm'"),
    ("  one: {ending: Over, lines: [{text: Hi, if: n >}]}\n", "is no expression"),
    ("  one: {ending: Over, lines: [{text: Hi, if: visits('two')}]}\n", "no state 'two'"),
    ("  one: {ending: Over, lines: [{text: 'Hi {m}'}]}\n", "no variable 'm'"),
    ("  one: {choices: [{text: Go, to: one, if: open('x')}]}\n", "Call is not allowed"),
    ("  one: {choices: [{text: Go, to: one, lines: [{text: Hi, if: m}]}]}\n", "no variable 'm'"),
    ("  one: {choices: [{text: Go, to: one, lines: [{text: Hi, speaker: Kate}]}]}\n", "no person 'Kate'"),
    ("  one: {choices: [{text: Go, to: one, effects: [m = 1]}]}\n", "no variable 'm'"),
    ("  one: {goto: [{to: one, if: m}]}\n", "no variable 'm'"),
    (
        "  one: {choices: [{text: A, to: one, player_share: 0.7}, {text: B, to: one, player_share: 1}]}\n",
        "more than 1",
    ),
    ("  one: {choices: [{text: A, to: one, player_share: 1.2}]}\n", "less than or equal to 1, got 1.2"),
    ("  one: {ending: Over, lines: [{text: Hi, txt: Hi}]}\n", "unknown key 'states.one.lines.0.txt'"),
    ("  one: {ending: Over, lines: [{text: ''}]}\n", "text"),
    ("  one: {ending: 3}\n", "valid string, got 3"),
    ("  a/b: {ending: Over}\n  one: {ending: Over}\n", "has no '/'"),
]


@pytest.mark.parametrize(("states", "problem"), MISTAKES, ids=[problem for _, problem in MISTAKES])
def test_every_mistake_is_one_line_with_its_line(write, states, problem):
    """All mistakes stand in the second line of the states, after a sound state and a comment."""
    path = write("# sound\n" + END + states, variables={"n": 0})
    line = len(path.read_text().splitlines()) - states.count("\n") + 1
    with pytest.raises(InputError) as raised:
        OwnStory(path)
    message = str(raised.value)
    assert message.startswith(f"{path}:{line}: ")
    assert problem in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"start": "nowhere"}, "no state 'nowhere'"),
        ({"starts": "one"}, "unknown key 'starts'"),
        ({"benchwright_story": 2}, "benchwright_story"),
        ({"protagonists": []}, "protagonists"),
        ({"variables": {"a b": 1}}, "'a b' is no name"),
        ({"variables": {"if": 1}}, "'if' is no name"),
        ({"variables": {"n": 10**30}}, "too large"),
        ({"variables": {"visits": 1}}, "'visits' is no name"),
        ({"signals": {"m": {"kind": "causal_lock"}}}, "no variable 'm'"),
        ({"variables": {"n": 1}, "signals": {"n": {"kind": "causal_lock", "between": ["Kate"]}}}, "no person 'Kate'"),
        ({"variables": {"n": 1}, "signals": {"n": {"kind": "love"}}}, "kind"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else value,
)
def test_mistakes_at_the_top(write, keys, problem):
    path = write("  one: {ending: Over}\n", **keys)
    with pytest.raises(InputError, match=rf"story\.yaml:\d+: .*{problem}"):
        OwnStory(path)


def test_several_mistakes_are_counted(write):
    path = write("  one: {choices: [{text: A, to: x}, {text: B, to: y}, {text: C, to: z}]}\n")
    with pytest.raises(InputError, match=r"no state 'x'.*\(and 2 more\)"):
        OwnStory(path)


def test_slips_are_warnings_with_their_lines(write):
    path = write(
        "  one: {choices: [{text: A, to: one, once: true}]}\n"
        "  two: {ending: Over}\n"
    )  # fmt: skip
    line = len(path.read_text().splitlines())
    assert OwnStory(path).warnings == (
        f"{path}:{line - 1}: state 'one' may have nothing to offer: add a goto without `if`",
        f"{path}:{line}: state 'two' cannot be reached",
        f"{path}:5: no ending can be reached",
    )
