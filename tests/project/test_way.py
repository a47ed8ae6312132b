"""The whole way on a small story: built, frozen, verified, evaluated, scored; the same bytes whoever builds."""

import asyncio
import json
import re
import shutil
from pathlib import Path
from statistics import fmean

import pytest
from benchwright.errors import InputError, RefusedError, UsageError
from benchwright.knowledge.loader import load_taxonomy
from benchwright.project import evaluate, folder, items
from benchwright.project.build import Part, build
from benchwright.project.evaluate import Evaluation
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.releases import open_release
from benchwright.project.score import score
from benchwright.project.status import status
from benchwright.project.targets import cells
from benchwright.project.verify import verify
from benchwright.review.modes import VERIFIED
from benchwright.schemas.item import Item, Reference
from benchwright.schemas.review import ReviewEntry, Work
from benchwright.state.store import NodeKey, Store

from ..tale import begin

DAY = "2031-01-02"
CRITERIA = [criterion.name for criterion in VERIFIED]


def contents(release: Path) -> dict[str, bytes]:
    return {path.relative_to(release).as_posix(): path.read_bytes() for path in release.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def finished(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A copy of the built project, to which releases and runs are added here."""
    copy = tmp_path_factory.mktemp("way") / "w"
    shutil.copytree(finished.root.parent, copy)
    return folder.find(copy / "project")


@pytest.fixture(scope="module")
def release(finished: Project) -> Path:
    return freeze(finished, "0.1.0", unreviewed=True, day=DAY).folder


def test_every_slot_ended_and_is_counted(finished: Project) -> None:
    counted = status(finished)
    assert counted.accepted >= 3
    assert counted.accepted == sum(counted.by_capability.values())
    assert sum(counted.reasons.values()) == counted.surplus + counted.discarded
    targets = cells(finished.file, load_taxonomy())
    assert counted.open == sum(cell.target for cell in targets) - counted.accepted
    assert (counted.stopped_by, counted.unmade) == (None, ())
    listed = items.listing(finished)
    assert sum(item.outcome == "accepted" for item in listed) == counted.accepted


def test_building_again_changes_nothing(finished: Project) -> None:
    before = status(finished)
    assert build(finished)._replace(stopped_by=None) == before == status(finished)


def test_eight_workers_and_a_build_in_two_parts_freeze_the_same_bytes(release: Path, tmp_path: Path) -> None:
    other = begin(tmp_path / "eight", 8)
    assert build(other, Part(limit=1)).accepted >= 1
    build(other)
    again = freeze(other, "0.1.0", unreviewed=True, day=DAY).folder
    assert contents(again) == contents(release)


def test_an_item_shows_its_answer_and_how_it_came_about(finished: Project) -> None:
    chosen = next(item for item in items.listing(finished) if item.outcome == "accepted")
    shown = items.show(finished, chosen.id)
    assert shown.reference is not None
    assert shown.reference.answer_text in {option.text for option in shown.item.options}
    assert {remark.node for remark in shown.remarks} >= {"answer", "adjudicator", "critic"}
    assert shown.clip is not None
    assert shown.clip.ref == shown.item.clip
    assert json.loads(json.dumps(shown.json()))["item"]["item_id"] == chosen.id


def test_without_approvals_nothing_is_frozen(finished: Project) -> None:
    with pytest.raises(RefusedError, match="lack approvals") as caught:
        freeze(finished, "0.2.0")
    assert len(caught.value.findings) == status(finished).accepted
    assert not [path for path in finished.releases.glob("*") if "0.2.0" in path.name]


def approve(project: Project, reviewers: int, choice: str = "yes") -> None:
    """Votes of that many reviewers on every accepted item, stored as a review would store them."""
    with Store.open(project.store) as store:
        for key, reference in store.all(Reference):
            item = store.latest(Item, key.slot_id)
            assert item is not None
            work = Work(said="answer", ids=reference.answer, confidence=3, marks=dict.fromkeys(CRITERIA, choice))
            for number in range(reviewers):
                reviewer = f"{choice}-{number}"
                vote = ReviewEntry(
                    task=key.slot_id, mode="verification", reviewer=reviewer, action="submit", stage="done", work=work,
                    public_hash=item.public_hash, item_hash=reference.item_hash,
                )  # fmt: skip
                asyncio.run(store.put(NodeKey(key.slot_id, f"verification/{reviewer}", 1), vote))


def test_approved_items_are_frozen_as_reviewed_and_one_rejection_refuses(tmp_path: Path) -> None:
    project = begin(tmp_path / "reviewed", 4)
    build(project)
    approve(project, 4)
    with pytest.raises(RefusedError, match="lack approvals"):
        freeze(project, "1.0.0", day=DAY)
    approve(project, 5)
    frozen = freeze(project, "1.0.0", day=DAY)
    assert (frozen.reviewed, frozen.folder.name) == (True, "project-1.0.0")
    approve(project, 1, "no")
    with pytest.raises(RefusedError, match="lack approvals"):
        freeze(project, "1.0.1", day=DAY)


def test_the_date_of_a_version_is_kept(finished: Project, release: Path, tmp_path: Path) -> None:
    release.rename(tmp_path / "aside")
    try:
        again = freeze(finished, "0.1.0", unreviewed=True)
        assert again.date == DAY
        assert contents(again.folder) == contents(tmp_path / "aside")
    finally:
        if not release.exists():
            (tmp_path / "aside").rename(release)


@pytest.mark.parametrize(
    ("version", "day"), [("1.0", None), ("v1.0.0", None), ("1.0.0", "yesterday"), ("1.0.0", "2031-13-01")]
)
def test_versions_and_days_that_are_none(finished: Project, version: str, day: str | None) -> None:
    with pytest.raises(UsageError, match="expected"):
        freeze(finished, version, unreviewed=True, day=day)


def test_a_release_is_never_written_over(finished: Project, release: Path) -> None:
    with pytest.raises(UsageError, match="never written over"):
        freeze(finished, "0.1.0", unreviewed=True)


def test_the_release_verifies_and_a_changed_byte_is_found(release: Path, tmp_path: Path) -> None:
    assert verify(release).ok
    for path, data in contents(release).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(
            data.replace(b"Linnea", b"Linnet") if path.startswith("grounding/trace") else data
        )
    assert {problem.file for problem in verify(tmp_path).problems} & {"grounding/trace.jsonl", "grounding/SHA256SUMS"}


def test_baselines_are_run_and_scored(finished: Project, release: Path) -> None:
    runs = [evaluate.evaluate(finished, release, Evaluation(f"baseline/{rule}")) for rule in ("random", "most-similar")]
    scores = score(release, [run.folder for run in runs])
    assert [run.model for run in scores.runs] == ["baseline/random", "baseline/most-similar"]
    assert all(run.n == status(finished).accepted and run.complete for run in scores.runs)
    chance = fmean(1 / len(item.options) for item in open_release(release).inputs())
    assert json.loads(json.dumps(scores.json()))["runs"][0]["chance"] == pytest.approx(chance)
    before = {run.folder: contents(run.folder) for run in runs}
    for rule in ("random", "most-similar"):
        again = evaluate.evaluate(finished, release, Evaluation(f"baseline/{rule}"))
        assert contents(again.folder) == before[again.folder]


def test_a_run_outside_a_project_needs_only_the_release(release: Path, tmp_path: Path) -> None:
    done = evaluate.evaluate(None, release, Evaluation("baseline/random", out=tmp_path / "run"))
    assert done.result.statuses == {"answered": len(done.result.responses)}


def test_a_run_on_another_release_is_not_scored(release: Path, tmp_path: Path) -> None:
    evaluate.evaluate(None, release, Evaluation("baseline/random", out=tmp_path / "run"))
    info = tmp_path / "run" / "run.json"
    info.write_text(re.sub('"release_sha256":"[^"]*"', f'"release_sha256":"sha256:{0:064}"', info.read_text()))
    with pytest.raises(InputError, match="a run on"):
        score(release, [tmp_path / "run"])


def test_withheld_answers_cannot_be_scored_against(release: Path, tmp_path: Path) -> None:
    for path, data in contents(release).items():
        if not path.startswith("answers/"):
            (tmp_path / "r" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "r" / path).write_bytes(data)
    done = evaluate.evaluate(None, tmp_path / "r", Evaluation("baseline/random", out=tmp_path / "run"))
    with pytest.raises(InputError, match="withheld"):
        score(tmp_path / "r", [done.folder])


def test_a_folder_that_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"release\.json"):
        evaluate.evaluate(None, tmp_path, Evaluation("baseline/random"))
