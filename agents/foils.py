"""Foils: wrong options that are false by the story and still look like the key: same kind, register, length, people."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from ..narrative.similarity import alike
from ..schemas.base import digest
from ..schemas.grounding import Event
from ..schemas.item import Trap

LENGTHS = (0.5, 2.0)
"""Length of a foil over the length of the key, in characters."""
MOST_OF_A_TRAP = 3
NEAR = (2, 4, 8)
"""Distances up to which a candidate goes before those farther away; beyond the last it is out of place here."""


class Candidate(NamedTuple):
    """A text that may become an option."""

    text: str
    event: Event
    trap: Trap
    register: tuple[bool, ...]
    """What must be equal in all options: whether speech, whether told in the first person."""
    distance: int = 0
    """Decisions between the place of the question and a place where the story tells this."""


def choose(key: Candidate, pool: Sequence[Candidate], *, seed: str, count: int) -> tuple[Candidate, ...]:
    """Up to `count` foils for the key, fewer if the pool does not hold them.

    The key's rank by length among the options is drawn from the seed, so that length says nothing about it.
    """
    fit = _fitting(key, pool, seed)
    rank = int(digest(seed, "length rank"), 16) % (count + 1)
    shorter = [c for c in fit if len(c.text) < len(key.text)]
    longer = [c for c in fit if len(c.text) >= len(key.text)]
    chosen: list[Candidate] = []
    _take(chosen, shorter, rank)
    _take(chosen, longer, count)
    _take(chosen, shorter, count)
    return tuple(chosen)


def _fitting(key: Candidate, pool: Sequence[Candidate], seed: str) -> list[Candidate]:
    """Candidates that fit the key: traps first, then the near before the far, else in an order drawn from the seed."""
    low, high = (bound * len(key.text) for bound in LENGTHS)
    fit = [
        c
        for c in pool
        if c.register == key.register and low <= len(c.text) <= high and c.text != key.text and c.distance <= NEAR[-1]
    ]
    return sorted(fit, key=lambda c: (c.trap == "none", bisect_left(NEAR, c.distance), digest(seed, c.text)))


def _take(chosen: list[Candidate], pool: Sequence[Candidate], up_to: int) -> None:
    """Add candidates of the pool to `chosen` until it holds `up_to`, none alike, none too often of one trap."""
    for candidate in pool:
        if len(chosen) >= up_to:
            return
        same_trap = sum(c.trap == candidate.trap for c in chosen)
        if candidate.trap != "none" and same_trap >= MOST_OF_A_TRAP:
            continue
        if not alike(candidate.text, [c.text for c in chosen]):
            chosen.append(candidate)
