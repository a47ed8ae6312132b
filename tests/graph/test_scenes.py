"""Intent and empathy of stories: the Generator's model proposes, the adjudicator's derives without seeing it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.errors import InputError
from benchwright.project import audit, items
from benchwright.project.build import build
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.verify import verify
from benchwright.schemas.item import Item
from benchwright.schemas.view import Adjudication
from benchwright.state.store import Store

from .hut import DAY, SEED, VERSION, hut

KEY = "To keep the others from leaving"
FOILS = ("To learn what was said before", "To be left alone for some time", "To make good an old mistake")
SECRET = "The lines afterwards bear it out."
PROPOSED = {
    "question": "What is the one who chooses at the end of the scene trying to bring about?",
    "options": [
        {"text": KEY, "right": True, "trap": "none"},
        *({"text": foil, "right": False, "trap": "knowledge_prior"} for foil in FOILS),
    ],
    "cues": [{"line": "", "quote": "how the last choice is worded"}],
    "rationale": SECRET,
}
VERDICT = {
    "answerability": "answerable", "cue_support": True, "coherence": True, "alignment": True, "agreement": True,
    "defect": "none", "code": "accepted", "message": "",
}  # fmt: skip
ROLES = ("generator", "adjudicator", "answer", "critic")
TARGETS = {"intent_recognition": {"disclosure": 1}}


def script(true: str = KEY) -> dict[str, Any]:
    rules: list[dict[str, Any]] = [{"prompt_id": "generator", "reply": PROPOSED}]
    rules += [{"prompt_id": "critic", "reply": VERDICT}]
    for letter in "ABCD":
        said = {"status": "answered", "answer": letter, "reason": ""}
        rules.append({"prompt_id": "answer", "contains": f"{letter}. {KEY}", "reply": said})
        derived = {"true": [letter], "possible": [], "proof": "as told"}
        rules.append({"prompt_id": "adjudicator", "contains": f"{letter}. {true}", "reply": derived})
    return {"benchwright_script": 1, "rules": rules, "default": "error"}


def scenes(place: Path, spoken: dict[str, Any], roles: tuple[str, ...] = ROLES) -> Project:
    playing = {role: {"policy": "llm", "model": "scripted/models.yaml"} for role in roles}
    project = hut(place, roles=playing, targets=TARGETS)
    (project.root / "models.yaml").write_text(yaml.safe_dump(spoken), "utf-8")
    return project


def test_scenes_become_items_whose_label_was_derived_apart(tmp_path: Path) -> None:
    project = scenes(tmp_path / "p", script())
    counted = build(project)
    assert counted.by_capability["intent_recognition"] >= 1
    (one, *_) = (row.id for row in items.listing(project) if row.outcome == "accepted")
    shown = items.show(project, one)
    assert shown.item.recipe is None
    assert shown.reference is not None
    assert (shown.reference.answer_text, shown.reference.tier) == (KEY, "C")
    assert shown.trace is not None
    assert {cue.kind for cue in shown.trace.cues} == {"afterwards"}
    assert audit.audit(project, one).unresolved == ()
    assert audit.isolation(project) == []
    assert verify(freeze(project, VERSION, unreviewed=True, day=DAY).folder).problems == ()
    _nobody_saw_too_much(project)


def _nobody_saw_too_much(project: Project) -> None:
    """The adjudicator sees what comes afterwards and not the proposal; who answers sees neither."""
    with closing(sqlite3.connect(project.store)) as file:
        rows = file.execute("SELECT role, request FROM call JOIN call_request USING (request_sha256)").fetchall()
    told = {role: [json.dumps(json.loads(sent)) for own, sent in rows if own == role] for role in ROLES}
    assert all("afterwards:" in sent for sent in told["generator"] + told["adjudicator"])
    assert not any(SECRET in sent for sent in told["adjudicator"] + told["answer"])
    assert not any("afterwards:" in sent for sent in told["answer"])
    assert all(SECRET in sent for sent in told["critic"])


def test_a_label_that_the_story_does_not_bear_out_ends_the_slot(tmp_path: Path) -> None:
    project = scenes(tmp_path / "p", script(true=FOILS[0]))
    counted = build(project)
    assert counted.accepted == 0
    assert set(counted.reasons) == {"label-not-rederived"}
    with Store.read(project.store, seed=SEED) as store:
        labels = list(store.all(Adjudication))
        assert len(labels) == sum(1 for _ in store.all(Item))
        assert {label.proof for _, label in labels} == {"as told"}


@pytest.mark.parametrize("missing", ["adjudicator", "answer", "critic"])
def test_every_role_beside_the_generator_has_to_be_a_model(tmp_path: Path, missing: str) -> None:
    project = scenes(tmp_path / "p", script(), tuple(role for role in ROLES if role != missing))
    with pytest.raises(InputError, match=f"made by models alone: {missing} need"):
        build(project)
