"""A project's review from the command line's side: what is dealt, what is planted, taken out and in, and agreed on."""

import asyncio
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import InputError, RefusedError, RowsError, UsageError
from benchwright.project import folder
from benchwright.project.folder import Project
from benchwright.project.freeze import accepted, freeze, unapproved
from benchwright.project.plant import plant
from benchwright.project.review import Asked, desk_of, known_modes, opened
from benchwright.project.review_agreement import agreements, write
from benchwright.project.review_files import export, take_in
from benchwright.project.review_times import matched
from benchwright.project.sources import current
from benchwright.project.standing import facts
from benchwright.review.content import of_blind
from benchwright.review.desk import Desk
from benchwright.review.media import Clips
from benchwright.review.modes import VERIFIED
from benchwright.schemas.clip import Cue
from benchwright.schemas.review import BlindView, FinishedReview, Mode, Planted, Saving, Work
from benchwright.scoring.agreement import agreement
from benchwright.state.store import Store

from ..review.world import fill
from ..state.conftest import SEED

ITEMS = 20
SETTINGS = """
sources: [{path: harbour.ink.json}]
review:
  approvals: 3
  experts: [e1, e2, e3]
  people: [p1, p2]
  adjudicators: [boss]
  overlap: 4
  planted: 0.2
  duplicates: 1
"""
YES = {criterion.name: "yes" for criterion in VERIFIED}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of twenty accepted items with people to review it; not to be changed."""
    root = folder.init(tmp_path_factory.mktemp("reviewed") / "project").root
    (root / "benchwright.yaml").write_text(f"version: 1\nname: harbour\nseed: {SEED}\n{SETTINGS}", "utf-8")
    (root / ".benchwright").mkdir()
    fill(root / ".benchwright" / "store.sqlite", ITEMS)
    return root


@pytest.fixture
def project(filled: Path, tmp_path: Path) -> Project:
    shutil.copytree(filled, tmp_path / "project")
    return folder.find(tmp_path / "project")


def unseen(cut: object) -> None:
    return None


def open_desk(project: Project, store: Store, *modes: Mode) -> Desk:
    clips = Clips(project.config.seed, unseen, lambda source: False)
    return desk_of(project, store, Asked(modes or Asked().modes), clips)


async def do(desk: Desk, who: str, task: str, marks: dict[str, str] | None = None, **work: Any) -> dict[str, Any]:
    """Answer a task, and judge it where there is something to judge."""
    state = await desk.open(who, task)
    for action in ("lock", "submit") if state["answer"] else ("submit",):
        done = Work(**(work if state["answer"] else {}), marks=marks or {} if action == "submit" else {})
        state = await desk.act(who, task, Saving(revision=state["revision"], action=action, work=done, seconds=9))
        if state["stage"] == "done":
            break
    return state


def answer_of(store: Store, slot: str) -> tuple[str, ...]:
    return store.view("expert", slot, 10**6).answer


def review_all(project: Project, wrong: dict[str, int] | None = None) -> None:
    """Every expert verifies everything, notices what is planted and approves the rest; people answer, some wrongly."""
    with Store.open(project.store, seed=project.config.seed) as store:
        desk = open_desk(project, store)
        asyncio.run(_review_all(desk, store, wrong or {}))


async def _review_all(desk: Desk, store: Store, wrong: dict[str, int]) -> None:
    planted = {key.slot_id for key, _ in store.all(Planted)}
    erred: Counter[str] = Counter()
    for task in list(desk.queue.tasks.values()):
        for who in desk.queue.campaigns[task.mode].people:
            if not desk.queue.may_own(task.id, who):
                continue
            ids = answer_of(store, task.subject)
            if task.mode != "verification" and erred[who] < wrong.get(who, 0) and task.subject not in planted:
                erred[who] += 1
                ids = tuple(name for name in (await desk.open(who, task.id))["shown"] if name not in ids)[:1]
            marks = YES | ({"answer correctness": "no"} if task.subject in planted else {})
            await do(desk, who, task.id, marks, said="answer", ids=ids, confidence=3)


def test_everybody_gets_a_share(project: Project):
    with Store.open(project.store, seed=project.config.seed) as store:
        desk = open_desk(project, store)
        items = facts(store, current(project, store))
        planted = {key.slot_id: one for key, one in store.all(Planted)}
    experts = [desk.queue.modes(who)["verification"][1] for who in ("e1", "e2", "e3")]
    defects = [one for one in planted.values() if one.defect != "attention"]
    assert experts == [len(items) + len(defects)] * 3
    people = [desk.queue.modes(who) for who in ("p1", "p2")]
    assert [own["overlap"][1] for own in people] == [4, 4]
    attention = len(planted) - len(defects)
    assert sum(own["baseline"][1] for own in people) == len(items) - 4 + attention + 2
    assert known_modes(["screening", "baseline"]) == ("baseline", "screening")
    with pytest.raises(UsageError, match="there is no mode 'x'; there are verification"):
        known_modes(["x"])


def test_a_planted_item_looks_like_any_other(project: Project):
    with Store.open(project.store, seed=project.config.seed) as store:
        found = plant(store, project.config.seed, 6, 2)
        assert plant(store, project.config.seed, 6, 2) == found
        slot = next(iter(accepted(store, current(project, store)))).slot.slot_id
        real, planted = store.view("blind", slot, 10**6), store.view("blind", found[0][0], 10**6)
        assert set(of_blind(real, None)) == set(of_blind(planted, None))
        assert [len(view.item_id) for view in (real, planted)] == [13, 13]
        assert isinstance(planted, BlindView)
        behind = {name: type(value) for name, value in store.view("expert", slot, 10**6)}
        for place, one in found:
            own = store.view("expert", place, 10**6)
            assert {name: type(value) for name, value in own} == behind
            assert set(own.traps) == {option.id for option in one.options} - set(own.answer)
            assert [option.id for option in one.options] == [f"o{n}" for n in range(1, len(one.options) + 1)]
    assert {one.defect for _, one in found} == {"wrong key", "unanswerable", "two right answers", "attention"}


def test_the_defects_are_what_they_are_called(project: Project):
    with Store.open(project.store, seed=project.config.seed) as store:
        found = plant(store, project.config.seed, 3, 0)
        items = {one.slot.slot_id: one for one in accepted(store, current(project, store))}
        for _, one in found:
            texts = [option.text for option in one.options]
            origin = items[one.origin]
            key = origin.reference.answer_text
            if one.defect == "wrong key":
                assert one.answer_text != key
                assert key in texts
            elif one.defect == "two right answers":
                assert sum(key in text for text in texts) == 2
            else:
                assert one.clip != origin.item.clip
                assert one.transcript != origin.clip.transcript


def lacking(project: Project) -> list[str]:
    """What `freeze` says of items without the approvals they need."""
    with Store.read(project.store, seed=SEED) as store:
        items = accepted(store, current(project, store))
        return list(unapproved(store, items, project.config.review.approvals))


def test_only_what_everybody_approved_may_be_frozen(project: Project):
    with pytest.raises(RefusedError, match=f"{ITEMS} of {ITEMS} items lack approvals"):
        freeze(project, "1.0.0", day="2031-01-02")
    assert len(lacking(project)) == ITEMS
    review_all(project)
    assert lacking(project) == []
    assert set(agreements(project).states) == {"approved"}


def test_who_misses_what_is_planted_holds_up_the_release(project: Project):
    file = project.file.path
    file.write_text(file.read_text("utf-8").replace("planted: 0.2", "planted: 0.5"), "utf-8")
    careless = folder.find(project.root)
    with Store.open(careless.store, seed=careless.config.seed) as store:
        desk = open_desk(careless, store, "verification")
        planted = {key.slot_id for key, one in store.all(Planted) if one.defect != "attention"}
        assert len(planted) >= 10
        asyncio.run(_approve(desk, store, planted))
    done = agreements(careless)
    assert (done.reviewers["e3"].counts, done.reviewers["e1"].counts) == (False, True)
    assert done.reviewers["e3"].noticed == 0
    assert set(done.states) == {"waiting"}
    assert all("2 of 3 approvals" in line for line in lacking(careless))


async def _approve(desk: Desk, store: Store, planted: set[str]) -> None:
    for task in list(desk.queue.tasks.values()):
        for who in ("e1", "e2", "e3"):
            blind = task.subject in planted and who != "e3"
            marks = YES | ({"cue support": "no"} if blind else {})
            ids = answer_of(store, task.subject)
            await do(desk, who, task.id, marks, said="answer", ids=ids, confidence=1)


def test_reviews_travel(project: Project, tmp_path: Path):
    review_all(project, {"p1": 2})
    files = export(project, tmp_path / "out")
    lines = (tmp_path / "out" / "reviews.jsonl").read_text("utf-8").splitlines()
    assert files[str(tmp_path / "out" / "reviews.jsonl")] == len(lines)
    first = FinishedReview.model_validate_json(lines[0])
    assert first.letter == "ABCDEFGHIJ"[first.shown.index(first.ids[0])]
    answers = [json.loads(line) for line in (tmp_path / "out" / "answers.jsonl").read_text("utf-8").splitlines()]
    assert {one["person"] for one in answers} == {"p1", "p2"}
    assert {one["occasion"] for one in answers} == {0, 1}
    shutil.copytree(project.root, tmp_path / "fresh")
    fresh = folder.find(tmp_path / "fresh")
    assert take_in(fresh, [tmp_path / "out" / "reviews.jsonl"])[1] == 0
    before = agreements(project)
    emptied = empty(fresh, tmp_path)
    taken = take_in(emptied, [tmp_path / "out" / "reviews.jsonl"])
    assert taken == (len(lines), len(lines))
    assert agreements(emptied) == before
    again = export(emptied, tmp_path / "again")
    assert [Path(name).name for name in again] == [Path(name).name for name in files]
    for name in ("reviews.jsonl", "answers.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def empty(project: Project, tmp_path: Path) -> Project:
    """The project as it was built, with the same planted items and no review."""
    import sqlite3

    connection = sqlite3.connect(project.store)
    connection.execute("DROP TRIGGER review_entry_reference_no_delete")
    connection.execute("DELETE FROM review_entry_reference")
    connection.commit()
    connection.close()
    return project


BAD = {
    "no JSON": ("hello", "Invalid JSON"),
    "no such item": ('{"mode": "baseline", "reviewer": "p1", "item": "i0"}', "the project has no i0"),
    "no such mode": ('{"mode": "x", "reviewer": "p1", "item": "i0"}', "mode: Input should be"),
    "a name": ('{"mode": "baseline", "reviewer": "Ann Smith", "item": "i0"}', "reviewer: String should match"),
    "a mark that is none": (
        '{"mode": "hsa", "reviewer": "p1", "item": "r/i/0", "marks": {"individuals": "9"}}', "is no mark of hsa"
    ),
    "a reply that is none": ('{"mode": "hsa", "reviewer": "p1", "item": "i0"}', "expected run/item/repeat"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "problem"), BAD.values(), ids=list(BAD))
def test_a_bad_row_is_named_and_nothing_is_taken_in(project: Project, tmp_path: Path, line: str, problem: str):
    good = {"mode": "hsa", "reviewer": "p1", "item": "run/i1/0", "marks": {"individuals": "4"}}
    path = tmp_path / "reviews.jsonl"
    path.write_text(f"{json.dumps(good)}\n{line}\n", "utf-8")
    with pytest.raises(RowsError) as caught:
        take_in(project, [path])
    assert problem in caught.value.findings[0]
    assert caught.value.findings[0].startswith(f"{path}:2: ")
    assert export(project, tmp_path / "out") == {}


def test_a_file_that_is_none(project: Project, tmp_path: Path):
    with pytest.raises(InputError, match="no such file"):
        take_in(project, [tmp_path / "none.jsonl"])


def test_agreement_is_that_of_the_votes(project: Project):
    with Store.open(project.store, seed=project.config.seed) as store:
        desk = open_desk(project, store, "verification")
        own = sorted(task.id for task in desk.queue.tasks.values() if not task.subject.startswith("planted"))
        votes = {(who, task): ("no" if (n + len(who + task)) % 4 == 0 else "yes")
                 for n, who in enumerate(("e1", "e2", "e3")) for task in own}  # fmt: skip
        subjects = {task: desk.queue.tasks[task].subject for task in own}
        asyncio.run(_cast(desk, store, votes))
        episodes = {one.slot: one.episode for one in facts(store, current(project, store))}
    done = agreements(project)
    units = sorted(own, key=lambda task: f"{subjects[task]} 0")
    table = [[votes[who, task] for who in ("e1", "e2", "e3")] for task in units]
    clusters = [episodes[subjects[task]] for task in units]
    assert done.criteria["verification"]["cue support"]["all"] == agreement(
        table, clusters, categories=("yes", "no", "unsure")
    )
    raw = sum(sum(a == b for a, b in ((x, y), (x, z), (y, z))) / 3 for x, y, z in table) / len(table)
    assert done.criteria["verification"]["cue support"]["all"].raw.figure.value == pytest.approx(raw)
    vetoes = {who: sum(votes[who, task] == "no" for task in own) for who in ("e1", "e2", "e3")}
    assert {who: reviewer.vetoes for who, reviewer in done.reviewers.items()} == vetoes
    alone = sum(row.count("no") == 1 and row[0] == "no" for row in table)
    assert done.reviewers["e1"].alone == alone
    assert json.loads(write(project, done).read_text("utf-8"))["states"] == done.states
    assert done.criteria["verification"]["question validity"]["all"].alpha.figure.value is None


async def _cast(desk: Desk, store: Store, votes: dict[tuple[str, str], str]) -> None:
    for (who, task), mark in votes.items():
        ids = answer_of(store, desk.queue.tasks[task].subject)
        await do(desk, who, task, YES | {"cue support": mark}, said="answer", ids=ids, confidence=2)


def test_the_baseline_is_what_people_answered(project: Project):
    review_all(project, {"p1": 2})
    done = agreements(project)
    with Store.read(project.store) as store:
        items = len(accepted(store, current(project, store)))
    found = done.baseline["skips out"]
    assert found.n == items
    assert set(done.attention) == {"p1", "p2"} or sum(own.met for own in done.attention.values()) == 3
    assert found.by_person["p2"].value == 1
    ends = done.spreads["pooled"].interval
    assert ends is not None
    assert found.pooled.value is not None
    assert ends.low <= found.pooled.value <= ends.high
    assert done.duplicates == 2
    assert 0 < done.criteria["overlap"]["answer"]["all"].units <= 4


def test_without_reviewers_or_items_it_says_what_to_do(tmp_path: Path):
    bare = folder.init(tmp_path / "bare")
    with pytest.raises(UsageError, match="has no items yet"):
        agreements(bare)
    with pytest.raises(InputError, match="nobody reviews; list opaque ids"), opened(bare, Asked()):
        pass
    with pytest.raises(UsageError, match="has no items yet"):
        export(bare)


def test_nobody_verifies_and_answers(project: Project):
    text = project.file.path.read_text("utf-8").replace("people: [p1, p2]", "people: [p1, e2]")
    project.file.path.write_text(text, "utf-8")
    with pytest.raises(InputError, match="e2 cannot both verify items and answer for the baseline"):
        folder.find(project.root)


def cue(start: float, text: str) -> Cue:
    return Cue(start=start, end=start + 1, text=text)


def test_lines_are_found_in_the_subtitles_in_their_order():
    """Names differ, a cue is split, one line is never heard, one text comes twice."""
    cues = [cue(2, "Vesna steers the ferry"), cue(4, "past the buoy."), cue(6, "Trust ▲"), cue(7, "Old boats grumble."),
            cue(9, "Vesna steers the ferry home.")]  # fmt: skip
    lines = ["Alpha steers the ferry past the buoy.", "Somebody whistles a tune.", "Old boats grumble.",
             "Alpha steers the ferry home."]  # fmt: skip
    assert matched(cues, lines) == [2, None, 7, 9]
    assert matched([], lines) == [None] * 4
