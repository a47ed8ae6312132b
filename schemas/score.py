"""Figures, each with its interval's method, unit and n; undefined is None with a reason, never 0."""

from typing import Literal

from .base import Record, classed


class PaperStyle(Record):
    low: float = classed("public")
    high: float = classed("public")


class Estimate(Record):
    """A figure in [0, 1] with its 95 % interval."""

    value: float | None = classed("public")
    low: float | None = classed("public")
    high: float | None = classed("public")
    method: str = classed("public")
    """`bootstrap by episode`, `wilson`."""
    unit: Literal["item", "episode", "story"] = classed("public")
    n: int = classed("public")
    """Number of units."""
    reason: str = classed("public", "")
    """Why a value or an interval is null."""
    paper_style: PaperStyle | None = classed("public", None)
    """Wilson over items, as the papers print it."""


class TrapRate(Record):
    """Trap Fall Rate of one trap: share of wrong answers that chose an option tagged with it."""

    rate: float | None = classed("public")
    rate_of_parsed: float | None = classed("public")
    """The same over wrong answers that named an option."""
    expected: float | None = classed("public")
    """Under random error: mean over wrong items of (options with the trap / wrong options)."""
    ratio: float | None = classed("public")
    """`rate_of_parsed` over the expectation among them."""
    ratio_low: float | None = classed("public", None)
    ratio_high: float | None = classed("public", None)
    """95 % interval of the ratio, bootstrap by episode."""
    ratio_reason: str = classed("public", "")
    """Why that interval is null."""
    chosen: int = classed("public")
    wrong: int = classed("public")


class RunScore(Record):
    model: str = classed("public")
    condition: str = classed("public")
    n: int = classed("public")
    complete: bool = classed("public")
    accuracy: Estimate = classed("public")
    by_story: Estimate | None = classed("public", None)
    """The accuracy again, its interval from whole stories: decisions of one story may be alike, too."""
    bounds: PaperStyle | None = classed("public", None)
    """Accuracy with all unscored items 0 and all 1, when the run is incomplete."""
    macro: float | None = classed("public")
    """Mean over capabilities."""
    macro_estimate: Estimate | None = classed("public", None)
    """The same with its interval."""
    chance: float = classed("public")
    by_capability: dict[str, Estimate] = classed("public")
    by_interaction: dict[str, Estimate] = classed("public")
    traps: dict[str, TrapRate] = classed("public")
    statuses: dict[str, int] = classed("public")
    positions: dict[str, int] = classed("public")
    """How often the key stood at each shown position (1-based)."""


class Comparison(Record):
    """One run less another, over the items that every run has scored; both are named as `run_names` names them."""

    first: str = classed("public")
    second: str = classed("public")
    n: int = classed("public")
    """Items compared."""
    value: float = classed("public")
    """Difference of accuracy, taken before rounding."""
    low: float | None = classed("public")
    high: float | None = classed("public")
    """95 % interval, bootstrap by episode with draws that all runs share."""
    macro: float = classed("public")
    """Difference of the means over capabilities."""
    macro_low: float | None = classed("public")
    macro_high: float | None = classed("public")
    p: float | None = classed("public")
    p_holm: float | None = classed("public")
    """Corrected over all pairs of the runs."""
    method: str = classed("public")
    """Of p: `exact McNemar` or `sign flips by episode`."""
    reason: str = classed("public", "")
    """Why an interval is null, or what its draws left out."""


class CapabilityDrop(Record):
    """How far a run's accuracy falls from intent, behaviour and empathy to causes and counterfactuals."""

    run: str = classed("public")
    perception: float | None = classed("public")
    reasoning: float | None = classed("public")
    value: float | None = classed("public")
    low: float | None = classed("public")
    high: float | None = classed("public")
    p: float | None = classed("public")
    """Fisher's exact test: the items differ."""
    p_holm: float | None = classed("public")
    """Corrected over the runs."""
    reason: str = classed("public", "")


class RuleScore(Record):
    """How one rule that understands nothing does on a release: a sound one holds every rule near chance."""

    rule: str = classed("public")
    """A shortcut of `checks/shortcuts.py`, or `learned-blind`."""
    n: int = classed("public")
    """Items that the rule could be tried on."""
    episodes: int = classed("public")
    correct: int = classed("public")
    accuracy: float | None = classed("public")
    bound: float | None = classed("public")
    """One-sided 95 % upper bound of the accuracy: the larger of the bootstrap by episode and Wilson's over items."""
    chance: float = classed("public")
    limit: float = classed("public")
    """Chance and ten points: the bound must lie below it."""
    verdict: Literal["holds", "breaks", "too few to tell"] = classed("public")
    reason: str = classed("public", "")
    """Why nothing can be told."""
