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
MOST_VALUES = 1_000_000
"""Values that a document may hold once its aliases are written out: beyond, ten lines fill the memory."""
LONGEST_NUMBER = 300
"""Digits."""

_TAG = "tag:yaml.org,2002:"
_ODD_NUMBER = re.compile(rf'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity|\d{{{LONGEST_NUMBER + 1},}})')
_HALF_PAIR = re.compile(r"\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(u[dD][89a-fA-F]\w\w)|.)")


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


def parse_json(text: str) -> Any:
    """What JSON text holds. Raises `json.JSONDecodeError` with the place, also for numbers and text that are none."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # more digits than Python reads
        data = None
    for pattern, problem in ((_ODD_NUMBER, "no JSON number"), (_HALF_PAIR, "half a surrogate pair")):
        for found in pattern.finditer(text):
            if found[1]:
                raise json.JSONDecodeError(f"{found[1][:20]} is {problem}", text, found.start(1))
    return data


def _parse_json(text: str) -> YamlFile:
    data = parse_json(text)
    # JSON is YAML once its tabs are blanks and its surrogates gone: read again, for the lines only.
    blank = re.sub(r"\\(?:(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", lambda match: "?" if match[1] else match[0], text)
    node = yaml.compose(blank.replace("\t", " "), Loader=_loader())
    _check(node)
    return YamlFile(data, lambda place: _line(node, place))


def _parse_yaml(text: str) -> YamlFile:
    loader = _loader()(text)
    try:
        node = loader.get_single_node()
        _check(node)
        return YamlFile(loader.construct_document(node) if node else None, lambda place: _line(node, place))
    finally:
        loader.dispose()


def _loader() -> Any:
    """The safe loader, libyaml's where it is built in, with the scalars of YAML 1.2."""
    base: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader: Any = type("CoreLoader", (base,), {"yaml_implicit_resolvers": {}})
    for tag, pattern, first in CORE_SCALARS:
        loader.add_implicit_resolver(_TAG + tag, re.compile(pattern), first)
    return loader


def _check(node: yaml.Node | None) -> None:
    """Refuse what would be read in another way than it is written, or never end."""
    if node:
        _unfolded(node, {})
    patterns = {_TAG + tag: re.compile(pattern) for tag, pattern, _ in CORE_SCALARS}
    for one in _nodes(node):
        if isinstance(one, yaml.MappingNode):
            _refuse_twice(one)
        if isinstance(one, yaml.ScalarNode) and "\0" in one.value:
            raise _wrong("a null character, which no text or path may hold", one)
        if isinstance(one, yaml.ScalarNode) and one.tag in patterns:
            _refuse_odd(one, patterns[one.tag])
        elif one.tag not in (_TAG + "str", _TAG + "seq", _TAG + "map"):
            raise _wrong(f"the tag {one.tag.removeprefix(_TAG)} is not read", one)


def _unfolded(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node stands for with its aliases written out; `known` has 0 for those around it."""
    if id(node) in known:
        if not known[id(node)]:
            raise _wrong("holds itself", node)
        return known[id(node)]
    known[id(node)] = 0
    count = 1 + sum(_unfolded(inner, known) for inner in _inside(node))
    if count > MOST_VALUES:
        raise _wrong(f"aliases unfold to more than {MOST_VALUES} values", node)
    known[id(node)] = count
    return count


def _inside(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [one for pair in node.value for one in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _nodes(node: yaml.Node | None) -> Iterator[yaml.Node]:
    """Every node of a document once, however often it is referred to."""
    waiting, seen = [node] if node else [], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += _inside(node)


def _refuse_twice(mapping: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, _ in mapping.value:
        if isinstance(key, yaml.ScalarNode) and key.value in seen and key.value != "<<":
            raise _wrong(f"key {key.value!r} stands twice", key)
        seen.add(str(key.value))


def _refuse_odd(scalar: yaml.ScalarNode, pattern: re.Pattern[str]) -> None:
    kind = scalar.tag.removeprefix(_TAG)
    if not pattern.match(scalar.value):
        raise _wrong(f"{scalar.value[:40]!r} is no {kind}", scalar)
    if kind in ("int", "float") and len(scalar.value) > LONGEST_NUMBER:
        raise _wrong(f"a number of more than {LONGEST_NUMBER} digits", scalar)


def _wrong(problem: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


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
