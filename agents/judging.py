"""Critic and adjudicator as models.

The Critic's model judges what code cannot: whether the cues carry the answer, whether the rationale holds, whether the
right capability is asked for, and of an open question whether the readers agree. What code can tell it decides itself.
"""

from typing import Literal, NamedTuple

from pydantic import Field

from ..prompts.compose import lettered, part, question
from ..schemas.base import canonical
from ..schemas.call import Part, Request
from ..schemas.item import Item
from ..schemas.view import Adjudication, AdjudicatorView, Answer, CriticView, Verdict
from .asking import Asking, Line, Said
from .critic import Answerability, Critic, Fault, answerability, verdict

Code = Literal[
    "accepted", "referent-ambiguous", "premise-unsupported", "options-defective", "key-wrong", "cue-weak",
    "capability-wrong", "reasoning-wrong",
]  # fmt: skip
UNREAD = "verdict-unread"
"""The Critic's model gave no verdict that can be read: nothing is accepted on that."""


class Judged(Said):
    """The Critic's verdict, as a model gives it."""

    answerability: Literal["answerable", "ambiguous", "unsupported"]
    cue_support: bool
    coherence: bool
    alignment: bool
    agreement: bool
    defect: Literal["none", "proposal", "reasoning"]
    code: Code
    message: Line = ""

    @property
    def sound(self) -> bool:
        return self.answerability == "answerable" and self.cue_support and self.coherence and self.alignment


class Reader(NamedTuple):
    """What one Answer run said, in words."""

    answer: str
    reason: str


class ModelCritic:
    """The `llm` policy. Of an item that code derived, rules judge first, and what they find stands."""

    def __init__(self, asking: Asking, rules: Critic) -> None:
        self.asking, self.rules = asking, rules

    async def judge(self, view: CriticView) -> Verdict:
        if view.item.recipe is not None:
            found = await self.rules.judge(view)
            if found.decision != "accept":
                return found
        await self.asking.look(view.video)
        judged = (await self.asking.ask(self._request(view), Judged, view.round)).value
        if judged is None:
            nothing = Fault("discard", UNREAD, "the verdict could not be read")
            return verdict(view.round, nothing, answerability="unknown", cue_support=False, coherence=False,
                           alignment=False, agreement=False)  # fmt: skip
        return self._verdict(view, judged)

    def prompt(self, view: CriticView) -> bytes | None:
        return canonical(self._request(view))

    def _verdict(self, view: CriticView, judged: Judged) -> Verdict:
        chosen = self._answerability(view, judged)
        agreement = judged.agreement if view.item.format == "open" else chosen == "answerable"
        fault = self._fault(view, judged, chosen, agreement)
        return verdict(
            view.round,
            fault,
            answerability=chosen,
            cue_support=judged.cue_support,
            coherence=judged.coherence,
            alignment=judged.alignment,
            agreement=agreement,
        )

    def _answerability(self, view: CriticView, judged: Judged) -> Answerability:
        """What the readers did where that can be counted; of an open question what the model says of them."""
        if view.item.recipe is not None and view.answer_policy == "rules":
            return "unknown"
        if view.item.format != "open":
            return answerability(view)
        answered = sum(answer.status == "answered" for answer in view.answers)
        if judged.agreement and answered * 3 >= len(view.answers) * 2 and view.answers:
            return "answerable"
        return "ambiguous" if judged.answerability == "answerable" else judged.answerability

    def _fault(self, view: CriticView, judged: Judged, chosen: Answerability, agreement: bool) -> Fault | None:
        """Whether readers or proposal are at fault is the model's word; that there is a fault need not be."""
        if judged.sound and (agreement or chosen == "unknown"):
            return None
        if judged.sound and judged.defect == "reasoning":
            return Fault("re-examine", "reasoning-wrong", judged.message, "reasoning")
        code = judged.code if judged.code not in ("accepted", "reasoning-wrong") else _named(view, judged)
        # A candidate goes back to who wrote it: the Generator where a story's adjudicator spoke of it.
        story = view.item.recipe is None and view.adjudication is not None
        return Fault("revise", code, judged.message, "proposal", "generator" if story else "question")

    def _request(self, view: CriticView) -> Request:
        item, own = view.item, self.asking.template
        letters = lettered(item.options)
        user = [*self.asking.scene(item.background, view.transcript, item.history, view.video)]
        user += question(own, item.question, letters)
        user.append(part(own, "reference", answer=_reference(item)))
        if item.cues:
            user.append(part(own, "cited", cues=item.cues))
        user.append(part(own, "rationale", rationale=item.rationale))
        if view.adjudication is not None:
            user.append(part(own, "story", proof=view.adjudication.proof))
        if view.answers and not (item.recipe is not None and view.answer_policy == "rules"):
            user.append(part(own, "readers", readers=[_reader(item, answer) for answer in view.answers]))
        return self.asking.request({"format": item.format}, user, Judged, item.capability)


def _named(view: CriticView, judged: Judged) -> str:
    """The code of a fault that the model did not name."""
    if not judged.cue_support or not judged.coherence:
        return "cue-weak"
    if not judged.alignment:
        return "capability-wrong"
    said = {answer.status for answer in view.answers} - {"answered"}
    return f"answers-{max(said, default='disagree')}"


def _reference(item: Item) -> str:
    return "\n".join(option.text for option in item.options if option.id in item.answer) or item.answer_text


def _reader(item: Item, answer: Answer) -> Reader:
    if answer.status != "answered":
        return Reader(f"says that it is {answer.status}", answer.reason)
    texts = {option.id: option.text for option in item.options}
    return Reader("; ".join(texts[name] for name in answer.ids) or answer.text, answer.reason)


class Derived(Said):
    """What a model finds true."""

    true: list[str]
    possible: list[str] = Field(default_factory=list)
    proof: Line = ""


class ModelAdjudicator:
    """Decides what is true of a scene of a story from the story alone; it sees no proposal."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking

    async def adjudicate(self, view: AdjudicatorView) -> Adjudication:
        await self.asking.look(view.video)
        said = (await self.asking.ask(self._request(view), Derived, 0)).value
        if said is None:
            return Adjudication(true=(), proof="the adjudicator's reply could not be read")
        ids = {letter: option.id for letter, option in lettered(view.options).items()}
        true, possible = (
            tuple(sorted({ids[name] for one in letters if (name := one.strip().upper()) in ids}))
            for letters in (said.true, said.possible)
        )
        return Adjudication(true=true, possible=tuple(one for one in possible if one not in true), proof=said.proof)

    def prompt(self, view: AdjudicatorView) -> bytes | None:
        return canonical(self._request(view))

    def _request(self, view: AdjudicatorView) -> Request:
        own = self.asking.template
        noted: tuple[Part, ...] = (part(own, "cues", cues=view.cues),) if view.cues else ()
        user = (
            *self.asking.scene(view.background, view.transcript, video=view.video),
            *noted,
            *question(own, view.question, lettered(view.options)),
        )
        return self.asking.request({}, user, Derived, view.capability)
