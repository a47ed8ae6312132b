"""Who proposes an item whose label no code derives: from the clip's public form and the cues in it, a candidate.

The Question agent does it for videos and transcripts, the Generator for stories, whose cues tell what comes afterwards.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Protocol, Self

from pydantic import BeforeValidator, Field, create_model, model_validator

from ..prompts.compose import part
from ..schemas.base import canonical, digest
from ..schemas.call import Part, Request
from ..schemas.item import Candidate, Cited, Format, Trap
from ..schemas.view import ProposeView
from .asking import Asking, Line, Said

MOST_CUES = 12
"""More than any answer rests on: a small model may begin to list and never end."""
TRAPS: tuple[Trap, ...] = ("visual_shortcut", "knowledge_prior", "logic", "wrong_branch", "none")


class Proposing(Protocol):
    async def propose(self, view: ProposeView, sample: int) -> Candidate | None:
        """A candidate; None where the model gave none that can be read."""

    def prompt(self, view: ProposeView) -> bytes | None: ...


def _trap(said: object) -> object:
    return said if said in TRAPS else "none"


def _line(said: object) -> object:
    """`7`, `line 7`, `L7` and 7 name the same line; 0 and null none."""
    if said in (None, 0, "0"):
        return ""
    text = str(said).strip().lower().removeprefix("line").removeprefix("l").strip(" .:")
    return text.upper()


class SaidOption(Said):
    text: Line = Field(min_length=1)
    right: bool
    trap: Annotated[Trap, BeforeValidator(_trap)] = "none"


class SaidCue(Said):
    line: Annotated[str, BeforeValidator(_line)]
    quote: Line


class SaidQuestion(Said):
    """What is common to all formats."""

    question: Line = Field(min_length=1)
    cues: list[SaidCue] = Field(max_length=MOST_CUES)
    rationale: Line


class Choice(SaidQuestion):
    """A question with options."""

    options: list[SaidOption]

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        if len({option.text for option in self.options}) < len(self.options):
            raise ValueError("two options have the same text")
        return self


class Single(Choice):
    @model_validator(mode="after")
    def _one_right(self) -> Self:
        if (right := sum(option.right for option in self.options)) != 1:
            raise ValueError(f"{right} options are right; exactly one has to be")
        return self


class Multiple(Choice):
    @model_validator(mode="after")
    def _some_right(self) -> Self:
        right = sum(option.right for option in self.options)
        if not 2 <= right < len(self.options):
            raise ValueError(f"{right} of {len(self.options)} options are right; two or more have to be, and not all")
        return self


class Open(SaidQuestion):
    answer: Line = Field(min_length=1)


CHOICES: Mapping[str, type[Choice]] = {"single": Single, "multiple": Multiple}


@cache
def said_as(format: Format, fewest: int, most: int) -> type[SaidQuestion]:
    """The reply that is asked for: with options, from `fewest` to `most` of them."""
    if format == "open":
        return Open
    base = CHOICES[format]
    return create_model(
        base.__name__, __base__=base, options=(list[SaidOption], Field(min_length=fewest, max_length=most))
    )


class ModelProposing:
    """The `llm` policy. `options` has the fewest and most of each capability."""

    def __init__(self, asking: Asking, options: Mapping[str, tuple[int, int]]) -> None:
        self.asking, self.options = asking, options

    async def propose(self, view: ProposeView, sample: int) -> Candidate | None:
        await self.asking.look(view.video)
        said = (await self.asking.ask(self._request(view), self._kind(view), sample)).value
        return None if said is None else candidate(said, view)

    def prompt(self, view: ProposeView) -> bytes | None:
        return canonical(self._request(view))

    def _kind(self, view: ProposeView) -> type[SaidQuestion]:
        return said_as(view.format, *self.options[view.coordinate.capability])

    def _request(self, view: ProposeView) -> Request:
        fewest, most = self.options[view.coordinate.capability]
        back = view.candidate if view.feedback else None
        instructions = {
            "format": view.format,
            "fewest": fewest,
            "most": most,
            "history": bool(view.history),
            "revised": back is not None,
        }
        user = (*self.asking.scene(view.background, view.transcript, view.history, view.video), *self._beside(view))
        return self.asking.request(instructions, user, self._kind(view), view.coordinate.capability)

    def _beside(self, view: ProposeView) -> tuple[Part, ...]:
        own = self.asking.template
        noted = (part(own, "cues", cues=view.cues),) if view.cues else ()
        if view.feedback is None:
            return noted
        said = part(own, "feedback", feedback=view.feedback)
        if view.candidate is None:
            return (*noted, said)
        return (*noted, part(own, "earlier", candidate=canonical(view.candidate).decode()), said)


def candidate(said: SaidQuestion, view: ProposeView) -> Candidate:
    """What was said as a record, its options in an order that says nothing of which is right."""
    known = {
        "question": said.question,
        "format": view.format,
        "cues": tuple(Cited(line=cue.line, quote=cue.quote) for cue in said.cues),
        "rationale": said.rationale,
    }
    if isinstance(said, Open):
        return Candidate(**known, answer=(said.answer,))
    assert isinstance(said, Choice)
    options = sorted(said.options, key=lambda option: digest(view.slot_id, option.text))
    return Candidate(
        **known,
        options=tuple(option.text for option in options),
        answer=tuple(option.text for option in options if option.right),
        traps={option.text: option.trap for option in options if not option.right},
    )
