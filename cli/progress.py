"""Progress on stderr: a live line at a terminal; elsewhere a plain one now and then, so that a log shows life."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS = 30.0
"""Between two plain lines, and before the first."""

Progress = Callable[[str, int, int | None], None]
"""What is done, how much of it, and of how much (None where nobody knows)."""


@contextmanager
def progress() -> Iterator[Progress]:
    """A line that follows the work, and at a terminal is gone when it ends."""
    if not sys.stderr.isatty():
        yield plain(SECONDS)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=None)
        yield lambda stage, done, total: shown.update(task, description=stage, completed=done, total=total)


def plain(seconds: float) -> Progress:
    """Prints what is done when at least `seconds` have passed since it last did, or began."""
    last = time.monotonic()

    def show(stage: str, done: int, total: int | None) -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            print(f"{stage}: {done}" + ("" if total is None else f" of {total}"), file=sys.stderr, flush=True)

    return show
