"""The versions of a release: which came before, what changed since, and which number says so."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, RefusedError, UsageError
from ..release import apart, layout
from ..release.changes import (
    Change,
    Edition,
    Level,
    changes,
    fits,
    following,
    level,
    numbers,
    of_content,
    of_folder,
    tells,
)
from ..release.content import ReleaseContent
from ..schemas.release import Ancestor, Erratum
from .releases import Release, open_release

FIRST = "1.0.0"
ITEM_ID = re.compile(r"i[0-9a-f]{12}")


class Succession(NamedTuple):
    """What is to be frozen, with its number and its errata, and how it came from the version before."""

    content: ReleaseContent
    previous: str | None
    changes: tuple[Change, ...]

    def counts(self) -> dict[str, int]:
        """How many records were added, changed and removed."""
        kinds = [change.kind for change in self.changes]
        return {kind: kinds.count(kind) for kind in ("added", "changed", "removed")}


class Difference(NamedTuple):
    """Two releases compared."""

    old: Release
    new: Release
    changes: tuple[Change, ...]
    release: tuple[str, ...]
    """What the manifests say otherwise, beside what follows from the records."""
    withheld: tuple[str, ...]
    """Parts that could not be compared."""
    findings: tuple[str, ...]
    """What the later version does not say of itself as it ought to."""

    @property
    def level(self) -> Level:
        return level(self.changes)


def succeed(content: ReleaseContent, releases: Path, version: str | None, reasons: Mapping[str, str]) -> Succession:
    """The content as the version after the newest below it in `releases`; `version` None stands for the next number.

    `reasons` are by id of an item, and under "" for all others. Raises `RefusedError` for what was changed without a
    reason, `UsageError` for a number that does not say what changed or a reason for what did not, `InputError` for an
    earlier version that cannot be read.
    """
    previous = _newest(releases, content.title, version)
    if previous is None:
        if reasons:
            raise UsageError(
                f"there is no earlier version of {content.title}, so there is no change to give reasons for"
            )
        return Succession(replace(content, version=version or FIRST), None, ())
    found = tuple(changes(_edition(previous), of_content(content)))
    number = _number(previous.manifest.version, version, level(found))
    errata = tuple(_errata(found, number, reasons))
    history = (*previous.manifest.history, _ancestor(previous))
    earlier = tuple(previous.errata())
    whole = replace(content, version=number, history=history, errata=(*earlier, *errata))
    return Succession(whole, previous.manifest.version, found)


def parse_reasons(given: Sequence[str]) -> dict[str, str]:
    """`ITEM=WHY`, or `WHY` for all others, as `--reason` takes them. Raises `UsageError`."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, why = text.partition("=")
        item, reason = (name, why) if equals and ITEM_ID.fullmatch(name) else ("", text)
        if not reason.strip() or item in found:
            raise UsageError(
                f"--reason {text!r}: give one reason for an item, as i0123456789ab=WHY, or one for all others"
            )
        found[item] = " ".join(reason.split())
    return found


def diff(old: Path, new: Path) -> Difference:
    """What changed from one release to another. Raises `InputError` for a folder that is no release."""
    before, after = open_release(old), open_release(new)
    one, other = _edition(before, whole=False), _edition(after, whole=False)
    found = tuple(changes(one, other))
    parts = {"answers": (one.keys, other.keys), "grounding": (one.traces, other.traces)}
    withheld = tuple(name for name, sides in parts.items() if None in sides)
    return Difference(before, after, found, _facts(before, after), withheld, tuple(_findings(before, after, found)))


def _newest(releases: Path, title: str, version: str | None) -> Release | None:
    """The newest release of this name, below `version` where one is given."""
    found = []
    for folder in releases.glob(f"{title}-*"):
        number = folder.name.removeprefix(f"{title}-")
        if layout.VERSION.fullmatch(number) and (version is None or numbers(number) < numbers(version)):
            found.append((numbers(number), folder))
    return open_release(max(found)[1]) if found else None


def _ancestor(release: Release) -> Ancestor:
    items = release.manifest.counts.get("items", 0)
    return Ancestor(version=release.manifest.version, sha256=release.sha256, items=items)


def _edition(release: Release, *, whole: bool = True) -> Edition:
    """Raises `InputError` where a part is withheld and the whole is asked for."""
    parts = apart.places(release.folder)
    for part in (layout.ANSWERS, layout.GROUNDING) if whole else ():
        if part.name not in parts:
            place = f"put it back there, or into {apart.beside(release.folder)}"
            raise InputError(release.folder, f"has no {part.folder}, so nobody can tell what changed; {place}")
    return of_folder(release.folder, parts)


def _number(previous: str, version: str | None, kind: Level) -> str:
    number = following(previous, kind)
    if version is None or fits(previous, version, kind):
        return version or number
    what = {"patch": "no record changed", "minor": "records were added", "major": "records were changed or removed"}
    raise UsageError(f"version {version}: since {previous} {what[kind]}, so the next one is {number}")


def _errata(found: Sequence[Change], version: str, reasons: Mapping[str, str]) -> Iterator[Erratum]:
    corrected = [change for change in found if change.kind != "added"]
    if unknown := sorted(set(reasons) - {"", *(change.id for change in corrected)}):
        raise UsageError(f"--reason {unknown[0]}=…: this item was neither changed nor removed")
    if "" not in reasons and (left := [change for change in corrected if change.id not in reasons]):
        lines = tuple(f"{one.id}: {one.kind}{_fields(one)}" for one in left)
        raise RefusedError(
            f"no reason is given for {len(left)} changed or removed items; say --reason {left[0].id}=WHY for one, or "
            "--reason WHY for all others",
            lines,
        )
    yield from (change.erratum(version, reasons.get(change.id) or reasons[""]) for change in corrected)


def _fields(change: Change) -> str:
    return f" ({', '.join(change.fields)})" if change.fields else ""


FOLLOWING = {"version", "date", "canary", "counts", "files", "history", "isolation_root", "tool_version", "yields"}
"""What the manifest says that changes with every version, or with the records."""


def _facts(before: Release, after: Release) -> tuple[str, ...]:
    one, other = before.manifest, after.manifest
    return tuple(
        name for name in type(one).model_fields if name not in FOLLOWING and getattr(one, name) != getattr(other, name)
    )


def _findings(before: Release, after: Release, found: Sequence[Change]) -> Iterator[str]:
    """Where the later release follows the earlier one: whether its number and its errata say what changed."""
    one, other = before.manifest, after.manifest
    if one.name != other.name or numbers(one.version) >= numbers(other.version):
        return
    if before.sha256 not in {ancestor.sha256 for ancestor in other.history}:
        yield f"{after.title} does not name {before.title} among its earlier versions"
        return
    kind = level(found)
    if not tells(one.version, other.version, kind):
        yield f"{other.version}: the number does not say that this is a {kind} version after {one.version}"
    told = {erratum.id for erratum in after.errata() if numbers(erratum.version) > numbers(one.version)}
    for change in found:
        if change.kind != "added" and change.id not in told:
            yield f"{change.id}: {change.kind}{_fields(change)}, and {layout.ERRATA} does not say so"
