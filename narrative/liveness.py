"""When two saved positions of an Ink story can never differ again: what is still live, and the key made of it.

A variable is live where some instruction that can still run reads it before it is set again; a visit count, a turn or
the random seed where something that can still run reads it. Everything here over-approximates, so equal keys mean equal
futures, and different keys promise nothing. Live variables: Aho et al., Compilers, 2nd ed., 9.2.5.

The key of a decision holds what is offered (text and target), the call stack each choice carries, its live
temporaries, the live variables, the live visit counts as exactly as they are read, and the turns since where those are
read. What the last step told, thread numbers and the turn itself (unless read) are not in it. Only the standard library
is imported: this runs in the child process.
"""

import hashlib
import json
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .ink_code import START_ONLY, TURNS, VISITS, Code, Fact, Instruction, UnreadableCodeError
from .ink_limits import combined, limited

Frame = tuple[int, str | None, int, bool]
"""One frame of a call stack: its type, the container and index it returns to, whether it evaluates an expression."""
Names = Collection[str]


class _Everything(frozenset[str]):
    def __contains__(self, name: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode

EVERYTHING: frozenset[str] = _Everything()


class Shape(NamedTuple):
    """What a choice on offer carries, values aside."""

    target: str
    previous: str | None
    """The content run before the choice was offered: which containers count as entered depends on it."""
    frames: tuple[Frame, ...]


class Live(NamedTuple):
    """What can still be read from some position."""

    variables: Names
    counts: Mapping[str, int] | None
    """How much of each count is read, see `ink_limits.py`; None for all, exactly."""
    turns: tuple[str, ...] | None
    """None for all."""
    clock: bool
    random: bool
    temporaries: tuple[tuple[Names, ...], ...]
    """By choice and frame."""
    position: str
    """Digest of the position itself."""

    @property
    def holds_temporaries(self) -> bool:
        return any(names for frames in self.temporaries for names in frames)


class Facts:
    """Sets of facts as bits of an integer."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._bits = {fact: 1 << number for number, fact in enumerate(dict.fromkeys(facts))}
        self.temporary = self.of(fact for fact in self._bits if fact.kind == "temporary")

    def of(self, facts: Iterable[Fact]) -> int:
        bits = 0
        for fact in facts:
            bits |= self._bits[fact]
        return bits

    def counts(self, bits: int) -> dict[str, int]:
        """The visit counts among the facts, each with the limit that serves all its readers."""
        limits: dict[str, list[int]] = {}
        for fact, bit in self._bits.items():
            if bit & bits and fact.kind == "count":
                limits.setdefault(fact.name, []).append(fact.limit)
        return {name: combined(each) for name, each in limits.items()}

    def names(self, bits: int, kind: str) -> tuple[str, ...]:
        return tuple(fact.name for fact, bit in self._bits.items() if bit & bits and fact.kind == kind)


def live_before(instructions: list[Instruction], facts: Facts) -> list[int]:
    """What is live before each instruction: the least solution, by a worklist from the end."""
    reads = [facts.of(one.reads) for one in instructions]
    keeps = [~facts.of(one.sets) for one in instructions]
    before: list[list[int]] = [[] for _ in instructions]
    for number, one in enumerate(instructions):
        for follower in one.jumps + one.calls:
            before[follower].append(number)
    live, work = list(reads), deque(range(len(instructions) - 1, -1, -1))
    waiting = [True] * len(instructions)
    while work:
        number = work.popleft()
        waiting[number] = False
        bits = reads[number] | _after(instructions[number], live, facts) & keeps[number]
        if bits != live[number]:
            live[number] = bits
            fresh = [earlier for earlier in before[number] if not waiting[earlier]]
            work.extend(fresh)
            for earlier in fresh:
                waiting[earlier] = True
    return live


def _after(instruction: Instruction, live: list[int], facts: Facts) -> int:
    """Live after an instruction. A called frame has temporaries of its own."""
    bits = 0
    for number in instruction.calls:
        bits |= live[number]
    bits &= ~facts.temporary
    for number in instruction.jumps:
        bits |= live[number]
    return bits


class Liveness:
    """Keys for the saved positions of one compiled story.

    `watched` variables are always live: those whose every value matters to the caller, as a signal. A story whose code
    cannot be followed gets keys that hold everything; `reason` then says why.
    """

    def __init__(self, story: Mapping[str, Any], watched: Iterable[str] = ()) -> None:
        self.watched = frozenset(watched)
        self.reason = ""
        self._cache: dict[Any, Live] = {}
        self._diverts: dict[str, Any] = {}
        try:
            self.code: Code | None = Code(story)
        except UnreadableCodeError as error:
            self.code, self.reason = None, str(error)
            return
        instructions = self.code.instructions
        self._facts = Facts(fact for one in instructions for fact in one.reads + one.sets)
        self._before = live_before(instructions, self._facts)
        self._diverts = {
            name: value for name, value in self.code.defaults.items() if isinstance(value, dict) and "^->" in value
        }

    def key(self, state: Mapping[str, Any]) -> tuple[str, Names]:
        """What tells a saved position apart from every other, as text, and the variables that are live there.

        `state` is bink's saved state without invisible choices; it must offer a choice.
        """
        flow = state["flows"][state["currentFlowName"]]
        choices = flow["currentChoices"]
        threads = [_thread(flow, choice) for choice in choices]
        live = self.live(state, choices, threads)
        shown = [(choice["text"], choice["tags"]) for choice in choices]
        variables = [item for item in state["variablesState"].items() if item[0] in live.variables]
        values: list[Any] = [shown, variables, _counts(state["visitCounts"], live.counts), *_rare(state, live)]
        if live.holds_temporaries:
            values.append(list(_temporaries(live, threads)))
        return live.position + repr(values), live.variables

    def live(self, state: Mapping[str, Any], choices: list[dict[str, Any]], threads: list[dict[str, Any]]) -> Live:
        """What is live where these choices are on offer. Values that are targets of diverts may be jumped to."""
        shapes = tuple(map(_shape, choices, threads))
        targets: frozenset[str] = frozenset(_targets(state["evalStack"])) if state["evalStack"] else frozenset()
        while True:
            live = self._cache.get((shapes, targets)) or self._look(shapes, targets)
            found = targets.union(self._held(state, threads, live))
            if found == targets:
                return live
            targets = found

    def _held(self, state: Mapping[str, Any], threads: list[dict[str, Any]], live: Live) -> Iterator[str]:
        """What the live values lead to: see `_targets`."""
        values = state["variablesState"]
        yield from _targets(value for name, value in values.items() if type(value) is dict and name in live.variables)
        for name, value in self._diverts.items():
            if name in live.variables and name not in values:
                yield value["^->"]
        if live.holds_temporaries:
            for held in _temporaries(live, threads):
                yield from _targets(held.values())

    def _look(self, shapes: tuple[Shape, ...], targets: frozenset[str]) -> Live:
        live = self._everything(shapes) if self.code is None else self._closure(self.code, shapes, targets)
        self._cache[shapes, targets] = live
        return live

    def _everything(self, shapes: tuple[Shape, ...]) -> Live:
        temporaries = tuple(tuple(EVERYTHING for _ in shape.frames) for shape in shapes)
        return Live(EVERYTHING, None, None, True, True, temporaries, _digest(shapes))

    def _closure(self, code: Code, shapes: tuple[Shape, ...], targets: frozenset[str]) -> Live:
        pointed = {target[1:] for target in targets if target.startswith("*")}
        jumps = self._union(n for target in targets if target[0] not in "*^" for n in code.entry(target))
        frames = [self._frames(code, shape) for shape in shapes]
        bits = jumps
        for stack in frames:
            for frame in stack:
                bits |= frame
        names = self._facts.names
        # A tunnel that returns elsewhere, or a pointer into a frame, can reach any temporary.
        loose = bool(names(bits, "onwards")) or "^" in targets
        temporaries = tuple(
            tuple(EVERYTHING if loose else frozenset(names(frame | jumps, "temporary")) for frame in stack)
            for stack in frames
        )
        variables = self.watched.union(names(bits, "variable"), pointed)
        position = _digest([self._position(code, shape) for shape in shapes])
        clock, random = bool(names(bits, "clock")), bool(names(bits, "random"))
        turns = tuple(sorted(names(bits, "turn")))
        return Live(variables, self._facts.counts(bits), turns, clock, random, temporaries, position)

    def _frames(self, code: Code, shape: Shape) -> list[int]:
        """What is live in each frame: where the outer ones return to, and what is told when the choice is taken."""
        returns = []
        for _, path, index, _ in shape.frames[:-1]:
            container = None if path is None else code.find(path)[0]
            returns.append(code.at(container, index + 1) if container else ())
        return [self._union(numbers) for numbers in [*returns, code.entry(shape.target)]]

    def _union(self, numbers: Iterable[int]) -> int:
        bits = 0
        for number in numbers:
            bits |= self._before[number]
        return bits

    def _position(self, code: Code, shape: Shape) -> Any:
        # The innermost frame leaves for the target, so that only its kind matters.
        *outer, (kind, _, _, evaluates) = shape.frames
        return [shape.target, list(_entered(code, shape.target, shape.previous)), outer, kind, evaluates]


def _digest(value: Any) -> str:
    return hashlib.sha256(_encode(value).encode()).hexdigest()


def _thread(flow: Mapping[str, Any], choice: Mapping[str, Any]) -> dict[str, Any]:
    """The thread that a choice goes on in: its own copy, or one that is still running."""
    number = choice["originalThreadIndex"]
    thread: dict[str, Any] | None = flow.get("choiceThreads", {}).get(str(number))
    return thread or next(one for one in flow["callstack"]["threads"] if one["threadIndex"] == number)


def _shape(choice: Mapping[str, Any], thread: Mapping[str, Any]) -> Shape:
    frames = tuple(
        (frame["type"], frame.get("cPath"), frame.get("idx", 0), frame["exp"]) for frame in thread["callstack"]
    )
    return Shape(choice["targetPath"], thread.get("previousContentObject"), frames)


def _entered(code: Code, target: str, previous: str | None) -> Iterator[str]:
    """The counted containers that taking a choice may enter: those around its target that were not open before."""
    opened = {container.path for container in code.find(previous)[0].outwards()} if previous else set()
    for container in code.find(target)[0].outwards():
        if container.path in opened and not container.flags & START_ONLY:
            return
        if container.flags & (VISITS | TURNS):
            yield container.path


def _temporaries(live: Live, threads: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The live temporaries of every frame on the threads of the choices, in order."""
    for stack, thread in zip(live.temporaries, threads, strict=True):
        for names, frame in zip(stack, thread["callstack"], strict=True):
            yield {name: value for name, value in frame.get("temp", {}).items() if name in names}


def _targets(values: Iterable[Any]) -> Iterator[str]:
    """Paths that values divert to; for pointers `*name` of a global, or `^`, into a frame of the call stack."""
    for value in values:
        if isinstance(value, dict) and "^->" in value:
            yield value["^->"]
        elif isinstance(value, dict) and "^var" in value:
            yield "^" if value.get("ci", 0) > 0 else "*" + value["^var"]


def _counts(counts: Mapping[str, int], live: Mapping[str, int] | None) -> list[tuple[str, int]]:
    if live is None:
        return list(counts.items())
    return [(path, limited(count, live[path])) for path, count in counts.items() if path in live]


def _rare(state: Mapping[str, Any], live: Live) -> list[Any]:
    """What few stories read: values in the middle of an expression, turns, the random seed."""
    turns, indices = state["turnIdx"], state["turnIndices"]
    since = (
        indices if live.turns is None else [turns - indices[path] if path in indices else None for path in live.turns]
    )
    seeds = [state["storySeed"], state["previousRandom"]] if live.random else []
    return [state["evalStack"], state.get("currentDivertTarget"), since, [turns] if live.clock else [], seeds]
