"""Takes in what people said of a release, from JSONL or CSV: every row is checked first, and then all or none is kept.

What is kept lies in one folder, a file a kind: canonical JSON lines in order of their keys, so that the order in which
files came in does not matter.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from ..errors import InputError, RowsError, UsageError
from ..schemas.files import read_records, storing, to_line, write_whole
from ..schemas.human import Endorsement, HumanAnswer, HumanLabel, HumanRating, HumanStep
from ..schemas.release import ModelInput
from .folder import Project
from .releases import Release, open_release

Said = HumanAnswer | HumanRating | HumanStep | Endorsement | HumanLabel
_Kind = TypeVar("_Kind", HumanAnswer, HumanRating, HumanStep, Endorsement, HumanLabel)
KINDS: Mapping[str, type[Said]] = MappingProxyType(
    {
        "answers": HumanAnswer,
        "ratings": HumanRating,
        "traces": HumanStep,
        "endorsements": Endorsement,
        "labels": HumanLabel,
    }
)
LISTS = {"ids": str, "shown": str, "tags": str, "ratings": int}
"""Columns of a CSV that hold a list, and what it is of."""
NUMBERS = ("credit", "occasion", "seconds", "repeat", "step")


class Row(NamedTuple):
    """One row of one file, read but not yet checked."""

    file: Path
    line: int
    data: Any
    problem: str = ""


class Imported(NamedTuple):
    file: Path
    """Where the records of this kind lie."""
    rows: int
    new: int
    """Of them: not there before."""
    total: int


def folder_of(project: Project | None, release: Release, into: Path | None = None) -> Path:
    """Where what people said of a release lies: `human/<release>` in the project or here, or the folder named."""
    root = project.root if project else Path()
    return into or root / "human" / f"{release.manifest.name}-{release.manifest.version}"


def take_in(release: Path, kind: str, files: Sequence[Path], folder: Path) -> Imported:
    """Check every row of every file, and keep all of them or none.

    Raises `RowsError` with a line for every bad row, `UsageError` for another kind, `InputError` for no file.
    """
    if kind not in KINDS:
        raise UsageError(f"there is no kind {kind!r} of what people say; there are {', '.join(KINDS)}")
    items = {item.id: item for item in open_release(release).inputs()}
    target = folder / f"{kind}.jsonl"
    there = {record.key(): record for record in (read_records(target, KINDS[kind]) if target.exists() else ())}
    rows = [row for file in files for row in _rows(file)]
    if not rows:
        raise InputError(files[0] if files else target, "no rows in it")
    taken = _Taken(there)
    for row in rows:
        taken.add(row, *_record(row, KINDS[kind], items))
    if problems := taken.problems or taken.gaps():
        raise RowsError(f"{len(problems)} bad rows of {len(rows)}: nothing was taken in", tuple(problems))
    every = taken.records
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_whole(target, (to_line(every[key]) for key in sorted(every, key=_order)))
    return Imported(target, len(rows), len(every) - len(there), len(every))


def stored(folder: Path, kind: type[_Kind]) -> list[_Kind]:
    """The records of a kind that were taken in, in order; empty where there are none."""
    name = next(name for name, record in KINDS.items() if record is kind)
    file = folder / f"{name}.jsonl"
    return list(read_records(file, kind)) if file.exists() else []


Keyed = dict[tuple[str | int, ...], Said]


class _Taken:
    """What was there and what has come, by key; and a line for every row that cannot be taken."""

    def __init__(self, there: Keyed) -> None:
        self.records: Keyed = dict(there)
        self.places: dict[tuple[str, str], str] = {}
        """Where each person's records on each item were last seen."""
        self.problems: list[str] = []

    def add(self, row: Row, record: Said | None, problem: str) -> None:
        place = f"{row.file}:{row.line}"
        if record is not None:
            self.places[record.person, record.item] = place
            if self.records.setdefault(record.key(), record) != record:
                problem = f"{' '.join(map(str, record.key()))} is there already and says something else"
        if problem:
            self.problems.append(f"{place}: {problem}")

    def gaps(self) -> list[str]:
        """Traces whose steps do not go from 1 upwards one by one."""
        steps: dict[tuple[str, str], list[int]] = {}
        for record in self.records.values():
            if isinstance(record, HumanStep):
                steps.setdefault((record.person, record.item), []).append(record.step)
        found = {whose: sorted(own) for whose, own in sorted(steps.items()) if max(own) != len(own)}
        return [
            f"{self.places[person, item]}: {person} on {item} has steps {', '.join(map(str, own))}, not 1 to {own[-1]}"
            for (person, item), own in found.items()
        ]


def _record(row: Row, kind: type[Said], items: Mapping[str, ModelInput]) -> tuple[Said | None, str]:
    if row.problem:
        return None, row.problem
    try:
        record = kind.model_validate(row.data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(piece) for piece in first["loc"])
        return None, f"{where + ': ' if where else ''}{first['msg'].removeprefix('Value error, ')}"
    item = items.get(record.item)
    if item is None:
        return None, f"item: the release has no {record.item}"
    problem = _misfit(record, item) if isinstance(record, HumanAnswer) else ""
    return (None if problem else record), problem


def _misfit(answer: HumanAnswer, item: ModelInput) -> str:
    """Why an answer is none to this item; empty where it is one."""
    options = [option.id for option in item.options]
    if item.format == "open" and answer.ids:
        return "ids: an open question has no options; give `text`"
    if unknown := sorted(set(answer.ids) - set(options)):
        return f"ids: {', '.join(unknown)} is none of {', '.join(options)}"
    if item.format != "open" and answer.text:
        return "text: a choice question is answered by `ids`"
    if item.format == "single" and len(answer.ids) > 1:
        return f"ids: one option can be chosen, not {len(answer.ids)}"
    if answer.shown and sorted(answer.shown) != sorted(options):
        return "shown: these are not the item's options"
    return ""


def _order(key: tuple[str | int, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((part, 0) if isinstance(part, str) else ("", part) for part in key)


def _rows(file: Path) -> Iterator[Row]:
    """The rows of a file: CSV by its name, else JSON lines. Raises `InputError` for one that cannot be read."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(file, (error.strerror or str(error)).lower()) from None
    except UnicodeDecodeError as error:
        raise InputError(file, f"byte {error.start} is no UTF-8; save the file as UTF-8") from None
    yield from _csv_rows(file, text) if file.suffix.lower() == ".csv" else _json_rows(file, text)


def _json_rows(file: Path, text: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield Row(file, number, json.loads(line))
            except (ValueError, RecursionError) as error:
                yield Row(file, number, None, f"no JSON: {str(error).splitlines()[0]}")


def _csv_rows(file: Path, text: str) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey="")
    line = 2
    try:
        for cells in reader:
            beyond = cells.pop("", None)
            problem = f"{len(cells) + len(beyond)} cells under {len(cells)} columns" if beyond else ""
            yield Row(file, line, {name: _cell(name, value) for name, value in cells.items() if value}, problem)
            line = reader.line_num + 1
    except csv.Error as error:
        yield Row(file, line, None, f"no CSV: {error}")


def _cell(name: str, value: str) -> Any:
    """A cell as the field wants it; what is no number is left to the record to refuse."""
    if name in LISTS:
        return [_number(part.strip()) if LISTS[name] is int else part.strip() for part in value.split("|")]
    return _number(value.strip()) if name in NUMBERS else value.strip()


def _number(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
