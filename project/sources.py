"""The sources of a project: opened from their files, and kept in the store.

Rows of the store are versions: a source whose licence was added later is put once more under the next number, and the
newest one counts.
"""

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, UsageError
from ..media.probe import named_video, probe
from ..media.subtitles import SUFFIXES, read_subtitles, sidecar
from ..narrative.runtime import Story, StoryInfo
from ..narrative.stories import open_story
from ..schemas.base import Record, source_id
from ..schemas.clip import Cue
from ..schemas.files import file_hash
from ..schemas.source import Footage, Source
from ..schemas.story import StoryPerson
from ..state.store import Store
from ..state.tables import source_key
from . import config
from .config import SourceEntry
from .folder import Project

LOOKED_AT = 4096
"""Bytes from the start of a file that tell text from a video."""


class Film(NamedTuple):
    """A video, ready to be aligned with the story that it shows."""

    footage: Footage
    cues: tuple[Cue, ...]
    play: tuple[int, ...] | None
    """Choices that it shows, where the author says so."""


class Opened(NamedTuple):
    """A source, and what it takes to work with it: a story to be played, a film, or what a transcript says."""

    source: Source
    story: Story | None = None
    film: Film | None = None
    said: tuple[Cue, ...] = ()
    """Of a transcript."""


class Gathered(NamedTuple):
    """The sources of a project that can be used, by id in ascending order, and what is wrong with the others."""

    opened: dict[str, Opened]
    refused: tuple[InputError, ...]

    @property
    def stories(self) -> dict[str, Story]:
        return {name: one.story for name, one in self.opened.items() if one.story}


def open_entry(project: Project, entry: SourceEntry) -> list[Opened]:
    """Open one entry of `sources`: a story; or a video, after the story that it shows, if it shows one.

    Raises `InputError`, one line, for what cannot be used.
    """
    if entry.path is None:
        raise InputError(entry.url, "addresses are not fetched; download the video and name the file as `path`")
    path = located(project, entry.path)
    if is_video(path):
        if entry.shares or entry.protagonists or (entry.background and entry.narrative):
            problem = "is a video; shares, protagonists and the background of a story belong to the story's entry"
            raise InputError(entry.path, problem)
        return _open_video(project, entry, path)
    if entry.narrative or entry.subtitles:
        raise InputError(entry.path, "is no video, and only a video has subtitles or shows a narrative")
    if path.suffix.lower() in SUFFIXES:
        return [_open_transcript(project, entry, path)]
    return [_open_story(project, entry, path)]


def located(project: Project, path: str) -> Path:
    """Where a path of the configuration leads."""
    return Path(os.path.normpath(project.root / config.expand(path)))


def is_video(path: Path) -> bool:
    """Whether a file is to be opened as a video: by its name, or as it holds no text."""
    if named_video(path):
        return True
    try:
        with path.open("rb") as file:
            first = file.read(LOOKED_AT)
    except OSError:
        return False
    return b"\0" in first and first[:2] not in (b"\xff\xfe", b"\xfe\xff")


def gather(project: Project) -> Gathered:
    """Every source of the configuration; the same bytes under two paths once.

    What is refused names the entry's line as well as what is wrong with the file.
    """
    opened: dict[str, Opened] = {}
    refused: list[InputError] = []
    for index, entry in enumerate(project.config.sources):
        try:
            found = open_entry(project, entry)
        except InputError as error:
            refused.append(project.file.wrong(("sources", index), str(error)))
            continue
        *shown, own = found
        for one in shown:
            opened.setdefault(one.source.source_id, one)
        before = opened.get(own.source.source_id)
        if before is None or _by_video(project, before.source):
            opened[own.source.source_id] = own
    return Gathered(dict(sorted(opened.items())), tuple(refused))


async def keep(store: Store, opened: Iterable[Opened]) -> None:
    """Put sources into the store, as a new version where one of them is there in another form."""
    for one in opened:
        await _keep(store, one.source.source_id, one.source)
        if one.film:
            await _keep(store, one.source.source_id, one.film.footage)


def sync(project: Project, store: Store) -> Gathered:
    """Every source of the configuration, those that can be used kept in the store.

    Refused are also those that were changed since they were ingested. Raises `UsageError` where there is no source, or
    none that can be used.
    """
    gathered = gather(project)
    refused = list(gathered.refused)
    opened = {}
    for name, one in gathered.opened.items():
        try:
            unchanged(store, one.source)
            opened[name] = one
        except InputError as error:
            refused.append(error)
    usable(project, opened, refused)
    asyncio.run(keep(store, opened.values()))
    return Gathered(opened, tuple(refused))


def usable(project: Project, opened: Iterable[object], refused: Sequence[InputError]) -> None:
    """Raises `UsageError` where nothing was opened."""
    if any(True for _ in opened):
        return
    if not refused:
        raise UsageError(f"{project.root}: no source is ingested; run `benchwright ingest FILE` first")
    if len(refused) == 1:
        raise refused[0]
    raise UsageError(f"none of the {len(refused)} sources can be used; the first: {refused[0]}")


def unchanged(store: Store, source: Source) -> None:
    """Raises `InputError` where another text was ingested from this path: its items would no longer fit the story."""
    for known in sources_of(store).values():
        if known.path == source.path and known.source_id != source.source_id:
            remedy = "name the new text differently, or delete .benchwright to begin anew"
            raise InputError(source.path, f"changed since it was ingested; {remedy}")


def current(project: Project, store: Store) -> set[str]:
    """Ids of the sources that the store holds and the configuration still lists: only their items count."""
    listed = {path for entry in project.config.sources for path in (entry.path, entry.narrative)}
    return {name for name, source in sources_of(store).items() if source.path in listed}


def sources_of(store: Store) -> dict[str, Source]:
    """The newest version of every source that was ever ingested, by id."""
    return {key.slot_id: source for key, source in store.all(Source)}


def footage_of(store: Store) -> dict[str, Footage]:
    """The newest version of what is known of every video, by source id."""
    return {key.slot_id: footage for key, footage in store.all(Footage)}


def relative(project: Project, path: Path) -> str:
    """`path` as the configuration states it: from the project's folder, with forward slashes, a dollar doubled."""
    try:
        stated = Path(os.path.relpath(path.resolve(), project.root)).as_posix()
    except ValueError:  # another drive of Windows
        stated = path.resolve().as_posix()
    return stated.replace("$", "$$")


def _open_story(project: Project, entry: SourceEntry, path: Path) -> Opened:
    story = open_story(path)
    info = story.info = _told(entry, story.info)
    source = Source(
        source_id=source_id(project.config.seed, info.sha256),
        kind="story",
        license=entry.license or info.license,
        language=info.language,
        sha256=info.sha256,
        background=info.background,
        path=entry.path or "",
        title=info.title,
        format=info.format,
    )
    return Opened(source, story)


def _open_transcript(project: Project, entry: SourceEntry, path: Path) -> Opened:
    """Subtitles without their video: what is said and when, and nothing to be seen."""
    if entry.shares or entry.protagonists:
        raise InputError(entry.path, "is a transcript; shares and protagonists belong to stories")
    said, sha256 = tuple(read_subtitles(path)), file_hash(path)
    if not said:
        raise InputError(path, "says nothing: it holds no subtitle")
    source = Source(
        source_id=source_id(project.config.seed, sha256),
        kind="transcript",
        license=entry.license,
        sha256=sha256,
        background=entry.background,
        path=entry.path or "",
        title=path.stem,
        format=path.suffix[1:].lower(),
    )
    return Opened(source, said=said)


def _open_video(project: Project, entry: SourceEntry, path: Path) -> list[Opened]:
    assert entry.path is not None
    found, sha256 = probe(path), file_hash(path)
    subtitles = located(project, entry.subtitles) if entry.subtitles else sidecar(path)
    cues = tuple(read_subtitles(subtitles)) if subtitles else ()
    shown = list(_narrative(project, entry))
    if shown and not cues and entry.play is None:
        there = f"{subtitles} holds none" if subtitles else "name them with `subtitles`, or the choices with `play`"
        raise InputError(path, f"a playthrough is aligned by its subtitles, and there are none: {there}")
    source = Source(
        source_id=source_id(project.config.seed, sha256),
        kind="video",
        license=entry.license,
        language=shown[0].source.language if shown else "en",
        sha256=sha256,
        background=entry.background,
        path=entry.path,
        title=path.stem,
        format=found.container,
    )
    footage = Footage(
        duration=found.duration,
        audio=found.audio,
        subtitles=relative(project, subtitles) if subtitles else "",
        story=shown[0].source.source_id if shown else "",
    )
    return [*shown, Opened(source, film=Film(footage, cues, entry.play))]


def _told(entry: SourceEntry, info: StoryInfo) -> StoryInfo:
    """What a finished story says of itself, with what its entry adds."""
    if entry.protagonists and info.protagonists:
        raise InputError(entry.path, f"names its protagonists itself ({', '.join(info.protagonists)})")
    named = {name for person in info.people for name in (person.name, *person.aliases)}
    added = (StoryPerson(name=name) for name in dict.fromkeys(entry.protagonists) if name not in named)
    return info._replace(
        background=entry.background or info.background,
        protagonists=entry.protagonists or info.protagonists,
        people=(*info.people, *added),
    )


def _narrative(project: Project, entry: SourceEntry) -> Iterator[Opened]:
    """The story that a video shows; its own entry, where it has one, says more of it."""
    if entry.narrative:
        alone = SourceEntry(path=entry.narrative)
        own = next((other for other in project.config.sources if other.path == entry.narrative), alone)
        licensed = own.model_copy(update={"license": own.license or entry.license})
        yield _open_story(project, licensed, located(project, entry.narrative))


def _by_video(project: Project, source: Source) -> bool:
    """Whether a story is among the sources only as what a video shows."""
    return source.path not in {entry.path for entry in project.config.sources}


async def _keep(store: Store, name: str, record: Record) -> None:
    if store.latest(type(record), name) != record:
        versions = sum(1 for _ in store.all(type(record), name))
        await store.put(source_key(name)._replace(round=versions), record)
