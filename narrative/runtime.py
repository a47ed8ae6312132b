"""What it takes to play a story: one interface, fulfilled by `ink.py` (compiled Ink) and `own.py` (our format).

A runtime is deterministic: the same choices give the same steps. Stories that draw random numbers are refused on
opening, unless a seed fixes what they draw.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from ..errors import StoryError
from ..schemas.story import Scalar, Signal, StoryPerson


class Line(NamedTuple):
    """One line of the story's text. `speaker` is None for narration or where the format does not say."""

    text: str
    span: str
    """Where the line stands in the source: alternative wordings of one place share it."""
    speaker: str | None = None
    tags: tuple[str, ...] = ()


class Choice(NamedTuple):
    text: str
    span: str


class Step(NamedTuple):
    """What is told up to the next decision, and what is offered there. No choices: the story has ended."""

    lines: tuple[Line, ...]
    choices: tuple[Choice, ...]
    variables: Mapping[str, Scalar]
    location: str
    """The decision's place in the source, the same whatever the variables: digest of the spans on offer."""
    chapter: str = ""
    protagonist: str | None = None
    present: tuple[str, ...] = ()
    ending: str | None = None
    """Id of the ending, where the story has ended."""


class Runtime(Protocol):
    """One play in progress. Not safe for use by two threads at once."""

    def start(self) -> Step:
        """Begin again from the start."""

    def choose(self, index: int) -> Step:
        """Take a choice of the last step. Raises `IndexError` if it was not offered."""

    def save(self) -> str:
        """The position as text, its first line what was told; equal texts continue equally (see `future`)."""

    def load(self, state: str) -> Step:
        """Go to a saved position; returns the step as it stood there."""

    def close(self) -> None:
        """Free what the runtime holds (a child process)."""


class Branch(NamedTuple):
    """What follows one choice: its step and the position there, or the error in which the story broke off."""

    step: Step | None
    state: str
    error: StoryError | None


def future(state: str) -> str:
    """The part of a saved position that bears on what follows: all but its first line, where there are several."""
    return state.partition("\n")[2] or state


@runtime_checkable
class Expanding(Protocol):
    """What a runtime may offer besides: every choice of a position at once, faster than one by one."""

    def expand(self, state: str) -> tuple[Branch, ...]:
        """What follows each choice offered at `state`, in their order."""


def expand(runtime: Runtime, state: str, most: int | None = None) -> tuple[Branch, ...]:
    """What follows each choice (or the first `most`) offered at a saved position; where the runtime stands afterwards
    is not said."""
    if isinstance(runtime, Expanding):
        return runtime.expand(state)[:most]
    return tuple(_branch(runtime, state, index) for index in range(len(runtime.load(state).choices))[:most])


def _branch(runtime: Runtime, state: str, index: int) -> Branch:
    try:
        runtime.load(state)
        return Branch(runtime.choose(index), runtime.save(), None)
    except StoryError as error:
        return Branch(None, "", error)


class StoryInfo(NamedTuple):
    """What a story file says of itself, without playing it."""

    title: str
    format: str
    """`ink` or `story`."""
    sha256: str
    language: str
    background: str
    protagonists: tuple[str, ...]
    people: tuple[StoryPerson, ...]
    signals: Mapping[str, Signal]
    license: str
    texts: tuple[str, ...]
    """Every piece of text that the source can show, in order: what names are proposed from."""


class Story(Protocol):
    """An opened story file."""

    info: StoryInfo

    def runtime(self) -> Runtime:
        """A new play; close it after use."""
