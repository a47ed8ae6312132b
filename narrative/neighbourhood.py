"""How far apart two places of a story are, in decisions either way: what happens near a place could happen there."""

from collections import defaultdict, deque

from .flowchart import Flowchart
from .occurrences import Occurrences


class Neighbourhood:
    """Distances over the places of a flowchart (its locations), whatever the variables."""

    def __init__(self, chart: Flowchart, occurrences: Occurrences) -> None:
        self._next: dict[str, set[str]] = defaultdict(set)
        self._told_at: dict[int, set[str]] = defaultdict(set)
        self._memo: dict[str, dict[str, int]] = {}
        for number in range(len(chart)):
            here = chart.state(number).location
            for edge in chart.transitions(number):
                there = chart.state(edge.target).location
                self._next[here].add(there)
                self._next[there].add(here)
                for line in edge.lines:
                    self._told_at[occurrences.line_number(line)].add(here)

    def distance(self, event: int, location: str) -> int:
        """Fewest decisions between a place and one where the line event is told; 10,000 where there is no way."""
        reach = self._from(location)
        return min((reach.get(place, 10_000) for place in self._told_at.get(event, ())), default=10_000)

    def _from(self, location: str) -> dict[str, int]:
        if location not in self._memo:
            reach, queue = {location: 0}, deque([location])
            while queue:
                here = queue.popleft()
                for there in sorted(self._next[here] - reach.keys()):
                    reach[there] = reach[here] + 1
                    queue.append(there)
            self._memo[location] = reach
        return self._memo[location]
