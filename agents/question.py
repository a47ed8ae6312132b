"""The Question agent, on grounded items: another wording, and options mended as text. It sees no label."""

import re
from typing import NamedTuple, Protocol

from ..knowledge.loader import Questions
from ..schemas.view import QuestionView
from .phrases import typeset


class Rewording(NamedTuple):
    question: str
    wording: int
    options: dict[str, str]
    """New text of each option, by its old text."""


class Questioning(Protocol):
    async def reword(self, view: QuestionView, attempt: int) -> Rewording:
        """Another wording; `attempt` counts those of this round that the gates refused."""


class RulesQuestion:
    """Takes the next template where the question is at fault, and repairs typography where an option is."""

    def __init__(self, questions: Questions) -> None:
        self.questions = questions

    async def reword(self, view: QuestionView, attempt: int) -> Rewording:
        options = {text: repaired(text) for text in view.options}
        if view.feedback.code == "option-typography" or not view.frame:
            return Rewording(view.question, view.wording, options)
        wording = view.wording + 1 + attempt
        return Rewording(render(self.questions, view.frame, wording), wording, options)


def render(questions: Questions, frame: dict[str, str], wording: int) -> str:
    """The question in one of its claim's wordings; after the last comes the first again."""
    templates: tuple[str, ...] = getattr(questions, frame["claim"])
    text = templates[wording % len(templates)].format(**frame)
    return text[:1].upper() + text[1:]


def repaired(text: str) -> str:
    """Curly balanced quotes, single blanks, hyphens inside words."""
    text = typeset(re.sub(r"(?<=[a-z])—(?=[a-z])", "-", text))
    missing = text.count("“") - text.count("”")
    return text + "”" if missing == 1 else "“" + text if missing == -1 else text
