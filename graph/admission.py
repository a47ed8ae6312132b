"""Admission: what became of each slot, decided in the order of their numbers, never in the order of finishing.

A slot that the Critic accepted is `accepted`, or `surplus` where its target is met, its decision or its words are
taken, or its key is what a reader of surface cues would pick more often than chance.
"""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from ..schemas.base import content_hash, digest
from ..schemas.grounding import Trace
from ..schemas.item import Coordinate, Item, Plan, Reference, Slot
from ..schemas.view import Adjudication, Answer, Verdict
from ..state.store import NodeKey, StoreEvent
from .context import Run

Outcome = Literal["accepted", "surplus", "discarded"]


class Decided(NamedTuple):
    outcome: Outcome
    code: str


class Admission:
    """Keeps what has been taken so far; fed slot by slot in number order, in a first run and in a resumed one."""

    def __init__(self, run: Run, targets: Mapping[Coordinate, int]) -> None:
        self.run, self.targets = run, targets
        self.counts: Counter[Coordinate] = Counter()
        self._taken: set[str] = set()
        self._accepted = self._hits = 0
        self._chances = 0.0

    async def decide(self, slot: Slot, code: str) -> Decided:
        """The decision on a finished slot, stored as an event before it counts."""
        item = self.run.store.latest(Item, slot.slot_id) if code == "accepted" else None
        decided = Decided("discarded", code) if item is None else self._admit(slot, item)
        key = NodeKey(slot.slot_id, "decision", 0)
        event = StoreEvent(decided.outcome, {"code": decided.code, "number": slot.number})
        if item is not None and decided.outcome == "accepted":
            await self.run.store.put(key, self._reference(slot, item), event=event)
        else:
            await self.run.store.put(key, event=event)
        return decided

    def _admit(self, slot: Slot, item: Item) -> Decided:
        if self.counts[slot.coordinate] >= self.targets.get(slot.coordinate, 0):
            return Decided("surplus", "target-met")
        keys = self._keys(slot, item)
        if taken := [name for name, key in keys.items() if key in self._taken]:
            return Decided("surplus", taken[0])
        hit = self._hit(slot, item)
        chance = self._chances + 1 / len(item.options)
        if hit and self._hits + 1 > math.ceil(chance):
            return Decided("surplus", "read-off-the-surface")
        self._taken |= set(keys.values())
        self.counts[slot.coordinate] += 1
        self._hits += hit
        self._chances = chance
        return Decided("accepted", "accepted")

    def _keys(self, slot: Slot, item: Item) -> dict[str, str]:
        """What no two accepted items may share."""
        plan = self.run.store.latest(Plan, slot.slot_id)
        location = plan.location if plan else ""
        texts = sorted(option.text for option in item.options)
        return {
            "decision-taken": digest("decision", item.recipe.claim, slot.source_id, location),
            "question-taken": digest("question", item.question, *texts),
        }

    def _hit(self, slot: Slot, item: Item) -> bool:
        """Whether a `rules` Answer, the reader of surface cues, chose the key; other answers fall under no quota."""
        if self.run.agents.answer.counts:
            return False
        answers = [answer for _, answer in self.run.store.all(Answer, slot.slot_id)][-self.run.answer_runs :]
        return sum(answer.ids == item.answer for answer in answers) * 2 > len(answers)

    def _reference(self, slot: Slot, item: Item) -> Reference:
        store = self.run.store
        plan, trace = store.latest(Plan, slot.slot_id), store.latest(Trace, slot.slot_id)
        verdict, label = store.latest(Verdict, slot.slot_id), store.latest(Adjudication, slot.slot_id)
        if plan is None or trace is None or verdict is None or label is None:
            raise LookupError(f"{slot.slot_id}: accepted without plan, trace, verdict or adjudication")
        text = next(option.text for option in item.options if option.id in label.true)
        answerable = verdict.answerability == "answerable"
        return Reference(
            answer=label.true,
            answer_text=text,
            traps=item.traps,
            cues=tuple(f"line {number}" for number in _last_lines(item)),
            tier=trace.tier,
            status="answerable" if answerable else "derived, answerability unknown",
            episode="e" + digest(self.run.seed, slot.source_id, plan.location)[:10],
            story=slot.source_id,
            first_agree=self._first_agree(slot, label.true),
            item_hash=content_hash([item, label, trace, plan]),
        )

    def _first_agree(self, slot: Slot, key: tuple[str, ...]) -> bool | None:
        if not self.run.agents.answer.counts:
            return None
        first = [a for at, a in self.run.store.all(Answer, slot.slot_id) if at.round == 0]
        return sum(answer.ids == key for answer in first) * 3 >= len(first) * 2


def _last_lines(item: Item) -> range:
    """Numbers (1-based) of the last lines of the clip, which lead to the decision."""
    end = int(item.clip.end)
    return range(max(1, end - 3), end + 1)
