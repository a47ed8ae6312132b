"""Stories as the backend roles see them: opened, explored, analysed. The Answer agent never gets one."""

from collections.abc import Mapping
from typing import NamedTuple

from ..narrative.analysis import Analysis
from ..narrative.flowchart import Flowchart
from ..narrative.runtime import Story


class Narrative(NamedTuple):
    story: Story
    chart: Flowchart
    analysis: Analysis


Narratives = Mapping[str, Narrative]
"""By source id."""
