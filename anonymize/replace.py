"""Names out, placeholders in: one compiled expression over every name of the lexicon.

What position decides (a character called Hope) is left alone where position does not decide it, and listed.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ..errors import UsageError
from ..schemas.story import Entity
from .leaks import Leak, LeakTest
from .patterns import Form, clean, compile_filename, compile_text, forms
from .position import proves_name
from .scripts import APOSTROPHES

_ARTICLE = re.compile(r"(?<![^\W_])(an?|the)(\s+)$", re.IGNORECASE)
_VOWELS = frozenset("AEIOU")


class Ambiguous(NamedTuple):
    """A hit that a person must decide: the name, or the ordinary word? Offsets are those of the NFC text."""

    name: str
    start: int
    end: int


class _Hit(NamedTuple):
    form: Form
    start: int
    core: int
    core_end: int
    end: int
    decided: bool


class Anonymizer:
    """Replaces the names of a lexicon by their placeholders, and tests for names that are left.

    Args:
        entities: with placeholders assigned (`lexicon.assign`).
        language: of the texts, a primary subtag such as `en`: articles are mended in English only, inflection follows
            the script and, in Latin script, the language.

    Raises `UsageError` for an entity without a placeholder, a placeholder or a name that two entities share.
    """

    def __init__(self, entities: Iterable[Entity], language: str = "en") -> None:
        self.entities = tuple(entities)
        self.language = language.split("-")[0].casefold()
        _check_placeholders(self.entities)
        self._forms = forms(self.entities)
        self._regex = compile_text(self._forms, self.language)
        self._test = LeakTest(self.entities, self.language)
        self._placeholder_regex = _placeholder_regex(self.entities)

    def text(self, text: str) -> str:
        """The text, in NFC, with every decided name replaced. Idempotent."""
        text = unicodedata.normalize("NFC", text)
        pieces, at, english = [""], 0, self.language == "en"
        for hit in self._hits(text):
            if hit.decided:
                before = text[at : hit.start]
                placeholder, at = self._shown(text, hit, before or pieces[-1])
                pieces += (_fitted(before, hit.form.entity, placeholder) if english else before, placeholder)
        return "".join(pieces) + text[at:]

    def filename(self, name: str) -> str:
        """A file name or path with every name replaced; spaces of a placeholder become underscores."""
        name = unicodedata.normalize("NFC", name)
        return self._file_regex.sub(lambda match: self._form(match).entity.placeholder.replace(" ", "_"), name)

    def ambiguous(self, text: str) -> list[Ambiguous]:
        """The hits that case and position leave open; `text` keeps them as they are."""
        text = unicodedata.normalize("NFC", text)
        return [Ambiguous(hit.form.name, hit.core, hit.core_end) for hit in self._hits(text) if not hit.decided]

    def leaks(self, text: str) -> list[Leak]:
        """Names still in a text, by a stricter search that shares no code with the replacement."""
        return self._test.find(text)

    def placeholders(self, text: str) -> list[str]:
        """The placeholders that stand in a text, sorted: those a public text uses; those a raw text would be mistaken
        for, because it holds the word ("Alpha") naturally."""
        names = {entity.placeholder.casefold(): entity.placeholder for entity in self.entities}
        found = self._placeholder_regex.findall(unicodedata.normalize("NFC", text))
        return sorted({names[clean(match).casefold()] for match in found})

    def reverse(self) -> dict[str, str]:
        """Placeholder → the entity's first name, for an auditor."""
        return {entity.placeholder: entity.names[0] for entity in self.entities}

    def restore(self, text: str) -> str:
        """The text with first names in place of placeholders."""
        names = {placeholder.casefold(): name for placeholder, name in self.reverse().items()}
        return self._placeholder_regex.sub(lambda match: names[clean(match.group()).casefold()], text)

    @cached_property
    def _file_regex(self) -> re.Pattern[str]:
        return compile_filename(self._forms)

    def _form(self, match: re.Match[str]) -> Form:
        return self._forms[int((match.lastgroup or "n0")[1:])]

    def _hits(self, text: str) -> Iterator[_Hit]:
        for match in self._regex.finditer(text):
            form, group = self._form(match), match.lastgroup or ""
            core, end = match.start(group), match.end(group)
            yield _Hit(form, match.start(), core, end, match.end(), self._decided(form, text, core, end))

    def _decided(self, form: Form, text: str, start: int, end: int) -> bool:
        if form.short_unspaced:
            return not (text[start - 1 : start].isalpha() or text[end : end + 1].isalpha())
        if not form.common:
            return True
        shouted = text[start:end].isupper() and not form.name.isupper() and len(form.name) > 1
        return not shouted and proves_name(text, start, end, self.language)

    def _shown(self, text: str, hit: _Hit, before: str) -> tuple[str, int]:
        """What takes the hit's place, and where the text goes on."""
        core, suffix = text[hit.core : hit.core_end], text[hit.core_end : hit.end]
        shown = hit.form.entity.placeholder
        upper = core.isupper() and sum(map(str.isalpha, core)) > 1 and not hit.form.name.isupper()
        shown = shown.upper() if upper else shown
        prefix = text[hit.start : hit.core]
        glued = hit.form.family in ("unspaced", "katakana") and before[-1:].isascii() and before[-1:].isalnum()
        shown = (f"{prefix}-" if prefix else " " if glued else "") + shown
        if suffix.casefold() in ("s", "es"):
            return shown + ("" if hit.form.entity.kind != "person" else "S" if upper else "s"), hit.end
        if not suffix and self.language == "en" and _bare_possessive(text, core, hit.end):
            return shown + ("'S" if upper else "'s"), hit.end + 1
        return shown + (f"-{suffix}" if suffix else ""), hit.end


def _check_placeholders(entities: Iterable[Entity]) -> None:
    owner: dict[str, Entity] = {}
    for entity in entities:
        if not entity.placeholder:
            raise UsageError(f"{entity.names[0]!r} has no placeholder; assign the lexicon first")
        other = owner.setdefault(entity.placeholder.casefold(), entity)
        if other is not entity:
            raise UsageError(f"{other.names[0]!r} and {entity.names[0]!r} share the placeholder {entity.placeholder!r}")


def _placeholder_regex(entities: Iterable[Entity]) -> re.Pattern[str]:
    placeholders = sorted((entity.placeholder for entity in entities), key=lambda item: (-len(item), item))
    body = "|".join(re.escape(item).replace(r"\ ", r"\s+") for item in placeholders) or r"(?!)"
    return re.compile(rf"(?<![A-Za-z0-9])(?:{body})(?![0-9]|s?[A-RT-Za-rt-z]|ss|\s+[0-9])", re.IGNORECASE)


def _fitted(before: str, entity: Entity, shown: str) -> str:
    """The text before a placeholder, article mended: "a Hooper" → "an Alpha", "the Reich" → "Organization 1"."""
    found = _ARTICLE.search(before)
    if found is None:
        return before
    article = found[1]
    if article.casefold() == "the":
        return before if entity.kind == "person" else before[: found.start()]
    right = "an" if entity.placeholder[0] in _VOWELS else "a"
    right = right.upper() if article.isupper() and shown.isupper() else right
    return before[: found.start()] + (right[0].upper() + right[1:] if article[0].isupper() else right) + found[2]


def _bare_possessive(text: str, core: str, end: int) -> bool:
    """Whether the apostrophe after a name in s is its possessive ("Harris' hat") and closes no quotation."""
    if core[-1:].casefold() not in ("s", "x", "z") or text[end : end + 1] not in tuple(APOSTROPHES):
        return False
    quoted = re.search(r"(?:^|[\s(\[—–])['‘`](?=\w)", text[:end])
    return quoted is None and bool(re.match(r"\s+[^\W\d_]", text[end + 1 : end + 4]))
