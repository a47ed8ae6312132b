"""The Answer agent: answers the public view, and nothing else reaches it.

`rules` reads surface cues only (the option most like the transcript); what it hits is held at chance by a quota and
counts for nothing else. `llm` asks a model through the gateway.
"""

from typing import Protocol

from ..narrative.words import content_words
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
