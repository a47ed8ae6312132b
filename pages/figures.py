"""The figures of a report that each run has for itself."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil

from markupsafe import Markup

from ..schemas.response import Response
from ..schemas.score import Estimate, RuleScore, RunScore
from .charts import Chart, Mark, Row, draw
from .render import Cell, share, span, words
from .table import Column, Data, Figure, count, interval, named, percent, ratio, text

Runs = Mapping[str, RunScore]
"""By the name that each run goes by."""


def _method(row: Data) -> str:
    return f"{row['method']}, {row['units']} {row['unit']}s"


ESTIMATE = ("value", "low", "high", "method", "unit", "units", "note")
SHOWN_ESTIMATE = (
    percent("value", "accuracy"),
    interval("low", "high", "95 % interval"),
    Column("method", _method, False),
)


def accuracy(runs: Runs) -> Figure:
    """Accuracy over all items of each run."""
    chance = _first(runs).chance
    rows = tuple(Row(name, (mark(0, run.accuracy),)) for name, run in runs.items())
    chart = Chart(rows, ("accuracy",), line=chance, line_name=f"chance, {share(chance)}")
    fields = ("run", "model", "condition", "items", *ESTIMATE, "chance", "wilson_low", "wilson_high")
    columns = (
        text("run"),
        text("condition"),
        count("items"),
        *SHOWN_ESTIMATE,
        percent("chance"),
        interval("wilson_low", "wilson_high", "Wilson (paper style)"),
        text("note"),
    )
    return Figure("accuracy", draw(chart), fields, tuple((name, *_overall(run)) for name, run in runs.items()), columns)


def _overall(run: RunScore) -> tuple[Cell, ...]:
    paper = run.accuracy.paper_style
    bounds = f"incomplete: between {span(run.bounds.low, run.bounds.high)}" if run.bounds else ""
    estimate = list(_cells(run.accuracy))
    estimate[-1] = "; ".join(filter(None, [str(estimate[-1] or ""), bounds]))
    ends = (paper.low, paper.high) if paper else (None, None)
    return (run.model, run.condition, run.n, *estimate, run.chance, *ends)


def macro(runs: Runs) -> Figure:
    """The mean over capabilities, each of which counts alike; chance is that of the same mean."""
    own = _first(runs).chance_by_capability.values()
    chance = sum(own) / len(own)
    found = {name: run.macro_estimate for name, run in runs.items() if run.macro_estimate}
    rows = tuple(Row(name, (mark(0, estimate),)) for name, estimate in found.items())
    chart = Chart(rows, ("macro",), line=chance, line_name=f"chance, {share(chance)}")
    table = tuple((name, *_cells(estimate), chance) for name, estimate in found.items())
    columns = (text("run"), *SHOWN_ESTIMATE, percent("chance"), text("note"))
    return Figure("macro", draw(chart), ("run", *ESTIMATE, "chance"), table, columns)


def by_story(runs: Runs) -> Figure | None:
    """Accuracy once more, with whole stories drawn; none where all items are of one story."""
    found = {name: run.by_story for name, run in runs.items() if run.by_story and run.by_story.n > 1}
    if not found:
        return None
    rows = tuple(Row(name, (mark(0, estimate),)) for name, estimate in found.items())
    chance = _first(runs).chance
    chart = Chart(rows, ("accuracy",), line=chance, line_name=f"chance, {share(chance)}")
    table = tuple((name, *_cells(estimate)) for name, estimate in found.items())
    return Figure("stories", draw(chart), ("run", *ESTIMATE), table, (text("run"), *SHOWN_ESTIMATE, text("note")))


def groups(kind: str, runs: Runs) -> Figure:
    """Accuracy by `capability` or `interaction`, each against its own chance."""
    chances: Mapping[str, float] = getattr(_first(runs), f"chance_by_{kind}")
    found: list[Mapping[str, Estimate]] = [getattr(run, f"by_{kind}") for run in runs.values()]
    every = sorted({name for own in found for name in own})
    rows = tuple(
        Row(words(name), tuple(mark(at, own[name]) for at, own in enumerate(found) if name in own), chances[name])
        for name in every
    )
    chart = Chart(rows, tuple(runs), line_name=_chances_told(chances))
    table = tuple(
        (run, name, *_cells(own[name]), chances[name]) for name in every for run, own in zip(runs, found, strict=True)
    )
    fields = ("run", kind, *ESTIMATE, "chance")
    columns = (named(kind), text("run"), *SHOWN_ESTIMATE, percent("chance"), text("note"))
    return Figure(kind, draw(chart), fields, table, columns)


def _chances_told(chances: Mapping[str, float]) -> str:
    """One figure where all groups have the same."""
    shown = sorted({share(chance) for chance in chances.values()})
    return f"chance, {shown[0]}" if len(shown) == 1 else "chance of each group"


def _first(runs: Runs) -> RunScore:
    """All runs are of one release, so what follows from its items is the same in each."""
    return next(iter(runs.values()))


def traps(runs: Runs) -> Figure:
    """Trap Fall Rate against what erring blindly would show."""
    every = sorted({name for run in runs.values() for name in run.traps})
    rows = tuple(Row(words(trap), tuple(_fallen(runs, trap))) for trap in every)
    top = max([one.value or 0.0 for row in rows for one in row.marks] + [0.5])
    chart = Chart(
        rows, tuple(runs), top=1.0 if top > 0.5 else 0.5, tone="bar", tick_name="expected of blind errors"
    )  # fmt: skip
    table = tuple((name, trap, *_trap_cells(run, trap)) for trap in every for name, run in runs.items())
    fields = (
        "run",
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
        text("run"),
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


def _fallen(runs: Runs, trap: str) -> Iterator[Mark]:
    for at, run in enumerate(runs.values()):
        if own := run.traps.get(trap):
            told = f"{share(own.rate)} of {own.wrong} wrong, expected {share(own.expected)}"
            yield Mark(at, own.rate, told=told, expected=own.expected)


def _trap_cells(run: RunScore, trap: str) -> tuple[Cell, ...]:
    own = run.traps.get(trap)
    if own is None:
        return (None,) * 8 + ("no option of this run has the trap",)
    ratio = (own.ratio, own.ratio_low, own.ratio_high)
    return (own.rate, own.expected, own.rate_of_parsed, *ratio, own.chosen, own.wrong, own.ratio_reason)


def positions(runs: Runs) -> Figure:
    """Where the key stood; runs with one permutation seed share their positions and are drawn once."""
    first = _first(runs)
    shared = all(run.positions == first.positions for run in runs.values())
    drawn, series = ([first], ("every run",)) if shared else (list(runs.values()), tuple(runs))
    places = max((list(run.positions) for run in drawn), key=len)
    rows = tuple(
        Row(f"position {place}", tuple(_keys(at, run, place) for at, run in enumerate(drawn))) for place in places
    )
    top = float(max([2, *(ceil(max(one.value or 0, 2 * (one.expected or 0))) for row in rows for one in row.marks)]))
    chart = Chart(rows, series, top=top, tick_name="an even spread", tone="bar", unit="count")
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


def statuses(runs: Runs) -> Figure:
    """How replies could be read."""
    counts = [run.statuses for run in runs.values()]
    every = sorted({status for own in counts for status in own}, key=lambda name: (name != "answered", name))
    total = max(sum(own.values()) for own in counts)
    rows = tuple(
        Row(words(status), tuple(Mark(at, float(own.get(status, 0))) for at, own in enumerate(counts)))
        for status in every
    )
    chart = Chart(rows, tuple(runs), top=float(total), tone="bar", unit="count")
    table = tuple((name, status, run.statuses.get(status, 0)) for name, run in runs.items() for status in every)
    columns = (named("status"), text("run"), count("replies"))
    return Figure("statuses", draw(chart), ("run", "status", "replies"), table, columns)


def readings(replies: Mapping[str, Iterable[Response]]) -> Figure:
    """Which rule of the parser read each run's replies, and as what; a table alone."""
    counts = Counter((name, reply.status, reply.rule) for name, own in replies.items() for reply in own)
    order = list(replies)
    table = sorted(
        ((name, status, rule, number) for (name, status, rule), number in counts.items()),
        key=lambda row: (row[1] != "answered", row[1], row[2], order.index(row[0])),
    )
    columns = (named("status"), named("rule"), text("run"), count("replies"))
    return Figure("readings", Markup(""), ("run", "status", "rule", "replies"), tuple(table), columns)


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
    chart = Chart(rows, ("attempts",), top=float(max(counts.values())), tone="bar", unit="count")
    columns = (named("outcome"), count("attempts"))
    return Figure("yields", draw(chart), ("outcome", "attempts"), tuple(ordered), columns)


def mark(series: int, estimate: Estimate) -> Mark:
    """An estimate with its interval, in words as well."""
    told = f"{share(estimate.value)}, 95 % interval {span(estimate.low, estimate.high)}"
    return Mark(series, estimate.value, estimate.low, estimate.high, told)


def _cells(estimate: Estimate) -> tuple[Cell, ...]:
    ends = (estimate.value, estimate.low, estimate.high)
    return (*ends, estimate.method, estimate.unit, estimate.n, estimate.reason)
