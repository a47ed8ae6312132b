"""Progress on stderr, where somebody sits at a terminal; nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str, int, int | None], None]
"""What is done, how much of it, and of how much (None where nobody knows)."""


@contextmanager
def progress() -> Iterator[Progress]:
    """A line that follows the work, and is gone when it ends."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=None)
        yield lambda stage, done, total: shown.update(task, description=stage, completed=done, total=total)
