"""Compiled Ink, run by bink in a child process (`ink_child.py`); `ink_index.py` says what its lines and choices are.

Conventions an author may use, all optional: a line `NAME: text` is spoken by NAME (one name of at most three words,
each capitalised or in capitals). Tags on a line, `# chapter: X`, `# protagonist: NAME`, `# present: A, B` and
`# ending: LABEL`, hold until changed. Tags before the first line, `# title:`, `# author:`, `# background:`,
`# language:`, `# protagonists: A, B` and `# license:`, describe the story.
"""

import importlib.util
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import InputError, StoryError
from ..schemas.base import digest, sha256
from ..schemas.story import StoryPerson
from .ink_index import InkIndex, global_tags, normal, scalar, variables, with_tag_commands
from .ink_process import NO_BINK, PANIC, SECONDS, Child, ChildError, plain_error
from .runtime import Branch, Choice, Line, Step, StoryInfo

VERSIONS = (20, 21)
_NAME = r"[^\W\d_][\w.'’-]*"
_SPEECH = re.compile(rf"(?P<speaker>{_NAME}(?: (?:{_NAME}|\d+)){{0,2}}): (?P<text>\S.*)", re.DOTALL)


def speech(text: str) -> tuple[str | None, str]:
    """Speaker and words of `NAME: words`; None and the text as it is where it is no speech."""
    found = _SPEECH.fullmatch(text)
    if found and not any(word[0].islower() for word in found["speaker"].split()):
        return found["speaker"], found["text"]
    return None, text


def names(listed: str) -> tuple[str, ...]:
    """`A, B` as names."""
    return tuple(name for name in (normal(part) for part in listed.split(",")) if name)


class InkStory:
    """A compiled story. Raises `InputError` for a version that is not read.

    A story that draws random numbers is refused, unless a `random_seed` is given: then what it draws is always the
    same, and what is learnt holds for that seed only.
    """

    def __init__(self, path: Path, source: bytes, compiled: dict[str, Any], random_seed: int | None = None) -> None:
        self.path = path
        root = check_root(path, compiled)
        try:
            self._understand(source, compiled, root)
        except RecursionError:
            raise InputError(path, "nested too deeply to be read") from None
        except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
            raise InputError(
                path, f"not as an Ink compiler writes it ({error}); compile the .ink source again"
            ) from None
        if self.index.random is not None and random_seed is None:
            problem = "draws random numbers (a shuffle or RANDOM); without a fixed seed such a story is not played"
            raise InputError(path, problem, self.index.random)
        self.seed = random_seed if self.index.random is not None else None
        if importlib.util.find_spec("bink") is None:
            raise InputError(path, NO_BINK)

    def _understand(self, source: bytes, compiled: dict[str, Any], root: list[Any]) -> None:
        playable = with_tag_commands(compiled) if compiled["inkVersion"] < 21 else compiled
        self.source = source.decode("utf-8-sig") if playable is compiled else json.dumps(playable, ensure_ascii=False)
        """What the runtime is given."""
        self.index = InkIndex(playable["root"])
        self.variables = variables(root)
        self.global_tags = frozenset(map(normal, global_tags(root)))
        self.info = describe(self.path, source, root, self.index)

    def runtime(self, seconds: float = SECONDS) -> "InkRuntime":
        """A new play; no operation of it takes longer than `seconds`."""
        return InkRuntime(self, seconds)

    def opening(self) -> dict[str, Any]:
        """What a child process has to know to play the story (`ink_child.Player`)."""
        return {"source": self.source, "fallbacks": sorted(self.index.fallbacks), "seed": self.seed}


def check_root(path: Path, compiled: dict[str, Any]) -> list[Any]:
    """The root container of a compiled story whose version is read."""
    version = compiled.get("inkVersion")
    if version not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        raise InputError(
            path, f"compiled as inkVersion {version!r}; {known} are read: compile the .ink source again", "/inkVersion"
        )
    root = compiled.get("root")
    if not isinstance(root, list) or not root or not isinstance(root[0], list):
        raise InputError(path, "no compiled Ink: expected a list of containers; compile the .ink source again", "/root")
    if not isinstance(compiled.get("listDefs"), dict):
        raise InputError(path, "no compiled Ink: expected an object; compile the .ink source again", "/listDefs")
    return root


def describe(path: Path, source: bytes, root: list[Any], index: InkIndex) -> StoryInfo:
    """What the global tags and the texts say."""
    told: dict[str, str] = {}
    for tag in global_tags(root):
        name, _, value = tag.partition(":")
        told.setdefault(name.strip().casefold(), normal(value))
    protagonists = names(told.get("protagonists", ""))
    return StoryInfo(
        title=told.get("title") or path.name.split(".")[0],
        format="ink",
        sha256=sha256(source),
        language=told.get("language") or "en",
        background=told.get("background", ""),
        protagonists=protagonists,
        people=tuple(StoryPerson(name=name) for name in dict.fromkeys(protagonists + tagged(index.tags))),
        signals={},
        license=told.get("license", ""),
        texts=tuple(index.texts),
    )


def tagged(tags: list[str]) -> tuple[str, ...]:
    """The people that tags name: who decides and who is present."""
    pairs = (tag.partition(":") for tag in tags)
    told = [(key.strip().lower(), value) for key, _, value in pairs]
    return tuple(name for key, value in told if key in ("protagonist", "present") for name in names(value))


class InkRuntime:
    """One play. The child process starts with the first operation, and again after a crash; positions outlive it."""

    def __init__(self, story: InkStory, seconds: float) -> None:
        self._story, self._seconds = story, seconds
        self._child: Child | None = None
        self._at: str | None = None
        self._step: Step | None = None
        self._play: tuple[str, ...] = ()

    def start(self) -> Step:
        self._play = ()
        return self._go(str(self._ask("start")))

    def choose(self, index: int) -> Step:
        step = self._standing()
        if not 0 <= index < len(step.choices):
            raise IndexError(f"choice {index} of {len(step.choices)}")
        self._play += (f"{index} ({shorten(step.choices[index].text)})",)
        return self._go(str(self._ask("choose", self._at, index)))

    def save(self) -> str:
        """The position: JSON of what was told, JSON of the marks set by tags, bink's saved state, a line each.

        Only the last two bear on what follows (`runtime.future`). bink's random seed is fixed in its state, and
        invisible choices are struck out.
        """
        self._standing()
        return self._at or ""

    def load(self, state: str) -> Step:
        """Goes to a saved position without asking the child: the text holds all of the step."""
        self._play = ("from a saved position",)
        return self._go(state)

    def expand(self, state: str) -> tuple[Branch, ...]:
        """What follows each choice at `state`, in one round trip; the play itself does not move."""
        count = len(self._read(state).choices)
        try:
            replies = self._ask("expand", state, count)
        except StoryError:
            replies = [self._alone(state, index) for index in range(count)]
        return tuple(self._branch(state, index, reply) for index, reply in enumerate(replies))

    def close(self) -> None:
        if self._child:
            self._child.close()
        self._child = None

    def _alone(self, state: str, index: int) -> Any:
        """One branch by itself: a crash in one must not hide the others."""
        try:
            return self._ask("choose", state, index)
        except StoryError as error:
            return {"error": error.problem}

    def _branch(self, state: str, index: int, reply: Any) -> Branch:
        if isinstance(reply, dict) and PANIC in reply["error"]:
            reply = self._alone(state, index)
        if isinstance(reply, str):
            return Branch(self._read(reply), reply, None)
        place = f"choice {index} of a saved position"
        return Branch(None, "", StoryError(self._story.path, plain_error(reply["error"]), place))

    def _standing(self) -> Step:
        if self._step is None:
            raise StoryError(self._story.path, "no play: start one, or load a position")
        return self._step

    def _go(self, position: str) -> Step:
        self._step, self._at = self._read(position), position
        return self._step

    def _read(self, position: str) -> Step:
        try:
            return read_step(self._story, position)
        except (ValueError, KeyError, TypeError) as error:
            raise StoryError(self._story.path, f"not a saved position of this story ({error})") from None

    def _ask(self, operation: str, *arguments: Any) -> Any:
        if self._child is None:
            self._child = Child(self._story.opening(), self._seconds)
        try:
            return self._child.ask(operation, *arguments)
        except ChildError as error:
            if not self._child.alive():
                self.close()
            raise self._failure(str(error)) from None

    def _failure(self, problem: str) -> InputError:
        if problem == NO_BINK:
            return InputError(self._story.path, problem)
        return StoryError(self._story.path, problem, "after " + (", ".join(self._play) or "the start"))


def read_step(story: InkStory, position: str) -> Step:
    """A position as the step that led there."""
    told, marks, saved = map(json.loads, position.split("\n", 2))
    flow = saved["flows"][saved["currentFlowName"]]
    offered = flow["currentChoices"]
    lines = tuple(read_line(story, *line) for line in told)
    ending = None if offered else ending_of(story.index, marks, lines)
    return Step(
        lines=lines,
        choices=tuple(Choice(normal(choice["text"]), choice["targetPath"]) for choice in offered),
        variables=story.variables | {name: scalar(value) for name, value in saved["variablesState"].items()},
        location=digest("ending", ending) if ending else digest("decision", decision(story.index, flow)),
        chapter=normal(marks.get("chapter", "")),
        protagonist=normal(marks.get("protagonist", "")) or next(iter(story.info.protagonists), None),
        present=names(marks.get("present", "")),
        ending=ending,
    )


def decision(index: InkIndex, flow: dict[str, Any]) -> str:
    """Where in the source the choices on offer stand."""
    thread = flow["callstack"]["threads"][-1]
    return index.location(
        [choice["targetPath"] for choice in flow["currentChoices"]], thread.get("previousContentObject", "")
    )


def read_line(story: InkStory, raw: str, tags: Iterable[str] = ()) -> Line:
    """A line as told; the story's global tags, which the runtime hangs on the first line, are left out."""
    text = normal(raw)
    speaker, words = speech(text)
    own = tuple(tag for tag in map(normal, tags) if tag not in story.global_tags)
    return Line(words, story.index.span(text), speaker, own)


def ending_of(index: InkIndex, marks: dict[str, str], lines: tuple[Line, ...]) -> str:
    """The `# ending:` tag; else where the last line with a place in the source stands."""
    if marks.get("ending"):
        return normal(marks["ending"])
    placed = [line.span for line in lines if not line.span.startswith("text:")]
    return index.ending(placed[-1]) if placed else "end"


def shorten(text: str, width: int = 40) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
