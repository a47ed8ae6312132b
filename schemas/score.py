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


class OpenCredits(Record):
    """Answers to open questions by the judge's credit; replies without an answer count as none."""

    none: int = classed("public")
    half: int = classed("public")
    full: int = classed("public")
    mean: float | None = classed("public")
    """Half the share of answers with any credit, and half the share with all of it."""


class RationaleScore(Record):
    """What the two judges of rationales leave of the answers' credit."""

    coverage: float | None = classed("public")
    """Share of replies with an informative rationale, in [0, 1]."""
    evidence: dict[str, int] = classed("public")
    """Replies by label; those without a rationale have none."""
    logic: dict[str, int] = classed("public")
    adverse: dict[str, int] = classed("public")
    """Fully right replies with a weak or contradicted label: `both`, `only_evidence`, `only_logic`, `neither`."""
    raw: Estimate = classed("public")
    """Mean answer credit over the same items."""
    verified: Estimate = classed("public")
    macro_raw: float = classed("public")
    macro_verified: float = classed("public")
    by_capability: dict[str, float] = classed("public")
    """Mean verified credit."""
    retention: float | None = classed("public")
    """Verified credit as a share of answer credit."""
    retention_low: float | None = classed("public", None)
    retention_high: float | None = classed("public", None)
    losses: dict[str, float] = classed("public")
    """Mean shares of the credit, macro over capabilities: `answer`, `coverage`, `evidence`, `logic`, `kept`. They add
    up to 1, and their split depends on that order."""
    soft: float = classed("public")
    """Macro verified credit under the milder weights."""
    strict: float = classed("public")
    """The same under the harsher ones."""
    alternatives: dict[str, float] = classed("public")
    """Macro credit under other ways to join the two labels."""


class RatedScore(Record):
    """Six ratings of 1 to 5, added up: HSA or DSA."""

    n: int = classed("public")
    """Clips rated."""
    total: float | None = classed("public")
    """Mean over clips, in 6..30."""
    items: dict[str, float] = classed("public")
    """Mean of each rating."""


class StepScore(Record):
    """What the steps of the traces draw on."""

    traces: int = classed("public")
    steps: int = classed("public")
    tags: dict[str, int] = classed("public")
    """Steps with each tag; a step can have several."""
    untagged: int = classed("public")


class JudgedScore(Record):
    """What judges say of a run."""

    judges: dict[str, str] = classed("public")
    """The judging model of each rubric."""
    open: OpenCredits | None = classed("public", None)
    rationale: RationaleScore | None = classed("public", None)
    reason: str = classed("public", "")
    """Why there is no `rationale`, where one of its two judges is there."""
    hsa: RatedScore | None = classed("public", None)
    dsa: RatedScore | None = classed("public", None)
    modality: StepScore | None = classed("public", None)
    unjudged: dict[str, int] = classed("public", {})
    """Replies by rubric that a judge failed on, or has not seen: what rests on them is null."""


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
    chance_by_capability: dict[str, float] = classed("public", {})
    """Items have different numbers of options, so each group has a chance of its own."""
    chance_by_interaction: dict[str, float] = classed("public", {})
    traps: dict[str, TrapRate] = classed("public")
    statuses: dict[str, int] = classed("public")
    positions: dict[str, int] = classed("public")
    """How often the key stood at each shown position (1-based)."""
    positions_expected: dict[str, float] = classed("public", {})
    """How often it would on average, if each item's order were drawn evenly."""
    judged: JudgedScore | None = classed("public", None)


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


class Ablation(Record):
    """One condition of a model against another, over the items that both have scored."""

    model: str = classed("public")
    condition: str = classed("public")
    base: str = classed("public")
    """The condition it is held against: `history-none` for histories, the same without trace for a trace, else `full`,
    as far as the model has such runs."""
    n: int = classed("public")
    """Items in common."""
    accuracy: float = classed("public")
    base_accuracy: float = classed("public")
    value: float = classed("public")
    """`accuracy` less `base_accuracy`."""
    low: float | None = classed("public")
    high: float | None = classed("public")
    """95 % interval of the difference, bootstrap by episode with shared draws."""
    p: float | None = classed("public")
    p_holm: float | None = classed("public")
    """Corrected over all ablations of the runs."""
    method: str = classed("public")
    """Of p, as in `Comparison`."""
    reason: str = classed("public", "")
    """Why the interval is null."""


class Recognition(Record):
    """A run split by whether its model, asked for the work that a clip is from, names one."""

    run: str = classed("public")
    right_only: bool = classed("public")
    """Whether a work counts as recognised only where it is the right one."""
    named: int = classed("public")
    """Items whose clip's work the model names, rightly or not."""
    right: int | None = classed("public")
    """Those where it names the right one; None where nobody said which that is."""
    recognised: int = classed("public")
    """Items in the first half of the split."""
    others: int = classed("public")
    accuracy: float | None = classed("public")
    """Over the recognised."""
    other_accuracy: float | None = classed("public")
    value: float | None = classed("public")
    """`accuracy` less `other_accuracy`: the items differ, so that it also holds how hard each half is."""
    low: float | None = classed("public")
    high: float | None = classed("public")
    """95 % interval, bootstrap by episode."""
    reason: str = classed("public", "")
    """Why a figure is null."""


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
