"""The isolation log: chains that a resume does not lengthen and a tamperer cannot bend."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright.schemas.base import canonical, sha256
from benchwright.state.log import LogEntry, chains, check, heads, isolation_root
from benchwright.state.store import NodeKey, Store


def entry(item: str, node: str = "answer", round: int = 0, run: int = 0, prompt: str = "sha256:01") -> LogEntry:
    return LogEntry(
        item_id=item, node=node, round=round, run=run, role="answer", version="sha256:00",
        fields=("Item.question", "Clip.transcript"), prompt_sha256=prompt, policy_sha256="sha256:02",
    )  # fmt: skip


def write(store: Store, *entries: LogEntry) -> None:
    async def one_by_one() -> None:
        for one in entries:
            await store.put(NodeKey("slot of " + one.item_id, one.node, one.round, one.run), log=one)

    asyncio.run(one_by_one())


ENTRIES = [
    entry("i1"),
    entry("i2"),
    entry("i1", run=1),
    entry("i1", "critic"),
    entry("i1", round=1),
    entry("i2", "critic"),
]


@pytest.fixture
def logged(store: Store) -> Store:
    write(store, *ENTRIES)
    return store


def test_a_head_is_the_hash_of_the_previous_one_and_the_entry(logged: Store):
    """Built by hand: 0x1F stands between the previous head (nothing at first) and the canonical entry."""
    first = "sha256:" + hashlib.sha256(b"\x1f" + canonical(ENTRIES[0])).hexdigest()
    second = "sha256:" + hashlib.sha256(first.encode() + b"\x1f" + canonical(ENTRIES[2])).hexdigest()
    assert [link.head for link in dict(chains(logged))["i1"][:2]] == [first, second]
    assert [link.entry for link in dict(chains(logged))["i1"]] == [one for one in ENTRIES if one.item_id == "i1"]


def test_the_root_is_the_hash_of_the_sorted_lines(logged: Store):
    found = heads(logged)
    lines = f"i1 {found['i1']}\ni2 {found['i2']}\n"
    assert isolation_root(dict(reversed(found.items()))) == sha256(lines.encode())
    assert isolation_root({}) == sha256(b"")


def test_a_resume_adds_nothing(logged: Store):
    before = heads(logged)
    write(logged, *ENTRIES, entry("i1", prompt="sha256:99"))
    assert heads(logged) == before
    assert sum(len(links) for _, links in chains(logged)) == len(ENTRIES)


def test_items_do_not_share_a_chain(store: Store, tmp_path: Path):
    """The order in which items are worked on changes no head, nor does the wall time."""
    write(store, *ENTRIES)
    with Store.open(tmp_path / "other.sqlite") as other:
        write(other, *sorted(ENTRIES, key=lambda one: one.item_id, reverse=True))
        assert heads(other) == heads(store)


def test_a_sound_log_has_no_break(logged: Store):
    assert check(logged) is None
    assert check(logged, heads(logged)) is None


def edit(statement: str) -> Callable[[Path], None]:
    """Someone who has the file, and drops the triggers first."""

    def tamper(path: Path) -> None:
        connection = sqlite3.connect(path)
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(statement)
        connection.close()

    return tamper


@pytest.mark.parametrize(
    ("statement", "place", "said"),
    [
        ("UPDATE isolation_log SET prompt_sha256 = 'sha256:03' WHERE sequence = 3", "i1", "answer, round 0, run 1"),
        ("UPDATE isolation_log SET fields_read = '[]' WHERE sequence = 1", "i1", "answer, round 0, run 0"),
        ("UPDATE isolation_log SET role = 'critic' WHERE sequence = 6", "i2", "critic, round 0, run 0"),
        ("UPDATE isolation_log SET role = 'nobody' WHERE sequence = 6", "i2", "critic, round 0, run 0"),
        ("UPDATE isolation_log SET head = 'sha256:04' WHERE sequence = 2", "i2", "answer, round 0, run 0"),
        ("DELETE FROM isolation_log WHERE sequence = 1", "i1", "answer, round 0, run 1"),
        ("DELETE FROM isolation_log WHERE sequence = 4", "i1", "answer, round 1, run 0"),
        ("UPDATE isolation_log SET sequence = 40 WHERE sequence = 1", "i1", "answer, round 0, run 1"),
        ("UPDATE isolation_log SET item_id = 'i3' WHERE sequence = 5", "i3", "answer, round 1, run 0"),
        ("UPDATE isolation_log SET fields_read = '[' WHERE sequence = 5", "", "cannot be read"),
        (
            "INSERT INTO isolation_log SELECT 9, item_id, node, round, 7, role, version, fields_read, prompt_sha256,"
            " policy_sha256, head, written_at FROM isolation_log WHERE sequence = 6",
            "i2",
            "critic, round 0, run 7",
        ),
    ],
    ids=[
        "prompt",
        "fields",
        "role",
        "no role",
        "head",
        "first gone",
        "one gone",
        "moved",
        "renamed",
        "broken",
        "added",
    ],
)
def test_tampering_is_found_and_named(logged: Store, statement: str, place: str, said: str):
    edit(statement)(logged.path)
    found = check(logged)
    assert found is not None
    assert (found.code, found.place) == ("isolation-chain-broken", place)
    assert said in found.message


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM isolation_log WHERE sequence = 6", "DELETE FROM isolation_log WHERE item_id = 'i2'"],
    ids=["last entry", "whole chain"],
)
def test_an_end_cut_off_is_found_against_released_heads(logged: Store, statement: str):
    released = heads(logged)
    edit(statement)(logged.path)
    assert check(logged) is None
    found = check(logged, released)
    assert found is not None
    assert (found.code, found.place) == ("isolation-head-differs", "i2")


def test_wall_time_is_outside_the_hash(logged: Store):
    edit("UPDATE isolation_log SET written_at = 'never'")(logged.path)
    assert check(logged, heads(logged)) is None
