"""People: what they said is taken in, and what it comes to."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import AsJson, emit

if TYPE_CHECKING:
    from ..project.humans import HumanScore, JudgeAgreement

app = typer.Typer(no_args_is_help=True, help="What people said of a release: take it in, and see what it comes to.")

ReleaseFolder = Annotated[Path, typer.Argument(metavar="RELEASE", help="Folder of a release.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")]
Where = Annotated[
    Path | None, typer.Option("--folder", metavar="DIR", help="Where it lies; else human/<release> in the project.")
]
Judge = Annotated[str | None, typer.Option(metavar="MODEL", help="Take this judge's word, where several are.")]


@app.command("import")
def take_in(
    release: ReleaseFolder,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="answers, ratings, traces, endorsements or labels.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="JSONL, or CSV by its name.")],
    folder: Where = None,
    as_json: AsJson = False,
) -> None:
    """Take in what people said: all rows or, where one of them is bad, none."""
    from ..project.people import take_in as run

    done = run(release, kind, files, human_folder(release, folder))
    result = {"file": str(done.file), "rows": done.rows, "new": done.new, "total": done.total}
    emit(
        "human-import",
        result,
        [f"{done.file}: {done.new} new of {done.rows} rows, {done.total} in all"],
        as_json=as_json,
    )


@app.command()
def baseline(
    release: ReleaseFolder,
    count_skipped: Annotated[
        bool, typer.Option("--count-skipped", help="Skipped items count as wrong; else they do not count.")
    ] = False,
    folder: Where = None,
    as_json: AsJson = False,
) -> None:
    """What people reach: pooled, macro, each person; sanity duplicates; how far they agree."""
    from ..project.humans import human_score, plain

    done = human_score(release, human_folder(release, folder), count_skipped=count_skipped)
    emit("human-baseline", plain(done), _reached(done), as_json=as_json)


@app.command()
def agreement(
    release: ReleaseFolder, run: RunFolder, judge: Judge = None, folder: Where = None, as_json: AsJson = False
) -> None:
    """How far a judge of a run agrees with people's labels, ratings and endorsements."""
    from ..project.humans import judge_agreement, plain

    done = judge_agreement(release, run, human_folder(release, folder), judge)
    emit("human-agreement", plain(done), _agreed(done), as_json=as_json)


@app.command()
def traces(
    release: ReleaseFolder, run: RunFolder, judge: Judge = None, folder: Where = None, as_json: AsJson = False
) -> None:
    """A run's reasoning traces against people's: Social Genome's twelve figures."""
    from ..project.humans import in_words, plain, trace_score

    done = trace_score(release, run, human_folder(release, folder), judge)
    lines = [f"{done.model}  {done.pairs} pairs of traces, {done.untagged} untagged steps"]
    lines += [f"  {name:22} {in_words(figure)}" for name, figure in done.means.items()]
    emit("human-traces", plain(done), lines, as_json=as_json)


@app.command()
def sample(
    release: ReleaseFolder,
    n: Annotated[int, typer.Option("--n", min=1, metavar="N", help="How many to take.")] = 50,
    of: Annotated[str, typer.Option(metavar="UNIT", help="clip or item.")] = "clip",
    factor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="difficulty, question, people, dialogue; may be repeated; else all."),
    ] = None,
    run: Annotated[
        list[Path] | None, typer.Option(metavar="RUN", help="A run that tells difficulty; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Who of equals is taken.")] = 42,
    as_json: AsJson = False,
) -> None:
    """Choose a subset that looks like the whole release, and say where it does not."""
    from ..project.humans import plain
    from ..project.subset import subset

    done = subset(release, n, of=of, factors=factor or (), runs=run or (), seed=seed)
    unmatched = done.sample.unmatched()
    levels = [plain(level) | {"matched": level.matched} for level in done.sample.levels]
    result = {"of": done.of, "units": done.units, "factors": done.factors, "ids": done.sample.ids, "items": done.items,
              "levels": levels, "unmatched": len(unmatched), "lost": done.sample.lost}  # fmt: skip
    lines = [*done.sample.ids, "", *(
        f"{level.factor} {level.level}: {level.taken} taken, {level.wanted:.1f} wanted of {level.units}"
        + ("" if level.matched else "  not matched") for level in done.sample.levels
    ), *(f"not in it: {combination}" for combination in done.sample.lost)]  # fmt: skip
    emit("human-sample", result, lines, as_json=as_json)


def human_folder(release: Path, folder: Path | None) -> Path:
    from ..project.evaluate import nearest
    from ..project.people import folder_of
    from ..project.releases import open_release

    return folder_of(nearest(Path.cwd()), open_release(release), folder)


def _reached(done: "HumanScore") -> Iterator[str]:
    from ..project.humans import coefficients, in_words

    yield f"{done.people} people, {done.items} items, {done.baseline.n} answers"
    for name, figure, spread in (
        ("pooled", done.baseline.pooled, done.pooled_spread), ("macro", done.baseline.macro, done.macro_spread)
    ):  # fmt: skip
        ends = spread.interval
        interval = f"[{ends.low:.3f}, {ends.high:.3f}] (bootstrap by episode)" if ends else f"({spread.reason})"
        yield f"  {name:22} {in_words(figure)} {interval}"
    for groups in (done.baseline.by_person, done.baseline.by_capability):
        yield from (f"  {name:22} {in_words(figure)}" for name, figure in groups.items())
    if done.duplicates:
        yield f"  {'same again':22} {in_words(done.consistency)} of {done.duplicates} duplicates"
    if done.unjudged:
        yield f"  answers in words without a credit, left out: {done.unjudged}"
    yield f"  between people: {coefficients(done.agreement)}"


def _agreed(done: "JudgeAgreement") -> Iterator[str]:
    from ..project.humans import coefficients, in_words

    for rubric, own in done.labels.items():
        yield f"{rubric} by {own.judge}: {own.replies} replies"
        yield f"  between people: {coefficients(own.people)}"
        yield f"  with the judge: {coefficients(own.with_judge)}"
    for rubric, rated in done.ratings.items():
        means = f"people {in_words(rated.people_mean)}, {rated.judge} {in_words(rated.judge_mean)}"
        yield f"{rubric}: {means} of 30; F1 (%)"
        yield from rated.table.csv().splitlines()
    for rubric, endorsed in done.endorsed.items():
        macro = in_words(endorsed.macro)
        yield f"{rubric}: {in_words(endorsed.pooled)} of {endorsed.n} decisions endorsed, macro {macro}"
