"""A reply as a record: asked for by schema, read tolerantly, corrected once, and else a failure that is counted.

A reply that is JSON is never searched for anything: `json.loads` comes first. Where two different objects fit, neither
is taken: the model is asked which it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from ..schemas.call import Message, Part, Reply, Request
from .gateway import Gateway, whole
from .lenient import is_json, values
from .reasoning import said

T = TypeVar("T", bound=BaseModel)

Wording = Callable[[str], str]
"""From what was wrong with a reply to the words that ask for another one: a prompt's part, filled in."""
NO_OBJECT, CUT, EMPTY, TWO = "no JSON object in it", "it was cut off", "it was empty", "two different objects in it"
SHOWN = 4000
"""Characters of a wrong reply that are sent back with the correction, and of what was wrong with it."""
FEWEST_ERRORS = 5


@dataclass(frozen=True)
class Structured(Generic[T]):
    """What came of it: `value`, or why there is none."""

    value: T | None
    replies: tuple[Reply, ...]
    """One, or two where a correction was asked for."""
    problem: str = ""
    """Empty where there is a value; else what was wrong with the last reply."""


async def ask(
    gateway: Gateway, request: Request, into: type[T], *, sample: int, role: str, correction: Wording
) -> Structured[T]:
    """Ask for a reply that is an `into`. `request` is sent with its schema; a reply that is none gets one correction.

    A refusal is none to correct. A second reply that cannot be read either is counted by the gateway's meter as
    malformed and is never served again, so that the same call later gets another chance. Raises what the gateway does.
    """
    request = request.model_copy(update={"answer_schema": schema_of(into)})
    first = await gateway.complete(request, sample=sample, role=role)
    value, problem = read(first, into)
    if value is not None:
        return Structured(value, (first,))
    if first.status == "refusal":
        gateway.meter.malformed += 1
        return Structured(None, (first,), problem)

    def usable(reply: Reply) -> bool:
        return read(reply, into)[0] is not None

    again = corrected(request, first, correction(problem))
    second = await gateway.complete(again, sample=sample, role=role, usable=usable)
    value, problem = read(second, into)
    gateway.meter.malformed += value is None
    return Structured(value, (first, second), problem)


def schema_of(record: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a record, without what our records say of who may see a field."""
    schema: dict[str, Any] = _without_class(record.model_json_schema())
    return schema


def _without_class(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_class(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    named = ("properties", "$defs")
    return {
        key: {name: _without_class(part) for name, part in value.items()} if key in named else _without_class(value)
        for key, value in schema.items()
        if key != "class"
    }


def read(reply: Reply, into: type[T]) -> tuple[T | None, str]:
    """The record that a reply is, or what is wrong with it."""
    if reply.status == "refusal":
        return None, f"refused: {reply.text[:SHOWN]}"
    if not reply.text.strip():
        return None, EMPTY
    candidates = _candidates(reply.text)
    fitting, problems = _fitting(candidates, into)
    if len(fitting) == 1:
        return fitting[0], ""
    if fitting:
        return None, TWO
    if not whole(reply):
        return None, CUT
    return None, problems[0] if problems else NO_OBJECT


def _candidates(text: str) -> list[Any]:
    """Values that may be the record: the reply itself where it is JSON, else what it says after thinking."""
    return values(text) if is_json(text) else values(said(text).text)


def _fitting(candidates: Sequence[Any], into: type[T]) -> tuple[list[T], list[str]]:
    """The different records among some values, and what is wrong with the others; an envelope around one is opened
    where nothing fits as it stands."""
    fitting: list[T] = []
    problems: list[str] = []
    for each in (candidates, [inner for value in candidates for inner in _inside(value)]):
        for candidate in each:
            try:
                record = into.model_validate(candidate)
            except ValidationError as error:
                problems.append(_told(error))
            else:
                fitting += [record] if record not in fitting else []
        if fitting:
            break
    return fitting, problems


def _inside(value: Any) -> Iterator[Any]:
    """What an array of one, or an object of one, holds: `[{…}]`, `{"result": {…}}`."""
    if isinstance(value, (list, Mapping)) and len(value) == 1:
        inner = value[0] if isinstance(value, list) else next(iter(value.values()))
        if isinstance(inner, dict):
            yield inner


def _told(error: ValidationError) -> str:
    """The first few errors of a record, on one line each."""
    lines = [
        f"{'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)[:FEWEST_ERRORS]
    ]
    return "\n".join(lines)[:SHOWN]


def corrected(request: Request, reply: Reply, words: str) -> Request:
    """The same conversation, with the model's own reply and what was wrong with it: nothing else is added."""
    turns = (
        Message(role="assistant", parts=(Part(label="reply", text=_sendable(reply.text[:SHOWN]) or "(nothing)"),)),
        Message(role="user", parts=(Part(label="correction", text=words),)),
    )
    return request.model_copy(update={"messages": (*request.messages, *turns)})


def _sendable(text: str) -> str:
    """Half a surrogate pair, which a reply may hold, cannot be sent on."""
    return text.encode("utf-8", "replace").decode()
