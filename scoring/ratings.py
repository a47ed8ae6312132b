"""A table of ratings by several raters, with gaps, as counts that add up, so that a bootstrap is one product."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bootstrap import Floats

Rating = str | int | float | None
GAP = -1


class Ratings(NamedTuple):
    """`codes` is (units, raters): the place of each rating among `categories`, −1 for none."""

    codes: NDArray[np.int64]
    categories: tuple[str | int | float, ...]
    """In order: numbers by size, else by name."""

    def counts(self) -> Floats:
        """(units, categories): how many raters gave each."""
        given = self.codes[:, :, None] == np.arange(len(self.categories))
        return np.asarray(given.sum(axis=1), dtype=np.float64)

    def values(self) -> Floats:
        """The categories as numbers, for interval and ratio scales. Raises `ValueError` where they are none."""
        return np.array([float(category) for category in self.categories])


def tabulate(table: Sequence[Sequence[Rating]], categories: Sequence[str | int | float] | None = None) -> Ratings:
    """(units, raters) ratings, None or NaN where there is none.

    `categories` fixes the scale, which matters to ordered weights; without it the scale is what occurs. Raises
    `ValueError` for rows of unequal length, or for a rating that is not on the scale given.
    """
    rows = [[None if _missing(rating) else rating for rating in row] for row in table]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("every unit needs one entry a rater, None where there is no rating")
    seen: set[str | int | float] = {rating for row in rows for rating in row if rating is not None}
    scale = tuple(categories) if categories is not None else tuple(sorted(seen, key=_place))
    if strange := seen - set(scale):
        raise ValueError(f"rating {min(map(repr, strange))} is not on the scale {scale}")
    code = {category: number for number, category in enumerate(scale)}
    codes = [[GAP if rating is None else code[rating] for rating in row] for row in rows]
    return Ratings(np.array(codes, dtype=np.int64).reshape(len(rows), len(rows[0]) if rows else 0), scale)


def _missing(rating: Rating) -> bool:
    return rating is None or rating != rating


def _place(rating: str | int | float) -> tuple[str, float]:
    return (rating, 0.0) if isinstance(rating, str) else ("", rating)
