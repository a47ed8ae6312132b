"""How every agent that is a model asks: one template, one schema, one correction, and the exact bytes for the log.

An agent is a view turned into parts, and a reply turned into a record; what lies between stands here.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from ..knowledge.loader import Guide
from ..llm.gateway import Gateway
from ..llm.structured import Structured, ask, schema_of
from ..prompts.compose import film, part
from ..prompts.loader import Template, from_bytes, load
from ..schemas.base import digest
from ..schemas.call import Message, Part, Request
from ..schemas.clip import TranscriptLine, VideoSpan
from ..schemas.response import Shown

SCENE = "scene"
"""The prompt whose parts lay out scene, question and correction for every agent."""
PARAMETERS: Mapping[str, Any] = {"temperature": 0.2, "max_tokens": 1536}

Show = Callable[[VideoSpan], tuple[Shown, ...]]
"""The pictures and sound of a clip, in the forms that the model takes; the same bytes for the same span."""
T = TypeVar("T", bound="Said")


def _all_required(schema: dict[str, Any]) -> None:
    schema["required"] = list(schema.get("properties", {}))


class Said(BaseModel):
    """Base of what a model is asked to say. Every key is asked for, as strict schema modes want it; one that has a
    default may be left out all the same, and unknown ones are let pass."""

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_extra=_all_required)


def _on_one_line(said: object) -> object:
    return " ".join(said.split()) if isinstance(said, str) else said


Line = Annotated[str, BeforeValidator(_on_one_line)]
"""Text that a model says, on one line: it may become material of another prompt, or of a release."""


def fenced(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Material between two lines with a code that follows from all of it, so that nothing in it can know the code."""
    mark = digest("fence", *(part.text or part.media_sha256 or "" for part in parts))[:12]
    return (Part(label="begin", text=f"<<< {mark}"), *parts, Part(label="end", text=f">>> {mark}"))


def blind(span: VideoSpan) -> tuple[Shown, ...]:
    """What is shown to a model that takes text alone."""
    return ()


def template(prompt_id: str) -> Template:
    """An agent's own prompt, together with the parts that all agents share; known by the hash of both."""
    return from_bytes(prompt_id, f"{load(prompt_id).text}\n{load(SCENE).text}".encode())


@dataclass(frozen=True)
class Asking:
    """One model in one role."""

    gateway: Gateway
    model: str
    template: Template
    role: str
    show: Show = blind
    guides: Mapping[str, Guide] = field(default_factory=dict)
    """What is told of each capability whose items no code derives."""
    parameters: Mapping[str, Any] = field(default_factory=lambda: PARAMETERS)

    def request(
        self, instructions: Mapping[str, object], user: Iterable[Part], into: type[Said], capability: str = ""
    ) -> Request:
        """The exact request: the template's part `instructions` filled in, the guide of a capability that has one, and
        the user's parts, all of which are material, between two lines that none of them can hold."""
        guide = self.guides.get(capability)
        guided = (part(self.template, "guide", guide=guide),) if guide else ()
        # A template that was kept from an earlier version is replayed as it was.
        told = (part(self.template, "fence"),) if "fence" in self.template.parts else ()
        material = fenced(tuple(user)) if told else tuple(user)
        return Request(
            model=self.model,
            prompt_id=self.template.id,
            prompt_sha256=self.template.sha256,
            messages=(
                Message(role="system", parts=(part(self.template, "instructions", **instructions), *guided, *told)),
                Message(role="user", parts=material),
            ),
            answer_schema=schema_of(into),
            parameters=dict(self.parameters),
        )

    async def ask(self, request: Request, into: type[T], sample: int) -> Structured[T]:
        """What came of it; at most one correction, which shows the model's own reply and what was wrong with it."""
        return await ask(self.gateway, request, into, sample=sample, role=self.role, correction=self.correction)

    def correction(self, problem: str) -> str:
        return self.template.render_part("correction", problem=problem)

    async def look(self, video: VideoSpan | None) -> None:
        """Have the film of a clip cut before a request needs it, so that other calls go on meanwhile."""
        if video is not None and self.show is not blind:
            await asyncio.to_thread(self.show, video)

    def film(self, video: VideoSpan | None) -> tuple[Part, ...]:
        return () if video is None else tuple(film(self.template, self.show(video)))

    def scene(
        self,
        background: str,
        transcript: Sequence[TranscriptLine],
        history: Sequence[str] = (),
        video: VideoSpan | None = None,
    ) -> Iterator[Part]:
        """What an item is about, its lines numbered so that they can be cited."""
        if background:
            yield part(self.template, "background", background=background)
        if history:
            yield part(self.template, "numbered-history", history=history)
        yield from self.film(video)
        if transcript:
            yield part(self.template, "numbered", transcript=transcript)
