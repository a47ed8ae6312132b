"""One queue for every mode: which tasks there are, whose they are, what is done, and what comes next for a person.

Held in memory and built from the store: what a task's last entry says is the truth, this only finds it fast.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..schemas.base import digest
from ..schemas.review import Mode
from .deal import deal
from .work import Saved


class Task(NamedTuple):
    """Something to be done by `each` people."""

    id: str
    """Opaque; says nothing of what the task is about."""
    mode: Mode
    subject: str
    """Slot of an item or of a clip's first item, place of a planted one, id of a reply."""
    ballot: int = 0
    capability: str = ""
    public_hash: str = ""
    """Of the item as it is now; empty where nothing can change it."""
    item_hash: str = ""


class Campaign(NamedTuple):
    """The tasks of one mode, who works on them, and how many people each needs."""

    mode: Mode
    tasks: tuple[Task, ...]
    people: tuple[str, ...]
    each: int
    repeats: int = 0
    """Tasks of their own share that people are given once more at the end, to see whether their answers stay."""


class Place(NamedTuple):
    """Whose work on what."""

    task: str
    person: str


def task_id(seed: int, mode: Mode, subject: str, ballot: int = 0) -> str:
    return "t" + digest(seed, "task", mode, subject, ballot)[:16]


class Queue:
    """Safe for one thread: that of the server's loop."""

    def __init__(self, campaigns: Iterable[Campaign], seed: int, lease: float, now: float) -> None:
        self.lease = lease
        """Seconds for which a share is held after its holder was last seen."""
        self.campaigns = {campaign.mode: campaign for campaign in campaigns}
        self.tasks = {task.id: task for campaign in self.campaigns.values() for task in campaign.tasks}
        self.saved: dict[Place, Saved] = {}
        self.seen: dict[str, float] = {}
        self._start = now
        self._seed = seed
        self._shares: dict[Mode, dict[str, list[str]]] = {}
        self._owners: dict[str, list[str]] = defaultdict(list)
        self._finished: dict[str, set[str]] = defaultdict(set)
        for campaign in self.campaigns.values():
            self._deal(campaign)

    def _deal(self, campaign: Campaign) -> None:
        shares = deal((task.id for task in campaign.tasks), campaign.people, campaign.each, self._seed, campaign.mode)
        self._shares[campaign.mode] = shares
        for person, own in shares.items():
            own += [self._repeat(task) for task in own[: campaign.repeats]]
            for task in own:
                self._owners[task].append(person)

    def _repeat(self, first: str) -> str:
        task = self.tasks[first]
        again = task._replace(id=task_id(self._seed, task.mode, task.subject, 1), ballot=1)
        self.tasks[again.id] = again
        return again.id

    def add(self, task: Task) -> None:
        """A task that came up later. It goes to the people with the least to do."""
        if task.id in self.tasks or task.mode not in self.campaigns:
            return
        campaign = self.campaigns[task.mode]
        self.tasks[task.id] = task
        shares = self._shares[task.mode]
        ranked = sorted(campaign.people, key=lambda person: (len(shares[person]), digest(self._seed, person, task.id)))
        for person in ranked[: campaign.each]:
            shares[person].append(task.id)
            self._owners[task.id].append(person)

    def drop(self, task: str) -> None:
        """A task that nobody needs to do any more. What was saved on it stays."""
        if found := self.tasks.pop(task, None):
            for person in self._owners.pop(task, ()):
                self._shares[found.mode][person].remove(task)

    def keep(self, place: Place, saved: Saved) -> None:
        """Take note of the last entry of a task."""
        self.saved[place] = saved
        finished, task = self._finished[place.task], self.tasks.get(place.task)
        done = saved.entry.stage == "done" and (task is None or _counts(task, saved))
        (finished.add if done else finished.discard)(place.person)

    def modes(self, person: str) -> dict[Mode, tuple[int, int]]:
        """(done, share) of each mode that the person works on, as soon as there is something to be done in it."""
        own = {mode: shares[person] for mode, shares in self._shares.items() if person in shares}
        return {
            mode: (sum(person in self._finished[task] for task in tasks), len(tasks))
            for mode, tasks in own.items()
            if tasks or self.campaigns[mode].tasks
        }

    def may(self, place: Place) -> bool:
        """Whether a person may work on a task: it is theirs, they have begun it, or nobody holds it."""
        task = self.tasks.get(place.task)
        if task is None or place.person not in self.campaigns[task.mode].people:
            return False
        return self.may_own(task.id, place.person) or place in self.saved or self._free(task, place.person)

    def may_own(self, task: str, person: str) -> bool:
        """Whether a task is of the person's own share."""
        return person in self._owners[task]

    def next(self, person: str, mode: Mode, now: float, after: str = "") -> Task | None:
        """The first unfinished task of the person's own share (after one of them, if named), else one that is free."""
        self.seen[person] = now
        campaign = self.campaigns.get(mode)
        if campaign is None or person not in campaign.people:
            return None
        own = self._shares[mode][person]
        start = own.index(after) + 1 if after in own else 0
        for task in (*own[start:], *own[:start]):
            if person not in self._finished[task] and self._wanted(self.tasks[task], person):
                return self.tasks[task]
        taken = (self.tasks[task] for task, whose in self.saved if whose == person and task in self.tasks)
        begun = (task for task in taken if task.mode == mode and person not in self._finished[task.id])
        return next(begun, None) or next((task for task in campaign.tasks if self._free(task, person)), None)

    def begun(self, task: str) -> Mapping[str, Saved]:
        """What was saved on a task, by person."""
        campaign = self.campaigns[self.tasks[task].mode]
        places = ((person, self.saved.get(Place(task, person))) for person in campaign.people)
        return {person: saved for person, saved in places if saved is not None}

    def done_by(self, task: str) -> Sequence[str]:
        return sorted(self._finished[task])

    def _wanted(self, task: Task, person: str) -> bool:
        """Whether a task still needs the person who holds it: others may have taken it meanwhile."""
        finished = self._finished[task.id]
        return Place(task.id, person) in self.saved or len(finished) < self.campaigns[task.mode].each

    def _free(self, task: Task, person: str) -> bool:
        """Whether fewer people than needed have done the task or hold it."""
        finished = self._finished[task.id]
        if person in finished or task.id not in self.tasks:
            return False
        held = {who for who in self._owners[task.id] if who not in finished and self._present(who)}
        busy = {who for who in self.campaigns[task.mode].people
                if Place(task.id, who) in self.saved and who not in finished and self._present(who)}  # fmt: skip
        return len(finished) + len((held | busy) - {person}) < self.campaigns[task.mode].each

    def _present(self, person: str) -> bool:
        latest = max(self.seen.values(), default=self._start)
        return latest - self.seen.get(person, self._start) < self.lease


def _counts(task: Task, saved: Saved) -> bool:
    """Whether what was done was done on the item as it is now."""
    entry = saved.entry
    same = task.public_hash in ("", entry.public_hash)
    return same and (not task.item_hash or entry.item_hash in ("", task.item_hash))
