"""The desk: opens tasks, keeps each save under the next revision, and never loses or overwrites one.

A save names the revision that it goes on from. The store holds one entry under each key, so that of two saves that
go on from the same revision one is kept and the other told, within this process and between processes.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..schemas.base import plain, shown_order
from ..schemas.review import PLANTED, Mode, ReviewEntry, Saving
from ..state.store import NodeKey, Store
from ..state.tables import now
from .content import NEWEST, Content, Sheet, log_blind
from .modes import FORMS
from .queue import Place, Queue, Task
from .work import Saved, SaveError, accepted, following

__all__ = ["ConflictError", "Desk", "MissingError", "SaveError"]

BLIND_MODES: frozenset[Mode] = frozenset({"verification", "baseline", "overlap", "annotation"})
POLICY = "people"


class MissingError(Exception):
    """No such task, or none of this person's."""


class ConflictError(Exception):
    """The task has moved on: another page has saved, or the item was edited. `state` is how it stands."""

    def __init__(self, reason: str, state: dict[str, Any]) -> None:
        self.reason, self.state = reason, state
        super().__init__(reason)


class Standing(NamedTuple):
    """A task in one person's hands, with what may be shown of it now."""

    task: Task
    saved: Saved
    public: Sheet
    behind: Sheet | None


class Desk:
    """All of a review in progress. Its methods are called from one event loop."""

    def __init__(
        self, store: Store, queue: Queue, contents: Mapping[Mode, Content], seed: int,
        clock: Callable[[], float] = time.monotonic, on_finish: Callable[["Desk", Task], None] | None = None,
    ) -> None:  # fmt: skip
        self.store, self.queue, self._contents, self._seed, self._clock = store, queue, contents, seed, clock
        self._on_finish = on_finish or (lambda desk, task: None)
        self._formats: dict[str, str] = {}
        for place, saved in last_entries(store).items():
            self.queue.keep(place, saved)

    def renew(self, other: "Desk") -> None:
        """Take over the tasks of a desk that was made anew from the store, and keep what was saved since."""
        for place, saved in self.queue.saved.items():
            standing = other.queue.saved.get(place)
            if standing is None or standing.revision < saved.revision:
                other.queue.keep(place, saved)
        other.queue.seen |= self.queue.seen
        self.queue, self._on_finish = other.queue, other._on_finish

    def overview(self, person: str) -> dict[str, Any]:
        """What a person has to do, by mode."""
        modes = [
            {"mode": mode, "title": FORMS[mode].title, "done": done, "total": total}
            for mode, (done, total) in self.queue.modes(person).items()
        ]
        return {"reviewer": person, "modes": modes}

    async def next(self, person: str, mode: Mode, after: str = "") -> dict[str, Any] | None:
        """Open the next task of a mode; None where nothing is left."""
        task = self.queue.next(person, mode, self._clock(), after)
        return None if task is None else await self.open(person, task.id)

    async def open(self, person: str, task_id: str) -> dict[str, Any]:
        """The task as it stands, begun if it was not. Raises `MissingError`."""
        place = Place(task_id, person)
        if not self.queue.may(place):
            raise MissingError
        self.queue.seen[person] = self._clock()
        standing = await self._standing(place)
        return self.state(standing)

    async def act(self, person: str, task_id: str, saving: Saving) -> dict[str, Any]:
        """Keep a save. Raises `MissingError`, `SaveError`, or `ConflictError` with how the task stands."""
        place = Place(task_id, person)
        saved = self.queue.saved.get(place)
        if saved is None or not self.queue.may(place):
            raise MissingError
        self.queue.seen[person] = self._clock()
        if saving.revision != saved.revision:
            return await self._again(place, saving, saved)
        final = saving.action in ("lock", "submit")
        standing = await self._standing(place) if final else self._passing(place, saved)
        if standing.saved.revision != saved.revision:
            raise ConflictError("the item was edited meanwhile: look at it anew", self.state(standing))
        if saving.action == "lock" and FORMS[standing.task.mode].criteria and saving.work.said != "skip":
            task = standing.task
            standing = standing._replace(behind=self._contents[task.mode].behind(task.subject, standing.public))
        entry = self._undone(place, saved) if saving.action == "undo" else self._entry(standing, saving)
        kept = await self._put(place, saved.revision + 1, entry)
        if kept.entry != entry:
            raise ConflictError("another page of yours has saved", self.state(await self._standing(place)))
        if kept.entry.stage == "done":
            self._on_finish(self, self.queue.tasks[task_id])
        return self.state(standing._replace(saved=kept)) if final else brief(kept)

    def editable(self, person: str, task_id: str) -> str:
        """The slot of the item that a task shows whole to this person. Raises `MissingError`."""
        place = Place(task_id, person)
        saved = self.queue.saved.get(place)
        if saved is None or saved.entry.mode != "adjudication" or not self.queue.may(place):
            raise MissingError
        return self.queue.tasks[task_id].subject

    def current(self, slot: str, item_hash: str) -> None:
        """Raises `SaveError` where an item is no longer the one that an edit began from."""
        if self.store.view("expert", slot, NEWEST).item_hash != item_hash:
            raise SaveError("somebody has edited the item meanwhile: load it anew")

    def state(self, standing: Standing) -> dict[str, Any]:
        """A task as a page gets it: nothing but the public side before the lock."""
        task, saved, public, behind = standing
        form = FORMS[task.mode]
        criteria = [criterion._asdict() for criterion in form.criteria] if saved.entry.stage != "blind" else []
        item_hash = saved.entry.item_hash if behind else ""
        return {
            "task": task.id, "mode": task.mode, "title": form.title, "help": form.help, "answer": form.answer,
            "steps": form.steps, "item_hash": item_hash, "shown": list(saved.entry.shown), "public": public.data,
            "criteria": criteria, "behind": behind.data if behind else None, **brief(saved),
        }  # fmt: skip

    async def _standing(self, place: Place) -> Standing:
        """How a task stands for a person; begun, or begun anew where what was seen is no longer so."""
        task = self.queue.tasks[place.task]
        saved = self.queue.saved.get(place)
        public = self._contents[task.mode].public(task.subject)
        if saved is None:
            saved = await self._begin(place, task, public, 1)
        elif saved.entry.public_hash != public.hash:
            saved = await self._begin(place, task, public, saved.revision + 1)
        behind = self._contents[task.mode].behind(task.subject, public) if _reveals(saved.entry) else None
        if behind and saved.entry.item_hash != behind.hash:
            work = saved.entry.work.model_copy(update={"marks": {}})
            renewed = {
                "action": "open",
                "stage": "expert",
                "work": work,
                "item_hash": behind.hash,
                "before": 0,
                "at": now(),
            }
            saved = await self._put(place, saved.revision + 1, saved.entry.model_copy(update=renewed))
        return Standing(task, saved, public, behind)

    def _passing(self, place: Place, saved: Saved) -> Standing:
        """Without reading the store: a save in passing is held against what was shown."""
        task, entry = self.queue.tasks[place.task], saved.entry
        if task.id not in self._formats:
            self._formats[task.id] = self._contents[task.mode].public(task.subject).format
        return Standing(task, saved, Sheet({}, entry.public_hash, entry.shown, self._formats[task.id]), None)

    async def _begin(self, place: Place, task: Task, public: Sheet, revision: int) -> Saved:
        entry = ReviewEntry(
            task=task.id, mode=task.mode, reviewer=place.person, action="open",
            stage=FORMS[task.mode].stages[0], public_hash=public.hash,
            shown=shown_order(self._seed, f"{task.id}/{place.person}", public.options), at=now(),
        )  # fmt: skip
        return await self._put(place, revision, entry)

    def _entry(self, standing: Standing, saving: Saving) -> ReviewEntry:
        saved = standing.saved
        work = accepted(saved.entry, saving, standing.public)
        stage = following(saved.entry, saving.action, work)
        if saving.action == "save" and work == saved.entry.work:
            before = saved.entry.before
        else:
            before = saved.revision if saving.action == "save" else 0
        changed = {
            "action": saving.action, "stage": stage, "work": work, "before": before, "at": now(),
            "item_hash": standing.behind.hash if standing.behind and stage != "blind" else saved.entry.item_hash,
            "seconds": max(saving.seconds, saved.entry.seconds), "watched": max(saving.watched, saved.entry.watched),
        }  # fmt: skip
        return ReviewEntry.model_validate(plain(saved.entry.model_dump() | changed))

    def _undone(self, place: Place, saved: Saved) -> ReviewEntry:
        """What an undo makes of a task: the work of an earlier revision of the same stage."""
        key = self._key(place, saved.entry.before)
        earlier = self.store.get(ReviewEntry, key) if saved.entry.before and saved.entry.stage != "done" else None
        if earlier is None:
            raise SaveError("there is nothing to undo")
        changed = {"action": "undo", "work": earlier.work, "before": earlier.before, "at": now()}
        return saved.entry.model_copy(update=changed)

    async def _again(self, place: Place, saving: Saving, saved: Saved) -> dict[str, Any]:
        """A save that comes twice, since its answer was lost on the way, is no conflict."""
        entry = saved.entry
        same = saving.revision == saved.revision - 1 and entry.action == saving.action and entry.work == saving.work
        if not same:
            raise ConflictError("another page of yours has saved", self.state(await self._standing(place)))
        return self.state(await self._standing(place))

    def _key(self, place: Place, revision: int) -> NodeKey:
        task = self.queue.tasks[place.task]
        return NodeKey(task.subject, f"{task.mode}/{place.person}", revision, task.ballot)

    async def _put(self, place: Place, revision: int, entry: ReviewEntry) -> Saved:
        """Keep an entry, or find what stands in its place already. It is on disk once this returns."""
        task = self.queue.tasks[place.task]
        putting = self.store.put(self._key(place, revision), entry)
        if entry.action == "open" and task.mode in BLIND_MODES and not task.subject.startswith(PLANTED):
            (kept,), _ = await asyncio.gather(putting, self._log(task, place.person))
        else:
            (kept,) = await putting
        saved = Saved(self._key(place, revision), kept)
        standing = self.queue.saved.get(place)
        if standing is None or standing.revision < revision:
            self.queue.keep(place, saved)
        return saved

    async def _log(self, task: Task, person: str) -> None:
        """The isolation log takes note of who was shown what, of every item that may reach a release."""
        key, entry = log_blind(self.store, task.subject, person, POLICY)
        await self.store.put(key, log=entry)


def _reveals(entry: ReviewEntry) -> bool:
    """Whether what stands behind an item may be shown: to who judges it, once the answer is locked."""
    return bool(FORMS[entry.mode].criteria) and (entry.stage == "expert" or bool(entry.item_hash))


def brief(saved: Saved) -> dict[str, Any]:
    """What a save is answered with."""
    entry = saved.entry
    return {
        "revision": saved.revision, "stage": entry.stage, "work": entry.work.model_dump(mode="json"),
        "undo": bool(entry.before) and entry.stage != "done", "seconds": entry.seconds, "watched": entry.watched,
    }  # fmt: skip


def last_entries(store: Store, subject: str | None = None) -> dict[Place, Saved]:
    """The last entry of each task in each person's hands, on one subject or on all."""
    found: dict[Place, Saved] = {}
    for key, entry in store.all(ReviewEntry, subject):
        place = Place(entry.task, entry.reviewer)
        if place not in found or found[place].revision < key.round:
            found[place] = Saved(key, entry)
    return found
