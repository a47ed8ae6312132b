"""`demo`: the whole way on the bundled story, offline: a project, items, a release, two baselines, a report."""

import shutil
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import chain, count
from pathlib import Path
from typing import Any

from ..errors import RefusedError, UsageError
from . import audit, items
from . import folder as folders
from .build import build
from .evaluate import Evaluation, evaluate
from .freeze import freeze
from .ingest import Beside, ingest
from .progress import Progress
from .report import write
from .score import Scores, score
from .status import Summary
from .verify import verify

VERSION = "0.1.0"
DATE = "2026-01-01"
"""The same on every day, so that two demos give the same bytes."""
STORY = "story.ink.json"
VIDEO = "playthrough.mp4"
LICENSE = "MIT"
"""Of the video; the story states its own."""
BASELINES = ("baseline/random", "baseline/most-similar")


@dataclass(frozen=True)
class Demo:
    """What the demo left behind."""

    project: Path
    release: Path
    runs: tuple[Path, ...]
    built: Summary
    scores: Scores
    report: Path
    audit: Path
    """The page of one audited item."""

    def json(self) -> dict[str, Any]:
        runs = [str(run) for run in self.runs]
        return {"release": str(self.release), "report": str(self.report), "audit": str(self.audit), "runs": runs}


def demo(out: Path, progress: Progress) -> Demo:
    """Go the whole way in `out`, which must be new or empty. Raises `UsageError` where it is not."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is there already and not empty; name another folder with --out")
    folders.writable(out)
    with as_file(files(__package__) / "demo") as bundled:
        for file in sorted(bundled.iterdir()):
            shutil.copy(file, out)
    for taken in (
        ingest(folders.find(out), [out / STORY]),
        ingest(folders.find(out), [out / VIDEO], LICENSE, Beside(narrative=out / STORY)),
    ):
        if taken.refused:
            raise taken.refused[0]
    project = folders.find(out)
    built = build(project, progress=progress)
    frozen = freeze(project, VERSION, unreviewed=True, day=DATE)
    if problems := verify(frozen.folder).problems:
        raise RefusedError(f"{frozen.folder} does not verify", tuple(f"{one.file}: {one.problem}" for one in problems))
    runs = tuple(evaluate(project, frozen.folder, Evaluation(model)).folder for model in BASELINES)
    scores = score(frozen.folder, runs)
    report = write(frozen.folder, runs, scores, project.root / "report.html")
    return Demo(project.root, frozen.folder, runs, built, scores, report, _audited(project))


def unused(folder: Path) -> Path:
    """`folder`, or the first of `folder-2`, `folder-3` … that is not there."""
    names = chain([folder], (folder.with_name(f"{folder.name}-{number}") for number in count(2)))
    return next(name for name in names if not name.exists())


def _audited(project: folders.Project) -> Path:
    """The page of the first accepted item. Raises `RefusedError` where it does not hold."""
    first = next(item.id for item in items.listing(project) if item.outcome == "accepted")
    done = audit.audit(project, first, film=True)
    if done.unresolved:
        raise RefusedError(f"item {first} does not stand up to its audit", done.unresolved)
    return audit.write(done, project.root / "audit.html")
