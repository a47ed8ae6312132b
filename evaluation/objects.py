"""Reads a reply as JSON: the last object with an answer key speaks, and nothing else of it is searched for letters."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .declarations import declared
from .optionset import INVALID, NO_ANSWER, TRUNCATED, OptionSet, Reading
from .values import read_value

ANSWER_KEYS = (
    "finalanswer", "answer", "correctanswer", "selectedanswer", "predictedanswer", "answerid", "answerletter",
    "answerchoice", "answers", "choice", "selectedoption", "selectedchoice", "option", "selection", "prediction",
)  # fmt: skip
"""In order of rank; case, blanks, `_` and `-` in a key do not count."""
INNER_KEYS = ("id", "letter", "label", "key", "option", "choice", "answer", "value", "text")
KEY = re.compile(
    r"[\"']?\b(?:final[\s_-]?answer|answer|choice|selected[\s_-]?option|prediction)[\"']?\s*:\s*(?=(?P<rest>[^\n]{0,2000}))",
    re.IGNORECASE,
)
VALUE = re.compile(r"(?P<text>\"(?:[^\"\\]|\\.)*\"|'[^']*'|\[[^\]]*\]|null\b|None\b|[A-Za-z0-9]+(?=\s*[,}]))")
BLANKS = re.compile(r"[\s_-]")
BRACES = re.compile(r"[{}]")
FENCE = re.compile(r"^```\w*\s*|\s*```$")
LONGEST_LITERAL = 20_000
"""Characters; longer pseudo-JSON is not given to Python's parser of literals."""


UNCLOSED, KEYLESS = "unclosed object", "no answer key"


class Found(NamedTuple):
    reading: Reading
    rule: str

    @property
    def speaks(self) -> bool:
        """False for an object that has no answer key (yet): words beside it may still declare an answer."""
        return self.rule not in (UNCLOSED, KEYLESS)


def read_object(text: str, options: OptionSet) -> Found | None:
    """What the last object with an answer key says; None where there is no such object. An array that is the whole
    reply is read as a set of ids."""
    last: Found | None = None
    open_at: int | None = None
    for start, data, end in _objects(text):
        if end is None:
            open_at = start
            break
        value = _answer(data) if isinstance(data, dict) else _malformed(text[start:end])
        if value is not _MISSING:
            last = Found(_read(value, options), "json" if isinstance(data, dict) else "malformed json")
        elif last is None and isinstance(data, dict):
            last = Found(NO_ANSWER, KEYLESS)
    if (
        open_at is not None
        and (cut := _truncated(text[open_at:], options))
        and not (last and last.speaks and cut.reading == TRUNCATED)
    ):
        return cut
    return last or _array(text, options)


_MISSING = object()


def _objects(text: str) -> Iterator[tuple[int, Any, int | None]]:
    """(start, data, end) of each outermost object; data is None where it is no JSON, end None where it never closes."""
    place = 0
    while (start := text.find("{", place)) >= 0:
        data, end = _decode(text, start)
        yield start, data, end
        if end is None:
            return
        place = end


def _decode(text: str, start: int) -> tuple[Any, int | None]:
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    end = _closing(text, start)
    return (None, None) if end is None else (_literal(text[start:end]), end)


def _closing(text: str, start: int) -> int | None:
    depth = 0
    for match in BRACES.finditer(text, start):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.end()
    return None


def _literal(text: str) -> Any:
    """Python's way of writing an object, trailing commas and single quotes included; None where it is not that."""
    if len(text) > LONGEST_LITERAL:
        return None
    try:
        data = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _answer(data: Any) -> Any:
    """The value of the best-ranked answer key, the outermost level first."""
    level: list[Any] = [data]
    for _ in range(20):
        named = {_plain(key): value for node in level if isinstance(node, Mapping) for key, value in node.items()}
        for key in ANSWER_KEYS:
            if key in named and (value := _inner(named[key])) is not _MISSING:
                return value
        level = [child for node in level for child in _children(node)]
        if not level:
            break
    return _MISSING


def _inner(value: Any) -> Any:
    """An answer given as an object of its own: `{"id": "B", "text": …}`. A JSON Schema is not an answer."""
    if not isinstance(value, Mapping):
        return value
    plain = {_plain(key): inner for key, inner in value.items()}
    if "type" in plain or "enum" in plain:
        return _MISSING
    if value and all(isinstance(inner, bool) for inner in value.values()):
        return [key for key, inner in value.items() if inner]
    return next((plain[key] for key in INNER_KEYS if key in plain and not isinstance(plain[key], Mapping)), _MISSING)


def _children(node: Any) -> list[Any]:
    if isinstance(node, Mapping):
        return list(node.values())
    return node if isinstance(node, list) else []


def _plain(key: Any) -> str:
    return BLANKS.sub("", str(key)).casefold()


def _read(value: Any, options: OptionSet) -> Reading:
    if value is None:
        return NO_ANSWER
    if isinstance(value, list | tuple | set):
        return _read_set(list(value), options)
    if isinstance(value, bool | float):
        return INVALID
    if isinstance(value, int):
        option = options.id_of(str(value))
        return options.chosen([option]) if option else INVALID
    if not str(value).strip():
        return NO_ANSWER
    return _prose(str(value), options) or INVALID


def _prose(value: str, options: OptionSet) -> Reading | None:
    if reading := read_value(value, options):
        return reading
    declaration = declared(value, options)
    return declaration.reading if declaration else None


def _read_set(values: list[Any], options: OptionSet) -> Reading:
    readings = [_read(_inner(value), options) for value in values]
    unread = [reading for reading in readings if reading.status != "answered"]
    if unread:
        return INVALID if any(reading.status == "no_answer" for reading in unread) else unread[0]
    return options.chosen(option for reading in readings for option in reading.ids)


def _malformed(text: str) -> Any:
    """The answer's value in what looks like an object and is none."""
    found = [value for match in KEY.finditer(text) if (value := VALUE.match(match["rest"]))]
    return _plain_value(found[-1]["text"]) if found else _MISSING


def _plain_value(text: str) -> Any:
    if text.startswith("["):
        return re.findall(r"[A-Za-z0-9]+", text)
    return None if text in ("null", "None") else text.strip("\"'")


def _truncated(text: str, options: OptionSet) -> Found | None:
    """An object that never closes: its answer counts if the value stands there whole."""
    keys = list(KEY.finditer(text))
    if not keys:
        return Found(TRUNCATED, UNCLOSED) if re.match(r"\{\s*[\"']", text) else None
    value = VALUE.match(keys[-1]["rest"])
    return Found(_read(_plain_value(value["text"]), options) if value else TRUNCATED, "truncated json")


def _array(text: str, options: OptionSet) -> Found | None:
    bare = FENCE.sub("", text.strip()) if "[" in text else ""
    if not bare.startswith("["):
        return None
    try:
        data = json.loads(bare)
    except (ValueError, RecursionError):
        return None
    return Found(_read_set(data, options), "json array") if isinstance(data, list) and data else None
