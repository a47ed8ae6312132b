"""Where a capitalised word stands: what its position says about being a name.

A capital proves nothing at the start of a sentence, in a title or in a shouted line; in the middle of a sentence it
proves a name, in languages that write common nouns small.
"""

import re

from .vocabulary import ABBREVIATIONS, CALENDAR, CAPITAL_NOUNS, DATE_CUES, TITLES

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_BREAKS = re.compile(r"[.!?…。！？\n\r]")
_OPENING = frozenset(".!?…:—–―\"“”„«»‹›‘'’`([{<>*_~|/\\•#=+。！？：「『\n\r")


def previous_word(text: str, start: int) -> str:
    """The word that stands before `start` with nothing but spaces and an abbreviation's stop between; else empty."""
    before = text[max(0, start - 40) : start].rstrip(" \t\u00a0")
    bare = before[:-1] if before.endswith(".") else before
    words = _WORD.findall(bare)
    return words[-1] if words and bare.endswith(words[-1]) else ""


def titled(text: str, start: int) -> bool:
    """Whether a title ("Mr", "Commander") stands right before `start`, capitalised."""
    word = previous_word(text, start)
    return word.casefold() in TITLES and word[:1].isupper()


def initial(text: str, start: int) -> bool:
    """Whether a word at `start` begins a sentence, a quotation or a line, so that its capital proves nothing."""
    before = text[:start].rstrip(" \t\u00a0")
    if not before:
        return True
    if before[-1] == ".":
        return previous_word(text, start).casefold() not in ABBREVIATIONS
    if before[-1] in "\"”’'" and before[:-1].endswith(",") and before != text[:start]:
        return False
    if before[-1] in "-‐‑":
        return before != text[:start]
    return before[-1] in _OPENING


def sentence(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a hit within its sentence."""
    breaks = [match.end() for match in _BREAKS.finditer(text, 0, start) if not _abbreviated(text, match.start())]
    after = _BREAKS.search(text, end)
    return text[breaks[-1] if breaks else 0 : start], text[end : after.start() if after else len(text)]


def _abbreviated(text: str, stop: int) -> bool:
    words = _WORD.findall(text[max(0, stop - 12) : stop])
    return text[stop] == "." and bool(words) and words[-1].casefold() in ABBREVIATIONS


def has_lower_word(text: str) -> bool:
    return any(word[0].islower() for word in _WORD.findall(text))


def dated(text: str, start: int, end: int) -> bool:
    """Whether a word of the calendar is used as a date: "in May", "May 3"."""
    if text[start:end].casefold() not in CALENDAR:
        return False
    return previous_word(text, start).casefold() in DATE_CUES or bool(re.match(r"\s*\d", text[end : end + 4]))


def proves_name(text: str, start: int, end: int, language: str = "en") -> bool:
    """Whether case and position prove that the common word at `start` is used as a name here."""
    if titled(text, start):
        return True
    if language in CAPITAL_NOUNS or initial(text, start) or dated(text, start, end):
        return False
    return any(has_lower_word(part) for part in sentence(text, start, end))
