"""A compiled Ink story as a control-flow graph: what each instruction reads and sets, and where it can lead.

The graph over-approximates: every step that the runtime can take is in it, and more. The format is described in the
Ink repository, `Documentation/ink_JSON_runtime_format.md`. Three edges stand for steps that come later than where the
graph puts them: from a choice point to what is told once it is chosen, from a divert target that is pushed as a value
to that target, and from a thread or a call to what follows after its return.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from .ink_limits import EXACT, limit

VISITS, TURNS, START_ONLY = 1, 2, 4
"""Flags of a container: what is counted on entering it, and whether only entering at its first item counts."""
CONDITIONAL, INVISIBLE, ONCE = 1, 8, 16
"""Flags of a choice point."""

FactKind = Literal["variable", "temporary", "count", "turn", "clock", "random", "onwards"]


class Fact(NamedTuple):
    """Something that an instruction can read: a global or temporary variable by name, a container's visit count or
    last turn by path, the number of the turn, the random seed, or the frame that a tunnel returns to elsewhere."""

    kind: FactKind
    name: str = ""
    limit: int = EXACT
    """Of a count: how much of it is read, see `ink_limits.py`."""


class Instruction(NamedTuple):
    """One item of a container. Numbers are those of other instructions."""

    reads: tuple[Fact, ...] = ()
    sets: tuple[Fact, ...] = ()
    jumps: tuple[int, ...] = ()
    """What can come next in the same frame of the call stack."""
    calls: tuple[int, ...] = ()
    """What can come next in a new frame."""


class UnreadableCodeError(ValueError):
    """Something in the compiled story that this module does not know; nothing can be said about the story."""


class Container:
    """A container of the story: its items in order (`Container`, or JSON) and its named parts."""

    __slots__ = ("flags", "index", "items", "named", "parent", "path")

    def __init__(self, path: str, parent: "Container | None", index: int | None) -> None:
        self.path, self.parent, self.index = path, parent, index
        """`index` is the place among the parent's items; None for one that is reached by its name only."""
        self.items: list[Any] = []
        self.named: dict[str, Container] = {}
        self.flags = 0

    def outwards(self) -> Iterator["Container"]:
        """The container itself, then what holds it, up to the root."""
        here: Container | None = self
        while here is not None:
            yield here
            here = here.parent


class Code:
    """The graph of one story. Raises `UnreadableCodeError` if it holds something unknown."""

    def __init__(self, story: Mapping[str, Any]) -> None:
        try:
            self.root = _container(story["root"], None, None, "")
            self._places = [(c, i) for c in _all(self.root) for i, x in enumerate(c.items) if type(x) is not Container]
            self._numbers = {(id(container), index): n for n, (container, index) in enumerate(self._places)}
            self.defaults = _defaults(self.root)
            """Global variables with their value at the start, as JSON; None where it is computed."""
            self.instructions = [self._read(container, index) for container, index in self._places]
        except (KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise UnreadableCodeError(f"compiled Ink that cannot be followed: {error!r}") from error

    # -- places -------------------------------------------------------------------------------

    def find(self, path: str, origin: Container | None = None) -> tuple[Container, int | None]:
        """The container that a path names, with an index where the path ends at one of its items."""
        parts = path.split(".")
        here = self.root
        if path.startswith("."):
            if origin is None:
                raise UnreadableCodeError(f"a relative path without its place: {path}")
            here, parts = origin, parts[2:]
        for part in parts:
            if part == "^":
                here = here.parent or self.root
            elif part.isdigit():
                index = int(part)
                inner = here.items[index] if index < len(here.items) else None
                if type(inner) is not Container:
                    return here, index
                here = inner
            elif part:
                here = here.named[part]
        return here, None

    def entry(self, path: str, origin: Container | None = None) -> tuple[int, ...]:
        """The first instruction that runs when the story goes to `path`; none if it ends there."""
        container, index = self.find(path, origin)
        return self.at(container, index or 0)

    def at(self, container: Container, index: int) -> tuple[int, ...]:
        """The instruction that runs at an item of a container, or what follows where there is none."""
        while True:
            if index >= len(container.items):
                parent, place = container.parent, container.index
                if parent is None or place is None:
                    return ()
                container, index = parent, place + 1
                continue
            item = container.items[index]
            if not isinstance(item, Container):
                return (self._numbers[id(container), index],)
            container, index = (item, 0) if item.items else (container, index + 1)

    def choices(self) -> dict[str, tuple[str, int]]:
        """Every choice point by its path: the path of what is told once it is chosen, and its flags."""
        found = {}
        for container, index in self._places:
            item = container.items[index]
            if isinstance(item, dict) and "*" in item:
                target, place = self.find(item["*"], container)
                found[_join(container.path, index)] = (_join(target.path, place), int(item.get("flg", 0)))
        return found

    # -- instructions -------------------------------------------------------------------------

    def _read(self, container: Container, index: int) -> Instruction:
        item, after = container.items[index], self.at(container, index + 1)
        if isinstance(item, str):
            return self._command(item, container, index, after)
        if not isinstance(item, dict):
            return Instruction(jumps=after)
        for key, reader in _READERS.items():
            if key in item:
                read: Instruction = reader(self, item, container, index, after)
                return read
        raise UnreadableCodeError(f"unknown item {item} in {container.path}")

    def _command(self, name: str, container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        if name in ("done", "end", "~ret"):
            return Instruction()
        if name == "->->":
            plain = container.items[max(index - 2, 0) : index] == ["void", "/ev"]
            return Instruction(reads=() if plain else (Fact("onwards"),))
        if name in ("turns", "readc"):
            return Instruction(tuple(self._counted(name, container, index)), jumps=after)
        own = Fact("count", container.path, limit(container.items, index, offset=1))
        reads = {"visit": own, "turn": Fact("clock")}
        reads |= dict.fromkeys(("rnd", "lrnd", "srnd", "seq"), Fact("random"))
        return Instruction((reads[name],) if name in reads else (), jumps=after)

    def _counted(self, name: str, container: Container, index: int) -> Iterable[Fact]:
        """What TURNS_SINCE or READ_COUNT read: the target pushed just before, or else any that is counted."""
        kind: FactKind = "turn" if name == "turns" else "count"
        before = container.items[index - 1] if index else None
        if isinstance(before, dict) and "^->" in before:
            return [Fact(kind, self.find(before["^->"], container)[0].path)]
        flag = TURNS if name == "turns" else VISITS
        return [Fact(kind, other.path) for other in _all(self.root) if other.flags & flag]

    def _variable(self, name: str) -> Fact:
        return Fact("variable" if name in self.defaults else "temporary", name)

    def _divert(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        kind = next(key for key in ("->", "f()", "->t->") if key in item)
        thread = index > 0 and container.items[index - 1] == "thread"
        returns = after if kind != "->" or item.get("c") or thread else ()
        if item.get("var"):
            return Instruction((self._variable(item[kind]),), jumps=returns)
        target = self.entry(item[kind], container)
        return Instruction(jumps=target + returns) if kind == "->" else Instruction(jumps=returns, calls=target)

    def _external(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        fallback = self.entry(item["x()"]) if item["x()"] in self.root.named else ()
        return Instruction(jumps=after, calls=fallback)

    def _choice(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        target, _ = self.find(item["*"], container)
        reads = (Fact("count", target.path, limit=1),) if int(item.get("flg", 0)) & ONCE else ()
        return Instruction(reads, jumps=after + self.entry(item["*"], container))

    def _pushed(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        counted = container.items[index + 1 : index + 2] in (["turns"], ["readc"])
        return Instruction(jumps=after if counted else after + self.entry(item["^->"], container))

    def _pointer(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        return Instruction((self._variable(item["^var"]),), jumps=after)

    def _reference(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        return Instruction((self._variable(item["VAR?"]),), jumps=after)

    def _count(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        target, _ = self.find(item["CNT?"], container)
        return Instruction((Fact("count", target.path, limit(container.items, index)),), jumps=after)

    def _assign(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        return Instruction(sets=(Fact("variable", item["VAR="]),), jumps=after)

    def _temporary(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        # A temporary that is assigned again may be a pointer: then it is read, and what it points to is set.
        fact = (Fact("temporary", item["temp="]),)
        return Instruction(reads=fact, jumps=after) if item.get("re") else Instruction(sets=fact, jumps=after)

    def _value(self, item: dict[str, Any], container: Container, index: int, after: tuple[int, ...]) -> Instruction:
        return Instruction(jumps=after)


_READERS: dict[str, Any] = {
    "->": Code._divert,
    "f()": Code._divert,
    "->t->": Code._divert,
    "x()": Code._external,
    "*": Code._choice,
    "^->": Code._pushed,
    "^var": Code._pointer,
    "VAR?": Code._reference,
    "CNT?": Code._count,
    "VAR=": Code._assign,
    "temp=": Code._temporary,
    "list": Code._value,
    "#": Code._value,
}


def _join(path: str, index: int | None) -> str:
    return path if index is None else f"{path}.{index}" if path else str(index)


def _container(data: list[Any], parent: Container | None, index: int | None, name: str) -> Container:
    """Read a container; the last element of its array holds its flags, its name and the parts reached by name."""
    last: dict[str, Any] = data[-1] or {}
    name = last.get("#n", name) or ("" if index is None else str(index))
    container = Container(f"{parent.path}.{name}" if parent and parent.path else name, parent, index)
    container.flags = last.get("#f", 0)
    for place, item in enumerate(data[:-1]):
        inner = _container(item, container, place, "") if isinstance(item, list) else item
        container.items.append(inner)
        if isinstance(inner, Container) and "#n" in (item[-1] or {}):
            container.named[item[-1]["#n"]] = inner
    for key, item in last.items():
        if key not in ("#f", "#n"):
            container.named[key] = _container(item, container, None, key)
    return container


def _all(container: Container) -> Iterator[Container]:
    """The container and every one inside it."""
    yield container
    inner = [item for item in container.items if isinstance(item, Container)]
    for other in inner + [part for part in container.named.values() if part.index is None]:
        yield from _all(other)


def _defaults(root: Container) -> dict[str, Any]:
    if "global decl" not in root.named:
        return {}
    items = root.named["global decl"].items
    pairs = [(items[i - 1], item["VAR="]) for i, item in enumerate(items) if isinstance(item, dict) and "VAR=" in item]
    return {name: value if _is_value(value) else None for value, name in pairs}


def _is_value(item: Any) -> bool:
    """Whether an item is a constant: a number, text, a list, or the target of a divert."""
    if isinstance(item, dict):
        return "list" in item or "^->" in item
    return not isinstance(item, str | Container) or item.startswith("^") if isinstance(item, str) else True
