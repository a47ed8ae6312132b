"""A proposal of what a story's variables measure, and between whom: read off their names, and how choices move them.

It is never used as it stands: a person edits it in `benchwright.yaml` (NARRATIVE 4). So it says little rather than
much: a variable without a word that tells a measure, or two people in its name, is left alone.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from ..errors import StoryError
from ..knowledge.loader import Measure, SignalWords
from ..narrative.courses import Course, observe
from ..narrative.runtime import Story
from ..schemas.story import Entity, Scalar, Signal

MOST = 0.8
"""Share of the choices that move a variable which one person must make, or be named at, to be part of it."""


class Proposal(NamedTuple):
    signal: Signal
    doubt: str
    """What a person should look at first; empty where the name says all."""


class _Named(NamedTuple):
    """What the name of a variable says."""

    measure: Measure | None
    people: tuple[str, ...]
    feels_first: bool
    """Whether the person named stands before the measure: `kate_trust` is hers."""


def propose_signals(
    story: Story, people: Sequence[Entity], words: SignalWords, known: Collection[str] = ()
) -> dict[str, Proposal]:
    """Proposals by variable, in the order of the story's variables, `known` ones left out. None for a story that fails
    when it is played."""
    names = Names(people)
    try:
        with closing(story.runtime()) as runtime:
            start = runtime.start().variables
            named = dict(_promising(start, names, words, {*known, *story.info.signals}))
            courses = observe(story, runtime, named) if named else {}
    except StoryError:
        return {}
    return {name: _proposal(found, courses[name], names, words) for name, found in named.items() if courses[name].steps}


class Names:
    """People, found in the names of variables and of places in a story's source."""

    def __init__(self, people: Sequence[Entity]) -> None:
        persons = [entity for entity in people if entity.kind == "person"]
        owners = Counter(word for entity in persons for word in _words_of(entity))
        self._owner = {word: entity.names[0] for entity in persons for word in _words_of(entity) if owners[word] == 1}

    def find(self, words: Sequence[str]) -> tuple[str, ...]:
        """First names of the people whose words stand there, in order."""
        return tuple(dict.fromkeys(self._owner[word] for word in words if word in self._owner))

    def first(self, name: str) -> str:
        """The first name of somebody of the story."""
        found = self.find(parts(name))
        return found[0] if found else name

    def owns(self, word: str) -> bool:
        return word in self._owner


def parts(name: str) -> list[str]:
    """The words of a name such as `trust_kate`, `TrustKate` or `talk.with-kate`, in small letters."""
    split = re.sub(r"(?<=[^\W\d_])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])", "_", name)
    return [word.casefold() for word in re.split(r"[\W_\d]+", split) if word]


def _words_of(entity: Entity) -> set[str]:
    return {word for name in entity.names for word in parts(name) if len(word) > 1}


def _promising(
    variables: Mapping[str, Scalar], names: Names, words: SignalWords, known: Collection[str]
) -> Iterator[tuple[str, _Named]]:
    for name, value in variables.items():
        found = _read(parts(name), names, words)
        if name in known or found is None or isinstance(value, str):
            continue
        if not isinstance(value, bool) or (found.measure and found.measure.kind == "character_fate"):
            yield name, found


def _read(split: Sequence[str], names: Names, words: SignalWords) -> _Named | None:
    """What a name says; None where that is no measure."""
    people = names.find(split)
    measure = next((one for one in words.measures if set(one.words) & set(split)), None)
    if set(split) & words.counters or not (measure or len(people) == 2) or len(people) > 2:
        return None
    place = next((at for at, word in enumerate(split) if measure and word in measure.words), 0)
    return _Named(measure, people, any(names.owns(word) for word in split[:place]))


def _proposal(named: _Named, course: Course, names: Names, words: SignalWords) -> Proposal:
    kind = named.measure.kind if named.measure else "relationship_change"
    label = named.measure.label if named.measure else words.unnamed
    people, doubt = named.people, "" if named.measure else "the label is a guess"
    if kind == "relationship_change" and len(people) < 2:
        people = _joined(people or _there(course, names), _decider(course, names), named.feels_first)
        doubt = doubt or "the name does not say between whom"
    return Proposal(Signal(kind=kind, between=people, label=label), doubt)


def _joined(people: tuple[str, ...], decider: str | None, feels_first: bool) -> tuple[str, ...]:
    """Who feels, then towards whom; nobody where only the maker of the choices is known."""
    pair = [*people, *([decider] if people and decider and decider not in people else [])]
    return tuple(pair if feels_first else reversed(pair))


def _decider(course: Course, names: Names) -> str | None:
    """Who makes nearly all choices that move the variable."""
    return next((names.first(who) for who, n in course.deciders.most_common(1) if n >= MOST * len(course.steps)), None)


def _there(course: Course, names: Names) -> tuple[str, ...]:
    """The one person after whom nearly all places are named where the variable moves."""
    own = {_decider(course, names)}
    found = Counter(person for span in course.spans for person in names.find(parts(span)) if person not in own)
    return tuple(who for who, n in found.most_common(1) if n >= MOST * len(course.steps))
