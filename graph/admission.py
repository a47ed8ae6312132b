"""Admission: what became of each slot, decided in the order of their numbers, never in the order of finishing.

A slot that the Critic accepted is `accepted`, or `surplus` where its target is met, where its decision, its words, or
its question and the line that answers it are taken, or where its key is what a reader of surface cues would pick more
often than chance. What was decided once stays so, even where a later build has other targets and numbers the slots
anew.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

from ..checks.duplicates import claim_key, question_key
from ..checks.texts import plain
from ..schemas.base import content_hash, digest
from ..schemas.clip import Clip, Excerpt
from ..schemas.grounding import Trace
from ..schemas.item import Coordinate, Item, Plan, Reference, Slot
from ..schemas.view import Adjudication, Answer, Verdict
from ..state.store import NodeKey, StoreEvent
from .context import Run
from .coverage import Past

Outcome = Literal["accepted", "surplus", "discarded"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Decided(NamedTuple):
    outcome: Outcome
    code: str


class Admission:
    """Keeps what has been taken so far; fed slot by slot in number order, in a first run and in a resumed one.

    Of the slots that were decided before, those of `sources` count.
    """

    def __init__(self, run: Run, targets: Mapping[Coordinate, int], sources: Collection[str]) -> None:
        self.run, self.targets = run, targets
        self.counts: Counter[Coordinate] = Counter()
        self._taken: set[str] = set()
        self._hits = 0
        self._chances = Fraction()
        self._decided = {
            event.key.slot_id: Decided(outcome, str(event.payload["code"]))
            for outcome in OUTCOMES
            for event in run.store.events(outcome)
        }
        slots = [slot for _, slot in run.store.all(Slot) if slot.slot_id in self._decided and slot.source_id in sources]
        self.past = [
            Past(slot, self._decided[slot.slot_id].outcome == "accepted")
            for slot in sorted(slots, key=lambda slot: (slot.number, slot.slot_id))
        ]
        """What was decided before, in number order."""
        for slot, accepted in self.past:
            if accepted:
                self._count(slot, self._item(slot))

    def decided(self, slot: Slot) -> Decided | None:
        """What became of a slot, now or in an earlier build."""
        return self._decided.get(slot.slot_id)

    async def decide(self, slot: Slot, code: str) -> Decided:
        """The decision on a finished slot, stored as an event before it counts. What was decided before stays."""
        if before := self.decided(slot):
            return before
        item = self._item(slot) if code == "accepted" else None
        decided = Decided("discarded", code) if item is None else self._admit(slot, item)
        key = NodeKey(slot.slot_id, "decision", 0)
        event = StoreEvent(decided.outcome, {"code": decided.code, "number": slot.number})
        if item is not None and decided.outcome == "accepted":
            await self.run.store.put(key, self.reference(slot, item), event=event)
        else:
            await self.run.store.put(key, event=event)
        self._decided[slot.slot_id] = decided
        return decided

    def _item(self, slot: Slot) -> Item:
        item = self.run.store.latest(Item, slot.slot_id)
        if item is None:
            raise LookupError(f"{slot.slot_id}: accepted without an item")
        return item

    def _admit(self, slot: Slot, item: Item) -> Decided:
        if self.counts[slot.coordinate] >= self.targets.get(slot.coordinate, 0):
            return Decided("surplus", "target-met")
        if taken := [name for name, key in self._keys(slot, item).items() if key in self._taken]:
            return Decided("surplus", taken[0])
        if self._hit(slot, item) and self._hits + 1 > math.ceil(self._chances + _chance(item)):
            return Decided("surplus", "read-off-the-surface")
        self._count(slot, item)
        return Decided("accepted", "accepted")

    def _count(self, slot: Slot, item: Item) -> None:
        self._taken |= set(self._keys(slot, item).values())
        self.counts[slot.coordinate] += 1
        self._hits += self._hit(slot, item)
        self._chances += _chance(item)

    def _keys(self, slot: Slot, item: Item) -> dict[str, str]:
        """What no two accepted items may share."""
        plan = self.run.store.latest(Plan, slot.slot_id)
        location = plan.location if plan else ""
        events = item.recipe.events if item.recipe else {}
        told = [str(event.match) for name in item.answer if (event := events.get(name)) and event.kind == "line"]
        answer = {"answer-taken": digest(slot.source_id, plain(item.question), *told)} if told else {}
        claim = item.recipe.claim if item.recipe else item.capability
        return {
            "decision-taken": claim_key(slot.source_id, claim, location),
            "question-taken": question_key(item.question, [option.text for option in item.options]),
            **answer,
        }

    def _hit(self, slot: Slot, item: Item) -> bool:
        """Whether a `rules` Answer, the reader of surface cues, chose the key; other answers fall under no quota."""
        if self.run.agents.answer.counts:
            return False
        answers = [answer for _, answer in self.run.store.all(Answer, slot.slot_id)][-self.run.answer_runs :]
        return sum(answer.ids == item.answer for answer in answers) * 2 > len(answers)

    def reference(self, slot: Slot, item: Item) -> Reference:
        """What is true of an item that went all the way."""
        store = self.run.store
        plan, trace = store.latest(Plan, slot.slot_id), store.latest(Trace, slot.slot_id)
        verdict, label = store.latest(Verdict, slot.slot_id), store.latest(Adjudication, slot.slot_id)
        clip = store.latest(Clip, slot.slot_id)
        if plan is None or trace is None or clip is None or verdict is None or (label is None and item.recipe):
            raise LookupError(f"{slot.slot_id}: accepted without plan, trace, clip, verdict or adjudication")
        right = label.true if label else item.answer
        texts = [option.text for option in item.options if option.id in right]
        answerable = verdict.answerability == "answerable"
        return Reference(
            answer=right,
            answer_text="; ".join(texts) or item.answer_text,
            traps=item.traps,
            cues=clip.leading if item.recipe else item.cues,
            tier=trace.tier,
            status="answerable" if answerable else "derived, answerability unknown",
            episode="e" + digest(self.run.seed, slot.source_id, plan.location)[:10],
            story=slot.source_id,
            tags=_tags(plan, trace, self.run.store.latest(Excerpt, slot.slot_id)),
            first_agree=self._first_agree(slot),
            item_hash=content_hash([item, label, trace, plan]),
        )

    def _first_agree(self, slot: Slot) -> bool | None:
        """Whether the first round's answers chose the key of the first revision: later ones name options anew."""
        if not self.run.agents.answer.counts:
            return None
        item = self.run.store.get(Item, NodeKey(slot.slot_id, "anonymise", 0))
        first = [answer for at, answer in self.run.store.all(Answer, slot.slot_id) if at.round == 0]
        return item is not None and sum(answer.ids == item.answer for answer in first) * 3 >= len(first) * 2


def _chance(item: Item) -> Fraction:
    """Of hitting the key blindly; none where there are no options."""
    return Fraction(1, len(item.options)) if item.options else Fraction(0)


def _tags(plan: Plan, trace: Trace, excerpt: Excerpt | None) -> tuple[str, ...]:
    """What a video gives away that the text does not: names, and the display of what is asked about."""
    if excerpt is None or excerpt.video is None:
        return ()
    shown = plan.claim == "latent_state" and bool(excerpt.overlays)
    tags = {"names-audible": bool(trace.present), "ui-shown": shown}
    return tuple(name for name, holds in tags.items() if holds)
