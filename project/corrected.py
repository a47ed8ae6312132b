"""Replies to an earlier version, held against the release that corrects it: those count to which the same was shown."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from ..release.changes import numbers
from ..schemas.release import Ancestor, Erratum, ModelInput
from ..schemas.response import Response, RunInfo
from . import runs
from .releases import Release


class Voided(NamedTuple):
    """An item whose replies do not count any more."""

    run: str
    item: str
    version: str
    """The version that changed what was shown, or took the item out."""
    reason: str


class Carried(NamedTuple):
    """A run as its release takes it."""

    inputs: list[ModelInput]
    """The records that its replies answer."""
    responses: list[Response]
    voided: tuple[Voided, ...] = ()


def carry(release: Release, folder: Path, info: RunInfo, responses: Sequence[Response]) -> Carried:
    """A run on this very release, checked and whole; or, where the release was opened for it, what still counts of a
    run on an earlier version.

    Raises `InputError` for any other run, and for one that does not belong together.
    """
    ancestor = release.ancestor(info.release_sha256) if release.carries else None
    if ancestor is None:
        runs.check(release, folder, info, responses)
        return Carried(runs.asked_of(release, info), list(responses))
    answered = {one.item for one in responses}
    runs.whole(folder, info, responses, ancestor.items if info.scope == "all" else len(answered))
    void = _void(release, ancestor)
    inputs = [item for item in runs.asked_of(release, info) if item.id in answered and item.id not in void]
    known = {item.id for item in inputs} | set(void)
    if unknown := sorted(answered - known):
        raise InputError(runs.file_of(folder), f"answers {unknown[0]}, of which {release.title} knows nothing")
    kept = [one for one in responses if one.item not in void]
    told = [Voided(folder.name, name, one.version, one.reason) for name, one in void.items() if name in answered]
    return _alike(release, folder, info, Carried(inputs, kept, tuple(told)))


def _void(release: Release, ancestor: Ancestor) -> Mapping[str, Erratum]:
    """The first correction since then of each item that shows another thing now."""
    found: dict[str, Erratum] = {}
    for erratum in release.errata():
        if erratum.voids and numbers(erratum.version) > numbers(ancestor.version):
            found.setdefault(erratum.id, erratum)
    return found


def _alike(release: Release, folder: Path, info: RunInfo, carried: Carried) -> Carried:
    """Without the items that were shown with something of another one that was corrected, as a history is."""
    other = dict(_otherwise(release, info, carried))
    told = [Voided(folder.name, item, release.manifest.version, problem) for item, problem in sorted(other.items())]
    return Carried(
        [item for item in carried.inputs if item.id not in other],
        [one for one in carried.responses if one.item not in other],
        (*carried.voided, *told),
    )


def _otherwise(release: Release, info: RunInfo, carried: Carried) -> Iterator[tuple[str, str]]:
    found = runs.problems(release, carried.inputs, info, carried.responses)
    for one, problem in zip(carried.responses, found, strict=True):
        if problem:
            yield one.item, problem
