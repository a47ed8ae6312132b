"""What people said while they reviewed: every saved state of every task, what was planted, and the line that leaves.

A vote binds to what was seen: a blind answer to the item's `public_hash`, an approval to its `item_hash`. Any edit
voids it. Nobody's work is changed or taken back: each save is an entry of its own, an undo as well.
"""

from typing import Literal, get_args

from pydantic import Field

from .base import Record, classed
from .clip import ClipRef, TranscriptLine, VideoSpan
from .grounding import GroundedClaim
from .human import Person
from .item import Format, Option, Trap
from .judge import TraceStep

Mode = Literal[
    "verification", "baseline", "overlap", "screening", "annotation", "rating", "hsa", "dsa", "endorsement",
    "adjudication",
]  # fmt: skip
MODES: tuple[Mode, ...] = get_args(Mode)
Stage = Literal["blind", "expert", "done"]
Action = Literal["open", "save", "undo", "lock", "submit", "import"]
Defect = Literal["wrong key", "two right answers", "unanswerable", "attention"]
PLANTED = "planted/"
"""What the places of planted items begin with, where real ones have the id of their slot."""
LONGEST = 4000
"""Characters of a text that a reviewer writes."""


class Work(Record):
    """What one person has put down on one task so far. Which parts count is a matter of the mode."""

    said: Literal["", "answer", "ambiguous", "skip"] = classed("reference", "")
    """`ambiguous`: the person is unsure, or sees more than one answer or none."""
    ids: tuple[str, ...] = classed("reference", (), max_length=32)
    """Option ids, never the letters shown."""
    text: str = classed("reference", "", max_length=LONGEST)
    """Answer to an open question."""
    confidence: int = classed("reference", 0, ge=0, le=3)
    """0 not said, 1 a guess, 2 fairly sure, 3 sure."""
    marks: dict[str, str] = classed("reference", {}, max_length=16)
    """Choice for each criterion of the mode."""
    note: str = classed("reference", "", max_length=LONGEST)
    steps: tuple[TraceStep, ...] = classed("reference", (), max_length=40)


class ReviewEntry(Record):
    """One saved state of one person's task; its revision is the `round` of its key, and its ballot the `run`."""

    task: str = classed("reference")
    mode: Mode = classed("reference")
    reviewer: Person = classed("reference")
    action: Action = classed("reference")
    stage: Stage = classed("reference")
    """The stage that the task is in after the action."""
    public_hash: str = classed("reference", "")
    """Of what was shown in the blind stage."""
    item_hash: str = classed("reference", "")
    """Of what was shown in the expert stage; empty before it."""
    shown: tuple[str, ...] = classed("reference", ())
    """Option ids in the order shown."""
    work: Work = classed("reference", Work())
    before: int = classed("reference", 0)
    """Revision that an undo leads back to; 0 where there is none."""
    seconds: float = classed("reference", 0.0, ge=0, le=10**6)
    """Time on the task so far, while the page was in view."""
    watched: float = classed("reference", 0.0, ge=0, le=1)
    """Share of the clip that was played, or of the transcript that was in view."""
    at: str = classed("reference", "")
    """Wall time, for the curious reader; no decision rests on it but whether a task is still being worked on."""


class Planted(Record):
    """An item with a known defect, or a check of attention, among the real ones."""

    item_id: str = classed("public")
    capability: str = classed("public")
    interaction: str = classed("public")
    format: Format = classed("public")
    clip: ClipRef = classed("public")
    background: str = classed("public")
    transcript: tuple[TranscriptLine, ...] = classed("public")
    question: str = classed("public")
    options: tuple[Option, ...] = classed("public")
    history: tuple[str, ...] = classed("public", ())
    public_hash: str = classed("public")
    video: VideoSpan | None = classed("public", None)
    defect: Defect = classed("reference")
    origin: str = classed("reference")
    """Slot of the item that it was made from."""
    answer: tuple[str, ...] = classed("reference")
    """Presented as the key; what stands below is presented beside it."""
    answer_text: str = classed("reference")
    traps: dict[str, Trap] = classed("reference", {})
    cues: tuple[str, ...] = classed("reference", ())
    tier: str = classed("reference", "")
    status: str = classed("reference", "")
    tags: tuple[str, ...] = classed("reference", ())
    claims: tuple[GroundedClaim, ...] = classed("reference", ())
    item_hash: str = classed("reference")


class BlindView(Record):
    """All that a blind reviewer sees of an item, options in the order of their ids: each page shuffles its own."""

    item_id: str
    capability: str
    interaction: str
    format: Format
    clip: ClipRef
    background: str
    transcript: tuple[TranscriptLine, ...]
    video: VideoSpan | None = None
    question: str
    options: tuple[Option, ...]
    history: tuple[str, ...] = ()
    public_hash: str


class ExpertView(Record):
    """What a reviewer sees beside it once the blind answer is locked. The proposal's reasons are not among it."""

    answer: tuple[str, ...]
    answer_text: str
    traps: dict[str, Trap]
    cues: tuple[str, ...] = ()
    tier: str = ""
    status: str = ""
    tags: tuple[str, ...] = ()
    claims: tuple[GroundedClaim, ...] = ()
    item_hash: str


class FinishedReview(Record):
    """One finished task of one person, as it is exported and imported: one line of `reviews.jsonl`."""

    mode: Mode = classed("reference")
    reviewer: Person = classed("reference")
    item: str = classed("reference")
    """Item id; of a clip its id; of a reply `run/item/repeat`, of a judge's decision `run/item/repeat/rubric`."""
    ballot: int = classed("reference", 0, ge=0)
    public_hash: str = classed("reference", "")
    item_hash: str = classed("reference", "")
    shown: tuple[str, ...] = classed("reference", ())
    letter: str = classed("reference", "")
    """What the chosen options were called on the page."""
    said: Literal["", "answer", "ambiguous", "skip"] = classed("reference", "")
    ids: tuple[str, ...] = classed("reference", ())
    text: str = classed("reference", "", max_length=LONGEST)
    confidence: int = classed("reference", 0, ge=0, le=3)
    marks: dict[str, str] = classed("reference", {})
    decision: Literal["", "approve", "reject", "abstain"] = classed("reference", "")
    """Of a verification: it follows from the marks."""
    note: str = classed("reference", "", max_length=LONGEST)
    steps: tuple[TraceStep, ...] = classed("reference", ())
    seconds: float = classed("reference", 0.0, ge=0, le=10**6)
    watched: float = classed("reference", 0.0, ge=0, le=1)
    defect: str = classed("reference", "")
    """Of a planted item: what was wrong with it."""


class Saving(Record):
    """What a page sends to save: the revision that it goes on from, and all of the work so far."""

    revision: int = Field(ge=0)
    action: Literal["save", "undo", "lock", "submit"]
    work: Work = Work()
    seconds: float = Field(0.0, ge=0, le=10**6)
    watched: float = Field(0.0, ge=0, le=1)
