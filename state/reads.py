"""Reads of records through one role's guard: which rows, in which order, and only the fields asked for."""

from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from ..schemas.base import Record
from .guard import Guard
from .tables import KEY, NodeKey, Select, tables_of

Bound = tuple[int, int]
"""(round, run): only rows before it count."""


@cache
def select(record: type[Record], fields: tuple[str, ...], given: tuple[str, ...] = KEY, newest: bool = False) -> Select:
    """A select of the key and of `fields`, with explicit columns from just the tables that hold them.

    Parameters: the key columns that are `given`, and `before_round`, `before_run` where "before" is. Building one
    costs more than running it, so each shape is built once.
    """
    parts = [part for part in tables_of(record) if set(part.fields) & set(fields)] or [tables_of(record)[0]]
    anchor, *others = (part.table for part in parts)
    home = {name: part.table for part in parts for name in part.fields}
    joined: sa.FromClause = anchor
    for table in others:
        joined = joined.outerjoin(table, sa.and_(*(anchor.c[name] == table.c[name] for name in KEY)))
    columns = (home.get(name, anchor).c[name] for name in fields)
    statement = sa.select(*(anchor.c[name] for name in KEY), *columns).select_from(joined)
    for name in (name for name in given if name in KEY):
        statement = statement.where(anchor.c[name] == sa.bindparam(name))
    if "before" in given:
        bound = sa.tuple_(sa.bindparam("before_round", type_=sa.Integer), sa.bindparam("before_run", type_=sa.Integer))
        statement = statement.where(sa.tuple_(anchor.c.round, anchor.c.run) < bound)
    if newest:
        return statement.order_by(*(anchor.c[name].desc() for name in ("round", "run", "node"))).limit(1)
    return statement.order_by(*(anchor.c[name] for name in KEY))


def decode(record: type[Record], fields: tuple[str, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    """Field values as JSON types. NULL in a field with a default is a field that the row is older than."""
    declared = record.model_fields
    return {
        name: value
        for name, value in zip(fields, values, strict=True)
        if value is not None or declared[name].is_required()
    }


class Found(NamedTuple):
    """Some fields of one stored record, as JSON types."""

    key: NodeKey
    values: dict[str, Any]


class Rows(NamedTuple):
    """Which rows to read: equal in every part of the key that is given, and before `before`."""

    slot_id: str | None = None
    node: str | None = None
    round: int | None = None
    run: int | None = None
    before: Bound | None = None


def find(guard: Guard, record: type[Record], rows: Rows, fields: tuple[str, ...] = ()) -> list[Found]:
    """The rows in ascending order of their key; no `fields` means all of them."""
    return _read(guard, record, rows, fields, newest=False)


def newest(guard: Guard, record: type[Record], rows: Rows, fields: tuple[str, ...] = ()) -> Found | None:
    """The row of the highest (round, run), or None."""
    found = _read(guard, record, rows, fields, newest=True)
    return found[0] if found else None


def _read(guard: Guard, record: type[Record], rows: Rows, fields: tuple[str, ...], newest: bool) -> list[Found]:
    fields = fields or tuple(record.model_fields)
    values = {name: value for name, value in rows._asdict().items() if value is not None}
    statement = select(record, fields, tuple(values), newest)
    if rows.before is not None:
        values["before_round"], values["before_run"] = values.pop("before")
    width = len(KEY)
    read = guard.rows(statement, values)
    return [Found(NodeKey(*row[:width]), decode(record, fields, tuple(row[width:]))) for row in read]
