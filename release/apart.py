"""Parts that are kept apart from a release: where they lie, and where they are looked for."""

import os
import shutil
from pathlib import Path

from ..errors import UsageError
from ..schemas.files import file_hash
from . import layout
from .folder import NewFolder, new_folder

SUFFIX = "-apart"


def beside(release: Path) -> Path:
    """The folder next to a release that holds what does not ship with it."""
    return release.with_name(release.name + SUFFIX)


def places(release: Path, apart: Path | None = None) -> dict[str, Path]:
    """Where the folders of answers and grounding lie, by part: in the release, or apart from it.

    `apart` is a folder that holds them, or one of them; the one beside the release where it is left out.
    """
    kept = apart or beside(release)
    found = {}
    for part in (layout.ANSWERS, layout.GROUNDING):
        tried = (release / part.folder, kept / part.folder, *((kept,) if _holds(kept, part) else ()))
        found[part.name] = next((place for place in tried if place.is_dir()), None)
    return {name: place for name, place in found.items() if place is not None}


def _holds(folder: Path, part: layout.Part) -> bool:
    return any((folder / path.removeprefix(part.folder)).is_file() for path in part.files)


def move(release: NewFolder, target: Path) -> None:
    """Publish the parts that do not ship in a folder of their own. One that was left there by a freeze that was killed
    before its release appeared may stay, if it holds the same.

    Raises `UsageError` where anything else is there.
    """
    parts = [part.folder for part in layout.PARTS if part.folder]
    if os.path.lexists(target):
        wanted = {path: value for path, value in release.hashes.items() if path.startswith(tuple(parts))}
        if not target.is_dir() or _tree(target) != wanted:
            raise UsageError(f"{target}: is there already, and is not what belongs to this release; move it away")
        for part in parts:
            shutil.rmtree(release.root / part)
        return
    with new_folder(target) as kept:
        for part in parts:
            (release.root / part).rename(kept.root / part)


def _tree(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): file_hash(path) for path in folder.rglob("*") if path.is_file()}
