"""Progress on stderr: a live table at a terminal; elsewhere a plain one now and then, so that a log shows life."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

SECONDS = 30.0
"""Between two plain lines, and before the first."""

Progress = Callable[[str, int, int | None], None]
"""What is done, how much of it, and of how much (None where nobody knows)."""


ROWS = 16
"""Of the live table; with more stages the first ones leave it."""


@contextmanager
def progress() -> Iterator[Progress]:
    """A table that follows the work, a line for each stage, and at a terminal is gone when it ends."""
    if not sys.stderr.isatty():
        yield plain(SECONDS)
        return
    from rich.console import Console

    with live(Console(stderr=True)) as shown:
        yield shown


@contextmanager
def live(console: "Console") -> Iterator[Progress]:
    """The table on one console. What stands behind a stage's name and `: ` is told at the end of its line."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    name, told = TextColumn("{task.description}"), TextColumn("{task.fields[told]}", style="dim")
    columns = (name, BarColumn(bar_width=20), MofNCompleteColumn(), TimeElapsedColumn(), told)
    with Progress(*columns, console=console, transient=True) as table:
        rows: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int | None) -> None:
            name, _, told = stage.partition(": ")
            if name not in rows:
                rows[name] = table.add_task(name, start=False, total=total, told="")
            if len(rows) > ROWS:
                table.remove_task(rows.pop(next(iter(rows))))
            if done or told:
                table.start_task(rows[name])
            table.update(rows[name], completed=done, total=total, told=told)
            if total is not None and done >= total:
                table.stop_task(rows[name])

        yield show


def plain(seconds: float) -> Progress:
    """Prints what is done when at least `seconds` have passed since it last did, or began."""
    last = time.monotonic()

    def show(stage: str, done: int, total: int | None) -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            print(f"{stage}: {done}" + ("" if total is None else f" of {total}"), file=sys.stderr, flush=True)

    return show
