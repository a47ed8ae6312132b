"""Who acts in a line of a story: the person that the line names, or the only one whom its "he" or "she" can mean."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from ..narrative.flowchart import Flowchart, Transition
from ..narrative.occurrences import Occurrences
from ..narrative.runtime import Line
from .narratives import PerStory
from .phrases import Cast

NEAR = 4
"""Lines before a pronoun in which its person is looked for."""


class Acts:
    """The acts of one story. A line that different histories give to different people is nobody's."""

    def __init__(self, chart: Flowchart, occurrences: Occurrences, cast: Cast) -> None:
        self.chart, self.occurrences, self.cast = chart, occurrences, cast

    def actor(self, edge: Transition, position: int) -> str | None:
        """First name of whoever acts or speaks in a line of a reply."""
        line = edge.lines[position]
        named = self.cast.actor(line)
        if named or not self.cast.by_pronoun(line):
            return named
        before = edge.lines[max(0, position - NEAR) : position]
        meant = self.cast.around(before)
        if meant == frozenset():
            meant = self._left.get(self.chart.state(edge.source).location, frozenset())
        ours = self.chart.state(edge.source).protagonist
        people = meant - {self.cast.first_name(ours)} if ours and meant else meant
        return next(iter(people)) if people and len(people) == 1 else None

    def of(self, line: Line) -> str | None:
        """Whose act a line is wherever the story tells it."""
        return self._by_event.get(self.occurrences.line_number(line))

    @cached_property
    def _left(self) -> dict[str, frozenset[str] | None]:
        """By place of the story: whom the lines that lead there leave in mind; None where that cannot be said."""
        left = dict[str, frozenset[str] | None]()
        for edge in self._edges():
            there = self.chart.state(edge.target).location
            people = self.cast.around(edge.lines[-NEAR:])
            known = left.get(there, frozenset())
            left[there] = None if people is None or known is None else known | people
        return left

    @cached_property
    def _by_event(self) -> dict[int, str | None]:
        actors = defaultdict[int, set[str | None]](set)
        for edge in self._edges():
            for position, line in enumerate(edge.lines):
                actors[self.occurrences.line_number(line)].add(self.actor(edge, position))
        return {number: found.pop() if len(found) == 1 else None for number, found in actors.items()}

    def _edges(self) -> Sequence[Transition]:
        """One transition for each choice of the script and reply to it."""
        every = (edge for number in range(len(self.chart)) for edge in self.chart.transitions(number))
        return list({(edge.choice.span, edge.lines): edge for edge in every}.values())


def acts_of(cast: Cast) -> PerStory[Acts]:
    """Who does what in each story."""
    return PerStory(lambda about: Acts(about.chart, about.analysis.occurrences, cast))
