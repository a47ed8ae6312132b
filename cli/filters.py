"""Filters by ablation: items that models solve without the clip."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .guard import resumable
from .output import AsJson, emit, note
from .progress import progress

if TYPE_CHECKING:
    from ..schemas.ablation import Filters


def filter_items(
    model: Annotated[
        list[str], typer.Option(metavar="MODEL", help="PROVIDER/NAME; twice, of two families that are not evaluated.")
    ],
    as_json: AsJson = False,
) -> None:
    """Drop accepted items that two models solve without the clip; tag what words or one picture alone solve."""
    from ..project import folder as folders
    from ..project.ablate import ablate

    with resumable(), progress() as shown:
        done = ablate(folders.find(Path.cwd()), model, progress=shown)
    emit("filter", done.filters.model_dump(mode="json", exclude={"schema_"}), _told(done.filters), as_json=as_json)
    for line in done.warnings:
        note(f"warning: {line}")


def _told(found: "Filters") -> Iterator[str]:
    for item in found.items:
        if item.verdict != "kept" or item.tags:
            yield f"{item.id}  {item.verdict:13} {item.capability:26} {', '.join(item.tags)}"
    for own in found.accuracy:
        sides = f"before {_figure(own.before)} (n {own.n_before}), after {_figure(own.after)} (n {own.n_after})"
        yield f"{own.model}  {own.condition:15} {sides}, guessing {_figure(own.guessing)}"
    yield from (f"not run: {name}: {reason}" for name, reason in found.not_run.items())
    dropped = sum(item.verdict == "dropped" for item in found.items)
    by_quota = sum(item.verdict == "kept by quota" for item in found.items)
    yield f"{len(found.items)} items: {dropped} dropped, {by_quota} kept by quota; build again to make others"
    if found.left_out:
        yield f"open questions left out, which only a judge can credit: {found.left_out}"


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
