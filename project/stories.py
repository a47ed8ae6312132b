"""The project's stories, opened and explored. Flowcharts are cached by what they depend on: a build explores once."""

from collections.abc import Mapping

from ..agents.narratives import Narrative
from ..narrative.explore import explore
from ..narrative.flowchart import Flowchart, cached
from ..narrative.plays import cover, sample
from ..narrative.runtime import Story
from ..narrative.windows import explore_windows
from .folder import Project
from .progress import Progress

PLAYTHROUGHS = 40
"""Sampled on a flowchart that is whole; those that cover what is left come on top."""


def explored(project: Project, stories: Mapping[str, Story], progress: Progress) -> dict[str, Narrative]:
    """Each story with its flowchart and playthroughs."""
    return {source_id: Narrative.of(story, _chart(project, story, progress)) for source_id, story in stories.items()}


def _chart(project: Project, story: Story, progress: Progress) -> Flowchart:
    """The whole flowchart with plays sampled on it; where it is too large, what lies around playthroughs."""
    seed, bounds = project.config.seed, project.config.exploration

    def told(states: int, bound: int) -> None:
        progress(f"exploring {story.info.title}", states, None)

    if bounds.states:
        parts = ("whole", story.info.sha256, bounds.states)
        chart = cached(project.cache, parts, lambda: explore(story, max_states=bounds.states, progress=told))
        if chart.complete:
            chart.plays = [*sample(chart, seed=seed, count=PLAYTHROUGHS), *cover(chart, seed=seed)]
            return chart
    plays, window = bounds.playthroughs, bounds.window
    around = ("around", story.info.sha256, seed, plays, window)
    return cached(
        project.cache,
        around,
        lambda: explore_windows(story, seed=seed, playthroughs=plays, window=window, progress=told),
    )
