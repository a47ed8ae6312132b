"""The Answer agent: answers the public view, and nothing else reaches it.

`rules` reads surface cues only (the option most like the transcript); what it hits is held at chance by a quota and
counts for nothing else. `llm` asks a model through the gateway.
"""

from typing import Protocol

from ..llm.gateway import Gateway
from ..narrative.words import content_words
from ..prompts.loader import Template
from ..prompts.messages import Asked, ask
from ..schemas.base import digest
from ..schemas.view import Answer, AnswerView


class Answering(Protocol):
    """One run: a fresh conversation with its own option order."""

    counts: bool
    """Whether agreement with the key is evidence of answerability."""

    async def answer(self, view: AnswerView, *, sample: int) -> Answer: ...

    def prompt(self, view: AnswerView) -> bytes | None:
        """The exact bytes a model is sent; None where the view itself is all there is."""


class SurfaceReader:
    """The `rules` policy."""

    counts = False

    async def answer(self, view: AnswerView, *, sample: int) -> Answer:
        told = content_words(" ".join(line.text for line in view.transcript))
        best = max(
            view.options,
            key=lambda o: (_share(content_words(o.text), told), digest(view.item_id, o.id, "surface")),
        )
        return Answer(ids=(best.id,), status="answered", shown=tuple(o.id for o in view.options))

    def prompt(self, view: AnswerView) -> bytes | None:
        return None


def _share(words: frozenset[str], told: frozenset[str]) -> float:
    return len(words & told) / len(words) if words else 0.0


class ModelAnswering:
    """The `llm` policy: one call a run, read by its schema."""

    counts = True

    def __init__(self, gateway: Gateway, model: str, template: Template) -> None:
        self.gateway, self.model, self.template = gateway, model, template

    async def answer(self, view: AnswerView, *, sample: int) -> Answer:
        asked = self._ask(view)
        reply = await self.gateway.complete(asked.request, sample=sample, role="answer")
        return asked.read(reply)

    def prompt(self, view: AnswerView) -> bytes | None:
        return self._ask(view).request_bytes

    def _ask(self, view: AnswerView) -> Asked:
        return ask(view, self.model, self.template)
