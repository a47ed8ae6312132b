"""Single items."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import AsJson, emit

if TYPE_CHECKING:
    from ..project.items import Listed, Shown

app = typer.Typer(no_args_is_help=True, help="Look at single items.")


@app.command()
def show(
    item: Annotated[str, typer.Argument(metavar="[ID]", help="Id of an item; without it all items are listed.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show an item with its answer, what it rests on, and what was said of it."""
    from ..project import folder as folders
    from ..project import items

    project = folders.find(Path.cwd())
    if item:
        shown = items.show(project, item)
        emit("item-show", shown.json(), _told(shown), as_json=as_json)
    else:
        found = items.listing(project)
        emit("item-list", {"items": [one._asdict() for one in found]}, _lines(found), as_json=as_json)


def _lines(found: "list[Listed]") -> Iterator[str]:
    for one in found:
        yield f"{one.id}  {one.outcome:9} {one.code:28} {one.capability}/{one.interaction}: {one.question}"


def _told(shown: "Shown") -> Iterator[str]:
    item, reference = shown.item, shown.reference
    yield f"{item.item_id}  {shown.outcome}  {shown.code}  {item.capability}/{item.interaction}"
    yield f"clip        {item.clip.media} {item.clip.start:g}-{item.clip.end:g} {item.clip.unit}"
    yield f"background  {item.background}"
    yield f"question    {item.question}"
    for option in item.options:
        mark = "*" if option.id in (reference.answer if reference else item.answer) else " "
        trap = item.traps.get(option.id, "")
        yield f"  {mark} {option.id:4} {option.text}" + (f"  [{trap}]" if trap else "")
    yield f"rationale   {item.rationale}"
    if reference:
        yield f"status      {reference.status}; tier {reference.tier}"
    yield f"play        {','.join(map(str, item.recipe.play))} then {item.recipe.taken}"
    for claim in shown.trace.claims if shown.trace else ():
        yield f"claim       {claim.text}"
    for remark in shown.remarks:
        told = remark.said.model_dump(mode="json", exclude_defaults=True)
        yield f"round {remark.round}  {remark.node} {remark.run}: " + "; ".join(f"{k} {v}" for k, v in told.items())
