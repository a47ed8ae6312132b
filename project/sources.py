"""The sources of a project: opened from their files, and kept in the store.

Rows of the store are versions: a source whose licence was added later is put once more under the next number, and the
newest one counts.
"""

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, UsageError
from ..narrative.runtime import Story
from ..narrative.stories import open_story
from ..schemas.base import source_id
from ..schemas.source import Source
from ..state.store import Store
from ..state.tables import source_key
from . import config
from .config import SourceEntry
from .folder import Project


class Opened(NamedTuple):
    """A source with its story, ready to be played."""

    source: Source
    story: Story


def open_entry(project: Project, entry: SourceEntry) -> Opened:
    """Open one entry of `sources`. Raises `InputError` for a file that is no story."""
    if entry.path is None or entry.narrative or entry.subtitles:
        raise InputError(entry.path or entry.url, "videos are not read; name a story file as `path`")
    story = open_story(Path(os.path.normpath(project.root / config.expand(entry.path))))
    info = story.info
    source = Source(
        source_id=source_id(project.config.seed, info.sha256),
        kind="story",
        license=entry.license or info.license,
        language=info.language,
        sha256=info.sha256,
        background=info.background,
        path=entry.path,
        title=info.title,
        format=info.format,
    )
    return Opened(source, story)


def open_all(project: Project) -> list[Opened]:
    """Every source of the configuration, in its order; the same bytes under two paths once.

    Raises `InputError` that names the entry's line as well as what is wrong with the file.
    """
    opened: dict[str, Opened] = {}
    for index, entry in enumerate(project.config.sources):
        try:
            one = open_entry(project, entry)
        except InputError as error:
            raise project.file.wrong(("sources", index), str(error)) from None
        opened.setdefault(one.source.source_id, one)
    return list(opened.values())


async def keep(store: Store, sources: Iterable[Source]) -> None:
    """Put sources into the store, as a new version where one of them is there in another form."""
    for source in sources:
        if store.latest(Source, source.source_id) != source:
            versions = sum(1 for _ in store.all(Source, source.source_id))
            await store.put(source_key(source.source_id)._replace(round=versions), source)


def sync(project: Project, store: Store) -> dict[str, Opened]:
    """Every source of the configuration, opened and kept in the store, by id in ascending order.

    Raises `UsageError` where there is none, `InputError` for one that is gone or was changed since it was ingested.
    """
    opened = {one.source.source_id: one for one in open_all(project)}
    if not opened:
        raise UsageError(f"{project.root}: no source is ingested; run `benchwright ingest FILE` first")
    for one in opened.values():
        unchanged(store, one.source)
    asyncio.run(keep(store, (one.source for one in opened.values())))
    return dict(sorted(opened.items()))


def unchanged(store: Store, source: Source) -> None:
    """Raises `InputError` where another text was ingested from this path: its items would no longer fit the story."""
    for known in sources_of(store).values():
        if known.path == source.path and known.source_id != source.source_id:
            remedy = "name the new text differently, or delete .benchwright to begin anew"
            raise InputError(source.path, f"changed since it was ingested; {remedy}")


def current(project: Project, store: Store) -> set[str]:
    """Ids of the sources that the store holds and the configuration still lists: only their items count."""
    listed = {entry.path for entry in project.config.sources}
    return {name for name, source in sources_of(store).items() if source.path in listed}


def sources_of(store: Store) -> dict[str, Source]:
    """The newest version of every source that was ever ingested, by id."""
    return {key.slot_id: source for key, source in store.all(Source)}


def relative(project: Project, path: Path) -> str:
    """`path` as the configuration states it: from the project's folder, with forward slashes."""
    try:
        return Path(os.path.relpath(path.resolve(), project.root)).as_posix()
    except ValueError:  # another drive of Windows
        return path.resolve().as_posix()
