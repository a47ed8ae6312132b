"""SIGKILL around a commit: the store opened next has all or nothing of each put, and the same work then completes it.

This file is also the script that is killed: it forks once a case, so that the imports are paid for once.
"""

import asyncio
import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from benchwright.schemas.base import Record
from benchwright.schemas.call import CallRow, Reply
from benchwright.schemas.view import Adjudication, Answer, Feedback
from benchwright.state.ledger import StoreLedger
from benchwright.state.log import LogEntry, chains, check
from benchwright.state.store import NodeKey, Store, StoreEvent

KINDS = ("call reserved", "call settled", "answer", "adjudicator", "critic")
CASES = list(product(KINDS, ("before", "after")))
SLOTS = [f"slot{number}" for number in range(4)]
NODES: dict[str, Record] = {
    "answer": Answer(ids=("o1",), status="answered", shown=("o1",)),
    "adjudicator": Adjudication(true=("o1",), proof="proved"),
    "critic": Feedback(code="c", message="m"),
}


async def work_on(store: Store, slot: str) -> None:
    """What a slot does: one call through the ledger, then three nodes, each with its log entry and an event."""
    ledger = StoreLedger(store)
    found = await ledger.find(slot, 0)
    if found is None or found.status != "settled":
        row = CallRow(
            request_sha256=slot, sample=0, role="answer", model="m", prompt_id="p", status="reserved", reserved_usd=1
        )
        await ledger.reserve(row, b"prompt")
        await ledger.settle(row.model_copy(update={"status": "settled", "usd": 0.5, "reply": Reply(text="o1")}))
    for node, record in NODES.items():
        key = NodeKey(slot, node, 0)
        log = LogEntry(
            item_id="i" + slot, node=node, round=0, run=0, role="answer", version="v", fields=(),
            prompt_sha256="p", policy_sha256="q",
        )  # fmt: skip
        await store.put(key, record, log=log, event=StoreEvent("done " + node))


def build(path: Path, kind: str = "", when: str = "") -> None:
    """All slots at once; killed at the first commit of a kind, if one is given."""

    def hook(kinds: tuple[str, ...], moment: str) -> None:
        if kind in kinds and moment == when:
            os.kill(os.getpid(), signal.SIGKILL)

    async def run(store: Store) -> None:
        await StoreLedger(store).recover()
        await asyncio.gather(*(work_on(store, slot) for slot in SLOTS))

    with Store.open(path, on_commit=hook) as store:
        asyncio.run(run(store))


def store_of(folder: Path, kind: str, when: str) -> Path:
    return folder / f"{kind} {when}.sqlite"


def main(folder: Path) -> None:
    """Build each case in a child of its own; a line for each with the signal that ended it."""
    for kind, when in CASES:
        if (child := os.fork()) == 0:
            build(store_of(folder, kind, when), kind, when)
            os._exit(0)
        print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)


def contents(path: Path) -> tuple[object, ...]:
    """What must be the same whether or not the build was killed."""
    with Store.open(path) as store:
        records = [list(store.all(type(record))) for record in NODES.values()]
        logged = {item: [link.values for link in links] for item, links in chains(store)}
        events = sorted((event.key, event.kind) for event in store.events())
        settled = [row for row in StoreLedger(store).calls() if row.status == "settled"]
        assert check(store) is None
    assert [len(found) for found in (*records, logged, settled, events)] == [4, 4, 4, 4, 4, 12]
    return records, logged, events, settled


def assert_all_or_nothing(store: Store) -> None:
    logged = {(item[1:], link.values["node"]) for item, links in chains(store) for link in links}
    events = {(event.key.slot_id, event.key.node) for event in store.events()}
    for slot, (node, record) in product(SLOTS, NODES.items()):
        stands = store.get(type(record), NodeKey(slot, node, 0)) is not None
        assert ((slot, node) in logged) == ((slot, node) in events) == stands
    replied = {row.request_sha256 for row in StoreLedger(store).calls() if row.reply is not None}
    assert {key.slot_id for key, _ in store.all(Answer)} <= replied


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one killed store for each case."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork and SIGKILL")
    folder = tmp_path_factory.mktemp("killed")
    done = subprocess.run([sys.executable, __file__, folder], capture_output=True, text=True)
    assert done.stdout.split() == [str(int(signal.SIGKILL))] * len(CASES), done.stderr
    return folder


@pytest.fixture(scope="module")
def unkilled(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    path = tmp_path_factory.mktemp("unkilled") / "store.sqlite"
    build(path)
    return contents(path)


@pytest.mark.parametrize(("kind", "when"), CASES)
def test_killed_around_a_commit_and_run_again(killed: Path, unkilled: tuple[object, ...], kind: str, when: str):
    path = store_of(killed, kind, when)
    with Store.open(path) as store:
        assert_all_or_nothing(store)
        assert len(list(store.all(Feedback))) < len(SLOTS) or (kind, when) == ("critic", "after")
    build(path)
    assert contents(path) == unkilled
    with Store.open(path) as store:
        calls, spent = StoreLedger(store).calls(), StoreLedger(store).spent()
        unknown = [row for row in calls if row.status == "unknown"]
        assert {row.status for row in calls} <= {"settled", "unknown"}
        assert len(unknown) <= len(SLOTS)
        assert (spent.usd, spent.unknown) == (4 * 0.5 + len(unknown), len(unknown))
        assert unknown or (kind, when) not in [("call reserved", "after"), ("call settled", "before")]
        assert not unknown or (kind, when) != ("call reserved", "before")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
