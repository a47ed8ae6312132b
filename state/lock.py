"""The lock that `build` holds: one build a store. The operating system frees it however the process ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..errors import UsageError

FAR = 1 << 30
"""Windows locks bytes, and locked bytes cannot be read: this one lies beyond the process number."""


@contextmanager
def build_lock(store: Path) -> Iterator[None]:
    """Hold `<store>.lock`. Raises `UsageError` that names the process holding it, or a folder nobody can write in."""
    path = store.with_name(store.name + ".lock")
    try:
        file = path.open("a+", encoding="ascii")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror}); choose a folder that can") from None
    with file:
        if not _acquire(file):
            file.seek(0)
            holder = file.read().strip() or "unknown"
            raise UsageError(f"{store}: another build is running (process {holder}); wait for it, or stop it")
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


if sys.platform == "win32":
    import msvcrt

    def _acquire(file: IO[str]) -> bool:
        file.seek(FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _acquire(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
