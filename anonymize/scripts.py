"""What differs between scripts: letters and their marks, word boundaries, case endings, the joins of short words.

Three families matter to a search for names: scripts that put spaces between words (with endings that a name takes),
scripts that do not (Han, kana, Thai), and scripts that glue small words to a name (Hebrew, Arabic, Hangul).
"""

import unicodedata
from functools import cache
from typing import Literal

Family = Literal["latin", "cyrillic", "greek", "hebrew", "arabic", "hangul", "unspaced", "katakana", "other"]

ZERO_WIDTH = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc"
"""Accents, Hebrew points, Arabic vowels and the stretching stroke: they may stand after any letter of a name."""
IGNORED = f"[{MARKS}{ZERO_WIDTH}]*"
INDIC = "\u0900-\u0dff"
"""Vowel signs of these blocks are no word characters to `re`, but they are part of the word."""

BEFORE = rf"(?<![^\W\d_])(?<![{MARKS}{INDIC}])"
AFTER = rf"(?![^\W\d_]|[{MARKS}{INDIC}])"
APOSTROPHES = "'’ʼ‘`´′＇"
DASHES = r"\-‐‑‒–—―−﹣－_"

_UNDECOMPOSED = str.maketrans("øØłŁđĐħĦıŧŦƒ", "oOlLdDhHitTf")
_VARIANT_RANGES = ((0x00C0, 0x0250), (0x0370, 0x0530), (0x0620, 0x06FF), (0x1E00, 0x2000), (0xFF21, 0xFF5B))


def bare(character: str) -> str:
    """A letter without accent, in its ordinary width; kana, Hangul and Indic letters stay whole."""
    parts = unicodedata.normalize("NFKD", character)
    kept = "".join(part for part in parts if unicodedata.combining(part) < 10)
    return unicodedata.normalize("NFC", kept).translate(_UNDECOMPOSED)


@cache
def _variants() -> dict[str, str]:
    """Every accented or wide form of a letter, by the bare letter."""
    found: dict[str, str] = {}
    for start, end in _VARIANT_RANGES:
        for code in range(start, end):
            base = bare(chr(code))
            if len(base) == 1 and base != chr(code) and base.isalpha():
                found[base] = found.get(base, "") + chr(code)
    return found


def variants(letter: str) -> str:
    """A letter and every form of it that differs by accent or width only."""
    base = bare(letter)
    return (base if len(base) == 1 else letter) + _variants().get(base, "")


def family(name: str) -> Family:
    """The script of the first letter of a name."""
    letter = next((character for character in name if character.isalpha()), " ")
    script = unicodedata.name(letter, "").split(" ", 1)[0]
    if script in {"CJK", "HIRAGANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "BOPOMOFO"}:
        return "unspaced"
    known: dict[str, Family] = {
        "LATIN": "latin", "FULLWIDTH": "latin", "CYRILLIC": "cyrillic", "GREEK": "greek", "HEBREW": "hebrew",
        "ARABIC": "arabic", "HANGUL": "hangul", "KATAKANA": "katakana",
    }  # fmt: skip
    return known.get(script, "other")
