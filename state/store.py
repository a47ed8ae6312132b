"""The store: what every node wrote, kept once under its key, and the views through which roles read it.

`put` is idempotent: the record that stands under a key wins and is what every caller gets back, in a first run, in a
resumed one, and when two workers meet. What is returned is always the stored form (NFC, rounded), never the object
that was passed in.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, TypeVar, TypeVarTuple, overload

import sqlalchemy as sa

from ..errors import BenchwrightError
from ..schemas.base import Record, sha256
from ..schemas.review import BlindView, ExpertView
from ..schemas.view import (
    AdjudicatorView,
    AnswerView,
    CriticView,
    DirectorView,
    GeneratorView,
    QuestionView,
    Role,
    TrackerView,
)  # fmt: skip
from .guard import Guard
from .log import LogEntry, append
from .migrations import migrate, up_to_date
from .reads import Rows, decode, find, newest, select
from .tables import (
    KEY,
    Encoded,
    Event,
    NodeKey,
    Row,
    Select,
    Template,
    encode,
    now,
    table_of,
)
from .views import Look, Seen, View, see
from .writer import CommitHook, Writer, connect, connect_to_read

__all__ = ["NodeKey", "Store", "StoreEvent", "StoredEvent"]

R = TypeVar("R", bound=Record)
T = TypeVar("T")
Rs = TypeVarTuple("Rs")

EVENT, TEMPLATE = table_of(Event), table_of(Template)
HAPPENED = sa.select(EVENT.c.run).where(*(EVENT.c[name] == sa.bindparam(name) for name in (*KEY, "kind")))


class StoreEvent(NamedTuple):
    """A state change to be stored with a node's records: kind and JSON payload."""

    kind: str
    payload: Mapping[str, Any] = {}


class StoredEvent(NamedTuple):
    sequence: int
    """Order of commit: it depends on timing, so nothing that reaches a release may."""
    key: NodeKey
    kind: str
    payload: dict[str, Any]


class Store:
    """One open store. Reads may come from any thread; writes go through the one writer. Close it, or use `with`.

    Without a writer it is read only.
    """

    def __init__(self, path: Path, writer: Writer | None, seed: int | None) -> None:
        self.path = path
        self._closed = False
        self._writer = writer
        self._seed = seed
        self._guards: dict[Role, Guard] = {}
        self._door = threading.Lock()

    @classmethod
    def open(cls, path: Path, *, seed: int | None = None, on_commit: CommitHook | None = None) -> Self:
        """Open or make the store at `path`, whose folder must exist, and bring it up to date.

        `seed` is the project's; views of the answer role need it. Raises `UsageError` for a folder that cannot be
        written and for a store of a newer version, `InputError` for a file that is no store.
        """
        connection = connect(path)
        try:
            migrate(connection, path)
        except BaseException:
            connection.close()
            raise
        return cls(path, Writer(path, connection, on_commit), seed)

    @classmethod
    def read(cls, path: Path, *, seed: int | None = None) -> Self:
        """Open the store at `path` to read it: nothing is locked, and its folder need not be writable.

        One of an older version is brought up to date first; that, and what is raised, is as with `open`.
        """
        try:
            with closing(connect_to_read(path, sqlite3.Connection)) as connection:
                readable = up_to_date(connection)
        except sqlite3.Error:
            readable = False
        return cls(path, None, seed) if readable else cls.open(path, seed=seed)

    def close(self) -> None:
        """Finish what is queued, then let go of the file."""
        with self._door:
            self._closed = True
            for guard in self._guards.values():
                guard.close()
            self._guards.clear()
            if self._writer:
                self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    async def put(
        self, key: NodeKey, *records: *Rs, log: LogEntry | None = None, event: StoreEvent | None = None
    ) -> tuple[*Rs]:
        """Store what a node made, all of it in one transaction, and return what stands under its key.

        Whatever is already there stays as it is, part by part: records, the log entry, the event (by key and kind).
        Raises `StoppedError` when the disk is full, `TypeError` for a record that is not kept.
        """
        if log is not None and (log.node, log.round, log.run) != key[1:]:
            raise ValueError(f"log entry of {log.node} {log.round} {log.run} put under {key}")
        new = [encode(key, record) for record in records if isinstance(record, Record)]

        def work(connection: sa.Connection) -> list[Record]:
            stored = [_stand(connection, key, one) for one in new]
            if log is not None:
                append(connection, log)
            if event is not None:
                _happen(connection, key, event)
            return stored

        return tuple(await self.write(work, key.node))  # type: ignore[return-value]

    async def put_template(self, prompt_id: str, text: str) -> str:
        """Keep a prompt template; returns its hash."""
        digest = sha256(text.encode())
        values = {"sha256": digest, "prompt_id": prompt_id, "text": text}

        def work(connection: sa.Connection) -> None:
            if not connection.execute(sa.select(TEMPLATE.c.sha256).where(TEMPLATE.c.sha256 == digest)).first():
                connection.execute(insert(TEMPLATE), values)

        await self.write(work, "template")
        return digest

    async def write(self, work: Callable[[sa.Connection], T], *kinds: str) -> T:
        """Run `work` in the writer's transaction; returns once it is on disk. Only this room calls it."""
        if self._writer is None:
            raise BenchwrightError(f"{self.path}: the store was opened to be read only")
        return await asyncio.wrap_future(self._writer.submit(work, *kinds))

    def rows(self, statement: Select, values: Mapping[str, Any] | None = None) -> Sequence[Row]:
        """All rows of a select, read as the auditor."""
        return self._guard("auditor").rows(statement, values)

    def get(self, record: type[R], key: NodeKey) -> R | None:
        """The record under exactly this key."""
        found = find(self._guard("auditor"), record, Rows(*key))
        return record.model_validate(found[0].values) if found else None

    def latest(self, record: type[R], slot_id: str, node: str | None = None) -> R | None:
        """The slot's record of the highest round and run, of one node or of any."""
        found = newest(self._guard("auditor"), record, Rows(slot_id, node))
        return record.model_validate(found.values) if found else None

    def all(self, record: type[R], slot_id: str | None = None) -> Iterator[tuple[NodeKey, R]]:
        """Every such record, of one slot or of all, in ascending order of its key."""
        for key, values in find(self._guard("auditor"), record, Rows(slot_id)):
            yield key, record.model_validate(values)

    def fields(self, record: type[Record], *names: str) -> Iterator[tuple[NodeKey, dict[str, Any]]]:
        """Some fields of every such record, as JSON types, in ascending order of its key."""
        yield from find(self._guard("auditor"), record, Rows(), names)

    def events(self, kind: str | None = None, slot_id: str | None = None) -> list[StoredEvent]:
        """Events in the order of their commit."""
        statement = sa.select(EVENT.c.sequence, *(EVENT.c[name] for name in KEY), EVENT.c.kind, EVENT.c.payload)
        for column, value in ((EVENT.c.kind, kind), (EVENT.c.slot_id, slot_id)):
            statement = statement if value is None else statement.where(column == value)
        found = self.rows(statement.order_by(EVENT.c.sequence))
        return [StoredEvent(row[0], NodeKey(*row[1:5]), row[5], row[6]) for row in found]

    def templates(self) -> dict[str, tuple[str, str]]:
        """(prompt id, text) of each template, by hash."""
        found = self.rows(sa.select(TEMPLATE).order_by(TEMPLATE.c.sha256))
        return {row.sha256: (row.prompt_id, row.text) for row in found}

    def see(self, role: Role, slot_id: str, round: int, run: int = 0, *, answer_policy: str = "") -> Seen:
        """The view of a role, with what the log says of it. Raises `BenchwrightError` where a record is missing."""
        return see(Look(self._guard(role), NodeKey(slot_id, role, round, run), self._seed, answer_policy))

    @overload
    def view(self, role: Literal["director"], slot_id: str, round: int, run: int = 0) -> DirectorView: ...
    @overload
    def view(self, role: Literal["tracker"], slot_id: str, round: int, run: int = 0) -> TrackerView: ...
    @overload
    def view(self, role: Literal["generator"], slot_id: str, round: int, run: int = 0) -> GeneratorView: ...
    @overload
    def view(self, role: Literal["question"], slot_id: str, round: int, run: int = 0) -> QuestionView: ...
    @overload
    def view(self, role: Literal["answer"], slot_id: str, round: int, run: int = 0) -> AnswerView: ...
    @overload
    def view(self, role: Literal["adjudicator"], slot_id: str, round: int, run: int = 0) -> AdjudicatorView: ...
    @overload
    def view(self, role: Literal["blind"], slot_id: str, round: int, run: int = 0) -> BlindView: ...
    @overload
    def view(self, role: Literal["expert"], slot_id: str, round: int, run: int = 0) -> ExpertView: ...
    @overload
    def view(
        self, role: Literal["critic"], slot_id: str, round: int, run: int = 0, *, answer_policy: str
    ) -> CriticView: ...

    def view(self, role: Role, slot_id: str, round: int, run: int = 0, *, answer_policy: str = "") -> View:
        """The view alone: the only way to build an agent's input."""
        return self.see(role, slot_id, round, run, answer_policy=answer_policy).view

    def _guard(self, role: Role) -> Guard:
        with self._door:
            if self._closed:
                raise BenchwrightError(f"{self.path}: the store is closed")
            if role not in self._guards:
                self._guards[role] = Guard(self.path, role)
            return self._guards[role]


insert = cache(sa.insert)
"""Making the statement costs more than running it."""


def _stand(connection: sa.Connection, key: NodeKey, new: Encoded) -> Record:
    """Insert the rows of a record unless its key is taken; what stands there then."""
    kind = type(new.record)
    fields = tuple(kind.model_fields)
    found = connection.execute(select(kind, fields), key._asdict()).first()
    if found is not None:
        return kind.model_validate(decode(kind, fields, tuple(found[len(KEY) :])))
    for table, values in new.inserts:
        connection.execute(insert(table), values)
    return new.record


def _happen(connection: sa.Connection, key: NodeKey, event: StoreEvent) -> None:
    values = {**key._asdict(), "kind": event.kind}
    if not connection.execute(HAPPENED, values).first():
        connection.execute(insert(EVENT), {**values, "payload": dict(event.payload), "written_at": now()})
