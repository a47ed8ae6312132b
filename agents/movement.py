"""How the variables of a story move: which way each choice moves them, and between which ends, over all explored."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from ..narrative.flowchart import Flowchart
from ..narrative.runtime import Choice
from ..schemas.story import Scalar
from .narratives import Narrative

Effect = tuple[Choice, Mapping[str, Scalar], Mapping[str, Scalar]]
"""A choice, and the variables before it and after its reply."""


class Movement:
    """Of the variables named, which measure something. A flowchart keeps those that the story still reads or the
    project watches; the others are known along the recorded plays."""

    def __init__(self, narrative: Narrative, names: Collection[str]) -> None:
        self._moved: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self._seen: dict[str, set[float]] = defaultdict(set)
        for choice, before, after in (*_recorded(narrative), *_explored(narrative.chart)):
            for name in names:
                if name in before and name in after:
                    old, new = amount(before[name]), amount(after[name])
                    self._seen[name] |= {old, new}
                    if old != new:
                        self._moved[choice.span].add((name, 1 if new > old else -1))

    def ways(self, span: str, name: str) -> set[int]:
        """Which ways the choice at a source span moves a variable after some history: 1, -1, both or neither."""
        return {way for moved, way in self._moved.get(span, ()) if moved == name}

    def at_an_end(self, name: str, value: Scalar) -> bool:
        """Whether a value is the lowest or the highest that a variable which moves was seen to have."""
        low, high = min(self._seen[name]), max(self._seen[name])
        return low < high and amount(value) in (low, high)


def amount(value: Scalar) -> float:
    return 0.0 if isinstance(value, str) else float(value)


def _recorded(narrative: Narrative) -> Iterator[Effect]:
    """Every choice of the recorded plays."""
    for play in narrative.chart.plays:
        steps = pairwise(narrative.readings.along(play))
        for edge, (before, after) in zip(narrative.chart.follow(play), steps, strict=True):
            yield edge.choice, before, after


def _explored(chart: Flowchart) -> Iterator[Effect]:
    """Every explored choice, with the variables as its state was first come to."""
    reached = {chart.START: chart.variables}
    for state in range(len(chart)):
        for edge in chart.transitions(state):
            reached.setdefault(edge.target, edge.variables)
            yield edge.choice, reached[state], edge.variables
