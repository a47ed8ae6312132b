"""The Answer agent: answers the public view, and nothing else reaches it.

`rules` reads surface cues only (the option most like the transcript); what it hits is held at chance by a quota and
counts for nothing else. `llm` asks a model through the gateway.
"""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from ..llm.gateway import Gateway
from ..narrative.words import content_words
from ..prompts.compose import lettered, part, question, scene
from ..prompts.loader import Template
from ..schemas.base import canonical, digest
from ..schemas.call import Message, Reply, Request
from ..schemas.item import Option
from ..schemas.view import Answer, AnswerView

PROMPT_ID = "answer"
PARAMETERS: Mapping[str, Any] = {"temperature": 0.2, "max_tokens": 512}


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
    """The `llm` policy: one call a run. A reply that is not the object asked for counts as unsupported."""

    counts = True

    def __init__(self, gateway: Gateway, model: str, template: Template) -> None:
        self.gateway, self.model, self.template = gateway, model, template

    async def answer(self, view: AnswerView, *, sample: int) -> Answer:
        reply = await self.gateway.complete(self._request(view), sample=sample, role="answer")
        return _read(reply, lettered(view.options))

    def prompt(self, view: AnswerView) -> bytes | None:
        return canonical(self._request(view))

    def _request(self, view: AnswerView) -> Request:
        letters = lettered(view.options)
        user = (
            *scene(self.template, view.background, view.transcript, view.history),
            *question(self.template, view.question, letters),
        )
        return Request(
            model=self.model,
            prompt_id=self.template.id,
            prompt_sha256=self.template.sha256,
            messages=(
                Message(role="system", parts=(part(self.template, "instructions"),)),
                Message(role="user", parts=user),
            ),
            answer_schema=_schema(list(letters)),
            parameters=dict(PARAMETERS),
        )


def _schema(letters: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "status": {"enum": ["answered", "ambiguous", "unsupported"]},
            "answer": {"enum": [*letters, None]},
        },
        "required": ["status", "answer"],
        "additionalProperties": False,
    }


def _read(reply: Reply, letters: Mapping[str, Option]) -> Answer:
    shown = tuple(option.id for option in letters.values())
    try:
        said = json.loads(reply.text)
    except (ValueError, RecursionError):
        said = None
    status, letter = (said.get("status"), said.get("answer")) if isinstance(said, dict) else (None, None)
    if status == "answered" and isinstance(letter, str) and letter in letters:
        return Answer(ids=(letters[letter].id,), status="answered", shown=shown)
    return Answer(ids=(), status="ambiguous" if status == "ambiguous" else "unsupported", shown=shown)
