"""The tables of the four papers, from the stored replies and verdicts of runs: each that there is enough for.

One CSV a table, named by paper and table. A table needs its conditions, traces and judges; what is missing is said.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..evaluation.conditions import named
from ..evaluation.trace import rationale
from ..schemas.files import storing, write_whole
from ..schemas.human import HumanAnswer, HumanRating, HumanStep
from ..schemas.judge import Rubric
from ..schemas.score import RunScore
from ..scoring import table_caption, table_genome, table_psychemme, table_socialreason
from ..scoring.caption import Rated, by_video
from ..scoring.genome import GenomeFigures, compare
from ..scoring.human import Baseline
from ..scoring.judged import judged_replies
from ..scoring.mixed import Scored, contrasts
from ..scoring.table import Table
from ..scoring.versus import BASE
from .humans import credits_of, human_score, model_traces, people_traces
from .people import stored
from .releases import Release, open_release, outside
from .score import Scorable, Scores, answering, scorable

WITHIN, WITHOUT = BASE, "visual-only"
"""Social Caption's inference with transcript and without."""


class Tables(NamedTuple):
    written: dict[str, Table]
    """By file name, without its ending."""
    missing: dict[str, str]
    """What it would take, by paper."""


def write(
    release: Path | Release,
    runs: Sequence[Path],
    scores: Scores,
    out: Path,
    people: Path,
    judge: str | None = None,
    *,
    reparse: bool = False,
) -> Tables:
    """Write every table that there is enough for into `out`; `people` holds what was imported of people.

    Raises what `score` raises, and `UsageError` where the folder cannot be written.
    """
    opened = open_release(release)
    loaded = answering([scorable(opened, run, judge, reparse=reparse) for run in runs])
    found = Tables({}, {})
    for paper, made in (
        ("socialreason", _socialreason(opened, scores, _baseline(opened.folder, people))),
        ("psychemme", _psychemme(loaded)),
        ("caption", _caption(loaded, stored(people, HumanRating))),
        ("genome", _genome(loaded, stored(people, HumanStep))),
    ):
        for name, table in made:
            if isinstance(table, Table):
                found.written[f"{paper}-{name}"] = table
            else:
                found.missing[f"{paper}-{name}"] = table
    folder = outside(out)
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in found.written.items():
            write_whole(folder / f"{name}.csv", [table.csv().encode()])
    return found


Made = Iterator[tuple[str, Table | str]]
"""Each table by name, or what it would take."""


def _baseline(release: Path, people: Path) -> Baseline | None:
    return human_score(release, people, count_skipped=False).baseline if stored(people, HumanAnswer) else None


def _socialreason(release: Release, scores: Scores, humans: Baseline | None) -> Made:
    runs: Mapping[str, RunScore] = dict(zip(scores.names, scores.runs, strict=True))
    yield "accuracy", table_socialreason.accuracies(runs, humans)
    yield "traps", table_socialreason.traps(runs)
    yield "drops", table_socialreason.drops(scores.drops) if scores.drops else "items of both sets, and whole runs"
    rows = release.keys()
    capabilities = {item.id: item.capability for item in release.inputs()}
    yield "tiers", table_socialreason.tiers({row.id: row for row in rows}, capabilities)


def _psychemme(runs: Sequence[Scorable]) -> Made:
    rows = [row for run in runs for row in _judged(run)]
    if not any(row.condition == BASE for row in rows):
        yield "main", "runs under full with --trace rationale, judged for evidence and logic"
        return
    rows = _common(rows)
    yield "main", table_psychemme.main(rows)
    for metric, name in (("Raw", "raw"), ("Ver.", "verified")):
        yield name, table_psychemme.capabilities(rows, metric)
    under = _models_by_condition(rows)
    looked = [
        name for name, models in under.items() if models >= under[BASE] and "history" not in name and name != BASE
    ]
    yield "controls", table_psychemme.controls(rows, looked) if looked else "judged runs under other conditions"
    told = _with_histories(rows)
    yield "history", table_psychemme.history(told) if told else "judged runs of all histories"
    yield "votes", table_psychemme.votes(rows)
    formats = {row.item.id: row.item.format for run in runs for row in run.rows}
    yield "formats", table_psychemme.strata(rows, formats)


HISTORIES = (table_psychemme.MATCHED, table_psychemme.NONE, table_psychemme.MISMATCHED)


def _judged(run: Scorable) -> list[table_psychemme.Scored]:
    """The judged replies of a run that was asked once; none where a label is missing."""
    labels = run.found.lines
    if run.info.repeats > 1 or not {"evidence", "logic"} <= set(labels):
        return []
    said = {(one.item, one.repeat): rationale(one.reply) for one in run.responses}
    found = {row.item.id: judged_replies(row, labels, said) for row in run.rows}
    whole = {item: replies[0] for item, replies in found.items() if replies}
    return table_psychemme.scored(run.info, [row for row in run.rows if row.item.id in whole], whole)


def _with_histories(rows: Sequence[table_psychemme.Scored]) -> list[table_psychemme.Scored]:
    """Of the models that were run with the right history, with none and with others'."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        kinds[row.model].add(row.condition.partition("#")[0])
    return [row for row in rows if set(HISTORIES) <= kinds[row.model]]


def _models_by_condition(rows: Sequence[table_psychemme.Scored]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        found[row.condition].add(row.model)
    return found


def _common(rows: Sequence[table_psychemme.Scored]) -> list[table_psychemme.Scored]:
    """Only the items that every run has, since figures are paired."""
    runs: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        runs[row.model, row.condition].add(row.item)
    shared = set.intersection(*runs.values())
    return [row for row in rows if row.item in shared]


def _caption(runs: Sequence[Scorable], people: Sequence[HumanRating]) -> Made:
    without, within = (_credits(runs, condition) for condition in (WITHOUT, WITHIN))
    rated = {rubric: _rated(runs, rubric, people) for rubric in RUBRICS}
    yield "main", table_caption.main(without, within, rated["hsa"], rated["dsa"])
    for rubric in RUBRICS:
        ratings = {(model, rater): own for (model, rater), own in rated[rubric].items() if own}
        both = {
            rater: [one for (_, who), own in ratings.items() if who == rater for one in own] for _, rater in ratings
        }
        yield (
            f"agreement-{rubric}",
            (
                table_caption.agreement(both, rubric.upper())
                if "H" in both and len(both) > 1
                else f"a judge of {rubric} and imported ratings of people"
            ),
        )
        yield f"mixed-{rubric}", _mixed(ratings)


RUBRICS: tuple[Rubric, ...] = ("hsa", "dsa")


def _credits(runs: Sequence[Scorable], condition: str) -> dict[str, list[list[float]]]:
    """By model: the credits of each time it was asked, over the items that have one each time."""
    found: dict[str, list[list[float]]] = {}
    for run in runs:
        if run.info.condition == condition and run.info.trace == "none":
            own = [
                [credit for credit in row.credits if credit is not None] for row in run.rows if row.credit is not None
            ]
            found[run.info.model] = [list(same) for same in zip(*own, strict=True)]
    return found


def _rated(
    runs: Sequence[Scorable], rubric: Rubric, people: Sequence[HumanRating]
) -> dict[tuple[str, str], list[Rated]]:
    """Ratings of each model's descriptions: the judge's, and people's as `H`."""
    found: dict[tuple[str, str], list[Rated]] = {}
    for run in runs:
        if rubric not in run.found.lines:
            continue
        model, judge = run.info.model, run.found.judges[rubric]
        found[model, judge] = [
            Rated(f"{model} {item}#{repeat}", judge, line.ratings)
            for (item, repeat), line in sorted(run.found.lines[rubric].items())
        ]
        replies = {(one.item, one.repeat) for one in run.responses}
        found[model, "H"] = [
            Rated(f"{model} {one.item}#{one.repeat}", one.person, one.ratings)
            for one in people
            if one.rubric == rubric and one.run == run.folder.name and (one.item, one.repeat) in replies
        ]
    return found


def _mixed(rated: Mapping[tuple[str, str], Sequence[Rated]]) -> Table | str:
    """Contrasts of models, the video as random intercept, by who rated."""
    lines: list[tuple[str | float | None, ...]] = []
    why = "two rated models on the same clips"
    for rater in sorted({rater for _, rater in rated}):
        rows = [
            Scored(video.partition(" ")[2], model, score)
            for (model, who), own in rated.items()
            if who == rater
            for video, score in by_video(own).items()
        ]
        found, reason = contrasts(rows)
        why = reason or why
        lines += [(rater, *one) for one in found]
    columns = ("Rater", "First", "Second", "Estimate", "Error", "p", "p (Holm)")
    return Table("Mixed effects", columns, tuple(lines)) if lines else why


def _genome(runs: Sequence[Scorable], steps: Sequence[HumanStep]) -> Made:
    people = people_traces(steps)
    traced = [run for run in runs if run.info.trace == "steps"]
    if not people or not traced:
        yield "accuracy", "runs with --trace steps, and imported traces of people"
        return
    compared: dict[tuple[str, int], list[GenomeFigures]] = {}
    for run in traced:
        condition = named(run.info.condition)
        if condition.look == named(BASE).look and condition.history == "matched":
            traces, credits = model_traces(run), credits_of(run)
            compared[run.info.model, condition.shots] = [
                compare(traces[reply], human, credits[reply])
                for reply in sorted(traces)
                for human in people.get(reply[0], ())
                if reply in credits
            ]
    yield "accuracy", table_genome.accuracies(compared)
    yield "similarity", table_genome.similarities(compared)
    yield "evidence", table_genome.steps(compared)
