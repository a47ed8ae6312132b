"""What each mode of the page asks for, as a table: whether there is a blind answer, which criteria, with what choices.

The server checks work against it, the page is drawn from it, agreement is computed over it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..schemas.review import Mode, Stage, Work

YES_NO = ("yes", "no", "unsure")
ONE_TO_FIVE = ("1", "2", "3", "4", "5")
RIGHT_WRONG = ("yes", "no")


class Criterion(NamedTuple):
    name: str
    text: str
    choices: tuple[str, ...]


class Form(NamedTuple):
    """What one mode asks for."""

    title: str
    help: str
    answer: bool
    """Whether an answer is given first, on the public side alone, and locked."""
    steps: bool
    """Whether the reasoning is written down beside the answer."""
    criteria: tuple[Criterion, ...]
    """Judged after the lock; without an answer they are all there is."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        first: tuple[Stage, ...] = ("blind",) if self.answer else ()
        return (*first, "expert") if self.criteria else first


def _rated(*pairs: tuple[str, str]) -> tuple[Criterion, ...]:
    return tuple(Criterion(name, text, ONE_TO_FIVE) for name, text in pairs)


VERIFIED = (
    Criterion("question validity", "The question is clear, and clip and background suffice to answer it.", YES_NO),
    Criterion("answer correctness", "The reference answer is right, and no other option is.", YES_NO),
    Criterion("psychological consistency", "What it supposes of people fits what is seen and said of them.", YES_NO),
    Criterion("cue support", "The evidence shown is in the clip and supports the answer.", YES_NO),
)
SCREENED = (
    Criterion("usable", "Picture and sound, or the lines, can be followed.", YES_NO),
    Criterion("social", "People deal with each other: there is something to understand.", YES_NO),
    Criterion("self-contained", "It begins and ends where it makes sense by itself.", YES_NO),
    Criterion("harmless", "It shows nothing that must not be published.", YES_NO),
)
TRACE_RATED = (
    *_rated(
        ("fine-grained", "How densely it refers to small observable things: 1 not at all, 5 in most steps."),
        ("compositional", "How far its steps build on each other: 1 hardly, 5 throughout."),
        ("comprehensive", "How much of what matters it takes in: 1 misses what is needed, 5 all of it."),
    ),
    Criterion("tags correct", "Every tag of every step is right.", RIGHT_WRONG),
    Criterion("valid", "Its steps are a sound way of reasoning to the answer.", RIGHT_WRONG),
)
HSA = _rated(
    ("scene description", "Where and when it takes place, and its mood."),
    ("individuals", "The people: looks, expressions, what face and body do."),
    ("topic and context", "What they talk about, what lies behind it, how they stand to each other."),
    ("socio-emotional analysis", "Feelings, power, conflict or harmony."),
    ("answer detail", "How much detail and nuance it has."),
    ("adherence to prompt", "It describes scene, people, topic and feelings, and nothing beside."),
)
DSA = _rated(
    ("relevant scene details", "Place, time, objects and sights that matter to the question."),
    ("relevant individuals", "The people who matter to it: looks, acts, roles."),
    ("relevant interactions", "What passes between them, and what that means for the question."),
    ("relevant context", "Background, relationships and feelings that the answer needs."),
    ("answer detail", "How much detail and nuance it has."),
    ("adherence to prompt", "It keeps to what the question needs."),
)
ENDORSED = (Criterion("endorsed", "You agree with what the judge decided.", RIGHT_WRONG),)
ADJUDICATED = (Criterion("outcome", "What is to become of the item.", ("vote again", "revise", "discard")),)

WATCH = "Watch the whole clip and use nothing but the clip and its background."
REASON = "Answer, and write down each step that led you there and what it draws on."

FORMS: Mapping[Mode, Form] = MappingProxyType(
    {
        "verification": Form("Verify", "Answer; then judge the reference and what it rests on.", True, False, VERIFIED),
        "baseline": Form("Answer", WATCH, True, False, ()),
        "overlap": Form("Answer, all", WATCH, True, False, ()),
        "screening": Form("Screen clips", "Is this clip fit to ask about?", False, False, SCREENED),
        "annotation": Form("Reason", REASON, True, True, ()),
        "rating": Form("Rate reasoning", "Rate the reasoning beside the item.", False, False, TRACE_RATED),
        "hsa": Form("Rate descriptions", "Rate the description of the scene.", False, False, HSA),
        "dsa": Form("Rate answers", "Rate the description that the question asked for.", False, False, DSA),
        "endorsement": Form("Check judges", "Do you agree with the judge's decision?", False, False, ENDORSED),
        "adjudication": Form("Adjudicate", "Experts differ: what becomes of the item?", False, False, ADJUDICATED),
    }
)


def decision(work: Work) -> str:
    """What the marks of a verification come to: `reject` for any no, `approve` for yes to all, else `abstain`."""
    if work.said == "skip":
        return "abstain"
    given = [work.marks.get(criterion.name, "") for criterion in VERIFIED]
    if "no" in given:
        return "reject"
    return "approve" if all(mark == "yes" for mark in given) else "abstain"
