"""What calls of models will cost, before they are made."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UsageError
from .asking import Asked, Condition, Frames, Media, Pictures, Shots, WithFilm
from .output import AsJson, emit

if TYPE_CHECKING:
    from ..project.estimate import Estimate


def estimate(
    release: Annotated[
        Path | None, typer.Argument(metavar="RELEASE", help="Folder of a release, to estimate an evaluation.")
    ] = None,
    model: Annotated[list[str] | None, typer.Option(metavar="MODEL", help="To be evaluated; may be repeated.")] = None,
    condition: Annotated[list[str] | None, Condition] = None,
    repeats: Annotated[int, typer.Option(min=1, metavar="N", help="Times each item is to be asked.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, metavar="N", help="Requests in flight.")] = 8,
    trace: Annotated[Asked, typer.Option(help="What is asked for beside the answer.")] = "none",
    frames: Annotated[Pictures, Frames] = "1fps",
    media: Annotated[list[Path] | None, Media] = None,
    shots: Annotated[Path | None, Shots] = None,
    with_film: Annotated[bool, WithFilm] = False,
    run: Annotated[Path | None, typer.Option(metavar="RUN", help="A run, to estimate what judging it takes.")] = None,
    judge: Annotated[str | None, typer.Option(metavar="MODEL", help="Who is to judge it.")] = None,
    rubric: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Under which rubrics; open else.")] = None,
    as_json: AsJson = False,
) -> None:
    """Estimate calls, tokens, money and time of the build, of an evaluation of RELEASE, or of judging a run on it."""
    from ..project import estimate as estimates
    from ..project import folder as folders
    from ..project.evaluate import Evaluation, each
    from ..project.judge import Judging, named
    from ..project.sight import Looking

    if (release is None) != (model is None and judge is None) or (run is None) != (judge is None) or (model and judge):
        raise UsageError(
            "give RELEASE and --model for an evaluation, RELEASE, --run and --judge for judging, or none for the build"
        )
    project = folders.find(Path.cwd())
    if release is None:
        done = estimates.of_build(project)
    elif run is not None and judge is not None:
        rubrics = tuple(dict.fromkeys(named(name) for name in rubric or ["open"]))
        done = estimates.of_judging(project, release, run, Judging(judge, rubrics, None, concurrency))
    else:
        how = Evaluation(
            "", "full", repeats, concurrency, None, trace, frames, "film" if with_film else "all",
            Looking(tuple(media or ()), shots),
        )  # fmt: skip
        done = estimates.of_evaluation(project, release, each(model or [], condition or ["full"], how))
    emit("estimate", done.json(), _told(done), as_json=as_json)


def _told(done: "Estimate") -> Iterator[str]:
    if not done.lines:
        yield "no calls: every role follows rules"
    for line in done.lines:
        yield f"{line.role:9} {line.model}"
        yield f"  calls     {line.calls:8}   {line.there} more are answered already"
        yield f"  tokens    {line.input_tokens:8} in, {line.output_tokens} out"
        yield f"  money     {line.usd:8.2f} USD, at most {line.most:.2f}"
        yield f"  time      {line.seconds / 60:8.1f} min"
        if not line.measured:
            yield "  length of replies and time are assumed: there were no such calls yet"
    yield "budget    no cap" if done.left is None else f"budget    {done.left:8.2f} USD left"
