"""Scores as one flat table: a figure a line, for spreadsheets and plots."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from ..schemas.score import Estimate, JudgedScore, RationaleScore, RunScore
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
    for own in scores.ablations:
        shared = {"run": own.model, "condition": own.condition, "figure": "ablation", "group": own.base, "n": own.n}
        ends = {"value": own.value, "low": own.low, "high": own.high, "p": own.p, "p_holm": own.p_holm}
        yield {**shared, **ends, "method": own.method, "unit": "item", "reason": own.reason}
    for split in scores.recognition:
        halves = (("recognised", split.recognised, split.accuracy), ("others", split.others, split.other_accuracy))
        for group, n, value in halves:
            yield {"run": split.run, "figure": "accuracy by recognition", "group": group, "value": value, "n": n}
        ends = {"value": split.value, "low": split.low, "high": split.high, "n": split.recognised + split.others}
        yield {"run": split.run, "figure": "difference by recognition", **ends, "reason": split.reason}


def _of_run(run: RunScore) -> Iterator[Line]:
    yield {"figure": "accuracy", **_estimate(run.accuracy)}
    if run.by_story is not None:
        yield {"figure": "accuracy by story", **_estimate(run.by_story)}
    if run.macro_estimate is not None:
        yield {"figure": "macro", **_estimate(run.macro_estimate)}
    yield {"figure": "chance", "value": run.chance, "n": run.n}
    for kind, estimates, chances in (
        ("capability", run.by_capability, run.chance_by_capability),
        ("interaction", run.by_interaction, run.chance_by_interaction),
    ):
        for group, estimate in estimates.items():
            yield {"figure": kind, "group": group, **_estimate(estimate)}
            yield {"figure": f"chance by {kind}", "group": group, "value": chances[group]}
    for name, trap in run.traps.items():
        yield {"figure": "trap fall rate", "group": name, "value": trap.rate, "n": trap.wrong}
        yield {"figure": "trap fall rate expected", "group": name, "value": trap.expected, "n": trap.wrong}
        ratio = {"value": trap.ratio, "low": trap.ratio_low, "high": trap.ratio_high, "reason": trap.ratio_reason}
        yield {"figure": "trap ratio", "group": name, **ratio}
    for figure, counts in (("status", run.statuses), ("key at position", run.positions)):
        yield from ({"figure": figure, "group": group, "value": count} for group, count in counts.items())
    yield from _judged(run.judged) if run.judged else ()


def _judged(own: JudgedScore) -> Iterator[Line]:
    if own.open is not None:
        counts = own.open.model_dump(exclude={"mean"})
        yield from ({"figure": "open credit", "group": name, "value": count} for name, count in counts.items())
    if own.rationale is not None:
        yield from _rationale(own.rationale)
    for figure, rated in (("HSA", own.hsa), ("DSA", own.dsa)):
        if rated is not None:
            yield {"figure": figure, "value": rated.total, "n": rated.n, "unit": "clip"}
            yield from ({"figure": figure, "group": name, "value": mean} for name, mean in rated.items.items())
    if own.modality is not None:
        tags = own.modality.tags | {"untagged": own.modality.untagged}
        yield from ({"figure": "steps", "group": tag, "value": count} for tag, count in tags.items())


def _rationale(own: RationaleScore) -> Iterator[Line]:
    yield {"figure": "verified", **_estimate(own.verified)}
    yield {"figure": "verified macro", "value": own.macro_verified}
    ends = {"low": own.retention_low, "high": own.retention_high, "method": own.verified.method}
    yield {"figure": "credit retention", "value": own.retention, **ends}
    shares = (("verified", own.by_capability), ("credit lost to", own.losses), ("verified macro", own.alternatives))
    for figure, groups in shares:
        yield from ({"figure": figure, "group": name, "value": share} for name, share in groups.items())
    for figure, counts in (("evidence", own.evidence), ("logic", own.logic), ("adverse", own.adverse)):
        yield from ({"figure": figure, "group": name, "value": count} for name, count in counts.items())


def _estimate(own: Estimate) -> Line:
    return own.model_dump(include={"value", "low", "high", "method", "unit", "n", "reason"})
