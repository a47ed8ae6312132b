"""Rationale coverage: whether a reply says anything for itself in one of its eight fields.

The paper leaves "informative" open. Ours: three word tokens, or six letters in a script that does not part words by
spaces, and not just the question or an option said again. Source: SCORING 3 and additions; PsycheMME Table 10.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping

FIELDS = ("G", "W", "N", "T", "S", "A", "M", "R")
FEWEST_WORDS = 3
FEWEST_LETTERS = 6
SPACED_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003134f]"
)
"""Thai, Lao, Tibetan, Myanmar, Khmer, kana and Han."""


def covered(rationale: Mapping[str, str | None], question: str, options: Iterable[str]) -> bool:
    """Whether at least one of the eight fields is informative. Other keys of the reply are not looked at."""
    known = {_plain(text) for text in (question, *options)}
    return any(informative(rationale.get(field), known) for field in FIELDS)


def informative(text: str | None, known: Iterable[str] = ()) -> bool:
    """`known`: texts (as `_plain` writes them) that say nothing new: the question and the options."""
    if text is None or _plain(text) in known:
        return False
    return words(text) >= FEWEST_WORDS or letters(text) >= FEWEST_LETTERS


def words(text: str) -> int:
    """Number of word tokens in scripts that part words by spaces; also the length of an answer (PsycheMME Table 19)."""
    return len(SPACED_WORD.findall(UNSPACED.sub(" ", text)))


def letters(text: str) -> int:
    """Number of letters in scripts without spaces; vowel signs and digits are none."""
    return sum(unicodedata.category(letter).startswith("L") for letter in UNSPACED.findall(text))


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).strip(" .!?。！？")
