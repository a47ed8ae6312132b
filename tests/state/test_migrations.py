"""Migrations: from nothing, from a store of version 1 made by hand, from the future, from somebody else's file."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from benchwright.errors import InputError, UsageError
from benchwright.schemas.item import Plan
from benchwright.state.migrations import LATEST, MIGRATIONS, add_new, columns_of, migrate
from benchwright.state.store import NodeKey, Store
from benchwright.state.tables import Base

VERSION_1 = """
CREATE TABLE schema_version (version INTEGER PRIMARY KEY, description TEXT, applied_at TEXT);
INSERT INTO schema_version VALUES (1, 'by hand', '2025-01-01');
CREATE TABLE plan_backend (
    slot_id TEXT NOT NULL, node TEXT NOT NULL, round BIGINT NOT NULL, run BIGINT NOT NULL,
    claim TEXT, play TEXT, taken BIGINT, first BIGINT, shown BIGINT, location TEXT, protagonist TEXT,
    content_hash TEXT NOT NULL, PRIMARY KEY (slot_id, node, round, run)
);
INSERT INTO plan_backend VALUES ('s1', 'director', 0, 0, 'behaviour', '[0,1]', 2, 0, 0, 'here', NULL, 'sha256:00');
"""
"""What the first version made, of one record; its other tables were added by the same step."""


def old_store(path: Path) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1)
    connection.close()
    return path


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def versions(path: Path) -> list[tuple[int, str, str]]:
    connection = raw(path)
    found = connection.execute("SELECT * FROM schema_version ORDER BY version").fetchall()
    connection.close()
    return found


def test_numbers_ascend_from_one():
    assert [migration.number for migration in MIGRATIONS] == list(range(1, LATEST + 1))


def test_a_new_store_has_every_table_and_column(tmp_path: Path):
    Store.open(tmp_path / "store.sqlite").close()
    connection = raw(tmp_path / "store.sqlite")
    for table in Base.metadata.sorted_tables:
        assert columns_of(connection, table.name) == {column.name for column in table.c}
    connection.close()
    assert [version for version, *_ in versions(tmp_path / "store.sqlite")] == list(range(1, LATEST + 1))


def test_a_store_of_version_1_migrates_and_keeps_its_rows(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    connection = raw(old_store(path))
    for migration in MIGRATIONS[:1]:
        migration.step(connection)
    connection.close()
    with Store.open(path) as store:
        plan = store.get(Plan, NodeKey("s1", "director", 0))
        assert plan == Plan(claim="behaviour", play=(0, 1), taken=2, first=0, location="here", protagonist=None)
        asyncio.run(store.put(NodeKey("s1", "director", 1), plan))
    assert [version for version, *_ in versions(path)] == list(range(1, LATEST + 1))
    assert versions(path)[0] == (1, "by hand", "2025-01-01")


def test_a_second_open_changes_no_byte(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    Store.open(path).close()
    before = path.read_bytes()
    Store.open(path).close()
    assert path.read_bytes() == before


def test_a_step_adds_a_column_and_leaves_the_rows(tmp_path: Path):
    """A record that has got a field since: old rows have NULL there, which reads as the field's default."""
    path = old_store(tmp_path / "store.sqlite")
    connection = raw(path)
    connection.execute("ALTER TABLE plan_backend DROP COLUMN shown")
    add_new(connection)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("DELETE FROM plan_backend")
    connection.close()
    with Store.open(path) as store:
        plan = store.get(Plan, NodeKey("s1", "director", 0))
        assert plan is not None
        assert plan.shown == 0


def test_a_field_without_a_migration_is_said_at_once(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    Store.open(path).close()
    connection = raw(path)
    connection.execute("ALTER TABLE plan_backend DROP COLUMN shown")
    connection.close()
    with pytest.raises(UsageError, match="plan_backend lacks shown: start a new store, or add a migration"):
        Store.open(path)


def test_a_newer_store_is_refused(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    Store.open(path).close()
    connection = raw(path)
    connection.execute("INSERT INTO schema_version VALUES (99, 'from the future', '2099-01-01')")
    connection.close()
    with pytest.raises(UsageError, match=f"version 99 is from a newer benchwright; this one knows up to {LATEST}"):
        Store.open(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE schema_version SET version = 9",
        "DELETE FROM schema_version",
        "REPLACE INTO schema_version VALUES (1, 'x', 'y')",
    ],
)
def test_the_history_of_versions_is_append_only(tmp_path: Path, statement: str):
    Store.open(tmp_path / "store.sqlite").close()
    connection = raw(tmp_path / "store.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="schema_version is append-only"):
        connection.execute(statement)
    connection.close()


def test_a_failed_step_leaves_nothing_behind(tmp_path: Path):
    """The second step cannot make its last table, whose name is taken by a view: its other tables are gone again."""
    path = old_store(tmp_path / "store.sqlite")
    connection = raw(path)
    connection.execute("CREATE VIEW template AS SELECT 1 AS other")
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, path)
    assert columns_of(connection, "call") == set()
    connection.close()
    assert [version for version, *_ in versions(path)] == [1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"not a database, but long enough to be looked at as one" * 20, "not an SQLite file"),
        ("CREATE TABLE theirs (x)", "an SQLite file, but no benchwright store"),
    ],
    ids=["text", "another program's"],
)
def test_a_foreign_file_is_refused_untouched(tmp_path: Path, content: bytes | str, said: str):
    path = tmp_path / "store.sqlite"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        connection = raw(path)
        connection.execute(content)
        connection.close()
    with pytest.raises(InputError, match=said):
        Store.open(path)
