"""The options of one item as a parser needs them: ids whatever their case, texts whatever their spacing."""

import re
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


@dataclass(frozen=True)
class OptionSet:
    """Ids in order, and the text of each, which may be empty."""

    texts: Mapping[str, str]
    multiple: bool

    @classmethod
    def of(cls, options: Mapping[str, str] | Sequence[str], multiple: bool) -> "OptionSet":
        """From id → text; or from a sequence of bare ids; or from a sequence of texts, which are lettered from A."""
        if not isinstance(options, Mapping):
            options = _named(options)
        if not options:
            raise ValueError("a reply can be read only against a non-empty set of options")
        return cls(dict(options), multiple)

    def id_of(self, token: str) -> str | None:
        """The id that a token names, whatever its case; None where it is not on offer."""
        if token in self.texts:
            return token
        wanted = token.casefold()
        same = [option for option in self.texts if option.casefold() == wanted]
        return same[0] if len(same) == 1 else None

    @cached_property
    def folded(self) -> dict[str, str]:
        """The texts as they are compared."""
        return {option: fold(text) for option, text in self.texts.items()}

    def with_text(self, text: str) -> tuple[str, ...]:
        """Ids of the options whose text is exactly this one."""
        wanted = fold(text)
        return tuple(option for option, own in self.folded.items() if wanted and own == wanted)

    def starting(self, text: str) -> tuple[str, str] | None:
        """The option with the longest text that `text` begins with, and what follows it. Folded on both sides."""
        folded = fold(text)
        best = max((own for own in self.folded.values() if _begins(folded, own)), key=len, default="")
        if not best:
            return None
        return self.with_text(best)[0], folded[len(best) :]

    def chosen(self, ids: Iterable[str]) -> Reading:
        """A choice of these ids, in the options' order: none, one, or a set where the item allows one."""
        wanted = set(ids)
        if not wanted:
            return NO_ANSWER
        if len(wanted) > 1 and not self.multiple:
            return Reading((), "too_many")
        return Reading(tuple(option for option in self.texts if option in wanted), "answered")


def _named(options: Sequence[str]) -> dict[str, str]:
    if all(BARE_ID.fullmatch(option) for option in options):
        return dict.fromkeys(options, "")
    if len(options) > 26:
        raise ValueError("more than 26 texts cannot be lettered; give id → text")
    return {chr(ord("A") + place): text for place, text in enumerate(options)}


def _begins(text: str, start: str) -> bool:
    return bool(start) and text.startswith(start) and not text[len(start) : len(start) + 1].isalnum()
