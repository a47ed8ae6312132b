"""The Answer agent: answers the public view, and nothing else reaches it.

`rules` reads surface cues only (the option most like the transcript); what it hits is held at chance by a quota and
counts for nothing else. `llm` asks a model, which may see the clip's film as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, Protocol, Self

from pydantic import Field, create_model, model_validator

from ..llm.gateway import Gateway
from ..llm.structured import corrected, read
from ..narrative.words import content_words
from ..prompts.compose import lettered, question, scene
from ..schemas.base import canonical, digest
from ..schemas.call import Reply, Request
from ..schemas.item import Format, Option
from ..schemas.view import Answer, AnswerView
from .asking import Asking, Line, Said, Show, blind, template

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
        if not view.options:
            return Answer(ids=(), status="unsupported", shown=())
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


def asking(gateway: Gateway, model: str, show: Show = blind) -> Asking:
    """How a model plays this role. It is told of no capability: what a question asks for stands in the question."""
    return Asking(gateway, model, template(PROMPT_ID), "answer", show, parameters=PARAMETERS)


class Answered(Said):
    """What the Answer agent says. `answer` is a letter, letters, or words, as the question's format asks."""

    status: Literal["answered", "ambiguous", "unsupported"]
    answer: Any = None
    reason: Line | None = None

    @model_validator(mode="after")
    def _chooses(self) -> Self:
        if self.status == "answered" and not self.answer:
            raise ValueError("status answered needs an answer; without one say ambiguous or unsupported")
        return self


class ModelAnswering:
    """The `llm` policy: a conversation of its own each run. What is no answer even after a correction counts as
    unsupported, and is counted by the meter."""

    counts = True

    def __init__(self, asking: Asking) -> None:
        self.asking = asking

    async def answer(self, view: AnswerView, *, sample: int) -> Answer:
        letters = lettered(view.options)
        await self.asking.look(view.video)
        came = await self.asking.ask(self._request(view), answered(tuple(letters), view.format), sample)
        return _read(came.value, letters, view.format)

    def prompt(self, view: AnswerView) -> bytes | None:
        return canonical(self._request(view))

    def corrections(self, view: AnswerView, replies: Iterable[Reply]) -> Iterator[bytes]:
        """The exact bytes of the correction that each reply would be followed by; none where it can be read."""
        request = self._request(view)
        for reply in replies:
            value, problem = read(reply, answered(tuple(lettered(view.options)), view.format))
            if value is None:
                yield canonical(corrected(request, reply, self.asking.correction(problem)))

    def _request(self, view: AnswerView) -> Request:
        own, letters = self.asking.template, lettered(view.options)
        user = (
            *scene(own, view.background, view.transcript, view.history),
            *self.asking.film(view.video),
            *question(own, view.question, letters),
        )
        return self.asking.request({"format": view.format}, user, answered(tuple(letters), view.format))


@cache
def answered(letters: tuple[str, ...], format: Format) -> type[Answered]:
    """The reply that a question with these letters asks for."""
    one = Literal[letters] if letters else str
    kinds: dict[Format, Any] = {"single": one, "multiple": list[one], "open": str}  # type: ignore[valid-type]
    return create_model(
        "Answered", __base__=Answered, answer=(kinds[format] | None, Field(...)), reason=(Line | None, Field(None))
    )


def _read(said: Answered | None, letters: Mapping[str, Option], format: Format) -> Answer:
    shown = tuple(option.id for option in letters.values())
    if said is None:
        return Answer(ids=(), status="unsupported", shown=shown)
    reason = said.reason or ""
    if said.status != "answered":
        return Answer(ids=(), status=said.status, shown=shown, reason=reason)
    if format == "open":
        return Answer(ids=(), status="answered", shown=shown, text=" ".join(str(said.answer).split()), reason=reason)
    chosen: Sequence[str] = [said.answer] if isinstance(said.answer, str) else said.answer
    ids = tuple(sorted({letters[letter].id for letter in chosen}))
    return Answer(ids=ids, status="answered", shown=shown, reason=reason)
