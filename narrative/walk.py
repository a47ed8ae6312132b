"""How whole exploration takes steps: a position and its choices go in, what each choice leads to comes out.

One class for each kind of story. Requests may run ahead of replies, so that a child process and its parent work at
once; replies come in the order of the requests, so that the result depends on neither's speed.
"""

import json
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from ..errors import InputError
from ..schemas.base import digest
from ..schemas.story import Scalar
from .ink import InkStory, read_line, read_step
from .ink_index import scalar
from .ink_process import SECONDS, Child, ChildError
from .own import OwnStory
from .own_liveness import OwnLiveness
from .runtime import Branch, Line, Step, Story, expand, future

AHEAD = 60_000
"""Bytes of requests that may wait at one process: less than a pipe holds, else both sides could wait for each other."""
WORKERS = 2
"""Child processes of one exploration."""


class Reached(NamedTuple):
    """What a choice led to."""

    key: str
    """Equal keys: states that can never differ again."""
    step: Step
    """Where `text` is None only its lines and variables are filled in."""
    text: str | None
    """The saved position; None where this key came with its position before, or the story has ended."""


class Walk(Protocol):
    """Steps through one story. A failure is told in words, and the rest goes on."""

    def begin(self) -> Reached:
        """The first decision. Raises `InputError` where the story fails before it."""

    def has_room(self, text: str) -> bool:
        """Whether a request for this position may be sent now."""

    def send(self, text: str, count: int) -> None:
        """Ask for what follows each of the first `count` choices at a position."""

    def receive(self) -> list[Reached | str]:
        """The oldest reply: by choice, what it led to, or why the story failed."""

    def close(self) -> None:
        """Free what is held."""


def walk(story: Story, watched: Iterable[str] = ()) -> Walk:
    """The way to step through a story. `watched` variables are part of every state."""
    if isinstance(story, InkStory):
        return InkWalk(story, watched)
    return OwnWalk(story, watched) if isinstance(story, OwnStory) else PlainWalk(story)


class PlainWalk:
    """Any story, by its own runtime. States are one where their positions are equal, what was told apart."""

    def __init__(self, story: Story) -> None:
        self._runtime = story.runtime()
        self._waiting: deque[tuple[str, int]] = deque()

    def begin(self) -> Reached:
        step = self._runtime.start()
        return self._reached(step, self._runtime.save())

    def has_room(self, text: str) -> bool:
        return not self._waiting

    def send(self, text: str, count: int) -> None:
        self._waiting.append((text, count))

    def receive(self) -> list[Reached | str]:
        return [self._read(branch) for branch in expand(self._runtime, *self._waiting.popleft())]

    def close(self) -> None:
        self._runtime.close()

    def _read(self, branch: Branch) -> Reached | str:
        return self._reached(branch.step, branch.state) if branch.step else branch.error.problem if branch.error else ""

    def _reached(self, step: Step, text: str) -> Reached:
        if not step.choices:
            return Reached(ending_key(step), step, None)
        return Reached(digest("state", future(text)), step, text)


class OwnWalk(PlainWalk):
    """A story in our own format, whose positions are one state where nothing that is still read differs."""

    def __init__(self, story: OwnStory, watched: Iterable[str] = ()) -> None:
        super().__init__(story)
        self._liveness, self._watched = OwnLiveness(story, watched), frozenset(watched)

    def _reached(self, step: Step, text: str) -> Reached:
        key, names = self._liveness.key(step, text) if step.choices else (ending_key(step), self._watched)
        told = step._replace(variables={name: value for name, value in step.variables.items() if name in names})
        return Reached(digest("state", key), told, text) if step.choices else Reached(key, told, None)


class InkWalk:
    """Compiled Ink in child processes that also make the keys (`ink_walker.py`).

    A further process starts when those before it have enough to do.
    """

    def __init__(
        self,
        story: InkStory,
        watched: Iterable[str] = (),
        *,
        workers: int = WORKERS,
        seconds: float = SECONDS,
        timed: bool = False,
    ) -> None:
        opening = {"watched": sorted(watched), "timed": timed}
        self._story = story
        self._lanes = [_Lane(story, seconds, opening) for _ in range(workers)]
        self._order: deque[_Lane] = deque()
        self._lines: dict[str, tuple[Line, ...]] = {}
        self._told: dict[str, Mapping[str, Scalar]] = {}
        """Variables by key."""

    def begin(self) -> Reached:
        try:
            return self._reached(self._lanes[0].ask("begin"))
        except ChildError as error:
            raise InputError(self._story.path, str(error), "before the first choice") from None

    def has_room(self, text: str) -> bool:
        return any(lane.has_room(text) for lane in self._lanes)

    def send(self, text: str, count: int) -> None:
        lane = next(lane for lane in self._lanes if lane.has_room(text))
        lane.send(text, count)
        self._order.append(lane)

    def receive(self) -> list[Reached | str]:
        replies = self._order.popleft().receive()
        return [reply if isinstance(reply, str) else self._reached(reply) for reply in replies]

    def spent(self) -> float:
        """Seconds that the runtime's own calls took, if `timed`; replies that wait are dropped."""
        while self._order:
            self._order.popleft().receive()
        return sum(float(lane.ask("spent")) for lane in self._lanes if lane.used)

    def close(self) -> None:
        for lane in self._lanes:
            lane.close()

    def _reached(self, reply: list[Any]) -> Reached:
        key, told, *new = reply
        if not new:
            return Reached(key, Step(self._read(told), (), self._told[key], ""), None)
        values, names, position = new
        step = read_step(self._story, position)._replace(
            variables=self._variables(values, names), lines=self._read(told)
        )
        if key is None:
            return Reached(ending_key(step), step, None)
        self._told[key] = step.variables
        return Reached(key, step, position)

    def _read(self, told: str) -> tuple[Line, ...]:
        if told not in self._lines:
            self._lines[told] = tuple(read_line(self._story, *line) for line in json.loads(told))
        return self._lines[told]

    def _variables(self, values: Mapping[str, Any], names: list[str] | None) -> dict[str, Scalar]:
        first = self._story.variables
        kept = first if names is None else {name: first[name] for name in names if name in first}
        return kept | {name: scalar(value) for name, value in values.items()}


def size(text: str) -> int:
    """Bytes of a request for a position, at most: JSON escapes its quotes."""
    return 2 * len(text.encode())


class _Lane:
    """One child process, and what it was asked and has not answered."""

    def __init__(self, story: InkStory, seconds: float, opening: dict[str, Any]) -> None:
        self._story, self._seconds, self._opening = story, seconds, opening
        self._child: Child | None = None
        self._waiting: deque[tuple[str, int]] = deque()
        self._bytes = 0
        self.used = False

    def has_room(self, text: str) -> bool:
        return not self._waiting or self._bytes + size(text) <= AHEAD

    def send(self, text: str, count: int) -> None:
        self._waiting.append((text, count))
        self._bytes += size(text)
        self._open().send("walk", text, list(range(count)))

    def receive(self) -> list[Any]:
        text, count = self._waiting.popleft()
        self._bytes -= size(text)
        try:
            replies: list[Any] = self._open().receive()
        except ChildError:
            self.close()
            replies = [self._alone(text, index) for index in range(count)]
            for waiting, its_count in self._waiting:
                self._open().send("walk", waiting, list(range(its_count)))
        return replies

    def ask(self, operation: str, *arguments: Any) -> Any:
        return self._open().ask(operation, *arguments)

    def close(self) -> None:
        if self._child:
            self._child.close()
        self._child = None

    def _open(self) -> Child:
        if self._child is None:
            self._child = Child(self._story.opening() | self._opening, self._seconds, "ink_walker")
            self.used = True
        return self._child

    def _alone(self, text: str, index: int) -> Any:
        """One choice by itself, in a new process if the last one ended: a crash must not hide the others."""
        try:
            return self.ask("walk", text, [index])[0]
        except ChildError as error:
            self.close()
            return str(error)


def ending_key(step: Step) -> str:
    """Nothing follows an ending, so that it is known by what is said of it."""
    return digest("ending", *map(repr, (step.ending, step.chapter, step.protagonist, step.present)))
