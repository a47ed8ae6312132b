"""A task from opening to the end, over HTTP: stages, locks, undo, conflicts, edits, disputes, shares that are held."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.review.app import Changes
from benchwright.review.desk import Desk, last_entries
from benchwright.review.media import Clips
from benchwright.review.outcomes import outcomes
from benchwright.review.queue import Place, Queue, Task, task_id
from benchwright.review.work import Saved
from benchwright.schemas.item import Reference
from benchwright.schemas.review import ReviewEntry
from benchwright.state.log import chains, check
from benchwright.state.store import NodeKey, Store

from ..state.conftest import SEED
from .world import EXPERTS, KEY, Served, desk_of, fill, queue_of, served


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


@pytest.fixture
def site(path: Path) -> Iterator[Served]:
    with served(path, fill(path, 3)) as site:
        yield site


def test_two_stages(site: Served):
    expert = site.enter("e1")
    state = expert.next("verification")
    assert (state["stage"], state["revision"], state["behind"], state["criteria"]) == ("blind", 1, None, [])
    assert sorted(state["shown"]) == ["o1", "o2", "o3"]
    assert expert.save(state, "submit").json == {"error": "lock your answer first"}
    assert expert.save(state, "lock").json == {"error": "answer, or say that it is ambiguous, or skip it"}
    expert.save(state, said="answer", ids=["o1"])
    assert expert.save(state, "lock").json == {"error": "say how sure you are"}
    assert expert.answer(state, ["o1"]).status == 200
    assert (state["stage"], state["behind"]["answer"], len(state["criteria"])) == ("expert", [KEY], 4)
    assert expert.save(state, "submit").json["error"].startswith("still to be judged: question validity, answer")
    expert.save(state, ids=["o2"], said="ambiguous", note="after the lock")
    assert (state["work"]["ids"], state["work"]["said"], state["work"]["note"]) == (["o1"], "answer", "after the lock")
    assert expert.judge(state).json["stage"] == "done"
    assert expert.save(state, note="too late").json == {"error": "this task is finished"}
    assert expert.next("verification")["task"] != state["task"]


def test_each_person_has_an_order_of_options_that_stays(site: Served):
    task = site.enter("e1").next("verification")["task"]
    orders = {who: tuple(site.enter(who).ask("GET", f"/api/task/{task}").json["shown"]) for who in EXPERTS}
    assert len(set(orders.values())) > 1
    for who, order in orders.items():
        assert tuple(site.enter(who).ask("GET", f"/api/task/{task}").json["shown"]) == order
    with Store.read(site.desk.store.path) as store:
        kept = {entry.reviewer: entry.shown for _, entry in store.all(ReviewEntry) if entry.task == task}
    assert kept == orders


@pytest.mark.parametrize("said", ["ambiguous", "skip"])
def test_no_answer_is_a_way_out(site: Served, said: str):
    expert = site.enter("e1")
    state = expert.next("verification")
    expert.save(state, said=said)
    assert expert.save(state, "lock").status == 200
    assert (state["stage"], bool(state["behind"])) == (("expert", True) if said == "ambiguous" else ("done", False))


def test_undo_goes_back_step_by_step_and_never_behind_the_lock(site: Served):
    expert = site.enter("e1")
    state = expert.next("verification")
    for ids in (["o1"], ["o3"], ["o2"]):
        expert.save(state, said="answer", ids=ids, confidence=1)
    for expected in (["o3"], ["o1"], []):
        assert state["undo"]
        expert.save(state, "undo")
        assert state["work"]["ids"] == expected
    assert not state["undo"]
    assert expert.save(state, "undo").json == {"error": "there is nothing to undo"}
    assert state["revision"] == 7
    expert.answer(state)
    assert expert.save(state, "undo").status == 422
    expert.save(state, marks={"cue support": "no"})
    expert.save(state, "undo")
    assert (state["stage"], state["work"]["marks"], state["work"]["ids"]) == ("expert", {}, [KEY])


def test_two_pages_of_one_person(site: Served):
    first, second = site.enter("e1"), site.enter("e1")
    state = first.next("verification")
    other = second.ask("GET", f"/api/task/{state['task']}").json
    assert first.save(state, said="answer", ids=["o1"]).status == 200
    late = second.save(dict(other), said="answer", ids=["o3"])
    assert late.status == 409
    assert late.json["error"] == "another page of yours has saved"
    assert late.json["state"]["work"]["ids"] == ["o1"]
    other |= late.json["state"]
    assert second.save(other, ids=["o3"]).json["work"]["ids"] == ["o3"]


def test_a_save_whose_answer_was_lost_may_be_sent_again(site: Served):
    expert = site.enter("e1")
    state = expert.next("verification")
    before = json.loads(json.dumps(state))
    assert expert.save(state, said="answer", ids=["o1"]).json["revision"] == 2
    again = expert.save(before, said="answer", ids=["o1"])
    assert (again.status, again.json["revision"]) == (200, 2)
    assert expert.save(dict(before, revision=1), said="answer", ids=["o3"]).status == 409


def test_two_reviewers_on_one_item_do_not_meet(site: Served):
    first, second = site.enter("e1"), site.enter("e2")
    state = first.next("verification")
    other = second.ask("GET", f"/api/task/{state['task']}").json
    assert first.save(state, said="answer", ids=["o1"]).status == 200
    assert second.save(other, said="answer", ids=["o3"]).status == 200
    assert first.ask("GET", f"/api/task/{state['task']}").json["work"]["ids"] == ["o1"]


def test_every_save_stays_in_the_log(site: Served):
    expert = site.enter("e1")
    state = expert.next("verification")
    expert.save(state, said="answer", ids=["o1"])
    expert.save(state, "undo")
    expert.answer(state)
    expert.judge(state)
    with Store.read(site.desk.store.path) as store:
        kept = [(key.round, entry.action) for key, entry in store.all(ReviewEntry) if entry.task == state["task"]]
    assert kept == list(enumerate(["open", "save", "undo", "save", "lock", "save", "submit"], 1))


def test_a_restart_loses_nothing(path: Path):
    facts = fill(path, 3)
    with served(path, facts) as site:
        expert = site.enter("e1")
        state = expert.next("verification")
        expert.save(state, said="answer", ids=["o3"], note="half way")
    with served(path, facts) as site:
        again = site.enter("e1").next("verification")
        assert (again["task"], again["revision"], again["work"]) == (state["task"], state["revision"], state["work"])


def renew(path: Path, slot: str, item_hash: str) -> None:
    """Another process accepts a new version whose public side is the same."""
    with Store.open(path, seed=SEED) as store:
        reference = store.latest(Reference, slot)
        assert reference is not None
        asyncio.run(store.put(NodeKey(slot, "accept", 1), reference.model_copy(update={"item_hash": item_hash})))


def test_an_edit_voids_what_was_judged_and_keeps_the_blind_answer(site: Served, path: Path):
    expert = site.enter("e1")
    state = expert.next("verification")
    expert.answer(state)
    marks = {one["name"]: "yes" for one in state["criteria"]}
    expert.save(state, marks=marks)
    renew(path, site.desk.queue.tasks[state["task"]].subject, "sha256:new")
    refused = expert.save(state, "submit")
    assert (refused.status, refused.json["error"]) == (409, "the item was edited meanwhile: look at it anew")
    state |= refused.json["state"]
    assert (state["stage"], state["work"]["marks"], state["work"]["ids"]) == ("expert", {}, [KEY])
    assert expert.judge(state).json["stage"] == "done"
    with Store.read(path) as store:
        own = next(one.entry for one in last_entries(store).values() if one.entry.task == state["task"])
    assert own.item_hash == "sha256:new"


def test_the_baseline_never_shows_the_key(site: Served):
    person = site.enter("p1")
    state = person.next("baseline")
    person.answer(state, ["o1"])
    assert (state["stage"], state["behind"], state["criteria"]) == ("done", None, [])
    assert person.ask("GET", f"/api/task/{state['task']}").json["behind"] is None


def test_reasoning_is_written_down_in_steps(site: Served):
    person = site.enter("p1")
    state = person.next("annotation")
    assert person.answer(state).json == {"error": "write down at least one step"}
    steps = [{"text": "She steps back.", "tags": ["visual"]}, {"text": "Fear.", "tags": ["external knowledge"]}]
    assert person.answer(state, steps=steps).json["stage"] == "done"
    assert state["work"]["steps"] == steps


def test_clips_are_screened_without_a_question(site: Served):
    expert = site.enter("e1")
    state = expert.next("screening")
    assert set(state["public"]) == {"background", "lines", "history", "media"}
    assert expert.judge(state, harmless="no").json["stage"] == "done"
    with Store.read(site.desk.store.path) as store:
        found = outcomes(store, site.facts, 5).verdicts
    assert [found[one.slot].state for one in site.facts] == ["clip rejected", "waiting", "waiting"]


def vote(site: Served, who: str, task: str, **marks: str) -> None:
    person = site.enter(who)
    state = person.ask("GET", f"/api/task/{task}").json
    person.answer(state)
    person.judge(state, **marks)


def test_a_dispute_goes_to_an_adjudicator_who_sees_no_names(site: Served):
    task = site.enter("e1").next("verification")["task"]
    for who in EXPERTS:
        vote(site, who, task, **({"cue_support": "no"} if who == "e3" else {}))
    boss = site.enter("boss")
    assert [(own["mode"], own["done"], own["total"]) for own in boss.ask("GET", "/api/me").json["modes"]] == [
        ("adjudication", 0, 1)
    ]
    state = boss.next("adjudication")
    votes = state["behind"]["votes"]
    assert sorted(one["decision"] for one in votes) == ["approve"] * 4 + ["reject"]
    assert not any(who in json.dumps(votes) for who in EXPERTS)
    boss.save(state, marks={"outcome": "vote again"})
    assert boss.save(state, "submit").json["stage"] == "done"
    again = [one for one in site.desk.queue.tasks.values() if one.mode == "verification" and one.ballot == 1]
    assert [one.subject for one in again] == [site.desk.queue.tasks[task].subject]
    with Store.read(site.desk.store.path) as store:
        assert outcomes(store, site.facts, 5).verdicts[again[0].subject][:3] == ("waiting", 0, 0)
        assert len([1 for _, entry in store.all(ReviewEntry) if entry.task == task and entry.stage == "done"]) == 5
    for who in EXPERTS:
        vote(site, who, again[0].id)
    with Store.read(site.desk.store.path) as store:
        assert outcomes(store, site.facts, 5).verdicts[again[0].subject].state == "approved"


def test_an_edit_from_the_page_voids_the_votes_and_asks_again(path: Path):
    facts = fill(path, 2)

    def changes(store: Store, clips: Clips) -> Changes:
        def edit(slot: str, text: str) -> dict[str, Any]:
            renew(path, slot, f"sha256:{text}")
            edited[slot] = f"sha256:{text}"
            return {"outcome": "accepted", "messages": []}

        def anew() -> Desk:
            now = [one._replace(item_hash=edited.get(one.slot, one.item_hash)) for one in facts]
            return desk_of(store, now, clips)

        edited: dict[str, str] = {}
        return Changes(edit, lambda slot: f"the file of {slot}", anew)

    with served(path, facts, changes=changes) as site:
        task = site.enter("e1").next("verification")["task"]
        for who in EXPERTS:
            vote(site, who, task, **({"cue_support": "no"} if who == "e3" else {}))
        boss, other = site.enter("boss"), site.enter("boss")
        state = boss.next("adjudication")
        place, slot = f"/api/task/{state['task']}/item", site.desk.queue.tasks[task].subject
        assert site.enter("e1").ask("GET", f"/api/task/{task}/item").status == 404
        assert boss.ask("GET", place).json == {"text": f"the file of {slot}"}
        stale = boss.post(place, item_hash="sha256:of another version", text="x")
        assert (stale.status, stale.json) == (422, {"error": "somebody has edited the item meanwhile: load it anew"})
        assert boss.post(place, item_hash=state["item_hash"], text="new").json["outcome"] == "accepted"
        late = other.post(place, item_hash=state["item_hash"], text="newer")
        assert (late.status, late.json) == (404, {"error": "there is no such task for you"})
        again = site.enter("e1").ask("GET", f"/api/task/{task}").json
        assert (again["stage"], again["work"]["marks"], again["work"]["ids"]) == ("expert", {}, [KEY])
        assert again["item_hash"] == "sha256:new"
        assert site.enter("e1").ask("GET", "/api/me").json["modes"][0]["done"] == 0


def test_the_isolation_log_holds_every_blind_view(site: Served):
    state = site.enter("e1").next("verification")
    site.enter("p1").next("baseline")
    with Store.read(site.desk.store.path, seed=SEED) as store:
        entries = [link.entry for _, links in chains(store) for link in links]
        assert check(store) is None
        assert {(entry.role, entry.node) for entry in entries} == {("blind", "blind/e1"), ("blind", "blind/p1")}
        slot = site.desk.queue.tasks[state["task"]].subject
        own = next(entry for entry in entries if entry.node == "blind/e1")
        seen = store.see("blind", slot, own.round)
        assert (seen.version, seen.fields) == (own.version, own.fields)


def test_a_share_is_held_while_its_owner_is_seen_and_free_after(path: Path):
    facts = fill(path, 6)
    queue = queue_of(facts, ("baseline",), lease=100)
    mine = [task.id for task in iter(lambda: take(queue, "p1", 10), None)]
    assert len(mine) == 2
    assert queue.next("p1", "baseline", 50) is None
    queue.next("p2", "baseline", 90)
    found = [take(queue, "p1", 120) for _ in range(3)]
    assert {task.id for task in found[:2] if task} == set(queue._shares["baseline"]["p3"])
    assert found[2] is None


def take(queue: Queue, person: str, now: float) -> Task | None:
    """The next task, done at once."""
    task = queue.next(person, "baseline", now)
    if task is not None:
        entry = ReviewEntry(
            task=task.id, mode="baseline", reviewer=person, action="lock", stage="done", public_hash=task.public_hash
        )
        queue.keep(Place(task.id, person), Saved(NodeKey(task.subject, "", 2), entry))
    return task


def test_the_queue_goes_on_where_one_was(site: Served):
    expert = site.enter("e1")
    order = [expert.next("verification")["task"]]
    for _ in range(3):
        order.append(expert.next("verification", order[-1])["task"])
    assert order[3] == order[0]
    assert len(set(order)) == 3


def test_ids_say_nothing_of_what_a_task_is_about(path: Path):
    facts = fill(path, 3)
    with Store.open(path, seed=SEED) as store:
        desk = desk_of(store, facts, Clips(SEED, lambda cut: None, lambda source: False))
    names = [task.id for task in desk.queue.tasks.values()]
    assert all(name == "tscreen" or (len(name) == 17 and name[0] == "t") for name in names)
    assert task_id(1, "verification", "a") != task_id(2, "verification", "a") != task_id(2, "baseline", "a")
