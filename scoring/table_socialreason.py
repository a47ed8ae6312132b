"""SocialReasonBench's tables: accuracy by capability with Wilson's intervals, drops, traps, tiers (4; App. J, K)."""

from collections.abc import Mapping, Sequence

from ..schemas.release import KeyRow
from ..schemas.score import CapabilityDrop, RunScore
from .human import Baseline
from .intervals import Interval
from .table import Table, Value, percent
from .tiers import TIERS, profiles


def accuracies(runs: Mapping[str, RunScore], humans: Baseline | None = None) -> Table:
    """Table 3: overall accuracy and each capability's, with the interval as the paper prints it, in percent."""
    names = sorted({name for run in runs.values() for name in run.by_capability})
    lines: list[tuple[Value, ...]] = []
    for model, run in sorted(runs.items()):
        cells: list[Value] = []
        for estimate in (run.accuracy, *(run.by_capability[name] for name in names)):
            paper = estimate.paper_style
            cells += [percent(estimate.value), percent(Interval(paper.low, paper.high) if paper else None)]
        lines.append((model, *cells))
    if humans:
        shares = [humans.macro, *(humans.by_capability.get(name) for name in names)]
        lines.append(("Human", *(value for share in shares for value in (percent(share), None))))
    columns = [column for name in ("Overall", *names) for column in (name, f"{name} 95 %")]
    return Table("Accuracy (%)", ("Model", *columns), tuple(lines))


def traps(runs: Mapping[str, RunScore]) -> Table:
    """Trap Fall Rates of wrong answers, and the ratio to what erring blindly gives, by model."""
    names = sorted({name for run in runs.values() for name in run.traps})
    lines = []
    for model, run in sorted(runs.items()):
        own = [run.traps[name] for name in names]
        wrong = str(own[0].wrong) if own else ""
        lines.append((model, wrong, *(value for trap in own for value in (percent(trap.rate), trap.ratio))))
    columns = [column for name in names for column in (name, f"{name} ratio")]
    return Table("Trap Fall Rate (%)", ("Model", "Wrong", *columns), tuple(lines))


def drops(found: Sequence[CapabilityDrop]) -> Table:
    """Perceiving against reasoning: Fisher's p as it is and by Holm; the interval is by episode."""
    lines = [
        (
            own.run,
            *(percent(share) for share in (own.perception, own.reasoning, own.value)),
            percent(Interval(own.low, own.high)) if own.low is not None and own.high is not None else None,
            own.p,
            own.p_holm,
        )
        for own in found
    ]
    columns = ("Model", "Perception", "Reasoning", "Difference", "Difference 95 %", "p", "p (Holm)")
    return Table("Perception and reasoning (%)", columns, tuple(lines))


def tiers(keys: Mapping[str, KeyRow], capabilities: Mapping[str, str]) -> Table:
    """Share of each grounding tier by capability, in percent; both arguments by item."""
    found = profiles((capabilities[item], key.tier) for item, key in keys.items())
    lines = [(name, str(own.n), *(percent(own.shares[tier]) for tier in TIERS)) for name, own in found.items()]
    return Table("Grounding (%)", ("Capability", "n", *TIERS), tuple(lines))
