"""Judges from the command line: verdicts beside the run, and what `score` makes of them."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from ..project.releases import made
from .conftest import Cli, Done

ITEMS = 12
"""Odd ones are choices, even ones open questions, each on its own clip."""


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return made(tmp_path / "release", "so" * (ITEMS // 2))


def script(folder: Path, name: str, rules: list[dict[str, Any]], default: str = "error") -> str:
    text = yaml.safe_dump({"benchwright_script": 1, "default": default, "rules": rules})
    (folder / name).write_text(text, encoding="utf-8")
    return f"scripted/{name}"


def answering(folder: Path) -> str:
    """Gives `A` to choices and its own words to open questions, with a rationale."""
    spoken = [{"prompt_id": "evaluate", "contains": f"What does Alpha do ({number})",
               "reply": {"answer": f"answer {number}", "G": "Beta looks at the door.", "W": None}}
              for number in range(2, ITEMS + 1, 2)]  # fmt: skip
    return script(folder, "model.yaml", [*spoken, {"reply": {"answer": "A", "G": "Alpha holds on to the lamp."}}])


def judging(folder: Path, *rules: dict[str, Any], name: str = "judge.yaml") -> str:
    labels = [{"prompt_id": "judge_evidence", "reply": {"reason": "cues", "label": "normal"}},
              {"prompt_id": "judge_logic", "reply": {"reason": "sound", "label": "fully coherent"}}]  # fmt: skip
    return script(folder, name, [*rules, *labels])


def crediting(words: str, credit: float) -> dict[str, Any]:
    return {"prompt_id": "judge_open", "contains": words, "reply": {"reason": "so", "credit": credit}}


OPEN = range(2, ITEMS + 1, 2)
RIGHT = [
    crediting(f"reference {number:02}", credit) for number, credit in zip(OPEN, (1, 1, 0.5, 0.5, 0, 0), strict=True)
]


def told(done: Done) -> dict[str, Any]:
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


@pytest.fixture
def run(cli: Cli, release: Path, tmp_path: Path) -> Path:
    model = answering(tmp_path)
    return Path(
        told(cli("evaluate", release, "--model", model, "--trace", "rationale", "--json", "--out", "run"))["run"]
    )


def test_open_questions_wait_for_their_judge(cli: Cli, release: Path, run: Path, tmp_path: Path) -> None:
    before = told(cli("score", release, run, "--json"))["runs"][0]
    assert (before["complete"], before["statuses"]) == (False, {"answered": 6, "judge_error": 6})
    judged = told(cli("judge", release, run, "--judge", judging(tmp_path, *RIGHT), "--json"))
    assert judged["rubrics"]["open"]["statuses"] == {"judged": 6}
    after = told(cli("score", release, run, "--html", "r.html", "--json"))["runs"][0]
    page = (tmp_path / "r.html").read_text("utf-8")
    assert page.count("judge, open: <strong>0.5</strong> — so") == 2
    assert after["complete"]
    assert after["judged"]["open"] == {"none": 2, "half": 2, "full": 2, "mean": 0.5}
    assert after["by_capability"]["empathy"]["value"] == 0.5


def test_verified_credit_by_hand(cli: Cli, release: Path, run: Path, tmp_path: Path) -> None:
    """Six open answers have 3 of 6 credits; normal and fully coherent keep 1 / 1.2 of each credit."""
    judge, rubrics = judging(tmp_path, *RIGHT), [f"--rubric={name}" for name in ("open", "evidence", "logic")]
    told(cli("judge", release, run, "--judge", judge, *rubrics, "--json"))
    scored = told(cli("score", release, run, "--json"))["runs"][0]
    found = scored["judged"]["rationale"]
    assert found["by_capability"]["empathy"] == pytest.approx(3 / 6 / 1.2)
    assert found["retention"] == pytest.approx(1 / 1.2)
    assert found["verified"]["value"] == pytest.approx(scored["accuracy"]["value"] / 1.2)
    assert found["coverage"] == 1
    assert (found["evidence"]["normal"], found["logic"]["fully coherent"]) == (12, 12)
    assert sum(found["losses"].values()) == pytest.approx(1)
    assert found["soft"] == pytest.approx(found["macro_raw"] / 1.1)
    assert found["strict"] == pytest.approx(found["macro_verified"])
    assert "verified" in cli("score", release, run, "--csv", "all.csv").out
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        table = {(line["figure"], line["group"]): line["value"] for line in csv.DictReader(file)}
    assert float(table["verified", ""]) == found["verified"]["value"]
    assert float(table["credit lost to", "evidence"]) == found["losses"]["evidence"]


def test_a_judge_that_fails_leaves_the_run_incomplete(cli: Cli, release: Path, run: Path, tmp_path: Path) -> None:
    broken = {"prompt_id": "judge_open", "contains": "reference 02", "reply": "Well done!"}
    judge = judging(tmp_path, broken, *RIGHT)
    done = cli("judge", release, run, "--judge", judge)
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert "the judge failed on: 1" in done.err
    scored = told(cli("score", release, run, "--json"))["runs"][0]
    assert (scored["complete"], scored["accuracy"]["value"]) == (False, None)
    assert (scored["judged"]["unjudged"], scored["statuses"]["judge_error"]) == ({"open": 1}, 1)
    judging(tmp_path, *RIGHT)
    assert told(cli("judge", release, run, "--judge", judge, "--json"))["rubrics"]["open"]["statuses"] == {"judged": 6}
    assert told(cli("score", release, run, "--json"))["runs"][0]["complete"]


def test_the_mismatch_control_counts_what_still_passes(cli: Cli, release: Path, run: Path, tmp_path: Path) -> None:
    """One judge passes whatever it is shown, one nothing; without matched verdicts there is no AUC."""
    careful = [crediting(f"answer {number}\n>>>", 0) for number in OPEN]
    lenient, strict = judging(tmp_path, crediting("", 1), name="a.yaml"), judging(tmp_path, *careful, name="b.yaml")
    for judge, passed in ((lenient, 6), (strict, 0)):
        control = told(cli("judge", release, run, "--judge", judge, "--mismatched", "--json"))["rubrics"]["open"][
            "control"
        ]
        assert (control["n"], control["still_right"]) == (6, passed)
        assert control["auc"]["value"] is None
    written = run / "judges" / "open-scripted-a.yaml-mismatched-42" / "judgements.jsonl"
    lines = [json.loads(line) for line in written.read_text().splitlines()]
    assert all(line["beside"] not in ("", line["item"]) for line in lines)
    assert len({line["beside"] for line in lines}) == 6
    told(cli("judge", release, run, "--judge", lenient, "--json"))
    again = told(cli("judge", release, run, "--judge", lenient, "--mismatched", "--json"))["rubrics"]["open"]["control"]
    assert (again["matched"]["value"], again["mismatched"]["value"], again["auc"]["value"]) == (1, 1, 0.5)


def test_two_judges_have_to_be_told_apart(cli: Cli, release: Path, run: Path, tmp_path: Path) -> None:
    first, second = judging(tmp_path, *RIGHT), judging(tmp_path, *RIGHT, name="other.yaml")
    for judge in (first, second):
        told(cli("judge", release, run, "--judge", judge, "--json"))
    done = cli("score", release, run)
    assert (done.code, done.out) == (2, "")
    assert "choose with --judge" in done.err
    assert told(cli("score", release, run, "--judge", second, "--json"))["runs"][0]["judged"]["judges"] == {
        "open": second
    }


def test_withheld_answers_keep_only_the_rubrics_that_need_them(
    cli: Cli, release: Path, run: Path, tmp_path: Path
) -> None:
    (release / "answers" / "key.jsonl").unlink()
    judge = script(tmp_path, "any.yaml", [], default="hash")
    done = cli("judge", release, run, "--judge", judge)
    assert (done.code, "withheld" in done.err) == (2, True)
    found = told(cli("judge", release, run, "--judge", judge, "--rubric", "hsa", "--rubric", "dsa", "--json"))
    assert [one["statuses"] for one in found["rubrics"].values()] == [{"judged": 6}, {"judged": 6}]


BAD = [
    pytest.param(["--rubric", "taste"], "there is no rubric 'taste'; there are open,", id="no rubric"),
    pytest.param(["--rubric", "modality", "--judge", "scripted/hash"], "no trace with an untagged step", id="nothing"),
    pytest.param(["--rubric", "open", "--rubric", "modality"], "nothing to judge", id="nothing in the second"),
    pytest.param(["--rubric", "modality", "--mismatched"], "no mismatch control", id="no control"),
    pytest.param(["--judge", "baseline/longest"], "cannot judge", id="a rule"),
]


@pytest.mark.parametrize(("arguments", "says"), BAD)
def test_what_cannot_be_judged_is_one_line(
    arguments: list[str], says: str, cli: Cli, release: Path, run: Path, tmp_path: Path
) -> None:
    judge = judging(tmp_path, *RIGHT)
    done = cli("judge", release, run, "--judge", judge, *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err
    assert not (run / "judges").exists()
