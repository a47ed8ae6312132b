"""Stories as the backend roles see them: opened, explored, analysed. The Answer agent never gets one."""

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from ..narrative.align import Recording
from ..narrative.analysis import Analysis
from ..narrative.flowchart import Flowchart
from ..narrative.neighbourhood import Neighbourhood
from ..narrative.occurrences import exact
from ..narrative.readings import Readings
from ..narrative.runtime import Story
from ..narrative.shares import Entry
from ..narrative.similarity import Similarity

T = TypeVar("T")


class Narrative(NamedTuple):
    story: Story
    chart: Flowchart
    analysis: Analysis
    neighbourhood: Neighbourhood
    similarity: Similarity
    readings: Readings
    recordings: tuple[Recording, ...] = ()
    """Playthroughs that videos show; their plays are the first of the chart's."""
    shares: tuple[Entry, ...] = ()
    """What players chose, at those decisions where it was recorded."""

    def filmed(self, play: tuple[int, ...]) -> bool:
        """Whether a video shows these choices."""
        return any(one.alignment.play[: len(play)] == play for one in self.recordings)

    def shares_at(self, state: int) -> Entry | None:
        """What players chose at the decision of a state."""
        menu = frozenset(exact(choice.text) for choice in self.chart.state(state).choices)
        return next((entry for entry in self.shares if entry.menu == menu), None)

    @classmethod
    def of(cls, story: Story, chart: Flowchart, recordings: tuple[Recording, ...] = ()) -> "Narrative":
        analysis = Analysis(chart)
        return cls(
            story,
            chart,
            analysis,
            Neighbourhood(chart, analysis.occurrences),
            Similarity(analysis.occurrences),
            Readings(story),
            recordings,
        )


Narratives = Mapping[str, Narrative]
"""By source id."""


class PerStory(Generic[T]):
    """What is worked out once for each story, when it is first asked for."""

    def __init__(self, make: Callable[[Narrative], T]) -> None:
        self._make = make
        self._made: dict[str, T] = {}

    def __call__(self, narrative: Narrative) -> T:
        sha256 = narrative.story.info.sha256
        if sha256 not in self._made:
            self._made[sha256] = self._make(narrative)
        return self._made[sha256]
