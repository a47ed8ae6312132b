"""Making items: the build, and what became of it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import RefusedError
from .guard import resumable
from .output import AsJson, emit
from .progress import progress

if TYPE_CHECKING:
    from ..project.status import Summary


def build(
    only: Annotated[str | None, typer.Option(metavar="CAPABILITY", help="Build items of this capability only.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Stop after N new items.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make items until the targets are met; goes on where an earlier build was stopped."""
    from ..project import folder as folders
    from ..project.build import Part
    from ..project.build import build as run

    project = folders.find(Path.cwd())
    with resumable(), progress() as shown:
        done = run(project, Part(only, limit), progress=shown)
    emit("build", done.json(), told(done), as_json=as_json)
    for line in done.warnings:
        print(f"warning: {line}", file=sys.stderr)
    said = []
    if done.refused:
        said.append(f"{len(done.refused)} of {len(done.refused) + done.usable} sources refused")
    if done.unshared:
        said.append(f"recorded shares that cannot be used: {len(done.unshared)}")
    if said:
        raise RefusedError(f"{', '.join(said)}; the build went on without them", (*done.refused, *done.unshared))


def status(as_json: AsJson = False) -> None:
    """Count accepted, discarded and open items, with the reasons."""
    from ..project import folder as folders
    from ..project.status import status as run

    done = run(folders.find(Path.cwd()))
    emit("status", done.json(), told(done), as_json=as_json)


def told(done: "Summary") -> Iterator[str]:
    yield f"accepted   {done.accepted:5}"
    for capability, count in done.by_capability.items():
        yield f"  {capability:30} {count:5}"
    yield f"open       {done.open:5}"
    yield f"surplus    {done.surplus:5}"
    yield f"discarded  {done.discarded:5}"
    if done.reasons:
        yield "surplus and discarded, by reason"
    for reason, count in done.reasons.items():
        yield f"  {reason:30} {count:5}"
    yield f"calls      {done.calls:5}   spent {done.spent:.2f} USD"
    if done.videos_waiting:
        waiting = f"{done.videos_waiting} videos show no story"
        yield f"{waiting}: rules make no items of what is only seen, so their slots stay open"
    if done.unmade:
        yield f"{', '.join(done.unmade)}: rules make no such items, which need a language model; lower these targets"
    if done.stopped_by == "sources":
        yield "the sources yield no more; add stories, or lower the targets"
