"""Accuracy where a model knows the work that a clip is from, beside that where it does not.

A model that knows the work may answer from memory. The two halves are different items: a difference between them is a
reason to look, and no measure of memory. Source: ISOLATION 4; ours.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..schemas.score import Recognition
from . import credit
from .gather import Row
from .paired import Spread, draw

KNOWN, OTHER = "recognised", "others"
FEWEST_LETTERS = 4
"""A title within what was said, or the other way round, counts from so many letters on."""


class Said(NamedTuple):
    """What a model says of one item's clip."""

    work: str
    """Empty where it names none."""
    right: bool | None = None
    """None where nobody said which work it is."""


def recognition(run: str, rows: Sequence[Row], said: Mapping[str, Said]) -> Recognition:
    """Split one run. `said` has an entry for each item that the probe was asked about; others, and unscored items, are
    left out. Figures lie in [0, 1]; a half without items has none."""
    there = [row for row in rows if row.item.id in said and row.credit is not None]
    told = [said[row.item.id] for row in there]
    judged = any(one.right is not None for one in told)
    known = [bool(one.right if judged else one.work) for one in told]
    pairs = list(zip(there, known, strict=True))
    halves = [[row.credit or 0.0 for row, own in pairs if own is half] for half in (True, False)]
    means = [credit.micro(half) for half in halves]
    spread = _spread(there, known) if all(halves) else Spread(None, 0, "one half of the split is empty")
    both = None not in means
    return Recognition(
        run=run,
        right_only=judged,
        named=sum(bool(one.work) for one in told),
        right=sum(one.right is True for one in told) if judged else None,
        recognised=len(halves[0]),
        others=len(halves[1]),
        accuracy=means[0],
        other_accuracy=means[1],
        value=(means[0] or 0.0) - (means[1] or 0.0) if both else None,
        low=spread.interval.low if spread.interval else None,
        high=spread.interval.high if spread.interval else None,
        reason=spread.reason,
    )


def _spread(rows: Sequence[Row], known: Sequence[bool]) -> Spread:
    groups = [KNOWN if own else OTHER for own in known]
    drawn = draw([[row.credit or 0.0] for row in rows], [row.key.episode for row in rows], groups)
    return drawn.spreads(np.asarray(drawn.group(KNOWN) - drawn.group(OTHER)))[0]


def same_work(said: str, titles: Sequence[str]) -> bool:
    """Whether what a model says is one of a work's titles: by letters and digits alone, or one within the other."""
    plain = _plain(said)
    return any(
        plain == title or (min(len(plain), len(title)) >= FEWEST_LETTERS and (plain in title or title in plain))
        for title in map(_plain, titles)
        if title and plain
    )


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
