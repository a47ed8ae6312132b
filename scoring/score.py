"""All figures of one run. Pure: records, keys and responses in, one `RunScore` out; the order of each is no matter."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import numpy as np

from ..schemas.release import KeyRow, ModelInput
from ..schemas.response import Response, RunInfo
from ..schemas.score import Estimate, PaperStyle, RunScore
from . import credit
from .bootstrap import DRAWS, FEWEST_EPISODES, Floats, percentile, ratios, resample
from .gather import Key, Row, gather
from .intervals import Interval, wilson
from .paired import Spread, draw
from .traps import trap_names, trap_rates

Unit = Literal["episode", "story"]
PLURAL: dict[Unit, str] = {"episode": "episodes", "story": "stories"}
MISSING = "missing"
"""Under `statuses`: replies that the run should hold and does not."""


def score_run(
    inputs: Sequence[ModelInput],
    keys: Sequence[KeyRow],
    responses: Sequence[Response],
    run: RunInfo,
    judged: Mapping[Key, float] = MappingProxyType({}),
) -> RunScore:
    """Score a run of one model under one condition; figures lie in [0, 1].

    `judged` holds the credit of answers to open questions; one that is not there is a judge error. Where several items
    share an episode, a run has repeats, or credits are halves, the interval is the bootstrap by episode, and Wilson's
    stands beside it as `paper_style` wherever credits are whole; else it is Wilson's. Fewer than ten episodes: no
    interval. While a reply is an error of ours or missing the run is incomplete: its headline is None, with bounds.
    Raises `UsageError` where records, keys and responses do not belong together, or there is no item.
    """
    rows = gather(inputs, keys, responses, run, judged)
    groups = _Groups(rows, clustered=run.repeats > 1 or _clustered(rows))
    complete = all(row.credit is not None for row in rows)
    macro = _macro(rows)
    wrong = [reply for row in rows for reply in row.wrong()]
    return RunScore(
        model=run.model,
        condition=run.condition,
        n=len(rows),
        complete=complete,
        accuracy=groups.estimate(""),
        by_story=_Groups(rows, clustered=True, unit="story").estimate(""),
        bounds=None if complete else _bounds(rows, run),
        macro=macro.value,
        macro_estimate=macro,
        chance=credit.chance([row.item for row in rows]),
        by_capability=groups.by("capability"),
        by_interaction=groups.by("interaction"),
        chance_by_capability=_chances(rows, "capability"),
        chance_by_interaction=_chances(rows, "interaction"),
        traps=trap_rates(wrong, trap_names(row.key for row in rows)),
        statuses=_statuses(rows, run),
        positions=_positions(rows, run),
        positions_expected=_expected(rows),
    )


def _chances(rows: Sequence[Row], kind: str) -> dict[str, float]:
    """Chance within each group, in order of name."""
    groups = [str(getattr(row.item, kind)) for row in rows]
    return credit.by_group([credit.chance([row.item]) for row in rows], groups)


def _macro(rows: Sequence[Row]) -> Estimate:
    """The mean over capabilities; draws that hold no item of one of them are dropped, and the reason counts them."""
    credits = [row.credit for row in rows if row.credit is not None]
    episodes, capabilities = [row.key.episode for row in rows], [row.item.capability for row in rows]
    value, spread = None, Spread(None, 0, f"{len(rows) - len(credits)} of {len(rows)} items unscored")
    if len(credits) == len(rows):
        drawn = draw([[own] for own in credits], episodes, capabilities)
        value, (spread,) = credit.macro(credits, capabilities), drawn.spreads(drawn.macro())
    low, high = spread.interval or (None, None)
    method, units = "bootstrap by episode", len(set(episodes))
    return Estimate(value=value, low=low, high=high, method=method, unit="episode", n=units, reason=spread.reason)


def _clustered(rows: Sequence[Row]) -> bool:
    """Whether items are no independent trials that are right or wrong, which Wilson's interval asks for."""
    halves = any(row.credit not in (None, 0.0, 1.0) for row in rows)
    return halves or len({row.key.episode for row in rows}) < len(rows)


def _bounds(rows: Sequence[Row], run: RunInfo) -> PaperStyle:
    """Accuracy with every unscored reply wrong, and with every one right."""
    scored = [own for row in rows for own in row.credits if own is not None]
    right = sum(scored)
    all_replies = len(rows) * run.repeats
    return PaperStyle(low=right / all_replies, high=(right + all_replies - len(scored)) / all_replies)


def _statuses(rows: Sequence[Row], run: RunInfo) -> dict[str, int]:
    counts = Counter[str](reply.status for row in rows for reply in row.responses)
    missing = len(rows) * run.repeats - counts.total()
    return dict(sorted(counts.items())) | ({MISSING: missing} if missing else {})


def _positions(rows: Sequence[Row], run: RunInfo) -> dict[str, int]:
    places = Counter(place for row in rows for place in row.positions(run.permutation_seed))
    return {str(place): places[place] for place in range(1, max(len(row.item.options) for row in rows) + 1)}


def _expected(rows: Sequence[Row]) -> dict[str, float]:
    longest = max(len(row.item.options) for row in rows)
    return {
        str(place): sum(len(row.key.answer) / len(row.item.options) for row in rows if len(row.item.options) >= place)
        for place in range(1, longest + 1)
    }


class _Groups:
    """Every group of a run's items, resampled at once so that they share their draws."""

    def __init__(self, rows: Sequence[Row], clustered: bool, unit: Unit = "episode") -> None:
        self.rows, self.clustered, self.unit = rows, clustered, unit
        names = [f"{kind}/{name}" for kind in ("capability", "interaction") for name in _names(rows, kind)]
        self.names = ["", *names]
        self.members = np.array([[_member(row, name) for name in self.names] for row in rows], dtype=np.float64)
        self.credits = np.array([row.credit or 0.0 for row in rows])
        self.draws: Floats | None = self._resampled() if clustered and self._units(rows) >= FEWEST_EPISODES else None

    def _units(self, rows: Sequence[Row]) -> int:
        return len({self._cluster(row) for row in rows})

    def _cluster(self, row: Row) -> str:
        return row.key.episode if self.unit == "episode" else row.key.story

    def by(self, kind: str) -> dict[str, Estimate]:
        return {name: self.estimate(f"{kind}/{name}") for name in _names(self.rows, kind)}

    def estimate(self, name: str) -> Estimate:
        rows = [row for row in self.rows if _member(row, name)]
        credits = [row.credit for row in rows if row.credit is not None]
        unscored = len(rows) - len(credits)
        interval, reason = (None, f"{unscored} of {len(rows)} items unscored") if unscored else self._interval(name)
        paper = None if unscored else _paper_style(credits)
        return Estimate(
            value=None if unscored else credit.micro(credits),
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            method=f"bootstrap by {self.unit}" if self.clustered else "wilson",
            unit=self.unit if self.clustered else "item",
            n=self._units(rows) if self.clustered else len(rows),
            reason=reason,
            paper_style=paper,
        )

    def _interval(self, name: str) -> tuple[Interval | None, str]:
        rows = [row for row in self.rows if _member(row, name)]
        units = self._units(rows)
        if units < FEWEST_EPISODES:
            return None, f"{units} {PLURAL[self.unit]}, fewer than {FEWEST_EPISODES}: no interval"
        if self.draws is None:
            return wilson(round(sum(row.credit or 0.0 for row in rows)), len(rows)), ""
        interval, dropped = percentile(self.draws[:, self.names.index(name)])
        return interval, f"{dropped} of {DRAWS} draws held no such item and were dropped" if dropped else ""

    def _resampled(self) -> Floats:
        """(draws, groups) accuracies."""
        clusters = sorted({self._cluster(row) for row in self.rows})
        place = {cluster: number for number, cluster in enumerate(clusters)}
        sums = np.zeros((len(clusters), 2 * len(self.names)))
        both = np.hstack([self.members * self.credits[:, None], self.members])
        np.add.at(sums, [place[self._cluster(row)] for row in self.rows], both)
        drawn = resample(sums)
        return ratios(drawn[:, : len(self.names)], drawn[:, len(self.names) :])


def _names(rows: Sequence[Row], kind: str) -> list[str]:
    return sorted({str(getattr(row.item, kind)) for row in rows})


def _member(row: Row, name: str) -> bool:
    """Whether a row belongs to `capability/NAME` or `interaction/NAME`; all belong to the group without name."""
    kind, _, value = name.partition("/")
    return not name or getattr(row.item, kind) == value


def _paper_style(credits: Sequence[float]) -> PaperStyle | None:
    """Wilson over items as if they were independent; None where credits are not whole."""
    if not all(own in (0.0, 1.0) for own in credits):
        return None
    interval = wilson(round(sum(credits)), len(credits))
    return PaperStyle(low=interval.low, high=interval.high)
