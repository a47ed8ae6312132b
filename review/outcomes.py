"""What the reviews in a store come to: the state of every item, and what each reviewer noticed of what was planted."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..schemas.review import Planted, ReviewEntry
from ..state.store import Store
from .desk import last_entries
from .modes import decision
from .verdicts import Detection, Subject, Verdict, Vote, clip_rejected, detections, uncounted, verdict
from .work import Saved


class Facts(NamedTuple):
    """An accepted item as it stands now."""

    slot: str
    item: str
    capability: str
    cluster: str
    """Source, the unit of clustered figures."""
    episode: str
    clip: str
    format: str
    public_hash: str
    item_hash: str
    answer: tuple[str, ...]


class Outcomes(NamedTuple):
    verdicts: dict[str, Verdict]
    """By slot."""
    detections: dict[str, Detection]
    """By reviewer."""
    ballots: dict[str, int]
    """The ballot that is on, by slot."""


def planted_of(store: Store) -> dict[str, Planted]:
    """Everything that was planted, by place."""
    return {key.slot_id: record for key, record in store.all(Planted)}


def outcomes(store: Store, facts: Iterable[Facts], needed: int) -> Outcomes:
    """The state of each item under the unanimous rule, from the last entry of every task."""
    items = {one.slot: one for one in facts}
    saved = list(last_entries(store).values())
    planted = planted_of(store)
    found = detections(noticed(saved, planted))
    votes, ballots = votes_of(saved), ballots_of(saved)
    rejected = _rejected_clips(saved, items)
    settled = {one.key.slot_id: one.entry for one in saved if _settles(one)}
    verdicts = {}
    for slot, own in items.items():
        adjudicated = settled.get(slot)
        bound = adjudicated is not None and adjudicated.item_hash == own.item_hash
        subject = Subject(
            own.public_hash, own.item_hash, own.answer, own.format != "open", ballots.get(slot, 0),
            own.clip in rejected, adjudicated.work.marks["outcome"] if adjudicated and bound else "",
        )  # fmt: skip
        verdicts[slot] = verdict(subject, votes.get(slot, ()), needed, uncounted(found))
    return Outcomes(verdicts, found, ballots)


def votes_of(saved: Iterable[Saved]) -> dict[str, list[Vote]]:
    """Every locked answer of a verification, by slot, with what was decided after it, if it was."""
    found: dict[str, list[Vote]] = defaultdict(list)
    for key, entry in saved:
        if entry.mode == "verification" and entry.stage != "blind":
            final = entry.stage == "done"
            found[key.slot_id].append(
                Vote(
                    entry.reviewer, key.run, entry.public_hash, entry.item_hash if final else "", entry.work.said,
                    entry.work.ids, decision(entry.work) if final and entry.item_hash else "",
                )
            )  # fmt: skip
    return found


def ballots_of(saved: Iterable[Saved]) -> dict[str, int]:
    """How often an adjudicator called for a new vote, by slot."""
    counts: dict[str, int] = defaultdict(int)
    for key, entry in saved:
        if _judged(entry, "adjudication") and entry.work.marks.get("outcome") == "vote again":
            counts[key.slot_id] += 1
    return dict(counts)


def noticed(saved: Iterable[Saved], planted: Mapping[str, Planted]) -> Iterator[tuple[str, bool]]:
    """(reviewer, whether noticed) of each planted defect that was judged: rejected, or found ambiguous where it is."""
    for key, entry in saved:
        record = planted.get(key.slot_id)
        if record is not None and entry.stage == "done" and entry.work.said not in ("", "skip"):
            yield entry.reviewer, _noticed(entry, record)


def _noticed(entry: ReviewEntry, planted: Planted) -> bool:
    if planted.defect == "attention":
        return set(entry.work.ids) == set(planted.answer)
    open_to_doubt = planted.defect in ("two right answers", "unanswerable")
    return decision(entry.work) == "reject" or (open_to_doubt and entry.work.said == "ambiguous")


def _judged(entry: ReviewEntry, mode: str) -> bool:
    return entry.mode == mode and entry.stage == "done" and entry.work.said != "skip"


def _settles(saved: Saved) -> bool:
    return _judged(saved.entry, "adjudication") and saved.entry.work.marks.get("outcome") in ("revise", "discard")


def _rejected_clips(saved: Iterable[Saved], items: Mapping[str, Facts]) -> frozenset[str]:
    marks: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for key, entry in saved:
        if _judged(entry, "screening") and key.slot_id in items:
            marks[items[key.slot_id].clip].append(entry.work.marks)
    return frozenset(clip for clip, given in marks.items() if clip_rejected(given))
