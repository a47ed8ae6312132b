"""`evaluate`: a model, or a baseline, on the records of a release. What was answered is never asked again."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError
from ..evaluation.baselines import client_for
from ..evaluation.run import RunResult, RunSettings
from ..evaluation.run import run as ask
from ..llm.client import Ledger
from ..llm.ledger import MemoryLedger
from ..schemas.response import Trace
from ..state.ledger import Budget, StoreLedger
from ..state.store import Store
from . import config
from .folder import Project, writable
from .models import Models
from .progress import Live, Progress, quiet
from .releases import Release, open_release, outside


class Evaluation(NamedTuple):
    """How a model is run."""

    model: str
    condition: str = "full"
    repeats: int = 1
    concurrency: int = 8
    out: Path | None = None
    """Folder of the run; `runs/<release>/<model>-<condition>` in the project, or here, when left out."""
    trace: Trace = "none"


class Evaluated(NamedTuple):
    folder: Path
    result: RunResult


def nearest(place: Path) -> Project | None:
    """The project that `place` lies in, if any: its ledger and budget then hold for the calls."""
    try:
        path = config.find_file(place)
    except UsageError:
        return None
    return Project(path.parent, config.load(path))


def evaluate(project: Project | None, release: Path, how: Evaluation, *, progress: Progress = quiet) -> Evaluated:
    """Run a model on a release, which may be anybody's. Raises `UsageError` before anything is asked where it cannot be
    done, `StoppedError` where the budget ends or the provider does not answer.
    """
    opened = open_release(release)
    folder = outside(how.out or _folder(project, opened, how))
    with ledger_of(project) as ledger:
        models = Models(project, ledger, Path.cwd(), at_once=how.concurrency, reach=client_for)
        gateway, told = models.gateway(how.model), Live(progress, models.meter).stage(how.model)
        asking = ask(opened.inputs(), opened.transcripts(), gateway, run_settings(opened, how), folder, told)
        return Evaluated(folder, models.run(asking))


def run_settings(release: Release, how: Evaluation) -> RunSettings:
    return RunSettings(
        release=release.title,
        release_sha256=release.sha256,
        model=how.model,
        permutation_seed=release.manifest.permutation_seed,
        condition=how.condition,
        repeats=how.repeats,
        concurrency=how.concurrency,
        trace=how.trace,
    )


def _folder(project: Project | None, release: Release, how: Evaluation) -> Path:
    runs = project.runs if project else Path("runs")
    name = slug(f"{how.model}-{how.condition}") + (f"-{how.repeats}" if how.repeats > 1 else "")
    name += "" if how.trace == "none" else f"-{how.trace}"
    return runs / f"{release.manifest.name}-{release.manifest.version}" / name


def slug(name: str) -> str:
    """A name as part of a path."""
    return re.sub(r"[^\w.-]+", "-", name)


@contextmanager
def ledger_of(project: Project | None) -> Iterator[Ledger]:
    """The project's own ledger, under its budget; outside a project one that lasts as long as the run."""
    if project is None:
        yield MemoryLedger()
        return
    writable(project.state)
    with Store.open(project.store) as store:
        yield StoreLedger(store, Budget(project.config.budget.usd, project.config.budget.calls))
