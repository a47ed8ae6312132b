"""Reads JSON the way models write it: one pass over the text, and only where `json.loads` has failed.

Forgiven: prose and fences around it, commas too many, comments, single quotes, bare keys, Python's constants, raw line
breaks, quotes inside of strings, escapes that do not exist. Never forgiven: what is cut off. A value that does not
close is no value, since what was to follow is unknown.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

DEEPEST = 64
MOST_BEGINNINGS = 64
"""Places in one text at which an object is looked for, so that a text of nothing but braces is soon given up."""
BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
SPACE = re.compile(r"\s*")
BEGINNING = re.compile(r"[{\[]")
WORD = re.compile(r"[A-Za-z_][\w-]*")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
PLAIN = {quote: re.compile(rf"[^\\{closing}]+") for quote, closing in QUOTES.items()}
"""Runs of a string that need no look at each character, by its opening quote."""
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
CONSTANTS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}


class _UnreadableError(Exception):
    """`place` is how far the text could be read."""

    def __init__(self, place: int) -> None:
        self.place = place


def values(text: str) -> list[Any]:
    """The outermost objects and arrays that stand in a text, in order. Where the whole text is JSON that is one value;
    a string of JSON is read once more."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return list(_found(text))
    return values(whole) if isinstance(whole, str) else [whole]


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _found(text: str) -> Iterator[Any]:
    place = 0
    for _ in range(MOST_BEGINNINGS):
        beginning = BEGINNING.search(text, place)
        if beginning is None:
            return
        reader = _Reader(text)
        try:
            value, place = reader.value(beginning.start(), 0)
        except _UnreadableError as error:
            place = max(beginning.end(), error.place)
        else:
            yield value


class _Reader:
    """Each method reads from a place on, and returns what it read and the place after it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, place: int, depth: int) -> tuple[Any, int]:
        place = self._blank(place)
        char = self.text[place : place + 1]
        if depth > DEEPEST:
            raise _UnreadableError(place)
        if char == "{":
            return self._object(place, depth)
        if char == "[":
            return self._array(place, depth)
        return self._string(place) if char in QUOTES and char else self._scalar(place)

    def _object(self, place: int, depth: int) -> tuple[dict[str, Any], int]:
        made: dict[str, Any] = {}
        # Doubled braces are those of a template that the model has copied.
        doubled = self.text.startswith("{{", place)
        place = self._commas(place + 1 + doubled)
        while self.text[place : place + 1] != "}":
            key, place = self._key(place)
            place = self._blank(place)
            if self.text[place : place + 1] != ":":
                raise _UnreadableError(place)
            made[key], place = self.value(place + 1, depth + 1)
            place = self._commas(place)
        if doubled and not self.text.startswith("}}", place):
            raise _UnreadableError(place)
        return made, place + 1 + doubled

    def _array(self, place: int, depth: int) -> tuple[list[Any], int]:
        made = []
        place = self._commas(place + 1)
        while self.text[place : place + 1] != "]":
            value, place = self.value(place, depth + 1)
            made.append(value)
            place = self._commas(place)
        return made, place + 1

    def _key(self, place: int) -> tuple[str, int]:
        if self.text[place : place + 1] in QUOTES and place < len(self.text):
            return self._string(place)
        if (word := WORD.match(self.text, place)) is None:
            raise _UnreadableError(place)
        return word.group(), word.end()

    def _string(self, place: int) -> tuple[str, int]:
        quote = self.text[place]
        closing, plain = QUOTES[quote], PLAIN[quote]
        begun, place = place, place + 1
        pieces: list[str] = []
        while place < len(self.text):
            if run := plain.match(self.text, place):
                pieces.append(run.group())
                place = run.end()
            elif self.text[place] == closing:
                if self._ends(place + 1):
                    return _paired("".join(pieces)), place + 1
                pieces.append(closing)
                place += 1
            elif escaped := ESCAPED.match(self.text, place):
                pieces.append(self._escape(escaped[1]))
                place = escaped.end()
            else:
                break
        raise _UnreadableError(begun + 1)

    def _ends(self, place: int) -> bool:
        """Whether a quote before `place` ends its string: what may follow a string follows."""
        place = SPACE.match(self.text, place).end()  # type: ignore[union-attr]
        return place >= len(self.text) or self.text[place] in ",:}]" or self.text.startswith(("//", "/*"), place)

    def _escape(self, name: str) -> str:
        if len(name) == 5:
            return chr(int(name[1:], 16))
        return ESCAPES.get(name, name)

    def _scalar(self, place: int) -> tuple[Any, int]:
        if number := NUMBER.match(self.text, place):
            digits = number.group().lstrip("+")
            whole = digits.lstrip("-").isdigit() and len(digits) < 20
            return (int(digits) if whole else float(digits)), number.end()
        word = WORD.match(self.text, place)
        if word is None or word.group() not in CONSTANTS:
            raise _UnreadableError(place)
        return CONSTANTS[word.group()], word.end()

    def _blank(self, place: int) -> int:
        found = BLANK.match(self.text, place)
        return found.end() if found else place

    def _commas(self, place: int) -> int:
        """Past blanks and as many commas as there are."""
        place = self._blank(place)
        while self.text[place : place + 1] == ",":
            place = self._blank(place + 1)
        return place


def _paired(text: str) -> str:
    """Halves of a surrogate pair that were escaped one by one, made whole."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
