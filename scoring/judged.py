"""What judges say of a run, as figures: open credit, verified credit with its losses, HSA and DSA, modalities."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..schemas.judge import LABELS, MODALITIES, Judgement, Rubric
from ..schemas.response import Response
from ..schemas.score import Estimate, JudgedScore, OpenCredits, RatedScore, RationaleScore, StepScore
from . import credit
from .bootstrap import ratios
from .caption import DSA_ITEMS, HSA_ITEMS, Rated, item_means, score
from .gather import Key, Row
from .paired import Drawn, Spread, draw
from .rationale import covered
from .stages import half_credits, mean_losses, retention
from .verified import AGGREGATES, SOFT, STRICT, Judged, adverse, aggregated, verified

Judgements = Mapping[Rubric, Mapping[Key, Judgement]]
"""By rubric, then by (item, repeat): lines with a verdict only."""
Rationales = Mapping[Key, Mapping[str, str | None]]
"""The eight fields of each reply; empty where it has none."""


def judged_score(
    rows: Sequence[Row],
    judgements: Judgements,
    rationales: Rationales,
    judges: Mapping[str, str],
    cases: Mapping[Rubric, int],
) -> JudgedScore:
    """All figures for which there is a judge; `cases`: how many replies each rubric finds something to judge in.

    Verified credit takes both labels of every reply with a rationale: while one is missing it is None, with the reason.
    """
    unjudged = {rubric: wanted - len(judgements[rubric]) for rubric, wanted in cases.items()}
    rationale, reason = _rationale(rows, judgements, rationales)
    return JudgedScore(
        judges=dict(judges),
        open=_open(rows) if "open" in judgements else None,
        rationale=rationale,
        reason=reason,
        hsa=_rated(rows, judgements["hsa"], HSA_ITEMS) if "hsa" in judgements else None,
        dsa=_rated(rows, judgements["dsa"], DSA_ITEMS) if "dsa" in judgements else None,
        modality=_steps(judgements["modality"]) if "modality" in judgements else None,
        unjudged={rubric: count for rubric, count in unjudged.items() if count > 0},
    )


def open_credit(judgements: Judgements) -> dict[Key, float]:
    """Credit of answers to open questions, for `gather`."""
    lines = judgements.get("open", {})
    return {key: line.credit for key, line in lines.items() if line.credit is not None}


def _open(rows: Sequence[Row]) -> OpenCredits:
    credits = [own for row in rows if row.item.format == "open" for own in row.credits if own is not None]
    counts, halves = Counter(credits), half_credits(credits)
    return OpenCredits(none=counts[0.0], half=counts[0.5], full=counts[1.0], mean=halves.mean if halves else None)


def _rationale(
    rows: Sequence[Row], judgements: Judgements, rationales: Rationales
) -> tuple[RationaleScore | None, str]:
    """The figures, or why there are none."""
    if missing := [rubric for rubric in ("evidence", "logic") if rubric not in judgements]:
        return None, f"verified credit needs the labels of {' and '.join(missing)}" if len(missing) == 1 else ""
    found = [judged_replies(row, judgements, rationales) for row in rows]
    if waiting := found.count(None):
        return None, f"{waiting} of {len(rows)} items wait for a reply or a judge"
    labelled = [own for own in found if own is not None]
    return _verified([row.item.capability for row in rows], [row.key.episode for row in rows], labelled, judgements), ""


def _verified(
    groups: Sequence[str], episodes: Sequence[str], items: Sequence[Sequence[Judged]], judgements: Judgements
) -> RationaleScore:
    """`items`: the judged replies of each."""
    replies = [reply for own in items for reply in own]
    raw, kept = _means(items, lambda reply: reply.answer), _means(items, verified)
    drawn = draw(list(zip(raw, kept, strict=True)), episodes, groups)
    totals = drawn.totals()
    held = drawn.spreads(ratios(totals[1:2], totals[0:1]))[0].interval
    of_raw, of_kept = drawn.spreads(drawn.micro())
    found = adverse(replies)
    losses = mean_losses(replies, [group for group, own in zip(groups, items, strict=True) for _ in own])

    def macro(of: Callable[[Judged], float]) -> float:
        return credit.macro(_means(items, of), groups) or 0.0

    return RationaleScore(
        coverage=credit.micro([float(reply.covered) for reply in replies]),
        evidence=_counts("evidence", judgements),
        logic=_counts("logic", judgements),
        adverse={name: getattr(found, name) for name in ("both", "only_evidence", "only_logic", "neither")},
        raw=_estimate(raw, of_raw, drawn),
        verified=_estimate(kept, of_kept, drawn),
        macro_raw=macro(lambda reply: reply.answer),
        macro_verified=macro(verified),
        by_capability=credit.by_group(kept, groups),
        retention=retention(raw, kept).value,
        retention_low=held.low if held else None,
        retention_high=held.high if held else None,
        losses=losses._asdict() if losses else {},
        soft=macro(lambda reply: verified(reply, SOFT)),
        strict=macro(lambda reply: verified(reply, STRICT)),
        alternatives={name: macro(partial(aggregated, aggregate=name)) for name in AGGREGATES},
    )


def judged_replies(row: Row, judgements: Judgements, rationales: Rationales) -> tuple[Judged, ...] | None:
    """Each reply of an item; None while one of them is unscored, or one of its labels is missing."""
    if row.credit is None:
        return None
    texts = [option.text for option in row.item.options]
    found = []
    for reply, own in zip(row.responses, row.credits, strict=True):
        fields = rationales.get((reply.item, reply.repeat), {})
        is_covered = reply.status == "answered" and covered(fields, row.item.question, texts)
        labels = [_label(judgements, rubric, reply) for rubric in ("evidence", "logic")]
        if is_covered and None in labels:
            return None
        found.append(Judged(own or 0.0, is_covered, *labels))
    return tuple(found)


def _label(judgements: Judgements, rubric: Rubric, reply: Response) -> str | None:
    line = judgements[rubric].get((reply.item, reply.repeat))
    return line.label if line else None


def _counts(rubric: Rubric, judgements: Judgements) -> dict[str, int]:
    given = Counter(line.label for line in judgements[rubric].values())
    return {label: given[label] for label in LABELS[rubric]}


def _means(items: Sequence[Sequence[Judged]], of: Callable[[Judged], float]) -> list[float]:
    """Of each item: the mean over its replies."""
    return [sum(map(of, own)) / len(own) for own in items]


def _estimate(values: Sequence[float], spread: Spread, drawn: Drawn) -> Estimate:
    """A mean over items with its interval by episode."""
    ends = spread.interval
    return Estimate(
        value=credit.micro(values),
        low=ends.low if ends else None,
        high=ends.high if ends else None,
        method="bootstrap by episode",
        unit="episode",
        n=drawn.episodes,
        reason=spread.reason,
    )


def _rated(rows: Sequence[Row], lines: Mapping[Key, Judgement], names: Sequence[str]) -> RatedScore:
    clips = {row.item.id: row.item.clip.media for row in rows}
    rated = [Rated(clips[item], f"{item}#{repeat}", line.ratings) for (item, repeat), line in sorted(lines.items())]
    return RatedScore(
        n=len({one.video for one in rated}), total=score(rated).value, items=dict(item_means(rated, names))
    )


def _steps(lines: Mapping[Key, Judgement]) -> StepScore:
    steps = [step for line in lines.values() for step in line.steps]
    tags = Counter(tag for step in steps for tag in step.tags)
    return StepScore(
        traces=len(lines),
        steps=len(steps),
        tags={tag: tags[tag] for tag in MODALITIES},
        untagged=sum(not step.tags for step in steps),
    )
