"""The Critic compares the proposed path, the answering path and the story, and decides on a round.

It never speaks to the Answer agent. Its code and message go to the proposing side and the log.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

from ..schemas.grounding import Claim
from ..schemas.view import Adjudication, CriticView, Verdict

LAST_ROUND = 2
LONGEST_QUESTION = 48
"""Words; a longer question is sent back for another wording."""
FEWEST_LINES = 3
"""Lines that a clip must tell before its decision, to show any cue at all."""


class Critic(Protocol):
    async def judge(self, view: CriticView) -> Verdict: ...


Answerability = Literal["answerable", "unknown", "ambiguous", "unsupported"]
NO_LABEL = Adjudication(true=(), proof="no label was re-derived")


class Fault(NamedTuple):
    """What is wrong, and what should become of it."""

    decision: Literal["revise", "re-examine", "discard"]
    code: str
    message: str
    defect: Literal["proposal", "reasoning"] = "proposal"
    route: Literal["generator", "question"] = "generator"


class RulesCritic:
    """Accepts what the story proves and a person can read: items with a recipe.

    `claims` is the claim of each capability; `answers_count` is False for a `rules` Answer, which is no evidence.
    """

    def __init__(self, claims: Mapping[str, Claim | None], *, answers_count: bool) -> None:
        self.claims, self.answers_count = claims, answers_count

    async def judge(self, view: CriticView) -> Verdict:
        label = view.adjudication or NO_LABEL
        fault = self._fault(view, label)
        return verdict(
            view.round,
            fault,
            answerability=self._answerability(view),
            cue_support=_cues(view),
            coherence=not label.possible,
            alignment=self._aligned(view),
            agreement=label.true == view.item.answer,
        )

    def _fault(self, view: CriticView, label: Adjudication) -> Fault | None:
        if label.true != view.item.answer:
            return Fault("discard", "label-not-rederived", label.proof)
        if label.possible:
            return Fault("discard", "foil-possible", ", ".join(label.possible))
        if not self._aligned(view):
            return Fault("discard", "capability-not-aligned", f"another claim than that of {view.item.capability}")
        if not _cues(view):
            return Fault("discard", "no-cues", f"the clip tells fewer than {FEWEST_LINES} lines")
        return _wording(view) or (self._unanswered(view) if self.answers_count else None)

    def _aligned(self, view: CriticView) -> bool:
        return view.item.recipe is not None and self.claims.get(view.item.capability) == view.item.recipe.claim

    def _unanswered(self, view: CriticView) -> Fault | None:
        """At least two of three independent runs must choose the key."""
        if self._answerability(view) == "answerable":
            return None
        unsure = [answer.status for answer in view.answers if answer.status != "answered"]
        if len(unsure) * 2 > len(view.answers):
            return Fault("revise", f"answers-{unsure[0]}", f"{len(unsure)} of {len(view.answers)} runs")
        return Fault("re-examine", "answers-disagree", "fewer than 2 of 3 runs choose the key", "reasoning")

    def _answerability(self, view: CriticView) -> Answerability:
        return answerability(view) if self.answers_count else "unknown"


def verdict(
    round: int,
    fault: Fault | None,
    *,
    answerability: Answerability,
    cue_support: bool,
    coherence: bool,
    alignment: bool,
    agreement: bool,
) -> Verdict:
    """What comes of a fault in a round: after the last one there is no mending."""
    decision = fault.decision if fault else "accept"
    return Verdict(
        decision="discard" if fault and round >= LAST_ROUND else decision,
        answerability=answerability,
        cue_support=cue_support,
        coherence=coherence,
        alignment=alignment,
        agreement=agreement,
        defect=fault.defect if fault else "none",
        route=fault.route if fault else "generator",
        code=fault.code if fault else "accepted",
        message=fault.message if fault else "",
    )


def answerability(view: CriticView) -> Answerability:
    """What the runs that count say of a question with options: two of three must choose the key."""
    if not view.answers:
        return "unknown"
    agree = sum(answer.ids == view.item.answer for answer in view.answers)
    if agree * 3 >= len(view.answers) * 2:
        return "answerable"
    statuses = {answer.status for answer in view.answers}
    return "unsupported" if "unsupported" in statuses else "ambiguous"


def _cues(view: CriticView) -> bool:
    return sum(line.kind == "line" for line in view.transcript) >= FEWEST_LINES


def _wording(view: CriticView) -> Fault | None:
    """Faults of wording, which the Question agent mends."""
    words = len(view.item.question.split())
    if words > LONGEST_QUESTION:
        return Fault("revise", "question-long", f"{words} words", route="question")
    rough = [option.id for option in view.item.options if rough_text(option.text)]
    return Fault("revise", "option-typography", ", ".join(rough), route="question") if rough else None


def rough_text(text: str) -> bool:
    """Whether quotes are straight or unbalanced, blanks doubled, or a dash stands for a hyphen."""
    return bool(re.search(r"\"|\s\s|(?<=[a-z])—(?=[a-z])", text)) or text.count("“") != text.count("”")
