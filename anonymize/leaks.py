"""The leak test: is a name of the lexicon still in a public text?

It shares no code with the replacement and is simpler and stricter: letters and digits only, casefolded, without
accents, so that no hyphen, underscore, apostrophe or invisible character hides a name. A name of five letters or more
counts inside longer words too. Ordinary words (`common_word`) count only where a capital in mid-sentence proves them.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import accumulate, takewhile
from typing import NamedTuple

from ..schemas.story import Entity
from .vocabulary import ALWAYS_WORDS, CALENDAR, CAPITAL_NOUNS, PARTICLES, TITLES, WORD_NAMES

INSIDE_WORDS = 5
"""Letters from which a name counts inside a longer word."""


class Leak(NamedTuple):
    """A name found in a text, and where; offsets are those of the NFC text."""

    name: str
    start: int
    end: int


class _Fold(dict[int, str]):
    """Code point → its letters and digits, casefolded, without accents; filled on demand for `str.translate`."""

    def __missing__(self, code: int) -> str:
        parts = unicodedata.normalize("NFKD", chr(code).casefold())
        kept = "".join(part for part in parts if _kept(part)).translate(_STROKES)
        self[code] = unicodedata.normalize("NFC", kept)
        return self[code]


_STROKES = str.maketrans("øłđħıŧƒ", "oldhitf")


_ENDING = re.compile(r"(?:[οηα]σ|[иыоеа]и|[аеиоуыэюяьαηοωι])$")


def _kept(part: str) -> bool:
    return part.isalnum() or (unicodedata.category(part)[0] == "M" and unicodedata.combining(part) < 10)


class _Key(NamedTuple):
    name: str
    letters: str
    """What is searched for."""
    gaps: frozenset[int]
    """Offsets in `letters` at which the name itself has a space or a dash."""
    rest: int
    """Letters that may follow `letters` inside the word: case endings of the name."""
    loose: bool
    """Whether it counts anywhere inside a longer word."""
    capitals: frozenset[int]
    """Offsets in `letters` that must be capitals in the text."""
    proven: bool
    """Whether only a capitalised hit in mid-sentence counts."""


class LeakTest:
    """The search for one lexicon. `find` returns every leak in order."""

    def __init__(self, entities: Iterable[Entity], language: str = "en") -> None:
        self._fold = _Fold()
        self._capitals_prove = language not in CAPITAL_NOUNS
        self._keys = tuple(dict.fromkeys(key for entity in entities for key in self._of_entity(entity)))

    def find(self, text: str) -> list[Leak]:
        text = unicodedata.normalize("NFC", text)
        folded = text.translate(self._fold)
        hits = [(key, at) for key in self._keys for at in _occurrences(folded, key.letters)]
        if not hits:
            return []
        places = [at for at, character in enumerate(text) for _ in self._fold[ord(character)]]
        found = {
            Leak(key.name, places[at], places[at + len(key.letters) - 1] + 1)
            for key, at in hits
            if self._counts(text, key, places[at : at + len(key.letters)])
        }
        return sorted(found, key=lambda leak: (leak.start, leak.end, leak.name))

    def _of_entity(self, entity: Entity) -> Iterator[_Key]:
        for name in entity.names:
            words = unicodedata.normalize("NFC", name).split()
            while entity.kind == "person" and len(words) > 1 and words[0].casefold().rstrip(".") in TITLES:
                words = words[1:]
            bare = " ".join(words)
            proven = (entity.common_word or bare.casefold() in ALWAYS_WORDS) and len(words) == 1
            cased = entity.common_word or bare.casefold() in ALWAYS_WORDS | WORD_NAMES
            yield from self._key(name, bare, cased=cased, proven=proven)
            if entity.kind == "person" and len(words) > 1:
                for word in words:
                    if len(word) >= 4 and word[0].isupper() and word.casefold() not in PARTICLES | TITLES:
                        yield from self._key(name, word, cased=True, proven=True)

    def _key(self, name: str, searched: str, *, cased: bool, proven: bool) -> Iterator[_Key]:
        words = self._words(searched)
        folded = [word.translate(self._fold) for word in words]
        letters, starts = "".join(folded), list(accumulate(map(len, folded), initial=0))[:-1]
        if not letters:
            return
        count, script, gaps = sum(map(str.isalpha, letters)), _script(letters), frozenset(starts[1:])
        short = count <= 2 and script == "LATIN"
        big = [
            at for at, word in zip(starts, words, strict=True) if len(words) == 1 or word.casefold() not in PARTICLES
        ]
        capitals = frozenset(big if cased or short else ())
        yield _Key(name, letters, gaps, 0, count >= _inside(script) and not capitals, capitals, proven)
        stem = _ENDING.sub("", letters)
        if not cased and script in ("CYRILLIC", "GREEK") and len(stem) >= 3:
            short_stem = len(stem) < 5
            yield _Key(name, stem, gaps, 2 if len(stem) < 4 else 3, False, frozenset([0] if short_stem else ()), False)

    def _words(self, name: str) -> list[str]:
        """The parts of a name; apostrophes, accents and invisible characters part nothing."""
        kept = (c for c in name if c not in "'’ʼ‘`" and (self._fold[ord(c)] or unicodedata.category(c)[0] not in "MC"))
        return "".join(c if self._fold[ord(c)] else " " for c in kept).split()

    def _counts(self, text: str, key: _Key, places: list[int]) -> bool:
        start, end = places[0], places[-1] + 1
        if not _joined(text, places, key.gaps) or not all(text[places[at]].isupper() for at in key.capitals):
            return False
        if key.proven and not (self._capitals_prove and _in_mid_sentence(text, start, end)):
            return False
        if key.letters[-1].isdigit() and text[end : end + 1].isdigit():
            return False
        return key.loose or (_begins(text, start) and _ends(text, end, key))


def _occurrences(folded: str, letters: str) -> Iterator[int]:
    at = folded.find(letters)
    while at >= 0:
        yield at
        at = folded.find(letters, at + 1)


def _script(letters: str) -> str:
    return unicodedata.name(next((c for c in letters if c.isalpha()), " "), "").split(" ")[0]


def _inside(script: str) -> int:
    """Letters from which a name in this script counts inside longer words."""
    unspaced = {"CJK": 2, "HIRAGANA": 3, "KATAKANA": 4, "HANGUL": 3, "THAI": 3, "LAO": 3, "KHMER": 3, "MYANMAR": 3}
    return unspaced.get(script, INSIDE_WORDS)


def _joined(text: str, places: list[int], gaps: frozenset[int]) -> bool:
    """Whether the letters of a hit stand together: a space only where the name has one, or after a line's hyphen."""
    for at in range(1, len(places)):
        between = text[places[at - 1] + 1 : places[at]]
        if at not in gaps and any(map(str.isspace, between)) and not re.fullmatch(r"[-‐\u00ad]\s*\n\s*", between):
            return False
        if at not in gaps and re.search(r"[!?,;:…—–\"“”()]", between):
            return False
    return True


def _begins(text: str, start: int) -> bool:
    """Whether a word begins at `start`: after no letter, after an escaped control character, or at a hump."""
    before = text[start - 1 : start]
    if not before.isalpha() or (text[start].isupper() and before.islower()):
        return True
    return start >= 2 and text[start - 2] == "\\" and before in "bfnrt"


def _ends(text: str, end: int, key: _Key) -> bool:
    """Whether the word ends at `end`, or after the plural or case ending that the name may take."""
    if end < len(text) and text[end].isupper() and text[end - 1].islower():
        return True
    rest = "".join(takewhile(lambda c: c.isalpha() or (c.isprintable() and _kept(c) and not c.isdigit()), text[end:]))
    if _script(key.letters) == "HANGUL":
        return len(rest) <= 3
    plural = "es" if key.letters.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return len(rest) <= key.rest or rest.casefold() == plural


def _in_mid_sentence(text: str, start: int, end: int) -> bool:
    """Whether a lower-case word, or one and a comma, stands before the word; dates and shouted words prove nothing."""
    word = text[start:end]
    if word.casefold() in CALENDAR or (word.isupper() and len(word) > 1):
        return False
    before = re.search(r"([^\W\d_]+),?[ \u00a0]$", text[max(0, start - 40) : start])
    return before is not None and before[1][0].islower()
