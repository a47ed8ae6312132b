"""Accepted items as they stand now, as far as votes are held against them: cheap to read for very many."""

from collections.abc import Collection
from typing import Any

from ..review.outcomes import Facts
from ..schemas.base import Record
from ..schemas.item import Item, Reference, Slot
from ..state.store import Store
from .status import decisions

SHOWN = ("item_id", "capability", "clip", "format", "public_hash")
BEHIND = ("answer", "episode", "story", "item_hash")


def facts(store: Store, current: Collection[str]) -> list[Facts]:
    """Of the sources in `current`, by item id."""
    sources = {key.slot_id: values["source_id"] for key, values in store.fields(Slot, "source_id")}
    items, references = _newest(store, Item, SHOWN), _newest(store, Reference, BEHIND)
    chosen = [name for name, event in decisions(store).items() if event.kind == "accepted"]
    found = [_facts(slot, items[slot], references[slot]) for slot in chosen if sources.get(slot) in current]
    return sorted(found, key=lambda one: one.item)


def _newest(store: Store, record: type[Record], names: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Of each slot the fields of the row of the highest round and run."""
    found: dict[str, tuple[tuple[int, int, str], dict[str, Any]]] = {}
    for key, values in store.fields(record, *names):
        order = (key.round, key.run, key.node)
        if key.slot_id not in found or found[key.slot_id][0] < order:
            found[key.slot_id] = order, values
    return {slot: values for slot, (_, values) in found.items()}


def _facts(slot: str, item: dict[str, Any], reference: dict[str, Any]) -> Facts:
    return Facts(
        slot=slot, item=item["item_id"], capability=item["capability"], cluster=reference["story"],
        episode=reference["episode"], clip=item["clip"]["media"], format=item.get("format", "single"),
        public_hash=item["public_hash"], item_hash=reference["item_hash"], answer=tuple(reference["answer"]),
    )  # fmt: skip
