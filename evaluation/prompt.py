"""The closed-world prompt: a record of a release becomes the exact request that every model is sent.

Options are shown under letters, in an order that follows from the permutation seed and the item's id alone. Each part
of the request carries a label (`transcript`, `question`, `option:A`), so that a rule can look at it as a model does.
"""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from ..errors import UsageError
from ..prompts.loader import Template, load
from ..schemas.base import shown_order
from ..schemas.call import Message, Part, Reply, Request
from ..schemas.clip import TranscriptLine
from ..schemas.item import Option
from ..schemas.release import ModelInput
from .conditions import Condition
from .parse import ParsedAnswer, parse_answer

PROMPT_ID = "evaluate"
OPTION = "option:"
PARAMETERS: Mapping[str, Any] = {"max_tokens": 768, "temperature": 0}

Transcripts = Mapping[str, Sequence[TranscriptLine]]
"""Lines by media path, as the records name it."""


class Asked(NamedTuple):
    """A request and what its letters stand for."""

    request: Request
    input_sha256: str
    letters: Mapping[str, Option]
    """By letter, in the order shown."""
    multiple: bool

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(option.id for option in self.letters.values())

    def read(self, reply: Reply) -> ParsedAnswer:
        """What a reply to this request chooses, as option ids in ascending order."""
        return read(reply, self.letters, self.multiple)


def template() -> Template:
    return load(PROMPT_ID)


def ask(
    item: ModelInput, transcripts: Transcripts, *, model: str, condition: Condition, seed: int, template: Template
) -> Asked:
    """The request for one record. Raises `UsageError` where its transcript is missing, or it is no choice question."""
    letters = in_letters(item, shown_order(seed, item.id, (option.id for option in item.options)))
    multiple = item.format == "multiple"
    system = _part(template, "instructions", multiple=multiple)
    request = Request(
        model=model,
        prompt_id=template.id,
        prompt_sha256=template.sha256,
        messages=(
            Message(role="system", parts=(system,)),
            Message(role="user", parts=tuple(_parts(item, transcripts, condition, letters, template))),
        ),
        answer_schema=_schema(list(letters), multiple),
        parameters=dict(PARAMETERS),
    )
    return Asked(request, request.sha256, letters, multiple)


def in_letters(item: ModelInput, shown: Sequence[str]) -> dict[str, Option]:
    """The item's options by letter, in the order shown."""
    if item.format == "open":
        raise UsageError(f"item {item.id} is an open question: its replies need a judge, which is not there yet")
    if len(item.options) > len(ascii_uppercase):
        raise UsageError(f"item {item.id} has {len(item.options)} options; at most 26 can be lettered")
    by_id = {option.id: option for option in item.options}
    if sorted(shown) != sorted(by_id):
        raise UsageError(f"item {item.id}: shown {', '.join(shown)}, but its options are {', '.join(by_id)}")
    return {letter: by_id[option] for letter, option in zip(ascii_uppercase, shown, strict=False)}


def read(reply: Reply, letters: Mapping[str, Option], multiple: bool) -> ParsedAnswer:
    """A reply read in letters and given as option ids. What a provider cut or refused counts as that, unless an
    answer stands in it all the same."""
    parsed = parse_answer(reply.text, {letter: option.text for letter, option in letters.items()}, multiple=multiple)
    if reply.status == "refusal":
        return ParsedAnswer((), "refusal", "provider")
    if reply.status == "truncated" and parsed.status in ("no_answer", "ambiguous"):
        return ParsedAnswer((), "truncated", "provider")
    return parsed._replace(ids=tuple(sorted(letters[letter].id for letter in parsed.ids)))


def content_of(request: Request, label: str) -> str:
    """What a part holds below its heading; empty where the request has no such part."""
    found = next((part.text for part in _labelled(request) if part.label == label), "")
    return found.partition("\n\n")[2]


def options_of(request: Request) -> tuple[Option, ...]:
    """The options of a request in the order shown; their ids are the letters."""
    found = [(part.label.removeprefix(OPTION), part.text) for part in _labelled(request) if part.label[:7] == OPTION]
    return tuple(Option(id=letter, text=text.removeprefix(f"{letter}. ")) for letter, text in found)


def _parts(
    item: ModelInput, transcripts: Transcripts, condition: Condition, letters: Mapping[str, Option], template: Template
) -> Iterator[Part]:
    if condition.scene:
        if item.background:
            yield _part(template, "background", background=item.background)
        if item.clip.media not in transcripts:
            raise UsageError(f"item {item.id}: there is no transcript {item.clip.media}")
        yield _part(template, "transcript", transcript=transcripts[item.clip.media])
        if item.history:
            yield _part(template, "history", history=item.history)
    yield _part(template, "question", question=item.question)
    for letter, option in letters.items():
        text = template.render_part("option", letter=letter, text=option.text)
        yield Part(label=f"{OPTION}{letter}", text=text)


def _part(template: Template, name: str, **variables: object) -> Part:
    return Part(label=name, text=template.render_part(name, **variables))


def _schema(letters: list[str], multiple: bool) -> dict[str, Any]:
    one: dict[str, Any] = {"type": "string", "enum": letters}
    several = {"type": "array", "items": one, "minItems": 1, "uniqueItems": True}
    return {
        "type": "object",
        "properties": {"answer": several if multiple else one},
        "required": ["answer"],
        "additionalProperties": False,
    }


def _labelled(request: Request) -> Iterator[Part]:
    return (part for message in request.messages for part in message.parts)
