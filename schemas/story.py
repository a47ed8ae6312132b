"""A branching story: our own file format (`*.story.yaml` or `.json`), and the words both it and Ink are told in.

The file format is published as `schemas/json/story.schema.json`. Expressions in `if` and `effects` are the small
language of `narrative/expressions.py`.
"""

from typing import Literal

from pydantic import Field

from .base import Record, classed

Scalar = bool | int | float | str

SignalKind = Literal[
    "relationship_change",
    "instability_shift",
    "success_probability_delta",
    "causal_lock",
    "public_opinion_shift",
    "character_fate",
    "player_choice_share",
]

EntityKind = Literal["person", "organization", "place", "other"]


class Entity(Record):
    """One person, organisation or place of a project's lexicon; every name of it becomes one placeholder."""

    names: tuple[str, ...] = classed("backend", min_length=1)
    """The name used first, then aliases; matched longest first."""
    kind: EntityKind = classed("backend", "person")
    placeholder: str = classed("public", "")
    """`Alpha`, `Organization 1`; empty until assigned. Append-only within a project."""
    descriptor: str = classed("public", "")
    """What a viewer can see: "the man in the grey coat"."""
    common_word: bool = classed("backend", False)
    """True where the name is also an ordinary word (Hope), so that only capitalised, non-initial uses match."""


class Signal(Record):
    """How a project reads one hidden variable of the story."""

    kind: SignalKind = classed("backend")
    between: tuple[str, ...] = classed("backend", ())
    """Names of the people concerned: who feels, then towards whom."""
    label: str = classed("backend", "")
    """What the variable measures, in words: "trust"."""


class StoryLine(Record):
    text: str = Field(min_length=1)
    speaker: str | None = None
    """Name of a person of the story, or None for narration."""
    when: str | None = Field(None, alias="if")
    tags: tuple[str, ...] = ()


class StoryChoice(Record):
    text: str = Field(min_length=1)
    to: str | None = None
    """State that follows; None ends the story there (an error unless the state is an ending)."""
    when: str | None = Field(None, alias="if")
    once: bool = False
    """Offered only until it has been taken once."""
    effects: tuple[str, ...] = ()
    """Assignments in order: `trust_ivo += 1`, `has_key = true`."""
    lines: tuple[StoryLine, ...] = ()
    """The reply: what is told right after the choice, before `to`."""
    player_share: float | None = Field(None, ge=0, le=1)
    """The author's note of how many players take it. No item rests on it: recorded shares have a file of their own."""


class StoryJump(Record):
    to: str
    when: str | None = Field(None, alias="if")


class StoryState(Record):
    chapter: str = ""
    protagonist: str | None = None
    """Whose choices these are; defaults to the story's first protagonist."""
    present: tuple[str, ...] = ()
    lines: tuple[StoryLine, ...] = ()
    effects: tuple[str, ...] = ()
    """Run on entering, before the lines."""
    choices: tuple[StoryChoice, ...] = ()
    goto: tuple[StoryJump, ...] = ()
    """Followed in order when no choice is offered; the first whose condition holds is taken."""
    ending: str | None = None
    """Label of the ending; a state with one has neither choices nor goto."""
    ending_class: Literal["success", "failure"] | None = None


class StoryPerson(Record):
    name: str = Field(min_length=1)
    aliases: tuple[str, ...] = ()
    descriptor: str = ""
    kind: EntityKind = "person"
    common_word: bool = False


class StoryFile(Record):
    """One story in our own format."""

    benchwright_story: Literal[1]
    """Format version."""
    title: str
    author: str = ""
    license: str = ""
    language: str = "en"
    background: str = ""
    """What is true before the first line, for whoever sees only a clip."""
    protagonists: tuple[str, ...] = Field(min_length=1)
    people: tuple[StoryPerson, ...] = ()
    """People, organisations and places with names."""
    variables: dict[str, Scalar] = Field(default_factory=dict)
    signals: dict[str, Signal] = Field(default_factory=dict)
    start: str
    states: dict[str, StoryState]
