"""The flowchart of a story: states where a decision is offered or the story ends, joined by choices that a run took.

What is told after a choice belongs to the edge, since two replies may lead to one state.
"""

import json
import os
import tempfile
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import networkx as nx

from ..errors import InputError
from ..schemas.base import digest
from ..schemas.story import Scalar
from .runtime import Choice, Line, Step

FORMAT = 1
"""Of the cache file; a new number makes old files unread."""

Kind = Literal["scene", "decision", "ending", "error"]
"""`scene` is for flowcharts that were not explored; `error` is where the runtime failed."""
T = TypeVar("T", bound=Hashable)


class State(NamedTuple):
    """Where a decision is offered or the story ends: what every way of getting there has in common."""

    key: str
    """Digest of what tells this state apart from every other."""
    kind: Kind
    choices: tuple[Choice, ...] = ()
    location: str = ""
    chapter: str = ""
    protagonist: str | None = None
    present: tuple[str, ...] = ()
    ending: str | None = None


@dataclass(frozen=True, slots=True)
class Transition:
    """One choice taken."""

    source: int
    index: int
    target: int
    choice: Choice
    lines: tuple[Line, ...]
    """Told from the choice up to `target`: the own text of the target on this way."""
    variables: Mapping[str, Scalar]
    """After the choice. The mapping is shared: do not change it."""
    certainty: Literal["explored", "static", "dynamic"] = "explored"


class Flowchart:
    """A directed multigraph of states, filled by an explorer and read by everyone else.

    `graph` is a networkx `MultiDiGraph`: node `i` has the attribute `state` (a `State`), an edge's key is the index of
    the choice and its attribute `transition` a `Transition`. State `START` comes first.
    """

    START = 0

    def __init__(self, source_sha256: str) -> None:
        self.source_sha256 = source_sha256
        self.graph: Any = nx.MultiDiGraph()
        self.opening: tuple[Line, ...] = ()
        """Told before the first decision."""
        self.variables: Mapping[str, Scalar] = {}
        """At the first decision."""
        self.plays: list[tuple[int, ...]] = []
        """Recorded playthroughs, as choice indices from the start."""
        self.complete = False
        """True only if every choice of every state was taken: what is not here cannot happen."""
        self.cut: list[str] = []
        """What was left out, in words."""
        self._numbers: dict[str, int] = {}
        self._taken: dict[tuple[int, int], int] = {}
        self._shared: dict[Any, Any] = {}

    # -- filling ------------------------------------------------------------------------------

    def begin(self, key: str, step: Step) -> int:
        """Add the start; `step` holds the opening text."""
        self.opening, self.variables = step.lines, self._share_variables(step.variables)
        return self.add_state(key, step)

    def add_state(self, key: str, step: Step) -> int:
        """The number of the state with this key, new where it was not known."""
        kind: Kind = "decision" if step.choices else "ending"
        choices = tuple(map(self._share, step.choices))
        place = (step.location, step.chapter, step.protagonist, step.present, step.ending)
        return self._add(State(key, kind, choices, *place))

    def add_error(self, key: str, place: str) -> int:
        """A state where the runtime failed: what follows it is unknown, so nothing is claimed through it."""
        return self._add(State(key, "error", location=place))

    def add_transition(self, source: int, index: int, target: int, step: Step) -> Transition:
        """Add what taking choice `index` of `source` told; replaces what was there."""
        old = self._taken.get((source, index))
        if old is not None:
            self.graph.remove_edge(source, old, key=index)
        choice = self.state(source).choices[index]
        lines = tuple(map(self._share, step.lines))
        transition = Transition(source, index, target, choice, lines, self._share_variables(step.variables))
        self._join(transition)
        return transition

    def _join(self, transition: Transition) -> None:
        source, index, target = transition.source, transition.index, transition.target
        self.graph.add_edge(source, target, key=index, transition=transition)
        self._taken[source, index] = target

    def _add(self, state: State) -> int:
        if state.key not in self._numbers:
            self._numbers[state.key] = len(self._numbers)
            self.graph.add_node(self._numbers[state.key], state=state)
        return self._numbers[state.key]

    def _share(self, value: T) -> T:
        shared: T = self._shared.setdefault(value, value)
        return shared

    def _share_variables(self, variables: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
        # True, 1 and 1.0 are equal and hash alike, hence the types in the key.
        key = (tuple(variables.items()), tuple(map(type, variables.values())))
        shared: Mapping[str, Scalar] = self._shared.setdefault(key, variables)
        return shared

    # -- reading ------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._numbers)

    def find(self, key: str) -> int | None:
        return self._numbers.get(key)

    def state(self, number: int) -> State:
        state: State = self.graph.nodes[number]["state"]
        return state

    def transitions(self, number: int) -> tuple[Transition, ...]:
        """The explored choices of a state, by index."""
        edges = self.graph.out_edges(number, data="transition")
        return tuple(sorted((edge[2] for edge in edges), key=lambda transition: transition.index))

    def expanded(self, number: int) -> bool:
        """Whether every choice offered at the state was taken. An ending is expanded, an error is not."""
        state = self.state(number)
        return state.kind != "error" and self.graph.out_degree(number) == len(state.choices)

    def follow(self, play: Iterable[int]) -> list[Transition]:
        """The transitions of a play. Raises `LookupError` where it leaves what was explored."""
        here, way = self.START, []
        for depth, index in enumerate(play):
            found = next((t for t in self.transitions(here) if t.index == index), None)
            if found is None:
                raise LookupError(f"choice {index} after {depth} choices was not explored")
            way.append(found)
            here = found.target
        return way

    def state_at(self, play: Sequence[int]) -> int:
        """The number of the state that a play leads to."""
        way = self.follow(play)
        return way[-1].target if way else self.START

    # -- cache --------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """JSON types; every line, choice and set of variables is written once."""
        lines, choices, variables = _Table(), _Table(), _Table()
        names = sorted({name for t in self._all() for name in t.variables} | set(self.variables))

        def row(values: Mapping[str, Scalar]) -> int:
            return variables.number(id(values), lambda: [values.get(name) for name in names])

        states = [[*self.state(n)[:2], [choices.number(c) for c in self.state(n).choices], *self.state(n)[3:]]
                  for n in range(len(self))]  # fmt: skip
        transitions = [
            [t.source, t.index, t.target, [lines.number(line) for line in t.lines], row(t.variables), t.certainty]
            for t in self._all()
        ]
        opening = [[lines.number(line) for line in self.opening], row(self.variables)]
        return {
            "flowchart": FORMAT,
            "source_sha256": self.source_sha256,
            "complete": self.complete,
            "cut": self.cut,
            "plays": self.plays,
            "opening": opening,
            "names": names,
            "variables": variables.rows,
            "lines": lines.rows,
            "choices": choices.rows,
            "states": states,
            "transitions": transitions,
        }

    def _all(self) -> Iterable[Transition]:
        return (t for number in range(len(self)) for t in self.transitions(number))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Flowchart":
        """What `to_json` wrote. Raises `KeyError`, `TypeError`, `ValueError` or `IndexError` on anything else."""
        if data["flowchart"] != FORMAT:
            raise ValueError(f"format {data['flowchart']}, expected {FORMAT}")
        chart = cls(data["source_sha256"])
        lines = [Line(text, span, speaker, tuple(tags)) for text, span, speaker, tags in data["lines"]]
        choices = [Choice(*row) for row in data["choices"]]
        variables = [_named(data["names"], row) for row in data["variables"]]
        chart.opening = tuple(lines[number] for number in data["opening"][0])
        chart.variables = variables[data["opening"][1]]
        for key, kind, offered, location, chapter, protagonist, present, ending in data["states"]:
            shown = tuple(choices[number] for number in offered)
            chart._add(State(key, kind, shown, location, chapter, protagonist, tuple(present), ending))
        for source, index, target, told, row, certainty in data["transitions"]:
            text = tuple(lines[number] for number in told)
            choice = chart.state(source).choices[index]
            transition = Transition(source, index, target, choice, text, variables[row], certainty)
            chart._join(transition)
        chart.plays = [tuple(play) for play in data["plays"]]
        chart.complete, chart.cut = data["complete"], list(data["cut"])
        return chart

    def save(self, path: Path) -> None:
        """Write the cache file: whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: Path) -> "Flowchart":
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(path, f"not a flowchart of this version ({error}); delete it, it is made again") from error


def cached(folder: Path, parts: Sequence[str | int], make: Callable[[], Flowchart]) -> Flowchart:
    """The flowchart that `parts` (story hash, seed, bounds, …) stand for: from its file in `folder`, or made."""
    path = folder / f"{digest('flowchart', FORMAT, *parts)}.json"
    if path.exists():
        return Flowchart.load(path)
    chart = make()
    chart.save(path)
    return chart


class _Table:
    """Rows of JSON, each once."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._numbers: dict[Hashable, int] = {}

    def number(self, key: Hashable, row: Callable[[], Any] | None = None) -> int:
        """The number of the row that `key` stands for; the row is `key` itself unless given."""
        if key not in self._numbers:
            self._numbers[key] = len(self.rows)
            self.rows.append(row() if row else key)
        return self._numbers[key]


def _named(names: Sequence[str], row: Sequence[Scalar | None]) -> dict[str, Scalar]:
    return {name: value for name, value in zip(names, row, strict=True) if value is not None}
