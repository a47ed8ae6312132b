"""PsycheMME's tables from judged replies: main results, capabilities with intervals, input controls, history, voting.

Tables 2, 3 and 25, 4 and 26, 14 to 16, 21 to 24. The replies are to be complete: every model answers the same items
under each of its conditions, and what is unscored for one is left out of all before.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..schemas.response import RunInfo
from . import credit, voting
from .figure import undefined
from .gather import Row
from .mismatch import mean_over_seeds
from .paired import Drawn, Spread, differences, draw
from .table import Table, Value, percent
from .verified import Judged, verified

FULL = "full"
MATCHED, NONE, MISMATCHED = "history-matched", "history-none", "history-mismatched"
METRICS: dict[str, Callable[[Judged], float]] = {"Raw": lambda reply: reply.answer, "Ver.": verified}


class Scored(NamedTuple):
    """One judged reply. Conditions that differ by a seed only end in `#SEED`."""

    model: str
    condition: str
    item: str
    episode: str
    capability: str
    reply: Judged
    chosen: frozenset[str] = frozenset()
    """Option ids; empty for open items and unread replies."""
    reference: frozenset[str] = frozenset()
    """Empty for open items."""


def scored(run: RunInfo, rows: Sequence[Row], judged: Mapping[str, Judged]) -> list[Scored]:
    """A stored run, asked once, with what its judges said of each item's reply; unscored items are left out.

    The credit of an answer is the row's own; `judged` gives coverage and labels. Raises `KeyError` for an item that was
    not judged.
    """
    return [
        Scored(
            run.model,
            run.condition,
            row.item.id,
            row.key.episode,
            row.item.capability,
            judged[row.item.id]._replace(answer=row.credit),
            frozenset(row.responses[0].ids),
            frozenset(row.key.answer),
        )
        for row in rows
        if row.credit is not None
    ]


def main(rows: Sequence[Scored]) -> Table:
    """Table 2: Raw and Verified macro, and Verified by capability, in percent."""
    capabilities = sorted({row.capability for row in rows})
    return Table("Main results (%)", ("Model", *METRICS, *capabilities), tuple(
        (model, *(percent(_macro(own, metric)) for metric in METRICS),
         *(percent(_micro([row for row in own if row.capability == name], "Ver.")) for name in capabilities))
        for model, own in _by(rows, FULL).items()
    ))  # fmt: skip


def capabilities(rows: Sequence[Scored], metric: str) -> Table:
    """Tables 14 (`Raw`) and 15 (`Ver.`), and the column of Table 16: means with intervals by episode, in percent."""
    models = _by(rows, FULL)
    drawn = _draw([_column(own, metric) for own in models.values()], next(iter(models.values())))
    spreads = {"Overall": drawn.spreads(drawn.macro())}
    spreads |= {name: drawn.spreads(drawn.group(name)) for name in drawn.groups}
    lines = []
    for place, (model, own) in enumerate(models.items()):
        means = {"Overall": _macro(own, metric)}
        means |= {name: _micro([row for row in own if row.capability == name], metric) for name in drawn.groups}
        cells = [(percent(means[name]), _interval(spreads[name][place])) for name in spreads]
        lines.append((model, *(value for cell in cells for value in cell)))
    columns = [column for name in spreads for column in (name, f"{name} 95 %")]
    return Table(f"{metric} by capability (%)", ("Model", *columns), tuple(lines))


def controls(rows: Sequence[Scored], conditions: Sequence[str]) -> Table:
    """Tables 3 and 25: macro scores under each condition, and the change of Raw against the full input, in points."""
    lines: list[tuple[Value, ...]] = []
    for model, full in _by(rows, FULL).items():
        for condition in (FULL, *conditions):
            own = _by(rows, condition)[model]
            drawn = _draw([_column(own, "Raw"), _column(full, "Raw")], full)
            (spread,) = drawn.spreads(differences(drawn.macro(), [(0, 1)]))
            change = _change(_macro(own, "Raw"), _macro(full, "Raw"))
            lines.append(
                (model, condition, *(percent(_macro(own, name)) for name in METRICS), change, _interval(spread))
            )
    return Table("Input controls (%)", ("Model", "Input", *METRICS, "Δ Raw", "Δ Raw 95 %"), tuple(lines))


def history(rows: Sequence[Scored]) -> Table:
    """Tables 4 and 26: micro scores with the right history, none, and another's, whose seeds are averaged per item.

    Gains are over no history, paired, with intervals by episode.
    """
    lines: list[tuple[Value, ...]] = []
    for model, without in _by(rows, NONE).items():
        for condition in (NONE, MATCHED, MISMATCHED):
            seeds = [_by(rows, name)[model] for name in _seeded(rows, condition)]
            cells: list[Value] = []
            for metric in METRICS:
                mean = mean_over_seeds([_column(own, metric) for own in seeds])
                drawn = _draw([mean, _column(without, metric)], without)
                (spread,) = drawn.spreads(differences(drawn.micro(), [(0, 1)]))
                value = credit.micro(mean)
                cells += [percent(value), _change(value, _micro(without, metric)), _interval(spread)]
            lines.append((model, condition, *cells))
    columns = [column for metric in METRICS for column in (metric, f"{metric} gain", f"{metric} gain 95 %")]
    return Table("History (%)", ("Model", "History", *columns), tuple(lines))


def votes(rows: Sequence[Scored]) -> Table:
    """Table 24: what all models together answer, on choice items by capability, in percent."""
    lines: list[tuple[Value, ...]] = []
    models = _by([row for row in rows if row.reference], FULL)
    for name in sorted({row.capability for own in models.values() for row in own}):
        items = list(zip(*([row for row in own if row.capability == name] for own in models.values()), strict=True))
        ballots = [([row.chosen for row in item], item[0].reference) for item in items]
        best = voting.best_single([[row.reply.answer for row in own] for own in zip(*items, strict=True)])
        rules = (voting.oracle, voting.plurality, voting.strict_majority)
        shares = [percent(credit.micro([rule(*ballot) for ballot in ballots])) for rule in rules]
        together = sum(voting.wrong_together(*ballot) for ballot in ballots)
        lines.append((name, str(len(items)), percent(best.credit if best else None), *shares, str(together)))
    columns = ("Capability", "n", "Best (on these items)", "Oracle", "Vote", "Majority", "Wrong together")
    return Table("Voting (%)", columns, tuple(lines))


def strata(rows: Sequence[Scored], of: Mapping[str, str]) -> Table:
    """Tables 21 to 23: micro scores by what `of` says of each item: its format, its source, how long it lasts."""
    names = sorted(set(of.values()))
    lines: list[tuple[Value, ...]] = []
    for model, own in _by(rows, FULL).items():
        groups = [of[row.item] for row in own]
        means = [credit.by_group(_column(own, metric), groups) for metric in METRICS]
        lines.append((model, *(percent(mean.get(name)) for name in names for mean in means)))
    columns = [f"{name} {metric}" for name in names for metric in METRICS]
    return Table("By stratum (%)", ("Model", *columns), tuple(lines))


def _by(rows: Sequence[Scored], condition: str) -> dict[str, list[Scored]]:
    """Replies under one condition, by model, in order of item."""
    found: dict[str, list[Scored]] = {}
    for row in sorted(rows, key=lambda row: (row.model, row.item)):
        if row.condition == condition:
            found.setdefault(row.model, []).append(row)
    return found


def _seeded(rows: Sequence[Scored], condition: str) -> list[str]:
    return sorted({row.condition for row in rows if row.condition.partition("#")[0] == condition})


def _column(rows: Sequence[Scored], metric: str) -> list[float]:
    return [METRICS[metric](row.reply) for row in rows]


def _macro(rows: Sequence[Scored], metric: str) -> float | None:
    return credit.macro(_column(rows, metric), [row.capability for row in rows])


def _micro(rows: Sequence[Scored], metric: str) -> float | None:
    return credit.micro(_column(rows, metric))


def _draw(columns: Sequence[Sequence[float]], rows: Sequence[Scored]) -> Drawn:
    table = list(zip(*columns, strict=True))
    return draw(table, [row.episode for row in rows], [row.capability for row in rows])


def _change(share: float | None, base: float | None) -> Value:
    """Points."""
    return None if share is None or base is None else 100 * (share - base)


def _interval(spread: Spread) -> Value:
    return undefined(spread.reason) if spread.interval is None else percent(spread.interval)
