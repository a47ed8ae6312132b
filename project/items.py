"""One item: what the answering side sees of it, what it rests on, and how it came about."""

from typing import Any, NamedTuple

from ..errors import UsageError
from ..schemas.base import Record, item_id
from ..schemas.clip import Clip
from ..schemas.grounding import Trace
from ..schemas.item import Item, Plan, Reference, Slot
from ..schemas.view import Adjudication, Answer, Feedback, Verdict
from ..state.store import Store
from .folder import Project
from .sources import sources_of
from .status import OUTCOMES

STEPS: tuple[type[Record], ...] = (Feedback, Answer, Adjudication, Verdict)
"""What is said of an item, round by round."""


class Remark(NamedTuple):
    """What one node said in one round."""

    round: int
    node: str
    run: int
    said: Record


class Filmed(NamedTuple):
    """Where a video shows a clip."""

    path: str
    start: float
    end: float
    """Seconds."""
    confidence: float

    def __str__(self) -> str:
        return f"{self.path} {self.start:g}-{self.end:g} seconds, confidence {self.confidence:.2f}"


class Shown(NamedTuple):
    """Everything the store holds of an item. It shows the answer: for authors and auditors only."""

    item: Item
    outcome: str
    """`accepted`, `surplus`, `discarded`, or `undecided`."""
    code: str
    reference: Reference | None
    plan: Plan | None
    clip: Clip | None
    video: Filmed | None
    trace: Trace | None
    remarks: tuple[Remark, ...]

    def json(self) -> dict[str, Any]:
        parts = {name: getattr(self, name) for name in ("item", "reference", "plan", "clip", "trace")}
        dumped = {name: part and part.model_dump(mode="json") for name, part in parts.items()}
        remarks = [
            {"round": r.round, "node": r.node, "run": r.run} | r.said.model_dump(mode="json") for r in self.remarks
        ]
        video = self.video and self.video._asdict()
        return {"outcome": self.outcome, "code": self.code, **dumped, "video": video, "remarks": remarks}


def show(project: Project, item: str) -> Shown:
    """The newest revision of an item. Raises `UsageError` for an id that the project does not have."""
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    with Store.read(project.store) as store:
        slot = slot_of(project, store, item)
        found = store.latest(Item, slot.slot_id)
        if found is None:
            raise UsageError(f"{item} never came as far as a question: {', '.join(outcome(store, slot.slot_id))}")
        clip = store.latest(Clip, slot.slot_id)
        return Shown(
            found,
            *outcome(store, slot.slot_id),
            store.latest(Reference, slot.slot_id),
            store.latest(Plan, slot.slot_id),
            clip,
            _filmed(store, clip),
            store.latest(Trace, slot.slot_id),
            tuple(_remarks(store, slot.slot_id)),
        )


class Listed(NamedTuple):
    """One line of the list of items."""

    id: str
    capability: str
    interaction: str
    outcome: str
    code: str
    question: str


def listing(project: Project) -> list[Listed]:
    """Every slot that came as far as a question, in the order of their numbers."""
    if not project.store.exists():
        return []
    with Store.read(project.store) as store:
        slots = sorted((slot for _, slot in store.all(Slot)), key=lambda slot: slot.number)
        found = [(slot, store.latest(Item, slot.slot_id)) for slot in slots]
        return [
            Listed(item.item_id, item.capability, item.interaction, *outcome(store, slot.slot_id), item.question)
            for slot, item in found
            if item is not None
        ]


def slot_of(project: Project, store: Store, item: str) -> Slot:
    """The slot that made an item."""
    for _, slot in store.all(Slot):
        if item_id(project.config.seed, slot.slot_id) == item:
            return slot
    raise UsageError(f"no item {item!r}; `benchwright item show` lists them")


def outcome(store: Store, slot_id: str) -> tuple[str, str]:
    """What became of a slot, and its code; `undecided` where nothing did yet."""
    events = [event for event in store.events(slot_id=slot_id) if event.kind in OUTCOMES]
    return (events[-1].kind, str(events[-1].payload["code"])) if events else ("undecided", "")


def _filmed(store: Store, clip: Clip | None) -> Filmed | None:
    if clip is None or clip.video is None:
        return None
    span = clip.video
    return Filmed(sources_of(store)[span.source_id].path, span.start, span.end, span.confidence)


def _remarks(store: Store, slot_id: str) -> list[Remark]:
    remarks = [
        Remark(key.round, key.node, key.run, said) for record in STEPS for key, said in store.all(record, slot_id)
    ]
    return sorted(remarks, key=lambda remark: (remark.round, STEPS.index(type(remark.said)), remark.run))
