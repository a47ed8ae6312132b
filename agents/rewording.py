"""The Question agent as a model: it words anew the derived items that come back, and sees no label of theirs."""

from pydantic import Field

from ..prompts.compose import part
from ..schemas.base import canonical
from ..schemas.call import Request
from ..schemas.view import QuestionView
from .asking import Asking, Said
from .question import Questioning, Rewording


class Reworded(Said):
    question: str = Field(min_length=1)
    options: list[str]


class ModelQuestion:
    """The `llm` policy. What cannot be read, or has other options than were given, is left to the rules."""

    def __init__(self, asking: Asking, rules: Questioning) -> None:
        self.asking, self.rules = asking, rules

    async def reword(self, view: QuestionView, attempt: int) -> Rewording:
        said = (await self.asking.ask(self._request(view), Reworded, attempt)).value
        texts = [text.strip() for text in said.options] if said else []
        if said is None or len(texts) != len(view.options) or len({*texts, ""}) <= len(view.options):
            return await self.rules.reword(view, attempt)
        question = " ".join(said.question.split())
        return Rewording(question, view.wording, dict(zip(view.options, texts, strict=True)))

    def prompt(self, view: QuestionView) -> bytes | None:
        return canonical(self._request(view))

    def _request(self, view: QuestionView) -> Request:
        own = self.asking.template
        user = (
            part(own, "draft", question=view.question, options=view.options),
            part(own, "feedback", feedback=view.feedback),
        )
        return self.asking.request({}, user, Reworded)
