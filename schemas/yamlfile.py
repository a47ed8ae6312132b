"""YAML and JSON files that people write: read into a record, every problem with its line.

YAML is read by the 1.2 core rules: `yes`, `no`, `on`, dates and `12:30` are text, which is what an author means.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..errors import InputError

_Model = TypeVar("_Model", bound=BaseModel)

Place = tuple[int | str, ...]
"""Keys and indices from the top of a document to a value, as pydantic's `loc`."""
Locate = Callable[[Place], int]

CORE_SCALARS: tuple[tuple[str, str, list[str]], ...] = (
    ("null", r"^(?:~|null|Null|NULL|)$", [*"~nN", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", [*"tTfF"]),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", [*"-+0123456789"]),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$", [*"-+.0123456789"]),
    ("merge", r"^<<$", ["<"]),
)
"""Tag, pattern and the characters it may begin with (YAML 1.2.2, 10.3.2, without octal and hexadecimal)."""


class YamlFile(NamedTuple):
    """What a file holds, and where: `locate(place)` is the 1-based line of a value, or of its nearest parent."""

    data: Any
    locate: Locate


def load_yaml(path: Path) -> YamlFile:
    """Read a `.yaml` or `.json` file. Raises `InputError` with the line of what cannot be read."""
    text = read_text(path)
    try:
        return _parse_json(text) if path.suffix.lower() == ".json" else _parse_yaml(text)
    except json.JSONDecodeError as error:
        raise InputError(path, f"malformed: {error.msg}", error.lineno) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = min(mark.line + 1, len(text.splitlines())) if mark else None
        raise InputError(path, f"malformed: {error.problem or error.context}", line) from None
    except yaml.reader.ReaderError as error:
        place = text.count("\n", 0, error.position) + 1
        raise InputError(path, f"malformed: {error.reason}", place) from None
    except RecursionError:
        raise InputError(path, "nested too deeply") from None


def load_record(path: Path, model: type[_Model]) -> _Model:
    """Read a file into a record. Raises `InputError` that names the first problem's line and counts the others."""
    return validated(path, load_yaml(path), model)


def validated(path: Path, file: YamlFile, model: type[_Model]) -> _Model:
    """What was read, as a record. Raises as `load_record` does."""
    if not isinstance(file.data, dict):
        keys = ", ".join(model.model_fields)
        raise InputError(path, f"expected keys and values ({keys}), got {_kind(file.data)}", 1)
    try:
        return model.model_validate(file.data)
    except ValidationError as error:
        raise invalid(path, error, file.locate) from None


def invalid(path: Path, error: ValidationError, locate: Locate) -> InputError:
    """The one-line form of a validation error: the topmost problem, and how many more there are.

    A missing key comes after the rest: where a key is misspelled, that is the problem.
    """
    found = sorted((item["type"] == "missing", locate(item["loc"]), _describe(item)) for item in error.errors())
    _, line, problem = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return InputError(path, problem + more, line)


def read_text(path: Path) -> str:
    """UTF-8 text, with or without a byte-order mark. Raises `InputError` for what is missing or is no UTF-8."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(path, (error.strerror or str(error)).lower()) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(path, f"not UTF-8 (byte 0x{raw[error.start]:02x}); save it as UTF-8", line) from None


def _parse_json(text: str) -> YamlFile:
    data = json.loads(text, parse_constant=_no_number)
    # JSON is YAML once its tabs are blanks and its surrogates gone: read again, for the lines only.
    blank = re.sub(r"\\(?:(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", lambda match: "?" if match[1] else match[0], text)
    node = yaml.compose(blank.replace("\t", " "), Loader=_loader())
    _refuse_twice(node)
    return YamlFile(data, lambda place: _line(node, place))


def _parse_yaml(text: str) -> YamlFile:
    loader = _loader()(text)
    try:
        node = loader.get_single_node()
        _refuse_twice(node)
        return YamlFile(loader.construct_document(node) if node else None, lambda place: _line(node, place))
    finally:
        loader.dispose()


def _loader() -> Any:
    """The safe loader, libyaml's where it is built in, with the scalars of YAML 1.2."""
    base: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader: Any = type("CoreLoader", (base,), {"yaml_implicit_resolvers": {}})
    for tag, pattern, first in CORE_SCALARS:
        loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), first)
    return loader


def _no_number(name: str) -> float:
    raise json.JSONDecodeError(f"{name} is no JSON number", "", 0)


def _mappings(node: yaml.Node | None) -> Iterator[yaml.MappingNode]:
    """Every mapping of a document once, however often it is referred to."""
    waiting, seen = [node] if node else [], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            yield node
            waiting += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value


def _refuse_twice(node: yaml.Node | None) -> None:
    for mapping in _mappings(node):
        seen: set[str] = set()
        for key, _ in mapping.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen and key.value != "<<":
                raise yaml.constructor.ConstructorError(None, None, f"key {key.value!r} stands twice", key.start_mark)
            seen.add(str(key.value))


def _line(node: yaml.Node | None, place: Place) -> int:
    """Line of a value; pieces that no node has (a missing key, the name of a union's arm) are passed over."""
    line = node.start_mark.line + 1 if node else 1
    for piece in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(piece)), None)
            if found:
                line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(piece, int) and piece < len(node.value):
            node = node.value[piece]
            line = node.start_mark.line + 1
    return line


def _describe(error: ErrorDetails) -> str:
    """One problem, in an author's words: which key, what is wrong with it."""
    where = ".".join(str(piece) for piece in error["loc"]) or "the file"
    if error["type"] == "extra_forbidden":
        return f"unknown key {where!r}"
    if error["type"] == "missing":
        return f"missing key {where!r}"
    message = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    given = error["input"]
    got = f", got {given!r}" if isinstance(given, str | int | float | bool) and error["type"] != "value_error" else ""
    return f"{where}: {'expected ' if error['msg'].startswith('Input should be') else ''}{message}{got}"


def _kind(data: Any) -> str:
    return {"NoneType": "an empty file", "list": "a list", "str": "text"}.get(type(data).__name__, f"{data!r}")
