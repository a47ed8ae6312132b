"""Making items: the build, and what became of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import RefusedError
from .guard import resumable
from .output import AsJson, emit, note
from .progress import progress

if TYPE_CHECKING:
    from ..project.preview import Preview
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
        note(f"warning: {line}")
    said = []
    if done.refused:
        said.append(f"{len(done.refused)} of {len(done.refused) + done.usable} sources refused")
    if done.unshared:
        said.append(f"recorded shares that cannot be used: {len(done.unshared)}")
    if said:
        raise RefusedError(f"{', '.join(said)}; the build went on without them", (*done.refused, *done.unshared))


def preview(
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=100, metavar="N", help="Slots to run.")] = 3,
    only: Annotated[str | None, typer.Option(metavar="CAPABILITY", help="Of this capability only.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run the next few slots of the build and show every round: prompt, reply, verdict, cost."""
    from ..project import folder as folders
    from ..project.preview import preview as run

    with resumable(), progress() as shown:
        done = run(folders.find(Path.cwd()), count, only, progress=shown)
    emit("preview", done.json(), _rounds(done), as_json=as_json)
    for line in done.built.warnings:
        note(f"warning: {line}")


def _rounds(done: "Preview") -> Iterator[str]:
    if not done.slots:
        yield "no slot is left to run: the targets are met, or the sources yield no more"
    for shown in done.slots:
        code = "" if shown.code == shown.outcome else f": {shown.code}"
        yield f"=== {shown.item}  {shown.outcome}{code}  {shown.usd:.4f} USD  {shown.slot}"
        for step in shown.steps:
            yield f"--- round {step.round}  {step.node} {step.run}  {step.role} by {step.policy}  {step.usd:.4f} USD"
            for role, text in step.prompt:
                yield from [f"[{role}]", *text.splitlines()]
            for said in step.replies:
                yield from ["[correction]", *said.correction.splitlines()] if said.correction else []
                yield from [f"[reply, {said.status}, {said.seconds:.1f} s]", *said.reply.splitlines()]
            for made in step.made:
                yield "[made] " + "; ".join(f"{name}: {value}" for name, value in made.items() if value != "")


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
