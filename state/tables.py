"""The tables of the store, generated from the records: one for each (record, class), so that the guard works by table.

`Item` becomes `item_public`, `item_backend` and `item_proposal`. A field cannot miss its class, because its table is
derived from it. Every such table has the key columns `slot_id, node, round, run` (in `source_public` the slot id is
the source's id), one column a field (scalars as they are, the rest as canonical JSON) and `content_hash`, which covers
the row's own fields and nothing more secret. The classes are made in a loop: writing thirty tables out by hand would
repeat what the records declare.
"""

import json
import re
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType, new_class
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_args, get_origin

import sqlalchemy as sa
from sqlalchemy.orm import declared_attr, registry
from sqlmodel import Field, SQLModel

from ..schemas.base import FIELD_CLASSES, FieldClass, Record, canonical, content_hash, fields_of
from ..schemas.clip import Clip, Excerpt
from ..schemas.grounding import Trace
from ..schemas.item import Brief, Candidate, Cues, Draft, Item, Plan, Reference, Slot
from ..schemas.review import Planted, ReviewEntry
from ..schemas.source import Footage, LexiconEntry, Source
from ..schemas.view import Adjudication, Answer, Feedback, Verdict

if TYPE_CHECKING:
    Select = sa.Select[*tuple[Any, ...]]
    Row = sa.Row[*tuple[Any, ...]]
else:
    # Only SQLAlchemy 2.1 takes any number of column types here; 2.0 serves as well.
    Select, Row = sa.Select, sa.Row

RECORDS: tuple[type[Record], ...] = (
    Source, Footage, LexiconEntry, Slot, Plan, Excerpt, Trace, Clip, Draft, Item,
    Answer, Adjudication, Verdict, Feedback, Reference, ReviewEntry, Planted, Brief, Cues, Candidate,
)  # fmt: skip

KEY = ("slot_id", "node", "round", "run")


class NodeKey(NamedTuple):
    """Where a record stands: the node that wrote it, for which slot, in which round and which run of the round."""

    slot_id: str
    node: str
    round: int
    run: int = 0


def source_key(source_id: str) -> NodeKey:
    return NodeKey(source_id, "source", 0)


def lexicon_key(number: int) -> NodeKey:
    return NodeKey("lexicon", "lexicon", number)


class CanonicalJson(sa.TypeDecorator[Any]):
    """Canonical JSON text in the file, JSON types in Python. None is NULL."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str | None:
        return None if value is None else canonical(value).decode()

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:
        return None if value is None else json.loads(value)


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def now() -> str:
    """Wall time for the curious reader of the file; part of no hash and no decision."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Base(SQLModel, registry=registry()):
    """Base of our tables, on a registry of its own: a host application's SQLModel tables stay apart."""

    @declared_attr.directive
    def __tablename__(cls) -> str:  # noqa: N805
        return snake(cls.__name__)


class Event(Base, table=True):
    """A state change of a slot (accepted, surplus, discarded) or of the project (a freeze)."""

    __table_args__ = (sa.UniqueConstraint(*KEY, "kind"),)
    sequence: int | None = Field(default=None, primary_key=True)
    slot_id: str = Field(sa_type=sa.Text)
    node: str = Field(sa_type=sa.Text)
    round: int
    run: int
    kind: str = Field(sa_type=sa.Text)
    payload: Any = Field(sa_type=CanonicalJson)
    written_at: str = Field(sa_type=sa.Text)


class IsolationLog(Base, table=True):
    """What each role was shown: one hash chain an item (`log.py`)."""

    __table_args__ = (sa.UniqueConstraint("item_id", "node", "round", "run"),)
    sequence: int | None = Field(default=None, primary_key=True)
    item_id: str = Field(sa_type=sa.Text)
    node: str = Field(sa_type=sa.Text)
    round: int
    run: int
    role: str = Field(sa_type=sa.Text)
    version: str = Field(sa_type=sa.Text)
    fields_read: Any = Field(sa_type=CanonicalJson)
    prompt_sha256: str = Field(sa_type=sa.Text)
    policy_sha256: str = Field(sa_type=sa.Text)
    head: str = Field(sa_type=sa.Text)
    written_at: str = Field(sa_type=sa.Text)


class Call(Base, table=True):
    """The ledger: one row an attempt at a call. The only rows that change: a reserved one is closed."""

    request_sha256: str = Field(primary_key=True, sa_type=sa.Text)
    sample: int = Field(primary_key=True)
    attempt: int = Field(primary_key=True)
    role: str = Field(sa_type=sa.Text)
    model: str = Field(sa_type=sa.Text)
    prompt_id: str = Field(sa_type=sa.Text)
    reserved_usd: float
    reserved_at: str = Field(sa_type=sa.Text)
    status: str = Field(sa_type=sa.Text)
    usd: float
    closed_at: str | None = Field(default=None, sa_type=sa.Text)
    prompt_sha256: str | None = Field(default=None, sa_type=sa.Text)
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None
    cached: bool | None = None


class CallRequest(Base, table=True):
    """The exact bytes of a request, once, however often it was sent."""

    request_sha256: str = Field(primary_key=True, sa_type=sa.Text)
    request: bytes


class CallReply(Base, table=True):
    """The reply of a settled call, as JSON."""

    request_sha256: str = Field(primary_key=True, sa_type=sa.Text)
    sample: int = Field(primary_key=True)
    attempt: int = Field(primary_key=True)
    reply: bytes


class Template(Base, table=True):
    """A prompt template, by the hash of its text."""

    sha256: str = Field(primary_key=True, sa_type=sa.Text)
    prompt_id: str = Field(sa_type=sa.Text)
    text: str = Field(sa_type=sa.Text)


BOOKS: tuple[type[SQLModel], ...] = (Event, IsolationLog, Call, CallRequest, CallReply, Template)
"""Tables that hold no record: only the auditor reads them."""


class RecordTable(NamedTuple):
    """The table of one record's fields of one class."""

    record: type[Record]
    field_class: FieldClass
    fields: tuple[str, ...]
    """Fields with a column of their own: a field named like a key column is that key column."""
    model: type[SQLModel]
    table: sa.Table


def table_of(model: type[SQLModel]) -> sa.Table:
    return Base.metadata.tables[snake(model.__name__)]


def _column(annotation: Any) -> tuple[Any, Any]:
    """Python type and SQL type of a field's column; optional scalars and literals of text are scalars too."""
    union = get_origin(annotation) in (Union, UnionType)
    members = [member for member in (get_args(annotation) if union else (annotation,)) if member is not NoneType]
    kind = type(get_args(members[0])[0]) if get_origin(members[0]) is Literal else members[0]
    scalars = {str: sa.Text, int: sa.BigInteger, float: sa.Float, bool: sa.Boolean}
    return (kind | None, scalars[kind]) if len(members) == 1 and kind in scalars else (Any, CanonicalJson)


def _generate(record: type[Record], field_class: FieldClass) -> RecordTable:
    fields = tuple(name for name in fields_of(record, {field_class}) if name not in KEY)
    columns: dict[str, tuple[Any, Any]] = {}
    for name, annotation in NodeKey.__annotations__.items():
        columns[name] = (annotation, Field(primary_key=True, sa_type=_column(annotation)[1]))
    for name in fields:
        python_type, sql_type = _column(record.model_fields[name].annotation)
        columns[name] = (python_type, Field(default=None, nullable=True, sa_type=sql_type))
    columns["content_hash"] = (str, Field(sa_type=sa.Text))
    namespace: dict[str, Any] = {name: field for name, (_, field) in columns.items()}
    namespace["__annotations__"] = {name: python_type for name, (python_type, _) in columns.items()}
    namespace |= {"__module__": __name__, "__doc__": f"The {field_class} fields of a {record.__name__}."}
    name = record.__name__ + field_class.title()
    model: type[SQLModel] = new_class(name, (Base,), {"table": True}, lambda body: body.update(namespace))
    return RecordTable(record, field_class, fields, model, table_of(model))


RECORD_TABLES: tuple[RecordTable, ...] = tuple(
    _generate(record, field_class)
    for record in RECORDS
    for field_class in FIELD_CLASSES
    if any(name not in KEY for name in fields_of(record, {field_class}))
)


@cache
def tables_of(record: type[Record]) -> tuple[RecordTable, ...]:
    """The tables that hold a record, public first. Raises `TypeError` for what the store does not keep."""
    found = tuple(part for part in RECORD_TABLES if part.record is record)
    if not found:
        raise TypeError(f"the store keeps no {record.__name__}")
    return found


class Insert(NamedTuple):
    """One row on its way into a table."""

    table: sa.Table
    values: dict[str, Any]


class Encoded(NamedTuple):
    """A record as rows, and as it will be read from them (NFC, rounded)."""

    record: Record
    inserts: tuple[Insert, ...]


def encode(key: NodeKey, record: Record) -> Encoded:
    """The rows of a record. Raises `ValueError` where a field contradicts the key that it is stored under."""
    values: dict[str, Any] = json.loads(canonical(record))
    for name, part in key._asdict().items():
        if values.get(name, part) != part:
            raise ValueError(f"{type(record).__name__} with {name} {values[name]!r} cannot stand under {part!r}")
    inserts = (
        Insert(part.table, _row(key, {name: values[name] for name in part.fields})) for part in tables_of(type(record))
    )
    return Encoded(type(record).model_validate(values), tuple(inserts))


def _row(key: NodeKey, values: dict[str, Any]) -> dict[str, Any]:
    return {**key._asdict(), **values, "content_hash": content_hash(values)}
