"""Comparing texts as a reader would: letter case, punctuation and spacing do not count."""

import re

from rapidfuzz import fuzz

from ..narrative.words import fold, tokens

_SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_MEANING = re.compile(
    r"\d|^(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|\w+n't|more|less|up|down|before|after|"
    r"rises?|rose|falls?|fell|gains?|loses?|yes|one|two|three|four|five|six|seven|eight|nine|ten|he|she|his|her|him)$"
)


def plain(text: str) -> str:
    """Casefolded words with single spaces."""
    return " ".join(tokens(text))


def similarity(one: str, other: str) -> float:
    """0–1, from the edits between the plain texts; 1 for two texts without a word."""
    return fuzz.ratio(plain(one), plain(other)) / 100


def same_answer(one: str, other: str, near: float) -> bool:
    """Whether two options are the same answer in other words, as far as spelling tells.

    A difference in a number, a negation, a direction, a capitalised word or the order of words is one of meaning.
    """
    if similarity(one, other) < near or _swapped(one, other):
        return False
    differing = {fold(word) for word in tokens(one)} ^ {fold(word) for word in tokens(other)}
    capitals = {fold(word.casefold()) for text in (one, other) for word in re.findall(r"\b[A-Z]\w*", text)}
    words = {word for word in {*tokens(one), *tokens(other)} if fold(word) in differing}
    return not any(_MEANING.search(word) or fold(word) in capitals for word in words)


def _swapped(one: str, other: str) -> bool:
    """Whether the same words stand in another order, as when two people change roles."""
    return sorted(tokens(one)) == sorted(tokens(other)) and tokens(one) != tokens(other)


def contains(text: str, part: str) -> bool:
    """Whether `part` stands in `text` as whole words; a part of one or two words must be the whole text."""
    inner, outer = plain(part), plain(text)
    if _SPACELESS.search(inner):
        squeezed = inner.replace(" ", "")
        return squeezed == outer.replace(" ", "") or (len(squeezed) >= 4 and squeezed in outer.replace(" ", ""))
    if len(inner.split()) < 3:
        return bool(inner) and inner == outer
    return f" {inner} " in f" {outer} "


def quoted(text: str, part: str) -> bool:
    """Whether `part`, however short, stands in `text` as whole words."""
    inner, outer = plain(part), plain(text)
    if _SPACELESS.search(inner):
        return inner.replace(" ", "") in outer.replace(" ", "")
    return bool(inner) and f" {inner} " in f" {outer} "


def word_count(text: str) -> int:
    """Words of a text; two characters of a script without spaces count as one."""
    return len(_SPACELESS.findall(text)) // 2 + len(tokens(_SPACELESS.sub(" ", text)))
