"""The isolation log: what each role was shown, as one hash chain an item.

Each head is the sha256 of the previous head, 0x1F and the canonical entry, so no entry can be changed, moved or taken
out of the middle without breaking every head after it; the last heads stand in a release, which guards the end.
Wall time is stored beside the entry and is part of no hash. Entries of one item must be put in an order that does not
depend on timing (the answer runs by their number), or two equal builds end in different heads.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa

from ..schemas.base import SEPARATOR, Record, canonical, classed, sha256
from ..schemas.finding import Finding
from ..schemas.view import Role
from .tables import IsolationLog, Row, Select, now, table_of

LOG = table_of(IsolationLog)
KEY = ("item_id", "node", "round", "run")
STANDING = sa.select(LOG.c.head).where(*(LOG.c[name] == sa.bindparam(name) for name in KEY))
LAST = sa.select(LOG.c.head).where(LOG.c.item_id == sa.bindparam("item_id")).order_by(LOG.c.sequence.desc()).limit(1)
INSERT = LOG.insert()


class LogEntry(Record):
    """One view that one role was given."""

    item_id: str = classed("backend")
    node: str = classed("backend")
    round: int = classed("backend")
    run: int = classed("backend")
    role: Role = classed("backend")
    version: str = classed("backend")
    """Hash of the item's public part, or of the slot before there is an item."""
    fields: tuple[str, ...] = classed("backend")
    """`Record.field` names that were read."""
    prompt_sha256: str = classed("backend")
    """Hash of the exact prompt bytes."""
    policy_sha256: str = classed("backend")


class Link(NamedTuple):
    """One entry as it stands in the log, which may have been tampered with."""

    values: dict[str, Any]
    head: str
    written_at: str

    @property
    def entry(self) -> LogEntry:
        return LogEntry.model_validate(self.values)


class Readable(Protocol):
    """A store, or a guard, whose role may read the log."""

    def rows(self, statement: Select) -> Sequence[Row]: ...


def next_head(previous: str, entry: LogEntry | Mapping[str, Any]) -> str:
    return sha256(previous.encode() + SEPARATOR.encode() + canonical(entry))


def append(connection: sa.Connection, entry: LogEntry) -> None:
    """Add the entry at the end of its item's chain, unless its key is there. Belongs in the writer's transaction."""
    values = entry.model_dump(exclude={"fields"})
    if connection.execute(STANDING, {name: values[name] for name in KEY}).first():
        return
    previous = connection.execute(LAST, {"item_id": entry.item_id}).scalar() or ""
    made = {"fields_read": entry.fields, "head": next_head(previous, entry), "written_at": now()}
    connection.execute(INSERT, values | made)


def chains(store: Readable) -> Iterator[tuple[str, list[Link]]]:
    """Each item's links in order, by item id."""
    rows = store.rows(sa.select(LOG).order_by(LOG.c.item_id, LOG.c.sequence))
    for item_id, group in groupby(rows, key=lambda row: row.item_id):
        yield item_id, [_link(dict(row._mapping)) for row in group]


def _link(values: dict[str, Any]) -> Link:
    del values["sequence"]
    head, written_at = values.pop("head"), values.pop("written_at")
    return Link({"fields": values.pop("fields_read"), **values}, head, written_at)


def heads(store: Readable) -> dict[str, str]:
    """The last head of each item's chain."""
    return {item_id: links[-1].head for item_id, links in chains(store)}


def isolation_root(heads: Mapping[str, str]) -> str:
    """sha256 of the sorted `item_id head` lines; of no bytes where there is no item."""
    return sha256("".join(f"{item} {head}\n" for item, head in sorted(heads.items())).encode())


def check(store: Readable, expected: Mapping[str, str] | None = None) -> Finding | None:
    """Replay every chain; the first break, or None. `expected` heads (of a release) also guard each chain's end."""
    try:
        found = dict(chains(store))
    except ValueError as error:
        return Finding(code="isolation-chain-broken", message=f"the log cannot be read: {error}")
    for item_id, links in found.items():
        if broken := _broken(links):
            place = "{node}, round {round}, run {run}".format(**broken.values)
            return Finding(code="isolation-chain-broken", message=f"changed at or before {place}", place=item_id)
    for item_id, head in sorted((expected or {}).items()):
        if head not in [link.head for link in found.get(item_id, [])][-1:]:
            return Finding(code="isolation-head-differs", message="does not end in the released head", place=item_id)
    return None


def _broken(links: list[Link]) -> Link | None:
    previous = ""
    for link in links:
        if link.head != (previous := next_head(previous, link.values)):
            return link
    return None
