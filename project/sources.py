"""The sources of a project: opened from their files, and kept in the store together with the names they bring.

Rows of the store are versions: a source whose licence was added later, or an entity that got an alias, is put once
more under the next number, and the newest one counts.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..anonymize import lexicon
from ..anonymize.propose import propose
from ..errors import InputError
from ..narrative.runtime import Story
from ..narrative.stories import open_story
from ..schemas.base import source_id
from ..schemas.source import LexiconEntry, Source
from ..schemas.story import Entity
from ..state.store import NodeKey, Store
from ..state.tables import lexicon_key, source_key
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


async def register(project: Project, store: Store, sources: Iterable[Opened]) -> tuple[Entity, ...]:
    """Put sources and names into the store as far as they are new there; the whole lexicon, by number."""
    sources = list(sources)
    for opened in sources:
        await _put_source(store, opened.source)
    entries = entries_of(store)
    known = dict(entries)
    for entry in _grown(project, list(entries.values()), sources):
        if known.get(entry.number) != entry:
            versions = sum(key.round == entry.number for key, _ in store.all(LexiconEntry))
            await store.put(lexicon_key(entry.number)._replace(run=versions), entry)
    return lexicon.entities(entries_of(store).values())


def entries_of(store: Store) -> dict[int, LexiconEntry]:
    """The newest version of every entry of the lexicon, by number."""
    return {key.round: entry for key, entry in store.all(LexiconEntry)}


def sources_of(store: Store) -> dict[str, Source]:
    """The newest version of every source that was ever ingested, by id."""
    return {key.slot_id: source for key, source in store.all(Source)}


def relative(project: Project, path: Path) -> str:
    """`path` as the configuration states it: from the project's folder, with forward slashes."""
    try:
        return Path(os.path.relpath(path.resolve(), project.root)).as_posix()
    except ValueError:  # another drive of Windows
        return path.resolve().as_posix()


async def _put_source(store: Store, source: Source) -> None:
    latest = store.latest(Source, source.source_id)
    if latest == source:
        return
    versions = sum(1 for _ in store.all(Source, source.source_id))
    key: NodeKey = source_key(source.source_id)
    await store.put(key._replace(round=versions), source)


def _grown(project: Project, entries: Sequence[LexiconEntry], sources: Sequence[Opened]) -> list[LexiconEntry]:
    """The lexicon with the author's entities, the people that the stories declare, and the names in their texts."""
    grown = lexicon.merge(entries, author=project.config.entities)
    for _, story in sources:
        grown = lexicon.merge(grown, story=story.info.people)
    for _, story in sources:
        known = lexicon.entities(grown)
        grown = lexicon.merge(grown, proposed=propose([*story.info.texts, story.info.background], known))
    return lexicon.assign(grown, [text for _, story in sources for text in story.info.texts])
