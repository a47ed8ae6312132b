"""How names change inside a word: case endings, and the small words that some scripts glue to a name."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from .scripts import family


def _split(text: str) -> tuple[str, ...]:
    """The words of a list, longest first, so that an expression tries the longest first."""
    return tuple(sorted(set(re.findall(r"\S+", text)), key=lambda word: (-len(word), word)))


class Declension(NamedTuple):
    """How names of a language change: a tail that may drop off the name, and the endings that may follow the rest."""

    tails: tuple[str, ...]
    endings: tuple[str, ...]
    shortest_stem: int = 3

    def stem(self, name: str) -> str:
        """The part of a name that its cases share; the whole name where the rest would be too short."""
        for tail in self.tails:
            if name.lower().endswith(tail) and len(name) - len(tail) >= self.shortest_stem:
                return name[: -len(tail)]
        return name


CYRILLIC = Declension(
    _split("ий ый ой ая яя а я о е й ь ы у ю и"),
    _split(
        """а я о е ё и й ы у ю ь і ї є ой ей ий ый ою ею єю ом ем ём єм ам ям ами ями ах ях ов ев ові еві єві ів ого его
        ому ему им ым ими ыми их ых ая яя ую юю ие ые ья ью ії ію єю ією ией ию ии ия"""
    ),
)
GREEK = Declension(
    _split("ος ης ας ις ους ός ής άς ίς ούς α η ο ω ι ά ή ό ώ ί"),
    _split("ος ου ο ε οι ων ους ης η ας α ες ις ι ω ως"),
)
SLAVIC = Declension(
    _split("a o e i y ą ę"),
    _split(
        """a o e i y u ą ę ě ů ie em iem om im ym ej ou owi ovi ego iego ého ému emu iemu imu ach ami ech ów ich ych imi
        ymi ova owa owie ové ii ią ię iej"""
    ),
)
AGGLUTINATIVE = frozenset({"fi", "et", "hu", "tr", "az", "kk", "uz", "eu", "ka", "hy"})
SLAVIC_LATIN = frozenset({"pl", "cs", "sk", "sl", "hr", "bs", "sr"})


def declension(name: str, language: str) -> Declension | None:
    """The table by which a name is inflected, or None where only possessive and plural are expected."""
    script = family(name)
    if script == "cyrillic":
        return CYRILLIC
    if script == "greek":
        return GREEK
    return SLAVIC if script == "latin" and language in SLAVIC_LATIN else None


def group(names: Iterable[str], language: str = "en") -> list[list[str]]:
    """Names gathered that are forms of one another (Иван, Ивана, Ивану); others stand alone. Order is kept."""
    found: list[list[str]] = []
    for name in names:
        home = next((forms for forms in found if any(_same(name, other, language) for other in forms)), None)
        if home is None:
            found.append([name])
        else:
            home.append(name)
    return found


def _same(one: str, other: str, language: str) -> bool:
    table = declension(one, language)
    if table is None or one.casefold()[:2] != other.casefold()[:2]:
        return False
    return any(_is_form(name, table.stem(base), base, table) for name, base in ((one, other), (other, one)))


def _is_form(name: str, stem: str, base: str, table: Declension) -> bool:
    if len(stem) < table.shortest_stem or not name.startswith(stem):
        return False
    return name == base or name[len(stem) :] in table.endings


HEBREW_PREFIXES = "והבלמשכ"
ARABIC_PREFIXES = "وفبلك"
HANGUL_PARTICLES = _split(
    """이라고 이라는 이라면 이에게 에게서 한테서 으로는 이랑은 에게 한테 께서 에서 으로 이랑
    이나 이도 이는 이가 이를 이의 처럼 보다 까지 부터 마저 조차 밖에 라고 라는
    씨가 씨는 씨를 씨의 씨와 씨도 님이 님은 님을 님의
    은 는 이 가 을 를 의 와 과 도 만 로 랑 나 야 아 여 씨 님 군 양 들 께 에"""
)
"""What may follow a name inside one Korean word; it stays."""
