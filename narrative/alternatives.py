"""What could have come about had one choice of a play been another: for all events at once, as sets of bits.

It says of whole sets what `Analysis.antecedents` says of one event: the history before the choice is fixed.
"""

from typing import NamedTuple

from .analysis import Analysis
from .flowchart import Transition
from .locks import union


class Alternative(NamedTuple):
    """The events that may come within the window after the siblings of a choice, as bits."""

    some: int
    """After at least one sibling: an event in here did not need the choice."""
    each: int
    """After every sibling, whichever it is."""
    known: bool
    """Whether there are siblings and all of them were explored far enough: an event not in `some` needed the choice."""
    ever: int
    """After at least one sibling, however late, as far as was explored."""
    paths: int
    """How many paths there are after the siblings, none taken for another: what a proof has to play."""


class Alternatives:
    """Alternatives to the choices of one flowchart. What was asked once is remembered."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._memo: dict[tuple[int, int, int], Alternative] = {}
        self._edges = [analysis.chart.transitions(number) for number in range(len(analysis.chart))]
        self._counts: dict[tuple[int, int], int] = {}
        self._later = self._closure()
        """By state: the events that can come after it."""

    def to(self, edge: Transition, window: int) -> Alternative:
        key = (edge.source, edge.index, window)
        if key not in self._memo:
            self._memo[key] = self._merge(edge, window)
        return self._memo[key]

    def _merge(self, edge: Transition, window: int) -> Alternative:
        siblings = [other for other in self._edges[edge.source] if other.index != edge.index]
        known = [other for other in siblings if self.analysis.known(other, window)]
        some, each = 0, -1
        for other in known:
            may = self.analysis.may_bits(other, window)
            some, each = some | may, each & may
        whole = bool(known) and len(known) == len(self.analysis.chart.state(edge.source).choices) - 1
        ever = union(self._from(other) for other in siblings)
        return Alternative(some, each if whole else 0, whole, ever, sum(self._paths(o.target, window) for o in known))

    def _paths(self, state: int, window: int) -> int:
        """Paths of a window from a state; 1 where it ends."""
        if window == 0 or not self._edges[state]:
            return 1
        if (state, window) not in self._counts:
            self._counts[state, window] = sum(self._paths(edge.target, window - 1) for edge in self._edges[state])
        return self._counts[state, window]

    def _from(self, edge: Transition) -> int:
        return self.analysis.occurrences.own(edge) | self._later[edge.target]

    def _closure(self) -> list[int]:
        """Passes from the last state to the first, which mostly lie in this order, until nothing is added."""
        self._later = [0] * len(self._edges)
        while sum(map(self._grows, reversed(range(len(self._edges))))):
            pass
        return self._later

    def _grows(self, state: int) -> bool:
        before = self._later[state]
        self._later[state] = union(map(self._from, self._edges[state]))
        return self._later[state] != before
