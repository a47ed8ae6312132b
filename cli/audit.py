"""Audits: what an item rests on, looked up again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import RefusedError, UsageError
from .output import AsJson, emit, note
from .progress import progress

if TYPE_CHECKING:
    from ..project.folder import Project

ISOLATION = "isolation"
SERIOUS = "missing,moved,contradicted,not-replayable,isolation"
"""All faults but that people have not approved what takes two steps of inference."""


def audit(
    item: Annotated[
        str, typer.Argument(metavar="[ITEM]", help="Id of an item, or `isolation` for the whole log.")
    ] = "",
    everything: Annotated[bool, typer.Option("--all", help="Audit every accepted item.")] = False,
    fail_on: Annotated[
        str, typer.Option(metavar="FAULTS", help="With --all: what ends with exit code 1; unverified-c can be added.")
    ] = SERIOUS,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to this file as well.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look up an item's evidence again, derive its label again, and show what each role saw."""
    from ..project import folder as folders

    project = folders.find(Path.cwd())
    if bool(item) == everything:
        raise UsageError("name one item, or `isolation`, or --all")
    if html is not None and (everything or item == ISOLATION):
        raise UsageError("only the audit of one item has a page; leave out --html")
    if everything:
        _all(project, fail_on, as_json=as_json)
    elif item == ISOLATION:
        _isolation(project, as_json=as_json)
    else:
        _item(project, item, html, as_json=as_json)


def _item(project: "Project", item: str, html: Path | None, *, as_json: bool) -> None:
    from ..project.audit import audit as run
    from ..project.audit import tree, write

    done = run(project, item, film=html is not None)
    if html is not None:
        write(done, html)
    emit("audit", done.json(), tree(done), as_json=as_json)
    if html is not None:
        note(f"page: {html}")
    if done.unresolved:
        raise RefusedError(f"{item}: {len(done.unresolved)} unresolved")


def _all(project: "Project", fail_on: str, *, as_json: bool) -> None:
    from ..project.audit import Sweep, audits, faults

    wanted = faults(fail_on)
    with progress() as shown:
        done = Sweep(tuple(audits(project, shown)), wanted)
    emit("audit-all", done.json(), done.lines(), as_json=as_json)
    if done.failed:
        raise RefusedError(f"{len(done.failed)} of {len(done.items)} items have one of: {', '.join(wanted)}")


def _isolation(project: "Project", *, as_json: bool) -> None:
    from ..project.audit import isolation

    found = isolation(project)
    lines = [f"{one.place}: {one.code}: {one.message}" for one in found]
    result = {"ok": not found, "findings": [one.model_dump(mode="json") for one in found]}
    emit("audit-isolation", result, [*lines, *(["ok"] if not found else [])], as_json=as_json)
    if found:
        raise RefusedError(f"isolation: findings: {len(found)}")
