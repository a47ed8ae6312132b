"""The project's stories, opened and explored. Flowcharts are cached by what they depend on: a build explores once."""

from collections.abc import Mapping
from typing import NamedTuple

from ..agents.narratives import Narrative
from ..errors import InputError
from ..narrative.align import Recording
from ..narrative.explore import explore
from ..narrative.flowchart import Flowchart, cached
from ..narrative.plays import cover, sample
from ..narrative.runtime import Story
from ..narrative.windows import explore_windows
from .folder import Project
from .progress import Progress

PLAYTHROUGHS = 40
"""Sampled on a flowchart that is whole; those that cover what is left come on top."""


class Explored(NamedTuple):
    """The stories that could be explored, by source id, and what is wrong with the others."""

    narratives: dict[str, Narrative]
    refused: tuple[InputError, ...]


def explored(
    project: Project,
    stories: Mapping[str, Story],
    recordings: Mapping[str, tuple[Recording, ...]],
    progress: Progress,
) -> Explored:
    """Each story with its flowchart and playthroughs, those that a video shows first."""
    found: dict[str, Narrative] = {}
    refused = []
    for source_id, story in stories.items():
        shown = recordings.get(source_id, ())
        try:
            found[source_id] = Narrative.of(story, _chart(project, story, shown, progress), shown)
        except InputError as error:
            refused.append(error)
    return Explored(found, tuple(refused))


def _chart(project: Project, story: Story, shown: tuple[Recording, ...], progress: Progress) -> Flowchart:
    """The whole flowchart with plays sampled on it; where it is too large, what lies around playthroughs."""
    seed, bounds = project.config.seed, project.config.exploration
    recorded = tuple(dict.fromkeys(one.alignment.play for one in shown if one.alignment.play))

    def told(states: int, bound: int) -> None:
        progress(f"exploring {story.info.title}", states, None)

    if bounds.states:
        parts: tuple[str | int, ...] = ("whole", story.info.sha256, bounds.states, *story.info.protagonists)
        chart = cached(project.cache, parts, lambda: explore(story, max_states=bounds.states, progress=told))
        if chart.complete:
            plays = [*recorded, *sample(chart, seed=seed, count=PLAYTHROUGHS), *cover(chart, seed=seed)]
            chart.plays = list(dict.fromkeys(plays))
            return chart
    plays_wanted, window = bounds.playthroughs, bounds.window
    around: tuple[str | int, ...] = (
        "around",
        story.info.sha256,
        seed,
        plays_wanted,
        window,
        *story.info.protagonists,
        *([str(recorded)] if recorded else []),
    )
    return cached(
        project.cache,
        around,
        lambda: explore_windows(
            story, seed=seed, recorded=recorded, playthroughs=plays_wanted, window=window, progress=told
        ),
    )
