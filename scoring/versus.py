"""What several runs on one release show together: every pair, and how each falls from perceiving to reasoning."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence

from ..schemas.response import RunInfo
from ..schemas.score import Ablation, CapabilityDrop, Comparison
from .comparison import Compared, common, compare_all
from .drop import Drop, drops
from .gather import Row
from .significance import holm
from .tiers import profiles

BASE = "full"
"""The condition that the others leave something out of."""
HISTORIES = ("history-matched", "history-mismatched")
SEED = re.compile(r"#\d+")


def variant(run: RunInfo) -> str:
    """What a run was made under: its condition, with the trace that was asked for."""
    return run.condition if run.trace == "none" else f"{run.condition} with {run.trace}"


def run_names(runs: Sequence[RunInfo]) -> list[str]:
    """A name for each run: its model; with its condition where the model has several runs; with a number if need be."""
    models = Counter(run.model for run in runs)
    names = [run.model if models[run.model] == 1 else f"{run.model} ({variant(run)})" for run in runs]
    seen = Counter[str]()
    for place, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[place] = f"{name} #{seen[name]}"
    return names


def comparisons(names: Sequence[str], runs: Sequence[Sequence[Row]]) -> list[Comparison]:
    """Every pair of runs on the same items; `runs` holds each run's rows in order of item. Empty for one run."""
    if not runs:
        return []
    credits = {name: [row.credit for row in rows] for name, rows in zip(names, runs, strict=True)}
    found = compare_all(credits, [row.key.episode for row in runs[0]], [row.item.capability for row in runs[0]])
    return [_comparison(one) for one in found]


def ablations(runs: Sequence[RunInfo], rows: Sequence[Sequence[Row]]) -> list[Ablation]:
    """Every model with runs under several conditions: each against the one that it differs from least.

    Paired on the items that both have scored; of histories, on the items that have one. Runs that differ by the seed of
    a mismatched history alone are averaged for each item before anything else; of other runs under one condition the
    first counts. Empty where no model has two conditions.
    """
    models: dict[str, dict[str, list[Sequence[Row]]]] = defaultdict(dict)
    for run, own in zip(runs, rows, strict=True):
        name = SEED.sub("", variant(run))
        seeds = models[run.model].setdefault(name, [])
        if not seeds or SEED.search(run.condition):
            seeds.append(own)
    found = [one for model, conditions in models.items() for one in _ablated(model, conditions)]
    # A p of whole episodes is always there: without a common item nothing is compared.
    corrected = holm([one.p or 0.0 for one in found])
    return [one.model_copy(update={"p_holm": p}) for one, p in zip(found, corrected, strict=True)]


def base_of(name: str, there: Container[str]) -> str | None:
    """The condition among those there that one is held against; None where it is the one others are held against.

    Another's history, or the right one, against none; a trace against no trace; what leaves something out against
    `full`.
    """
    condition, _, trace = name.partition(" with ")
    suffix = f" with {trace}" if trace else ""
    parts = condition.split("+")
    without = "+".join("history-none" if part in HISTORIES else part for part in parts)
    tried = [f"{without}{suffix}", f"{BASE}{suffix}", condition, BASE]
    return next((one for one in tried if one != name and one in there), None)


def _ablated(model: str, conditions: Mapping[str, Sequence[Sequence[Row]]]) -> Iterator[Ablation]:
    """p is not corrected yet. What has nothing of its own to be held against is held against the first such by name."""
    bases = {name: base_of(name, conditions) for name in sorted(conditions)}
    root = BASE if BASE in conditions else min(name for name, base in bases.items() if base is None)
    for name, base in bases.items():
        if name != root:
            yield from _against(model, name, base or root, conditions)


def _against(model: str, name: str, base: str, conditions: Mapping[str, Sequence[Sequence[Row]]]) -> Iterator[Ablation]:
    rows = conditions[base][0]
    credits = {one: _credits(conditions[one], history="history" in f"{name} {base}") for one in (name, base)}
    whole = common(credits)
    means = {one: sum(own[place] or 0.0 for place in whole) / max(len(whole), 1) for one, own in credits.items()}
    for one in compare_all(credits, [row.key.episode for row in rows], [row.item.capability for row in rows]):
        # Pairs come in order of name; here the base is always taken away.
        sign = 1.0 if one.first == name else -1.0
        interval = one.spread.interval
        # Adding 0 makes −0 plain.
        ends = sorted(sign * end + 0.0 for end in (interval.low, interval.high)) if interval else (None, None)
        yield Ablation(
            model=model,
            condition=name,
            base=base,
            n=one.n,
            accuracy=means[name],
            base_accuracy=means[base],
            value=sign * one.difference + 0.0,
            low=ends[0],
            high=ends[1],
            p=one.p.value,
            p_holm=None,
            method=one.method,
            reason=one.spread.reason,
        )


def _credits(seeds: Sequence[Sequence[Row]], *, history: bool) -> list[float | None]:
    """Of each item the mean over the runs that differ by a seed; None where one of them has none, or, where histories
    are compared, the item has no history."""
    found: list[float | None] = []
    for same in zip(*seeds, strict=True):
        own = [row.credit for row in same if row.credit is not None]
        left_out = len(own) < len(same) or (history and not same[0].item.history)
        found.append(None if left_out else sum(own) / len(own))
    return found


def falls(names: Sequence[str], runs: Sequence[Sequence[Row]]) -> list[CapabilityDrop]:
    """The drop of every run that is complete and was asked once; empty where the release lacks one of the two sets."""
    whole = {name: rows for name, rows in zip(names, runs, strict=True) if all(row.credit in (0, 1) for row in rows)}
    credits = {name: [row.credit or 0.0 for row in rows] for name, rows in whole.items()}
    if not credits:
        return []
    rows = runs[0]
    found = drops(credits, [row.item.capability for row in rows], [row.key.episode for row in rows])
    return [_fall(name, own) for name, own in found.items() if own.difference.value is not None]


def tier_shares(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """By capability, and `all`: share of the items in each grounding tier."""
    return {name: own.shares for name, own in profiles((row.item.capability, row.key.tier) for row in rows).items()}


def _comparison(one: Compared) -> Comparison:
    interval, macro = one.spread.interval, one.macro_spread.interval
    return Comparison(
        first=one.first,
        second=one.second,
        n=one.n,
        value=one.difference,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        macro=one.macro_difference,
        macro_low=macro.low if macro else None,
        macro_high=macro.high if macro else None,
        p=one.p.value,
        p_holm=one.p_holm.value,
        method=one.method,
        reason=one.macro_spread.reason or one.spread.reason,
    )


def _fall(name: str, own: Drop) -> CapabilityDrop:
    interval = own.spread.interval
    return CapabilityDrop(
        run=name,
        perception=own.perception.value,
        reasoning=own.reasoning.value,
        value=own.difference.value,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        p=own.p.value,
        p_holm=own.p_holm.value,
        reason=own.spread.reason,
    )
