"""What the votes on an item come to. Pure: votes in, a state and the words for it out.

Approved is an item that every one of enough reviewers approves, whose key at least four of five of their locked blind
answers give, and that no two of them find ambiguous. A vote counts for the very item that it was cast on, and for the
last ballot only; skipping and abstaining approve nothing. Source: REVIEW_AND_RELEASE, "Review".
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil
from typing import Literal, NamedTuple

State = Literal["approved", "waiting", "rejected", "ambiguous", "not the key", "discarded", "revise", "clip rejected"]

BLIND_SHARE = 0.8
"""Of locked blind answers that must equal the key."""
AMBIGUOUS = 2
"""So many people who find an item ambiguous discard it."""
ENOUGH_PLANTED = 10
"""Planted items below which nobody's rate of detection counts."""
LEAST_DETECTED = 0.5


class Vote(NamedTuple):
    """One person's part in a verification."""

    reviewer: str
    ballot: int
    public_hash: str
    item_hash: str
    """Empty while the expert stage is not finished."""
    said: str
    ids: tuple[str, ...]
    decision: str
    """`approve`, `reject`, `abstain`; empty while the expert stage is not finished."""


class Subject(NamedTuple):
    """An item as it stands now."""

    public_hash: str
    item_hash: str
    answer: tuple[str, ...]
    choice: bool = True
    """Whether it has options: open answers are not compared with the key here."""
    ballot: int = 0
    clip_rejected: bool = False
    outcome: str = ""
    """Of its adjudication: `revise` or `discard` of this very version."""


class Verdict(NamedTuple):
    state: State
    approvals: int
    rejections: int
    right: int
    """Locked blind answers that equal the key."""
    blind: int
    ambiguous: int
    needed: int
    voted: int
    """People who have finished."""

    @property
    def disputed(self) -> bool:
        """Everybody has voted, and the item is not approved."""
        return self.voted >= self.needed and self.state in ("waiting", "rejected", "not the key", "ambiguous")

    def words(self) -> str:
        said = f"{self.approvals} of {self.needed} approvals"
        parts = [
            f"{self.rejections} rejections" if self.rejections else "",
            f"{self.ambiguous} find it ambiguous" if self.ambiguous else "",
            f"{self.right} of {self.blind} blind answers give the key" if self.state == "not the key" else "",
            {"discarded": "discarded", "revise": "to be revised", "clip rejected": "its clip was screened out"}.get(
                self.state, ""
            ),
        ]
        return ", ".join([said, *(part for part in parts if part)])


def verdict(item: Subject, votes: Iterable[Vote], needed: int, uncounted: Collection[str] = ()) -> Verdict:
    """`uncounted` reviewers missed too many planted defects: what they find right counts for nothing."""
    now = [vote for vote in votes if vote.ballot == item.ballot and vote.public_hash == item.public_hash]
    locked = [vote for vote in now if vote.reviewer not in uncounted]
    cast = Counter(vote.decision for vote in locked if vote.item_hash == item.item_hash)
    rejections = sum(vote.decision == "reject" and vote.item_hash == item.item_hash for vote in now)
    answers = [vote for vote in locked if vote.said == "answer"]
    blind = sum(vote.said in ("answer", "ambiguous") for vote in locked)
    right = sum(set(vote.ids) == set(item.answer) for vote in answers) if item.choice else blind
    ambiguous = sum(vote.said == "ambiguous" for vote in locked)
    voted = sum(bool(vote.decision) and vote.item_hash == item.item_hash for vote in now)
    state = _state(item, cast["approve"], rejections, right, blind, ambiguous, needed)
    return Verdict(state, cast["approve"], rejections, right, blind, ambiguous, needed, voted)


def _state(
    item: Subject, approvals: int, rejections: int, right: int, blind: int, ambiguous: int, needed: int
) -> State:
    if item.outcome in ("discard", "revise"):
        return "discarded" if item.outcome == "discard" else "revise"
    if item.clip_rejected:
        return "clip rejected"
    if ambiguous >= AMBIGUOUS:
        return "ambiguous"
    if rejections:
        return "rejected"
    if approvals < needed:
        return "waiting"
    return "approved" if right >= ceil(BLIND_SHARE * max(blind, needed)) else "not the key"


class Detection(NamedTuple):
    """How many planted defects one reviewer has met, and noticed."""

    met: int
    noticed: int

    @property
    def counts(self) -> bool:
        """Whether the reviewer's approvals do."""
        return self.met < ENOUGH_PLANTED or self.noticed >= LEAST_DETECTED * self.met


def detections(judged: Iterable[tuple[str, bool]]) -> dict[str, Detection]:
    """(reviewer, whether noticed) of every planted item that was judged."""
    found: dict[str, Detection] = {}
    for reviewer, noticed in judged:
        before = found.get(reviewer, Detection(0, 0))
        found[reviewer] = Detection(before.met + 1, before.noticed + noticed)
    return dict(sorted(found.items()))


def uncounted(found: Mapping[str, Detection]) -> frozenset[str]:
    """Reviewers whose approvals do not count."""
    return frozenset(reviewer for reviewer, own in found.items() if not own.counts)


def clip_rejected(marks: Sequence[Mapping[str, str]]) -> bool:
    """Whether anybody who screened a clip found it unfit in any way."""
    return any("no" in given.values() for given in marks)
