"""Compiled Ink, run by bink in a child process (`ink_child.py`); `ink_index.py` says what its lines and choices are.

Conventions an author may use, all optional: a line `NAME: text` is spoken by NAME (one name of at most three words,
each capitalised or in capitals). Tags on a line, `# chapter: X`, `# protagonist: NAME`, `# present: A, B` and
`# ending: LABEL`, hold until changed. Tags before the first line, `# title:`, `# author:`, `# background:`,
`# language:`, `# protagonists: A, B` and `# license:`, describe the story.
"""

import contextlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import IO, Any

from ..errors import InputError, StoryError
from ..schemas.base import digest, sha256
from ..schemas.story import StoryPerson
from .ink_child import HANG
from .ink_index import InkIndex, global_tags, normal, scalar, variables
from .runtime import Branch, Choice, Line, Step, StoryInfo

VERSIONS = (20, 21)
SECONDS = 10.0
"""Time limit of one operation of a story: a choice takes microseconds, so this is a hang."""

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
        self.source = source.decode("utf-8-sig")
        root = check_root(path, compiled)
        try:
            self.index = InkIndex(root)
        except RecursionError:
            raise InputError(path, "nested too deeply to be read") from None
        if self.index.random is not None and random_seed is None:
            problem = "draws random numbers (a shuffle or RANDOM); without a fixed seed such a story is not played"
            raise InputError(path, problem, self.index.random)
        self.seed = random_seed if self.index.random is not None else None
        if importlib.util.find_spec("bink") is None:
            raise InputError(path, NO_BINK)
        self.variables = variables(root)
        self.info = describe(path, source, root, self.index)

    def runtime(self, seconds: float = SECONDS) -> "InkRuntime":
        return InkRuntime(self, seconds)


NO_BINK = (
    "Ink stories are played by bink, which is not installed (wheels: Linux x86_64 and aarch64, Windows, "
    "macOS 14+ on arm64); install it, or tell the story in our own format"
)


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
    return tuple(name for key, _, value in pairs if key.strip() in ("protagonist", "present") for name in names(value))


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
        return tuple(self._branch(reply, index) for index, reply in enumerate(replies))

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

    def _branch(self, reply: Any, index: int) -> Branch:
        if isinstance(reply, str):
            return Branch(self._read(reply), reply, None)
        return Branch(None, "", StoryError(self._story.path, reply["error"], f"choice {index} of a saved position"))

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
            self._child = Child(self._story, self._seconds)
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
    offered = saved["flows"][saved["currentFlowName"]]["currentChoices"]
    lines = tuple(read_line(story.index, *line) for line in told)
    paths = [choice["targetPath"] for choice in offered]
    ending = None if offered else ending_of(story.index, marks, lines)
    return Step(
        lines=lines,
        choices=tuple(Choice(normal(choice["text"]), choice["targetPath"]) for choice in offered),
        variables=story.variables | {name: scalar(value) for name, value in saved["variablesState"].items()},
        location=digest("ending", ending or "") if ending is not None else digest(story.index.location(paths)),
        chapter=normal(marks.get("chapter", "")),
        protagonist=normal(marks.get("protagonist", "")) or next(iter(story.info.protagonists), None),
        present=names(marks.get("present", "")),
        ending=ending,
    )


def read_line(index: InkIndex, raw: str, tags: tuple[str, ...] | list[str] = ()) -> Line:
    text = normal(raw)
    speaker, words = speech(text)
    return Line(words, index.span(text), speaker, tuple(normal(tag) for tag in tags))


def ending_of(index: InkIndex, marks: dict[str, str], lines: tuple[Line, ...]) -> str:
    """The `# ending:` tag; else where the last line with a place in the source stands."""
    if marks.get("ending"):
        return normal(marks["ending"])
    placed = [line.span for line in lines if not line.span.startswith("text:")]
    return index.ending(placed[-1]) if placed else "end"


def shorten(text: str, width: int = 40) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


class ChildError(Exception):
    """The child answered with an error, or ended."""


class Child:
    """The process that plays. It ends when this object does, and with this process, however that ends."""

    def __init__(self, story: InkStory, seconds: float, module: str = "ink_child", **opening: Any) -> None:
        self._seconds = seconds
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 closed with the process
        command = [sys.executable, "-P", "-m", f"{__package__}.{module}"]
        environment = {**os.environ, "RUST_BACKTRACE": "0"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints, env=environment
        )
        self.close = weakref.finalize(self, end, self._process, self._complaints)
        first = {"source": story.source, "fallbacks": sorted(story.index.fallbacks), "seconds": seconds}
        self._write(first | opening)

    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, operation: str, *arguments: Any) -> Any:
        """The child's reply. Raises `ChildError` with its error, or with how it ended."""
        self.send(operation, *arguments)
        return self.receive()

    def send(self, operation: str, *arguments: Any) -> None:
        """Ask without waiting; replies come in the order of the requests."""
        self._write({"op": operation, "args": arguments})

    def receive(self) -> Any:
        """The next reply. Raises `ChildError`."""
        line = self._process.stdout.readline() if self._process.stdout else b""
        if not line.endswith(b"\n"):
            raise ChildError(self._how_it_ended())
        reply = json.loads(line)
        if "error" in reply:
            raise ChildError(self._in_full(reply["error"]))
        return reply["ok"]

    def _write(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError, OSError):
            if self._process.stdin:
                self._process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
                self._process.stdin.flush()

    def _how_it_ended(self) -> str:
        code = self._process.wait()
        if code == HANG:
            return f"the story ran for more than {self._seconds:g} s without coming to a choice (an endless loop?)"
        said = self._last_words()
        if "bink" in said and ("ModuleNotFoundError" in said or "library not found" in said):
            return NO_BINK
        return f"the story crashed its runtime (exit {code}{': ' + said if said else ''}; endless recursion?)"

    def _in_full(self, error: str) -> str:
        """A panic's own words stand on stderr; the reply says only that there was one."""
        said = self._last_words()
        problem = error.partition("The first issue was: ")[2] or error
        return normal(said if "panic" in problem and said else problem)

    def _last_words(self) -> str:
        self._complaints.seek(0)
        lines = self._complaints.read()[-4000:].decode(errors="replace").splitlines()
        telling = [line.strip() for line in lines if line.strip() and not line.startswith("note: ")]
        return telling[-1] if telling else ""


def end(process: "subprocess.Popen[bytes]", complaints: IO[bytes]) -> None:
    """Kill and reap a child and close its pipes."""
    process.kill()
    for pipe in (process.stdin, process.stdout, complaints):
        with contextlib.suppress(OSError):
            if pipe:
                pipe.close()
    process.wait()
