"""What changed between two versions of a release, record by record, and which number the later one has to bear.

A record is an item with its key, its trace and the transcript of its clip. Both versions are read as streams, so that
releases of any size can be compared.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from ..errors import InputError
from ..schemas.base import Record, content_hash, sha256
from ..schemas.files import read_records, to_line
from ..schemas.release import Erratum, KeyRow, MediaRow, ModelInput, TraceRow
from . import layout
from .content import ReleaseContent, Rows
from .rows import Joined, ascending, joined

AnyRecord = TypeVar("AnyRecord", bound=Record)
Level: TypeAlias = Literal["patch", "minor", "major"]
Numbers: TypeAlias = tuple[int, int, int]
LEVELS: tuple[Level, ...] = ("major", "minor", "patch")
"""By the place of the number that goes up."""


class Edition(NamedTuple):
    """The records of one version, ascending by id. A part that is withheld is None."""

    items: Rows[ModelInput]
    keys: Rows[KeyRow] | None
    traces: Rows[TraceRow] | None
    transcripts: Mapping[str, str]
    """Hash of every transcript, by its path."""


class Change(NamedTuple):
    id: str
    kind: Literal["added", "removed", "changed"]
    fields: tuple[str, ...]
    """Of a changed record; `transcript` for what its clip holds."""
    before: str | None
    after: str | None
    """`public_hash` of the item."""

    def erratum(self, version: str, reason: str) -> Erratum:
        return Erratum(
            version=version,
            id=self.id,
            public_hash_before=self.before or "",
            public_hash_after=self.after,
            changed=self.fields,
            reason=reason,
        )


def of_content(content: ReleaseContent) -> Edition:
    """What is about to be frozen."""
    transcripts = {
        clip.ref.media: sha256(to_line([line.model_dump(mode="json") for line in clip.transcript]))
        for clip in content.clips()
    }
    return Edition(content.items, content.keys, content.traces, transcripts)


def of_folder(folder: Path, parts: Mapping[str, Path]) -> Edition:
    """A release that was frozen. `parts` says where the folders `answers` and `grounding` lie that are there.

    Raises `InputError`, also while the records are read, for what is no release.
    """
    transcripts = {row.media: row.sha256 for row in read_records(folder / layout.MEDIA, MediaRow)}
    inputs = [path for split in layout.SPLITS if (path := folder / layout.inputs(split)).exists()]
    return Edition(
        lambda: merge(*(read_records(path, ModelInput) for path in inputs), key=lambda item: item.id),
        _rows(parts.get("answers"), layout.KEYS, KeyRow),
        _rows(parts.get("grounding"), layout.TRACES, TraceRow),
        transcripts,
    )


def _rows(place: Path | None, path: str, kind: type[AnyRecord]) -> Rows[AnyRecord] | None:
    return None if place is None else lambda: read_records(place / path.rpartition("/")[2], kind)


def changes(old: Edition, new: Edition) -> Iterator[Change]:
    """Every record that is not the same in both, ascending by id. A part that either withholds is not compared."""
    old, new = _alike(old, new), _alike(new, old)
    for before, after in _paired(_joined(old), _joined(new)):
        if before is None or before.item is None:
            if after is not None and after.item is not None:
                yield Change(after.id, "added", (), None, content_hash(after.item))
        elif after is None or after.item is None:
            yield Change(before.id, "removed", (), content_hash(before.item), None)
        elif fields := tuple(_differing(before, after, old.transcripts, new.transcripts)):
            yield Change(before.id, "changed", fields, content_hash(before.item), content_hash(after.item))


def _alike(one: Edition, other: Edition) -> Edition:
    """Without the parts that the other withholds."""
    return one._replace(keys=one.keys if other.keys else None, traces=one.traces if other.traces else None)


def _joined(edition: Edition) -> Iterator[Joined]:
    keys, traces = edition.keys() if edition.keys else (), edition.traces() if edition.traces else ()
    return joined(ascending(edition.items(), _refuse), ascending(keys, _refuse), ascending(traces, _refuse))


def _refuse(place: str, message: str) -> None:
    raise InputError(place, message)


def _paired(old: Iterator[Joined], new: Iterator[Joined]) -> Iterator[tuple[Joined | None, Joined | None]]:
    """Rows of two streams brought together by id."""
    before, after = next(old, None), next(new, None)
    while before is not None or after is not None:
        least = min(row.id for row in (before, after) if row is not None)
        one = before if before is not None and before.id == least else None
        other = after if after is not None and after.id == least else None
        yield one, other
        before, after = next(old, None) if one else before, next(new, None) if other else after


def _differing(before: Joined, after: Joined, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """Fields that differ, in the order of the records."""
    for one, other in zip(before, after, strict=True):
        if one is None or other is None:
            if one is not other:
                yield "key" if isinstance(one or other, KeyRow) else "trace"
        elif one != other:
            yield from (name for name in type(one).model_fields if getattr(one, name) != getattr(other, name))
    clips = [row.item.clip.media for row in (before, after) if row.item is not None]
    if old.get(clips[0]) != new.get(clips[-1]):
        yield "transcript"


def level(found: Iterable[Change]) -> Level:
    """What kind of version the changes make."""
    kinds = {change.kind for change in found}
    return "major" if kinds & {"changed", "removed"} else "minor" if kinds else "patch"


def numbers(version: str) -> Numbers:
    """The three numbers of a version."""
    one, two, three = map(int, version.split("."))
    return one, two, three


def following(previous: str, kind: Level) -> str:
    """The next version of a kind."""
    place = LEVELS.index(kind)
    own = numbers(previous)
    return ".".join(map(str, (*own[:place], own[place] + 1, *(0,) * (2 - place))))


def fits(previous: str, version: str, kind: Level) -> bool:
    """Whether a version says what changed: the number of its kind is higher, those before it are the same and those
    behind it 0."""
    place, own, earlier = LEVELS.index(kind), numbers(version), numbers(previous)
    return own[:place] == earlier[:place] and own[place] > earlier[place] and not any(own[place + 1 :])


def tells(previous: str, version: str, kind: Level) -> bool:
    """Whether a version that may lie several behind the previous one says that so much changed since."""
    places = LEVELS.index(kind) + 1
    return numbers(version)[:places] > numbers(previous)[:places]
