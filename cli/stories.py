"""Stories by themselves: what they offer, before they join a project."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import RefusedError, UsageError
from .output import AsJson, emit
from .progress import progress

if TYPE_CHECKING:
    from ..project.narrative import Exploration, Played

app = typer.Typer(no_args_is_help=True, help="Look at a story before it joins a project.")

StoryFile = Annotated[Path, typer.Argument(metavar="FILE", help="Compiled Ink, or a story in our own format.")]
States = Annotated[int, typer.Option(min=1, metavar="N", help="Stop after N states.")]
Depth = Annotated[int | None, typer.Option(min=1, metavar="N", help="Stop N decisions from the start.")]
Seconds = Annotated[float | None, typer.Option(min=0, metavar="S", help="Stop after S seconds.")]


@app.command()
def explore(
    file: StoryFile, states: States = 50_000, depth: Depth = None, seconds: Seconds = 300.0, as_json: AsJson = False
) -> None:
    """Play every choice of a story: what can be reached, how it ends, what shuts what off."""
    from ..project import narrative

    with progress() as shown:
        found = narrative.explore(file, narrative.Bounds(states, depth, seconds), shown)
    emit("narrative-explore", found.to_json(), _figures(found), as_json=as_json)
    if found.errors:
        raise RefusedError(f"{file}: choices after which the story fails: {len(found.errors)}", found.errors)


@app.command()
def show(
    file: StoryFile,
    play: Annotated[str, typer.Option(metavar="I,J,...", help="Indices of the choices to take, from 0.")] = "",
    as_json: AsJson = False,
) -> None:
    """Print what a story says of itself, and one play of it."""
    from ..project import narrative

    indices = [piece.strip() for piece in play.split(",") if piece.strip()]
    if not all(piece.isdecimal() for piece in indices):
        raise UsageError(f"--play {play!r}: expected indices such as 0,2,1")
    played = narrative.play(file, [int(piece) for piece in indices])
    info = played.story.info
    result = {
        "title": info.title, "format": info.format, "sha256": info.sha256, "license": info.license,
        "protagonists": info.protagonists, "people": [person.name for person in info.people],
        "signals": sorted(info.signals), "lines": played.lines, "choices": played.choices, "ending": played.ending,
        "variables": played.variables, "random_seed": played.random_seed,
    }  # fmt: skip
    emit("narrative-show", result, _told(played), as_json=as_json)


@app.command()
def lint(
    file: StoryFile, states: States = 20_000, depth: Depth = None, seconds: Seconds = 60.0, as_json: AsJson = False
) -> None:
    """Say what an author should look at; exit 1 where a play of the story breaks."""
    from ..project import narrative

    with progress() as shown:
        findings = narrative.lint(file, narrative.Bounds(states, depth, seconds), shown)
    lines = [f"{one.severity}: {one.code}: {one.place + ': ' if one.place else ''}{one.message}" for one in findings]
    errors = sum(one.severity == "error" for one in findings)
    result = {"ok": not errors, "findings": [one.model_dump() for one in findings]}
    emit("narrative-lint", result, lines or ["nothing found"], as_json=as_json)
    if errors:
        raise RefusedError(f"{file}: errors: {errors}")


def _figures(found: "Exploration") -> Iterator[str]:
    yield f"{found.states} states, {found.transitions} transitions, {'complete' if found.complete else 'incomplete'}"
    yield from found.cut
    yield f"{found.choices.reachable} of {found.choices.source} choices reachable, {found.decisions} decisions"
    for span in found.choices.unreachable:
        yield f"  unreachable  {span}"
    for ending in found.endings:
        yield f"  ending  {ending.probability:.3f}  {ending.label}"
    yield "endings come with these probabilities if every choice offered is as likely as the others"
    yield "choices that shut something off: " + ", ".join(f"{count} {kind}" for kind, count in found.locks.items())
    yield f"{found.seconds:.1f} s"


def _told(played: "Played") -> Iterator[str]:
    info = played.story.info
    yield f"{info.title} ({info.format}), licence {info.license or 'not stated'}"
    yield f"people: {', '.join(person.name for person in info.people) or 'none declared'}"
    yield f"signals: {', '.join(info.signals) or 'none declared'}"
    if played.random_seed is not None:
        yield f"draws random numbers: played as seed {played.random_seed} draws them"
    yield ""
    yield from played.lines
    yield ""
    for number, text in enumerate(played.choices):
        yield f"  {number}  {text}"
    if played.ending is not None:
        yield f"ending: {played.ending}"
    yield "variables: " + ", ".join(f"{name} {value}" for name, value in played.variables.items())
