"""The guard: a read-only session for each role whose SQLite authorizer allows the role's own columns, and nothing else.

The allow-list is computed from the classes of the fields (`schemas/view.py`) and checked by SQLite while it compiles a
statement, so joins, subqueries, `ORDER BY` and views cannot go round it; what SQLite does not put to an authorizer is
refused here. The key columns of a table are readable where some column of it is; counting rows, `rowid` and the schema
are not. This guards against mistakes, not against hostile code.
"""

import re
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, Self

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import StaticPool
from sqlmodel import Session

from ..errors import IsolationError
from ..schemas.view import ROLE_CLASSES, ROLE_COLUMNS, Role
from .tables import BOOKS, KEY, RECORD_TABLES, RecordTable, Row, Select, table_of
from .writer import BUSY_MS, connect_to_read, explain

FUNCTIONS = frozenset(
    {
        *("avg", "coalesce", "count", "group_concat", "hex", "instr", "json_extract", "length", "like", "lower"),
        *("max", "min", "row_number", "substr", "sum", "typeof", "upper"),
    }
)
"""Functions that only compute on what a role may read anyway."""

Columns = frozenset[tuple[str, str]]
"""(table, column) pairs; the column "" stands for counting the rows of a table."""


def readable(role: Role) -> Columns:
    """What a role may read: the columns of its classes, those listed for it by name, and the keys of these rows."""
    pairs = {(part.table.name, name) for part in RECORD_TABLES for name in _columns(role, part)}
    if role == "auditor":
        tables = [*(part.table for part in RECORD_TABLES), *map(table_of, BOOKS)]
        pairs |= {(table.name, name) for table in tables for name in ("", *table.c.keys())}
    return frozenset(pairs)


def _columns(role: Role, part: RecordTable) -> tuple[str, ...]:
    if part.field_class in ROLE_CLASSES[role]:
        return (*KEY, *part.fields, "content_hash")
    listed = ROLE_COLUMNS.get(role, {}).get(part.record.__name__, ())
    found = tuple(name for name in part.fields if name in listed)
    return (*KEY, *found) if found else ()


def authorizer(allowed: Columns) -> Callable[..., int]:
    """The callback that SQLite asks about each thing that a statement wants to do."""

    def decide(action: int, first: str | None, second: str | None, database: str | None, inside: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ and (first, second) in allowed and database in ("main", None):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION and second in FUNCTIONS:
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    return decide


class DeniedError(sqlite3.DatabaseError):
    """What we refuse ourselves, in the form of what SQLite refuses."""

    sqlite_errorname = "SQLITE_AUTH"


def _screen(sql: str) -> None:
    """Refuse NATURAL and USING, wherever they stand in the text.

    SQLite (3.40 and others) resolves the columns of such a join without asking the authorizer, so that
    `SELECT answer FROM (SELECT 0 AS answer) FULL JOIN item_proposal USING (answer)` would read every answer.
    """
    if re.search("natural|using", sql, re.IGNORECASE):
        raise DeniedError("not authorized: NATURAL and USING joins pass by the authorizer; write ON")


class GuardedCursor(sqlite3.Cursor):
    def execute(self, sql: str, parameters: Any = (), /) -> Self:
        _screen(sql)
        return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Any, /) -> Self:
        _screen(sql)
        return super().executemany(sql, parameters)

    def executescript(self, sql: str, /) -> sqlite3.Cursor:
        _screen(sql)
        return super().executescript(sql)


class GuardedConnection(sqlite3.Connection):
    """A connection without the doors that open no statement, and so are never put to the authorizer."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise DeniedError("not authorized on a guarded connection")

    def guard(self, allowed: Columns) -> None:
        super().set_authorizer(authorizer(allowed))

    def cursor(self, factory: object = None) -> GuardedCursor:  # type: ignore[override]
        return super().cursor(GuardedCursor)

    def execute(self, sql: str, parameters: Any = (), /) -> GuardedCursor:
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Any, /) -> GuardedCursor:
        return self.cursor().executemany(sql, parameters)

    def executescript(self, sql: str, /) -> sqlite3.Cursor:
        return self.cursor().executescript(sql)

    backup = blobopen = serialize = deserialize = iterdump = _refuse
    load_extension = enable_load_extension = set_authorizer = _refuse


class RoleSession(Session):
    """A session that stays with its role: another role's would hand on what its identity map holds."""

    def __init__(self, role: Role, engine: sa.Engine) -> None:
        super().__init__(engine)
        self.role = role
        self._engine = engine

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "bind" and hasattr(self, "_engine"):
            raise IsolationError(f"the session of {self.role} cannot be bound to another engine")
        super().__setattr__(name, value)

    def get_bind(self, *args: Any, **kwargs: Any) -> sa.Engine:
        return self._engine


class Guard:
    """One role's door to the store. Safe for use by several threads, one at a time."""

    def __init__(self, path: Path, role: Role) -> None:
        self.role, self._path = role, path
        connection = _open(path)
        self._engine = sa.create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        # SQLAlchemy asks a PRAGMA of its first connection, which the authorizer would refuse.
        self._engine.connect().close()
        connection.guard(readable(role))
        self.session = RoleSession(role, self._engine)
        self._lock = threading.Lock()

    def rows(self, statement: Select, values: Mapping[str, Any] | None = None) -> Sequence[Row]:
        """All rows of a select. Raises `IsolationError` where it reaches for what the role may not read, `InputError`
        where the file is damaged."""
        with self._lock:
            try:
                return self.session.connection().execute(statement, values).all()
            except DatabaseError as error:
                if getattr(error.orig, "sqlite_errorname", "") == "SQLITE_AUTH":
                    raise IsolationError(f"role {self.role}: {error.orig}") from None
                raise explain(error, self._path) from None

    def close(self) -> None:
        self.session.close()
        self._engine.dispose()


def _open(path: Path) -> GuardedConnection:
    connection = connect_to_read(path, GuardedConnection)
    connection.execute("PRAGMA recursive_triggers = ON")
    connection.execute("PRAGMA query_only = ON")
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return connection
