"""From what went wrong to an exit code and one line on stderr (CLI table in `docs/exit-codes.md`).

0 done · 1 findings, or a gate refused · 2 usage, bad input · 3 stopped with work left · 70 a fault of our own.
130 and 141 are the shell's own: interrupted, and a reader that closed its end of the pipe.
"""

import errno
import os
import select
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer
from typer.core import TyperGroup

from ..errors import BenchwrightError, RefusedError, RowsError, StoppedError, UsageError
from .output import printable

STDOUT = 1
INTERRUPTED, PIPE_CLOSED, OUR_FAULT = 130, 141, 70
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})


class GuardedGroup(TyperGroup):
    """The top of the command line: whatever a command raises becomes an exit code."""

    def invoke(self, ctx: Any) -> Any:
        # Inside Typer's own handling, which would take any broken pipe for a reader that has gone.
        raise typer.Exit(guard(lambda: super(GuardedGroup, self).invoke(ctx)))


def guard(command: Callable[[], object]) -> int:
    """Run a command and flush what it printed; the exit code, which is the command's result where that is a number."""
    try:
        result = command()
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except typer.Exit as error:
        return error.exit_code
    except KeyboardInterrupt:
        return say("interrupted", INTERRUPTED)
    except Exception as error:
        return explain(error)


def explain(error: Exception) -> int:
    """Print the one line of an error, and the findings behind a refusal; the exit code."""
    if isinstance(error, BenchwrightError):
        for finding in error.findings if isinstance(error, RefusedError | RowsError) else ():
            print(printable(finding), file=sys.stderr)
        return say(str(error), error.exit_code)
    if isinstance(error, typer.TyperException):
        return usage(error)
    if isinstance(error, BrokenPipeError) and hasattr(select, "poll") and stdout_is_closed():
        return PIPE_CLOSED
    if disk_is_full(error):
        drop_unwritable()
        return say("the disk is full; free some space, and the same command goes on", StoppedError.exit_code)
    if os.environ.get("BENCHWRIGHT_DEBUG"):
        sys.excepthook(type(error), error, error.__traceback__)
    kind = " ".join(f"{type(error).__name__}: {error}".split())
    return say(f"this is a bug in benchwright ({kind}); BENCHWRIGHT_DEBUG=1 shows where", OUR_FAULT)


def usage(error: typer.TyperException) -> int:
    """A wrong call, in one line; the help where nothing was asked for."""
    message = error.format_message()
    if "\n" in message:
        print(message, file=sys.stderr)
        return UsageError.exit_code
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "benchwright"
    return say(f"{message.rstrip('.')}; see `{command} --help`", UsageError.exit_code)


def say(message: str, code: int) -> int:
    print(f"benchwright: {printable(message)}", file=sys.stderr)
    return code


def disk_is_full(error: BaseException | None) -> bool:
    """Whether an error, or what it came from, is that of a disk without space."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in NO_SPACE:
            return True
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def stdout_is_closed() -> bool:
    """Whether it was the reader of stdout that has gone; what is left to print then goes nowhere."""
    poll = select.poll()
    poll.register(STDOUT, select.POLLERR)
    if not poll.poll(0):
        return False
    print_nowhere()
    return True


def drop_unwritable() -> None:
    """Let go of what stdout holds and cannot write: Python would try it again when it ends, and exit with 120."""
    try:
        sys.stdout.flush()
    except OSError:
        print_nowhere()


def print_nowhere() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)


@contextmanager
def resumable() -> Iterator[None]:
    """For commands that go on where they were: SIGINT and SIGTERM stop them with work left (exit 3)."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError("interrupted; the same command goes on from here") from None
    finally:
        signal.signal(signal.SIGTERM, before)
