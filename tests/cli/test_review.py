"""Review from the command line: replies of a run rated on the page, taken out, and taken in where people's words go."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.project import folder
from benchwright.project.folder import Project
from benchwright.project.review import Asked, desk_of
from benchwright.review.desk import Desk
from benchwright.review.media import Clips
from benchwright.review.modes import FORMS
from benchwright.schemas.review import Mode, Saving, Work
from benchwright.state.store import Store

from ..project.releases import made
from ..review.world import fill
from ..state.conftest import SEED
from .conftest import Cli, Done
from .test_judges import crediting, script

MODEL = "scripted/secret-model.yaml"
SETTINGS = f"""version: 1
name: harbour
seed: {SEED}
sources: [{{path: harbour.ink.json}}]
review: {{approvals: 1, experts: [e1, e2], people: [p1, p2, p3], planted: 0}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "benchwright.yaml").write_text(SETTINGS, "utf-8")
    (tmp_path / ".benchwright").mkdir()
    fill(tmp_path / ".benchwright" / "store.sqlite", 2)
    return folder.find(tmp_path)


@pytest.fixture
def judged(cli: Cli, project: Project, tmp_path: Path) -> tuple[Path, Path]:
    """A release of three choices and three open questions, and a run on it with tagged steps, judged."""
    release = made(tmp_path / "release", "sososo")
    steps = [{"text": "Beta looks at the door.", "tags": ["visual"]}, {"text": "It is late.", "tags": []}]
    spoken = [{"prompt_id": "evaluate", "contains": f"What does Alpha do ({n})", "reply": {"answer": f"answer {n}"}}
              for n in (2, 4, 6)]  # fmt: skip
    script(tmp_path, "secret-model.yaml", [*spoken, {"reply": {"answer": "A", "trace": steps}}])
    judge = script(tmp_path, "judge.yaml", [crediting(f"reference {n:02}", 1) for n in (2, 4, 6)])
    ran = cli("evaluate", release, "--model", MODEL, "--trace", "steps", "--out", "run", "--json")
    assert ran.code == 0, ran.err
    assert cli("judge", release, "run", "--judge", judge, "--rubric", "open", "--json").code == 0
    return release, tmp_path / "run"


def told(done: Done) -> dict[str, Any]:
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


async def rate_all(desk: Desk, choose: dict[Mode, dict[str, str]]) -> list[dict[str, Any]]:
    """Everybody marks everything of theirs; what their pages were shown."""
    shown = []
    for task in list(desk.queue.tasks.values()):
        for who in desk.queue.campaigns[task.mode].people if task.mode in choose else ():
            if desk.queue.may_own(task.id, who):
                state = await desk.open(who, task.id)
                shown.append(state)
                first = {one.name: one.choices[0] for one in FORMS[task.mode].criteria}
                done = Work(marks=first | (choose[task.mode] if who in ("e2", "p2") else {}))
                await desk.act(who, task.id, Saving(revision=state["revision"], action="submit", work=done))
    return shown


def test_replies_are_rated_without_names_and_travel_on(
    cli: Cli, project: Project, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    release, run = judged
    with Store.open(project.store, seed=SEED) as store:
        clips = Clips(SEED, lambda cut: None, lambda source: False)
        desk = desk_of(project, store, Asked((), release, (run,)), clips)
        choose: dict[Mode, dict[str, str]] = {"rating": {"valid": "no"}, "hsa": {"individuals": "5"}, "dsa": {},
                                              "endorsement": {"endorsed": "no"}}  # fmt: skip
        shown = asyncio.run(rate_all(desk, choose))
    by_mode = {mode: [state for state in shown if state["mode"] == mode] for mode in choose}
    assert {mode: len(own) for mode, own in by_mode.items()} == {"rating": 6, "hsa": 6, "dsa": 6, "endorsement": 6}
    assert not any(hidden in json.dumps(shown) for hidden in ("secret-model", "scripted", '"run"', str(tmp_path)))
    assert all(state["behind"] == {} for mode in ("hsa", "dsa") for state in by_mode[mode])
    assert all("reference" not in json.dumps(state) for mode in ("hsa", "dsa") for state in by_mode[mode])
    assert all(state["behind"]["answer"] == ["o1"] for state in by_mode["rating"])
    assert {state["behind"]["judged"] for state in by_mode["endorsement"]} == {"open: 1"}
    files = {Path(name).stem: name for name in told(cli("review", "export", "--json", folder=project.root))["files"]}
    assert set(files) == {"reviews", "ratings", "endorsements"}
    for kind in ("ratings", "endorsements"):
        assert told(cli("human", "import", release, kind, files[kind], "--json"))["new"] in (12, 6)
    found = told(cli("human", "agreement", release, run, "--json"))
    assert found["endorsed"]["open"]["by_person"] == {
        "e1": {"value": 1.0, "reason": ""}, "e2": {"value": 0.0, "reason": ""}
    }  # fmt: skip
    agreed = told(cli("review", "agreement", "--json", folder=project.root))
    assert agreed["criteria"]["endorsement"]["endorsed"]["all"]["raw"]["figure"]["value"] == 0
    assert agreed["criteria"]["hsa"]["topic and context"]["all"]["raw"]["figure"]["value"] == 1
    written = json.loads((project.root / "review" / "agreement.json").read_text("utf-8"))
    assert written["criteria"].keys() == agreed["criteria"].keys()


def test_what_is_printed(cli: Cli, project: Project, judged: tuple[Path, Path]) -> None:
    done = cli("review", "agreement", folder=project.root)
    assert (done.code, done.out) == (0, "items: 2 waiting\n")
    assert cli("review", "export", folder=project.root).out == "no finished review yet\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["serve", "--mode", "nothing"], "there is no mode 'nothing'; there are verification"),
        (["serve", "--host", "0.0.0.0"], "can be reached from other machines; --expose says that this is meant"),
        (["serve", "--release", "nowhere"], "no such file"),
        (["import", "nowhere.jsonl"], "no such file"),
    ],
    ids=["mode", "address", "release", "file"],
)
def test_wrong_calls(cli: Cli, project: Project, arguments: list[str], problem: str) -> None:
    done = cli("review", *arguments, folder=project.root)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert problem in done.err
