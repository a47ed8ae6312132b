"""Record files: canonical JSON lines in and out, whole files or none, and what a disk says in our own words."""

import contextlib
import errno
import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from ..errors import InputError, StoppedError, UsageError
from .base import Record, canonical

_Model = TypeVar("_Model", bound=Record)

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def to_line(record: object) -> bytes:
    """Canonical JSON and a line feed."""
    return canonical(record) + b"\n"


def read_records(path: Path, model: type[_Model]) -> Iterator[_Model]:
    """The records of a `.jsonl` file, one at a time. Raises `InputError` with the line of what is none."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                yield parse_record(line, model, path, number)
    except OSError as error:
        raise InputError(path, (error.strerror or str(error)).lower()) from None


def read_record(path: Path, model: type[_Model]) -> _Model:
    """The one record of a `.json` file. Raises `InputError`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(path, (error.strerror or str(error)).lower()) from None
    return parse_record(data, model, path, None)


def parse_record(data: bytes, model: type[_Model], path: object, place: object) -> _Model:
    """A record from its JSON. Raises `InputError` that names file and place."""
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(piece) for piece in first["loc"])
        raise InputError(path, f"no {model.__name__}: {where + ': ' if where else ''}{first['msg']}", place) from None


def file_hash(path: Path) -> str:
    """`sha256:<hex>` of a file of any size. Raises `InputError`."""
    try:
        with path.open("rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(path, (error.strerror or str(error)).lower()) from None


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file completely or not at all: a temporary file beside it, synced, renamed. Raises `StoppedError`."""
    with storing(path):
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(chunks)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turns the system's refusal to write into one line: a full disk stops the work, all else is a wrong folder."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        if error.errno in FULL:
            raise StoppedError(f"{path}: {reason}; make room and run the command again") from None
        raise UsageError(f"cannot write {path}: {reason}; choose a folder that can be written") from None
