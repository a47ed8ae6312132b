"""A request in the words of a provider: messages as OpenAI writes them, schemas as its strict mode takes them."""

import base64
import json
from collections.abc import Mapping
from typing import Any

from ..errors import UsageError
from ..schemas.call import Message, Part, Request
from .client import Media, Medium
from .settings import ModelSettings

IN_WORDS = (
    "Reply with one JSON object and nothing else: no text around it and no code fence. "
    "It must be valid against this JSON Schema:\n{schema}"
)
"""What is said to a model whose provider has no schema mode."""
KEPT = frozenset(
    {"type", "properties", "required", "items", "enum", "const", "anyOf", "$ref", "$defs", "description", "title"}
)
"""Keywords of a schema that strict modes take; replies are held against the whole schema afterwards."""
COUNTED = KEPT | {"minItems", "maxItems", "minLength"}
"""Keywords that servers of one's own take: their grammars can count, and small models cannot."""

AUDIO = {"mpeg": "mp3", "x-wav": "wav", "wave": "wav", "vnd.wave": "wav", "x-flac": "flac", "mp4": "m4a"}
"""What OpenAI's protocol calls some formats, by the second half of their media type."""


def messages(request: Request, settings: ModelSettings, media: Media, *, in_words: bool) -> list[dict[str, Any]]:
    """The messages of a request; with `in_words` the schema is asked for at their end."""
    made = [_message(message, settings, media) for message in request.messages]
    if in_words and request.answer_schema:
        made[-1]["content"] = _with(made[-1]["content"], in_words_of(request))
    return made


def in_words_of(request: Request) -> str:
    return IN_WORDS.format(schema=json.dumps(request.answer_schema, ensure_ascii=False))


def response_format(schema: Mapping[str, Any], kept: frozenset[str] = KEPT) -> dict[str, Any]:
    """The provider's own schema mode; strict where every property is required, as strict modes want it."""
    made = strict(schema, kept)
    wanted = {"name": "reply", "schema": made, "strict": _all_required(made)}
    return {"type": "json_schema", "json_schema": wanted}


def strict(schema: Any, kept: frozenset[str] = KEPT) -> Any:
    """A schema without the keywords that strict modes refuse; every object closed, every enum with its type."""
    if isinstance(schema, list):
        return [strict(part, kept) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: _part(name, value, kept) for name, value in schema.items() if name in kept}
    if "oneOf" in schema:
        made["anyOf"] = strict(schema["oneOf"], kept)
    if "enum" in made and "type" not in made:
        kinds = list(dict.fromkeys(_kind(value) for value in made["enum"]))
        made["type"] = kinds if len(kinds) > 1 else kinds[0]
    if "properties" in made:
        made["additionalProperties"] = False
    return made


def _part(name: str, value: Any, kept: frozenset[str]) -> Any:
    if name in ("properties", "$defs"):
        return {key: strict(part, kept) for key, part in value.items()}
    return strict(value, kept) if name in ("items", "anyOf") else value


def _kind(value: Any) -> str:
    kinds: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    return kinds[type(value)]


def _all_required(schema: Any) -> bool:
    if isinstance(schema, list):
        return all(map(_all_required, schema))
    if not isinstance(schema, dict):
        return True
    whole = set(schema.get("properties", ())) <= set(schema.get("required", ()))
    return whole and all(_all_required(value) for name, value in schema.items() if name not in ("enum", "const"))


def _message(message: Message, settings: ModelSettings, media: Media) -> dict[str, Any]:
    """A message of text alone has it as one string: every server takes that."""
    if all(part.kind == "text" for part in message.parts):
        return {"role": message.role, "content": "\n\n".join(part.text for part in message.parts)}
    return {"role": message.role, "content": [_content(part, settings, media) for part in message.parts]}


def _with(content: Any, words: str) -> Any:
    return f"{content}\n\n{words}" if isinstance(content, str) else [*content, {"type": "text", "text": words}]


def _content(part: Part, settings: ModelSettings, media: Media) -> dict[str, Any]:
    if part.kind == "text":
        return {"type": "text", "text": part.text}
    if part.start is not None or part.end is not None:
        raise UsageError(
            f"{settings.model} cannot be told where in a {part.kind} to begin or end: cut the clip out first"
        )
    return shown(part, found(part, media), settings)


def found(part: Part, media: Media) -> Medium:
    """The file of a part. Raises `UsageError` where it names none."""
    if part.media_sha256 is None:
        raise UsageError(f"part {part.label!r} is to show a {part.kind}, and names no file")
    return media.medium(part.media_sha256)


def shown(part: Part, medium: Medium, settings: ModelSettings) -> dict[str, Any]:
    data = base64.b64encode(medium.path.read_bytes()).decode()
    url = f"data:{medium.mime};base64,{data}"
    if part.kind == "image":
        return {"type": "image_url", "image_url": {"url": url}}
    if part.kind == "audio":
        subtype = medium.mime.partition("/")[2]
        return {"type": "input_audio", "input_audio": {"data": data, "format": AUDIO.get(subtype, subtype)}}
    # Google's protocol calls any media a file; servers with OpenAI's protocol take videos by address.
    if settings.provider in ("gemini", "vertex_ai"):
        return {"type": "file", "file": {"file_data": url}}
    return {"type": "video_url", "video_url": {"url": url}}
