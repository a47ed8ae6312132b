"""A model of a player: an absorbing Markov chain over the flowchart, each choice taken with a given share.

It describes how hard something is to come by and steers the Director; it is never a label, since three wordings of one
choice change it. The chain is solved as a sparse linear system, so that cycles need no unrolling. Kemeny and Snell,
Finite Markov Chains (1960), chapter 3.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..errors import UsageError
from .flowchart import Flowchart, State

Shares = Callable[[State], Sequence[float]]
"""How likely each offered choice of a decision is to be taken, up to a common factor: recorded shares, for instance."""


def uniform(state: State) -> Sequence[float]:
    """Each offered choice as likely as any other."""
    return (1.0,) * len(state.choices)


class Outcomes(NamedTuple):
    """Where plays from the start lead; the probabilities sum to 1."""

    endings: Mapping[str, float]
    """Probability of each ending that can come, by its id."""
    unexplored: float
    """Probability of leaving what was explored, or of a failure of the story."""
    endless: float
    """Probability of coming to where neither an ending nor anything unexplored can be reached any more."""
    decisions: float
    """Expected number of choices up to the end, or up to leaving what was explored; infinite if `endless` is not 0."""


class PlayerModel:
    """The chain of one flowchart. Raises `UsageError` for shares that are negative, all zero, or not one a choice."""

    def __init__(self, chart: Flowchart, shares: Shares = uniform) -> None:
        self.chart = chart
        self._steps = [_steps(chart, number, shares) for number in range(len(chart))]
        """By state: the probability of each target; what is missing to 1 leaves what was explored."""
        self._places = {number: place for place, number in enumerate(self._transient())}
        """Decisions from which a play can still come to an end, with their row in the linear system."""

    def outcomes(self) -> Outcomes:
        """What comes of a play that begins at the start."""
        visits = self._visits()
        reached = {} if visits else {Flowchart.START: 1.0}
        unexplored = 0.0
        for number, expected in visits.items():
            unexplored += expected * max(0.0, 1.0 - sum(self._steps[number].values()))
            for target, part in self._steps[number].items():
                if target not in self._places:
                    reached[target] = reached.get(target, 0.0) + expected * part
        endings: dict[str, float] = {}
        endless = 0.0
        for number, part in reached.items():
            state = self.chart.state(number)
            if state.ending is not None:
                endings[state.ending] = endings.get(state.ending, 0.0) + part
            elif self._steps[number]:
                endless += part
            else:
                unexplored += part
        decisions = math.inf if endless > 0 else sum(visits.values())
        return Outcomes(endings, unexplored, endless, decisions)

    def success(self, endings: Collection[str]) -> list[float]:
        """For every state the probability of coming to one of `endings`; what was not explored counts as failure."""
        reached = [float(self.chart.state(number).ending in endings) for number in range(len(self.chart))]
        if self._places:
            wanted = [sum(p * reached[t] for t, p in self._steps[number].items()) for number in self._places]
            for number, part in zip(self._places, self._solver.solve(_vector(wanted)), strict=True):
                reached[number] = float(part)
        return reached

    def _visits(self) -> dict[int, float]:
        """How often a play comes to each decision, on average; nothing where the start is none."""
        if Flowchart.START not in self._places:
            return {}
        start = [float(number == Flowchart.START) for number in self._places]
        return dict(zip(self._places, map(float, self._solver.solve(_vector(start), trans="T")), strict=True))

    @cached_property
    def _solver(self) -> Any:
        """The factors of I − Q, Q being the chain among the decisions."""
        from scipy.sparse import csc_matrix, identity
        from scipy.sparse.linalg import splu

        entries = [
            (part, place, self._places[target])
            for number, place in self._places.items()
            for target, part in self._steps[number].items()
            if target in self._places
        ]
        parts, rows, columns = zip(*entries, strict=True) if entries else ((), (), ())
        count = len(self._places)
        return splu((identity(count) - csc_matrix((parts, (rows, columns)), shape=(count, count))).tocsc())

    def _transient(self) -> list[int]:
        """Decisions from which an ending, a failure or the edge of what was explored can be reached."""
        before: dict[int, list[int]] = {}
        leaving = []
        for number, steps in enumerate(self._steps):
            if not steps or sum(steps.values()) < 1.0 - 1e-9:
                leaving.append(number)
            for target in steps:
                before.setdefault(target, []).append(number)
        found = set(leaving)
        while leaving:
            fresh = [number for number in before.get(leaving.pop(), ()) if number not in found]
            found.update(fresh)
            leaving += fresh
        return sorted(number for number in found if self._steps[number])


def _steps(chart: Flowchart, number: int, shares: Shares) -> dict[int, float]:
    """The probability of each state that follows; a choice that is never taken leads nowhere."""
    transitions = chart.transitions(number)
    if not transitions:
        return {}
    given = [float(share) for share in shares(chart.state(number))]
    total = sum(given)
    count = len(chart.state(number).choices)
    if len(given) != count or min(given) < 0 or not 0 < total < math.inf:
        raise UsageError(f"shares {given} at state {number}: expected {count}, none negative, not all zero")
    steps: dict[int, float] = {}
    for edge in transitions:
        if given[edge.index] > 0:
            steps[edge.target] = steps.get(edge.target, 0.0) + given[edge.index] / total
    return steps


def _vector(values: Sequence[float]) -> Any:
    from numpy import array

    return array(values, dtype=float)
