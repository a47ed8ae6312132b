"""Numbered migrations: each is applied once, in order, in a transaction of its own.

The tables derive from the records (`tables.py`), so a step creates what the declarations name and the file lacks. A
record or a field that is added later gets a new number whose step is `add_new`: it adds the table, or the column, and
leaves every row as it stands. Without one, a store that lacks it is refused on opening.
"""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from ..errors import InputError, UsageError
from .tables import BOOKS, RECORD_TABLES, Base, Event, IsolationLog, now, table_of

DIALECT = sqlite.dialect()
CHANGING = ("status", "usd", "closed_at", "input_tokens", "output_tokens", "seconds")
"""Columns of `call` that a transition may write."""


class Migration(NamedTuple):
    number: int
    description: str
    step: Callable[[sqlite3.Connection], None]


def columns_of(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')}


def _add(connection: sqlite3.Connection, tables: Iterable[sa.Table]) -> None:
    for table in tables:
        standing = columns_of(connection, table.name)
        if not standing:
            connection.execute(str(CreateTable(table).compile(dialect=DIALECT)))
        for column in (column for column in table.columns if standing and column.name not in standing):
            kind = column.type.compile(dialect=DIALECT)
            connection.execute(f'ALTER TABLE "{table.name}" ADD COLUMN "{column.name}" {kind}')


def add_records(connection: sqlite3.Connection) -> None:
    _add(connection, [*(part.table for part in RECORD_TABLES), table_of(Event), table_of(IsolationLog)])


def add_books(connection: sqlite3.Connection) -> None:
    _add(connection, (table_of(book) for book in BOOKS))


def add_new(connection: sqlite3.Connection) -> None:
    """The step for declarations that came later."""
    for step in (add_records, add_books, add_triggers):
        step(connection)


def add_triggers(connection: sqlite3.Connection) -> None:
    """Refuse every UPDATE, DELETE and REPLACE, but for closing a reserved call of the ledger.

    REPLACE is refused by a trigger on INSERT: a foreign connection without `recursive_triggers` fires none on DELETE.
    """
    taken = "WHEN NEW.version IN (SELECT version FROM schema_version)"
    for kind, when in (("update", ""), ("delete", ""), ("replace", taken)):
        _trigger(connection, "schema_version", kind, when)
    for table in Base.metadata.sorted_tables:
        updated = f"WHEN NOT ({_transition(table)})" if table.name == "call" else ""
        _trigger(connection, table.name, "update", updated)
        _trigger(connection, table.name, "delete", "")
        _trigger(connection, table.name, "replace", f"WHEN EXISTS (SELECT 1 FROM {table.name} WHERE {_same(table)})")


def _trigger(connection: sqlite3.Connection, table: str, kind: str, when: str) -> None:
    action = "insert" if kind == "replace" else kind
    connection.execute(f"DROP TRIGGER IF EXISTS {table}_no_{kind}")
    connection.execute(
        f"CREATE TRIGGER {table}_no_{kind} BEFORE {action} ON {table} {when} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only: no {kind}'); END"
    )


def _same(table: sa.Table) -> str:
    """SQL that is true of the row whose place a new one would take."""
    unique = [item.columns.keys() for item in table.constraints if isinstance(item, sa.UniqueConstraint)]
    keys = ([] if "sequence" in table.c else [table.primary_key.columns.keys()]) + unique
    return " OR ".join(["rowid = NEW.rowid", *(" AND ".join(f"{name} = NEW.{name}" for name in key) for key in keys)])


def _transition(call: sa.Table) -> str:
    kept = " AND ".join(f"OLD.{column.name} IS NEW.{column.name}" for column in call.c if column.name not in CHANGING)
    closed = "'settled', 'spoilt', 'failed', 'unknown'"
    return f"OLD.status = 'reserved' AND NEW.status IN ({closed}) AND {kept}"


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "records, events and the isolation log", add_records),
    Migration(2, "the call ledger and prompt templates", add_books),
    Migration(3, "append-only triggers", add_triggers),
    Migration(4, "calls: prompt, tokens, latency, cached; spoilt and failed ones", add_new),
    Migration(5, "videos, and where they show a clip", add_new),
    Migration(6, "what people said in review, and what was planted", add_new),
    Migration(7, "items whose label no code derives", add_new),
)
LATEST = MIGRATIONS[-1].number


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a store up to `LATEST`. Raises `UsageError` for one from the future, `InputError` for another's file.

    `connection` is in autocommit mode; a second process that migrates at the same moment waits, then finds it done.
    """
    if _version(connection, path) < LATEST:
        for migration in MIGRATIONS:
            _apply(connection, path, migration)
    _complete(connection, path)


def up_to_date(connection: sqlite3.Connection) -> bool:
    """Whether a store can be read as it stands. Nothing is written."""
    found = columns_of(connection, "schema_version")
    return bool(found) and connection.execute("SELECT max(version) FROM schema_version").fetchone() == (LATEST,)


def _apply(connection: sqlite3.Connection, path: Path, migration: Migration) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection, path) < migration.number:
            migration.step(connection)
            row = (migration.number, migration.description, now())
            connection.execute("INSERT INTO schema_version VALUES (?, ?, ?)", row)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection, path: Path) -> int:
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if names and "schema_version" not in names:
        raise InputError(path, "an SQLite file, but no benchwright store; choose another path")
    columns = "version INTEGER PRIMARY KEY, description TEXT, applied_at TEXT"
    connection.execute(f"CREATE TABLE IF NOT EXISTS schema_version ({columns})")
    version: int = connection.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchone()[0]
    if version > LATEST:
        raise UsageError(f"{path}: store version {version} is from a newer benchwright; this one knows up to {LATEST}")
    return version


def _complete(connection: sqlite3.Connection, path: Path) -> None:
    """A field that was declared without a migration is said before anything is written."""
    for table in Base.metadata.sorted_tables:
        missing = sorted({column.name for column in table.c} - columns_of(connection, table.name))
        if missing:
            lacks = f"table {table.name} lacks {', '.join(missing)}"
            raise UsageError(f"{path}: {lacks}: start a new store, or add a migration")
