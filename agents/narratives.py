"""Stories as the backend roles see them: opened, explored, analysed. The Answer agent never gets one."""

from collections.abc import Mapping
from typing import NamedTuple

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

    @classmethod
    def of(cls, story: Story, chart: Flowchart) -> "Narrative":
        analysis = Analysis(chart)
        return cls(
            story,
            chart,
            analysis,
            Neighbourhood(chart, analysis.occurrences),
            Similarity(analysis.occurrences),
            Readings(story),
        )


Narratives = Mapping[str, Narrative]
"""By source id."""
