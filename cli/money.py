"""What calls of models will cost, before they are made."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UsageError
from .output import AsJson, emit

if TYPE_CHECKING:
    from ..project.estimate import Estimate


def estimate(
    release: Annotated[
        Path | None, typer.Argument(metavar="RELEASE", help="Folder of a release, to estimate an evaluation.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="MODEL", help="The model to be evaluated.")] = None,
    condition: Annotated[str, typer.Option(metavar="NAME", help="What it is to be shown.")] = "full",
    repeats: Annotated[int, typer.Option(min=1, metavar="N", help="Times each item is to be asked.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, metavar="N", help="Requests in flight.")] = 8,
    as_json: AsJson = False,
) -> None:
    """Estimate calls, tokens, money and time of the build, or of an evaluation of RELEASE."""
    from ..project import estimate as estimates
    from ..project import folder as folders
    from ..project.evaluate import Evaluation

    if (release is None) != (model is None):
        raise UsageError("give RELEASE and --model for an evaluation, or neither of them for the build")
    project = folders.find(Path.cwd())
    if release is None or model is None:
        done = estimates.of_build(project)
    else:
        done = estimates.of_evaluation(project, release, Evaluation(model, condition, repeats, concurrency))
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
