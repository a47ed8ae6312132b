"""`review agreement`: how far people agree, by criterion and capability; who vetoes; what was noticed; the baseline."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError
from ..review.desk import last_entries
from ..review.modes import FORMS, ONE_TO_FIVE, Criterion, decision
from ..review.outcomes import Facts, noticed, outcomes, planted_of
from ..review.verdicts import Detection, detections
from ..review.work import Saved
from ..schemas.base import digest
from ..schemas.files import storing, to_line, write_whole
from ..schemas.review import Mode, Planted
from ..scoring import credit
from ..scoring.agreement import Agreement, agreement
from ..scoring.figure import Figure
from ..scoring.human import Baseline, Marked, baseline, consistency
from ..scoring.intervals import wilson
from ..scoring.paired import Spread, draw
from ..scoring.ratings import Rating
from ..state.store import Store
from . import sources
from .folder import Project
from .humans import plain
from .standing import facts

ALL = "all"
ANSWER, DECISION = "answer", "decision"


class Reviewer(NamedTuple):
    """One person's part in the verification."""

    finished: int
    approvals: int
    vetoes: int
    alone: int
    """Vetoes of items that everybody else who judged them approved."""
    abstained: int
    met: int
    """Planted defects."""
    noticed: int
    low: float | None
    """Wilson's interval of the share noticed; None where none was met."""
    high: float | None
    counts: bool
    seconds: Figure
    """Mean time on a task."""
    watched: Figure
    """Mean share of the clip that was played, or of the lines that were seen."""


class Agreements(NamedTuple):
    states: dict[str, int]
    """Items by what the votes come to."""
    criteria: dict[str, dict[str, dict[str, Agreement]]]
    """By mode, criterion (and `answer`, `decision`), and capability; `all` is over every capability."""
    reviewers: dict[str, Reviewer]
    baseline: dict[str, Baseline]
    """`skips out` counts what was answered, `skips in` skipped items as wrong."""
    spreads: dict[str, Spread]
    """Of the baseline without skips, `pooled` and `macro`: whole episodes are drawn."""
    consistency: Figure
    duplicates: int
    attention: dict[str, Detection]
    """Checks of attention met and passed, by person."""


def agreements(project: Project) -> Agreements:
    """All figures of the reviews so far. Raises `UsageError` where there is no store."""
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    with Store.read(project.store, seed=project.config.seed) as store:
        items = {one.slot: one for one in facts(store, sources.current(project, store))}
        planted = planted_of(store)
        saved = list(last_entries(store).values())
        state = outcomes(store, items.values(), project.config.review.approvals)
    current = [one for one in saved if _current(one, items, state.ballots)]
    again, attention = list(_marks(current, items, 1)), _attention(saved, planted)
    first = [*_marks(current, items, 0), *_overlapping(current, items, project.config.seed)]
    return Agreements(
        states=dict(sorted(Counter(verdict.state for verdict in state.verdicts.values()).items())),
        criteria=dict(_criteria(current, items)),
        reviewers=_reviewers(current, saved, planted, state.detections),
        baseline={name: baseline(first, counted) for name, counted in (("skips out", False), ("skips in", True))}
        if first
        else {},
        spreads=_spreads(first, {one.item: one.episode for one in items.values()}),
        consistency=consistency(first, again),
        duplicates=len(again),
        attention=attention,
    )


def _spreads(marks: Sequence[Marked], episodes: Mapping[str, str]) -> dict[str, Spread]:
    kept = [mark for mark in marks if mark.credit is not None]
    if not kept:
        return {}
    credits = [[mark.credit or 0.0] for mark in kept]
    drawn = draw(credits, [episodes[mark.item] for mark in kept], [mark.capability for mark in kept])
    return {"pooled": drawn.spreads(drawn.micro())[0], "macro": drawn.spreads(drawn.macro())[0]}


def write(project: Project, done: Agreements, out: Path | None = None) -> Path:
    """Write every figure as `agreement.json`. Raises `UsageError` where it cannot."""
    folder = out or project.root / "review"
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "agreement.json", [to_line(plain(done))])
    return folder / "agreement.json"


def _current(saved: Saved, items: Mapping[str, Facts], ballots: Mapping[str, int]) -> bool:
    """Whether a review is of something that is still as it was when it was reviewed."""
    key, entry = saved
    own = items.get(key.slot_id)
    if entry.stage == "blind" or (entry.mode == "verification" and key.run != ballots.get(key.slot_id, 0)):
        return False
    if entry.mode in ("rating", "hsa", "dsa", "endorsement"):
        return True
    return own is not None and (entry.mode == "screening" or entry.public_hash == own.public_hash)


def _criteria(
    saved: Sequence[Saved], items: Mapping[str, Facts]
) -> Iterator[tuple[str, dict[str, dict[str, Agreement]]]]:
    by_mode: dict[Mode, list[Saved]] = defaultdict(list)
    for one in saved:
        if (
            one.entry.mode not in ("baseline", "adjudication") and one.key.run == 0
        ) or one.entry.mode == "verification":
            by_mode[one.entry.mode].append(one)
    for mode, own in sorted(by_mode.items()):
        told = {criterion.name: _agreed(own, items, criterion) for criterion in FORMS[mode].criteria}
        if FORMS[mode].answer:
            told[ANSWER] = _agreed(own, items, None)
        if mode == "verification":
            told[DECISION] = _agreed(own, items, Criterion(DECISION, "", ("approve", "reject", "abstain")))
        yield mode, {name: found for name, found in told.items() if found}


def _agreed(saved: Iterable[Saved], items: Mapping[str, Facts], criterion: Criterion | None) -> dict[str, Agreement]:
    """Over units that two people or more have rated, for each capability and for all; empty where there is none."""
    cells: dict[str, dict[str, Rating]] = defaultdict(dict)
    for one in saved:
        rating = _rating(one, criterion)
        if rating is not None:
            cells[f"{one.key.slot_id} {one.key.run}"][one.entry.reviewer] = rating
    units = {unit: own for unit, own in sorted(cells.items()) if len(own) > 1}
    groups: dict[str, list[str]] = {ALL: list(units)} if units else {}
    for unit in units:
        fact = items.get(unit.rpartition(" ")[0])
        if fact is not None:
            groups.setdefault(fact.capability, []).append(unit)
    return {group: _table(units, own, items, criterion) for group, own in sorted(groups.items())}


def _table(
    units: Mapping[str, Mapping[str, Rating]], chosen: Sequence[str], items: Mapping[str, Facts],
    criterion: Criterion | None,
) -> Agreement:  # fmt: skip
    """Answers by the ids of options; ratings of 1 to 5 on an ordered scale, with quadratic weights."""
    people = sorted({person for unit in chosen for person in units[unit]})
    table = [[units[unit].get(person) for person in people] for unit in chosen]
    slots = [unit.rpartition(" ")[0] for unit in chosen]
    clusters = [items[slot].episode if slot in items else slot for slot in slots]
    if criterion is None:
        return agreement(table, clusters)
    if criterion.choices == ONE_TO_FIVE:
        return agreement(table, clusters, level="ordinal", weights="quadratic", categories=range(1, 6))
    return agreement(table, clusters, categories=criterion.choices)


def _rating(saved: Saved, criterion: Criterion | None) -> Rating:
    work = saved.entry.work
    if criterion is None:
        return "|".join(sorted(work.ids)) or None if work.said == "answer" else (work.said or None)
    if saved.entry.stage != "done":
        return None
    if criterion.name == DECISION:
        return decision(work) if saved.entry.item_hash else "abstain"
    mark = work.marks.get(criterion.name)
    return int(mark) if mark and criterion.choices == ONE_TO_FIVE else mark


def _reviewers(
    current: Sequence[Saved], saved: Sequence[Saved], planted: Mapping[str, Planted], found: Mapping[str, Detection]
) -> dict[str, Reviewer]:
    """Everybody who has finished something in the verification."""
    cast: dict[str, dict[str, str]] = defaultdict(dict)
    for one in current:
        if one.entry.mode == "verification" and one.entry.stage == "done":
            cast[one.key.slot_id][one.entry.reviewer] = decision(one.entry.work)
    own = [one for one in saved if one.entry.mode == "verification" and one.entry.stage == "done"]
    return {
        reviewer: _reviewer(reviewer, cast, [one for one in own if one.entry.reviewer == reviewer],
                            detections(noticed([one for one in own if one.entry.reviewer == reviewer], planted))
                            .get(reviewer, found.get(reviewer, Detection(0, 0))))
        for reviewer in sorted({one.entry.reviewer for one in own})
    }  # fmt: skip


def _reviewer(who: str, cast: Mapping[str, Mapping[str, str]], own: Sequence[Saved], found: Detection) -> Reviewer:
    decisions = Counter(votes[who] for votes in cast.values() if who in votes)
    others = [{name: vote for name, vote in votes.items() if name != who} for votes in cast.values()
              if votes.get(who) == "reject"]  # fmt: skip
    alone = sum(bool(rest) and set(rest.values()) == {"approve"} for rest in others)
    ends = wilson(found.noticed, found.met) if found.met else None
    return Reviewer(
        finished=decisions.total(), approvals=decisions["approve"], vetoes=decisions["reject"], alone=alone,
        abstained=decisions["abstain"], met=found.met, noticed=found.noticed, low=ends.low if ends else None,
        high=ends.high if ends else None, counts=found.counts, seconds=_mean([one.entry.seconds for one in own]),
        watched=_mean([one.entry.watched for one in own]),
    )  # fmt: skip


def _mean(values: Sequence[float]) -> Figure:
    return Figure(sum(values) / len(values)) if values else Figure(None, "nothing finished")


def _marks(saved: Iterable[Saved], items: Mapping[str, Facts], occasion: int) -> Iterator[Marked]:
    for key, entry in saved:
        if entry.mode == "baseline" and entry.stage == "done" and key.run == occasion:
            yield from _marked(Saved(key, entry), items[key.slot_id])


def _marked(saved: Saved, own: Facts) -> Iterator[Marked]:
    """One mark; an open answer waits for a credit and gets none here. Ambiguous is an answer, and no right one."""
    if own.format != "open":
        work = saved.entry.work
        earned = None if work.said == "skip" else credit.choice(work.ids if work.said == "answer" else (), own.answer)
        yield Marked(saved.entry.reviewer, own.item, own.capability, earned)


def _overlapping(saved: Iterable[Saved], items: Mapping[str, Facts], seed: int) -> Iterator[Marked]:
    """Of the items that everybody answers, one person's answer each: as many as of every other item."""
    by_item: dict[str, list[Saved]] = defaultdict(list)
    for one in saved:
        if one.entry.mode == "overlap" and one.entry.stage == "done":
            by_item[one.key.slot_id].append(one)
    for slot, own in sorted(by_item.items()):
        yield from _marked(min(own, key=lambda one: digest(seed, "primary", slot, one.entry.reviewer)), items[slot])


def _attention(saved: Iterable[Saved], planted: Mapping[str, Planted]) -> dict[str, Detection]:
    return detections(noticed([one for one in saved if one.entry.mode == "baseline"], planted))
