"""Stories as the backend roles see them: opened, explored, analysed. The Answer agent never gets one."""

from collections.abc import Mapping
from typing import NamedTuple

from ..narrative.align import Recording
from ..narrative.analysis import Analysis
from ..narrative.flowchart import Flowchart
from ..narrative.neighbourhood import Neighbourhood
from ..narrative.readings import Readings
from ..narrative.runtime import Story
from ..narrative.similarity import Similarity


class Narrative(NamedTuple):
    story: Story
    chart: Flowchart
    analysis: Analysis
    neighbourhood: Neighbourhood
    similarity: Similarity
    readings: Readings
    recordings: tuple[Recording, ...] = ()
    """Playthroughs that videos show; their plays are the first of the chart's."""

    def filmed(self, play: tuple[int, ...]) -> bool:
        """Whether a video shows these choices."""
        return any(one.alignment.play[: len(play)] == play for one in self.recordings)

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
