"""Videos and transcripts of a project as material for items that no code derives: turns, and scenes where they can be
found. Scenes are cached by the hash of the video."""

import json
from collections.abc import Iterable, Iterator

from ..agents.material import Material, turns
from ..errors import InputError
from ..media.scenes import can_detect, cuts
from ..schemas.base import canonical, digest
from ..schemas.clip import Cue
from ..schemas.files import storing, write_whole
from .folder import Project
from .progress import Progress, quiet
from .sources import Film, Gathered, Opened, located

FORMAT = "1"
"""Of the files in the cache."""


def spoken(opened: Iterable[Opened]) -> list[Material]:
    """What is said in the sources that are material, without their scenes."""
    return [Material(turns(one.said or (one.film.cues if one.film else ()))) for one in opened if _is_material(one)]


def materials(project: Project, gathered: Gathered, progress: Progress = quiet) -> dict[str, Material]:
    """Material by source id."""
    return dict(_materials(project, gathered, progress))


def _is_material(one: Opened) -> bool:
    """Whether a source is a transcript, or a video that shows no story: what happens in one that does is the story's to
    tell, and its subtitles hold choices, whose first words look like names."""
    return bool(one.said) or (one.film is not None and not one.film.footage.story)


def _materials(project: Project, gathered: Gathered, progress: Progress) -> Iterator[tuple[str, Material]]:
    for name, one in gathered.opened.items():
        if one.said:
            yield name, Material(turns(one.said), duration=one.said[-1].end)
        elif one.film and _is_material(one):
            progress(f"scenes of {one.source.path}", 0, None)
            found = _scenes(project, one)
            yield name, Material(turns(_shown(one.film)), found, one.film.footage.duration, pictures=True)


def _shown(film: Film) -> list[Cue]:
    """Subtitles as long as there are pictures: what is said after the last one cannot be shown."""
    return [cue for cue in film.cues if cue.end <= film.footage.duration]


def _scenes(project: Project, one: Opened) -> tuple[float, ...]:
    """None where scenedetect is not installed, or finds nothing in the video."""
    if not can_detect():
        return ()
    path = project.cache / f"{digest('scenes', FORMAT, one.source.sha256)}.json"
    if path.exists():
        return tuple(json.loads(path.read_text("utf-8")))
    try:
        found = cuts(located(project, one.source.path))
    except InputError:
        return ()
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [canonical(list(found))])
    return found
