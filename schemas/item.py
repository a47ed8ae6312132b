"""An item on its way: plan, draft with real names, revisions with public text, and the accepted reference."""

from typing import Literal

from .base import Record, classed
from .clip import ClipRef, Span
from .grounding import Event, Recipe, Recorded, SeenCue, Tier, Window, told_until

Trap = Literal["visual_shortcut", "knowledge_prior", "logic", "wrong_branch", "none"]
Format = Literal["single", "multiple", "open"]
Status = Literal["derived, answerability unknown", "answerable"]

OBSERVED = "observed"
"""Claim of a plan whose label no code derives: models propose it, answer it apart and compare."""


class Coordinate(Record):
    """A cell of the taxonomy."""

    capability: str = classed("public")
    interaction: str = classed("public")


class Slot(Record):
    """One numbered attempt at an item: (source, coordinate, ordinal)."""

    slot_id: str = classed("backend")
    """`<source id>/<capability>/<interaction>/<ordinal>`; also the LangGraph thread id."""
    number: int = classed("backend")
    source_id: str = classed("public")
    coordinate: Coordinate = classed("public")
    ordinal: int = classed("backend")


class Plan(Record):
    """What the Director chose: a decision of a play, and the part of the play that the clip shows; or a stretch of a
    video or transcript."""

    claim: str = classed("backend")
    play: tuple[int, ...] = classed("backend", ())
    """Choice indices from the start to the decision."""
    taken: int = classed("backend", 0)
    first: int = classed("backend", 0)
    """Number of decisions of `play` before the clip starts."""
    shown: int = classed("backend", 0)
    """Lines that the clip still shows after its last choice: of a reply, those before the act to be predicted."""
    location: str = classed("backend")
    """The decision's place in the story, the same for every play that reaches it: the episode."""
    protagonist: str | None = classed("backend", None)
    span: Span | None = classed("backend", None)
    """The stretch of a video or transcript; None where the clip comes from a play."""
    before: tuple[Span, ...] = classed("backend", ())
    """Earlier stretches of the same source that the item's history is taken from."""
    format: Format = classed("backend", "single")

    @property
    def way(self) -> tuple[int, ...]:
        """The choices that the clip comes from; none where it is no play."""
        return told_until(self.claim, self.play, self.taken) if self.span is None else ()


class DraftOption(Record):
    text: str = classed("backend")
    event: Event = classed("backend")


class Draft(Record):
    """What the Generator (or a person) wrote, with real names. Options stand in order of the hash of their text."""

    question: str = classed("backend")
    frame: dict[str, str] = classed("backend", {})
    """What the question template is filled with; empty for a question written by hand."""
    wording: int = classed("backend", 0)
    """Number of the question template, so that a re-wording takes another one."""
    options: tuple[DraftOption, ...] = classed("backend")
    others: tuple[int, ...] = classed("backend", ())
    window: Window = classed("backend")
    target: Event | None = classed("backend", None)
    recorded: Recorded | None = classed("backend", None)
    answer: str = classed("proposal")
    """Text of the option proposed as the key."""
    traps: dict[str, Trap] = classed("proposal")
    """Trap of each other option, by its text."""
    rationale: str = classed("proposal")


class Brief(Record):
    """What an item that no code derives is to be, and what was said before its clip; anonymised."""

    format: Format = classed("public")
    history: tuple[str, ...] = classed("public", ())


class Cues(Record):
    """What the Tracker noted of one clip, anonymised. A record of its own, so that the Question agent may read it."""

    cues: tuple[SeenCue, ...] = classed("backend")


class Cited(Record):
    """What a candidate says that its answer rests on."""

    line: str = classed("proposal")
    """`7`: a line of the clip; `H2`: a turn of the history; empty for what is only seen or heard."""
    quote: str = classed("proposal")
    """Words of that line, or what is seen."""


class Candidate(Record):
    """A proposed item whose label no code derives, in public words. Stored apart from drafts: its proposer may read all
    of it again, where the Question agent sees no label of a derived one."""

    question: str = classed("proposal")
    format: Format = classed("proposal")
    options: tuple[str, ...] = classed("proposal", ())
    """In order of the hash of their text; none of an open question."""
    answer: tuple[str, ...] = classed("proposal")
    """Texts of the right options; of an open question its one answer."""
    traps: dict[str, Trap] = classed("proposal", {})
    """Trap of each wrong option, by its text."""
    cues: tuple[Cited, ...] = classed("proposal")
    rationale: str = classed("proposal")


class Option(Record):
    id: str = classed("public")
    text: str = classed("public")


class Item(Record):
    """One revision of an item as the answering side sees it, and what stands behind it."""

    item_id: str = classed("public")
    capability: str = classed("public")
    interaction: str = classed("public")
    format: Format = classed("public", "single")
    clip: ClipRef = classed("public")
    background: str = classed("public")
    question: str = classed("public")
    options: tuple[Option, ...] = classed("public")
    """Ordered by id; ids ascend by digest(item id, text)."""
    history: tuple[str, ...] = classed("public", ())
    public_hash: str = classed("public")
    """Hash of the public fields above; blind votes bind to it."""
    recipe: Recipe | None = classed("backend", None)
    """None where no code derives the label."""
    answer: tuple[str, ...] = classed("proposal")
    """Ids of the right options; none of an open question."""
    answer_text: str = classed("proposal", "")
    """The answer of an open question."""
    cues: tuple[str, ...] = classed("proposal", ())
    """What the proposed answer rests on, where a model proposed it."""
    traps: dict[str, Trap] = classed("proposal")
    """Trap of each wrong option, by option id."""
    rationale: str = classed("proposal")

    @property
    def derived(self) -> Recipe:
        """Its recipe. Raises `LookupError` where no code derives its label."""
        if self.recipe is None:
            raise LookupError(f"{self.item_id}: no code derives its label")
        return self.recipe


class Reference(Record):
    """What is true of an accepted item."""

    answer: tuple[str, ...] = classed("reference")
    answer_text: str = classed("reference")
    traps: dict[str, Trap] = classed("reference")
    cues: tuple[str, ...] = classed("reference", ())
    tier: Tier = classed("reference")
    status: Status = classed("reference")
    episode: str = classed("reference")
    """Opaque id of story and decision: the unit of clustered statistics."""
    story: str = classed("reference")
    """Source id."""
    tags: tuple[str, ...] = classed("reference", ())
    first_agree: bool | None = classed("reference", None)
    """Whether the first round's answers agreed with the key; None where the Answer policy does not count."""
    item_hash: str = classed("reference")
    """Hash over everything, approvals bind to it; never published, since it would open in six guesses."""
