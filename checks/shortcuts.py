"""Rules that answer an item without understanding it: a sound benchmark holds every one of them near chance.

A rule sees what a model sees, in the order shown, and nothing else. Each stands beside its opposite, since a set of
options can be told by what is least like the rest as well as by what is most. Ties are broken by a digest of question
and option text, never by the order. Source: SCORING, additions ("Shortcut gates").
"""

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from types import MappingProxyType
from typing import NamedTuple

from ..narrative.words import content_words, jaccard, share
from ..schemas.base import digest
from ..schemas.item import Option

Measure = Callable[[str, str, Sequence[Option]], list[float]]
"""(question, transcript, options in the order shown) → one figure an option."""


class Shortcut(NamedTuple):
    """Picks the option whose figure is highest (`sign` 1) or lowest (-1)."""

    measure: Measure
    sign: int

    def __call__(self, question: str, transcript: str, options: Sequence[Option]) -> str:
        """The id of the option picked. Raises `ValueError` for an item without options."""
        figures = self.measure(question, transcript, options)
        ranked = zip(figures, options, strict=True)
        best = max(ranked, key=lambda pair: (self.sign * pair[0], digest("tie", question, pair[1].text)))
        return best[1].id


def like_transcript(question: str, transcript: str, options: Sequence[Option]) -> list[float]:
    """Share of each option's content words that the transcript has too, 0–1."""
    told = content_words(transcript)
    return [share(content_words(option.text), told) for option in options]


def like_question(question: str, transcript: str, options: Sequence[Option]) -> list[float]:
    """Share of each option's content words that the question has too, 0–1."""
    asked = content_words(question)
    return [share(content_words(option.text), asked) for option in options]


def length(question: str, transcript: str, options: Sequence[Option]) -> list[float]:
    """Characters of each option."""
    return [float(len(option.text)) for option in options]


def position(question: str, transcript: str, options: Sequence[Option]) -> list[float]:
    """Place of each option in the order shown, from 0."""
    return [float(place) for place in range(len(options))]


def typicality(question: str, transcript: str, options: Sequence[Option]) -> list[float]:
    """Mean Jaccard overlap of each option's content words with those of each other option, 0–1: how near it stands
    to the middle of the set."""
    words = [content_words(option.text) for option in options]
    return [
        fsum(jaccard(own, other) for place, other in enumerate(words) if place != at) / max(1, len(words) - 1)
        for at, own in enumerate(words)
    ]


SHORTCUTS: Mapping[str, Shortcut] = MappingProxyType(
    {
        "most-similar": Shortcut(like_transcript, 1),
        "least-similar": Shortcut(like_transcript, -1),
        "longest": Shortcut(length, 1),
        "shortest": Shortcut(length, -1),
        "most-like-question": Shortcut(like_question, 1),
        "least-like-question": Shortcut(like_question, -1),
        "first": Shortcut(position, -1),
        "last": Shortcut(position, 1),
        "most-typical": Shortcut(typicality, 1),
        "least-typical": Shortcut(typicality, -1),
    }
)
"""By the name under which `evaluate --model baseline/NAME` runs them."""
