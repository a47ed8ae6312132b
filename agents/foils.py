"""Foils: wrong options that are false by the story and still look like the key: same kind, register, length, people.

What a rule could tell the key by is its rank among the options: by length, by words shared with the clip or with the
question, by how typical it is of the set. For each of these a rank is drawn from the seed, and foils are exchanged
until the key stands as near to the ranks drawn as their pool allows.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..narrative.similarity import alike
from ..narrative.words import content_words, jaccard, presumed, share
from ..schemas.base import digest
from ..schemas.grounding import Event
from ..schemas.item import Trap

LENGTHS = (0.5, 2.0)
"""Length of a foil over the length of the key, in characters."""
MOST_OF_A_TRAP = 3
CONSIDERED = 40
"""Candidates of which the foils are chosen, the best first."""
FAR = 0.6
"""What each step of remoteness of a foil costs; a rank costs one."""


ECHO = 100.0
"""What foils cost beside which the key would be an echo of the choice: such a set is no good."""
ROUNDING = 1e-9


Register = tuple[bool, ...]
Quota = Mapping[Register, int]
"""Foils by register."""


class Candidate(NamedTuple):
    """A text that may become an option."""

    text: str
    event: Event
    trap: Trap
    register: Register
    """Whether speech, whether told in the first person: what all options share, or half of them."""
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
    people: frozenset[str] = frozenset()
    """Who is at hand: named since the last choice but one, or by the question."""

    def unheard(self, text: str) -> int:
        """How many things a text presumes that neither the clip nor the question has shown."""
        return sum(not thing & (self.told | self.asked) for thing in presumed(text))


def choose(
    key: Candidate, pool: Sequence[Candidate], *, seed: str, count: int, scene: Scene | None = None
) -> tuple[Candidate, ...]:
    """Up to `count` foils for the key, fewer if the pool does not hold them."""
    around = scene or Scene()
    fit = _fitting(key, pool, around, seed)
    wanted = [int(digest(seed, figure), 16) % (count + 1) for figure in ("length", "told", "asked", "typical")]
    short: tuple[Candidate, ...] | None = None
    for quota in _quotas(key, fit, count):
        foils = [candidate for candidate in fit if candidate.register in quota][:CONSIDERED]
        considered = Considered(key, foils, around, wanted, quota)
        chosen = considered.first(count)
        while better := considered.swapped(chosen):
            chosen = better
        found = tuple(foils[at] for at in chosen)
        if len(found) == count:
            return found
        short = found if short is None else short
    return short or ()


def _quotas(key: Candidate, foils: Sequence[Candidate], count: int) -> Iterator[Quota]:
    """How many foils of each register: all of the key's; else half of the options are of its register and half of
    another one, so that the register says nothing of the key."""
    yield {key.register: count}
    half = (count + 1) // 2
    others = Counter(foil.register for foil in foils if foil.register != key.register)
    if count % 2 and half > 1:
        yield from ({key.register: half - 1, other: half} for other, found in others.most_common() if found >= half)


def _fitting(key: Candidate, pool: Sequence[Candidate], scene: Scene, seed: str) -> list[Candidate]:
    """Candidates that fit the key, and presume no more than it does that the clip has not shown: the less remote first,
    else in an order drawn from the seed."""
    low, high = (bound * len(key.text) for bound in LENGTHS)
    most = scene.unheard(key.text)
    fit = [c for c in pool if low <= len(c.text) <= high and c.text != key.text and scene.unheard(c.text) <= most]
    return sorted(fit, key=lambda c: (_remoteness(c), digest(seed, c.text)))


def _remoteness(candidate: Candidate) -> int:
    """0 for what follows another choice of the very place, then by distance. What really followed the choice made
    counts as two decisions away: for all a viewer knows it could often have followed the supposed one too."""
    if candidate.trap == "none":
        return 1 + candidate.distance
    return 2 if candidate.trap == "logic" else 0


class Considered:
    """Candidates for the foils of one key, by position; what is compared of them is worked out once."""

    def __init__(
        self, key: Candidate, foils: Sequence[Candidate], scene: Scene, wanted: Sequence[int], quota: Quota
    ) -> None:
        texts = [option.text for option in (*foils, key)]
        words = [content_words(text) for text in texts]
        figures = np.array(
            [(len(t), share(w, scene.told), share(w, scene.asked)) for t, w in zip(texts, words, strict=True)]
        )
        self._below = _below(figures, figures[-1])
        self._jaccard = np.array([[jaccard(one, other) for other in words] for one in words])
        self._clash = np.array([[alike(one, [other]) for other in texts[:-1]] for one in texts[:-1]], dtype=bool)
        self._traps = [foil.trap for foil in foils]
        self._registers = [foil.register for foil in foils]
        self._quota = quota
        self._plain = np.array([FAR * _remoteness(foil) for foil in foils])
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
        """Which candidates can join: alike to none, of a trap and of a register that is not there too often."""
        traps, registers = Counter(self._traps[at] for at in rest), Counter(self._registers[at] for at in rest)
        full = [
            (trap != "none" and traps[trap] >= MOST_OF_A_TRAP) or registers[register] >= self._quota[register]
            for trap, register in zip(self._traps, self._registers, strict=True)
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
