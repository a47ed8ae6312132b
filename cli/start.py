"""How a project begins: its folder, its stories and videos."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import RefusedError, UsageError
from .output import AsJson, emit
from .progress import progress

if TYPE_CHECKING:
    from ..project.demo import Demo
    from ..project.ingest import Ingested
    from ..schemas.alignment import Alignment


def demo(
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="New folder; else benchwright-demo, or -2, -3 ..."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Go the whole way on the bundled story, offline: items, release, two baselines, report, audit."""
    from ..project.demo import demo as run
    from ..project.demo import unused

    with progress() as shown:
        done = run(out or unused(Path("benchwright-demo")), shown)
    emit("demo", done.json(), _toured(done), as_json=as_json)


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the project; made if missing.")],
) -> None:
    """Make a project: a folder with a commented benchwright.yaml."""
    from ..project import folder as folders

    print(folders.init(folder).file.path)


def ingest(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Stories (compiled Ink, or our own format), videos, transcripts (.srt)."),
    ],
    subtitles: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Subtitles of the one video; else found beside it by its name.")
    ] = None,
    narrative: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Story of which the one video shows a playthrough.")
    ] = None,
    license: Annotated[str, typer.Option(metavar="SPDX", help="Licence of these files, such as CC-BY-4.0.")] = "",
    as_json: AsJson = False,
) -> None:
    """Add stories, videos and transcripts to the project that this folder lies in."""
    from ..project import folder as folders
    from ..project.ingest import Beside
    from ..project.ingest import ingest as run

    done = run(folders.find(Path.cwd()), files, license, Beside(subtitles, narrative))
    result = {
        "added": [
            source.model_dump(include={"source_id", "kind", "path", "title", "format", "license"})
            for source in done.added
        ],
        "shown": {name: one.model_dump(include={"play"}) | _counted(one) for name, one in done.shown.items()},
        "known": [source.path for source in done.known],
        "refused": [{"path": str(error.path), "problem": error.problem} for error in done.refused],
        "names": len(done.names),
        "lexicon": {entity.placeholder: entity.names for entity in done.names},
        "signals_proposed": {name: one.signal.model_dump() for name, one in done.signals.items()},
    }
    emit("ingest", result, _told(done, license), as_json=as_json)
    if len(done.refused) == len(files):
        raise done.refused[0] if len(files) == 1 else UsageError(f"none of the {len(files)} files can be used")
    if done.refused:
        raise RefusedError(f"{len(done.refused)} of {len(files)} files refused", tuple(map(str, done.refused)))


def _toured(done: "Demo") -> Iterator[str]:
    yield f"project    {done.project}"
    yield f"items      {done.built.accepted} accepted, {done.built.surplus} surplus, {done.built.discarded} discarded"
    yield f"release    {done.release}  (verified)"
    for folder, run in zip(done.runs, done.scores.runs, strict=True):
        yield f"run        {folder}"
        value = "undefined" if run.accuracy.value is None else f"{run.accuracy.value:.3f}"
        yield f"           {run.model}: accuracy {value} on {run.n} items, chance {run.chance:.3f}"
    yield f"report     {done.report}"
    yield f"audit      {done.audit}  (one item: what it rests on, who saw what)"


def _counted(shown: "Alignment") -> dict[str, float]:
    """How much of a playthrough is found in its video."""
    aligned = sum(moment.span is not None for moment in shown.moments)
    return {"lines": len(shown.moments), "aligned": aligned, "confidence": shown.confidence}


def _told(done: "Ingested", license: str) -> Iterator[str]:
    if not (done.added or done.known):
        return
    for source in done.added:
        told = f"{source.path}: {source.title!r} ({source.format}), source {source.source_id}"
        yield (
            told
            if source.license
            else f"{told}; no licence yet: a release needs one, under `sources` in benchwright.yaml"
        )
        if shown := done.shown.get(source.source_id):
            count = _counted(shown)
            yield f"  shows {len(shown.play)} choices; {count['aligned']} of {count['lines']} lines and choices found"
    for source in done.known:
        told = f"{source.path}: there already, as source {source.source_id}"
        yield f"{told}; its entry in benchwright.yaml stays as it is, its licence too" if license else told
    yield f"{len(done.names)} names in the lexicon; what is missing or wrong goes under `entities` in benchwright.yaml"
    for entity in done.names:
        yield f"  {entity.placeholder:16} {', '.join(entity.names)}"
    if done.signals:
        yield f"signals proposed, as comments under `signals` in benchwright.yaml: {len(done.signals)}; read them"
    for name, (signal, doubt) in done.signals.items():
        between = " towards ".join(signal.between)
        yield f"  {name:16} {signal.label}{f' of {between}' if between else ''}{f'  ({doubt})' if doubt else ''}"
