"""`evaluate`: models, or baselines, on the records of a release. What was answered is never asked again."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from ..errors import UsageError
from ..evaluation.baselines import client_for
from ..evaluation.conditions import expanded
from ..evaluation.run import RunResult, RunSettings
from ..evaluation.run import run as ask
from ..llm.client import Ledger
from ..llm.families import evaluated
from ..llm.gateway import Gateway
from ..llm.ledger import MemoryLedger
from ..schemas.response import Sampling, Trace
from ..state.ledger import Budget, StoreLedger
from ..state.store import Store
from . import config
from .folder import Project, writable
from .models import Models
from .progress import Live, Progress, quiet
from .releases import Release, open_release, outside
from .sight import Looking, Seen, records


class Evaluation(NamedTuple):
    """How a model is run."""

    model: str
    condition: str = "full"
    repeats: int = 1
    concurrency: int = 8
    out: Path | None = None
    """Folder of the run; `runs/<release>/<model>-<condition>` in the project, or here, when left out."""
    trace: Trace = "none"
    frames: Sampling = "1fps"
    scope: Literal["all", "film"] = "all"
    """All items, or those whose clip a video shows."""
    looking: Looking = Looking()


class Evaluated(NamedTuple):
    folder: Path
    result: RunResult
    warnings: tuple[str, ...] = ()
    """What is to be known of the model: one of its family made or checked the items."""


def nearest(place: Path) -> Project | None:
    """The project that `place` lies in, if any: its ledger and budget then hold for the calls."""
    try:
        path = config.find_file(place)
    except UsageError:
        return None
    return Project(path.parent, config.load(path))


def each(models: Sequence[str], conditions: Sequence[str], how: Evaluation) -> list[Evaluation]:
    """One evaluation for every model and condition, a mismatched history once for each seed.

    Raises `UsageError` for a condition that there is not, and where one folder is named for several runs.
    """
    wanted = dict.fromkeys(one.name for condition in conditions for one in expanded(condition))
    runs = [how._replace(model=model, condition=name) for model in dict.fromkeys(models) for name in wanted]
    if how.out is not None and len(runs) > 1:
        raise UsageError(
            f"{len(runs)} runs cannot share the folder {how.out}; leave --out away, or run them one by one"
        )
    return runs


def evaluate(project: Project | None, release: Path, how: Evaluation, *, progress: Progress = quiet) -> Evaluated:
    """Run one model on a release under one condition; the rest as `evaluate_all`."""
    return evaluate_all(project, release, [how], progress=progress)[0]


def evaluate_all(
    project: Project | None, release: Path, runs: Sequence[Evaluation], *, progress: Progress = quiet
) -> list[Evaluated]:
    """Run models on a release, which may be anybody's, one run after the other.

    Every request of every run is made before anything is asked. Raises `UsageError` where one cannot be, `StoppedError`
    where the budget ends or the provider does not answer.
    """
    opened = open_release(release)
    folders = [outside(how.out or _folder(project, opened, how)) for how in runs]
    seen = Seen(project, opened, runs[0].looking, runs[0].frames)
    with ledger_of(project) as ledger:
        models = Models(project, ledger, Path.cwd(), at_once=runs[0].concurrency, reach=client_for, media=seen.media)
        gateways = {how.model: models.gateway(how.model) for how in runs}
        live = Live(progress, models.meter)
        for how in runs:
            count = seen.rehearse(run_settings(opened, how), live)
            live(_title(how), 0, count * how.repeats)

        async def all_of_them() -> list[Evaluated]:
            return [
                Evaluated(
                    folder,
                    await _run(opened, how, seen, gateways[how.model], folder, live),
                    tuple(evaluated(opened.manifest.policies, how.model)),
                )
                for how, folder in zip(runs, folders, strict=True)
            ]

        return models.run(all_of_them())


async def _run(release: Release, how: Evaluation, seen: Seen, gateway: Gateway, folder: Path, live: Live) -> RunResult:
    settings = run_settings(release, how)
    inputs, told = records(release, settings), live.stage(_title(how))
    return await ask(inputs, release.transcripts(), gateway, settings, folder, told, seen.sight(how.model))


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
        frames=how.frames,
        scope=how.scope,
    )


def _title(how: Evaluation) -> str:
    parts = [how.model, how.condition, *([how.trace] if how.trace != "none" else [])]
    return "  ".join(parts)


def _folder(project: Project | None, release: Release, how: Evaluation) -> Path:
    runs = project.runs if project else Path("runs")
    name = slug(f"{how.model}-{how.condition}") + (f"-{how.repeats}" if how.repeats > 1 else "")
    name += "" if how.trace == "none" else f"-{how.trace}"
    name += "" if how.frames == "1fps" else f"-{how.frames}-frames"
    name += "" if how.scope == "all" else f"-{how.scope}"
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
