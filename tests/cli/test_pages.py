"""Pages that commands write: where they say they did, with the figures that they print."""

import csv
import json
from pathlib import Path

import pytest
from benchwright.project import evaluate, items
from benchwright.project.evaluate import Evaluation
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.releases import open_release
from benchwright.project.report import shortcuts

from .conftest import Cli


@pytest.fixture
def release(built: Project) -> Path:
    return freeze(built, "0.1.0", unreviewed=True, day="2031-01-02").folder


def test_score_writes_a_report_that_agrees_with_its_json(cli: Cli, built: Project, release: Path) -> None:
    run = evaluate.evaluate(built, release, Evaluation("baseline/longest")).folder
    done = cli("score", release, run, "--html", "new/report.html", "--json", folder=built.root)
    assert (done.code, done.err) == (0, "report: new/report.html\n")
    page = (built.root / "new" / "report.html").read_text("utf-8")
    scored = json.loads(done.out)["runs"][0]
    assert f"{100 * scored['accuracy']['value']:.1f} %" in page
    assert f"score {release} {run} --html new/report.html" in page
    opened = open_release(release)
    keys = {key.id: key for key in opened.keys()}  # noqa: SIM118
    rules = {rule.rule: rule for rule in shortcuts(42, opened.inputs(), keys, opened.transcripts())}
    assert rules["longest"].accuracy == pytest.approx(scored["accuracy"]["value"])
    assert cli("score", release, run, "--html", ".", folder=built.root).code == 2


def test_score_writes_a_table_that_agrees_with_its_json(cli: Cli, built: Project, release: Path) -> None:
    runs = [evaluate.evaluate(built, release, Evaluation(f"baseline/{rule}")).folder for rule in ("longest", "first")]
    done = cli("score", release, *runs, "--csv", "new/table.csv", "--json", folder=built.root)
    assert (done.code, done.err) == (0, "table: new/table.csv\n")
    scored = json.loads(done.out)
    with (built.root / "new" / "table.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    accuracies = {line["run"]: float(line["value"]) for line in lines if line["figure"] == "accuracy"}
    assert accuracies == {run["model"]: run["accuracy"]["value"] for run in scored["runs"]}
    (told,) = scored["comparisons"]
    (line,) = [line for line in lines if line["figure"] == "difference"]
    assert (line["run"], line["group"], line["p_holm"]) == (told["first"], told["second"], str(told["p_holm"]))
    assert told["value"] == pytest.approx(accuracies[told["first"]] - accuracies[told["second"]])
    assert scored["tiers"]["all"].keys() == {"A", "B", "AB", "C"}
    text = cli("score", release, *runs, folder=built.root).out
    assert f"{told['first']} − {told['second']}  {told['value']:+.3f}" in text
    assert cli("score", release, *runs, "--csv", ".", folder=built.root).code == 2


@pytest.mark.parametrize("rule", ["most-similar", "least-like-question", "first", "least-typical"])
def test_a_rule_tried_on_the_release_picks_what_its_baseline_answers(built: Project, release: Path, rule: str) -> None:
    opened = open_release(release)
    keys = {key.id: key for key in opened.keys()}  # noqa: SIM118
    answered = evaluate.evaluate(built, release, Evaluation(f"baseline/{rule}")).result.responses
    found = {one.rule: one for one in shortcuts(42, opened.inputs(), keys, opened.transcripts())}[rule]
    assert found.correct == sum(reply.ids == keys[reply.item].answer for reply in answered)
    assert found.n == len(answered)


def test_audit_prints_a_tree_a_page_and_an_object(cli: Cli, built: Project) -> None:
    item = next(one.id for one in items.listing(built) if one.outcome == "accepted")
    done = cli("audit", item, "--html", "audit.html", folder=built.root)
    assert (done.code, done.err) == (0, "page: audit.html\n")
    assert done.out.startswith(f"{item}  accepted")
    assert item in (built.root / "audit.html").read_text("utf-8")
    told = json.loads(cli("audit", item, "--json", folder=built.root).out)
    assert (told["schema"], told["item"], told["sound"]) == ("benchwright/audit/1", item, True)
    story = next(built.root.parent.glob("*.yaml"))
    story.write_text(story.read_text("utf-8").replace("title: ", "title: New "), encoding="utf-8")
    changed = cli("audit", item, folder=built.root)
    assert changed.code == 1
    assert "unresolved" in changed.err


def test_audit_isolation(cli: Cli, built: Project) -> None:
    done = cli("audit", "isolation", "--json", folder=built.root)
    assert json.loads(done.out) == {"schema": "benchwright/audit-isolation/1", "ok": True, "findings": []}
    assert cli("audit", "isolation", "--html", "x.html", folder=built.root).code == 2
    assert cli("audit", "i000000000000", folder=built.root).code == 2


def test_audit_of_all_items(cli: Cli, built: Project) -> None:
    done = cli("audit", "--all", "--json", folder=built.root)
    told = json.loads(done.out)
    assert (done.code, told["schema"], told["failed"]) == (0, "benchwright/audit-all/1", [])
    assert len(told["items"]) == sum(one.outcome == "accepted" for one in items.listing(built))
    strict = cli("audit", "--all", "--fail-on", "contradicted,unverified-c", folder=built.root)
    assert strict.code == (1 if told["counts"]["unverified-c"] else 0)
    assert f"unverified-c  {told['counts']['unverified-c']:>4}" in strict.out
    for wrong in (["--all", "--fail-on", "crooked"], ["--all", "--html", "x.html"], ["--all", "isolation"], []):
        assert cli("audit", *wrong, folder=built.root).code == 2
