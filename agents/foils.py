"""Foils: wrong options that are false by the story and still look like the key: same kind, register, length, people.

What a rule could tell the key by is its rank among the options: by length, by words shared with the clip or with the
question, by how typical it is of the set. For each of these a rank is drawn from the seed, and foils are exchanged
until the key stands as near to the ranks drawn as their pool allows.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..narrative.similarity import alike
from ..narrative.words import content_words, jaccard, share
from ..schemas.base import digest
from ..schemas.grounding import Event
from ..schemas.item import Trap

LENGTHS = (0.5, 2.0)
"""Length of a foil over the length of the key, in characters."""
MOST_OF_A_TRAP = 3
NEAR = (1, 2, 3)
"""Distances up to which a candidate goes before those farther away; beyond the last it is from another scene."""
CONSIDERED = 40
"""Candidates of which the foils are chosen, the best first."""
FAR = 0.6
"""What a foil without a trap costs, and again for every bound of `NEAR` beyond which it lies; a rank costs one."""


ECHO = 100.0
"""What foils cost beside which the key would be an echo of the choice: such a set is no good."""
ROUNDING = 1e-9


class Candidate(NamedTuple):
    """A text that may become an option."""

    text: str
    event: Event
    trap: Trap
    register: tuple[bool, ...]
    """What must be equal in all options: whether speech, whether told in the first person."""
    distance: int = 0
    """Decisions between the place of the question and a place where the story tells this."""


class Scene(NamedTuple):
    """What stands around the options; the first two as content words."""

    told: frozenset[str] = frozenset()
    """Of the clip."""
    asked: frozenset[str] = frozenset()
    """Of the question."""
    choice: str = ""
    """The choice in the question of which the key must be no echo (`words.echo`)."""


def choose(
    key: Candidate, pool: Sequence[Candidate], *, seed: str, count: int, scene: Scene | None = None
) -> tuple[Candidate, ...]:
    """Up to `count` foils for the key, fewer if the pool does not hold them."""
    foils = _fitting(key, pool, seed)[:CONSIDERED]
    wanted = [int(digest(seed, figure), 16) % (count + 1) for figure in ("length", "told", "asked", "typical")]
    considered = Considered(key, foils, scene or Scene(), wanted)
    chosen = considered.first(count)
    while better := considered.swapped(chosen):
        chosen = better
    return tuple(foils[at] for at in chosen)


def _fitting(key: Candidate, pool: Sequence[Candidate], seed: str) -> list[Candidate]:
    """Candidates that fit the key: traps first, then the near before the far, else in an order drawn from the seed."""
    low, high = (bound * len(key.text) for bound in LENGTHS)
    fit = [
        c
        for c in pool
        if c.register == key.register and low <= len(c.text) <= high and c.text != key.text and c.distance <= NEAR[-1]
    ]
    return sorted(fit, key=lambda c: (c.trap == "none", bisect_left(NEAR, c.distance), digest(seed, c.text)))


class Considered:
    """Candidates for the foils of one key, by position; what is compared of them is worked out once."""

    def __init__(self, key: Candidate, foils: Sequence[Candidate], scene: Scene, wanted: Sequence[int]) -> None:
        texts = [option.text for option in (*foils, key)]
        words = [content_words(text) for text in texts]
        figures = np.array(
            [(len(t), share(w, scene.told), share(w, scene.asked)) for t, w in zip(texts, words, strict=True)]
        )
        self._below = _below(figures, figures[-1])
        self._jaccard = np.array([[jaccard(one, other) for other in words] for one in words])
        self._clash = np.array([[alike(one, [other]) for other in texts[:-1]] for one in texts[:-1]], dtype=bool)
        self._traps = [foil.trap for foil in foils]
        self._plain = np.array([FAR * (1 + bisect_left(NEAR, f.distance)) * (f.trap == "none") for f in foils])
        self._wanted = np.array(wanted)
        chosen = content_words(scene.choice)
        self._echoed = np.array([len(own & chosen) for own in words])

    def first(self, count: int) -> tuple[int, ...]:
        """Up to `count` of the best candidates."""
        chosen: list[int] = []
        for at in range(len(self._traps)):
            if len(chosen) < count and self._open(chosen)[at]:
                chosen.append(at)
        return tuple(chosen)

    def swapped(self, chosen: tuple[int, ...]) -> tuple[int, ...] | None:
        """The set that costs least of those that differ in one foil; None where none costs less."""
        best, found = 0.0, None
        for place, out in enumerate(chosen):
            rest = [at for at in chosen if at != out]
            costs = self._costs(rest)
            into = int(np.where(self._open(rest), costs, np.inf).argmin())
            if costs[into] - costs[out] < best - ROUNDING:
                best, found = costs[into] - costs[out], (*chosen[:place], into, *chosen[place + 1 :])
        return found

    def _open(self, rest: Sequence[int]) -> NDArray[np.bool_]:
        """Which candidates can join: alike to none, of a trap that is not there too often."""
        full = [
            trap != "none" and [self._traps[at] for at in rest].count(trap) >= MOST_OF_A_TRAP for trap in self._traps
        ]
        taken = np.isin(np.arange(len(full)), rest)
        return ~(self._clash[:, rest].any(axis=1) | np.array(full, dtype=bool) | taken)

    def _costs(self, rest: Sequence[int]) -> NDArray[np.float64]:
        """For each candidate that may join: how far the key would be from the wanted ranks, and the foils from traps of
        this very place."""
        joining = self._jaccard[:-1]
        kept = [*rest, -1]
        sums = self._jaccard[np.ix_(kept, kept)].sum(axis=1) + joining[:, kept]
        own = joining[:, kept].sum(axis=1) + 1
        typical = _below(np.column_stack([sums[:, :-1], own]).T, sums[:, -1]).sum(axis=0)
        ranks = np.column_stack([self._below[:-1] + self._below[rest].sum(axis=0), typical])
        plain: NDArray[np.float64] = self._plain + self._plain[rest].sum()
        off: NDArray[np.float64] = np.abs(ranks - self._wanted).sum(axis=1)
        echoed = self._echoed[kept].sum() + self._echoed[:-1]
        barred: NDArray[np.float64] = ECHO * (self._echoed[-1] * (len(kept) + 1) > echoed)
        return plain + off + barred


def _below(figures: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 where a figure lies below one's own, one half where they are equal up to rounding."""
    return (figures < own - ROUNDING) + 0.5 * (np.abs(figures - own) <= ROUNDING)
