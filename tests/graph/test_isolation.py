"""The answering side learns nothing: not from any secret behind an item, and not from anything that the log leaves out.

Two worlds show the same and hide different things: who the people are, which option is right, how the label is derived,
what was said of it. Each is published, stored and read back by the ways that a build uses.
"""

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
import rfc8785
from benchwright.agents.answer import ModelAnswering, asking
from benchwright.anonymize.replace import Anonymizer
from benchwright.checks.case import GateSettings
from benchwright.errors import IsolationError
from benchwright.graph.admission import Admission
from benchwright.graph.build import build
from benchwright.graph.context import Gates, Proposal, Run
from benchwright.graph.coverage import Cell, Planner
from benchwright.graph.gates import gates
from benchwright.graph.machine import machine
from benchwright.graph.public import Publisher
from benchwright.knowledge.loader import load_taxonomy
from benchwright.llm.gateway import Gateway
from benchwright.llm.scripted import ScriptedClient
from benchwright.project.folder import Project
from benchwright.project.freeze import accepted as accepted_items
from benchwright.project.freeze import content_of
from benchwright.project.sources import current
from benchwright.release.freeze import freeze as write
from benchwright.schemas.base import Record, canonical, content_hash, digest, fields_of, item_id
from benchwright.schemas.clip import Clip, Excerpt
from benchwright.schemas.grounding import Trace
from benchwright.schemas.item import Draft, Item, Plan, Reference, Slot
from benchwright.schemas.source import LexiconEntry, Source
from benchwright.schemas.view import Answer, AnswerView, Verdict
from benchwright.state.guard import Guard
from benchwright.state.ledger import StoreLedger
from benchwright.state.log import heads, isolation_root
from benchwright.state.reads import Rows
from benchwright.state.store import NodeKey, Store, StoreEvent
from benchwright.state.tables import KEY, RECORDS
from benchwright.state.views import Look

from .hut import DAY, SEED, VERSION, accepted, hut, running
from .hut import files as released_files
from .worlds import COORDINATE, MODEL, Opened, Shown, World, differences, shown

CASES = 500
RELEASED = 60
"""Cases of which the accepted items are frozen as well."""


@pytest.fixture
def projects(tmp_path: Path) -> list[Project]:
    return [hut(tmp_path / name) for name in ("one", "other")]


def compared(projects: list[Project], count: int, kind: type[Publisher] = Publisher) -> tuple[list[str], list[Shown]]:
    """The differences of that many cases, published in two worlds."""
    worlds = [Opened(project, side, kind) for side, project in enumerate(projects)]
    try:
        cases = [shown(worlds[0].source, number) for number in range(count)]
        for world in worlds:
            asyncio.run(world.fill(cases))
        found = {name for case in cases for name in differences(*(world.received(case) for world in worlds))}
        return sorted(found), cases
    finally:
        for world in worlds:
            world.close()


def test_no_secret_reaches_the_answering_side(projects: list[Project]) -> None:
    """Not by views, requests, orders, ids, hashes, names of media, rows within reach, or what an error says."""
    found, cases = compared(projects, CASES)
    assert found == []
    assert Counter(case.lacks for case in cases)[Item] > CASES / 20
    assert len({case.lines for case in cases}) > CASES * 0.9
    with Store.open(projects[0].store) as one, Store.open(projects[1].store) as other:
        for record in (Plan, Trace, Excerpt, Draft, Answer, Verdict, Reference):
            mine, theirs = (dict(store.all(record)) for store in (one, other))
            assert sum(mine[key] != theirs.get(key) for key in mine) > len(mine) * 0.9, record
        keys = [(item.answer, other.get(Item, key)) for key, item in one.all(Item)]
        assert sum(theirs is not None and answer != theirs.answer for answer, theirs in keys) > len(keys) / 2


class HashOverKey(Publisher):
    def item(self, slot: Slot, source: Source, plan: Plan, draft: Draft, clip: Clip) -> Item:
        item = super().item(slot, source, plan, draft, clip)
        return item.model_copy(update={"public_hash": content_hash([item.public_hash, item.answer])})


class KeyFirst(Publisher):
    def item(self, slot: Slot, source: Source, plan: Plan, draft: Draft, clip: Clip) -> Item:
        item = super().item(slot, source, plan, draft, clip)
        texts = sorted((option.id not in item.answer, option.text) for option in item.options)
        options = [old.model_copy(update={"text": text}) for old, (_, text) in zip(item.options, texts, strict=True)]
        return item.model_copy(update={"options": tuple(options), "answer": ("o1",)})


class OrderOfMaking(Publisher):
    def item(self, slot: Slot, source: Source, plan: Plan, draft: Draft, clip: Clip) -> Item:
        item = super().item(slot, source, plan, draft, clip)
        made = [self.rename(option.text) for option in draft.options]
        return item.model_copy(update={"options": tuple(sorted(item.options, key=lambda one: made.index(one.text)))})


class BranchInMediaName(Publisher):
    def item(self, slot: Slot, source: Source, plan: Plan, draft: Draft, clip: Clip) -> Item:
        item = super().item(slot, source, plan, draft, clip)
        told = clip.ref.model_copy(update={"media": f"media/branch_{plan.location}.json"})
        return item.model_copy(update={"clip": told})


class IdOverLabel(Publisher):
    def item(self, slot: Slot, source: Source, plan: Plan, draft: Draft, clip: Clip) -> Item:
        item = super().item(slot, source, plan, draft, clip)
        return item.model_copy(update={"item_id": "i" + digest(item.item_id, *item.traps.values())[:12]})


class ClipIdOverNames(Publisher):
    def clip(self, source: Source, plan: Plan, excerpt: Excerpt) -> Clip:
        name = "c" + digest(*(line.text for line in excerpt.lines))[:12]
        return super().clip(source, plan, excerpt).model_copy(update={"clip_id": name})


class NamesLeftInBackground(Publisher):
    def clip(self, source: Source, plan: Plan, excerpt: Excerpt) -> Clip:
        return super().clip(source, plan, excerpt).model_copy(update={"background": excerpt.background})


MUTANTS = {
    HashOverKey: {"item 0 0", "item_public"},
    KeyFirst: {"view 0 0", "request 0 0", "model input", "evaluation", "item_public"},
    OrderOfMaking: {"model input", "item_public"},
    BranchInMediaName: {"view 0 0", "media 0 0", "model input", "item_public"},
    IdOverLabel: {"view 0 0", "item 0 0", "order 0 0", "model input", "item_public"},
    ClipIdOverNames: {"clip_public"},
    NamesLeftInBackground: {"clip_public", "view 0 0", "request 0 0", "model input", "evaluation"},
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda kind: kind.__name__)
def test_the_comparison_sees_a_publisher_that_tells(projects: list[Project], mutant: type[Publisher]) -> None:
    found, _ = compared(projects, 12, mutant)
    assert set(found) >= MUTANTS[mutant]


def test_a_release_shows_the_same_for_other_keys(projects: list[Project]) -> None:
    """The very files that models are run on, and the transcripts beside them."""
    files = []
    for side, project in enumerate(projects):
        world = Opened(project, side)
        cases = [one for one in (shown(world.source, n) for n in range(RELEASED)) if one.lacks is None]
        asyncio.run(world.fill(cases))
        asyncio.run(accept(world, cases))
        world.close()
        files.append(ungated(project))
    public = [name for name in files[0] if name.startswith(("model_input/", "media/"))]
    assert len(public) > RELEASED / 2
    assert [name for name in public if files[0][name] != files[1][name]] == []
    told = {name for name in files[0] if files[0][name] != files[1][name]}
    assert {"answers/key.jsonl", "grounding/trace.jsonl", "grounding/heads.txt"} <= told


def ungated(project: Project) -> dict[str, bytes]:
    """The files of a release whose labels no story bears out: what is compared here is drawn at random."""
    with Store.open(project.store, seed=SEED) as store:
        items = accepted_items(store, current(project, store))
        content = replace(content_of(project, store, items, reviewed=False), version=VERSION, date=DAY)
        return released_files(write(content, project.releases / "hut"))


async def accept(world: Opened, cases: list[Shown]) -> None:
    for case in cases:
        key = NodeKey(case.slot.slot_id, "decision", 0)
        seen = world.store.see("critic", key.slot_id, len(case.rounds) - 1)
        entry = seen.entry(item_id(SEED, key.slot_id), key, policy_sha256=content_hash("rules"))
        await world.store.put(key, log=entry, event=StoreEvent("accepted", {"code": "accepted"}))


def public(item: Item) -> bytes:
    return canonical([getattr(item, name) for name in fields_of(Item, {"public"})])


def test_a_public_form_says_nothing_of_the_label(projects: list[Project]) -> None:
    world = Opened(projects[0], 0)
    for number in range(200):
        case = shown(world.source, number)
        one, other = (World(case, 0, world.publisher, world.source) for _ in range(2))
        other.rng = Random(f"other {number}")
        drafts = [each.draft(case.rounds[0]) for each in (one, other)]
        clips = [world.publisher.clip(world.source, one.plan(case.play), one.excerpt()) for _ in range(2)]
        items = [
            world.publisher.item(case.slot, world.source, each.plan(), draft, clip)
            for each, draft, clip in zip((one, other), drafts, clips, strict=True)
        ]
        assert public(items[0]) == public(items[1])
        assert drafts[0] != drafts[1]
        assert clips[0] == clips[1]
    world.close()


SECRETS = [
    pytest.param(record, name, id=f"{record.__name__}.{name}")
    for record in RECORDS
    for name in record.model_fields
    if name not in (*KEY, *fields_of(record, {"public"}))
]


@pytest.fixture(scope="module")
def answer_guard(built: Project) -> Iterator[Guard]:
    guard = Guard(built.store, "answer")
    yield guard
    guard.close()


@pytest.mark.parametrize(("record", "name"), SECRETS)
def test_a_view_that_reads_a_secret_is_denied(
    built: Project, answer_guard: Guard, record: type[Record], name: str
) -> None:
    look = Look(answer_guard, NodeKey(accepted_slots(built)[0], "answer", 0), SEED, "")
    assert look.item("question")["question"]
    with pytest.raises(IsolationError, match=r"role answer: access to .* is prohibited"):
        look.maybe(record, Rows(before=look.whole_round), name)


def accepted_slots(project: Project) -> list[str]:
    with Store.open(project.store) as store:
        return [event.key.slot_id for event in store.events("accepted")]


class Desk:
    """What it takes to publish drafts of a built project again, and to judge them."""

    def __init__(self, project: Project) -> None:
        with Store.open(project.store) as store:
            entities = [entry.entity for _, entry in store.all(LexiconEntry)]
            self.source = next(source for _, source in store.all(Source))
            self.items = [
                tuple(store.latest(record, slot) for record in (Slot, Plan, Draft, Excerpt))
                for slot in accepted_slots(project)
            ]
        anonymizer = Anonymizer(entities)
        taxonomy = load_taxonomy()
        options = {name: taxonomy.options_of(name) for name in taxonomy.capabilities}
        self.gates: Gates = gates(anonymizer, GateSettings(), options)
        self.publisher = Publisher(SEED, anonymizer.text, entities)

    def codes(self, number: int, publisher: Publisher | None = None, **update: Any) -> set[str]:
        """What the gates have against an accepted draft after a change."""
        slot, plan, draft, excerpt = cast(tuple[Slot, Plan, Draft, Excerpt], self.items[number])
        publisher, draft = publisher or self.publisher, draft.model_copy(update=update)
        clip = publisher.clip(self.source, plan, excerpt)
        item = publisher.item(slot, self.source, plan, draft, clip)
        return {found.code for found in self.gates(Proposal(plan, draft, item, clip)) if found.severity == "error"}

    def draft(self, number: int) -> Draft:
        return cast(Draft, self.items[number][2])


@pytest.fixture(scope="module")
def desk(built: Project) -> Desk:
    return Desk(built)


def test_what_was_accepted_passes_the_gates_again(desk: Desk) -> None:
    assert [desk.codes(number) for number in range(len(desk.items))] == [set()] * len(desk.items)


def test_a_question_that_quotes_the_key_is_refused(desk: Desk) -> None:
    for number in range(len(desk.items)):
        draft = desk.draft(number)
        quoting = f"Is it so that {draft.answer} {draft.question}"
        assert "option-shown" in desk.codes(number, question=quoting)


@pytest.mark.parametrize("name", ["Otto", "Otto Brandl", "Lene", "Nadia"])
def test_a_name_left_in_public_text_is_refused(desk: Desk, name: str) -> None:
    silent = desk.publisher._replace(rename=lambda text: text)
    for number in range(len(desk.items)):
        asked = f"What does {name} do before the next choice?"
        assert "name-leak" not in desk.codes(number, question=asked)
        assert "name-leak" in desk.codes(number, silent, question=asked)


def entries(project: Project) -> dict[str, list[dict[str, Any]]]:
    """The log as it lies in the file, by item, in the order of writing."""
    columns = "item_id, node, round, run, role, version, fields_read, prompt_sha256, policy_sha256, head"
    with closing(sqlite3.connect(project.store)) as file:
        rows = file.execute(f"SELECT {columns} FROM isolation_log ORDER BY sequence").fetchall()
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        entry = dict(zip(columns.split(", "), row, strict=True))
        found.setdefault(row[0], []).append(entry | {"fields": json.loads(entry.pop("fields_read"))})
    return found


def replayed(entry: Mapping[str, Any], head: str) -> str:
    """The head after an entry, from the contract and not from the code."""
    bare = {name: value for name, value in entry.items() if name not in ("head", "fields_read")}
    return "sha256:" + sha256(head.encode() + b"\x1f" + rfc8785.dumps(bare)).hexdigest()


def root(last: Mapping[str, str]) -> str:
    lines = sorted(f"{item} {head}\n" for item, head in last.items())
    return "sha256:" + sha256("".join(lines).encode()).hexdigest()


def replay(project: Project) -> dict[str, str]:
    """The last head of every item, each link on the way checked."""
    last = {}
    for item, chain in entries(project).items():
        head = ""
        for entry in chain:
            head = replayed(entry, head)
            assert head == entry["head"]
        last[item] = head
    return last


@pytest.fixture(scope="module")
def by_model(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Two slots about which a model is asked, at random and so more than once."""
    roles = {"answer": {"policy": "llm", "model": MODEL}}
    project = hut(tmp_path_factory.mktemp("by-model") / "p", roles=roles)
    with running(project) as run:
        asyncio.run(two_slots(run))
    return project


async def two_slots(run: Run) -> None:
    source = next(key.slot_id for key, _ in run.store.all(Source))
    planner = Planner([Cell(COORDINATE, 2)], {COORDINATE: [(source, 1), (source, 2)]}, 2)
    async for _ in build(run, machine(), planner, Admission(run, {COORDINATE: 2}, {source}), 2):
        pass


@pytest.fixture(params=["built", "by_model"])
def project(request: pytest.FixtureRequest) -> Project:
    return cast(Project, request.getfixturevalue(request.param))


def test_heads_and_root_follow_from_the_entries(project: Project) -> None:
    with Store.open(project.store) as store:
        assert replay(project) == heads(store)
        assert root(replay(project)) == isolation_root(heads(store))


def test_a_release_holds_the_root_of_its_items(built: Project, released: dict[str, bytes]) -> None:
    ids = {item.item_id for item in accepted(built)}
    last = {item: head for item, head in replay(built).items() if item in ids}
    assert json.loads(released["release.json"])["isolation_root"] == root(last)


def test_every_run_is_logged_once_with_what_it_was_shown(project: Project) -> None:
    """The view that the log speaks of can be built again, by way of the guard, and has the hash that was logged."""
    with Store.open(project.store, seed=SEED) as store:
        runs = {(item_id(SEED, key.slot_id), *key[1:]): key for key, _ in store.all(Answer)}
        logged = [one for chain in entries(project).values() for one in chain if one["node"] == "answer"]
        assert Counter((e["item_id"], e["node"], e["round"], e["run"]) for e in logged) == Counter(runs.keys())
        assert len(logged) >= 6
        for entry in logged:
            key = runs[entry["item_id"], "answer", entry["round"], entry["run"]]
            seen = store.see("answer", key.slot_id, key.round, key.run)
            item = [one for at, one in store.all(Item, key.slot_id) if at.round <= key.round][-1]
            said = store.get(Answer, key)
            assert said is not None
            assert isinstance(seen.view, AnswerView)
            assert (entry["role"], entry["version"]) == ("answer", item.public_hash)
            assert tuple(entry["fields"]) == seen.fields
            assert {name.split(".")[0] for name in seen.fields} == {"Item", "Clip"}
            assert said.shown == tuple(option.id for option in seen.view.options)
            if project.config.role("answer").model is None:
                assert entry["prompt_sha256"] == content_hash(seen.view)


def test_the_log_names_the_very_bytes_that_were_sent(by_model: Project) -> None:
    with Store.open(by_model.store, seed=SEED) as store:
        ledger = StoreLedger(store)
        answering = ModelAnswering(asking(Gateway(ScriptedClient(), ledger), MODEL))
        named = set()
        for key, _ in store.all(Answer):
            sent = answering.prompt(store.view("answer", key.slot_id, key.round, key.run))
            entry = next(
                one
                for one in entries(by_model)[item_id(SEED, key.slot_id)]
                if (one["node"], one["round"], one["run"]) == key[1:]
            )
            assert sent == ledger.request(entry["prompt_sha256"])
            assert entry["prompt_sha256"] == "sha256:" + sha256(sent or b"").hexdigest()
            named.add(entry["prompt_sha256"])
        calls = ledger.calls()
        assert {row.request_sha256 for row in calls} == named
        assert len(calls) == sum(1 for _ in store.all(Answer))
