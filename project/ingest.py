"""`ingest`: take stories and videos in. Files stay where they are; the project remembers path and hash."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from ..agents.signals import Proposal, propose_signals
from ..errors import InputError, UsageError
from ..knowledge.loader import load_signal_words
from ..narrative.runtime import Story
from ..schemas.alignment import Alignment
from ..schemas.files import write_whole
from ..schemas.source import Source
from ..schemas.story import Entity
from ..schemas.yamlfile import read_text
from ..state.store import Store
from . import lexicon, recordings, sources
from .config import FILE_NAME, SourceEntry
from .edit import with_proposals, with_source
from .folder import Project, writable
from .materials import spoken
from .sources import Opened


@dataclass(frozen=True)
class Ingested:
    """What became of each path."""

    added: tuple[Source, ...]
    known: tuple[Source, ...]
    """Sources that were there already, by their bytes."""
    refused: tuple[InputError, ...]
    shown: Mapping[str, Alignment]
    """What each added video shows of its story, by the video's source id."""
    names: tuple[Entity, ...]
    """The project's lexicon afterwards."""
    signals: Mapping[str, Proposal]
    """What the added stories' variables may measure, by variable: comments in the configuration."""


class Beside(NamedTuple):
    """The files that belong to one video."""

    subtitles: Path | None = None
    """Found by its name where it is left out."""
    narrative: Path | None = None
    """Story of which the video shows a playthrough."""


class _Taken(NamedTuple):
    """An entry of the configuration, and what it brings."""

    entry: SourceEntry
    opened: list[Opened]


def ingest(project: Project, paths: Sequence[Path], license: str = "", beside: Beside | None = None) -> Ingested:
    """Add stories and videos to the project. What cannot be read is returned as refused, and changes nothing.

    Raises `UsageError` where the project's folder cannot be written, `license` is no SPDX expression, or `beside` is
    given with more than one path.
    """
    if beside and any(beside) and len(paths) != 1:
        raise UsageError(f"subtitles and narrative belong to one video, and there are {len(paths)} files")
    writable(project.state)
    entries = [_entry(project, path, license, beside or Beside()) for path in paths]
    with Store.open(project.store, seed=project.config.seed) as store:
        taken, shown, refused = _open(project, store, entries)
        opened = [one for each in taken for one in each.opened]
        known = sources.current(project, store)
        fresh = {one.source.source_id: one for one in opened if one.source.source_id not in known}
        _configure(project, [each for each in taken if each.opened[-1].source.source_id in fresh])
        asyncio.run(sources.keep(store, fresh.values()))
        stories = [one.story for one in fresh.values() if one.story]
        names = lexicon.sync(store, project.config, stories, spoken(fresh.values()))
    signals = _propose(project, stories, names)
    return Ingested(
        added=tuple(one.source for one in fresh.values()),
        known=tuple(one.source for one in opened if one.source.source_id not in fresh),
        refused=tuple(refused),
        shown=shown,
        names=names,
        signals=signals,
    )


def _entry(project: Project, path: Path, license: str, beside: Beside) -> SourceEntry:
    files = {name: sources.relative(project, file) for name, file in beside._asdict().items() if file}
    try:
        return SourceEntry(path=sources.relative(project, path), license=license, **files)
    except ValidationError:
        raise UsageError(f"{license!r} is no SPDX id such as CC-BY-4.0; see https://spdx.org/licenses") from None


def _open(
    project: Project, store: Store, entries: Sequence[SourceEntry]
) -> tuple[list[_Taken], dict[str, Alignment], list[InputError]]:
    """What each entry brings, what videos show of their stories, and what is refused."""
    taken: list[_Taken] = []
    shown: dict[str, Alignment] = {}
    refused: list[InputError] = []
    for entry in entries:
        try:
            _same_files(project, entry)
            opened = sources.open_entry(project, entry)
            for one in opened:
                sources.unchanged(store, one.source)
            *stories, own = opened
            for story in (one.story for one in stories if one.story):
                shown[own.source.source_id] = recordings.aligned(project, own, story)
            taken.append(_Taken(entry, opened))
        except InputError as error:
            refused.append(error)
    return taken, shown, refused


def _same_files(project: Project, entry: SourceEntry) -> None:
    """Raises `InputError` for a video that is listed already, with other subtitles or another story."""
    for listed in project.config.sources:
        asked = {"subtitles": entry.subtitles, "narrative": entry.narrative} if listed.path == entry.path else {}
        for name, file in asked.items():
            if file not in (None, getattr(listed, name)):
                raise InputError(entry.path, f"is listed already with another {name}; change its entry in {FILE_NAME}")


def _propose(project: Project, stories: Iterable[Story], people: tuple[Entity, ...]) -> dict[str, Proposal]:
    """Propose signals, and write them into `benchwright.yaml` as comments."""
    words, found = load_signal_words(), dict[str, Proposal]()
    for story in stories:
        found |= propose_signals(story, people, words, {*project.config.signals, *found})
    text = read_text(project.file.path)
    if (proposed := with_proposals(text, found)) != text:
        write_whole(project.file.path, [proposed.encode()])
    return found


def _configure(project: Project, taken: Iterable[_Taken]) -> None:
    """List new sources in `benchwright.yaml`, all at once, unless their path stands there already."""
    listed = {entry.path for entry in project.config.sources}
    text = before = read_text(project.file.path)
    for entry, opened in taken:
        if entry.path not in listed:
            film = opened[-1].film
            found = {"subtitles": film.footage.subtitles} if film and film.footage.subtitles else {}
            text = with_source(text, entry.model_copy(update=found))
            listed.add(entry.path)
    if text != before:
        write_whole(project.file.path, [text.encode()])
