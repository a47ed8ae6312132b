"""`pilot`: models on items that are not frozen yet, what speaks against the items, and what is asked again."""

import json
from pathlib import Path

import pytest
import yaml
from benchwright.project import items
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.releases import open_release

from .conftest import Cli

TWO = ("--model", "baseline/longest", "--model", "baseline/first")


def test_findings_are_printed_kept_and_no_failure(cli: Cli, built: Project) -> None:
    done = cli("pilot", *TWO, "--json", folder=built.root)
    file = built.root / ".benchwright" / "pilot" / "pilot.json"
    assert (done.code, done.err) == (0, f"pilot: {file}\n")
    told, kept = json.loads(done.out), json.loads(file.read_text("utf-8"))
    assert told["schema"] == kept["schema"] == "benchwright/pilot/1"
    assert (kept["models"], kept["exploratory"]) == (["baseline/longest", "baseline/first"], True)
    accepted = sorted(one.id for one in items.listing(built) if one.outcome == "accepted")
    assert [one["id"] for one in told["items"]] == accepted
    assert told["findings"]
    text = cli("pilot", *TWO, folder=built.root).out.splitlines()
    lines = [f"{one['place']}  warning  {one['code']}  {one['message']}" for one in told["findings"]]
    assert text[: len(lines)] == lines
    assert text[-1].startswith("exploratory")


def test_difficulty_is_what_the_models_score(cli: Cli, built: Project) -> None:
    """Against the same baselines on the frozen release."""
    told = json.loads(cli("pilot", *TWO, "--json", folder=built.root).out)
    release = freeze(built, "0.1.0", unreviewed=True, day="2031-01-02").folder
    for condition, name in (("full", "difficulty"), ("question-only", "without_clip")):
        right = []
        for model in ("baseline/longest", "baseline/first"):
            asked = cli("evaluate", release, "--model", model, "--condition", condition, "--json", folder=built.root)
            run = json.loads(asked.out)["run"]
            scored = json.loads(cli("score", release, run, "--json", folder=built.root).out)
            right.append(scored["runs"][0]["accuracy"]["value"])
        assert sum(one[name] for one in told["items"]) / len(told["items"]) == pytest.approx(sum(right) / 2)


def replying(folder: Path, name: str, rules: list[dict[str, object]]) -> str:
    text = yaml.safe_dump({"benchwright_script": 1, "default": "error", "rules": rules})
    (folder / name).write_text(text, encoding="utf-8")
    return f"scripted/{name}"


def test_thirty_models_that_know_the_key_without_the_clip_are_a_finding(cli: Cli, built: Project) -> None:
    opened = open_release(freeze(built, "0.1.0", unreviewed=True, day="2031-01-02").folder)
    keys = {key.id: key.answer[0] for key in opened.keys()}  # noqa: SIM118
    texts = {item.id: {option.id: option.text for option in item.options} for item in opened.inputs()}
    rules: list[dict[str, object]] = [
        {"prompt_id": "evaluate", "contains": item.question, "reply": texts[item.id][keys[item.id]]}
        for item in opened.inputs()
    ]
    models = [replying(built.root, f"m{number}.yaml", rules) for number in range(30)]
    done = cli("pilot", *[word for model in models for word in ("--model", model)], "--json", folder=built.root)
    found = [one for one in json.loads(done.out)["findings"] if one["code"] == "right-without-clip"]
    assert found
    assert {one["severity"] for one in found} == {"error"}
    assert done.code == 1
    assert "findings on items" in done.err


def test_what_was_answered_is_not_asked_again(cli: Cli, built: Project) -> None:
    def calls() -> int:
        counted: int = json.loads(cli("status", "--json", folder=built.root).out)["calls"]
        return counted

    mute = replying(built.root, "m.yaml", [{"prompt_id": "evaluate", "error": "no such model"}])
    both = ("--model", "baseline/first", "--model", mute)
    assert cli("pilot", *both, folder=built.root).code == 3
    assert not (built.root / ".benchwright" / "pilot" / "pilot.json").exists()
    assert len(list(built.root.glob(".benchwright/pilot/*/baseline-first-*/responses.jsonl"))) == 2
    before = calls()
    assert cli("pilot", "--model", "baseline/first", folder=built.root).code == 0
    assert calls() == before
    replying(built.root, "m.yaml", [{"prompt_id": "evaluate", "reply": {"answer": "A"}}])
    assert cli("pilot", *both, folder=built.root).code == 0
    assert calls() > before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--model", "nonsense"), 2, "write PROVIDER/NAME"),
        (("--model", "baseline/none"), 2, "no baseline"),
        (("--concurrency", "0"), 2, "concurrency"),
    ],
    ids=["no provider", "no such baseline", "no request at all"],
)
def test_wrong_calls_are_told_before_anything_is_asked(
    cli: Cli, built: Project, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = cli("pilot", *arguments, folder=built.root)
    assert done.code == code
    assert said in done.err
    assert not list(built.root.glob(".benchwright/pilot/*/*"))


def test_a_project_without_items_has_none_to_try(cli: Cli, tmp_path: Path) -> None:
    assert cli("init", "p").code == 0
    done = cli("pilot", folder=tmp_path / "p")
    assert (done.code, "run `benchwright build` first" in done.err) == (2, True)
