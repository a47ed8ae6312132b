"""`preview`: the next slots of the build, and every round of them as it went."""

import json
from pathlib import Path

import pytest
from benchwright.cli.main import app
from benchwright.project.build import build
from benchwright.project.preview import preview
from typer.testing import CliRunner

from .watched import VERDICT, script, watched

BACK = VERDICT | {"cue_support": False, "defect": "proposal", "code": "cue-weak", "message": "Cite line two."}
RULES = [
    {"prompt_id": "critic", "reply": BACK, "times": 1, "usage": {"usd": 0.25}},
    {"prompt_id": "answer", "reply": "Well.", "times": 1},
]


def test_every_round_is_shown_with_what_was_said_and_paid(tmp_path: Path) -> None:
    project = watched(tmp_path / "p", script(RULES), targets={"grounding": 8}, concurrency=1, budget={"usd": None})
    first, *others = (done := preview(project, 3)).slots
    assert len(others) == 2
    assert [one.outcome for one in done.slots] == ["accepted"] * 3
    steps = [(step.round, step.node, step.run) for step in first.steps]
    once = [("question", 0), ("answer", 0), ("answer", 1), ("answer", 2), ("critic", 0)]
    assert steps == [(0, "director", 0), (0, "tracker", 0), *((r, *one) for r in (0, 1) for one in once)]
    by_node = {(step.round, step.node): step for step in first.steps}
    assert by_node[0, "director"].policy == "rules"
    asked = by_node[0, "question"]
    assert asked.prompt[0][0] == "system"
    assert "What is asked for: grounding" in asked.prompt[0][1]
    assert asked.replies[0].reply.startswith('{"question"')
    assert by_node[0, "critic"].made[0]["code"] == "cue-weak"
    assert "Cite line two." in by_node[1, "question"].prompt[1][1]
    assert first.usd == pytest.approx(0.25)
    corrected = [said for step in first.steps for said in step.replies if said.correction]
    assert len(corrected) == 1
    assert "could not be read" in corrected[0].correction


def test_what_a_preview_paid_the_build_does_not_pay_again(tmp_path: Path) -> None:
    project = watched(tmp_path / "p", targets={"grounding": 4})
    preview(project, 2)
    whole = watched(tmp_path / "q", targets={"grounding": 4})
    assert build(project)._replace(warnings=()) == build(whole)._replace(warnings=())
    assert preview(project, 2).slots == ()


def test_the_command_line_says_it_in_words_and_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(watched(tmp_path / "p", targets={"grounding": 4}).root)
    told = CliRunner().invoke(app, ["preview", "-n", "1"])
    assert told.exit_code == 0
    assert "--- round 0  critic 0  critic by scripted/models.yaml  0.0000 USD" in told.stdout
    result = json.loads(CliRunner().invoke(app, ["preview", "-n", "1", "--json"]).stdout)
    assert (result["schema"], len(result["slots"])) == ("benchwright/preview/1", 1)
    assert {"prompt", "replies", "made", "usd"} <= result["slots"][0]["steps"][0].keys()
