"""Releases: frozen, verified, evaluated, scored."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ..errors import RefusedError, StoppedError
from .asking import Asked, Condition, Frames, Media, Pictures, Shots, WithFilm
from .guard import resumable
from .human import human_folder
from .judges import told_by_judges
from .output import AsJson, emit, note
from .progress import progress

if TYPE_CHECKING:
    from ..project.evaluate import Evaluated
    from ..project.score import Scores
    from ..project.versions import Difference
    from ..schemas.score import Estimate, RunScore

Handing = Literal["plain", "apart", "encrypted"]
Key = Annotated[
    Path | None, typer.Option(metavar="FILE", help="File with the passphrase of answers that are encrypted.")
]
Apart = Annotated[Path | None, typer.Option(metavar="DIR", help="Where the answers lie that are kept apart.")]
ReleaseFolder = Annotated[Path, typer.Argument(metavar="RELEASE", help="Folder of a release.")]


def freeze(
    version: Annotated[
        str | None, typer.Argument(metavar="VERSION", help="Three numbers, such as 1.0.0; else the next one.")
    ] = None,
    unreviewed: Annotated[bool, typer.Option("--unreviewed", help="Freeze without approvals; it will say so.")] = False,
    date: Annotated[str | None, typer.Option(metavar="DATE", help="YYYY-MM-DD; else that of the first freeze.")] = None,
    reason: Annotated[
        list[str] | None,
        typer.Option(metavar="ITEM=WHY", help="Why an item was changed or removed; WHY alone is for all others."),
    ] = None,
    override: Annotated[
        list[str] | None,
        typer.Option(metavar="GATE=WHY", help="Let a shortcut gate pass; the card will say so, with the reason."),
    ] = None,
    sign: Annotated[
        Path | None, typer.Option(metavar="KEY", help="Sign with this SSH key, or the .pub of one in ssh-agent.")
    ] = None,
    answers: Annotated[Handing, typer.Option(help="How answers and grounding are handed on.")] = "plain",
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Write the accepted items as a release that anyone can verify."""
    from ..project import folder as folders
    from ..project.freeze import Handover
    from ..project.freeze import freeze as run
    from ..project.gates import parse_overrides
    from ..project.versions import parse_reasons

    done = run(
        folders.find(Path.cwd()), version, unreviewed=unreviewed, day=date, reasons=parse_reasons(reason or []),
        overrides=parse_overrides(override or []), handover=Handover(sign, answers, key),
    )  # fmt: skip
    own = done.succession
    result = {"release": str(done.folder), "items": done.items, "reviewed": done.reviewed, "date": done.date}
    result |= {"warnings": done.warnings}
    result |= {"version": own.content.version, "previous": own.previous, **own.counts()}
    emit("freeze", result, [str(done.folder)], as_json=as_json)
    for line in done.warnings:
        note(f"warning: {line}")
    if own.previous:
        note(f"since {own.previous}: " + ", ".join(f"{count} {kind}" for kind, count in own.counts().items()))
    if answers != "plain":
        note(f"answers and grounding: {done.folder}-apart")
    if not done.reviewed:
        note("unreviewed: no release to publish as a benchmark; name, card and manifest say so")


def verify(
    release: ReleaseFolder,
    answers: Apart = None,
    key: Key = None,
    allowed_signers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Those whose signature counts; see man ssh-keygen."),
    ] = None,
    media: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="Look for the sources among these files, by hash.")
    ] = None,
    online: Annotated[bool, typer.Option("--online", help="Ask the sources' addresses, over the network.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check every file of a release, offline; list every problem."""
    from ..project.availability import available
    from ..project.verify import verify as run

    found = run(release, answers=answers, key=key, signers=allowed_signers)
    sources = available(release, media or [], online=online) if media or online else ()
    lines = [f"{problem.file}: {problem.problem}" for problem in found.problems]
    lines += [f"{one.status:9}  {one.source}  {one.kind:10}  {one.where}  {one.note}".rstrip() for one in sources]
    result = {"ok": found.ok, "problems": [problem._asdict() for problem in found.problems], "notes": found.notes}
    result |= {"media": [one._asdict() for one in sources]} if media or online else {}
    gone = sum(one.fault for one in sources)
    emit("verify", result, [*lines, *found.notes, *(["ok"] if found.ok and not gone else [])], as_json=as_json)
    if not found.ok or gone:
        told = f"problems: {len(found.problems)}" + (f"; sources missing or changed: {gone}" if gone else "")
        raise RefusedError(f"{release}: {told}")


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="Folder of a release.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Folder of a later one.")],
    as_json: AsJson = False,
) -> None:
    """List what changed between two releases; exit with 1 where the later one does not say so itself."""
    from ..project.versions import diff as run

    done = run(old, new)
    emit("diff", _difference(done), _differing(done), as_json=as_json)
    if done.findings:
        raise RefusedError(f"{new}: does not say of itself what changed: {len(done.findings)}", done.findings)


def _difference(done: "Difference") -> dict[str, Any]:
    changed = [
        {"id": one.id, "fields": one.fields, "public_hash_before": one.before, "public_hash_after": one.after}
        for one in done.changes
        if one.kind == "changed"
    ]
    kinds = {kind: [one.id for one in done.changes if one.kind == kind] for kind in ("added", "removed")}
    said = {"release": done.release, "withheld": done.withheld, "findings": done.findings}
    return {"old": done.old.title, "new": done.new.title, "level": done.level, **kinds, "changed": changed, **said}


def _differing(done: "Difference") -> Iterator[str]:
    for one in done.changes:
        yield f"{one.kind:8} {one.id}  {', '.join(one.fields)}".rstrip()
    if done.release:
        yield f"release  {', '.join(done.release)}"
    counts = Counter(one.kind for one in done.changes)
    told = ", ".join(f"{counts[kind]} {kind}" for kind in ("added", "changed", "removed"))
    yield f"{done.old.title} → {done.new.title}: {told} ({done.level})"
    yield from (f"{part}: withheld by one of the two, so not compared" for part in done.withheld)


def evaluate(
    release: ReleaseFolder,
    model: Annotated[
        list[str], typer.Option(metavar="MODEL", help="PROVIDER/NAME, baseline/RULE or scripted/FILE; may be repeated.")
    ],
    condition: Annotated[list[str] | None, Condition] = None,
    repeats: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Times each item is asked.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Requests in flight.")] = 8,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the run; else below runs/.")] = None,
    trace: Annotated[Asked, typer.Option(help="What is asked for beside the answer.")] = "none",
    frames: Annotated[Pictures, Frames] = "1fps",
    media: Annotated[list[Path] | None, Media] = None,
    shots: Annotated[Path | None, Shots] = None,
    with_film: Annotated[bool, WithFilm] = False,
    as_json: AsJson = False,
) -> None:
    """Run models on a release, under each condition; goes on where an earlier run was stopped."""
    from ..project.evaluate import Evaluation, each, evaluate_all, nearest
    from ..project.sight import Looking

    how = Evaluation(
        "", "full", repeats, concurrency, out, trace, frames, "film" if with_film else "all",
        Looking(tuple(media or ()), shots),
    )  # fmt: skip
    runs = each(model, condition or ["full"], how)
    with resumable(), progress() as shown:
        done = evaluate_all(nearest(Path.cwd()), release, runs, progress=shown)
    emit(
        "evaluate", _evaluated(done), [f"{one.folder}: {_counts(one.result.statuses)}" for one in done], as_json=as_json
    )
    for line in dict.fromkeys(line for one in done for line in one.warnings):
        note(f"warning: {line}")
    if errors := sum(one.result.errors for one in done):
        raise StoppedError(f"replies that failed: {errors}; the same command asks for them again")


def _evaluated(done: "Sequence[Evaluated]") -> dict[str, Any]:
    """The first run's folder and the counts of all, then run by run."""
    runs = [
        {
            "run": str(one.folder),
            "model": one.result.info.model,
            "condition": one.result.info.condition,
            "responses": len(one.result.responses),
            "statuses": dict(sorted(one.result.statuses.items())),
        }
        for one in done
    ]
    statuses = sum((one.result.statuses for one in done), Counter[str]())
    total = {"run": str(done[0].folder), "responses": statuses.total(), "statuses": dict(sorted(statuses.items()))}
    return {**total, "runs": runs}


def _counts(statuses: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))


def score(
    release: ReleaseFolder,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN", help="Folders of runs, or above runs; logs of Inspect AI, lmms-eval.")
    ],
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report to this file as well.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure to this table as well.")] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Take this judge's word, where several are.")
    ] = None,
    reparse: Annotated[
        bool, typer.Option("--reparse", help="Read stored replies again; say which are read otherwise.")
    ] = False,
    works: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Titles by source id, JSON, to hold the recognition probe against."),
    ] = None,
    tables: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the tables of the four papers there, as CSV.")
    ] = None,
    people: Annotated[
        Path | None, typer.Option(metavar="DIR", help="What was imported of people; else human/RELEASE here.")
    ] = None,
    errata: Annotated[
        bool, typer.Option("--errata", help="Take runs on earlier versions too, where what was shown is the same.")
    ] = False,
    answers: Apart = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Score runs: accuracy with its interval, traps, positions of the key, statuses; and each run against each."""
    from ..project.papers import write as write_tables
    from ..project.releases import open_release
    from ..project.report import write
    from ..project.runs import folders
    from ..project.score import score as run
    from ..project.table import write_csv

    with progress() as shown:
        shown("scoring", 0, None)
        runs = folders(runs)
        opened = open_release(release, carries=errata, answers=answers, key=key)
        done = run(opened, runs, judge, reparse=reparse, works=works)
        if csv is not None:
            write_csv(done, csv)
        if html is not None:
            write(opened, runs, done, html, judge, reparse=reparse)
        made = (
            write_tables(opened, runs, done, tables, human_folder(release, people), judge, reparse=reparse)
            if tables
            else None
        )
    lines = [line for one in done.runs for line in _scored(one)] + list(_compared(done))
    emit("score", done.json(), lines, as_json=as_json)
    for name, path in made.missing.items() if made else ():
        note(f"no table {name}: it takes {path}")
    for name, file in (("report", html), ("table", csv), ("tables", tables)):
        if file is not None:
            note(f"{name}: {file}")


def _scored(run: "RunScore") -> Iterator[str]:
    yield f"{run.model}  {run.condition}  n {run.n}  accuracy {_figure(run.accuracy)}  chance {run.chance:.3f}"
    for heading, estimates in (("by capability", run.by_capability), ("by interaction", run.by_interaction)):
        yield f"  {heading}"
        yield from (f"    {name:26} {_figure(estimate)}" for name, estimate in estimates.items())
    for name, trap in run.traps.items():
        if trap.rate is not None and trap.expected is not None:
            yield f"  trap {name:23} {trap.rate:.3f} of {trap.wrong} wrong; by chance {trap.expected:.3f}"
    yield "  key at position   " + "  ".join(f"{place}: {count}" for place, count in run.positions.items())
    yield from told_by_judges(run.judged) if run.judged else ()
    yield "  statuses          " + "  ".join(f"{status}: {count}" for status, count in run.statuses.items())


def _compared(scores: "Scores") -> Iterator[str]:
    for one in scores.comparisons:
        ends = one.reason if one.low is None else f"[{one.low:+.3f}, {one.high:+.3f}]"
        tested = f"p {one.p:.4g}, by Holm {one.p_holm:.4g} ({one.method})"
        yield f"{one.first} − {one.second}  {one.value:+.3f} {ends}  {tested}"
    for drop in scores.drops:
        sides = f"perceiving {drop.perception:.3f}, reasoning {drop.reasoning:.3f}"
        yield f"{drop.run}  {sides}; p by Holm {drop.p_holm:.4g}"
    for own in scores.ablations:
        ends = own.reason if own.low is None else f"[{own.low:+.3f}, {own.high:+.3f}]"
        tested = f"n {own.n}, p by Holm {own.p_holm:.4g}"
        yield f"{own.model}  {own.condition} − {own.base}  {own.value:+.3f} {ends}  {tested}"
    yield from _probed(scores)
    yield from (f"{one.run}  {one.item}#{one.repeat}: {one.before} is now {one.after}" for one in scores.reread or ())
    yield from (f"{one.run}  {one.item}: void since {one.version}: {one.reason}" for one in scores.voided or ())
    if scores.voided is not None:
        yield f"not scored, since something else was shown: {len(scores.voided)} items"
    if scores.reread is not None:
        yield f"read otherwise than stored: {len(scores.reread)} replies"


def _probed(scores: "Scores") -> Iterator[str]:
    for one in scores.recognition:
        what = "right" if one.right_only else "named"
        sides = [f"{share:.3f}" if share is not None else "undefined" for share in (one.accuracy, one.other_accuracy)]
        counts = f"work {what} for {one.recognised} items of {one.recognised + one.others}"
        ends = one.reason if one.low is None else f"[{one.low:+.3f}, {one.high:+.3f}]"
        change = "" if one.value is None else f"; {one.value:+.3f} {ends}"
        yield f"{one.run}  {counts}: accuracy {sides[0]}, else {sides[1]}{change}"


def _figure(estimate: "Estimate") -> str:
    if estimate.value is None:
        return f"undefined ({estimate.reason})"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f} ({estimate.reason})"
    interval = f"[{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{estimate.value:.3f} {interval} ({estimate.method}, {estimate.n} {estimate.unit}s)"
