"""The recognition probe: does a model know which work a clip is from? Accuracy can be split by it.

It is shown what the condition `full` shows, and neither question nor options.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..llm.lenient import values
from ..prompts.compose import part
from ..prompts.loader import Template, load
from ..schemas.base import sha256
from ..schemas.call import Message, Reply, Request
from ..schemas.release import ModelInput
from .clean import visible
from .conditions import RECOGNITION, Condition
from .film import Material
from .parse import ParsedAnswer
from .prompt import Asked, Transcripts, lines_of, shown_scene
from .prompt import template as evaluate_template

PARAMETERS: Mapping[str, Any] = {"max_tokens": 128, "temperature": 0}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"work": {"type": ["string", "null"]}},
    "required": ["work"],
    "additionalProperties": False,
}
UNKNOWN = frozenset({"", "null", "none", "unknown", "n/a", "no", "not recognised", "not recognized"})


def template() -> Template:
    """The probe's own instructions, with the scene as every other request lays it out."""
    own, shared = load(RECOGNITION), evaluate_template()
    both = sha256(f"{own.sha256} {shared.sha256}".encode())
    return replace(own, sha256=both, parts={**shared.parts, **own.parts})


def ask(
    item: ModelInput, transcripts: Transcripts, model: str, condition: Condition, template: Template, got: Material
) -> Asked:
    """The request for one record. Raises `UsageError` where its transcript is missing."""
    lines = lines_of(item, transcripts) if got.words else ()
    shown = tuple(shown_scene(item, lines, condition, template, got))
    request = Request(
        model=model,
        prompt_id=template.id,
        prompt_sha256=template.sha256,
        messages=(
            Message(role="system", parts=(part(template, "instructions"),)),
            Message(role="user", parts=shown),
        ),
        answer_schema=dict(SCHEMA),
        parameters=dict(PARAMETERS),
    )
    return Asked(request, request.sha256, {}, item.format, got.media, read)


def read(reply: Reply) -> ParsedAnswer:
    """`answered` where a work is named; `no_answer` where none is, whether or not that is said."""
    if reply.status == "refusal":
        return ParsedAnswer((), "refusal", "provider")
    if work_named(reply.text):
        return ParsedAnswer((), "answered", "work named")
    if reply.status == "truncated" or visible(reply.text).cut:
        return ParsedAnswer((), "truncated", "provider")
    return ParsedAnswer((), "no_answer", "not recognised")


def work_named(reply: str) -> str:
    """The work that a reply names; empty where it names none, or is not what was asked for."""
    found = [value for value in values(visible(reply).text) if isinstance(value, dict) and "work" in value]
    work = found[-1]["work"] if found else None
    said = str(work).strip() if isinstance(work, str) else ""
    return "" if said.casefold().strip(" .") in UNKNOWN else said
