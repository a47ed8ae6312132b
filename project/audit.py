"""`audit`: one item, or the isolation of all of them, against the stories and the log as they are now."""

import shlex
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..audit.isolation import Look, findings, looks
from ..audit.item import Audit
from ..audit.item import audit as audit_item
from ..audit.observed import audit as audit_observed
from ..audit.page import audit_page
from ..audit.tree import tree
from ..errors import InputError, UsageError
from ..narrative.runtime import Story
from ..schemas.base import item_id
from ..schemas.finding import Finding
from ..schemas.item import Slot
from ..state.store import Store
from . import answered, items, shares
from .folder import Project
from .report import write_page
from .sight import shelf
from .sources import gather, sources_of

__all__ = ["Audit", "audit", "isolation", "tree", "write"]


def audit(project: Project, item: str) -> Audit:
    """Audit the newest revision of an item. Raises `UsageError` for an id that the project does not have, `InputError`
    where its story is gone."""
    shown = items.show(project, item)
    with Store.read(project.store, seed=project.config.seed) as store:
        slot = items.slot_of(project, store, item)
        seen = looks(store, slot.slot_id, item, _policies(project))
        done = _audited(project, store, slot, shown, seen)
    key = shown.reference.answer if shown.reference else shown.item.answer
    return done._replace(outcome=shown.outcome, key=key, said=_said(shown.remarks), video=str(shown.video or ""))


def _audited(project: Project, store: Store, slot: Slot, shown: items.Shown, seen: tuple[Look, ...]) -> Audit:
    """Against the story, or, where no code derives the label, against the subtitles of its source."""
    source = sources_of(store)[slot.source_id]
    if shown.item.recipe is None and source.kind != "story":
        now = next((one for one in gather(project).opened.values() if one.source.path == source.path), None)
        said = now.said or (now.film.cues if now.film else ()) if now else ()
        return audit_observed(shown.item, shown.trace, said, now.source.sha256 if now else "", seen)
    recorded = shares.recorded(project, source.path).entries
    return audit_item(shown.item, shown.trace, _story(project, store, slot), seen, recorded)


def isolation(project: Project) -> list[Finding]:
    """What does not hold in the isolation log of the whole project."""
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    with Store.read(project.store, seed=project.config.seed) as store:
        slots = {item_id(project.config.seed, slot.slot_id): slot.slot_id for _, slot in store.all(Slot)}
        return [*findings(store, slots, _policies(project)), *answered.findings(store, slots, shelf(project, store))]


def write(done: Audit, out: Path) -> Path:
    """Write the page of an audit. Raises `UsageError` where the file cannot be written."""
    write_page(out, audit_page(done, shlex.join(["benchwright", "audit", done.item.item_id, "--html", str(out)])))
    return out


def _said(remarks: Iterable[items.Remark]) -> dict[str, tuple[str, ...]]:
    """What each node said, in words, by round, node and run."""
    found = defaultdict[str, tuple[str, ...]](tuple)
    for remark in remarks:
        told = remark.said.model_dump(mode="json", exclude_defaults=True)
        line = "; ".join(f"{name.replace('_', ' ')}: {_worded(value)}" for name, value in told.items() if value != "")
        found[f"{remark.round}/{remark.node}/{remark.run}"] += (line,)
    return dict(found)


def _worded(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _policies(project: Project) -> dict[str, str]:
    return {role: policy.policy for role, policy in project.config.roles.items()}


def _story(project: Project, store: Store, slot: Slot) -> Story:
    """The story of a slot as it is now: by its id, or, where the file was changed since, by its path."""
    known = sources_of(store)[slot.source_id]
    gathered = gather(project)
    for one in gathered.opened.values():
        if one.story and (one.source.source_id == slot.source_id or one.source.path == known.path):
            return one.story
    for refused in gathered.refused:
        if known.path in refused.problem:
            raise refused
    raise InputError(known.path, "is no longer among the project's sources, so nothing can be looked up in it")
