"""The papers' tables from the command line: made-up but complete runs in, one CSV a table out."""

import csv
import json
from pathlib import Path

import pytest
from benchwright.schemas.files import to_line
from benchwright.schemas.human import HumanRating, HumanStep

from ..project.releases import item, made, write
from .conftest import Cli, Done
from .test_judges import script

LABELS = [{"prompt_id": "judge_evidence", "reply": {"reason": "", "label": "normal"}},
          {"prompt_id": "judge_logic", "reply": {"reason": "", "label": "acceptable"}}]  # fmt: skip
HSA = ("scene_description", "individuals", "topic_and_context", "socio_emotional_analysis", "answer_detail",
       "adherence_to_prompt")  # fmt: skip


def fine(done: Done) -> str:
    assert done.code == 0, done.err
    return done.out


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_psychemmes_and_socialreasonbenchs_tables(cli: Cli, tmp_path: Path) -> None:
    release = made(tmp_path / "release", "s" * 24)
    items = [item(n, "single").model_copy(update={"history": (f"before {n}",)}) for n in range(1, 25)]
    write(release / "model_input" / "test.jsonl", items)
    judge = script(tmp_path, "judge.yaml", LABELS)
    for name, letter in (("a", "A"), ("b", "B")):
        model = script(tmp_path, f"{name}.yaml", [{"reply": {"answer": letter, "G": "Beta looks at the door."}}])
        conditions = ["full", "question-only", "history-none", "history-matched", "history-mismatched"]
        asked = [word for one in conditions for word in ("--condition", one)]
        out = json.loads(fine(cli("evaluate", release, "--model", model, *asked, "--trace", "rationale", "--json")))
        assert len(out["runs"]) == 7
        for run in out["runs"]:
            fine(cli("judge", release, run["run"], "--judge", judge, "--rubric", "evidence", "--rubric", "logic"))
    fine(cli("score", release, "runs", "--tables", "tables", "--json"))
    there = tmp_path / "tables"
    written = {path.stem for path in there.iterdir()}
    assert written == {
        "socialreason-accuracy", "socialreason-traps", "socialreason-tiers",
        "psychemme-main", "psychemme-raw", "psychemme-verified", "psychemme-controls", "psychemme-history",
        "psychemme-votes", "psychemme-formats", "caption-main",
    }  # fmt: skip
    main = {row["Model"]: row for row in read(there / "psychemme-main.csv")}
    # Normal and acceptable labels keep 1/1.44 of each answer's credit.
    for row in main.values():
        assert float(row["Ver."]) == pytest.approx(float(row["Raw"]) / 1.44, abs=0.01)
    controls = read(there / "psychemme-controls.csv")
    assert [(row["Model"][-6], row["Input"], row["Δ Raw"]) for row in controls] == [
        ("a", "full", "0.00"), ("a", "question-only", "0.00"), ("b", "full", "0.00"), ("b", "question-only", "0.00")
    ]  # fmt: skip
    assert [row["History"] for row in read(there / "psychemme-history.csv")[:3]] == [
        "history-none", "history-matched", "history-mismatched"
    ]  # fmt: skip
    assert {row["Capability"] for row in read(there / "socialreason-tiers.csv")} >= {"counterfactual", "empathy"}


def test_social_captions_and_social_genomes_tables(cli: Cli, tmp_path: Path) -> None:
    release = made(tmp_path / "release", "so" * 6)
    people: list[HumanRating] = []
    steps = [HumanStep(person="p1", item=f"i{n:012d}", step=1, text="Beta looks at the door.", tags=("visual",))
             for n in range(1, 13, 2)]  # fmt: skip
    for name, worth in (("a", 4), ("b", 2)):
        reply = {"trace": [{"step": "Beta looks at the door.", "tags": ["visual"]}], "answer": "A"}
        model = script(tmp_path, f"{name}.yaml", [{"reply": reply}])
        rates = {"reason": "", **dict.fromkeys(HSA, worth)}
        better = {"reason": "", **dict.fromkeys(HSA, worth + 1)}
        judge = script(tmp_path, f"judge-{name}.yaml", [
            {"prompt_id": "judge_hsa", "contains": "house 2", "reply": better},
            {"prompt_id": "judge_hsa", "contains": "day 4", "reply": better},
            {"prompt_id": "judge_hsa", "reply": rates},
            {"prompt_id": "judge_open", "reply": {"reason": "", "credit": 1}},
        ])  # fmt: skip
        run = json.loads(fine(cli("evaluate", release, "--model", model, "--json")))["run"]
        fine(cli("judge", release, run, "--judge", judge, "--rubric", "hsa", "--rubric", "open"))
        people += [
            HumanRating(person=person, item=f"i{n:012d}", run=Path(run).name, rubric="hsa", ratings=(worth,) * 6)
            for n in range(2, 13, 2)
            for person in ("p1", "p2")
        ]
        traced = json.loads(fine(cli("evaluate", release, "--model", model, "--trace", "steps", "--json")))["run"]
        fine(cli("judge", release, traced, "--judge", judge, "--rubric", "open"))
    for kind, records in (("ratings", people), ("traces", steps)):
        (tmp_path / f"{kind}.jsonl").write_bytes(b"".join(map(to_line, records)))
        fine(cli("human", "import", release, kind, f"{kind}.jsonl"))
    said = cli("score", release, "runs", "--tables", "tables")
    fine(said)
    there = tmp_path / "tables"
    genome = read(there / "genome-similarity.csv")
    assert [(row["Model"], row["k"], row["similarity_trace"]) for row in genome] == [
        ("scripted/a.yaml", "0", "1.00"), ("scripted/b.yaml", "0", "1.00")
    ]  # fmt: skip
    assert {row["visual"] for row in read(there / "genome-evidence.csv")} == {"1.00"}
    main = {row["Model"]: row for row in read(there / "caption-main.csv")}
    assert float(main["scripted/a.yaml"]["HSA H"]) == 24
    assert float(main["scripted/b.yaml"]["HSA H"]) == 12
    assert "no table caption-agreement-dsa: it takes a judge of dsa" in said.err
    agreement = read(there / "caption-agreement-hsa.csv")
    assert len(agreement) == 6
    assert "no table psychemme-main" in said.err
