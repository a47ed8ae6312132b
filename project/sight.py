"""What the models of an evaluation can be shown: films of the release's clips, and worked examples from another one."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError
from ..evaluation.conditions import named
from ..evaluation.film import forms
from ..evaluation.posing import Poser, Sight
from ..evaluation.run import RunSettings
from ..evaluation.shots import Shot, Shots
from ..llm.client import Media
from ..schemas.base import digest
from ..schemas.clip import ClipRef
from ..schemas.human import HumanStep
from ..schemas.judge import TraceStep
from ..schemas.release import ModelInput
from ..schemas.response import Form, Sampling
from ..state.store import Store
from .films import Films, Shelf, Shelves, of_release
from .folder import Project
from .histories import under
from .models import takes
from .people import folder_of, stored
from .progress import Live
from .releases import Release, open_release
from .sources import located, sources_of


class Looking(NamedTuple):
    """Where what can be shown lies."""

    media: tuple[Path, ...] = ()
    """Videos, and folders of videos, beside those of the project."""
    shots: Path | None = None
    """Folder of the release that worked examples come from."""


def records(release: Release, settings: RunSettings) -> list[ModelInput]:
    """The records that a run asks about, as its condition shows them. Raises `UsageError` where there are none."""
    inputs = under(release.inputs(), named(settings.condition))
    if settings.scope == "film":
        filmed = release.filmed()
        inputs = [item for item in inputs if item.clip.media in filmed]
        if not inputs:
            raise UsageError(f"{release.folder}: no video shows the clip of any item")
    return inputs


class Seen:
    """Films and examples of one evaluation. Nothing is opened before it is needed."""

    def __init__(self, project: Project | None, release: Release, looking: Looking, frames: Sampling) -> None:
        self._project, self._release, self._looking, self._frames = project, release, looking, frames
        self._examples = open_release(looking.shots) if looking.shots else None
        places = (*looking.media, *_own_videos(project))
        folder = (project.state if project else Path("runs")) / "media"
        opened = [release, *([self._examples] if self._examples else [])]
        self._films = [of_release(one, folder, places, frames) for one in opened]

    @property
    def media(self) -> Media:
        return Shelves([one.shelf for one in self._films])

    def sight(self, model: str) -> Sight:
        return Sight(takes(self._project, model), self._films[0], self._shots)

    def rehearse(self, settings: RunSettings, live: Live) -> int:
        """Cut every piece that a run will show, and see that every request of it can be made. Returns their number."""
        inputs, sight = records(self._release, settings), self.sight(settings.model)
        condition = named(settings.condition)
        wanted = dict.fromkeys(
            (item.clip, form) for item in inputs for form in forms(condition, item, sight.takes, sight.films)
        )
        if wanted:
            cut_all(self._films[0], list(wanted), live)
        poser = Poser(settings.posing, self._release.transcripts(), sight)
        for item in inputs:
            poser.check(item)
        return len(inputs)

    @cached_property
    def _shots(self) -> Shots:
        if self._examples is None:
            return Shots()
        _apart(self._release, self._examples)
        films = self._films[1]
        name = f"{self._examples.title} {self._examples.sha256}"
        return Shots(name, list(self._pool(self._examples)), self._examples.transcripts(), films)

    def _pool(self, examples: Release) -> Iterator[Shot]:
        rows, people = examples.keys(), self._people(examples)
        keys = {row.id: row for row in rows}
        for item in examples.inputs():
            key = keys[item.id]
            yield Shot(item, key.answer, key.answer_text, key.story, people.get(item.id, ()))

    def _people(self, examples: Release) -> dict[str, tuple[TraceStep, ...]]:
        """One person's trace of each item, where people's traces were imported for the examples."""
        steps = stored(folder_of(self._project, examples), HumanStep)
        by_trace: dict[tuple[str, str], list[HumanStep]] = {}
        for step in steps:
            by_trace.setdefault((step.item, step.person), []).append(step)
        chosen: dict[str, str] = {}
        for item, person in sorted(by_trace, key=lambda pair: digest("shot", *pair)):
            chosen.setdefault(item, person)
        return {
            item: tuple(
                TraceStep(text=step.text, tags=step.tags)
                for step in sorted(by_trace[item, person], key=lambda step: step.step)
            )
            for item, person in chosen.items()
        }


def cut_all(films: Films, wanted: Sequence[tuple[ClipRef, Form]], live: Live) -> None:
    """Cut pieces. The library lets go of Python's lock while it works, so threads do. Raises what cutting raises."""
    told = live.stage("cutting clips")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, _ in enumerate(pool.map(lambda one: films.cut(*one), wanted), 1):
            told(done, len(wanted))


def _apart(release: Release, examples: Release) -> None:
    """Raises `UsageError` where examples share a source with the release: they would show what is asked about."""
    own = {source.source_id for source in release.manifest.sources}
    own |= {source.sha256 for source in release.manifest.sources}
    shared = [source.source_id for source in examples.manifest.sources if own & {source.source_id, source.sha256}]
    if examples.sha256 == release.sha256 or shared:
        what = f"share source {shared[0]} with it" if shared else "are the release itself"
        raise UsageError(f"{examples.folder}: examples for {release.title} must come from elsewhere, and these {what}")


def shelf(project: Project, store: Store, frames: Sampling | None = None) -> Shelf:
    """The videos among the sources that a project's store holds; pictures as the project has them, or as said."""
    hashes = {name: one.sha256 for name, one in sources_of(store).items() if one.kind == "video"}
    return Shelf(hashes, project.state / "media", _own_videos(project), frames or project.config.frames)


def _own_videos(project: Project | None) -> list[Path]:
    """The videos among a project's sources that are there."""
    entries = project.config.sources if project else ()
    paths = [located(project, entry.path) for entry in entries if project and entry.path]
    return [path for path in paths if path.is_file()]
