"""`scripts/replay.py` as an outsider runs it: on a release folder and story files, in a process of its own."""

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.narrative.analysis import Analysis
from benchwright.narrative.oracle import rederive
from benchwright.narrative.stories import open_story
from benchwright.narrative.windows import explore_windows
from benchwright.schemas.grounding import Event, Recipe, Recorded
from hypothesis import given, settings
from hypothesis import strategies as st

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "replay.py"

STORY = """
benchwright_story: 1
title: The gift
protagonists: [TOM]
people: [{name: ANN}]
variables: {trust: 0, met: false}
start: door
states:
  door:
    lines: [{text: "Ann waits."}]
    choices:
      - {text: Give it, to: hall, effects: ["trust += 2"], lines: [{text: "Thank  you.", speaker: ANN}]}
      - {text: Keep it, to: hall, effects: ["trust -= 1"], lines: [{text: "Oh.", speaker: ANN}]}
  hall:
    choices:
      - {text: Ask, to: talk, if: "trust > 0"}
      - {text: Leave, to: away}
  talk:
    effects: ["met = true"]
    lines: [{text: "I will tell you.", speaker: ANN}]
    choices:
      - {text: Listen, to: home}
  away: {lines: [{text: Rain.}], ending: Alone}
  home: {lines: [{text: Morning.}], ending: Together}
"""


def event(kind: str, match) -> Event:
    return Event(kind=kind, match=match)


ROWS: dict[str, tuple[Recipe, str]] = {}


def row(name: str, key: str, claim: str, play, taken: int, events: dict[str, Event], **fields) -> None:
    fields = {"window": 2} | fields
    made = Recipe(claim=claim, story_sha256="", play=play, taken=taken, events=events, **fields)
    ROWS[name] = made, key


# After keeping it one can only leave; after giving it one can ask or leave.
row(
    "supposed", "o3", "counterfactual", (), 0,
    {
        "o1": event("line", ("Thank you.",)),
        "o2": event("line", ("I will tell you.",)),
        "o3": event("choice_lost", ("Ask",)),
        "o4": event("ending", "Together"),
        "o5": event("signal", "trust > 0"),
        "o6": event("choice", ("Ask",)),
        "o7": event("choice_open", ("Ask",)),
    },
    others=(1,),
)  # fmt: skip
row("act", "o1", "behaviour", (), 0, {"o1": event("line", ("Thank you.",)), "o2": event("line", ("Oh.",))}, window=0)
row(
    "cause", "o1", "causal_antecedent", (0, 0), 0,
    {"o1": event("choice", ("Ask",))},
    target=event("line", ("Morning.",)), window=1,
)  # fmt: skip
row(
    "state", "o2", "latent_state", (0,), 0,
    {"o1": event("signal", "trust < 0"), "o2": event("signal", "trust >= 2"), "o3": event("signal", "met == 0")},
    window=None,
)  # fmt: skip
row(
    "risen", "o1", "latent_state", (0,), 0,
    {"o1": event("signal", "trust > 0"), "o2": event("signal", "trust < 0"), "o3": event("signal", "met < 0")},
    since=0,
)  # fmt: skip


row(
    "majority", "o2", "moral_dilemma", (), 0,
    {"o1": event("choice", ("Give it",)), "o2": event("choice", ("Keep it",))},
    recorded=Recorded(source="a poll", date="2026", n=90, chosen={"Give it": 30, "Keep it": 60}),
)  # fmt: skip


def release(folder: Path, rows: list[tuple[str, Recipe, str]]) -> Path:
    (folder / "answers").mkdir(parents=True)
    (folder / "grounding").mkdir()
    keys = [{"id": name, "answer": [key]} for name, _, key in rows]
    traces = [{"id": name, "recipe": recipe.model_dump(mode="json")} for name, recipe, _ in rows]
    for path, lines in (("answers/key.jsonl", keys), ("grounding/trace.jsonl", traces)):
        (folder / path).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def replay(folder: Path, *stories: Path) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), *map(str, stories)], capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "gift.story.yaml"
    path.write_text(STORY)
    return path


def of_story(story: Path, names) -> list[tuple[str, Recipe, str]]:
    sha = open_story(story).info.sha256
    return [(name, ROWS[name][0].model_copy(update={"story_sha256": sha}), ROWS[name][1]) for name in names]


def test_right_labels_of_every_claim_stand(story: Path, tmp_path: Path):
    code, lines = replay(release(tmp_path / "r", of_story(story, ROWS)), story)
    assert lines == [f"{len(ROWS)} labels, 0 refuted, 0 not checked"]
    assert code == 0


@pytest.mark.parametrize("name", ROWS)
def test_a_wrong_key_is_refuted(name: str, story: Path, tmp_path: Path):
    ((_, recipe, _),) = of_story(story, [name])
    wrong = [(name, recipe, "o9"), *of_story(story, [other for other in ROWS if other != name])]
    code, lines = replay(release(tmp_path / "r", wrong), story)
    assert lines[0].startswith(f"{name}: refuted: key ['o9'], true ['{ROWS[name][1]}']")
    assert (code, lines[-1]) == (1, f"{len(ROWS)} labels, 1 refuted, 0 not checked")


def test_a_distractor_that_may_come_true_is_refuted(story: Path, tmp_path: Path):
    ((_, recipe, _),) = of_story(story, ["act"])
    events = {"o1": recipe.events["o1"], "o2": event("line", ("Rain.",))}
    loose = recipe.model_copy(update={"events": events, "window": 1})
    code, lines = replay(release(tmp_path / "r", [("act", loose, "o1")]), story)
    assert (code, lines[0]) == (1, "act: refuted: key ['o1'], true ['o1'], possible ['o2']")


def test_what_cannot_be_checked_is_said(story: Path, tmp_path: Path):
    (known,) = of_story(story, ["act"])
    lost = ("lost", ROWS["act"][0].model_copy(update={"story_sha256": "sha256:00"}), "o1")
    code, lines = replay(release(tmp_path / "r", [known, lost]), story)
    assert (code, lines) == (2, ["lost: not checked: KeyError('sha256:00')", "2 labels, 0 refuted, 1 not checked"])


def test_a_change_is_measured_from_where_the_clip_starts(story: Path, tmp_path: Path):
    ((_, recipe, _),) = of_story(story, ["risen"])
    later = recipe.model_copy(update={"since": 1})
    code, lines = replay(release(tmp_path / "r", [("risen", later, "o1")]), story)
    assert code == 2
    assert "risen: not checked" in lines[0]
    assert "'trust > 0' does not compare with the value after 1 choices" in lines[0]


def test_on_the_intercept(intercept, tmp_path: Path):
    """Claims that the analysis makes, on the runtime that nobody here wrote, without anything of ours between."""
    analysis = Analysis(explore_windows(intercept, seed=3, playthroughs=1, window=2))
    rows: list[tuple[str, Recipe, str]] = []
    for decision in analysis.decisions():
        edges = analysis.chart.transitions(decision.state)
        for edge in edges:
            sure = analysis.surely_only(edge, edges[decision.taken], 2) - analysis.happened(decision.play)
            told = sorted(sure & analysis.line_events())
            foils = sorted(analysis.may(edges[decision.taken], 2) - analysis.may(edge, 2) - set(told))
            if edge.index != decision.taken and told and foils:
                events = {"o1": analysis.event(told[-1]), "o2": analysis.event(foils[0])}
                made = Recipe(
                    claim="counterfactual", story_sha256=intercept.info.sha256, play=decision.play,
                    taken=decision.taken, others=(edge.index,), window=2, events=events,
                )  # fmt: skip
                rows.append((f"i{len(rows)}", made, "o1"))
    assert len(rows) > 10
    rows.append(("wrong", rows[0][1], "o2"))
    code, lines = replay(release(tmp_path / "r", rows), intercept.path)
    assert (code, lines[-1]) == (1, f"{len(rows)} labels, 1 refuted, 0 not checked")
    assert lines[0].startswith("wrong: refuted")


@pytest.fixture(scope="session")
def script():
    spec = importlib.util.spec_from_file_location("replay", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@settings(max_examples=80, deadline=None)
@given(data=st.data(), window=st.integers(0, 3))
def test_script_and_oracle_agree_on_any_recipe(data, window: int, random_stories, script):
    story = data.draw(random_stories)
    runtime, texts = story.runtime(), [text for ways in story.graph.values() for text in ways]

    def at(play: tuple[int, ...]):
        step, taken = runtime.start(), ""
        for index in play:
            taken, step = step.choices[index].text, runtime.choose(index)
        lines, offered = [line.text for line in step.lines], [choice.text for choice in step.choices]
        return script.Moment(taken, lines, offered, step.variables, step.ending)

    play: tuple[int, ...] = ()
    while at(play).choices and len(play) < 4:
        play = (*play, data.draw(st.integers(0, len(at(play).choices) - 1)))
    siblings = [index for index in range(len(at(play[:-1]).choices)) if index != play[-1]]
    events = {f"l{n}": event("line", (f"{n}/1", f"{n}/2")) for n in "abcde"}
    events |= {f"{kind} {text}": event(kind, (text,)) for text in texts for kind in ("choice_open", "choice_lost")}
    events |= {f"trust {op} {n}": event("signal", f"trust {op} {n}") for op in ("<=", "!=", ">") for n in (-1, 0, 1)}
    events |= {name: event("ending", name) for name in story.graph}
    made = [event("choice", (text,)) for text in texts]
    taken = [at(play[:length]).taken for length in range(1, len(play) + 1)]
    once = {one.match[0]: one for one in made if taken.count(one.match[0]) == 1}
    fields = {"story_sha256": "", "play": play[:-1], "taken": play[-1], "window": window}
    recipes = [Recipe(claim=claim, events=events, **fields) for claim in ("behaviour", "latent_state")]
    recipes[1] = recipes[1].model_copy(update={"events": {o: e for o, e in events.items() if e.kind == "signal"}})
    for since in range(len(play) + 1):
        start = at(play[: min(since, len(play))]).variables["trust"]
        moved = {f"{op} {n}": event("signal", f"trust {op} {n}") for op in "<>" for n in (start, start + 1)}
        exact = {name: one for name, one in moved.items() if name.endswith(f" {start}")}
        recipes += [Recipe(claim="latent_state", events=one, since=since, **fields) for one in (moved, exact)]
    recipes += [Recipe(claim="counterfactual", events=events, others=(one,), **fields) for one in siblings]
    recipes += [Recipe(claim="causal_antecedent", events=once, target=one, **fields) for one in events.values()]
    offered = at(play[:-1]).choices
    players = dict(zip(offered, data.draw(st.lists(st.integers(0, 90), min_size=9, max_size=9)), strict=False))
    if len(offered) > 1 and any(players.values()):
        poll = Recorded(source="a poll", date="2026", n=sum(players.values()), chosen=players)
        menu = {text: event("choice", (text,)) for text in offered}
        recipes.append(Recipe(claim="moral_dilemma", events=menu, recorded=poll, **fields))
    for recipe in recipes:
        assert answer(script.verdict, recipe.model_dump(mode="json"), at) == answer(rederive, runtime, recipe)


def answer(ask, *arguments) -> tuple[set[str], set[str]] | None:
    """Ids that are true, and possible; None where the recipe is refused."""
    try:
        true, possible, *_ = ask(*arguments)
    except (ValueError, InputError):
        return None
    return set(true), set(possible)


def test_the_script_borrows_nothing_but_the_runtime():
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    ours = {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names}
    assert ours == {"bink.story", "benchwright.narrative.stories"}
