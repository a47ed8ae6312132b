"""What follows from a finished task: where experts differ an adjudicator is asked, and may call for a new vote."""

from collections.abc import Iterable
from typing import Any

from ..schemas.base import digest
from ..schemas.review import ReviewEntry
from ..state.store import Store
from .content import Clips, Items, Sheet, Times, untimed
from .desk import Desk, last_entries
from .modes import decision
from .outcomes import Facts, votes_of
from .queue import Task, task_id
from .verdicts import Subject, Verdict, verdict

SURE = ("", "a guess", "fairly sure", "sure")


class Disputes:
    """To be told of every finished task."""

    def __init__(self, facts: Iterable[Facts], needed: int, seed: int) -> None:
        self._facts = {one.slot: one for one in facts}
        self._needed, self._seed = needed, seed

    def __call__(self, desk: Desk, task: Task) -> None:
        own = self._facts.get(task.subject)
        if own is None:
            return
        if task.mode == "verification" and self._verdict(desk, task, own).disputed:
            desk.queue.add(adjudication(self._seed, own, task.ballot))
        elif task.mode == "adjudication":
            self._decided(desk, task, own)

    def _verdict(self, desk: Desk, task: Task, own: Facts) -> Verdict:
        votes = votes_of(desk.queue.begun(task.id).values()).get(task.subject, ())
        subject = Subject(own.public_hash, own.item_hash, own.answer, own.format != "open", task.ballot)
        return verdict(subject, votes, self._needed)

    def _decided(self, desk: Desk, task: Task, own: Facts) -> None:
        marks = [saved.entry.work.marks for saved in desk.queue.begun(task.id).values() if saved.entry.stage == "done"]
        if any(given.get("outcome") == "vote again" for given in marks):
            desk.queue.add(verification(self._seed, own, task.ballot + 1))


def verification(seed: int, own: Facts, ballot: int) -> Task:
    name = task_id(seed, "verification", own.slot, ballot)
    return Task(name, "verification", own.slot, ballot, own.capability, own.public_hash, own.item_hash)


def adjudication(seed: int, own: Facts, ballot: int) -> Task:
    name = task_id(seed, "adjudication", own.slot, ballot)
    return Task(name, "adjudication", own.slot, ballot, own.capability, own.public_hash, own.item_hash)


class Adjudicated(Items):
    """An item whole, and the votes on it without the names of who cast them."""

    def __init__(self, store: Store, clips: Clips, seed: int, times: Times = untimed) -> None:
        super().__init__(store, clips, times)
        self._entries, self._seed = store, seed

    def behind(self, subject: str, public: Sheet) -> Sheet:
        sheet = super().behind(subject, public)
        texts = {option["id"]: option["text"] for option in public.data["options"]}
        return sheet._replace(data=sheet.data | {"votes": self._votes(subject, texts)})

    def _votes(self, subject: str, texts: dict[str, str]) -> list[dict[str, Any]]:
        cast = [saved.entry for saved in last_entries(self._entries, subject).values()
                if saved.entry.mode == "verification" and saved.entry.stage == "done"]  # fmt: skip
        cast.sort(key=lambda entry: digest(self._seed, "name", subject, entry.reviewer))
        return [
            {"name": str(number), "decision": decision(entry.work), "words": _words(entry, texts),
             "note": entry.work.note}
            for number, entry in enumerate(cast, 1)
        ]  # fmt: skip


def _words(entry: ReviewEntry, texts: dict[str, str]) -> str:
    work = entry.work
    answered = " and ".join(f"“{texts.get(one, one)}”" for one in work.ids) or work.text or work.said
    marks = [f"{name}: {choice}" for name, choice in sorted(work.marks.items())]
    return "; ".join(part for part in (f"answered {answered}", SURE[work.confidence], *marks) if part)
