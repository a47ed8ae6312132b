"""What a judge is asked: one reply under one rubric, with no more of the item than the rubric's role may see.

A view is all that a judge is shown, and it is built from the fields that the role's classes allow. Everything that a
person or a model wrote stands in a fence whose code is a digest of the piece itself, so that no piece can close its
own; it is never put among the instructions.
"""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from ..errors import IsolationError, UsageError
from ..prompts.loader import Template, joined, load
from ..schemas.base import Record, content_hash, digest, fields_of
from ..schemas.call import Message, Part, Request
from ..schemas.clip import TranscriptLine
from ..schemas.item import Option
from ..schemas.judge import (
    DsaVerdict,
    EvidenceVerdict,
    HsaVerdict,
    LogicVerdict,
    ModalityVerdict,
    OpenVerdict,
    Rubric,
    TraceStep,
)
from ..schemas.release import KeyRow, ModelInput
from ..schemas.response import Response
from ..schemas.view import ROLE_CLASSES, JudgeView, RubricView
from . import trace

PARAMETERS: Mapping[str, Any] = {"max_tokens": 1024, "temperature": 0}
LONGEST = 20_000
"""Characters of one piece of a reply that a judge is shown."""
CUT = "[… the rest is left out]"


class Kind(NamedTuple):
    """What a rubric asks for, and as which role."""

    role: Literal["judge", "rubric_judge"]
    verdict: type[Record]


KINDS: Mapping[Rubric, Kind] = MappingProxyType(
    {
        "open": Kind("judge", OpenVerdict),
        "evidence": Kind("judge", EvidenceVerdict),
        "logic": Kind("judge", LogicVerdict),
        "hsa": Kind("rubric_judge", HsaVerdict),
        "dsa": Kind("rubric_judge", DsaVerdict),
        "modality": Kind("rubric_judge", ModalityVerdict),
    }
)


class Piece(NamedTuple):
    """A part of the template and what it is filled with."""

    part: str
    variables: Mapping[str, object]


class Case(NamedTuple):
    """One reply to be judged."""

    item: str
    repeat: int
    reply_sha256: str
    view: RubricView
    judged: tuple[Piece, ...]
    steps: tuple[TraceStep, ...] = ()
    """Of `modality`: the whole trace."""
    beside: str = ""
    """The item that stands in, in the mismatch control."""


def template(rubric: Rubric) -> Template:
    return joined(load(f"judge_{rubric}"), load("judge"))


def rubric_view(item: ModelInput, transcript: Sequence[TranscriptLine], shown: Sequence[str]) -> RubricView:
    """What a judge of descriptions and steps sees: options under the letters that the model saw."""
    seen = _seen("rubric_judge", item)
    return RubricView(transcript=tuple(transcript), options=_options(item, shown), **_common(seen))


def judge_view(item: ModelInput, key: KeyRow, transcript: Sequence[TranscriptLine], shown: Sequence[str]) -> JudgeView:
    """What a judge of answers and rationales sees: the same, and of the key the answer and the cues it rests on.

    `key` may be another item's, in the control: its answer then stands there in words.
    """
    seen, reference = _seen("judge", item), _seen("judge", key)
    letters = {option: letter for letter, option in zip(ascii_uppercase, shown, strict=False)}
    own = tuple(sorted(letters[option] for option in reference["answer"])) if key.id == item.id else ()
    return JudgeView(
        transcript=tuple(transcript),
        options=_options(item, shown),
        answer=own,
        answer_text=reference["answer_text"],
        cues=reference["cues"],
        **_common(seen),
    )


def case(rubric: Rubric, item: ModelInput, response: Response, view: RubricView, beside: str = "") -> Case | None:
    """What there is to judge of a reply; None where the rubric finds nothing in it.

    `open`, `hsa` and `dsa` judge answered replies to open questions; `evidence` and `logic` the eight fields of
    answered replies; `modality` the traces of which a step has no tag.
    """
    steps: tuple[TraceStep, ...] = ()
    if rubric == "modality":
        steps = trace.steps(response.reply, [item.question, *(option.text for option in item.options)])
        found = [Piece("steps", {"steps": [_short(step.text) for step in steps]})]
        found = found if any(not step.tags for step in steps) else []
    elif response.status != "answered":
        found = []
    elif rubric in ("evidence", "logic"):
        found = list(_reasoned(item, response))
    else:
        found = list(_described(rubric, item, response))
    if not found:
        return None
    return Case(item.id, response.repeat, reply_hash(response), view, tuple(found), steps, beside)


def reply_hash(response: Response) -> str:
    return content_hash(response.reply)


def request(rubric: Rubric, case: Case, judge: str, texts: Template) -> Request:
    """The exact request for one case. Raises `IsolationError` for a view that holds more than the rubric may see."""
    if KINDS[rubric].role == "rubric_judge" and isinstance(case.view, JudgeView):
        raise IsolationError(f"rubric {rubric} is judged without the reference, and was handed one")
    material = [_fenced(texts, piece) for piece in (*_scene(rubric, case.view), *case.judged)]
    system = Part(label="instructions", text=texts.render_part("instructions"))
    close = Part(label="close", text=texts.render_part("close"))
    return Request(
        model=judge,
        prompt_id=texts.id,
        prompt_sha256=texts.sha256,
        messages=(Message(role="system", parts=(system,)), Message(role="user", parts=(*material, close))),
        parameters=dict(PARAMETERS),
    )


def _seen(role: Literal["judge", "rubric_judge"], record: Record) -> dict[str, Any]:
    """The fields of a record that the role's classes allow."""
    return {name: getattr(record, name) for name in fields_of(type(record), ROLE_CLASSES[role])}


def _common(seen: Mapping[str, Any]) -> dict[str, Any]:
    return {name: seen[name] for name in ("background", "question", "history")}


def _options(item: ModelInput, shown: Sequence[str]) -> tuple[Option, ...]:
    by_id = {} if item.format == "open" else {option.id: option.text for option in item.options}
    if strange := sorted(set(shown) ^ set(by_id)):
        raise UsageError(f"item {item.id}: a reply was shown options that are not the item's: {', '.join(strange)}")
    return tuple(Option(id=letter, text=by_id[name]) for letter, name in zip(ascii_uppercase, shown, strict=False))


def _reasoned(item: ModelInput, response: Response) -> Iterator[Piece]:
    fields = [(name, _short(text)) for name, text in trace.rationale(response.reply).items() if text]
    if not fields:
        return
    letters = {name: letter for letter, name in zip(ascii_uppercase, response.shown, strict=False)}
    answer = ", ".join(sorted(letters[name] for name in response.ids)) or _short(trace.answer_text(response.reply))
    yield Piece("answer", {"answer": answer})
    yield Piece("rationale", {"rationale": fields})


def _described(rubric: Rubric, item: ModelInput, response: Response) -> Iterator[Piece]:
    text = _short(trace.answer_text(response.reply))
    if item.format == "open" and text:
        yield Piece("answer", {"answer": text}) if rubric == "open" else Piece("description", {"description": text})


def _scene(rubric: Rubric, view: RubricView) -> Iterator[Piece]:
    """The item's side of the material; what is empty is left out."""
    if view.background:
        yield Piece("background", {"background": view.background})
    if view.transcript:
        yield Piece("transcript", {"transcript": view.transcript})
    if view.history:
        yield Piece("history", {"history": view.history})
    if rubric != "hsa":
        yield Piece("question", {"question": view.question, "options": view.options})
    if isinstance(view, JudgeView):
        yield Piece("reference", {"answer": view.answer, "answer_text": view.answer_text})
        if view.cues:
            yield Piece("cues", {"cues": view.cues})


def _fenced(texts: Template, piece: Piece) -> Part:
    """A part of the template with its body between two lines that carry a code which the body cannot hold."""
    heading, _, body = texts.render_part(piece.part, **piece.variables).partition("\n\n")
    mark = digest("fence", body)[:12]
    return Part(label=piece.part, text=texts.render_part("material", heading=heading, body=body, mark=mark))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} {CUT}"
