"""Reading a release that may be broken: line by line, in bounded memory, every defect noted with its file."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..schemas.base import Record, canonical

AnyRecord = TypeVar("AnyRecord", bound=Record)
Value = TypeVar("Value")

LONGEST = 1 << 26
"""Bytes of a line, or of a file that is read whole; more are a defect."""


class Problem(NamedTuple):
    file: str
    problem: str


class Report:
    """The problems found so far; of each file the first few, and how many more there are."""

    def __init__(self, limit: int = 20) -> None:
        self._limit = limit
        self._found: dict[str, list[str]] = {}
        self._more: dict[str, int] = {}

    def add(self, file: str, problem: str) -> None:
        found = self._found.setdefault(file, [])
        if problem in found:
            return
        if len(found) < self._limit:
            found.append(problem)
        else:
            self._more[file] = self._more.get(file, 0) + 1

    def problems(self) -> tuple[Problem, ...]:
        """In the order of the files' paths."""
        listed = []
        for file, found in sorted(self._found.items()):
            listed += [Problem(file, problem) for problem in found]
            if more := self._more.get(file):
                listed.append(Problem(file, f"and {more} more problems"))
        return tuple(listed)


def listing(root: Path, report: Report) -> tuple[list[str], list[str]]:
    """Paths of the regular files and of the folders below `root`, sorted. Links and devices are never opened."""
    files, folders, waiting = [], [], [""]
    while waiting:
        here = waiting.pop()
        for entry in _entries(root / here, here, report):
            path, mode = here + entry.name, entry.stat(follow_symlinks=False).st_mode
            if not path.isprintable():
                report.add(ascii(path), "has a name that nobody can type")
            elif stat.S_ISDIR(mode):
                folders.append(path)
                waiting.append(path + "/")
            elif stat.S_ISREG(mode):
                files.append(path)
            else:
                report.add(path, "is a link or a device; a release holds plain files only")
    return sorted(files), sorted(folders)


def _entries(folder: Path, name: str, report: Report) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        report.add(name or ".", f"cannot be read ({error.strerror})")
        return []


def hash_of(root: Path, path: str, report: Report) -> str:
    """`sha256:<hex>` of a file; empty where it cannot be read."""
    try:
        with (root / path).open("rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        report.add(path, f"cannot be read ({error.strerror})")
        return ""


def lines(root: Path, path: str, report: Report) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers."""
    try:
        with (root / path).open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST), b""), 1):
                if len(line) == LONGEST:
                    report.add(path, f"line {number}: is longer than {LONGEST} bytes")
                    return
                yield number, line
    except OSError as error:
        report.add(path, f"cannot be read ({error.strerror})")


def records(root: Path, path: str, kind: type[AnyRecord], report: Report) -> Iterator[AnyRecord]:
    """The records of a file of JSON lines; what is none, or not in canonical form, is reported."""
    for number, line in lines(root, path, report):
        record = parse(line, kind.model_validate_json, f"line {number}: ", path, report)
        if record is not None:
            yield record


def whole(root: Path, path: str, read: Callable[[bytes], Value], report: Report) -> Value | None:
    """The value of a file of one line; None, and reported, where it is none."""
    data = content(root, path, report)
    return None if data is None else parse(data, read, "", path, report)


def content(root: Path, path: str, report: Report) -> bytes | None:
    """The bytes of a file; None, and reported, where it cannot be read or is far too long."""
    try:
        with (root / path).open("rb") as file:
            data = file.read(LONGEST)
    except OSError as error:
        report.add(path, f"cannot be read ({error.strerror})")
        return None
    if len(data) == LONGEST:
        report.add(path, f"is longer than {LONGEST} bytes")
        return None
    return data


def parse(line: bytes, read: Callable[[bytes], Value], place: str, path: str, report: Report) -> Value | None:
    """The value of one line, which must be in canonical form and end in LF; None, and reported, where it is none."""
    try:
        value = read(line)
        if canonical(value) + b"\n" != line:
            report.add(path, f"{place}is not in canonical form (RFC 8785, ending in LF)")
    except ValidationError as error:
        report.add(path, place + _first(error.errors(include_url=False, include_context=False)[0]))
        return None
    except ValueError as error:  # what has no canonical form: NaN, integers beyond 2⁵³
        report.add(path, f"{place}{error}")
        return None
    return value


def _first(error: ErrorDetails) -> str:
    where = "/".join(map(str, error["loc"]))
    return f"{where}: {error['msg']}" if where else error["msg"]
