"""The store: idempotent puts, fixed orders, append-only tables, and what it says when the disk will not have it."""

import asyncio
import os
import shutil
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import BenchwrightError, InputError, StoppedError, UsageError
from benchwright.schemas.base import sha256
from benchwright.schemas.grounding import Trace
from benchwright.schemas.item import Coordinate, Item, Plan, Slot
from benchwright.schemas.source import LexiconEntry, Source
from benchwright.schemas.view import Answer, Feedback
from benchwright.state.log import LogEntry
from benchwright.state.store import NodeKey, Store, StoreEvent
from benchwright.state.tables import RECORD_TABLES, Base, source_key

from .conftest import planted

KEY = NodeKey("s/behaviour/conflict/1", "critic", 0)

HERE = Coordinate(capability="behaviour", interaction="conflict")


def feedback(text: str = "why") -> Feedback:
    return Feedback(code="unclear", message=text)


def put(store: Store, key: NodeKey, *records, **extra) -> Any:
    return asyncio.run(store.put(key, *records, **extra))


def entry(key: NodeKey = KEY, item: str = "i1") -> LogEntry:
    return LogEntry(
        item_id=item, node=key.node, round=key.round, run=key.run, role="critic", version="sha256:00",
        fields=("Item.question",), prompt_sha256="sha256:01", policy_sha256="sha256:02",
    )  # fmt: skip


def stands(store: Store, key: NodeKey) -> bool:
    """Whether anything was put under a key."""
    events = any(event.key == key for event in store.events())
    return events or any(store.get(part.record, key) is not None for part in RECORD_TABLES)


def rows_of(path: Path, table: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute(f"SELECT * FROM {table}").fetchall()
    connection.close()
    return found


def test_every_record_comes_back(store: Store, samples):
    rows = samples.project() + samples.slot("s/behaviour/conflict/1") + samples.slot("s/behaviour/conflict/1", 1)
    for key, records in rows:
        assert put(store, key, *records) == records
        for record in records:
            assert store.get(type(record), key) == record
            assert not store.get(type(record), key._replace(run=9))
        assert stands(store, key)
    assert not stands(store, KEY._replace(round=9))


def test_the_first_one_stands(store: Store):
    assert put(store, KEY, feedback("first")) == (feedback("first"),)
    assert put(store, KEY, feedback("second")) == (feedback("first"),)
    assert store.get(Feedback, KEY) == feedback("first")


def test_a_put_adds_what_is_missing_and_keeps_what_stands(store: Store, samples):
    verdict = next(records[0] for key, records in samples.slot(KEY.slot_id) if key.node == "critic")
    put(store, KEY, feedback("first"))
    assert put(store, KEY, verdict, feedback("second")) == (verdict, feedback("first"))


def test_what_is_returned_is_what_a_later_run_reads(store: Store):
    """Text becomes NFC and floats get six decimals, so the caller must go on with the stored form."""
    trace = Trace(claims=(), signals={"trust": 0.1 + 0.2, "fear": 1.0000004}, present=("Ame\u0301lie",), tier="B")
    (stored,) = put(store, KEY, trace)
    assert stored == store.get(Trace, KEY)
    assert stored.signals == {"trust": 0.3, "fear": 1.0}
    assert stored.present == ("Am\u00e9lie",)


def test_latest_is_the_highest_round_then_run(store: Store):
    for node, round, run in [("critic", 0, 0), ("gates", 1, 2), ("gates", 1, 0), ("critic", 0, 5), ("gates", 0, 9)]:
        put(store, NodeKey("s", node, round, run), feedback(f"{node} {round} {run}"))
    put(store, NodeKey("other", "gates", 7), feedback())
    assert store.latest(Feedback, "s") == feedback("gates 1 2")
    assert store.latest(Feedback, "s", "critic") == feedback("critic 0 5")
    assert store.latest(Feedback, "s", "nobody") is None
    assert store.latest(Plan, "s") is None


def test_all_comes_in_the_order_of_the_keys(store: Store, samples):
    async def fill() -> None:
        rows = (
            samples.slot("s/behaviour/conflict/2")
            + samples.slot("s/behaviour/conflict/1")
            + samples.project()
            + planted()
        )
        await asyncio.gather(*(store.put(key, *records) for key, records in reversed(rows)))

    asyncio.run(fill())
    for part in RECORD_TABLES:
        keys = [key for key, _ in store.all(part.record)]
        assert keys == sorted(keys)
        assert keys
    assert [record.number for _, record in store.all(LexiconEntry)] == [0, 1]
    assert {key.slot_id for key, _ in store.all(Slot, "s/behaviour/conflict/1")} == {"s/behaviour/conflict/1"}
    assert dict(store.all(Source))[source_key(samples.source_id)].title == "Harbour"


def test_events_happen_once(store: Store):
    accepted = StoreEvent("accepted", {"code": "", "at": 1})
    for _ in range(2):
        put(store, KEY, event=accepted)
    put(store, KEY, event=StoreEvent("accepted", {"code": "too late"}))
    put(store, KEY._replace(slot_id="t"), event=StoreEvent("discarded", {"code": "echo"}))
    found = [(event.key.slot_id, event.kind, event.payload) for event in store.events()]
    assert found == [(KEY.slot_id, "accepted", {"code": "", "at": 1}), ("t", "discarded", {"code": "echo"})]
    assert [event.kind for event in store.events("discarded")] == ["discarded"]
    assert [event.kind for event in store.events(slot_id=KEY.slot_id)] == ["accepted"]
    assert stands(store, KEY)


def test_templates_are_kept_by_hash(store: Store):
    for _ in range(2):
        digest = asyncio.run(store.put_template("answer", "Text with {{ a }} hole"))
    assert digest == sha256(b"Text with {{ a }} hole")
    assert store.templates() == {digest: ("answer", "Text with {{ a }} hole")}


def test_a_put_is_all_or_nothing(store: Store, samples):
    """The last insert of one put fails: nothing of it remains, and the put beside it in the same commit stands."""
    verdict = next(records[0] for key, records in samples.slot(KEY.slot_id) if key.node == "critic")
    connection = sqlite3.connect(store.path)
    connection.execute("CREATE TRIGGER refuse BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'planted'); END")
    connection.commit()
    connection.close()

    async def both() -> Any:
        good = store.put(KEY._replace(run=1), feedback("good"), log=entry(KEY._replace(run=1)))
        bad = store.put(KEY, verdict, feedback("bad"), log=entry(), event=StoreEvent("accepted"))
        return await asyncio.gather(bad, good, return_exceptions=True)

    bad, good = asyncio.run(both())
    assert isinstance(bad, Exception)
    assert good == (feedback("good"),)
    assert not stands(store, KEY)
    assert [row[2:5] for row in rows_of(store.path, "isolation_log")] == [("critic", 0, 1)]


@pytest.mark.parametrize(
    ("key", "records", "log", "said"),
    [
        (KEY, (), entry(KEY._replace(round=3)), "log entry of critic 3 0 put under"),
        (KEY, (Slot(slot_id="x", number=1, source_id="s", coordinate=HERE, ordinal=1),), None, "cannot stand under"),
    ],
    ids=["log entry", "slot id"],
)
def test_contradictions_are_refused(store: Store, key, records, log, said):
    with pytest.raises(ValueError, match=said):
        put(store, key, *records, log=log)
    assert not stands(store, key)


def test_eight_tasks_putting_the_same_keys_agree(store: Store):
    keys = [NodeKey("s", "answer", 0, run) for run in range(60)]

    async def worker(number: int) -> list[Answer]:
        found = []
        for key in keys[number * 7 :] + keys[: number * 7]:
            (answer,) = await store.put(key, Answer(ids=(f"o{number}",), status="answered", shown=("o1",)))
            found.append((key, answer))
        return [answer for _, answer in sorted(found)]

    async def race() -> list[list[Answer]]:
        return await asyncio.gather(*(worker(number) for number in range(8)))

    results = asyncio.run(race())
    assert all(result == results[0] for result in results)
    assert len(rows_of(store.path, "answer_proposal")) == len(keys)
    assert [answer for _, answer in store.all(Answer)] == results[0]


def test_two_stores_on_one_file_agree(store: Store):
    """The review server writes beside a build: the second writer waits, and finds what the first one wrote."""
    with Store.open(store.path) as other:

        async def race() -> list[object]:
            mine = [store.put(KEY._replace(run=run), feedback("mine")) for run in range(40)]
            theirs = [other.put(KEY._replace(run=run), feedback("theirs")) for run in range(40)]
            return await asyncio.gather(*mine, *theirs)

        found = asyncio.run(race())
        assert found[:40] == found[40:]
        assert list(store.all(Feedback)) == list(other.all(Feedback))


def test_reads_come_from_any_thread(store: Store):
    put(store, KEY, feedback())
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(store.get(Feedback, KEY))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [feedback()] * 8


def test_the_hook_sees_what_is_committed(tmp_path: Path):
    seen: list[tuple[tuple[str, ...], str, int]] = []
    path = tmp_path / "store.sqlite"

    def hook(kinds: tuple[str, ...], when: str) -> None:
        assert threading.current_thread().name == "store-writer"
        seen.append((kinds, when, len(rows_of(path, "feedback_proposal"))))

    with Store.open(path, on_commit=hook) as store:
        put(store, KEY, feedback())
        asyncio.run(store.put_template("a", "b"))
    assert seen == [
        (("critic",), "before", 0), (("critic",), "after", 1), (("template",), "before", 1), (("template",), "after", 1)
    ]  # fmt: skip


def test_queued_puts_share_a_commit(tmp_path: Path):
    commits: list[tuple[str, ...]] = []
    with Store.open(tmp_path / "store.sqlite", on_commit=lambda kinds, when: commits.append(kinds)) as store:

        async def many() -> None:
            await asyncio.gather(*(store.put(KEY._replace(run=run), feedback()) for run in range(300)))

        asyncio.run(many())
        assert len(list(store.all(Feedback))) == 300
    assert len(commits) < 100


def test_close_finishes_what_is_queued(tmp_path: Path):
    store = Store.open(tmp_path / "store.sqlite")

    async def leave() -> None:
        tasks = [asyncio.create_task(store.put(KEY._replace(run=run), feedback())) for run in range(20)]
        await asyncio.sleep(0)
        await asyncio.to_thread(store.close)
        await asyncio.gather(*tasks)

    asyncio.run(leave())
    assert len(rows_of(store.path, "feedback_proposal")) == 20
    for use in (lambda: put(store, KEY, feedback()), lambda: store.get(Feedback, KEY)):
        with pytest.raises(BenchwrightError, match="the store is closed"):
            use()
    assert [path.name for path in tmp_path.iterdir()] == ["store.sqlite"]


APPEND_ONLY = {
    "update": "UPDATE {t} SET {c} = {c}",
    "delete": "DELETE FROM {t}",
    "replace": "INSERT OR REPLACE INTO {t} SELECT * FROM {t}",
    "replace by rowid": "INSERT OR REPLACE INTO {t} (rowid, {all}) SELECT rowid, {all} FROM {t}",
    "update or replace": "UPDATE OR REPLACE {t} SET {c} = {c}",
    "insert or ignore": "INSERT OR IGNORE INTO {t} SELECT * FROM {t}",
}


@pytest.fixture(scope="module")
def everything(filled: Store, tmp_path_factory: pytest.TempPathFactory) -> sqlite3.Connection:
    """A raw connection, without `recursive_triggers`, to a copy that has a row in every table."""
    connection = sqlite3.connect(tmp_path_factory.mktemp("copy") / "store.sqlite", isolation_level=None)
    with sqlite3.connect(filled.path) as original:
        original.backup(connection)
    original.close()
    for table in Base.metadata.sorted_tables:
        if not connection.execute(f"SELECT 1 FROM {table.name}").fetchone():
            values = ["'reserved'" if column.name == "status" else "1" for column in table.c]
            connection.execute(f"INSERT INTO {table.name} VALUES ({', '.join(values)})")
    return connection


@pytest.mark.parametrize("kind", APPEND_ONLY)
@pytest.mark.parametrize("table", Base.metadata.sorted_tables, ids=lambda table: table.name)
def test_tables_are_append_only_for_anybody(everything: sqlite3.Connection, table, kind: str):
    before = everything.execute(f"SELECT * FROM {table.name}").fetchall()
    names = [f'"{column.name}"' for column in table.c if column.name != "sequence"]
    statement = APPEND_ONLY[kind].format(t=table.name, c=names[0], all=", ".join(names))
    with pytest.raises(sqlite3.IntegrityError, match=f"{table.name} is append-only"):
        everything.execute(statement)
    assert everything.execute(f"SELECT * FROM {table.name}").fetchall() == before


def test_a_full_disk_stops_with_one_line(store: Store):
    """SQLite itself says that the file may not grow, as on a full disk; with room again the same store goes on."""

    async def limit(pages: int) -> None:
        await store.write(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}").close())

    async def fill() -> None:
        await asyncio.gather(*(store.put(KEY._replace(run=run), feedback("x" * 20_000)) for run in range(100)))

    asyncio.run(limit(1))
    with pytest.raises(
        StoppedError, match=r"store\.sqlite: cannot be written any more \(database or disk is full\)"
    ) as error:
        asyncio.run(fill())
    assert error.value.exit_code == 3
    assert "\n" not in str(error.value)
    stored = len(rows_of(store.path, "feedback_proposal"))
    assert stored == len({key for key, _ in store.all(Feedback)})
    asyncio.run(limit(1_000_000))
    asyncio.run(fill())
    assert len(rows_of(store.path, "feedback_proposal")) == 100


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder that not even root can write in")
@pytest.mark.parametrize("folder", ["/proc/self/fdinfo", "/nowhere/at/all"], ids=["read-only", "missing"])
def test_a_folder_that_cannot_be_written_is_a_usage_error(folder: str):
    with pytest.raises(UsageError, match=f"{folder}/store.sqlite: cannot be written") as error:
        Store.open(Path(folder) / "store.sqlite")
    assert error.value.exit_code == 2


@pytest.fixture
def closed(store: Store, samples) -> Iterator[Path]:
    """A store with records in a folder that this process cannot write in, not even as root."""
    if not hasattr(os, "geteuid"):
        pytest.skip("needs POSIX permissions")
    for key, records in samples.slot(KEY.slot_id):
        put(store, key, *records)
    store.close()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(store.path, folder / "store.sqlite")
        folder.chmod(0o555)
        me = os.geteuid()
        if me == 0:
            os.seteuid(65534)
        try:
            yield folder / "store.sqlite"
        finally:
            os.seteuid(me)
            folder.chmod(0o755)


def test_a_read_only_store_is_a_usage_error(closed: Path):
    with pytest.raises(UsageError, match="cannot be written"):
        Store.open(closed)


def test_a_store_that_cannot_be_written_can_be_read(closed: Path, samples):
    with Store.read(closed) as store:
        for key, records in samples.slot(KEY.slot_id):
            assert all(store.get(type(record), key) == record for record in records)
    assert [path.name for path in closed.parent.iterdir()] == ["store.sqlite"]


def test_who_reads_sees_what_a_writer_has_just_written_and_cannot_write(store: Store):
    with Store.read(store.path) as reader:
        assert reader.latest(Feedback, KEY.slot_id) is None
        put(store, KEY, feedback())
        assert reader.latest(Feedback, KEY.slot_id) == feedback()
        with pytest.raises(BenchwrightError, match="to be read only"):
            put(reader, KEY._replace(round=1), feedback())
    with pytest.raises(BenchwrightError, match="the store is closed"):
        reader.latest(Feedback, KEY.slot_id)


def test_reading_what_is_no_store_says_so(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    path.write_text("nothing of the kind" * 100)
    with pytest.raises(InputError, match="not an SQLite file"):
        Store.read(path)


def test_a_record_of_several_classes_is_put_together(store: Store, samples):
    rows = dict(samples.slot(KEY.slot_id))
    for key, records in rows.items():
        put(store, key, *records)
    (_, item) = rows[KEY._replace(node="anonymise")]
    assert store.latest(Item, KEY.slot_id) == item
    assert rows_of(store.path, "item_proposal")[0][:5] == (KEY.slot_id, "anonymise", 0, 0, '["o2"]')
