"""The event classes of a flowchart, numbered, so that a set of events is one integer of bits.

Two wordings of one place in the source are one event, and so are two places that ever told the same text, since a
replay on the story alone knows events by their exact texts.
"""

import unicodedata
from collections.abc import Iterable, Iterator

from ..schemas.grounding import Event
from .flowchart import Flowchart, Transition
from .runtime import Line


def exact(text: str) -> str:
    """Text as it is compared: NFC, runs of white space as one space, none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def numbers(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class Occurrences:
    """Lines by class, choices on offer by exact text, endings by id; numbered in order of first appearance."""

    def __init__(self, chart: Flowchart) -> None:
        self._chart = chart
        self._classes = _Union()
        self._numbers: dict[tuple[str, str], int] = {}
        self._lines: dict[int, dict[Line, None]] = {}
        self._of_state: list[int] = []
        self._of_lines: dict[tuple[Line, ...], int] = {}
        texts = (chart.opening, *(t.lines for number in range(len(chart)) for t in chart.transitions(number)))
        for line in (line for told in texts for line in told):
            self._classes.join("span " + line.span, "text " + exact(line.text))
        self.opening = self._told(chart.opening)
        self._of_state = [self._seen(number) for number in range(len(chart))]
        for told in texts:
            self._told(told)
        self._events = {number: self._event(*key, number) for key, number in self._numbers.items()}
        self._by_event = {event: number for number, event in self._events.items()}

    def __len__(self) -> int:
        return len(self._events)

    def own(self, transition: Transition) -> int:
        """Events of the step a transition leads to: what it tells, what is offered there, the ending."""
        return self._told(transition.lines) | self._of_state[transition.target]

    def of_state(self, number: int) -> int:
        return self._of_state[number]

    def event(self, number: int) -> Event:
        return self._events[number]

    def number(self, event: Event) -> int | None:
        """The number of an event that `event` returned; None for any other."""
        return self._by_event.get(event)

    def line_events(self) -> frozenset[int]:
        return frozenset(self._lines)

    def lines(self, number: int) -> tuple[Line, ...]:
        """Every line of a `line` event; empty for other kinds."""
        return tuple(self._lines.get(number, ()))

    def line_number(self, line: Line) -> int:
        return self._numbers["line", self._classes.root("span " + line.span)]

    def _told(self, lines: tuple[Line, ...]) -> int:
        if lines not in self._of_lines:
            self._of_lines[lines] = self._bits(map(self._count, lines))
        return self._of_lines[lines]

    def _count(self, line: Line) -> int:
        number = self._numbers.setdefault(("line", self._classes.root("span " + line.span)), len(self._numbers))
        self._lines.setdefault(number, {})[line] = None
        return number

    def _seen(self, number: int) -> int:
        state = self._chart.state(number)
        keys = [("choice_open", exact(choice.text)) for choice in state.choices]
        if state.ending is not None:
            keys.append(("ending", state.ending))
        return self._bits(self._numbers.setdefault(key, len(self._numbers)) for key in keys)

    def _bits(self, members: Iterable[int]) -> int:
        bits = 0
        for number in members:
            bits |= 1 << number
        return bits

    def _event(self, kind: str, name: str, number: int) -> Event:
        if kind == "line":
            return Event(kind="line", match=tuple(sorted({exact(line.text) for line in self._lines[number]})))
        return Event(kind="ending", match=name) if kind == "ending" else Event(kind="choice_open", match=(name,))


class _Union:
    """Disjoint sets of names."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def root(self, name: str) -> str:
        while (parent := self._parents.setdefault(name, name)) != name:
            self._parents[name] = self._parents[parent]
            name = parent
        return name

    def join(self, one: str, other: str) -> None:
        self._parents[self.root(one)] = self.root(other)
