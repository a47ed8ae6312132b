"""A folder that appears whole or not at all: written beside its place, flushed to disk, then renamed.

One writer a target at a time: what a killed one left behind is cleared away by the next.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ..errors import UsageError
from ..schemas.files import storing

_HANDS = 16
"""Files that are flushed at a time: a journal takes many in one commit, but only if they come together."""


class Sink:
    """A file that is hashed while it is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._hash = file, hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)

    @property
    def sha256(self) -> str:
        """`sha256:<hex>` of all that was written."""
        return "sha256:" + self._hash.hexdigest()


class NewFolder:
    """The folder while it is written. `hashes` holds `sha256:<hex>` of every finished file by its path."""

    def __init__(self, root: Path) -> None:
        self.root, self.hashes = root, dict[str, str]()
        self._made = {""}

    @contextmanager
    def open(self, path: str) -> Iterator[Sink]:
        if (parent := path.rpartition("/")[0]) not in self._made:
            (self.root / parent).mkdir(parents=True)
            self._made.add(parent)
        with (self.root / path).open("xb") as file:
            sink = Sink(file)
            yield sink
        self.hashes[path] = sink.sha256

    def write(self, path: str, data: bytes) -> str:
        """Write a whole file; its hash."""
        with self.open(path) as sink:
            sink.write(data)
        return self.hashes[path]


@contextmanager
def new_folder(target: Path) -> Iterator[NewFolder]:
    """Fill a folder that becomes `target` at the end of the block, and vanishes if the block raises.

    Raises `UsageError` where something stands at `target` or nothing can be written there, `StoppedError` where the
    disk fills.
    """
    if os.path.lexists(target):
        raise UsageError(f"{target}: is there already, and a release is never written over; choose another version")
    staging = target.with_name(f".{target.name}.partial")
    with storing(target):
        _clear(staging)
        staging.mkdir(parents=True)
    try:
        with storing(target):
            yield NewFolder(staging)
            _publish(staging, target)
    finally:
        with suppress(OSError):
            _clear(staging)


def _publish(staging: Path, target: Path) -> None:
    _flush(staging)
    # An empty folder at the target would be replaced by the rename, so it is looked at once more.
    if os.path.lexists(target):
        raise UsageError(f"{target}: was made by somebody else in the meantime")
    staging.rename(target)
    _sync(target.parent, os.O_RDONLY)


def _flush(root: Path) -> None:
    """Bring everything below `root` to disk: files first, then the folders that name them."""
    with ThreadPoolExecutor(_HANDS) as pool:
        for folder, _, files in os.walk(root, topdown=False):
            list(pool.map(_sync_each, [folder] * _HANDS, (files[hand::_HANDS] for hand in range(_HANDS))))
            _sync(folder, os.O_RDONLY)


def _sync_each(folder: str, names: list[str]) -> None:
    for name in names:
        _sync(os.path.join(folder, name))  # noqa: PTH118


def _sync(path: str | Path, flags: int = os.O_RDWR) -> None:
    if os.name == "nt" and flags == os.O_RDONLY:  # folders cannot be opened there
        return
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _clear(folder: Path) -> None:
    if os.path.lexists(folder):
        shutil.rmtree(folder)
