"""What a compiled Ink story says without being played: its texts and where they stand, its choices, tags and variables.

Paths are Ink's own: names and indexes from the root, `knot.0.g-0.c-1`. A **place** is one line of the source: the path
of the container that holds it, a colon, and the number of line breaks before it there. Alternatives inside a line
(`{one|two}`, `{trust: yes|no}`) belong to the line they stand in. A sequence or cycle whose branches hold at most
one line each is one place as well. Branches of a condition that are whole lines are places of their own, since they
say different things.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..schemas.base import digest
from ..schemas.story import Scalar

RANDOM_COMMANDS = frozenset({"rnd", "srnd", "lrnd", "seq"})
"""RANDOM, SEED_RANDOM, LIST_RANDOM, and shuffles; ordinary sequences compile to `MIN` and `%`."""
INVISIBLE = 8
"""Flag of a choice point that is taken when nothing else is left (`* ->`)."""


class Fragment(NamedTuple):
    text: str
    place: str


def normal(text: str) -> str:
    """NFC, with runs of white space as one space and none at the ends: how texts are compared and shown."""
    return " ".join(unicodedata.normalize("NFC", text).split())


class InkIndex:
    """Read once from the compiled JSON's `root`."""

    def __init__(self, root: list[Any]) -> None:
        self.texts: list[str] = []
        self.fragments: list[Fragment] = []
        self.fallbacks: set[str] = set()
        self.random: str | None = None
        """Path of the first command that draws a random number."""
        self.ends: list[str] = []
        """Paths of the containers that hold an `-> END`."""
        self.threads: list[str] = []
        """Paths of the containers that start threads (`<- knot`)."""
        self.branches: set[str] = set()
        self.tags: list[str] = []
        self._breaks: dict[int, bool] = {}
        self._spans: dict[str, str] = {}
        self._walk(root, "", None, False)
        self._exact: dict[str, str] = {}
        for fragment in self.fragments:
            self._exact.setdefault(fragment.text, fragment.place)
        self._by_length = sorted(self._exact, key=lambda text: (-len(text), text))

    def span(self, text: str) -> str:
        """The place of a shown line: that of the longest static text in it; its own hash if there is none.

        A text that stands in several places has the span of the first: labels are matched by text, so taking
        equal texts for one event errs on the side of discarding.
        """
        if text not in self._spans:
            self._spans[text] = self._find(text)
        return self._spans[text]

    def _find(self, text: str) -> str:
        if text in self._exact:
            return self._exact[text]
        best = next((one for one in self._by_length if one in text and telling(one, text)), None)
        if best is None:
            return "text:" + digest(text)[:16]
        places = [fragment.place for fragment in self.fragments if fragment.text == best]
        return max(dict.fromkeys(places), key=lambda place: self._coverage(place, text))

    def _coverage(self, place: str, text: str) -> int:
        return sum(len(one.text) for one in self.fragments if one.place == place and one.text in text)

    def ending(self, place: str) -> str:
        """Id of the ending reached after the line at `place`: its knot; of several `-> END` in it, the nearest."""
        path = place.rpartition(":")[0]
        knot = path.split(".")[0]
        ends = [end for end in self.ends if end.split(".")[0] == knot]
        if len(ends) < 2:
            return knot
        return max(ends, key=lambda end: len(common_path([end, path])))

    def location(self, choice_paths: list[str], rest: str = "") -> str:
        """The knot, stitch, gather or choice in whose body the choices stand, whatever subset of them is on offer.

        Choices under a condition count for the body around it, so a hub keeps its location while its once-only choices
        run out. Where threads gather choices from elsewhere, it is the body that starts the threads: `rest` is the
        content at which the flow came to rest. Choices from several knots without threads: these knots.
        """
        here = self._body(rest.rpartition(".")[0])
        if here and any(self._body(path) == here for path in self.threads):
            return here
        bodies = sorted({self._body(path.rpartition(".")[0]) for path in choice_paths})
        return self._body(common_path(bodies)) or "+".join(dict.fromkeys(body.split(".")[0] for body in bodies))

    def _body(self, path: str) -> str:
        while "." in path and (path.rpartition(".")[2].isdigit() or path in self.branches):
            path = path.rpartition(".")[0]
        return path

    def _walk(self, container: list[Any], path: str, line: str | None, hidden: bool) -> None:
        """Visit a container. `line` is the place it is part of, None if it has lines of its own; `hidden` in a choice's
        text, in a value or in a tag, where text is no line."""
        breaks, value, tag = 0, 0, 0
        named, bare = named_in(container), bare_items(container)
        for index, item in enumerate(container[:-1]):
            place = line or f"{path}:{breaks}"
            if isinstance(item, list):
                name = item[-1].get("#n") if item and isinstance(item[-1], dict) else None
                child = join(path, name or str(index))
                alone = line is None and index in bare
                self._walk(item, child, self._line_of(item, child, place, alone), hidden or value > 0 or tag > 0)
            elif isinstance(item, dict):
                self._object(item, join(path, str(index)), path, named)
            elif item == "\n":
                breaks += 1
            elif isinstance(item, str) and item.startswith("^"):
                self._text(item[1:], place, hidden or value > 0, tag > 0)
            elif isinstance(item, str):
                value += {"str": 1, "/str": -1}.get(item, 0)
                tag += {"#": 1, "/#": -1}.get(item, 0)
                self._command(item, path)
        for name, child in named.items():
            if isinstance(child, list):
                self._walk(child, join(path, name), line, hidden)

    def _text(self, raw: str, place: str, hidden: bool, tag: bool) -> None:
        text = normal(raw)
        if tag:
            self.tags.append(text)
        if not text or tag:
            return
        self.texts.append(text)
        if not hidden:
            self.fragments.append(Fragment(text, place))

    def _command(self, command: str, path: str) -> None:
        if command in RANDOM_COMMANDS and self.random is None:
            self.random = path
        if command == "thread":
            self.threads.append(path)
        if command == "end" and path != "global decl":
            self.ends.append(path)

    def _object(self, item: dict[str, Any], path: str, parent: str, named: dict[str, Any]) -> None:
        if "*" in item and item.get("flg", 0) & INVISIBLE:
            self.fallbacks.add(path)
        target = item.get("->")
        if isinstance(target, str) and re.fullmatch(r"\.\^\.(b|s\d+)", target) and target[3:] in named:
            self.branches.add(join(parent, target[3:]))

    def _line_of(self, container: list[Any], path: str, place: str, alone: bool) -> str | None:
        """The place that a nested container is part of; None if it has lines, or a choice's text, of its own.

        `alone`: nothing else is told in the line that the container stands in.
        """
        if any(isinstance(item, dict) and "*" in item for item in container) or (alone and is_condition(container)):
            return None
        return self._one_line(container, path) if self._has_break(container) else place

    def _has_break(self, container: list[Any]) -> bool:
        if id(container) not in self._breaks:
            self._breaks[id(container)] = any(item == "\n" or self._has_break(item) for item in inner(container))
        return self._breaks[id(container)]

    def _one_line(self, container: list[Any], path: str) -> str | None:
        """The one place of a sequence whose branches are single lines; None for anything else."""
        branches = [child for child in named_in(container).values() if isinstance(child, list)]
        single = container[:2] == ["ev", "visit"] and all(count_lines(branch) <= 1 for branch in branches)
        return f"{path}:0" if single else None


def is_condition(container: list[Any]) -> bool:
    """Whether this is one branch of a condition with its test: `{trust: yes|no}` compiles to two of these."""
    return "b" in named_in(container) and any(
        isinstance(item, dict) and item.get("->") == ".^.b" for item in container[:-1]
    )


def bare_items(container: list[Any]) -> frozenset[int]:
    """The items in lines of a container where nothing is told but what one condition tells."""
    bare: list[int] = []
    line: list[int] = []
    for index, item in enumerate([*container[:-1], "\n"]):
        if item != "\n":
            line.append(index)
            continue
        items = [container[number] for number in line]
        told = [one for one in items if one == "out" or (isinstance(one, str) and one[:1] == "^" and one[1:].strip())]
        others = [one for one in items if isinstance(one, list) and not is_condition(one)]
        bare += line if not told and not others and items.count("nop") < 2 else []
        line = []
    return frozenset(bare)


def inner(container: Any) -> Iterator[Any]:
    """The items of a container, named ones included; nothing for what is no container."""
    if isinstance(container, list):
        yield from container[:-1]
        yield from named_in(container).values()


def named_in(container: list[Any]) -> dict[str, Any]:
    return container[-1] if container and isinstance(container[-1], dict) else {}


def count_lines(branch: list[Any]) -> int:
    """Lines of text directly in a branch; many where it holds choices or containers with line breaks."""
    if any(isinstance(item, list) or (isinstance(item, dict) and "*" in item) for item in branch[:-1]):
        return 2
    lines = "".join("\n" if item == "\n" else str(item)[1:] for item in branch if item == "\n" or str(item)[:1] == "^")
    return len([line for line in lines.split("\n") if line.strip()])


def telling(fragment: str, text: str) -> bool:
    """Whether finding `fragment` in `text` says where it comes from: long enough, or whole words."""
    if not any(unicodedata.category(character)[0] in "LNS" for character in fragment):
        return False
    return len(fragment) >= 12 or re.search(rf"(?<!\w){re.escape(fragment)}(?!\w)", text) is not None


def join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def common_path(paths: list[str]) -> str:
    """The longest path that all of `paths` start with, in whole names."""
    shared: list[str] = []
    for names in zip(*(path.split(".") for path in paths), strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return ".".join(shared)


def with_tag_commands(item: Any) -> Any:
    """A story with tags as inkVersion 21 writes them: bink drops the `{"#": …}` of version 20.

    Each becomes one container, so that every path stays right.
    """
    if isinstance(item, list):
        return [with_tag_commands(inner) for inner in item]
    if isinstance(item, dict) and len(item) == 1 and isinstance(item.get("#"), str):
        return ["#", "^" + item["#"], "/#", None]
    if isinstance(item, dict):
        return {key: with_tag_commands(inner) for key, inner in item.items()}
    return item


def global_tags(root: list[Any]) -> list[str]:
    """The tags before the story's first content, as Ink defines global tags."""
    first = root
    while first and isinstance(first[0], list):
        first = first[0]
    tags: list[str] = []
    parts: list[str] | None = None
    for item in first:
        if isinstance(item, dict) and "#" in item:
            tags.append(str(item["#"]).strip())
        elif item == "#":
            parts = []
        elif item == "/#":
            tags.append("".join(parts or []).strip())
            parts = None
        elif parts is not None and isinstance(item, str):
            parts.append(item.removeprefix("^"))
        elif item != "\n":
            break
    return tags


def variables(root: list[Any]) -> dict[str, Scalar]:
    """Every global variable with its first value, read from the declarations, which are constants."""
    declared = named_in(root).get("global decl", [])
    values: dict[str, Scalar] = {}
    stack: list[Scalar] = []
    for item in declared:
        if isinstance(item, dict) and "VAR=" in item:
            values[item["VAR="]] = stack.pop() if stack else 0
        elif item == "_" and stack and not isinstance(stack[-1], str):
            stack.append(-stack.pop())  # type: ignore[operator]
        elif isinstance(item, dict) or not isinstance(item, str) or item.startswith("^"):
            stack.append(scalar(item))
    return values


def scalar(value: Any) -> Scalar:
    """A value of Ink's JSON as ours: a list is its items' names in order, a divert target its path."""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value.removeprefix("^"))
    if isinstance(value, dict) and "list" in value:
        items = sorted(value["list"].items(), key=lambda item: (item[1], item[0]))
        return ", ".join(name.rpartition(".")[2] for name, _ in items)
    if isinstance(value, dict):
        return str(value.get("^->", value.get("^var", "")))
    return str(value)
