"""The figures of a report: each a chart, the table behind it, and the same table unrounded as CSV."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from markupsafe import Markup

from ..schemas.score import Estimate, RuleScore, RunScore
from .charts import Chart, Mark, Row, draw
from .render import Cell, csv_link, share, span, words

Data = Mapping[str, Cell]


class Column(NamedTuple):
    """A column of the table that is shown, made of one or more fields of the data."""

    name: str
    shown: Callable[[Data], str]
    numeric: bool = True


class Figure(NamedTuple):
    """`rows` hold unrounded values under `fields`; the table shows what a reader needs of them."""

    name: str
    chart: Markup
    fields: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[Column, ...]

    @property
    def csv(self) -> str:
        return csv_link(self.fields, self.rows)

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns in which some row has something to say."""
        data = [dict(zip(self.fields, row, strict=True)) for row in self.rows]
        return tuple(column for column in self.columns if any(column.shown(row) for row in data))

    @property
    def body(self) -> list[list[tuple[str, bool]]]:
        """Each row's cells as text, and whether each is a number."""
        data = [dict(zip(self.fields, row, strict=True)) for row in self.rows]
        return [[(column.shown(row), column.numeric) for column in self.shown] for row in data]


def text(field: str) -> Column:
    """A column of words; nothing where there is none."""
    return Column(field, lambda row: str(row[field] or ""), numeric=False)


def named(field: str) -> Column:
    """A column of identifiers, as a person reads them."""
    return Column(field, lambda row: words(str(row[field])), numeric=False)


def count(field: str, name: str = "") -> Column:
    return Column(name or field, lambda row: "–" if row[field] is None else f"{row[field]:g}")


def percent(field: str, name: str = "") -> Column:
    return Column(name or field, lambda row: share(_number(row[field])))


def interval(low: str, high: str, name: str) -> Column:
    return Column(name, lambda row: span(_number(row[low]), _number(row[high])))


def ratio(field: str) -> Column:
    return Column(field, lambda row: "–" if row[field] is None else f"{row[field]:.2f}")


def _number(cell: Cell) -> float | None:
    return None if cell is None or isinstance(cell, str) else float(cell)


def _method(row: Data) -> str:
    return f"{row['method']}, {row['units']} {row['unit']}s"


ESTIMATE = ("value", "low", "high", "method", "unit", "units", "note")
SHOWN_ESTIMATE = (
    percent("value", "accuracy"),
    interval("low", "high", "95 % interval"),
    Column("method", _method, False),
)


def names(runs: Sequence[RunScore]) -> tuple[str, ...]:
    """What each run is called: its model, and its condition where they differ or a model stands twice."""
    models = [run.model for run in runs]
    plain = len({run.condition for run in runs}) == 1 and len(set(models)) == len(models)
    return tuple(run.model if plain else f"{run.model}, {run.condition}" for run in runs)


def accuracy(runs: Sequence[RunScore]) -> Figure:
    """Accuracy over all items of each run."""
    rows = tuple(Row(name, (_mark(0, run.accuracy),)) for name, run in zip(names(runs), runs, strict=True))
    chart = Chart(rows, ("accuracy",), line=runs[0].chance, line_name=f"chance, {share(runs[0].chance)}")
    fields = ("model", "condition", "items", *ESTIMATE, "macro", "chance", "wilson_low", "wilson_high")
    columns = (
        text("model"),
        text("condition"),
        count("items"),
        *SHOWN_ESTIMATE,
        percent("macro"),
        percent("chance"),
        interval("wilson_low", "wilson_high", "Wilson (paper style)"),
        text("note"),
    )
    return Figure("accuracy", draw(chart), fields, tuple(_overall(run) for run in runs), columns)


def _overall(run: RunScore) -> tuple[Cell, ...]:
    paper = run.accuracy.paper_style
    bounds = f"incomplete: between {span(run.bounds.low, run.bounds.high)}" if run.bounds else ""
    estimate = list(_cells(run.accuracy))
    estimate[-1] = "; ".join(filter(None, [str(estimate[-1] or ""), bounds]))
    ends = (paper.low, paper.high) if paper else (None, None)
    return (run.model, run.condition, run.n, *estimate, run.macro, run.chance, *ends)


def groups(kind: str, runs: Sequence[RunScore]) -> Figure:
    """Accuracy by `capability` or `interaction`."""
    found: list[Mapping[str, Estimate]] = [getattr(run, f"by_{kind}") for run in runs]
    every = sorted({name for own in found for name in own})
    rows = tuple(
        Row(words(name), tuple(_mark(at, own[name]) for at, own in enumerate(found) if name in own)) for name in every
    )
    chart = Chart(rows, names(runs), line=runs[0].chance, line_name=f"chance, {share(runs[0].chance)}")
    table = tuple(
        (run, name, *_cells(own[name])) for name in every for run, own in zip(names(runs), found, strict=True)
    )
    fields, columns = ("model", kind, *ESTIMATE), (named(kind), text("model"), *SHOWN_ESTIMATE, text("note"))
    return Figure(kind, draw(chart), fields, table, columns)


def traps(runs: Sequence[RunScore]) -> Figure:
    """Trap Fall Rate against what erring blindly would show."""
    every = sorted({name for run in runs for name in run.traps})
    rows = tuple(Row(words(trap), tuple(_fallen(runs, trap))) for trap in every)
    top = max([mark.value or 0.0 for row in rows for mark in row.marks] + [0.5])
    chart = Chart(
        rows, names(runs), top=1.0 if top > 0.5 else 0.5, tone="bar", tick_name="expected of blind errors"
    )  # fmt: skip
    table = tuple(
        (name, trap, *_trap_cells(run, trap)) for trap in every for name, run in zip(names(runs), runs, strict=True)
    )
    fields = (
        "model",
        "trap",
        "rate",
        "expected",
        "rate_of_readable",
        "ratio",
        "ratio_low",
        "ratio_high",
        "chosen",
        "wrong",
    )
    columns = (
        named("trap"),
        text("model"),
        percent("rate"),
        percent("expected"),
        percent("rate_of_readable", "rate of readable"),
        ratio("ratio"),
        Column("95 % interval", _ratio_span),
        count("chosen"),
        count("wrong", "of wrong"),
        text("note"),
    )
    return Figure("traps", draw(chart), (*fields, "note"), table, columns)


def _ratio_span(row: Data) -> str:
    low, high = row["ratio_low"], row["ratio_high"]
    return "–" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _fallen(runs: Sequence[RunScore], trap: str) -> Iterator[Mark]:
    for at, run in enumerate(runs):
        if own := run.traps.get(trap):
            told = f"{share(own.rate)} of {own.wrong} wrong, expected {share(own.expected)}"
            yield Mark(at, own.rate, told=told, expected=own.expected)


def _trap_cells(run: RunScore, trap: str) -> tuple[Cell, ...]:
    own = run.traps.get(trap)
    if own is None:
        return (None,) * 8 + ("no option of this run has the trap",)
    ratio = (own.ratio, own.ratio_low, own.ratio_high)
    return (own.rate, own.expected, own.rate_of_parsed, *ratio, own.chosen, own.wrong, own.ratio_reason)


def positions(runs: Sequence[RunScore]) -> Figure:
    """Where the key stood; runs with one permutation seed share their positions and are drawn once."""
    shared = all(run.positions == runs[0].positions for run in runs)
    drawn = runs[:1] if shared else runs
    series = ("every run",) if shared else names(runs)
    places = max((list(run.positions) for run in drawn), key=len)
    rows = tuple(
        Row(f"position {place}", tuple(_keys(at, run, place) for at, run in enumerate(drawn))) for place in places
    )
    top = float(max([2, *(ceil(max(mark.value or 0, 2 * (mark.expected or 0))) for row in rows for mark in row.marks)]))
    chart = Chart(rows, series, top=top, tick_name="an even spread", tone="bar", percent=False)
    table = tuple(
        (name, int(place), run.positions.get(place, 0), run.positions_expected.get(place))
        for name, run in zip(series, drawn, strict=True)
        for place in places
    )
    columns = (text("run"), count("position"), count("keys"), ratio("expected"))
    return Figure("positions", draw(chart), ("run", "position", "keys", "expected"), table, columns)


def _keys(at: int, run: RunScore, place: str) -> Mark:
    keys, expected = run.positions.get(place, 0), run.positions_expected.get(place, 0.0)
    return Mark(at, float(keys), told=f"{keys}, {expected:.1f} expected", expected=expected)


def statuses(runs: Sequence[RunScore]) -> Figure:
    """How replies could be read."""
    every = sorted({status for run in runs for status in run.statuses}, key=lambda name: (name != "answered", name))
    total = max(sum(run.statuses.values()) for run in runs)
    rows = tuple(
        Row(words(status), tuple(Mark(at, float(run.statuses.get(status, 0))) for at, run in enumerate(runs)))
        for status in every
    )
    chart = Chart(rows, names(runs), top=float(total), tone="bar", percent=False)
    table = tuple((name, status, run.statuses.get(status, 0)) for name, run in zip(names(runs), runs, strict=True)
                  for status in every)  # fmt: skip
    columns = (named("status"), text("model"), count("replies"))
    return Figure("statuses", draw(chart), ("model", "status", "replies"), table, columns)


def rules(scores: Sequence[RuleScore]) -> Figure:
    """Each shortcut rule, with its upper bound, against chance and ten points."""
    rows = tuple(
        Row(words(rule.rule), (Mark(0, rule.accuracy, rule.accuracy, rule.bound, f"{share(rule.accuracy)}, "
            f"bound {share(rule.bound)}: {rule.verdict}"),)) for rule in scores
    )  # fmt: skip
    limit = scores[0].limit
    chart = Chart(rows, ("rule",), line=limit, line_name=f"chance and 10 points, {share(limit)}")
    table = tuple(
        (r.rule, r.n, r.episodes, r.correct, r.accuracy, r.bound, r.chance, r.limit, r.verdict, r.reason)
        for r in scores
    )
    fields = ("rule", "items", "episodes", "right", "accuracy", "bound", "chance", "limit", "verdict", "note")
    columns = (
        text("rule"),
        Column("right", lambda row: f"{row['right']} of {row['items']}"),
        percent("accuracy"),
        percent("bound", "upper bound"),
        percent("limit"),
        text("verdict"),
    )
    return Figure("rules", draw(chart), fields, table, columns)


def yields(counts: Mapping[str, int]) -> Figure:
    """What became of the attempts at an item."""
    ordered = sorted(counts.items(), key=lambda pair: (pair[0] != "accepted", -pair[1], pair[0]))
    rows = tuple(Row(words(name), (Mark(0, float(count)),)) for name, count in ordered)
    chart = Chart(rows, ("attempts",), top=float(max(counts.values())), tone="bar", percent=False)
    columns = (named("outcome"), count("attempts"))
    return Figure("yields", draw(chart), ("outcome", "attempts"), tuple(ordered), columns)


def _mark(series: int, estimate: Estimate) -> Mark:
    told = f"{share(estimate.value)}, 95 % interval {span(estimate.low, estimate.high)}"
    return Mark(series, estimate.value, estimate.low, estimate.high, told)


def _cells(estimate: Estimate) -> tuple[Cell, ...]:
    ends = (estimate.value, estimate.low, estimate.high)
    return (*ends, estimate.method, estimate.unit, estimate.n, estimate.reason)
