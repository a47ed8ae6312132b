"""The project's lexicon: who is who, in the order they were met, each with one placeholder for good.

Entries are only ever added; a name belongs to the entry that had it first; a placeholder once given stays.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from ..errors import UsageError
from ..schemas.source import LexiconEntry
from ..schemas.story import Entity, EntityKind, StoryPerson
from .patterns import clean, without_title

GREEK_LETTERS = (
    "Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa", "Lambda", "Mu",
    "Nu", "Xi", "Omicron", "Pi", "Rho", "Sigma", "Tau", "Upsilon", "Phi", "Chi", "Psi", "Omega",
)  # fmt: skip
NOUNS: dict[EntityKind, tuple[str, ...]] = {
    "organization": ("Organization", "Institution", "Body"),
    "place": ("Place", "Location", "Site"),
    "other": ("Name", "Item", "Thing"),
}
"""The noun of each numbered placeholder; the later ones serve where a name of the lexicon is the earlier one."""


def merge(
    existing: Sequence[LexiconEntry] = (),
    *,
    author: Iterable[Entity] = (),
    story: Iterable[StoryPerson] = (),
    proposed: Iterable[Entity] = (),
) -> list[LexiconEntry]:
    """The lexicon with what the author, the story file and the proposal add, numbered on from `existing`.

    An entity that shares a name with an entry adds its other names to it. What the author says of kind, descriptor and
    common word wins over the story, and that over the proposal; placeholders never change.
    Raises `UsageError` where two of the author's entities share a name, or the author renames a placeholder.
    """
    _check_author(author := list(author))
    entries = list(existing)
    for entity in author:
        _add(entries, entity, "author")
    for person in story:
        entity = Entity(names=(person.name, *person.aliases), kind=person.kind, descriptor=person.descriptor,
                        common_word=person.common_word)  # fmt: skip
        _add(entries, entity, "story")
    for entity in proposed:
        _add(entries, entity.model_copy(update={"placeholder": ""}), "proposed")
    return entries


def assign(entries: Sequence[LexiconEntry], texts: Iterable[str] = ()) -> list[LexiconEntry]:
    """The entries, each with its placeholder: Greek letters for persons, numbered nouns for the rest.

    A letter or number that `texts` or a name of the lexicon hold as a word of their own is passed over, and so is one
    in which a name is hidden. Placeholders already given are kept. Deterministic in the order of the entries.
    """
    taken = {entry.entity.placeholder.casefold() for entry in entries if entry.entity.placeholder}
    avoid = _Avoid(entries, texts)
    assigned = []
    for entry in entries:
        entity = entry.entity
        if not entity.placeholder:
            free = (name for name in _candidates(entity.kind, avoid) if name.casefold() not in taken)
            entity = entity.model_copy(update={"placeholder": next(free)})
            taken.add(entity.placeholder.casefold())
        assigned.append(entry.model_copy(update={"entity": entity}))
    return assigned


def entities(entries: Iterable[LexiconEntry]) -> tuple[Entity, ...]:
    """What an `Anonymizer` is made of."""
    return tuple(entry.entity for entry in entries)


class _Avoid:
    """The words that no placeholder may be or contain."""

    def __init__(self, entries: Sequence[LexiconEntry], texts: Iterable[str]) -> None:
        self.names = {_letters(name) for entry in entries for name in entry.entity.names} - {""}
        parts = {_letters(word) for entry in entries for name in entry.entity.names for word in name.split()}
        self.words = parts | {word for text in texts for word in _words(text)}
        self.numbered = {pair for text in texts for pair in _numbered(text)}

    def hides(self, placeholder: str) -> bool:
        """Whether a name of the lexicon is inside it."""
        return any(name in _letters(placeholder) for name in self.names if len(name) >= 3)

    def forbids(self, placeholder: str) -> bool:
        low = placeholder.casefold()
        return self.hides(placeholder) or low in self.numbered or (low.isalpha() and low in self.words)


def _candidates(kind: EntityKind, avoid: _Avoid) -> Iterator[str]:
    if kind == "person":
        letters = [letter for letter in GREEK_LETTERS if not avoid.forbids(letter)]
        letters = letters or [f"Person {letter}" for letter in GREEK_LETTERS]
        yield from letters
        yield from (f"{letter} {number}" for number in count(2) for letter in letters)
    else:
        noun = next((noun for noun in NOUNS[kind] if not avoid.hides(noun)), NOUNS[kind][-1])
        yield from (name for number in count(1) if not avoid.forbids(name := f"{noun} {number}"))


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", name).casefold()))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", unicodedata.normalize("NFC", text).casefold())


def _numbered(text: str) -> list[str]:
    return [" ".join(pair.split()) for pair in re.findall(r"[^\W\d_]+\s+\d+", text.casefold())]


def _key(name: str, kind: EntityKind) -> str:
    return (without_title(name) if kind == "person" else clean(name)).casefold()


def _keys(entity: Entity) -> set[str]:
    return {_key(name, entity.kind) for name in entity.names}


def _check_author(author: Sequence[Entity]) -> None:
    owner: dict[str, Entity] = {}
    for entity in author:
        for key in _keys(entity):
            other = owner.setdefault(key, entity)
            if other is not entity:
                raise UsageError(f"entities: {key!r} is a name of both {other.names[0]!r} and {entity.names[0]!r}; "
                                 "keep it with one of them")  # fmt: skip


def _add(entries: list[LexiconEntry], entity: Entity, origin: str) -> None:
    owners = {key: at for at, entry in reversed(list(enumerate(entries))) for key in _keys(entry.entity)}
    homes = sorted({owners[key] for key in _keys(entity) if key in owners})
    names = [clean(name) for name in entity.names if _key(name, entity.kind) not in owners]
    if not homes:
        entry = {"number": _next(entries), "entity": entity.model_copy(update={"names": tuple(dict.fromkeys(names))})}
        entries.append(LexiconEntry.model_validate({**entry, "origin": origin}))
        return
    old = entries[homes[0]]
    entries[homes[0]] = old.model_copy(update={"entity": _joined(old, entity, names, origin)})


def _next(entries: Sequence[LexiconEntry]) -> int:
    return 1 + max((entry.number for entry in entries), default=0)


def _joined(old: LexiconEntry, entity: Entity, names: Iterable[str], origin: str) -> Entity:
    """An entry's entity with further names; a stronger origin also corrects what the entry says of it."""
    was = old.entity
    if entity.placeholder and was.placeholder and entity.placeholder != was.placeholder:
        raise UsageError(f"entities: {was.names[0]!r} is {was.placeholder!r} already and cannot become "
                         f"{entity.placeholder!r}; placeholders stay for good")  # fmt: skip
    ranks = ("author", "story", "proposed")
    stronger = ranks.index(origin) <= ranks.index(old.origin)
    return Entity(
        names=tuple(dict.fromkeys([*was.names, *names])),
        kind=entity.kind if stronger else was.kind,
        placeholder=was.placeholder or entity.placeholder,
        descriptor=(entity.descriptor or was.descriptor) if stronger else (was.descriptor or entity.descriptor),
        common_word=entity.common_word if stronger else was.common_word,
    )
