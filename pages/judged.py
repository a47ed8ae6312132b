"""The figures of a report that judges of rationales make: what verification leaves of the credit, and where it goes."""

from types import MappingProxyType

from ..schemas.score import RationaleScore
from .charts import Chart, Mark, Row, draw
from .figures import Runs, mark
from .render import Cell
from .table import Column, Figure, interval, named, percent, text

Rationales = dict[str, RationaleScore]
STAGES = MappingProxyType(
    {
        "answer": "lost: wrong answer",
        "coverage": "lost: no rationale",
        "evidence": "lost: evidence",
        "logic": "lost: logic",
        "kept": "kept",
    }
)
"""In the order in which credit can be lost."""


def rationales(runs: Runs) -> Rationales:
    """The runs whose rationales were judged, by name."""
    judged = {name: run.judged.rationale for name, run in runs.items() if run.judged}
    return {name: own for name, own in judged.items() if own}


def verified(found: Rationales) -> Figure:
    """Credit of the answers, and what is left of it."""
    rows = tuple(Row(name, (mark(0, own.raw), mark(1, own.verified))) for name, own in found.items())
    fields = ("run", *_ends("raw"), *_ends("verified"), *_ends("retention"), "macro_verified", "covered")
    table = tuple((name, *_cells(own)) for name, own in found.items())
    columns: tuple[Column, ...] = (
        text("run"),
        percent("raw", "answers"),
        percent("verified"),
        interval("verified_low", "verified_high", "95 % interval"),
        percent("retention", "retained"),
        interval("retention_low", "retention_high", "its interval"),
        percent("macro_verified", "macro"),
        percent("covered", "covered"),
    )
    return Figure("verified", draw(Chart(rows, ("answers", "verified"))), fields, table, columns)


def losses(found: Rationales) -> Figure:
    """Where the credit goes, stage by stage: the shares of a run add up to one."""
    rows = tuple(
        Row(told, tuple(Mark(at, own.losses.get(stage)) for at, own in enumerate(found.values())))
        for stage, told in STAGES.items()
    )
    table = tuple((name, stage, own.losses.get(stage)) for stage in STAGES for name, own in found.items())
    columns = (named("stage"), text("run"), percent("share"))
    return Figure("losses", draw(Chart(rows, tuple(found), tone="bar")), ("run", "stage", "share"), table, columns)


def _ends(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"


def _cells(own: RationaleScore) -> tuple[Cell, ...]:
    raw, left = own.raw, own.verified
    kept = (own.retention, own.retention_low, own.retention_high)
    return (raw.value, raw.low, raw.high, left.value, left.low, left.high, *kept, own.macro_verified, own.coverage)
