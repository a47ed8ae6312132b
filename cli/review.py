"""People in the loop: the page on which they review, what they said taken out and in, and how far they agree."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import AsJson, emit, note

if TYPE_CHECKING:
    from ..project.review_agreement import Agreements

app = typer.Typer(no_args_is_help=True, help="Review items blind, then with their evidence; see how far people agree.")

Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Where the files go; else review/ in the project.")
]


@app.command()
def serve(
    mode: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODE",
            help="verification, baseline, overlap, annotation, screening; may be repeated; else the first three.",
        ),
    ] = None,
    release: Annotated[Path | None, typer.Option(metavar="RELEASE", help="Release that the runs are on.")] = None,
    run: Annotated[
        list[Path] | None, typer.Option(metavar="RUN", help="Run whose replies people rate; may be repeated.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Judge whose decisions are checked, where several are.")
    ] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="Port; 0 takes a free one.")] = 8765,
    expose: Annotated[bool, typer.Option("--expose", help="Allow an address that other machines can reach.")] = False,
    as_json: AsJson = False,
) -> None:
    """Serve the review page until it is stopped; prints one link a reviewer, each good for one use."""
    from ..project import folder as folders
    from ..project.review import Asked, known_modes
    from ..project.review_serve import Address
    from ..project.review_serve import serve as run_server

    def links(found: dict[str, str]) -> None:
        emit("review-serve", {"links": found}, [f"{who}  {link}" for who, link in found.items()], as_json=as_json)
        note("each link works once; Ctrl+C stops the server, and nothing that was saved is lost")

    asked = Asked(known_modes(mode or ()), release, tuple(run or ()), judge)
    run_server(folders.find(Path.cwd()), asked, Address(host, port, expose), links)


@app.command()
def export(out: Out = None, as_json: AsJson = False) -> None:
    """Write every finished review as JSONL; answers, ratings and traces also as `human import` reads them."""
    from ..project import folder as folders
    from ..project.review_files import export as run

    done = run(folders.find(Path.cwd()), out)
    lines = [f"{file}: {count}" for file, count in done.items()]
    emit("review-export", {"files": done}, lines or ["no finished review yet"], as_json=as_json)


@app.command("import")
def take_in(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="JSONL as `review export` writes it.")],
    as_json: AsJson = False,
) -> None:
    """Take in reviews that people made elsewhere: all rows or, where one of them is bad, none."""
    from ..project import folder as folders
    from ..project.review_files import take_in as run

    done = run(folders.find(Path.cwd()), files)
    result = {"rows": done.rows, "new": done.new}
    emit("review-import", result, [f"{done.new} new of {done.rows} rows"], as_json=as_json)


@app.command()
def agreement(out: Out = None, as_json: AsJson = False) -> None:
    """How far reviewers agree, by criterion and capability; vetoes, planted defects noticed, the human baseline."""
    from ..project import folder as folders
    from ..project.humans import plain
    from ..project.review_agreement import agreements, write

    project = folders.find(Path.cwd())
    done = agreements(project)
    file = write(project, done, out)
    emit("review-agreement", plain(done), _told(done), as_json=as_json)
    note(f"written to {file}")


def _told(done: "Agreements") -> Iterator[str]:
    from ..project.humans import coefficients, in_words

    states = ", ".join(f"{count} {state}" for state, count in done.states.items())
    yield f"items: {states or 'none'}"
    for mode, criteria in done.criteria.items():
        yield mode
        for name, groups in criteria.items():
            for group, found in groups.items():
                yield f"  {name} / {group}: {found.units} units, {coefficients(found)}"
    for reviewer, own in done.reviewers.items():
        low = f" [{own.low:.3f}, {own.high:.3f}]" if own.low is not None and own.high is not None else ""
        yield (
            f"{reviewer}  {own.finished} finished, {own.vetoes} vetoes ({own.alone} alone), "
            f"planted noticed {own.noticed} of {own.met}{low}{'' if own.counts else '  APPROVALS DO NOT COUNT'}"
        )
    for name, base in done.baseline.items():
        yield f"baseline, {name}: pooled {in_words(base.pooled)}, macro {in_words(base.macro)} of {base.n} answers"
    for name, spread in done.spreads.items():
        ends = spread.interval
        yield f"  {name} " + (f"[{ends.low:.3f}, {ends.high:.3f}] (bootstrap by episode)" if ends else spread.reason)
    if done.baseline:
        yield f"  same again {in_words(done.consistency)} of {done.duplicates}"
