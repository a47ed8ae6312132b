"""The project's stories, opened and explored. Flowcharts are cached by what they depend on: a build explores once."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ..agents.narratives import Narrative
from ..narrative.explore import explore
from ..narrative.flowchart import Flowchart, cached
from ..narrative.plays import cover, sample
from ..narrative.runtime import Story
from ..narrative.windows import explore_windows
from .folder import Project

STATES = 50_000
"""Bound of whole exploration; a larger story is explored around playthroughs."""
PLAYTHROUGHS = 40
AROUND = (16, 4, 40_000)
"""Playthroughs, window in decisions, and bound on states, where a story is too large to explore whole."""

Progress = Callable[[str, int, int | None], None]
"""Called with what is done, how much of it, and of how much (None where nobody knows)."""


def explored(project: Project, stories: Mapping[str, Story], progress: Progress) -> dict[str, Narrative]:
    """Each story with its flowchart and playthroughs."""
    seed = project.config.seed
    narratives = {}
    for source_id, story in stories.items():
        chart = cached(
            project.cache,
            ("whole", story.info.sha256, STATES),
            lambda story=story: _explore(story, progress),  # type: ignore[misc]
        )
        if chart.complete:
            chart.plays = [*sample(chart, seed=seed, count=PLAYTHROUGHS), *cover(chart, seed=seed)]
        else:
            parts = ("around", story.info.sha256, seed, *AROUND)
            chart = cached(project.cache, parts, lambda story=story: _around(story, seed))  # type: ignore[misc]
        narratives[source_id] = Narrative.of(story, chart)
    return narratives


def _explore(story: Story, progress: Progress) -> Flowchart:
    def told(states: int, bound: int) -> None:
        progress(f"exploring {Path(story.info.title).name}", states, None)

    return explore(story, max_states=STATES, progress=told)


def _around(story: Story, seed: int) -> Flowchart:
    playthroughs, window, states = AROUND
    return explore_windows(story, seed=seed, playthroughs=playthroughs, window=window, max_states=states)
