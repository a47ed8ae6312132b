"""Items by hand: a draft from a file, through the same gates, readers, adjudicator and critic as any other.

A new item is a slot of its own, numbered 0: it stands outside the order of the build. An edit is a further revision
of an accepted item. A refused edit is followed by a revision equal to the one before: the newest always counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import yaml

from ..agents.question import Rewording, repaired
from ..errors import UsageError
from ..graph.admission import Admission
from ..graph.context import Run
from ..graph.machine import machine
from ..graph.proposing import NO_DRAFT
from ..schemas.base import Record, item_id, plain
from ..schemas.clip import Clip
from ..schemas.item import Coordinate, Draft, Item, Plan, Reference, Slot
from ..schemas.view import Adjudication, Answer, DirectorView, Feedback, GeneratorView, QuestionView, Verdict
from ..state.store import NodeKey, Store
from . import itemfile, sources
from .folder import Project
from .itemfile import ItemFile
from .items import slot_of
from .progress import Progress
from .ready import Ready, ready

BY_HAND = "by-hand"
REVISION: tuple[type[Record], ...] = (Draft, Clip, Item, Adjudication, Answer, Verdict)
"""What one round leaves behind."""
WRITERS = ("director", "generator", "question")
R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Made:
    """What became of a draft."""

    id: str
    outcome: str
    """`accepted`, `surplus` or `discarded`; of an edit `accepted` or `refused`."""
    code: str
    messages: tuple[str, ...]
    """What gates and critic said against it."""

    def json(self) -> dict[str, Any]:
        return {"id": self.id, "outcome": self.outcome, "code": self.code, "messages": list(self.messages)}


class GivenDirector:
    """Directs to one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def supply(self, source_id: str, coordinate: Coordinate) -> int:
        return 1

    async def direct(self, view: DirectorView) -> Plan | None:
        return self.plan


class GivenGenerator:
    """Proposes one draft, once."""

    def __init__(self, draft: Draft) -> None:
        self.draft: Draft | None = draft

    async def generate(self, view: GeneratorView, attempt: int) -> Draft | None:
        draft, self.draft = self.draft, None
        return draft


class GivenQuestion:
    """Leaves a person's words as they are; only typography is mended."""

    async def reword(self, view: QuestionView, attempt: int) -> Rewording:
        return Rewording(view.question, view.wording, {text: repaired(text) for text in view.options})


def new(project: Project, path: Path, progress: Progress) -> Made:
    """Make an item from a file. It is refused by what would refuse any other, its target apart.

    Raises `InputError` with the line of what is wrong in the file.
    """
    file = itemfile.read(path)
    with ready(project, progress) as prepared:
        source_id = file.source(project, prepared)
        slot = _slot(prepared.store, source_id, file.coordinate(prepared))
        plan = file.plan(prepared, source_id)
        run = _by_hand(prepared.run, plan, file.draft(prepared.narratives[source_id]))
        return prepared.models.run(_new(run, prepared, slot))


def edit(project: Project, item: str, path: Path, progress: Progress) -> Made:
    """Revise an accepted item from a file: question, options, answer, traps, window; never its clip.

    Its approvals are void then. What a gate or the critic refuses leaves the item as it was. Raises `UsageError` for an
    id that is none or was not accepted, `InputError` with the line of what is wrong in the file.
    """
    file = itemfile.read(path)
    with ready(project, progress) as prepared:
        slot = _accepted(project, prepared.store, item)
        plan = _stored(prepared.store, Plan, slot)
        file.same_clip(plan, file.source(project, prepared) == slot.source_id)
        run = _by_hand(prepared.run, plan, file.draft(prepared.narratives[slot.source_id]))
        return prepared.models.run(_edit(run, prepared, slot))


def template(project: Project, item: str) -> str:
    """An item as a file that `edit` reads, with real names."""
    with Store.read(project.store) as store:
        slot = _accepted(project, store, item)
        plan, draft = _stored(store, Plan, slot), _stored(store, Draft, slot)
        path = sources.sources_of(store)[slot.source_id].path
    known = {"source": path, **plain(slot.coordinate), **plain(plan), **plain(draft)}
    shown = {name: known[name] for name in ItemFile.model_fields}
    return yaml.safe_dump(shown, sort_keys=False, allow_unicode=True, width=10**6)


def _by_hand(run: Run, plan: Plan, draft: Draft) -> Run:
    agents = replace(
        run.agents, director=GivenDirector(plan), generator=GivenGenerator(draft), question=GivenQuestion()
    )
    return replace(run, agents=agents, policies={**run.policies, **dict.fromkeys(WRITERS, BY_HAND)})


def _slot(store: Store, source_id: str, coordinate: Coordinate) -> Slot:
    """A slot of its own, after those made by hand before."""
    stem = f"{source_id}/{coordinate.capability}/{coordinate.interaction}/{BY_HAND}"
    ordinal = sum(slot.slot_id.startswith(f"{stem}-") for _, slot in store.all(Slot))
    name = f"{stem}-{ordinal}"
    return Slot(slot_id=name, number=0, source_id=source_id, coordinate=coordinate, ordinal=ordinal)


async def _new(run: Run, prepared: Ready, slot: Slot) -> Made:
    await run.store.put(NodeKey(slot.slot_id, "slot", 0), slot)
    code = await _through(run, slot, 0)
    targets = {cell.coordinate: cell.target for cell in prepared.wanted}
    admission = Admission(run, targets, prepared.sources)
    admission.targets = {**targets, slot.coordinate: admission.counts[slot.coordinate] + 1}
    decided = await admission.decide(slot, code)
    return _made(run, slot, decided.outcome, decided.code, 0)


async def _edit(run: Run, prepared: Ready, slot: Slot) -> Made:
    before = list(_newest(run.store, slot))
    first = 1 + max(key.round for key, _ in before)
    code = await _through(run, slot, first)
    if code == "accepted":
        times = sum(1 for _ in run.store.all(Reference, slot.slot_id))
        reference = Admission(run, {}, prepared.sources).reference(slot, _stored(run.store, Item, slot))
        await run.store.put(NodeKey(slot.slot_id, "decision", times), reference)
        return _made(run, slot, "accepted", code, first)
    await _restore(run.store, slot, before)
    return _made(run, slot, "refused", code, first)


def _newest(store: Store, slot: Slot) -> Iterator[tuple[NodeKey, Record]]:
    """The rows that count: of each record those of its highest round."""
    for record in REVISION:
        rows = list(store.all(record, slot.slot_id))
        highest = max((key.round for key, _ in rows), default=0)
        yield from ((key, row) for key, row in rows if key.round == highest)


async def _through(run: Run, slot: Slot, round: int) -> str:
    """Run the slot from the given round on; the code that it ends with."""
    start = {"slot_id": slot.slot_id, "round": round, "code": ""}
    ended = await machine().ainvoke(start, {"recursion_limit": 60}, context=run)
    return str(ended["code"])


async def _restore(store: Store, slot: Slot, rows: Sequence[tuple[NodeKey, Record]]) -> None:
    """Put rows once more, after everything that came later."""
    last = max(key.round for key, _ in _newest(store, slot))
    for key, row in rows:
        await store.put(key._replace(round=last + 1), row)


def _made(run: Run, slot: Slot, outcome: str, code: str, first: int) -> Made:
    said = [word for key, word in run.store.all(Feedback, slot.slot_id) if key.round >= first]
    messages = [f"{word.code}: {word.message}" for word in said if word.code not in ("accepted", NO_DRAFT)]
    if code.startswith(("label-", "foil-")):
        messages.append(_story_says(run.store, slot, first))
    return Made(item_id(run.seed, slot.slot_id), outcome, code, tuple(messages))


def _story_says(store: Store, slot: Slot, first: int) -> str:
    """What the adjudicator found of the revision that was made from round `first` on."""
    label = next(label for key, label in store.all(Adjudication, slot.slot_id) if key.round >= first)
    item = next(item for key, item in store.all(Item, slot.slot_id) if key.round >= first)
    texts = {option.id: option.text for option in item.options}
    true = "; ".join(texts[option] for option in label.true) or "none of the options"
    possible = "; ".join(texts[option] for option in label.possible) or "none"
    return f"by the story this is true: {true} (may come true as well: {possible}); {label.proof}"


def _accepted(project: Project, store: Store, item: str) -> Slot:
    slot = slot_of(project, store, item)
    if not store.events("accepted", slot.slot_id):
        raise UsageError(f"{item} was not accepted; only accepted items are edited, and new ones made with `item new`")
    return slot


def _stored(store: Store, record: type[R], slot: Slot) -> R:
    found = store.latest(record, slot.slot_id)
    if found is None:
        raise LookupError(f"{slot.slot_id}: no {record.__name__} is stored")
    return found
