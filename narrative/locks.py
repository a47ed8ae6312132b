"""Causal locks: transitions after which something can no longer come, while it still can through a sibling; and
unlocks, after which alone it can.

What can come is an ending, a signal past a threshold, or a later choice (by its place in the source, so that its
wordings are one). It has to lie at least one decision away, and the choice that was taken is no loss. The set of all
that can come is computed for the whole graph at once: states that reach each other share it, and between them there is
no cycle.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

import networkx as nx

from .analysis import compare
from .flowchart import Flowchart, Transition

LockKind = Literal["ending", "choice", "signal"]
Event = tuple[LockKind, str]


class Lock(NamedTuple):
    """What one transition shuts off, or (an unlock) opens."""

    transition: Transition
    kind: LockKind
    events: tuple[str, ...]
    """Ids of endings, spans of choices, thresholds; in the order in which the flowchart first shows them."""
    siblings: tuple[int, ...]
    """Indices of the other choices: for a lock those through which at least one of the events can still come, for an
    unlock all."""


class Locks:
    """The locks of a flowchart, by state and choice.

    `thresholds` are signals as `variable op number`; every transition has to tell their variables. Where a future was
    not explored to its end, nothing is said to be shut off by it.
    """

    def __init__(self, chart: Flowchart, thresholds: Sequence[str] = ()) -> None:
        self.chart, self._thresholds = chart, tuple(thresholds)
        self._events: dict[Event, int] = {}
        self._memo: dict[int, tuple[str, ...]] = {}
        self._edges = [chart.transitions(number) for number in range(len(chart))]
        own = [self._own(number) for number in range(len(chart))]
        crossed = [union(map(self._crossed, edges)) for edges in self._edges]
        self._unknown = 1 << len(self._events)
        self._masks: dict[LockKind, int] = {
            kind: union(1 << number for (kind_, _), number in self._events.items() if kind_ == kind)
            for kind in get_args(LockKind)
            if kind != "signal" or thresholds
        }
        unknown = [0 if chart.expanded(number) else self._unknown for number in range(len(chart))]
        self._from = self._closure([a | b | c for a, b, c in zip(own, crossed, unknown, strict=True)])
        """By state: what comes there or later."""
        self._later = [union(map(self._after, edges)) for edges in self._edges]
        """By state: what comes later."""

    def __iter__(self) -> Iterator[Lock]:
        """Every lock; a transition that shuts off both endings and choices is two."""
        for edges in self._edges:
            for edge in edges:
                if not self._after(edge) & self._unknown:
                    taken = 1 << self._events["choice", edge.choice.span]
                    kept = ~(self._after(edge) | taken | self._unknown)
                    yield from self._found(
                        edge, {one.index: self._later[one.target] & kept for one in edges if one.index != edge.index}
                    )

    def unlocks(self) -> Iterator[Lock]:
        """Every transition after which alone something can come: no sibling leads to it, at once or later."""
        for edges in self._edges:
            for edge in edges:
                siblings = [one for one in edges if one.index != edge.index]
                shut = union(map(self._after, siblings))
                if siblings and not shut & self._unknown and self.chart.expanded(edge.source):
                    gained = self._later[edge.target] & ~(shut | self._unknown)
                    yield from self._found(edge, {one.index: gained for one in siblings})

    def counts(self) -> dict[LockKind, int]:
        """How many places of the story have a choice that locks: locations and choices, whatever the history."""
        places = {
            (lock.kind, self.chart.state(lock.transition.source).location, lock.transition.choice.span) for lock in self
        }
        counts = Counter(kind for kind, _, _ in places)
        return {kind: counts[kind] for kind in self._masks}

    def can_follow(self, number: int, kind: LockKind, name: str) -> bool:
        """Whether an event was seen to come at a state or later. False proves nothing on an unfinished flowchart."""
        return bool(self._from[number] >> self._events.get((kind, name), len(self._events) + 1) & 1)

    def _found(self, edge: Transition, by_sibling: dict[int, int]) -> Iterator[Lock]:
        every = union(by_sibling.values())
        for kind, mask in self._masks.items():
            if every & mask:
                siblings = tuple(index for index, bits in by_sibling.items() if bits & mask)
                yield Lock(edge, kind, self._names(every & mask), siblings)

    def _after(self, edge: Transition) -> int:
        """What comes with a transition or later."""
        return self._crossed(edge) | self._from[edge.target]

    def _crossed(self, edge: Transition) -> int:
        """The thresholds that signals are past after a transition."""
        if self.chart.state(edge.target).kind == "error":
            return 0
        past: list[Event] = [("signal", one) for one in self._thresholds if compare(one, edge.variables)]
        return union(map(self._bit, past))

    def _bit(self, event: Event) -> int:
        return 1 << self._events.setdefault(event, len(self._events))

    def _names(self, bits: int) -> tuple[str, ...]:
        if bits not in self._memo:
            self._memo[bits] = tuple(name for (_, name), number in self._events.items() if bits >> number & 1)
        return self._memo[bits]

    def _own(self, number: int) -> int:
        """What is offered at a state, or the ending there, numbered as it is met."""
        state = self.chart.state(number)
        events: list[Event] = [("choice", choice.span) for choice in state.choices]
        if state.ending is not None:
            events.append(("ending", state.ending))
        return union(map(self._bit, events))

    def _closure(self, own: list[int]) -> list[int]:
        whole = nx.condensation(self.chart.graph)
        reached: dict[int, int] = {}
        for part in reversed(list(nx.topological_sort(whole))):
            bits = union(own[number] for number in whole.nodes[part]["members"])
            reached[part] = bits | union(reached[after] for after in whole.successors(part))
        parts = whole.graph["mapping"]
        return [reached[parts[number]] for number in range(len(own))]


def union(sets: Iterable[int]) -> int:
    """The union of sets of bits."""
    bits = 0
    for one in sets:
        bits |= one
    return bits
