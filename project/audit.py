"""`audit`: one item, all accepted ones, or their isolation, against the sources and the log as they are now."""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..audit.film import film as film_of
from ..audit.isolation import Look, findings, looks
from ..audit.item import FAULTS, Audit
from ..audit.item import audit as audit_item
from ..audit.observed import audit as audit_observed
from ..audit.page import audit_page
from ..audit.tree import tree
from ..errors import InputError, UsageError
from ..narrative.runtime import Story
from ..review.outcomes import outcomes
from ..schemas.base import item_id
from ..schemas.clip import Clip, Span
from ..schemas.finding import Finding
from ..schemas.item import Slot
from ..schemas.source import Source
from ..schemas.view import Adjudication
from ..state.log import chains
from ..state.store import Store
from . import answered, items, shares
from .folder import Project
from .progress import Progress, quiet
from .report import write_page
from .sight import shelf
from .sources import Gathered, gather, located, sources_of
from .standing import facts

__all__ = ["Audit", "Sweep", "audit", "audits", "faults", "isolation", "tree", "write"]


def audit(project: Project, item: str, *, film: bool = False) -> Audit:
    """Audit the newest revision of an item, with the film of its clip where a page is to show it. Raises `UsageError`
    for an id that the project does not have, `InputError` where its story is gone."""
    shown = items.show(project, item)
    with Store.read(project.store, seed=project.config.seed) as store:
        auditor = Auditor(project, store)
        done = auditor.audit(items.slot_of(project, store, item), shown)
        return auditor.filmed(done, shown.clip) if film else done


def audits(project: Project, progress: Progress = quiet) -> Iterator[Audit]:
    """Audit every accepted item, by id. Raises `InputError` where a story is gone."""
    ids = sorted(one.id for one in items.listing(project) if one.outcome == "accepted")
    if not ids:
        raise UsageError(f"{project.root} has no accepted items; run `benchwright build` first")
    with Store.read(project.store, seed=project.config.seed) as store:
        auditor = Auditor(project, store)
        slots = {item_id(project.config.seed, slot.slot_id): slot for _, slot in store.all(Slot)}
        for done, item in enumerate(ids):
            progress("items audited", done, len(ids))
            yield auditor.audit(slots[item], items.show(project, item))


class Auditor:
    """What all audits of a project go by, read once: its sources as they are now, the isolation log, the approvals."""

    def __init__(self, project: Project, store: Store) -> None:
        self._project, self._store = project, store
        self._gathered, self._known = gather(project), sources_of(store)
        self._chains = dict(chains(store))
        self._policies = _policies(project)
        verdicts = outcomes(store, facts(store, self._known), project.config.review.approvals).verdicts
        self._approved = {slot for slot, verdict in verdicts.items() if verdict.state == "approved"}

    def audit(self, slot: Slot, shown: items.Shown, *, believing: bool = False) -> Audit:
        """`believing` what the adjudicator derived from the same bytes of a story, and the isolation log; else every
        label is derived and every view built again. Raises `InputError` where the item's story is gone."""
        links = [] if believing else self._chains.get(shown.item.item_id, [])
        settled = self._store.latest(Adjudication, slot.slot_id) if believing else None
        done = self._audited(slot, shown, looks(self._store, slot.slot_id, links, self._policies), settled)
        key = shown.reference.answer if shown.reference else shown.item.answer
        return done._replace(
            outcome=shown.outcome, key=key, said=_said(shown.remarks), video=str(shown.video or ""),
            approved=slot.slot_id in self._approved, transcript=shown.clip.transcript if shown.clip else (),
            first=shown.plan.first if shown.plan else 0,
        )  # fmt: skip

    def filmed(self, done: Audit, clip: Clip | None) -> Audit:
        """The audit with the film of its clip, for its page."""
        video = clip.video if clip else None
        now = self._gathered.opened.get(video.source_id) if video else None
        if video is None or now is None or now.film is None:
            return done
        quotes = [one.evidence.quote for claim in done.claims for one in claim.evidence]
        path = located(self._project, now.source.path)
        return done._replace(film=film_of(path, Span(start=video.start, end=video.end), now.film.cues, quotes))

    def _audited(self, slot: Slot, shown: items.Shown, seen: tuple[Look, ...], settled: Adjudication | None) -> Audit:
        """Against the story, or, where no code derives the label, against the subtitles of its source."""
        source = self._known[slot.source_id]
        if shown.item.recipe is None and source.kind != "story":
            now = next((one for one in self._gathered.opened.values() if one.source.path == source.path), None)
            said = now.said or (now.film.cues if now.film else ()) if now else ()
            return audit_observed(shown.item, shown.trace, said, now.source.sha256 if now else "", seen)
        recorded = shares.recorded(self._project, source.path).entries
        return audit_item(shown.item, shown.trace, _story(self._gathered, source, slot), seen, recorded, settled)


class Sweep(NamedTuple):
    """All accepted items audited."""

    items: tuple[Audit, ...]
    wanted: tuple[str, ...]
    """Faults for which an item has failed."""

    @property
    def failed(self) -> tuple[str, ...]:
        """Ids of the items that have one of them."""
        return tuple(one.item.item_id for one in self.items if set(one.faults) & set(self.wanted))

    def counts(self) -> dict[str, int]:
        """Items by fault."""
        return {fault: sum(fault in one.faults for one in self.items) for fault in FAULTS}

    def json(self) -> dict[str, Any]:
        kept = ("item", "tier", "approved", "faults", "unresolved")
        found = [{name: told[name] for name in kept} for told in (one.json() for one in self.items)]
        return {"fail_on": list(self.wanted), "failed": list(self.failed), "counts": self.counts(), "items": found}

    def lines(self) -> Iterator[str]:
        """What is wrong with which item, and then how many items have which fault."""
        for one in self.items:
            if one.faults:
                yield f"{one.item.item_id}  {', '.join(one.faults)}"
                yield from (f"  ! {line}" for line in one.unresolved)
        yield f"audited       {len(self.items):>4}"
        yield from (f"{fault:<14}{count:>4}" for fault, count in self.counts().items())


def faults(names: str) -> tuple[str, ...]:
    """Faults named in a list with commas. Raises `UsageError` for what is none."""
    found = tuple(name.strip() for name in names.split(",") if name.strip())
    if unknown := [name for name in found if name not in FAULTS]:
        raise UsageError(f"--fail-on: {', '.join(unknown)}: no such fault; there are {', '.join(FAULTS)}")
    return found


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


def _story(gathered: Gathered, known: Source, slot: Slot) -> Story:
    """The story of a slot as it is now: by its id, or, where the file was changed since, by its path."""
    for one in gathered.opened.values():
        if one.story and (one.source.source_id == slot.source_id or one.source.path == known.path):
            return one.story
    for refused in gathered.refused:
        if known.path in refused.problem:
            raise refused
    raise InputError(known.path, "is no longer among the project's sources, so nothing can be looked up in it")
