"""Who may see what: the classes each role may read, and the frozen view that is the only input of an agent."""

from typing import Literal, get_args

from .base import FieldClass, Record, classed
from .clip import ClipRef, TranscriptLine, VideoSpan
from .grounding import Recipe, SeenCue, Trace
from .item import Candidate, Coordinate, Draft, Format, Item, Option, Plan
from .source import Source
from .story import Entity

Role = Literal[
    "director", "tracker", "generator", "question", "answer", "adjudicator", "critic",
    "blind", "model", "expert", "judge", "rubric_judge", "auditor",
]  # fmt: skip
ROLES: tuple[Role, ...] = get_args(Role)

ROLE_CLASSES: dict[Role, frozenset[FieldClass]] = {
    "director": frozenset({"public", "backend"}),
    "tracker": frozenset({"public", "backend"}),
    "generator": frozenset({"public", "proposal", "backend"}),
    "question": frozenset({"public"}),
    "answer": frozenset({"public"}),
    "adjudicator": frozenset({"public", "backend"}),
    "critic": frozenset({"public", "proposal", "backend"}),
    "blind": frozenset({"public"}),
    "model": frozenset({"public"}),
    "expert": frozenset({"public", "proposal", "backend", "reference"}),
    "judge": frozenset({"public", "reference"}),
    "rubric_judge": frozenset({"public"}),
    "auditor": frozenset({"public", "proposal", "backend", "reference"}),
}
"""`docs/isolation.md` has the table in words. What the question role reads beyond this is listed in `QuestionView`."""


ROLE_COLUMNS: dict[Role, dict[str, tuple[str, ...]]] = {
    "question": {
        "Draft": ("question", "frame", "options", "wording"),
        "Feedback": ("code", "message"),
        "Candidate": tuple(Candidate.model_fields),
        "Cues": ("cues",),
    },
}
"""What a role may read beyond its classes, by record and field. The question role mends the wording of derived items
and sees no label of theirs; what it proposed itself it may read again."""


class Feedback(Record):
    """What the Critic, or a gate, sent back. Goes to the proposing side and the log only."""

    code: str = classed("proposal")
    message: str = classed("proposal")


class DirectorView(Record):
    source: Source
    coordinate: Coordinate
    ordinal: int


class TrackerView(Record):
    source: Source
    plan: Plan
    people: tuple[Entity, ...]


class GeneratorView(Record):
    source: Source
    coordinate: Coordinate
    plan: Plan
    trace: Trace
    people: tuple[Entity, ...]
    slot_id: str
    """The only seed of the generator's choices."""
    draft: Draft | None = None
    """The slot's own last draft, when it came back."""
    feedback: Feedback | None = None


class QuestionView(Record):
    """The wording of a grounded draft that came back: question and option texts, never which one is right."""

    coordinate: Coordinate
    question: str
    frame: dict[str, str]
    options: tuple[str, ...]
    wording: int
    feedback: Feedback


class ProposeView(Record):
    """What an item that no code derives is made of: the clip's public form, the cues in it, the last candidate."""

    slot_id: str
    coordinate: Coordinate
    format: Format
    background: str
    transcript: tuple[TranscriptLine, ...]
    history: tuple[str, ...] = ()
    video: VideoSpan | None = None
    cues: tuple[SeenCue, ...] = ()
    candidate: Candidate | None = None
    """The slot's own last one, when it came back."""
    feedback: Feedback | None = None


class AnswerView(Record):
    """All that the answering side ever sees. The model under test gets the same fields."""

    item_id: str
    capability: str
    clip: ClipRef
    background: str
    transcript: tuple[TranscriptLine, ...]
    question: str
    options: tuple[Option, ...]
    """In the order shown: the stored permutation of this run; none of an open question."""
    history: tuple[str, ...] = ()
    format: Format = "single"
    video: VideoSpan | None = None


class AdjudicatorView(Record):
    """The item with its recipe, or with what the story tells of it; not which option was proposed."""

    source: Source
    question: str
    options: tuple[Option, ...]
    recipe: Recipe | None
    capability: str = ""
    """This and what follows only where there is no recipe."""
    background: str = ""
    transcript: tuple[TranscriptLine, ...] = ()
    cues: tuple[SeenCue, ...] = ()
    video: VideoSpan | None = None


class Answer(Record):
    """What one Answer run said."""

    ids: tuple[str, ...] = classed("proposal")
    status: Literal["answered", "ambiguous", "unsupported"] = classed("proposal")
    shown: tuple[str, ...] = classed("proposal")
    """Option ids in the order they were shown."""
    text: str = classed("proposal", "")
    """The answer to an open question."""
    reason: str = classed("proposal", "")
    """What it rests on, in a model's words."""


class Adjudication(Record):
    """The label re-derived from the story."""

    true: tuple[str, ...] = classed("proposal")
    """Ids of the options that satisfy the claim; exactly one for a sound item."""
    possible: tuple[str, ...] = classed("proposal", ())
    """Ids of other options that may come true within the window: a sound item has none."""
    proof: str = classed("proposal")
    """`proved by enumeration (n paths)`, or why not."""


class CriticView(Record):
    item: Item
    draft: Draft | None
    """None where no code derives the label."""
    transcript: tuple[TranscriptLine, ...]
    answers: tuple[Answer, ...]
    answer_policy: str
    adjudication: Adjudication | None
    """None where there is no story to derive a label from."""
    round: int
    video: VideoSpan | None = None


class Verdict(Record):
    """The Critic's decision on one round."""

    decision: Literal["accept", "revise", "re-examine", "discard"] = classed("proposal")
    answerability: Literal["answerable", "unknown", "ambiguous", "unsupported"] = classed("proposal")
    cue_support: bool = classed("proposal")
    coherence: bool = classed("proposal")
    alignment: bool = classed("proposal")
    agreement: bool = classed("proposal")
    defect: Literal["none", "proposal", "reasoning"] = classed("proposal")
    route: Literal["generator", "question"] = classed("proposal", "generator")
    """Who mends a defect of the proposal."""
    code: str = classed("proposal")
    message: str = classed("proposal")


class RubricView(Record):
    """What a judge of descriptions and steps sees of an item: public fields, no reference, no model's name."""

    background: str
    transcript: tuple[TranscriptLine, ...]
    question: str
    options: tuple[Option, ...]
    history: tuple[str, ...] = ()


class JudgeView(RubricView):
    """What a judge of answers and rationales sees: the reference as well."""

    answer: tuple[str, ...]
    answer_text: str
    cues: tuple[str, ...] = ()
