"""Parts that are kept apart from a release: where they lie, and where they are looked for."""

from pathlib import Path

from . import layout

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
