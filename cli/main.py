"""`benchwright`: every command is a function of `project/` with its arguments read and its result printed.

Commands import their work inside, so that `--help` costs little more than Typer itself.
"""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from . import audit as audits
from . import filters, human, items, judges, money, pilot, releases, review, sharing, start, stories, work
from .guard import GuardedGroup, guard


def show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"benchwright {version('benchwright')}")
        raise typer.Exit


app = typer.Typer(
    name="benchwright",
    cls=GuardedGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Build, freeze and score benchmarks of social reasoning from branching stories."""


app.command()(start.demo)
app.command()(start.init)
app.command()(start.ingest)
app.command()(money.estimate)
app.command()(work.build)
app.command()(work.preview)
app.add_typer(items.app, name="item")
app.command()(audits.audit)
app.command()(pilot.pilot)
app.command(name="filter")(filters.filter_items)
app.command()(releases.freeze)
app.command()(releases.verify)
app.command()(releases.diff)
app.command()(sharing.push)
app.command()(releases.evaluate)
app.command()(judges.judge)
app.command()(releases.score)
app.command(name="export-training")(sharing.export_training)
app.add_typer(human.app, name="human")
app.add_typer(review.app, name="review")
app.add_typer(stories.app, name="narrative")
app.command()(work.status)


def run() -> None:
    """The console script. What a terminal cannot show is escaped, never a reason to end."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(guard(lambda: app(standalone_mode=False)))
