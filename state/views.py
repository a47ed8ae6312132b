"""Role views: the frozen object that is the only input of an agent, built through that role's guarded session alone.

A view is a function of (role, slot, round, run), the lexicon, and the slot's rows that precede that node: those written
later, by this node or by others after it, do not change it, so an audit can build it again. The proposing side sees
what was written up to its own run of the round; the answering side and the critic see the round's newest revision.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ..errors import BenchwrightError, UsageError
from ..schemas.base import Record, content_hash, shown_order
from ..schemas.clip import Clip
from ..schemas.grounding import Trace
from ..schemas.item import Brief, Candidate, Cues, Draft, Item, Plan, Slot
from ..schemas.review import BlindView, ExpertView
from ..schemas.source import LexiconEntry, Source
from ..schemas.story import Entity
from ..schemas.view import (
    Adjudication,
    AdjudicatorView,
    Answer,
    AnswerView,
    CriticView,
    DirectorView,
    Feedback,
    GeneratorView,
    ProposeView,
    QuestionView,
    Role,
    TrackerView,
)  # fmt: skip
from .guard import Guard
from .log import LogEntry
from .reads import Bound, Rows, find, newest
from .reviewing import blind, expert
from .tables import NodeKey

R = TypeVar("R", bound=Record)
View = (
    DirectorView
    | TrackerView
    | GeneratorView
    | QuestionView
    | ProposeView
    | AnswerView
    | AdjudicatorView
    | CriticView
    | BlindView
    | ExpertView
)

SHOWN_ITEM = ("item_id", "capability", "format", "clip", "background", "question", "options", "history")


class Seen(NamedTuple):
    """A view together with what the isolation log says of it."""

    view: View
    role: Role
    version: str
    """`public_hash` of the item shown; before there is one, hash of the slot's id, source and coordinate."""
    fields: tuple[str, ...]
    """`Record.field` for each field that was read, in order of reading."""

    def entry(self, item_id: str, key: NodeKey, *, policy_sha256: str, prompt_sha256: str | None = None) -> LogEntry:
        """The log entry of the node that was given this view; for `rules` the prompt is the view itself."""
        return LogEntry(
            item_id=item_id, node=key.node, round=key.round, run=key.run, role=self.role, version=self.version,
            fields=self.fields, prompt_sha256=prompt_sha256 or content_hash(self.view), policy_sha256=policy_sha256,
        )  # fmt: skip


class Look:
    """One look at the store through a role's guard, which notes every field that it reads."""

    def __init__(self, guard: Guard, key: NodeKey, seed: int | None, answer_policy: str) -> None:
        self.guard, self.seed, self.answer_policy = guard, seed, answer_policy
        self.slot_id, self.node, self.round, self.run = key
        self.fields: dict[str, None] = {}
        self.version = ""

    @property
    def to_date(self) -> Bound:
        """Up to this run of this round."""
        return self.round, self.run + 1

    @property
    def before_run(self) -> Bound:
        return self.round, self.run

    @property
    def whole_round(self) -> Bound:
        return self.round + 1, 0

    def maybe(self, record: type[Record], rows: Rows, *fields: str) -> dict[str, Any] | None:
        """The newest such row's fields (all of them if none is named), or None."""
        fields = fields or tuple(record.model_fields)
        self.fields |= dict.fromkeys(f"{record.__name__}.{name}" for name in fields)
        found = newest(self.guard, record, rows._replace(slot_id=rows.slot_id or self.slot_id), fields)
        return found and found.values

    def has(self, record: type[Record]) -> bool:
        """Whether such a row is there; nothing of it is read."""
        return newest(self.guard, record, Rows(self.slot_id, before=self.to_date), ("slot_id",)) is not None

    def need(self, record: type[Record], before: Bound, *fields: str) -> dict[str, Any]:
        found = self.maybe(record, Rows(before=before), *fields)
        if found is None:
            raise self.lacks(record.__name__)
        return found

    def lacks(self, what: str) -> BenchwrightError:
        at = f"{self.slot_id} round {self.round} run {self.run}"
        return BenchwrightError(f"{at}: the {self.guard.role} needs a {what} and none is stored")

    def whole(self, record: type[R], before: Bound) -> R:
        return record.model_validate(self.need(record, before))

    def source(self) -> Source:
        source_id = self.need(Slot, self.whole_round, "source_id")["source_id"]
        found = self.maybe(Source, Rows(slot_id=source_id))
        if found is None:
            raise self.lacks(f"Source {source_id}")
        return Source.model_validate(found)

    def people(self) -> tuple[Entity, ...]:
        self.fields["LexiconEntry.entity"] = None
        entries = find(self.guard, LexiconEntry, Rows(), ("entity",))
        return tuple(Entity.model_validate(entry.values["entity"]) for entry in entries)

    def feedback(self) -> Feedback | None:
        """A gate's refusal in this round, else the critic's word on an earlier one."""
        gates = self.maybe(Feedback, Rows(node="gates", round=self.round, before=self.before_run))
        found = gates or self.maybe(Feedback, Rows(node="critic", before=(self.round, 0)))
        return Feedback.model_validate(found) if found else None

    def item(self, *fields: str) -> dict[str, Any]:
        """The newest revision of this round; its public hash becomes the version of the view."""
        shown = newest(self.guard, Item, Rows(slot_id=self.slot_id, before=self.whole_round), ("public_hash",))
        self.version = shown.values["public_hash"] if shown else ""
        return self.need(Item, self.whole_round, *fields)


def director(look: Look) -> DirectorView:
    return DirectorView(source=look.source(), **look.need(Slot, look.to_date, "coordinate", "ordinal"))


def tracker(look: Look) -> TrackerView:
    return TrackerView(source=look.source(), plan=look.whole(Plan, look.to_date), people=look.people())


def generator(look: Look) -> GeneratorView | ProposeView:
    if look.has(Brief):
        return _propose(look)
    draft = look.maybe(Draft, Rows(before=look.before_run))
    return GeneratorView(
        source=look.source(),
        coordinate=look.need(Slot, look.to_date, "coordinate")["coordinate"],
        plan=look.whole(Plan, look.to_date),
        trace=look.whole(Trace, look.to_date),
        people=look.people(),
        slot_id=look.slot_id,
        draft=Draft.model_validate(draft) if draft else None,
        feedback=look.feedback(),
    )


def question(look: Look) -> QuestionView | ProposeView:
    if look.has(Brief):
        return _propose(look)
    draft = look.need(Draft, look.before_run, "question", "frame", "options", "wording")
    feedback = look.feedback()
    if feedback is None:
        raise look.lacks("Feedback")
    texts = tuple(option["text"] for option in draft.pop("options"))
    coordinate = look.need(Slot, look.to_date, "coordinate")["coordinate"]
    return QuestionView(coordinate=coordinate, options=texts, feedback=feedback, **draft)


def _propose(look: Look) -> ProposeView:
    """An item that no code derives: the first look at a slot with a brief, or a candidate of its own that came back."""
    candidate = look.maybe(Candidate, Rows(before=look.before_run))
    clip = look.need(Clip, look.to_date, "background", "transcript", "video")
    cues = look.maybe(Cues, Rows(before=look.to_date), "cues")
    return ProposeView(
        slot_id=look.slot_id,
        coordinate=look.need(Slot, look.to_date, "coordinate")["coordinate"],
        cues=cues["cues"] if cues else (),
        candidate=Candidate.model_validate(candidate) if candidate else None,
        feedback=look.feedback(),
        **look.need(Brief, look.to_date),
        **clip,
    )


def answer(look: Look) -> AnswerView:
    if look.seed is None:
        raise UsageError("the order of options needs the project's seed: Store.open(path, seed=…)")
    item = look.item(*SHOWN_ITEM)
    options = {option["id"]: option for option in item.pop("options")}
    order = shown_order(look.seed, f"{item['item_id']}/{look.run}", options)
    clip = look.need(Clip, look.whole_round, "transcript", "video")
    return AnswerView(options=tuple(options[name] for name in order), **clip, **item)


def adjudicator(look: Look) -> AdjudicatorView:
    source, item = look.source(), look.item("question", "options", "recipe")
    if item.get("recipe") is not None:
        return AdjudicatorView(source=source, **item)
    beside = look.item("capability", "background") | look.need(Clip, look.whole_round, "transcript", "video")
    cues = look.maybe(Cues, Rows(before=look.whole_round), "cues")
    return AdjudicatorView(source=source, **({"recipe": None} | item | beside), cues=cues["cues"] if cues else ())


def critic(look: Look) -> CriticView:
    answers = find(look.guard, Answer, Rows(look.slot_id, "answer", look.round))
    look.fields |= dict.fromkeys(f"Answer.{name}" for name in Answer.model_fields)
    item = Item.model_validate(look.item())
    label = look.maybe(Adjudication, Rows(before=look.whole_round))
    if item.recipe is not None and label is None:
        raise look.lacks("Adjudication")
    return CriticView(
        item=item,
        draft=look.whole(Draft, look.whole_round) if item.recipe is not None else None,
        answers=tuple(Answer.model_validate(found.values) for found in answers),
        answer_policy=look.answer_policy,
        adjudication=Adjudication.model_validate(label) if label else None,
        round=look.round,
        **look.need(Clip, look.whole_round, "transcript", "video"),
    )


BUILDERS: dict[Role, Callable[[Look], View]] = {
    "director": director,
    "tracker": tracker,
    "generator": generator,
    "question": question,
    "answer": answer,
    "adjudicator": adjudicator,
    "critic": critic,
    "blind": blind,
    "expert": expert,
}


def see(look: Look) -> Seen:
    """Build the view of the guard's role. Raises `UsageError` for a role that is given none here."""
    role = look.guard.role
    if role not in BUILDERS:
        raise UsageError(f"role {role} has no view of a slot; those that have are {', '.join(BUILDERS)}")
    view = BUILDERS[role](look)
    return Seen(view, role, look.version or _slot_hash(look), tuple(look.fields))


def _slot_hash(look: Look) -> str:
    shown = newest(look.guard, Slot, Rows(slot_id=look.slot_id), ("slot_id", "source_id", "coordinate"))
    return content_hash(shown.values) if shown else ""
