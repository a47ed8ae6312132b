"""Single items."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import RefusedError
from .output import AsJson, emit
from .progress import progress

if TYPE_CHECKING:
    from ..project.handmade import Made
    from ..project.items import Listed, Shown

app = typer.Typer(no_args_is_help=True, help="Look at single items, and write them by hand.")

DraftFile = Annotated[Path, typer.Option("--file", metavar="FILE", help="The item; docs/make-items.md shows one.")]


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


@app.command()
def new(file: DraftFile, as_json: AsJson = False) -> None:
    """Make an item by hand, through the same gates as any other."""
    from ..project import folder as folders
    from ..project import handmade

    with progress() as shown:
        made = handmade.new(folders.find(Path.cwd()), file, shown)
    _finish("item-new", made, as_json)


@app.command()
def edit(
    item: Annotated[str, typer.Argument(metavar="ID", help="Id of an accepted item.")],
    file: Annotated[Path | None, typer.Option(metavar="FILE", help="The item as it shall be.")] = None,
    as_json: AsJson = False,
) -> None:
    """Revise an accepted item by hand; without --file, print it as a file to edit. Voids its approvals."""
    from ..project import folder as folders
    from ..project import handmade

    project = folders.find(Path.cwd())
    if file is None:
        print(handmade.template(project, item), end="")
        return
    with progress() as shown:
        made = handmade.edit(project, item, file, shown)
    _finish("item-edit", made, as_json)


def _finish(command: str, made: "Made", as_json: bool) -> None:
    emit(command, made.json(), [f"{made.id}  {made.outcome}  {made.code}"], as_json=as_json)
    if made.outcome != "accepted":
        raise RefusedError(f"{made.id}: {made.code}", made.messages)


def _lines(found: "list[Listed]") -> Iterator[str]:
    if not found:
        yield "no items yet; `benchwright build` makes some"
    for one in found:
        code = "" if one.code == one.outcome else one.code
        yield f"{one.id}  {one.outcome:9} {code:28} {one.capability}/{one.interaction}: {one.question}"


def _told(shown: "Shown") -> Iterator[str]:
    item, reference = shown.item, shown.reference
    outcome = shown.outcome if shown.code in ("", shown.outcome) else f"{shown.outcome}: {shown.code}"
    yield f"{item.item_id}  {outcome}  {item.capability}/{item.interaction}"
    yield f"clip        {item.clip.media} {item.clip.start:g}-{item.clip.end:g} {item.clip.unit}"
    if shown.video:
        yield f"video       {shown.video}"
    yield f"background  {item.background}"
    for line in shown.clip.transcript if shown.clip else ():
        chosen = line.kind == "choice"
        said = f"{line.speaker}{' chooses' if chosen else ''}: " if line.speaker else ""
        yield f"    {'> ' if chosen else ''}{said}{line.text}"
    yield f"question    {item.question}"
    for option in item.options:
        mark = "*" if option.id in (reference.answer if reference else item.answer) else " "
        trap = item.traps.get(option.id, "")
        yield f"  {mark} {option.id:4} {option.text}" + (f"  [{trap}]" if trap else "")
    yield f"rationale   {item.rationale}"
    if reference:
        yield f"status      {reference.status}; tier {reference.tier}"
    if item.recipe:
        yield f"play        {','.join(map(str, item.recipe.play)) or 'start'} then {item.recipe.taken}"
    yield from (f"cites       {cue}" for cue in item.cues)
    for claim in shown.trace.claims if shown.trace else ():
        yield f"claim       {claim.text}"
    for remark in shown.remarks:
        told = remark.said.model_dump(mode="json", exclude_defaults=True)
        parts = [f"{name} {value}" for name, value in told.items() if value != ""]
        yield f"round {remark.round}  {remark.node} {remark.run}: " + "; ".join(parts)
