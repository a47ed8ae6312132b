"""A pilot: what a few models' answers say of the items before they are frozen."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import RefusedError
from .guard import resumable
from .output import AsJson, emit, note
from .progress import progress

if TYPE_CHECKING:
    from ..schemas.pilot import Pilot


def pilot(
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL", help="PROVIDER/NAME, baseline/RULE or scripted/FILE; may be repeated. Else every baseline."
        ),
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Requests in flight.")] = 8,
    as_json: AsJson = False,
) -> None:
    """Try the accepted items on a few models, with the clip and without, and list what speaks against an item."""
    from ..project import folder as folders
    from ..project.pilot import pilot as run

    with resumable(), progress() as shown:
        done = run(folders.find(Path.cwd()), model or (), concurrency=concurrency, progress=shown)
    found = done.pilot
    result = {"file": str(done.file)} | found.model_dump(mode="json", exclude={"schema_"})
    emit("pilot", result, _told(found), as_json=as_json)
    note(f"pilot: {done.file}")
    if errors := sum(finding.severity == "error" for finding in found.findings):
        raise RefusedError(f"findings on items: {errors}")


def _told(found: "Pilot") -> Iterator[str]:
    for finding in found.findings:
        yield f"{finding.place}  {finding.severity}  {finding.code}  {finding.message}"
    for name, own in found.capabilities.items():
        sides = f"reliability {_figure(own.reliability)}, from the total {_figure(own.prmse)}"
        yield f"{name:26} {own.items:4} items  {sides}" + (f" ({own.reason})" if own.reason else "")
    mean = sum(item.difficulty for item in found.items) / len(found.items)
    blind = sum(item.without_clip for item in found.items) / len(found.items)
    yield f"{len(found.items)} items, {len(found.models)} models: {mean:.3f} right, without the clip {blind:.3f}"
    if found.left_out:
        yield f"open questions left out, which only a judge can credit: {found.left_out}"
    if found.exploratory:
        yield "exploratory: with fewer than 30 models every finding is a hint"


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"
