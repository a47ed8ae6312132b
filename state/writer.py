"""The one writer: a thread that owns the only connection that may write, and commits queued work in groups.

Each job runs in a savepoint of its own inside one `BEGIN IMMEDIATE` transaction: a job that fails undoes itself
alone, and a group costs one fsync. Nothing here runs on the event loop: a caller awaits the job's future, which
resolves after the COMMIT.
"""

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from ..errors import BenchwrightError, InputError, StoppedError, UsageError

T = TypeVar("T")
C = TypeVar("C", bound=sqlite3.Connection)

CommitHook = Callable[[tuple[str, ...], Literal["before", "after"]], None]
"""Called in the writer thread around each COMMIT, with the kinds of work in it: node names, `call reserved` …"""

GROUP = 256
"""Most jobs in one transaction."""
BUSY_MS = 30_000

UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN")
FULL = ("SQLITE_FULL", "SQLITE_IOERR", *UNWRITABLE)
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
LOCKED = ("SQLITE_BUSY", "SQLITE_LOCKED")


def connect(path: Path) -> sqlite3.Connection:
    """A connection that may write. Raises `UsageError` where it cannot, `InputError` for a file of another kind."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000)
    except sqlite3.Error as error:
        raise _unusable(error, path) from None
    try:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "recursive_triggers = ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        connection.close()
        raise _unusable(error, path) from None
    return connection


def connect_to_read(path: Path, kind: type[C]) -> C:
    """A connection that reads only, also where nothing can be written. Raises `sqlite3.Error`.

    In a folder that cannot be written SQLite reads a store in WAL mode only if told that nothing changes it; with a
    `-wal` beside it that would pass by what stands there.
    """
    address = path.resolve().as_uri() + "?mode=ro"
    connection = sqlite3.connect(address, uri=True, factory=kind, check_same_thread=False)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        connection.close()
        if (
            not _name(error).startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))
            or path.with_name(f"{path.name}-wal").exists()
        ):
            raise
        connection = sqlite3.connect(f"{address}&immutable=1", uri=True, factory=kind, check_same_thread=False)
    return connection


def _unusable(error: sqlite3.Error, path: Path) -> BaseException:
    if _name(error) == "SQLITE_NOTADB":
        return InputError(path, "not an SQLite file; choose another path")
    if _name(error).startswith((*LOCKED, *DAMAGED)):
        return explain(error, path)
    return UsageError(f"{path}: cannot be written ({error}); choose a folder that can")


def _name(error: BaseException) -> str:
    return getattr(error, "sqlite_errorname", "")


def explain(error: BaseException, path: Path) -> BaseException:
    """The clear form of a database error; any other comes back as it is."""
    origin = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    if _name(origin).startswith(FULL):
        return StoppedError(f"{path}: cannot be written any more ({origin}); free space and run the command again")
    if _name(origin).startswith(LOCKED):
        return StoppedError(f"{path}: locked by another process for {BUSY_MS // 1000} s; run the command again")
    if _name(origin).startswith(DAMAGED):
        return InputError(path, f"damaged ({origin}); put a copy of it back, or delete it to begin anew")
    return error


class Job(NamedTuple, Generic[T]):
    work: Callable[[sa.Connection], T]
    kinds: tuple[str, ...]
    future: Future[T]


class Writer:
    """Takes work from any thread. `close` finishes what is queued."""

    def __init__(self, path: Path, connection: sqlite3.Connection, on_commit: CommitHook | None = None) -> None:
        self._path = path
        self._hook = on_commit or (lambda kinds, when: None)
        self._engine = sa.create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        sa.event.listen(self._engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
        self._jobs: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
        self._door = threading.Lock()
        self.closed = False
        self._thread = threading.Thread(target=self._loop, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[sa.Connection], T], *kinds: str) -> Future[T]:
        """Queue `work`; its future holds the result once it is on disk. Raises `BenchwrightError` after `close`."""
        job = Job(work, kinds, Future[T]())
        with self._door:
            if self.closed:
                raise BenchwrightError(f"{self._path}: the store is closed")
            self._jobs.put(job)
        return job.future

    def close(self) -> None:
        with self._door:
            self.closed = True
            self._jobs.put(None)
        self._thread.join()
        self._engine.dispose()

    def _loop(self) -> None:
        group: list[Job[Any]] = []
        while (job := self._jobs.get()) is not None:
            group.append(job)
            if self._jobs.empty() or len(group) == GROUP:
                self._run([job for job in group if job.future.set_running_or_notify_cancel()])
                group.clear()
        self._run([job for job in group if job.future.set_running_or_notify_cancel()])

    def _run(self, group: list[Job[Any]]) -> None:
        if not group:
            return
        try:
            outcomes = self._commit(group)
        except BaseException as error:
            outcomes = [explain(error, self._path)] * len(group)
        for job, outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                job.future.set_exception(outcome)
            else:
                job.future.set_result(outcome)

    def _commit(self, group: list[Job[Any]]) -> list[Any]:
        """One transaction; returns each job's result or exception."""
        kinds = tuple(dict.fromkeys(kind for job in group for kind in job.kinds))
        with self._engine.begin() as connection:
            outcomes = [self._attempt(connection, job) for job in group]
            self._hook(kinds, "before")
        self._hook(kinds, "after")
        return outcomes

    def _attempt(self, connection: sa.Connection, job: Job[Any]) -> Any:
        connection.exec_driver_sql("SAVEPOINT job")
        try:
            return job.work(connection)
        except Exception as error:
            if explain(error, self._path) is not error:
                raise
            connection.exec_driver_sql("ROLLBACK TO job")
            return error
        finally:
            if connection.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
                connection.exec_driver_sql("RELEASE job")
