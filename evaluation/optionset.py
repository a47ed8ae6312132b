"""The options of one item as a parser needs them: ids whatever their case, texts whatever their spacing."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

Status = Literal["answered", "no_answer", "ambiguous", "too_many", "invalid_option", "refusal", "truncated"]

QUOTES = str.maketrans("’‘“”", "''\"\"")
BARE_ID = re.compile(r"[A-Za-z]|\d{1,3}")


class Reading(NamedTuple):
    """What one piece of a reply says. `ids` is empty unless the status is `answered`."""

    ids: tuple[str, ...]
    status: Status


NO_ANSWER = Reading((), "no_answer")
AMBIGUOUS = Reading((), "ambiguous")
INVALID = Reading((), "invalid_option")
REFUSAL = Reading((), "refusal")
TRUNCATED = Reading((), "truncated")


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Text for comparison: case and spacing gone, one kind of quote, no punctuation or markup at its ends."""
    text = text.casefold()
    if not text.isascii():
        text = text.translate(QUOTES)
    return " ".join(text.split()).strip(" .,;:!?\"'`*_#()[]{}<>$")


@dataclass(frozen=True, eq=False)
class OptionSet:
    """Ids in order, and the text of each, which may be empty. Two are the same only if they are one object."""

    texts: Mapping[str, str]
    multiple: bool

    @classmethod
    def of(cls, options: Mapping[str, str] | Sequence[str], multiple: bool) -> "OptionSet":
        """From id → text; or from a sequence of bare ids; or from a sequence of texts, which are lettered from A."""
        if not isinstance(options, Mapping):
            options = _named(options)
        if not options:
            raise ValueError("a reply can be read only against a non-empty set of options")
        return _option_set(tuple(options.items()), multiple)

    def id_of(self, token: str) -> str | None:
        """The id that a token names, whatever its case; None where it is not on offer."""
        return token if token in self.texts else self._caseless.get(token.casefold())

    @cached_property
    def _caseless(self) -> dict[str, str]:
        """Case-folded id → id, for ids that differ in more than case."""
        counts = Counter(option.casefold() for option in self.texts)
        return {option.casefold(): option for option in self.texts if counts[option.casefold()] == 1}

    @cached_property
    def _worded(self) -> dict[str, tuple[str, ...]]:
        """Each text as it is compared, the longest first → the ids that have it."""
        ids: dict[str, tuple[str, ...]] = {}
        for option, text in self.texts.items():
            ids[fold(text)] = (*ids.get(fold(text), ()), option)
        ids.pop("", None)
        return dict(sorted(ids.items(), key=lambda entry: -len(entry[0])))

    def with_text(self, text: str) -> tuple[str, ...]:
        """Ids of the options whose text is exactly this one."""
        return self._worded.get(fold(text), ()) if self._worded else ()

    def starting(self, text: str) -> tuple[str, str] | None:
        """The option with the longest text that `text` begins with, and what follows it. Folded on both sides."""
        folded = fold(text) if self._worded else ""
        for own, ids in self._worded.items():
            if folded.startswith(own) and not folded[len(own) : len(own) + 1].isalnum():
                return ids[0], folded[len(own) :]
        return None

    def chosen(self, ids: Iterable[str]) -> Reading:
        """A choice of these ids, in the options' order: none, one, or a set where the item allows one."""
        wanted = set(ids)
        if len(wanted) == 1:
            return Reading(tuple(wanted), "answered")
        if not wanted:
            return NO_ANSWER
        if not self.multiple:
            return Reading((), "too_many")
        return Reading(tuple(option for option in self.texts if option in wanted), "answered")


@lru_cache(maxsize=1024)
def _option_set(texts: tuple[tuple[str, str], ...], multiple: bool) -> OptionSet:
    """One object for one item: many replies are read against the same options."""
    return OptionSet(dict(texts), multiple)


def _named(options: Sequence[str]) -> dict[str, str]:
    if all(BARE_ID.fullmatch(option) for option in options):
        return dict.fromkeys(options, "")
    if len(options) > 26:
        raise ValueError("more than 26 texts cannot be lettered; give id → text")
    return {chr(ord("A") + place): text for place, text in enumerate(options)}
