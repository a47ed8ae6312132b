"""What a transcript says, word by word with times, and how well a text told next goes on from there.

The score of having told some words up to place j of the transcript is kept as one row over all places. Matching words
counts their weight, words that only one side has cost a part of theirs; so lines that are missing, extra cues, cues
split or merged, and words misheard all cost a little and throw nothing off. Global alignment after Needleman and Wunsch
(1970, doi:10.1016/0022-2836(70)90057-4), similarity of words by rapidfuzz.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from ..schemas.clip import Cue
from .words import STOP_WORDS, spoken

Row = NDArray[np.floating]

COMMON = 0.3
"""Weight of a function word; any other word weighs 1."""
ALIKE = 75.0
"""Similarity in percent from which two words may be the same one, misheard."""
SKIP = 0.3
"""Cost of a word that only one side has, as a share of its weight."""

HOPE = 0.5
"""Share of its weight that a word of the transcript is expected to bring, misheard ones and extra ones counted."""

TINY = 1e-6


class Word(NamedTuple):
    """One word of the transcript."""

    text: str
    cue: int
    start: float
    end: float


def weight(word: str) -> float:
    return COMMON if word in STOP_WORDS or (len(word) == 1 and word.isascii()) else 1.0


class Part:
    """A stretch of a transcript, and the scores of telling words along it.

    A row has one score for each place: before its first word, after the first, … after the last.
    """

    def __init__(self, heard: "Heard", since: int, until: int) -> None:
        self._heard, self._since, self._until = heard, since, until
        self._left = heard.left[since : until + 1]
        self._skipped = SKIP * (self._left[0] - self._left)

    def tell(self, row: Row, words: Sequence[str]) -> Row:
        """The row after some more words were told."""
        for word in words:
            row = self._after(row, word)
        return row

    def rows(self, row: Row, words: Sequence[str]) -> list[Row]:
        """The row before the words, and after each of them."""
        rows = [row]
        for word in words:
            rows.append(self._after(rows[-1], word))
        return rows

    def hope(self, row: Row) -> float:
        """What may be expected of going on: of the words that are left, as much as a fair transcript gives."""
        return float(np.max(row + HOPE * self._left))

    def bound(self, row: Row) -> float:
        """The most that going on can reach: every word that is left, matched."""
        return float(np.max(row + self._left))

    def place(self, row: Row) -> int:
        """Where telling stands, by that expectation."""
        return int(np.argmax(row + HOPE * self._left))

    def final(self, row: Row) -> float:
        """The score where nothing more is told: what is left of the transcript is skipped."""
        return float(np.max(row - SKIP * self._left))

    def last(self, row: Row) -> int:
        """The place at which telling ended, by the final score."""
        return int(np.argmax(row - SKIP * self._left))

    def trace(self, rows: Sequence[Row], words: Sequence[str], place: int) -> tuple[list[tuple[int, int]], int]:
        """Which of the words match which places, walking back from `place`; and the place where they began.

        `rows` are those of `rows(row, words)`.
        """
        pairs: list[tuple[int, int]] = []
        told = len(words)
        while told:
            score, before = rows[told][place], rows[told - 1]
            gain = self._gain(words[told - 1])[place - 1] if place else -np.inf
            if gain > 0 and abs(score - before[place - 1] - gain) < TINY:
                pairs.append((told - 1, place - 1))
                told, place = told - 1, place - 1
            elif abs(score - before[place] + SKIP * weight(words[told - 1])) < TINY:
                told -= 1
            else:
                place -= 1
        return pairs[::-1], place

    def _gain(self, word: str) -> Row:
        return self._heard.gain(word)[self._since : self._until]

    def _after(self, row: Row, word: str) -> Row:
        new = row - SKIP * weight(word)
        np.maximum(new[1:], row[:-1] + self._gain(word), out=new[1:])
        new += self._skipped
        np.maximum.accumulate(new, out=new)
        new -= self._skipped
        return new


class Heard:
    """A transcript: its cues in order of time, taken apart into words."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self.cues = tuple(cues)
        self.words = [word for number, cue in enumerate(cues) for word in _timed(number, cue)]
        names = dict.fromkeys(word.text for word in self.words)
        self._vocabulary = list(names)
        place = {name: number for number, name in enumerate(names)}
        self._places = np.array([place[word.text] for word in self.words], dtype=np.intp)
        self._gains: dict[str, Row] = {}
        self._apart: dict[str, list[str]] = {}
        weights = np.array([weight(word.text) for word in self.words] + [0.0])
        self.left: Row = np.cumsum(weights[::-1])[::-1].copy()
        """Weight of the words from each place on."""

    def __len__(self) -> int:
        return len(self.words)

    def begin(self) -> Row:
        """Before anything is told: the transcript may begin anywhere, for there may be an introduction."""
        return np.zeros(len(self) + 1)

    def part(self, since: int, until: int) -> Part:
        return Part(self, since, until)

    def taken_apart(self, text: str) -> list[str]:
        """The words of a text that is told."""
        if text not in self._apart:
            self._apart[text] = spoken(text)
        return self._apart[text]

    def gain(self, word: str) -> Row:
        """What matching a word with each word of the transcript is worth; minus infinity where they are not alike."""
        if word not in self._gains:
            alike = process.cdist(
                [word], self._vocabulary, scorer=fuzz.ratio, score_cutoff=ALIKE, dtype=np.float32
            ).reshape(-1)
            worth = np.where(alike > 0, weight(word) * alike / 100.0, -np.inf).astype(np.float32)
            self._gains[word] = worth[self._places]
        return self._gains[word]


def _timed(number: int, cue: Cue) -> list[Word]:
    """The words of a cue, each with its share of the cue's time by its length."""
    texts = spoken(cue.text)
    ends = np.cumsum([len(text) + 1 for text in texts])
    total = float(ends[-1]) if texts else 1.0
    times = [cue.start, *(cue.start + (cue.end - cue.start) * float(end) / total for end in ends)]
    return [Word(text, number, times[at], times[at + 1]) for at, text in enumerate(texts)]
