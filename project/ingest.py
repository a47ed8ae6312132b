"""`ingest`: take stories into the project. Files stay where they are; the project remembers path and hash."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from ..errors import InputError, UsageError
from ..schemas.files import write_whole
from ..schemas.source import Source
from ..schemas.story import Entity
from ..schemas.yamlfile import read_text
from ..state.store import Store
from . import lexicon, sources
from .config import SourceEntry
from .edit import with_source
from .folder import Project, writable
from .sources import Opened


@dataclass(frozen=True)
class Ingested:
    """What became of each path."""

    added: tuple[Source, ...]
    known: tuple[Source, ...]
    """Sources that were there already, by their bytes."""
    refused: tuple[InputError, ...]
    names: tuple[Entity, ...]
    """The project's lexicon afterwards."""


def ingest(project: Project, paths: Sequence[Path], license: str = "") -> Ingested:
    """Add story files to the project. What cannot be read is returned as refused, and changes nothing.

    Raises `UsageError` where the project's folder cannot be written or `license` is no SPDX expression.
    """
    writable(project.state)
    entries = [_entry(project, path, license) for path in paths]
    with Store.open(project.store, seed=project.config.seed) as store:
        opened, refused = _open(project, store, entries)
        known = sources.current(project, store)
        fresh = {one.source.source_id: one for one in opened if one.source.source_id not in known}
        _configure(project, fresh.values(), license)
        asyncio.run(sources.keep(store, (one.source for one in fresh.values())))
        names = lexicon.sync(store, project.config, [one.story for one in fresh.values()])
    return Ingested(
        added=tuple(one.source for one in fresh.values()),
        known=tuple(one.source for one in opened if one not in fresh.values()),
        refused=tuple(refused),
        names=names,
    )


def _entry(project: Project, path: Path, license: str) -> SourceEntry:
    try:
        return SourceEntry(path=sources.relative(project, path), license=license)
    except ValidationError:
        raise UsageError(f"{license!r} is no SPDX id such as CC-BY-4.0; see https://spdx.org/licenses") from None


def _open(project: Project, store: Store, entries: Sequence[SourceEntry]) -> tuple[list[Opened], list[InputError]]:
    opened, refused = [], []
    for entry in entries:
        try:
            one = sources.open_entry(project, entry)
            sources.unchanged(store, one.source)
            opened.append(one)
        except InputError as error:
            refused.append(error)
    return opened, refused


def _configure(project: Project, opened: Iterable[Opened], license: str) -> None:
    """List new sources in `benchwright.yaml`, all at once, unless their path stands there already."""
    listed = {entry.path for entry in project.config.sources}
    text = before = read_text(project.file.path)
    for one in opened:
        if one.source.path not in listed:
            text = with_source(text, SourceEntry(path=one.source.path, license=license))
    if text != before:
        write_whole(project.file.path, [text.encode()])
