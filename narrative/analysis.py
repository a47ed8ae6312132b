"""Must and May on a flowchart, for those who look for items: what surely, and what possibly, follows a choice.

A window of W is W decisions after the state that a choice leads to; 0 is that state's own text. A path that ends within
the window counts as complete. Nothing is said past a state that was not expanded: `UnexploredError` is raised, since
what was not looked at is not absent. `oracle.py` decides the same on the story itself and shares no code with this.
"""

import operator
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from ..errors import UsageError
from ..schemas.grounding import Event
from ..schemas.story import Scalar
from .flowchart import Flowchart, State, Transition
from .occurrences import Occurrences, exact, numbers
from .runtime import Line

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


class UnexploredError(LookupError):
    """The window reaches a state that was not expanded, or where the story failed."""


class Decision(NamedTuple):
    """A decision on a recorded play."""

    state: int
    play: tuple[int, ...]
    taken: int
    location: str


class Chance(NamedTuple):
    """Whether an event lies on every explored path of a window, and whether on at least one."""

    must: bool
    may: bool


class Reply(NamedTuple):
    """What is told right after a choice, and the transitions on which just this is told."""

    events: tuple[int, ...]
    """Numbers of the line events, in order."""
    lines: tuple[Line, ...]
    """As told on the first of `transitions`."""
    transitions: tuple[Transition, ...]


class Antecedents(NamedTuple):
    """Choices of a play, as positions in it, by what replacing them does to a later event."""

    causes: tuple[int, ...]
    """Without this choice the event cannot come about within the window."""
    refuted: tuple[int, ...]
    """With some other choice here it can still come about: a sound distractor."""


class Analysis:
    """Reads a finished flowchart; events are the numbers of its `occurrences`."""

    def __init__(self, chart: Flowchart) -> None:
        self.chart = chart
        self.occurrences = Occurrences(chart)
        self._edges = [chart.transitions(number) for number in range(len(chart))]
        self._expanded = [chart.expanded(number) for number in range(len(chart))]
        self._after_memo: dict[tuple[int, int], tuple[int, int] | None] = {}
        self._ever_memo: dict[tuple[str, str, int], frozenset[int]] = {}
        self._hit_memo: dict[Event, dict[tuple[int, int], Chance]] = defaultdict(dict)
        self._replies: dict[tuple[str, str], list[Transition]] = defaultdict(list)
        for edge in (edge for edges in self._edges for edge in edges):
            if chart.state(edge.target).kind != "error":
                self._replies[chart.state(edge.source).location, edge.choice.span].append(edge)

    # -- sets of events -----------------------------------------------------------------------

    def known(self, edge: Transition, window: int) -> bool:
        """Whether every path of the window was explored, so that Must and May are defined."""
        return self._after(edge.target, window) is not None

    def must(self, edge: Transition, window: int) -> frozenset[int]:
        """Events on every path. Raises `UnexploredError`."""
        return frozenset(numbers(self._sets(edge, window)[0]))

    def may(self, edge: Transition, window: int) -> frozenset[int]:
        """Events on at least one path. Raises `UnexploredError`."""
        return frozenset(numbers(self._sets(edge, window)[1]))

    def may_bits(self, edge: Transition, window: int) -> int:
        """The same as bits. Raises `UnexploredError`."""
        return self._sets(edge, window)[1]

    def ever(self, edge: Transition, window: int) -> frozenset[int]:
        """Events that may follow this choice at this place of the story, whatever came before, as far as explored."""
        place = (self.chart.state(edge.source).location, edge.choice.span)
        if (*place, window) not in self._ever_memo:
            sets = [
                self.occurrences.own(same) | (self._after(same.target, window) or (0, 0))[1]
                for same in self._replies[place]
            ]
            self._ever_memo[*place, window] = frozenset(numbers(reduce(operator.or_, sets, 0)))
        return self._ever_memo[*place, window]

    def surely_only(self, edge: Transition, against: Transition, window: int) -> frozenset[int]:
        """Must(edge) without May(against): what surely follows the one and cannot follow the other."""
        return frozenset(numbers(self._sets(edge, window)[0] & ~self._sets(against, window)[1]))

    def depth_of(self, event: int, edge: Transition, deepest: int = 6) -> int | None:
        """The smallest window in which the event must come; None if there is none up to `deepest` that is explored."""
        windows = (window for window in range(deepest + 1) if self.known(edge, window))
        return next((window for window in windows if self._sets(edge, window)[0] >> event & 1), None)

    def happened(self, play: Sequence[int]) -> frozenset[int]:
        """Events of the opening and of every step up to the end of the play."""
        bits = self.occurrences.opening | self.occurrences.of_state(Flowchart.START)
        for edge in self.chart.follow(play):
            bits |= self.occurrences.own(edge)
        return frozenset(numbers(bits))

    def _sets(self, edge: Transition, window: int) -> tuple[int, int]:
        after = self._after(edge.target, window)
        if after is None:
            raise UnexploredError(f"state {edge.target} is not explored for {window} decisions")
        own = self.occurrences.own(edge)
        return own | after[0], own | after[1]

    def _after(self, state: int, window: int) -> tuple[int, int] | None:
        """Must and May of what comes after a state has been reached, as bits; None where that is not known."""
        if (state, window) not in self._after_memo:
            self._after_memo[state, window] = self._merge(state, window)
        return self._after_memo[state, window]

    def _merge(self, state: int, window: int) -> tuple[int, int] | None:
        ended, failed = not self.chart.state(state).choices, self.chart.state(state).kind == "error"
        if (window == 0 or ended) and not failed:
            return 0, 0
        if not self._expanded[state]:
            return None
        must, may = -1, 0
        for edge in self._edges[state]:
            after = self._after(edge.target, window - 1)
            if after is None:
                return None
            own = self.occurrences.own(edge)
            must, may = must & (own | after[0]), may | own | after[1]
        return must, may

    # -- single events ------------------------------------------------------------------------

    def event(self, number: int) -> Event:
        return self.occurrences.event(number)

    def lines(self, number: int) -> tuple[Line, ...]:
        """Every wording of a line event, with its speaker; empty for other kinds."""
        return self.occurrences.lines(number)

    def quotes(self, number: int, edge: Transition, window: int) -> tuple[Line, ...]:
        """The wordings of a line event that are told on the explored paths of the window, nearest first."""
        found: dict[Line, None] = {}
        level = [edge]
        for left in range(window, -1, -1):
            told = (line for step in level for line in step.lines)
            found |= dict.fromkeys(line for line in told if self.occurrences.line_number(line) == number)
            targets = dict.fromkeys(step.target for step in level) if left else {}
            level = [step for target in targets for step in self._edges[target]]
        return tuple(found)

    def chance(self, event: Event, play: Sequence[int], edge: Transition, window: int) -> Chance:
        """How an event stands to a choice made at the end of `play`. Raises `UnexploredError`.

        A `signal` or `fate` must be false before the choice, `choice` counts choices after this one, and `choice_lost`
        means that no step of the path offers it.
        """
        if not self.known(edge, window):
            raise UnexploredError(f"state {edge.target} is not explored for {window} decisions")
        if event.kind == "choice_lost":
            opened = self.chance(Event(kind="choice_open", match=event.match), play, edge, window)
            return Chance(not opened.may, not opened.must)
        number = self.occurrences.number(event)
        if number is not None:
            must, may = self._sets(edge, window)
            return Chance(bool(must >> number & 1), bool(may >> number & 1))
        if self._barred(event, play):
            return Chance(False, False)
        if event.kind != "choice" and self._hits(event, self._moment(edge)):
            return Chance(True, True)
        return self._hit_after(event, edge.target, window)

    def _hit_after(self, event: Event, state: int, window: int) -> Chance:
        edges = self._edges[state]
        if window == 0 or not edges:
            return Chance(False, False)
        memo = self._hit_memo[event]
        if (state, window) not in memo:
            each = [
                Chance(True, True)
                if self._hits(event, self._moment(edge))
                else self._hit_after(event, edge.target, window - 1)
                for edge in edges
            ]
            memo[state, window] = Chance(all(c.must for c in each), any(c.may for c in each))
        return memo[state, window]

    def _hits(self, event: Event, moment: "_Moment") -> bool:
        texts = (event.match,) if isinstance(event.match, str) else event.match
        match event.kind:
            case "line":
                return any(exact(line.text) in texts for line in moment.lines)
            case "choice":
                return moment.taken in texts
            case "choice_open":
                return any(exact(choice.text) in texts for choice in moment.state.choices)
            case "ending":
                return moment.state.ending in texts
            case _:
                return all(compare(text, moment.variables) for text in texts)

    def _barred(self, event: Event, play: Sequence[int]) -> bool:
        """A threshold that is passed already cannot be crossed by what follows."""
        return event.kind in ("signal", "fate") and self._hits(event, self._moments(play)[-1])

    def _moment(self, edge: Transition) -> "_Moment":
        return _Moment(edge.lines, self.chart.state(edge.target), edge.variables, exact(edge.choice.text))

    def _moments(self, play: Sequence[int]) -> list["_Moment"]:
        start = _Moment(self.chart.opening, self.chart.state(Flowchart.START), self.chart.variables, "")
        return [start, *map(self._moment, self.chart.follow(play))]

    # -- what the Director asks ---------------------------------------------------------------

    def decisions(self, least: int = 2) -> list[Decision]:
        """The decisions with at least `least` choices along the recorded plays, each state and choice taken once."""
        found: dict[tuple[int, int], Decision] = {}
        for play in self.chart.plays:
            for depth, edge in enumerate(self.chart.follow(play)):
                state = self.chart.state(edge.source)
                if len(state.choices) >= least:
                    decision = Decision(edge.source, play[:depth], edge.index, state.location)
                    found.setdefault((edge.source, edge.index), decision)
        return list(found.values())

    def edges_at(self, location: str) -> tuple[Transition, ...]:
        """Every explored transition from any state at a place of the story, whatever came before."""
        return tuple(edge for (place, _), edges in self._replies.items() if place == location for edge in edges)

    def line_events(self) -> frozenset[int]:
        return self.occurrences.line_events()

    def replies(self, location: str, choice_span: str) -> tuple[Reply, ...]:
        """The different texts that different explored histories get for one choice at one place of the story."""
        groups: dict[tuple[int, ...], list[Transition]] = defaultdict(list)
        for edge in self._replies.get((location, choice_span), ()):
            groups[tuple(map(self.occurrences.line_number, edge.lines))].append(edge)
        return tuple(Reply(events, edges[0].lines, tuple(edges)) for events, edges in groups.items())

    def antecedents(self, play: Sequence[int], event: Event, window: int) -> Antecedents:
        """The choices of `play` that the event, which comes with its last step, needs, with the history fixed.

        A cause has at least one and at most `window` decisions between it and the event, at least one sibling, and no
        sibling after which the event may come within the window. Choices of which neither can be said are in neither
        list; both are empty where the event does not come at the end of the play, or has come before.
        """
        if not play or not self._new_at_end(event, play):
            return Antecedents((), ())
        causes, refuted = [], []
        for position, edge in enumerate(self.chart.follow(play)):
            before = play[:position]
            siblings = [other for other in self._edges[edge.source] if other.index != edge.index]
            known = [other for other in siblings if self.known(other, window)]
            if any(self.chance(event, before, other, window).may for other in known):
                refuted.append(position)
            elif self._needs(len(play) - 1 - position, window, edge, len(known)) and not self._barred(event, before):
                causes.append(position)
        return Antecedents(tuple(causes), tuple(refuted))

    def _needs(self, distance: int, window: int, edge: Transition, known: int) -> bool:
        """Whether enough was explored, near enough, to say that the event needs this choice."""
        offered = len(self.chart.state(edge.source).choices)
        return 1 <= distance <= window and offered > 1 and known == offered - 1

    def _new_at_end(self, event: Event, play: Sequence[int]) -> bool:
        """Whether the event comes with the last step and not before; a threshold may have been crossed before."""
        came = [self._hits(event, moment) for moment in self._moments(play)]
        earlier = came[-2:-1] if event.kind in ("signal", "fate") else came[:-1]
        return came[-1] and not any(earlier)


class _Moment(NamedTuple):
    """One step of a path."""

    lines: tuple[Line, ...]
    state: State
    variables: Mapping[str, Scalar]
    taken: str
    """Text of the choice that led here; empty for the opening."""


def compare(expression: str, variables: Mapping[str, Scalar]) -> bool:
    """Whether `variable op number` is true. True and false count as 1 and 0; text is in no relation to a number."""
    parts = re.fullmatch(r"\s*([^\s<>=!]+)\s*(==|!=|<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)\s*", expression)
    if parts is None or parts[1] not in variables:
        raise UsageError(f"signal {expression!r}: expected `variable op number` with a variable that is kept there")
    value = variables[parts[1]]
    return not isinstance(value, str) and OPERATORS[parts[2]](value, float(parts[3]))
