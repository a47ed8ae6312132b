"""Scores as one flat table: a figure a line, for spreadsheets and plots."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from ..schemas.score import Estimate, RunScore
from .report import write_page
from .score import Scores

COLUMNS = (
    "run", "condition", "figure", "group", "value", "low", "high", "method", "unit", "n", "p", "p_holm", "reason",
)  # fmt: skip
Line = dict[str, object]


def write_csv(scores: Scores, out: Path) -> None:
    """Write the table, UTF-8; what is undefined is empty, with a reason. Raises `UsageError` where it cannot."""
    write_page(out, csv_text(scores))


def csv_text(scores: Scores) -> str:
    """The table with its header, in the order of the runs."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_lines(scores))
    return text.getvalue()


def _lines(scores: Scores) -> Iterator[Line]:
    for name, run in zip(scores.names, scores.runs, strict=True):
        for line in _of_run(run):
            yield {"run": name, "condition": run.condition, **line}
    for one in scores.comparisons:
        shared = {"run": one.first, "group": one.second, "n": one.n, "p": one.p, "p_holm": one.p_holm}
        method = {"method": one.method, "unit": "item", "reason": one.reason}
        yield {**shared, "figure": "difference", "value": one.value, "low": one.low, "high": one.high, **method}
        macro = {"value": one.macro, "low": one.macro_low, "high": one.macro_high}
        yield {**shared, "figure": "macro difference", **macro, **method}
    for drop in scores.drops:
        ends = {"value": drop.value, "low": drop.low, "high": drop.high, "p": drop.p, "p_holm": drop.p_holm}
        yield {"run": drop.run, "figure": "drop to reasoning", **ends, "method": "Fisher", "reason": drop.reason}


def _of_run(run: RunScore) -> Iterator[Line]:
    yield {"figure": "accuracy", **_estimate(run.accuracy)}
    if run.by_story is not None:
        yield {"figure": "accuracy by story", **_estimate(run.by_story)}
    if run.macro_estimate is not None:
        yield {"figure": "macro", **_estimate(run.macro_estimate)}
    yield {"figure": "chance", "value": run.chance, "n": run.n}
    for kind, estimates in (("capability", run.by_capability), ("interaction", run.by_interaction)):
        for group, estimate in estimates.items():
            yield {"figure": kind, "group": group, **_estimate(estimate)}
    for name, trap in run.traps.items():
        yield {"figure": "trap fall rate", "group": name, "value": trap.rate, "n": trap.wrong}
        yield {"figure": "trap fall rate expected", "group": name, "value": trap.expected, "n": trap.wrong}
        ratio = {"value": trap.ratio, "low": trap.ratio_low, "high": trap.ratio_high, "reason": trap.ratio_reason}
        yield {"figure": "trap ratio", "group": name, **ratio}
    for figure, counts in (("status", run.statuses), ("key at position", run.positions)):
        yield from ({"figure": figure, "group": group, "value": count} for group, count in counts.items())


def _estimate(own: Estimate) -> Line:
    return own.model_dump(include={"value", "low", "high", "method", "unit", "n", "reason"})
