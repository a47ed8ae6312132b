"""What the project's playthrough videos show of its stories: each aligned once, and cached by what it depends on."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from ..narrative.align import Recording, align
from ..narrative.heard import Heard
from ..narrative.recover import given, recover
from ..narrative.runtime import Story
from ..schemas.alignment import Alignment
from ..schemas.base import canonical, digest, sha256
from ..schemas.files import read_record, to_line, write_whole
from .folder import Project
from .sources import Film, Gathered, Opened

VERSION = 2
"""Of the alignment; a new number makes cached ones unread."""
LEAST = 0.2
"""Share of a play's words that must be aligned for a video to be a playthrough of the story at all."""


class Recorded(NamedTuple):
    """The recordings of each story, by its source id, and what is wrong with the videos of others."""

    recordings: Mapping[str, tuple[Recording, ...]]
    refused: tuple[InputError, ...]


def recorded(project: Project, gathered: Gathered) -> Recorded:
    """Every video with the story that it shows, in ascending order of their ids."""
    found: dict[str, tuple[Recording, ...]] = {}
    refused = []
    for name, one in gathered.opened.items():
        story = gathered.opened.get(one.film.footage.story) if one.film else None
        if story is not None and story.story is not None:
            try:
                recording = Recording(name, aligned(project, one, story.story))
                found[story.source.source_id] = (*found.get(story.source.source_id, ()), recording)
            except InputError as error:
                refused.append(error)
    return Recorded(found, tuple(refused))


def aligned(project: Project, video: Opened, story: Story) -> Alignment:
    """The playthrough that a video shows. Raises `InputError` where its subtitles have next to nothing of the story, or
    the choices that its author gives are not offered."""
    assert video.film is not None
    path = _cached(project, video, video.film, story)
    if path.exists():
        return read_record(path, Alignment)
    found = _align(video, video.film, story)
    if found.confidence < LEAST and video.film.play is None:
        share = f"{found.confidence:.0%} of the words of its first lines"
        raise InputError(video.source.path, f"shows no playthrough of {story.info.title!r}: its subtitles have {share}")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [to_line(found)])
    return found


def _align(video: Opened, film: Film, story: Story) -> Alignment:
    heard, runtime = Heard(film.cues), story.runtime()
    try:
        if film.play is None:
            best = recover(heard, runtime)
            return align(heard, best.steps, best.play)
        return align(heard, given(runtime, film.play), film.play)
    except LookupError as error:
        number = error.args[0]
        raise InputError(video.source.path, f"its `play` makes choice {number + 1}, which is not offered") from None
    finally:
        runtime.close()


def _cached(project: Project, video: Opened, film: Film, story: Story) -> Path:
    parts = (video.source.sha256, sha256(canonical(film.cues)), story.info.sha256, str(film.play))
    return project.cache / f"{digest('alignment', VERSION, *parts)}.json"
