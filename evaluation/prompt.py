"""The closed-world prompt: a record of a release becomes the exact request that every model is sent.

Options are shown under letters, in an order that follows from the permutation seed and the item's id alone. Each part
of the request carries a label (`transcript`, `question`, `option:A`), so that a rule can look at it as a model does.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import UsageError
from ..prompts.compose import OPTION, film, lettered, part, question, scene
from ..prompts.loader import Template, load
from ..schemas.base import shown_order
from ..schemas.call import Message, Part, Reply, Request
from ..schemas.clip import TranscriptLine
from ..schemas.item import Format, Option
from ..schemas.judge import MODALITIES
from ..schemas.release import ModelInput
from ..schemas.response import Shown, Trace
from .clean import visible
from .conditions import Condition
from .film import Material
from .parse import ParsedAnswer, parse_answer
from .shots import Shot, answered, relabelled
from .trace import FIELDS, answer_text

PROMPT_ID = "evaluate"
PARAMETERS: Mapping[str, Any] = {"max_tokens": 768, "temperature": 0}

OWN = ("question", "film")
"""Labels of what is no material: the question, and the headings of media."""

Transcripts = Mapping[str, Sequence[TranscriptLine]]
"""Lines by media path, as the records name it."""


class Example(NamedTuple):
    """A worked example with what stands for its clip."""

    shot: Shot
    transcript: Sequence[TranscriptLine]
    material: Material


class Asked(NamedTuple):
    """A request and what its letters stand for."""

    request: Request
    input_sha256: str
    letters: Mapping[str, Option]
    """By letter, in the order shown; none for an open question."""
    format: Format
    media: tuple[Shown, ...] = ()
    """Files that it shows of the clip."""
    reader: Callable[[Reply], ParsedAnswer] | None = None
    """Reads replies that are no answers to the item's question."""

    @property
    def given(self) -> tuple[str, ...]:
        """Labels of what is shown beside question and options; pictures count once."""
        labels = dict.fromkeys(piece.label for piece in self.request.messages[-1].parts)
        return tuple(label for label in labels if label not in OWN and not label.startswith(OPTION))

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(option.id for option in self.letters.values())

    def read(self, reply: Reply) -> ParsedAnswer:
        """What a reply to this request chooses, as option ids in ascending order."""
        return self.reader(reply) if self.reader else read(reply, self.letters, self.format)


def template() -> Template:
    return load(PROMPT_ID)


def ask(
    item: ModelInput,
    transcripts: Transcripts,
    *,
    model: str,
    condition: Condition,
    seed: int,
    template: Template,
    trace: Trace = "none",
    material: Material | None = None,
    examples: Sequence[Example] = (),
) -> Asked:
    """The request for one record. `material` is what stands for its clip, its transcript when left out.

    Raises `UsageError` where its transcript is missing.
    """
    got = material or Material(words=condition.look.words != "never")
    letters = in_letters(item, shown_order(seed, item.id, (option.id for option in item.options)))
    system = part(template, "instructions", format=item.format, trace=trace)
    shots = [
        message
        for number, example in enumerate(examples, 1)
        for message in _example(example, number, condition, seed, template, trace)
    ]
    lines = lines_of(item, transcripts) if got.words else ()
    user = _posed(item, lines, letters, condition, template, got)
    request = Request(
        model=model,
        prompt_id=template.id,
        prompt_sha256=template.sha256,
        messages=(Message(role="system", parts=(system,)), *shots, user),
        answer_schema=_schema(list(letters), item.format, trace),
        parameters=dict(PARAMETERS),
    )
    return Asked(request, request.sha256, letters, item.format, got.media)


def _posed(
    item: ModelInput,
    lines: Sequence[TranscriptLine],
    letters: Mapping[str, Option],
    condition: Condition,
    template: Template,
    got: Material,
) -> Message:
    """The scene and the question."""
    shown = shown_scene(item, lines, condition, template, got) if condition.look.scene else ()
    return Message(role="user", parts=(*shown, *question(template, item.question, letters)))


def _example(
    example: Example, number: int, condition: Condition, seed: int, template: Template, trace: Trace
) -> Iterator[Message]:
    """A question as it would be posed, and the reply that it should get. Its own history goes with it."""
    item = example.shot.item
    letters = in_letters(item, shown_order(seed, item.id, (option.id for option in item.options)))
    yield relabelled(_posed(item, example.transcript, letters, condition, template, example.material), number)
    reply = Part(label="answer", text=answered(example.shot, letters, trace))
    yield relabelled(Message(role="assistant", parts=(reply,)), number)


def shown_scene(
    item: ModelInput, lines: Sequence[TranscriptLine], condition: Condition, template: Template, got: Material
) -> Iterator[Part]:
    """Background, film, transcript and history, as far as the condition has them."""
    history = () if condition.history == "none" else item.history
    written = list(scene(template, item.background, lines, history))
    yield from (piece for piece in written if piece.label == "background")
    yield from film(template, got.media)
    left = {"background"} if got.words else {"background", "transcript"}
    yield from (piece for piece in written if piece.label not in left)


def in_letters(item: ModelInput, shown: Sequence[str]) -> dict[str, Option]:
    """The item's options by letter, in the order shown; none for an open question."""
    if item.format == "open":
        return {}
    by_id = {option.id: option for option in item.options}
    if sorted(shown) != sorted(by_id):
        raise UsageError(f"item {item.id}: shown {', '.join(shown)}, but its options are {', '.join(by_id)}")
    try:
        return lettered([by_id[option] for option in shown])
    except ValueError as error:
        raise UsageError(f"item {item.id}: {error}") from None


def read(reply: Reply, letters: Mapping[str, Option], format: Format) -> ParsedAnswer:
    """A reply read in letters and given as option ids. What a provider cut or refused counts as that, unless an
    answer stands in it all the same. An answer to an open question is left to a judge."""
    if format == "open":
        return _read_open(reply)
    multiple = format == "multiple"
    parsed = parse_answer(reply.text, {letter: option.text for letter, option in letters.items()}, multiple=multiple)
    if reply.status == "refusal":
        return ParsedAnswer((), "refusal", "provider")
    if reply.status == "truncated" and parsed.status in ("no_answer", "ambiguous"):
        return ParsedAnswer((), "truncated", "provider")
    return parsed._replace(ids=tuple(sorted(letters[letter].id for letter in parsed.ids)))


def _read_open(reply: Reply) -> ParsedAnswer:
    if reply.status == "refusal":
        return ParsedAnswer((), "refusal", "provider")
    if reply.status == "truncated":
        return ParsedAnswer((), "truncated", "provider")
    if visible(reply.text).cut:
        return ParsedAnswer((), "truncated", "unclosed reasoning")
    return ParsedAnswer((), "answered", "words") if answer_text(reply.text) else ParsedAnswer((), "no_answer", "empty")


def content_of(request: Request, label: str) -> str:
    """What a part holds below its heading; empty where the request has no such part."""
    found = next((piece.text for piece in _labelled(request) if piece.label == label), "")
    return found.partition("\n\n")[2]


def options_of(request: Request) -> tuple[Option, ...]:
    """The options of a request in the order shown; their ids are the letters."""
    found = [
        (piece.label.removeprefix(OPTION), piece.text) for piece in _labelled(request) if piece.label[:7] == OPTION
    ]
    return tuple(Option(id=letter, text=text.removeprefix(f"{letter}. ")) for letter, text in found)


def lines_of(item: ModelInput, transcripts: Transcripts) -> Sequence[TranscriptLine]:
    """Raises `UsageError` where there are none."""
    if item.clip.media not in transcripts:
        raise UsageError(f"item {item.id}: there is no transcript {item.clip.media}")
    return transcripts[item.clip.media]


def _schema(letters: list[str], format: Format, trace: Trace) -> dict[str, Any]:
    one: dict[str, Any] = {"type": "string", "enum": letters}
    several = {"type": "array", "items": one, "minItems": 1, "uniqueItems": True}
    answer = {"single": one, "multiple": several, "open": {"type": "string"}}[format]
    properties = {**_trace_schema(trace), "answer": answer}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _trace_schema(trace: Trace) -> dict[str, Any]:
    if trace == "rationale":
        return {field: {"type": ["string", "null"]} for field in FIELDS}
    if trace == "steps":
        tags = {"type": "array", "items": {"type": "string", "enum": list(MODALITIES)}}
        step = {
            "type": "object",
            "properties": {"step": {"type": "string"}, "tags": tags},
            "required": ["step", "tags"],
            "additionalProperties": False,
        }
        return {"trace": {"type": "array", "items": step}}
    return {}


def _labelled(request: Request) -> Iterator[Part]:
    return (piece for message in request.messages for piece in message.parts)
