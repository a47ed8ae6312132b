"""Which lines of a story may say the same: paraphrases are for a person to tell apart, so no item holds two."""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz import fuzz, process

from .occurrences import Occurrences
from .words import content_words, tokens

ALIKE = 72.0
"""Token-set similarity, in percent, from which two texts may mean the same."""
CLAUSE = 5
"""Words in a row, two of them content words, by which two texts may tell of the same act whatever else they tell."""


class Similarity:
    """For every line event, the line events alike to it in some wording (itself among them), as bits."""

    def __init__(self, occurrences: Occurrences) -> None:
        self._alike: dict[int, int] = {}
        numbered = [
            (number, line.text) for number in sorted(occurrences.line_events()) for line in occurrences.lines(number)
        ]
        texts = [text.casefold() for _, text in numbered]
        telling: dict[str, int] = defaultdict(int)
        for number, text in numbered:
            for clause in clauses(text):
                telling[clause] |= 1 << number
        close = process.cdist(texts, texts, scorer=fuzz.token_set_ratio, score_cutoff=ALIKE) >= ALIKE
        for (number, text), row in zip(numbered, close, strict=True):
            bits = self._alike.get(number, 0)
            for clause in clauses(text):
                bits |= telling[clause]
            for place in row.nonzero()[0]:
                bits |= 1 << numbered[place][0]
            self._alike[number] = bits

    def alike(self, event: int, others: int) -> bool:
        """Whether a line event may say the same as one of a set of events, given as bits."""
        return bool(self._alike[event] & others)


def bits(events: Iterable[int]) -> int:
    """A set of event numbers as one integer."""
    whole = 0
    for event in events:
        whole |= 1 << event
    return whole


def alike(text: str, others: Iterable[str]) -> bool:
    """Whether a text may say the same as one of the others."""
    own = clauses(text)
    return any(
        fuzz.token_set_ratio(text.casefold(), other.casefold()) >= ALIKE or not own.isdisjoint(clauses(other))
        for other in others
    )


@lru_cache(maxsize=8192)
def clauses(text: str) -> frozenset[str]:
    """Every run of `CLAUSE` words of a text that holds two content words beside names (words with a capital)."""
    words = tokens(text)
    names = content_words(" ".join(word for word in text.split() if word.lstrip("“‘\"'(")[:1].isupper()))
    carried = [content_words(word) - names for word in words]
    starts = range(len(words) - CLAUSE + 1)
    return frozenset(
        " ".join(words[at : at + CLAUSE]) for at in starts if len(frozenset().union(*carried[at : at + CLAUSE])) > 1
    )
