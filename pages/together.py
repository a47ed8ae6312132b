"""The figures of a report that several runs make together: each against each, by capability, by condition."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ..schemas.base import Record
from ..schemas.score import Ablation, CapabilityDrop, Comparison, Recognition
from .charts import Chart, Mark, Row, draw
from .figures import Runs
from .render import Cell, points, share, words
from .table import Column, Data, Figure, count, named, number, percent, text

MOST_PAIRS = 20
"""As many are drawn; the table has all."""
FEWEST_IN_A_MAP = 3
SHADES = 10


def comparisons(found: Sequence[Comparison]) -> Figure:
    """Differences of accuracy, the surest first."""
    ordered = sorted(found, key=lambda one: (1.0 if one.p_holm is None else one.p_holm, -abs(one.value)))
    rows = tuple(
        Row(f"{one.first} − {one.second}", (_difference(one.value, one.low, one.high, one.p_holm),))
        for one in ordered[:MOST_PAIRS]
    )
    columns = (
        text("first"),
        text("second"),
        count("n", "items"),
        difference("value", "difference"),
        _between("low", "high", "95 % interval"),
        difference("macro", "macro difference"),
        _between("macro_low", "macro_high", "its interval"),
        probability("p_holm", "p (Holm)"),
        text("method"),
        text("reason", "note"),
    )
    return Figure("comparisons", draw(_differences(rows)), COMPARED, _cells(COMPARED, ordered), columns)


COMPARED = tuple(Comparison.model_fields)


def drops(found: Sequence[CapabilityDrop]) -> Figure:
    """Accuracy where something is perceived, beside that where it is reasoned about."""
    rows = tuple(Row(one.run, (Mark(0, one.perception), Mark(1, one.reasoning))) for one in found)
    columns = (
        text("run"),
        percent("perception", "perceiving"),
        percent("reasoning"),
        difference("value", "drop"),
        _between("low", "high", "95 % interval"),
        probability("p_holm", "p (Holm)"),
        text("reason", "note"),
    )
    fields = tuple(CapabilityDrop.model_fields)
    return Figure("drops", draw(Chart(rows, ("perceiving", "reasoning"))), fields, _cells(fields, found), columns)


def ablations(found: Sequence[Ablation]) -> Figure:
    """A model under each of its conditions; the tick is the condition that it is held against, on the same items."""
    rows = tuple(Row(f"{one.model}: {words(one.condition)}", (_ablated(one),)) for one in found)
    bases = " or ".join(dict.fromkeys(one.base for one in found))
    chart = Chart(rows, ("accuracy",), tone="bar", tick_name=f"under {bases}")
    columns = (
        text("model"),
        text("condition"),
        percent("accuracy"),
        text("base", "against"),
        percent("base_accuracy", "its accuracy"),
        count("n", "items"),
        difference("value", "difference"),
        _between("low", "high", "95 % interval"),
        probability("p_holm", "p (Holm)"),
        text("reason", "note"),
    )
    fields = tuple(Ablation.model_fields)
    return Figure("ablations", draw(chart), fields, _cells(fields, found), columns)


def _ablated(one: Ablation) -> Mark:
    told = f"{share(one.accuracy)}, {share(one.base_accuracy)} under {one.base}, {one.n} items in common"
    return Mark(0, one.accuracy, told=told, expected=one.base_accuracy)


def recognition(found: Sequence[Recognition]) -> Figure:
    """Each run where its model recognises the work of a clip, beside where it does not."""
    rows = tuple(Row(one.run, (Mark(0, one.accuracy), Mark(1, one.other_accuracy))) for one in found)
    columns = (
        text("run"),
        count("recognised"),
        percent("accuracy"),
        count("others"),
        percent("other_accuracy", "their accuracy"),
        difference("value", "difference"),
        _between("low", "high", "95 % interval"),
        count("named", "works named"),
        count("right", "rightly"),
        text("reason", "note"),
    )
    fields = tuple(Recognition.model_fields)
    return Figure("recognition", draw(Chart(rows, ("recognised", "others"))), fields, _cells(fields, found), columns)


def _cells(fields: Sequence[str], found: Sequence[Record]) -> tuple[tuple[Cell, ...], ...]:
    """Records as rows of a table, a column for each field."""
    return tuple(tuple(getattr(one, name) for name in fields) for one in found)


def tiers(shares: Mapping[str, Mapping[str, float]]) -> Figure:
    """What the labels of each capability rest on; only tiers that some item has."""
    used = [tier for tier in next(iter(shares.values())) if any(own[tier] for own in shares.values())]
    rows = tuple(Row(words(name), tuple(Mark(at, own[tier]) for at, tier in enumerate(used)))
                 for name, own in shares.items())  # fmt: skip
    series = tuple(f"tier {tier}" for tier in used)
    table: tuple[tuple[Cell, ...], ...] = tuple((name, *map(own.get, used)) for name, own in shares.items())
    columns = (named("capability"), *(percent(tier, f"tier {tier}") for tier in used))
    return Figure("tiers", draw(Chart(rows, series, tone="bar")), ("capability", *used), table, columns)


def heat(runs: Runs) -> Figure:
    """Accuracy of every run by capability as a map: uncoloured at that capability's chance and below."""
    # A run on filmed items alone may lack a capability.
    chances = max((run.chance_by_capability for run in runs.values()), key=len)
    cells = {name: {group: own.value for group, own in run.by_capability.items()} for name, run in runs.items()}
    table = tuple((name, group, cells[name].get(group), chances[group]) for name in runs for group in chances)
    columns = (text("run"), named("capability"), percent("value", "accuracy"), percent("chance"))
    return Figure("heat", _map(cells, chances), ("run", "capability", "value", "chance"), table, columns)


def _map(cells: Mapping[str, Mapping[str, float | None]], chances: Mapping[str, float]) -> Markup:
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(words(group)) for group in chances)
    body = Markup("").join(
        Markup('<tr><th scope="row">{}</th>{}</tr>\n').format(
            name, Markup("").join(_cell(own.get(group), chance) for group, chance in chances.items())
        )
        for name, own in cells.items()
    )
    foot = Markup("").join(Markup("<td>{}</td>").format(share(chance)) for chance in chances.values())
    return Markup(
        '<div class="scroll" tabindex="0" role="region" aria-label="Capability map">\n<table class="heat">\n'
        "<thead><tr><td></td>{}</tr></thead>\n<tbody>\n{}</tbody>\n"
        '<tfoot><tr><th scope="row">chance</th>{}</tr></tfoot>\n</table>\n</div>'
    ).format(head, body, foot)


def _cell(value: float | None, chance: float) -> Markup:
    above = 0.0 if value is None else max(0.0, (value - chance) / (1 - chance)) if chance < 1 else value
    return Markup('<td class="h{}">{}</td>').format(round(SHADES * above), share(value))


def difference(field: str, name: str) -> Column:
    return Column(name, lambda row: points(number(row[field])))


def probability(field: str, name: str) -> Column:
    return Column(name, lambda row: _p(number(row[field])))


def _between(low: str, high: str, name: str) -> Column:
    def shown(row: Data) -> str:
        return "–" if row[low] is None else f"{points(number(row[low]))} to {points(number(row[high]))}"

    return Column(name, shown)


def _p(value: float | None) -> str:
    return "–" if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def _difference(value: float, low: float | None, high: float | None, p: float | None) -> Mark:
    told = f"{points(value)} points, 95 % interval {points(low)} to {points(high)}, p by Holm {_p(p)}"
    return Mark(0, value, low, high, told)


def _differences(rows: Sequence[Row]) -> Chart:
    """A scale as wide to the left as to the right, and no wider than need be."""
    ends = [abs(end or 0.0) for row in rows for mark in row.marks for end in (mark.value, mark.low, mark.high)]
    reach = next((step for step in (0.1, 0.2, 0.5) if max(ends) <= step), 1.0)
    return Chart(tuple(rows), ("difference",), reach, -reach, line=0.0, line_name="no difference", unit="points")
