"""Each command as a person calls it: what it prints, where, and the code it ends with."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import UsageError
from benchwright.project import folder
from benchwright.project.folder import Project
from benchwright.project.report import write_page
from benchwright.state.lock import build_lock

from ..tale import let_foils_come_from_farther, tale
from .conftest import Cli

ROOT = Path(__file__).resolve().parent.parent.parent
STORY = re.search(r"```yaml\n(benchwright_story.*?)```", (ROOT / "docs" / "stories.md").read_text("utf-8"), re.DOTALL)


@pytest.fixture
def story(tmp_path: Path) -> Path:
    assert STORY is not None
    path = tmp_path / "key.story.yaml"
    path.write_text(STORY[1], encoding="utf-8")
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return folder.init(tmp_path / "project").root


@pytest.fixture
def made(built: Project) -> Path:
    """Folder of a project with items."""
    return built.root


def one_object(text: str, command: str) -> dict[str, Any]:
    assert text.count("\n") == 1
    found: dict[str, Any] = json.loads(text)
    assert found["schema"] == f"benchwright/{command}/1"
    return found


BAD_CALLS = [
    pytest.param([], "Commands:", id="nothing"),
    pytest.param(["--colour"], "No such option", id="unknown-option"),
    pytest.param(["paint"], "No such command", id="unknown-command"),
    pytest.param(["init"], "Missing argument", id="missing-argument"),
    pytest.param(["status"], "no benchwright.yaml", id="no-project"),
    pytest.param(["build"], "no benchwright.yaml", id="no-project-to-build"),
    pytest.param(["build", "--limit", "0"], "--limit", id="option-out-of-range"),
    pytest.param(["narrative", "explore", "missing.yaml"], "missing.yaml: no such file", id="no-story"),
    pytest.param(["narrative", "explore", "."], "is a directory", id="folder-for-a-story"),
]


@pytest.mark.parametrize(("arguments", "says"), BAD_CALLS)
def test_a_wrong_call_is_2_and_one_line(cli: Cli, arguments: list[str], says: str) -> None:
    done = cli(*arguments)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") == 1 or not arguments


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["item", "--help"], ["narrative", "explore", "--help"]]
)
def test_help_and_version_go_to_stdout(cli: Cli, arguments: list[str]) -> None:
    done = cli(*arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out


BAD_SETTINGS = [
    pytest.param("version: 1\nname: a\ncolour: red\n", 3, "unknown key 'colour'", id="unknown-key"),
    pytest.param("version: 1\nname: a\nname: b\n", 3, "stands twice", id="key-twice"),
    pytest.param("version: 1\nname: [a\n", 2, "malformed", id="malformed"),
    pytest.param(
        "version: 1\nname: a\nroles: {answer: {policy: llm, model: sk-abcdefghijklmnopqrst}}\n", 3, "secret", id="key"
    ),
    pytest.param("version: 1\nname: a\ntargets:\n  mind_reading: 3\n", 4, "mind_reading", id="unknown-capability"),
]


@pytest.mark.parametrize(("text", "line", "says"), BAD_SETTINGS)
def test_a_bad_configuration_is_2_with_file_and_line(cli: Cli, project: Path, text: str, line: int, says: str) -> None:
    (project / "benchwright.yaml").write_text(text)
    done = cli("status", folder=project)
    assert done.code == 2
    assert done.err.startswith(f"benchwright: {project / 'benchwright.yaml'}:{line}: ")
    assert says in done.err
    assert done.err.count("\n") == 1


def test_init_then_status(cli: Cli, tmp_path: Path) -> None:
    done = cli("init", "p")
    assert (done.code, done.out) == (0, f"{tmp_path}/p/benchwright.yaml\n")
    status = one_object(cli("status", "--json", folder=tmp_path / "p").out, "status")
    assert (status["accepted"], status["calls"]) == (0, 0)
    assert status["open"]
    assert cli("init", "p").code == 2


@pytest.mark.parametrize("place", ["file", "file/p", "/proc/p"], ids=["a-file", "below-a-file", "kernel"])
def test_a_folder_that_cannot_be_written_is_2(cli: Cli, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    done = cli("init", place)
    assert done.code == 2
    assert "cannot be written" in done.err or "can be written" in done.err


def test_ingest_tells_each_file_and_the_exit_code_the_rest(cli: Cli, project: Path, story: Path) -> None:
    bad = story.with_name("bad.yaml")
    bad.write_text("benchwright_story: 1\n")
    first = cli("ingest", story, bad, folder=project)
    assert (first.code, f"{bad}:1: missing key" in first.err) == (1, True)
    assert "The Spare Key" in first.out
    again = cli("ingest", story, folder=project)
    assert (again.code, again.err) == (0, "")
    assert "there already" in again.out
    assert "its licence too" in cli("ingest", story, "--license", "CC0-1.0", folder=project).out
    nothing = cli("ingest", bad, folder=project)
    assert (nothing.code, nothing.out) == (2, "")
    assert cli("ingest", bad, bad, folder=project).code == 2
    result = one_object(cli("ingest", story, "--json", folder=project).out, "ingest")
    assert (result["added"], result["refused"]) == ([], [])


def test_ingest_where_the_state_cannot_be_written(cli: Cli, project: Path, story: Path) -> None:
    before = (project / "benchwright.yaml").read_bytes()
    (project / ".benchwright").write_text("a file where a folder belongs")
    done = cli("ingest", story, folder=project)
    assert done.code == 2
    assert (project / "benchwright.yaml").read_bytes() == before


def test_build_and_what_it_leaves(cli: Cli, project: Path, story: Path) -> None:
    cli("ingest", story, folder=project)
    done = cli("build", "--json", folder=project)
    assert (done.code, done.err) == (0, "")
    built = one_object(done.out, "build")
    keys = ["accepted", "discarded", "surplus", "open", "by_capability", "reasons", "calls", "spent", "stopped_by"]
    assert list(built) == ["schema", *keys]
    status = one_object(cli("status", "--json", folder=project).out, "status")
    assert {key: status[key] for key in keys[:-1]} == {key: built[key] for key in keys[:-1]}
    assert (built["stopped_by"], status["stopped_by"]) == ("sources", None)
    listed = one_object(cli("item", "show", "--json", folder=project).out, "item-list")
    assert isinstance(listed["items"], list)
    assert cli("item", "show", "i000000000000", folder=project).code == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_stops_a_build_with_3_and_it_goes_on(cli: Cli, project: Path, number: int, made: Path) -> None:
    (project / "tale.yaml").write_text(tale(), encoding="utf-8")
    let_foils_come_from_farther(project)
    cli("ingest", "tale.yaml", folder=project)
    command = [sys.executable, "-m", "benchwright", "build"]
    process = subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lock = project / ".benchwright" / "store.sqlite.lock"
    while process.poll() is None and not (lock.exists() and lock.read_text()):
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (3, "")
    assert err == "benchwright: interrupted; the same command goes on from here\n"
    assert cli("build", folder=project).code == 0
    whole, again = (one_object(cli("status", "--json", folder=place).out, "status") for place in (made, project))
    assert again == whole


def test_a_build_without_sources_is_2(cli: Cli, project: Path) -> None:
    done = cli("build", folder=project)
    assert done.code == 2
    assert "benchwright ingest" in done.err


def test_a_second_build_is_2_and_names_the_first(cli: Cli, project: Path, story: Path) -> None:
    cli("ingest", story, folder=project)
    with build_lock(project / ".benchwright" / "store.sqlite"):
        done = cli("build", folder=project)
    assert done.code == 2
    assert re.search(r"another build is running \(process \d+\)", done.err)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, with next to no space."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("may not mount here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_stops_with_3_and_nothing_half_written(cli: Cli, small_disk: Path, story: Path) -> None:
    cli("init", small_disk)
    before = (small_disk / "benchwright.yaml").read_bytes()
    done = cli("ingest", story, folder=small_disk)
    assert done.code == 3
    assert done.err.count("\n") == 1
    assert (small_disk / "benchwright.yaml").read_bytes() in (
        before,
        before.replace(b"sources: []", b"sources:\n- path: ../key.story.yaml"),
    )
    assert not [path for path in small_disk.iterdir() if path.name not in ("benchwright.yaml", ".benchwright")]


def resize(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True)


def test_a_disk_that_fills_during_a_build_stops_it_and_with_room_it_goes_on(
    cli: Cli, small_disk: Path, tmp_path: Path, made: Path
) -> None:
    (tmp_path / "tale.yaml").write_text(tale(), encoding="utf-8")
    resize(small_disk, "1m")
    cli("init", small_disk)
    let_foils_come_from_farther(small_disk)
    assert cli("ingest", tmp_path / "tale.yaml", folder=small_disk).code == 0
    stopped = cli("build", folder=small_disk)
    assert stopped.code == 3
    assert stopped.err.count("\n") == 1
    resize(small_disk, "40m")
    assert cli("build", folder=small_disk).code == 0
    whole, again = (one_object(cli("status", "--json", folder=place).out, "status") for place in (made, small_disk))
    assert again == whole


@pytest.mark.parametrize(
    ("start", "length", "says"),
    [pytest.param(0, 100_000, "not an SQLite file", id="head"), pytest.param(8192, None, "damaged", id="pages")],
)
def test_a_damaged_store_is_one_line_and_stays_as_it_is(
    cli: Cli, made: Path, start: int, length: int | None, says: str
) -> None:
    store = made / ".benchwright" / "store.sqlite"
    data = bytearray(store.read_bytes())
    end = len(data) if length is None else min(length, len(data))
    data[start:end] = b"\xa5" * (end - start)
    store.write_bytes(data)
    for command in (["status"], ["item", "show"], ["freeze", "1.0.0", "--unreviewed"], ["audit", "isolation"]):
        done = cli(*command, folder=made)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert f"{store}: {says}" in done.err
    assert store.read_bytes() == data


@pytest.mark.parametrize(
    ("setting", "place", "says"),
    [
        pytest.param("store: pipe", 1, "pipe is none", id="store-is-a-pipe"),
        pytest.param("store: .", 1, "is none", id="store-is-a-folder"),
        pytest.param('sources: [{path: "a\\0b"}]', 1, "a null character", id="null-byte-in-a-path"),
        pytest.param("targets: &t {a: *t}", 1, "holds itself", id="holds-itself"),
    ],
)
def test_settings_that_lead_astray(cli: Cli, tmp_path: Path, setting: str, place: int, says: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "benchwright.yaml").write_text(f"{setting}\nversion: 1\nname: x\n", encoding="utf-8")
    done = cli("build", folder=tmp_path)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert f"benchwright.yaml:{place}: " in done.err
    assert says in done.err
    assert {path.name for path in tmp_path.iterdir()} <= {"benchwright.yaml", "pipe", ".benchwright"}


def test_a_page_replaces_no_device(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="a device or a pipe"):
        write_page(tmp_path / "pipe", "<p>")
    assert (tmp_path / "pipe").is_fifo()


def test_narrative_commands(cli: Cli, story: Path) -> None:
    explored = one_object(cli("narrative", "explore", story, "--json").out, "narrative-explore")
    assert (explored["complete"], explored["choices"]) == (True, {"source": 4, "reachable": 4, "unreachable": []})
    # Telling at first (1/2) and then paying (1/2 of those) is the only way to end as friends.
    assert {e["id"]: e["probability"] for e in explored["endings"]} == {"apart": 0.75, "friends": 0.25}
    shown = cli("narrative", "show", story, "--play", "0,0")
    assert "> Offer to pay the difference." in shown.out
    assert "ending: friends" in shown.out
    assert cli("narrative", "show", story, "--play", "0,2").code == 2
    assert cli("narrative", "show", story, "--play", "x").code == 2
    assert cli("narrative", "lint", story).code == 0


def test_a_story_that_draws_is_looked_at_as_one_seed_draws_it_and_not_taken_in(cli: Cli, project: Path) -> None:
    pytest.importorskip("bink")
    draws = ROOT / "tests" / "narrative" / "stories" / "draws.ink.json"
    told = "draws random numbers: explored as seed 42 draws them"
    explored = one_object(cli("narrative", "explore", draws, "--states", 200, "--json").out, "narrative-explore")
    assert (explored["random_seed"], explored["complete"], told in explored["cut"]) == (42, False, True)
    assert told in cli("narrative", "explore", draws, "--states", 200).out.splitlines()
    assert told in cli("narrative", "lint", draws, "--states", 200).out
    assert one_object(cli("narrative", "show", draws, "--json").out, "narrative-show")["random_seed"] == 42
    assert "draws random numbers: played as seed 42 draws them" in cli("narrative", "show", draws).out
    refused = cli("ingest", draws, folder=project)
    assert refused.code == 2
    assert "draws random numbers" in refused.err


def test_a_story_that_breaks_in_play_is_a_finding(cli: Cli, story: Path) -> None:
    text = story.read_text("utf-8").replace("trust_tobin -= 1", "trust_tobin = 1 // trust_tobin")
    story.write_text(text, encoding="utf-8")
    explored = cli("narrative", "explore", story)
    assert explored.code == 1
    assert "division by zero" in explored.err
    linted = cli("narrative", "lint", story)
    assert linted.code == 1
    assert "error: play-fails" in linted.out


def test_from_freeze_to_score(cli: Cli, made: Path) -> None:
    refused = cli("freeze", "1.0.0", folder=made)
    assert refused.code == 1
    assert "lack approvals" in refused.err
    assert refused.err.count("approvals") > 1
    assert cli("freeze", "1.0", "--unreviewed", folder=made).code == 2
    frozen = one_object(
        cli("freeze", "1.0.0", "--unreviewed", "--date", "2031-01-02", "--json", folder=made).out, "freeze"
    )
    release = Path(frozen["release"])
    assert (frozen["reviewed"], frozen["date"]) == (False, "2031-01-02")
    assert one_object(cli("verify", release, "--json").out, "verify")["ok"] is True
    run = one_object(cli("evaluate", release, "--model", "baseline/random", "--json", folder=made).out, "evaluate")[
        "run"
    ]
    scored = one_object(cli("score", release, run, "--json").out, "score")["runs"][0]
    named = ["model", "condition", "n", "accuracy", "by_capability", "traps", "statuses", "positions"]
    assert set(named) <= set(scored)
    assert {"value", "low", "high", "method", "unit", "n", "paper_style"} <= set(scored["accuracy"])
    assert "accuracy" in cli("score", release, run).out
    wrong = cli("evaluate", release, "--model", "baseline/oracle", folder=made)
    assert (wrong.code, wrong.out) == (2, "")
    (release / "model_input" / "test.jsonl").write_bytes(b"{}\n")
    found = cli("verify", release, "--json")
    assert found.code == 1
    problems = one_object(found.out, "verify")["problems"]
    assert "model_input/test.jsonl" in {problem["file"] for problem in problems}
    assert all(set(problem) == {"file", "problem"} for problem in problems)


@pytest.fixture
def run(cli: Cli, made: Path) -> tuple[str, Path]:
    """A release, and a run on it."""
    release = one_object(cli("freeze", "1.0.0", "--unreviewed", "--json", folder=made).out, "freeze")["release"]
    evaluated = cli("evaluate", release, "--model", "baseline/random", "--json", folder=made).out
    return release, Path(one_object(evaluated, "evaluate")["run"])


CHANGES: list[Any] = [
    pytest.param("run.json", lambda row: row | {"model": "openai/best"}, "run.json says", id="another-model"),
    pytest.param("run.json", lambda row: row | {"repeats": 2}, "items asked 2 times", id="replies-missing"),
    pytest.param("responses.jsonl", lambda row: row | {"ids": ["o9"]}, "jsonl:1: .*: chooses o9", id="unknown-option"),
    pytest.param(
        "responses.jsonl", lambda row: row | {"shown": row["shown"][::-1]}, "jsonl:1: .* not shown as", id="shown"
    ),
    pytest.param("responses.jsonl", lambda row: row | {"item": "i0"}, "jsonl:1: answers i0", id="unknown-item"),
]


@pytest.mark.parametrize(("name", "change", "says"), CHANGES)
def test_a_run_that_does_not_belong_together_is_not_scored(
    cli: Cli, run: tuple[str, Path], name: str, change: Callable[[dict[str, Any]], dict[str, Any]], says: str
) -> None:
    release, folder = run
    first, *rest = (folder / name).read_text().splitlines()
    (folder / name).write_text("\n".join([json.dumps(change(json.loads(first))), *rest]) + "\n")
    done = cli("score", release, folder)
    assert (done.code, done.out) == (2, "")
    assert re.search(says, done.err)


def test_a_folder_above_runs_stands_for_them(cli: Cli, made: Path, run: tuple[str, Path]) -> None:
    release, folder = run
    assert cli("evaluate", release, "--model", "baseline/longest", folder=made).code == 0
    scored = one_object(cli("score", release, made / "runs", folder, "--json").out, "score")["runs"]
    assert [one["model"] for one in scored] == ["baseline/longest", "baseline/random"]


def test_nothing_is_written_into_a_release(cli: Cli, run: tuple[str, Path]) -> None:
    release, folder = run
    for command in (
        ("evaluate", release, "--model", "baseline/random", "--out", f"{release}/run"),
        ("score", release, folder, "--html", f"{release}/report.html"),
        ("score", release, folder, "--csv", f"{release}/new/scores.csv"),
    ):
        done = cli(*command)
        assert (done.code, done.out) == (2, "")
        assert "lies in the release" in done.err
    assert cli("verify", release).code == 0


def test_a_model_that_fails_stops_with_3_and_goes_on(cli: Cli, made: Path, tmp_path: Path) -> None:
    """A scripted model whose provider fails: the run is incomplete, and the same command asks again."""
    release = one_object(cli("freeze", "1.0.0", "--unreviewed", "--json", folder=made).out, "freeze")["release"]
    script = tmp_path / "model.yaml"
    script.write_text("benchwright_script: 1\nrules:\n- {error: the provider is down}\n")
    arguments = ("evaluate", release, "--model", f"scripted/{script.name}", "--out", tmp_path / "run")
    failed = cli(*arguments)
    assert failed.code == 3
    assert "the same command asks for them again" in failed.err
    script.write_text("benchwright_script: 1\n")
    again = cli(*arguments)
    assert (again.code, again.err) == (0, "")


def test_items_by_hand(cli: Cli, made: Path) -> None:
    listed = one_object(cli("item", "show", "--json", folder=made).out, "item-list")["items"]
    item = next(one["id"] for one in listed if one["outcome"] == "accepted")
    assert item in cli("item", "show", item, folder=made).out
    printed = cli("item", "edit", item, folder=made).out
    (made / "item.yaml").write_text(printed, encoding="utf-8")
    same = one_object(cli("item", "edit", item, "--file", "item.yaml", "--json", folder=made).out, "item-edit")
    assert (same["id"], same["outcome"]) == (item, "accepted")
    again = cli("item", "new", "--file", "item.yaml", folder=made)
    assert (again.code, "decision-taken" in again.err) == (1, True)
    (made / "item.yaml").write_text(printed.replace("question:", "query:"), encoding="utf-8")
    wrong = cli("item", "new", "--file", "item.yaml", folder=made)
    assert wrong.code == 2
    assert "unknown key 'query'" in wrong.err
