"""What each role saw, from the isolation log, and whether it holds: the chain unbroken, every field allowed to its
role, and the view the same when it is built again from the store."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from ..errors import BenchwrightError
from ..schemas.base import class_of, content_hash
from ..schemas.finding import Finding
from ..schemas.view import ROLE_CLASSES, ROLE_COLUMNS
from ..state.log import Link, LogEntry, chains, check
from ..state.store import Store
from ..state.tables import RECORDS

KINDS = {record.__name__: record for record in RECORDS}
Rebuilt = Literal["same", "differs", "cannot be built"]


class Look(NamedTuple):
    """One view that one role was given."""

    entry: LogEntry
    written_at: str
    forbidden: tuple[str, ...]
    """Fields that the role's classes do not allow."""
    rebuilt: Rebuilt
    note: str

    @property
    def sound(self) -> bool:
        return not self.forbidden and self.rebuilt == "same"

    @property
    def fields(self) -> dict[str, list[str]]:
        """The fields that were read, by record."""
        found: dict[str, list[str]] = {}
        for name in self.entry.fields:
            record, _, field = name.partition(".")
            found.setdefault(record, []).append(field)
        return found

    def json(self) -> dict[str, Any]:
        told = {"forbidden": list(self.forbidden), "rebuilt": self.rebuilt, "note": self.note}
        return self.entry.model_dump(mode="json") | told


def looks(store: Store, slot_id: str, links: Iterable[Link], policies: Mapping[str, str]) -> tuple[Look, ...]:
    """What roles were shown of an item, by the links of its chain. `policies` by role; `rules` if absent."""
    return tuple(_look(store, slot_id, link, policies) for link in links)


def findings(store: Store, slots: Mapping[str, str], policies: Mapping[str, str]) -> Iterator[Finding]:
    """What does not hold in a whole store; `slots` are slot ids by item id."""
    if broken := check(store):
        yield broken
    for item_id, links in chains(store):
        if item_id not in slots:
            yield Finding(code="isolation-unknown-item", message="logged, but no slot makes it", place=item_id)
            continue
        for link in links:
            look = _look(store, slots[item_id], link, policies)
            at = f"{look.entry.node}, round {look.entry.round}, run {look.entry.run}"
            if look.forbidden:
                said = f"{at}: read {', '.join(look.forbidden)}"
                yield Finding(code="isolation-forbidden-field", message=said, place=item_id)
            if look.rebuilt != "same":
                said = f"{at}: the view {look.rebuilt}: {look.note}"
                yield Finding(code="isolation-view-differs", message=said, place=item_id)


def _look(store: Store, slot_id: str, link: Link, policies: Mapping[str, str]) -> Look:
    entry = link.entry
    rebuilt, note = _rebuild(store, slot_id, entry, policies)
    return Look(
        entry, link.written_at, tuple(name for name in entry.fields if not _allowed(entry, name)), rebuilt, note
    )


def _allowed(entry: LogEntry, name: str) -> bool:
    kind, _, field = name.partition(".")
    record = KINDS.get(kind)
    if record is None or field not in record.model_fields:
        return False
    if class_of(record, field) in ROLE_CLASSES[entry.role]:
        return True
    return field in ROLE_COLUMNS.get(entry.role, {}).get(kind, ())


def _rebuild(store: Store, slot_id: str, entry: LogEntry, policies: Mapping[str, str]) -> tuple[Rebuilt, str]:
    """Build the view once more. A model's prompt holds more than its view: there fields and version count."""
    try:
        answer_policy = policies.get("answer", "rules") if entry.role == "critic" else ""
        seen = store.see(entry.role, slot_id, entry.round, entry.run, answer_policy=answer_policy)
    except BenchwrightError as error:
        return "cannot be built", str(error)
    if (seen.version, seen.fields) != (entry.version, entry.fields):
        return "differs", "other fields, or another version"
    if policies.get(entry.role, "rules") != "rules":
        return "same", "fields and version; the prompt was a model's"
    if content_hash(seen.view) != entry.prompt_sha256:
        return "differs", "other contents"
    return "same", "built again from the store, byte for byte"
