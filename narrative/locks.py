"""Causal locks: transitions after which something can no longer come, while it still can through a sibling.

What can come is an ending, or a later choice (by its place in the source, so that its wordings are one). It has to lie
at least one decision away on the sibling's side, and the choice that was taken is no loss. The set of all that can come
is computed for the whole graph at once: states that reach each other share it, and between them there is no cycle.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, get_args

import networkx as nx

from .flowchart import Flowchart, Transition

LockKind = Literal["ending", "choice"]
Event = tuple[LockKind, str]


class Lock(NamedTuple):
    """What one transition shuts off."""

    transition: Transition
    kind: LockKind
    lost: tuple[str, ...]
    """Ids of endings, or spans of choices, in the order in which the flowchart first shows them."""
    siblings: tuple[int, ...]
    """Indices of the other choices through which at least one of them can still come."""


class Locks:
    """The locks of a flowchart. A transition whose future was not explored to its end is said to lock nothing."""

    def __init__(self, chart: Flowchart) -> None:
        self.chart = chart
        self._events: dict[Event, int] = {}
        self._memo: dict[int, tuple[str, ...]] = {}
        self._edges = [chart.transitions(number) for number in range(len(chart))]
        own = [self._own(number) for number in range(len(chart))]
        self._unknown = 1 << len(self._events)
        self._masks: dict[LockKind, int] = {
            kind: union(1 << number for (kind_, _), number in self._events.items() if kind_ == kind)
            for kind in get_args(LockKind)
        }
        own = [bits if chart.expanded(number) else bits | self._unknown for number, bits in enumerate(own)]
        self._from = self._closure(own)
        """By state: what comes there or later."""
        self._later = [union(self._from[edge.target] for edge in edges) for edges in self._edges]
        """By state: what comes later."""

    def __iter__(self) -> Iterator[Lock]:
        """Every lock, by state and choice; a transition that loses both endings and choices is two."""
        for edges in self._edges:
            for edge in edges:
                yield from self._of(edge, edges)

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

    def _of(self, edge: Transition, edges: tuple[Transition, ...]) -> Iterator[Lock]:
        if self._from[edge.target] & self._unknown:
            return
        taken = 1 << self._events["choice", edge.choice.span]
        kept = ~(self._from[edge.target] | taken | self._unknown)
        elsewhere = {other.index: self._later[other.target] & kept for other in edges if other.index != edge.index}
        for kind, mask in self._masks.items():
            lost = union(elsewhere.values()) & mask
            if lost:
                siblings = tuple(index for index, bits in elsewhere.items() if bits & mask)
                yield Lock(edge, kind, self._names(lost), siblings)

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
        return union(1 << self._events.setdefault(event, len(self._events)) for event in events)

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
