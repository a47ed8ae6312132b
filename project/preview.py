"""`preview`: a few slots of the build, and every round of them: who was asked what, what came back, what it cost.

The slots are the next ones of the build itself: what is paid for them is not paid again.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..graph.context import Run
from ..graph.proposing import ATTEMPTS
from ..schemas.base import Record, item_id
from ..schemas.call import CallRow, Request
from ..schemas.call import Part as Piece
from ..schemas.item import Candidate, Draft, Item, Plan, Slot
from ..schemas.view import Adjudication, Answer, Feedback, Verdict
from ..state.ledger import StoreLedger
from ..state.log import LogEntry, chains
from ..state.store import NodeKey, Store
from . import items
from .build import Part, build
from .folder import Project
from .progress import Progress, quiet
from .status import Summary, decisions

MADE: Mapping[str, tuple[type[Record], ...]] = {
    "director": (Plan,),
    "tracker": (),
    "generator": (Draft, Candidate),
    "question": (Draft, Candidate),
    "gates": (Feedback,),
    "adjudicator": (Adjudication,),
    "answer": (Answer,),
    "critic": (Verdict,),
}
"""What each node leaves behind that is worth showing."""


class Said(NamedTuple):
    """One call: what was sent beyond the first request, and what came back."""

    reply: str
    status: str
    usd: float
    seconds: float
    correction: str
    """Words of the correction that was asked for, where this reply follows one."""


class Step(NamedTuple):
    """One node of one round."""

    round: int
    node: str
    run: int
    role: str
    policy: str
    """`rules`, or the model's name."""
    prompt: tuple[tuple[str, str], ...]
    """(role, text) of each message; none where rules did it."""
    replies: tuple[Said, ...]
    made: tuple[dict[str, Any], ...]

    @property
    def usd(self) -> float:
        return sum(said.usd for said in self.replies)


class Shown(NamedTuple):
    """One slot."""

    slot: str
    item: str
    outcome: str
    code: str
    question: str
    steps: tuple[Step, ...]

    @property
    def usd(self) -> float:
        return sum(step.usd for step in self.steps)

    def json(self) -> dict[str, Any]:
        steps = [
            step._asdict() | {"prompt": [list(one) for one in step.prompt], "usd": round(step.usd, 6),
                              "replies": [said._asdict() for said in step.replies], "made": list(step.made)}
            for step in self.steps
        ]  # fmt: skip
        return self._asdict() | {"usd": round(self.usd, 6), "steps": steps}


class Preview(NamedTuple):
    slots: tuple[Shown, ...]
    built: Summary

    def json(self) -> dict[str, Any]:
        return {"slots": [shown.json() for shown in self.slots], "usd": round(sum(one.usd for one in self.slots), 6)}


def preview(project: Project, count: int, capability: str | None = None, *, progress: Progress = quiet) -> Preview:
    """Run the next `count` slots and show them. Raises what `build` does."""
    before = _decided(project)
    built = build(project, Part(capability, slots=count), progress=progress)
    with Store.read(project.store, seed=project.config.seed) as store:
        slots = sorted((slot for _, slot in store.all(Slot)), key=lambda slot: slot.number)
        fresh = [slot for slot in slots if slot.slot_id not in before]
        return Preview(tuple(_shown(project, store, slot) for slot in fresh), built)


def _decided(project: Project) -> set[str]:
    if not project.store.exists():
        return set()
    with Store.read(project.store) as store:
        return set(decisions(store))


def _shown(project: Project, store: Store, slot: Slot) -> Shown:
    identity = item_id(project.config.seed, slot.slot_id)
    outcome, code = items.outcome(store, slot.slot_id)
    item = store.latest(Item, slot.slot_id)
    links = dict(chains(store)).get(identity, [])
    books = _Books(store)
    policies: dict[str, str] = {role: policy.model or "rules" for role, policy in project.config.roles.items()}
    steps = tuple(_step(store, books, slot, link.entry, policies) for link in links)
    return Shown(slot.slot_id, identity, outcome, code, item.question if item else "", steps)


def _step(store: Store, books: "_Books", slot: Slot, entry: LogEntry, policies: Mapping[str, str]) -> Step:
    request = books.request(entry.prompt_sha256)
    key = NodeKey(slot.slot_id, entry.node, entry.round, entry.run)
    found = (store.get(record, key) for record in MADE.get(entry.node, ()))
    return Step(
        entry.round,
        entry.node,
        entry.run,
        entry.role,
        policies.get(entry.role, "rules") if request else "rules",
        tuple((one.role, "\n\n".join(map(_told, one.parts))) for one in request.messages) if request else (),
        tuple(books.said(entry.prompt_sha256, _sample(entry, slot))) if request else (),
        tuple(one.model_dump(mode="json", exclude_defaults=True) for one in found if one is not None),
    )


def _told(part: Piece) -> str:
    """A part of a message as text; what is shown by its kind and hash."""
    if part.media_sha256 is None:
        return part.text
    seconds = "" if part.start is None else f", {part.start:.3f} to {part.end:.3f} s"
    return f"[{part.kind} {part.media_sha256[:19]}…{seconds}]"


def _sample(entry: LogEntry, slot: Slot) -> int:
    """The sample under which a node's call stands in the ledger."""
    if entry.role == "answer":
        return entry.round * Run.answer_runs + entry.run
    if entry.role in ("question", "generator"):
        return entry.round * ATTEMPTS + entry.run
    return {"critic": entry.round, "director": slot.ordinal}.get(entry.role, 0)


class _Books:
    """The ledger's calls by request, and corrections by the request that they correct."""

    def __init__(self, store: Store) -> None:
        self._ledger = StoreLedger(store)
        self._calls = defaultdict[tuple[str, int], list[CallRow]](list)
        for row in self._ledger.calls():
            if row.reply is not None and not row.cached:
                self._calls[row.request_sha256, row.sample].append(row)
        self._corrections = defaultdict[str, list[tuple[str, str]]](list)
        for sha256 in {request for request, _ in self._calls}:
            request = self.request(sha256)
            if request and [one.role for one in request.messages[-2:]] == ["assistant", "user"]:
                first = request.model_copy(update={"messages": request.messages[:-2]})
                self._corrections[first.sha256].append((sha256, request.messages[-1].parts[0].text))

    def request(self, sha256: str) -> Request | None:
        sent = self._ledger.request(sha256)
        return Request.model_validate_json(sent) if sent else None

    def said(self, sha256: str, sample: int) -> Iterator[Said]:
        """What came back to a request, and to its correction."""
        yield from _replies(self._calls[sha256, sample], "")
        for other, words in self._corrections[sha256]:
            yield from _replies(self._calls[other, sample], words)


def _replies(rows: Sequence[CallRow], correction: str) -> Iterator[Said]:
    for row in rows:
        if row.reply is not None:
            yield Said(row.reply.text, row.status, row.usd, row.seconds, correction)
