"""Worked examples that stand before a question: items of another release, from sources of their own, with the answer.

The examples for 2 shots are the first two of those for 4, so that runs differ by what is added alone.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..errors import UsageError
from ..schemas.base import digest
from ..schemas.call import Message
from ..schemas.clip import TranscriptLine
from ..schemas.item import Format, Option
from ..schemas.judge import TraceStep
from ..schemas.release import ModelInput
from ..schemas.response import Trace
from .film import Films, NoFilms


class Shot(NamedTuple):
    """One worked example."""

    item: ModelInput
    answer: tuple[str, ...]
    """Option ids; of an open question the text stands in `answer_text`."""
    answer_text: str
    source: str
    """Of its clip: examples are taken from as many sources as there are."""
    steps: tuple[TraceStep, ...] = ()
    """How a person got there; needed where a trace is asked for."""


@dataclass(frozen=True)
class Shots:
    """All that there is to choose from."""

    name: str = ""
    """Name, version and hash of the release that they come from."""
    pool: Sequence[Shot] = ()
    transcripts: Mapping[str, Sequence[TranscriptLine]] = field(default_factory=dict)
    films: Films = field(default_factory=NoFilms)

    def chosen(self, count: int, format: Format, trace: Trace, seed: int) -> list[Shot]:
        """The first `count` examples of a format. Raises `UsageError` where there are fewer."""
        if count == 0:
            return []
        fit = [shot for shot in self.pool if shot.item.format == format and (trace == "none" or shot.steps)]
        if trace == "rationale":
            raise UsageError("examples hold no rationales: shots go with trace none or steps")
        if len(fit) < count:
            having = " with a person's trace" if trace == "steps" else ""
            source = f"{self.name} has" if self.name else "name a release of examples with --shots: there are"
            raise UsageError(f"{count} shots: {source} {len(fit)} items of format {format}{having}")
        return list(_spread(fit, seed))[:count]


def _spread(pool: Sequence[Shot], seed: int) -> Iterator[Shot]:
    """The examples in the order in which they are taken: one of each source, then a second one of each."""
    by_source: dict[str, list[Shot]] = {}
    for shot in sorted(pool, key=lambda shot: digest(seed, "shot", shot.item.id)):
        by_source.setdefault(shot.source, []).append(shot)
    for rank in range(max(map(len, by_source.values()), default=0)):
        yield from (own[rank] for own in by_source.values() if rank < len(own))


def answered(shot: Shot, letters: Mapping[str, Option], trace: Trace) -> str:
    """The reply that an example shows: what the schema asks for, in its order."""
    reply: dict[str, Any] = {}
    if trace == "steps":
        reply["trace"] = [{"step": step.text, "tags": list(step.tags)} for step in shot.steps]
    chosen = [letter for letter, option in letters.items() if option.id in shot.answer]
    if shot.item.format == "open":
        return json.dumps(reply | {"answer": shot.answer_text}, ensure_ascii=False)
    return json.dumps(reply | {"answer": chosen if shot.item.format == "multiple" else chosen[0]}, ensure_ascii=False)


def relabelled(message: Message, number: int) -> Message:
    """A message of an example, its parts told apart from those of the question: rules read by label."""
    parts = [part.model_copy(update={"label": f"shot {number}/{part.label}"}) for part in message.parts]
    return message.model_copy(update={"parts": tuple(parts)})
