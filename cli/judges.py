"""Judges: a model that reads the replies of a run, and what it found."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import StoppedError
from .guard import resumable
from .output import AsJson, emit
from .progress import progress

if TYPE_CHECKING:
    from ..project.judge import Control, Judged
    from ..schemas.judge import Rubric
    from ..schemas.score import JudgedScore, RatedScore, RationaleScore


def judge(
    release: Annotated[Path, typer.Argument(metavar="RELEASE", help="Folder of a release.")],
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    judge: Annotated[str, typer.Option(metavar="MODEL", help="The model that judges: PROVIDER/NAME or scripted/FILE.")],
    rubric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="open (else taken), evidence, logic, hsa, dsa or modality; may be repeated."),
    ] = None,
    mismatched: Annotated[
        bool, typer.Option("--mismatched", help="The control: each reply beside another item; counts what passes.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the control: which items change places.")] = 42,
    concurrency: Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Requests in flight.")] = 8,
    as_json: AsJson = False,
) -> None:
    """Have a model judge the replies of a run; goes on where it was stopped. `score` takes its verdicts up."""
    from ..project.judge import Judging, named
    from ..project.judge import judge as run_judge

    rubrics = tuple(dict.fromkeys(named(name) for name in rubric or ["open"]))
    how = Judging(judge, rubrics, seed if mismatched else None, concurrency)
    with resumable(), progress() as shown:
        found = run_judge(release, run, how, progress=shown)
    result = {"judge": judge, "rubrics": {name: _json(one) for name, one in found.items()}}
    emit("judge", result, _told(found), as_json=as_json)
    if errors := sum(one.result.errors for one in found.values()):
        raise StoppedError(f"replies that the judge failed on: {errors}; the same command asks again")


def _json(done: "Judged") -> dict[str, Any]:
    statuses = dict(sorted(done.result.statuses.items()))
    control = done.control.json() if done.control else None
    return {"folder": str(done.folder), "statuses": statuses, "control": control}


def _told(found: "Mapping[Rubric, Judged]") -> Iterator[str]:
    for name, done in found.items():
        counts = ", ".join(f"{count} {status}" for status, count in sorted(done.result.statuses.items()))
        yield f"{name}  {done.folder}: {counts}"
        if done.control:
            yield from _controlled(done.control)


def _controlled(control: "Control") -> Iterator[str]:
    yield f"  beside another item: {control.still_right} of {control.n} still pass"
    sides = (
        ("matched", control.scores.matched),
        ("mismatched", control.scores.mismatched),
        ("AUC", control.scores.auc),
    )
    known = [f"{name} {figure.value:.3f}" for name, figure in sides if figure.value is not None]
    yield f"  {', '.join(known)}"


def told_by_judges(judged: "JudgedScore") -> Iterator[str]:
    """The lines of `score` that rest on judges."""
    yield "  judges            " + "  ".join(f"{rubric}: {model}" for rubric, model in judged.judges.items())
    if judged.open and judged.open.mean is not None:
        yield f"  open answers       0: {judged.open.none}  ½: {judged.open.half}  1: {judged.open.full}"
    if judged.rationale:
        yield from _verified(judged.rationale)
    elif judged.reason:
        yield f"  verified           undefined ({judged.reason})"
    for name, rated in (("HSA", judged.hsa), ("DSA", judged.dsa)):
        if rated and rated.total is not None:
            yield _rated(name, rated)
    if judged.modality:
        yield "  steps              " + "  ".join(f"{tag}: {count}" for tag, count in judged.modality.tags.items())
    for rubric, count in judged.unjudged.items():
        yield f"  {rubric}: {count} replies wait for their judge"


def _verified(found: "RationaleScore") -> Iterator[str]:
    yield f"  verified           {found.verified.value:.3f} of {found.raw.value:.3f}, macro {found.macro_verified:.3f}"
    if found.retention is not None:
        yield f"  credit retained    {found.retention:.3f}"
    yield "  lost to            " + "  ".join(f"{stage} {share:.3f}" for stage, share in found.losses.items())


def _rated(name: str, rated: "RatedScore") -> str:
    items = "  ".join(f"{item} {mean:.2f}" for item, mean in rated.items.items())
    return f"  {name}                {rated.total:.2f} of 30 ({rated.n} clips)  {items}"
