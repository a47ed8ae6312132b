"""Audits: what an item rests on, looked up again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import RefusedError, UsageError
from .output import AsJson, emit, note

if TYPE_CHECKING:
    from ..project.folder import Project

ISOLATION = "isolation"


def audit(
    item: Annotated[str, typer.Argument(metavar="ITEM", help="Id of an item, or `isolation` for the whole log.")],
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to this file as well.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look up an item's evidence again, derive its label again, and show what each role saw."""
    from ..project import folder as folders

    project = folders.find(Path.cwd())
    if item == ISOLATION:
        if html is not None:
            raise UsageError("`audit isolation` has no page; leave out --html")
        _isolation(project, as_json=as_json)
    else:
        _item(project, item, html, as_json=as_json)


def _item(project: "Project", item: str, html: Path | None, *, as_json: bool) -> None:
    from ..project.audit import audit as run
    from ..project.audit import tree, write

    done = run(project, item)
    if html is not None:
        write(done, html)
    emit("audit", done.json(), tree(done), as_json=as_json)
    if html is not None:
        note(f"page: {html}")
    if done.unresolved:
        raise RefusedError(f"{item}: {len(done.unresolved)} unresolved")


def _isolation(project: "Project", *, as_json: bool) -> None:
    from ..project.audit import isolation

    found = isolation(project)
    lines = [f"{one.place}: {one.code}: {one.message}" for one in found]
    result = {"ok": not found, "findings": [one.model_dump(mode="json") for one in found]}
    emit("audit-isolation", result, [*lines, *(["ok"] if not found else [])], as_json=as_json)
    if found:
        raise RefusedError(f"isolation: findings: {len(found)}")
