"""Every model against every other on the same items: difference, its interval by episode, p, and p after Holm."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from .bootstrap import Floats
from .figure import Figure
from .paired import Spread, differences, draw
from .significance import holm, mcnemar, sign_flips

MCNEMAR, PERMUTATION = "exact McNemar", "sign flips by episode"


class Compared(NamedTuple):
    """`first` less `second`, in mean credit over items."""

    first: str
    second: str
    n: int
    """Items that both have; an item that one lacks is dropped for all."""
    difference: float
    spread: Spread
    macro_difference: float
    """The same as a mean over capabilities."""
    macro_spread: Spread
    p: Figure
    p_holm: Figure
    method: str
    """Of p: exact McNemar where credits are whole and no two items share an episode, else sign flips by episode."""


def compare_all(
    credits: Mapping[str, Sequence[float | None]], episodes: Sequence[str], groups: Sequence[str]
) -> list[Compared]:
    """All pairs in order of name; empty for fewer than two models or no item that all have. None: an unscored item.

    Source: SCORING 10, 15, 16 and "Rules above the formulas".
    """
    models = sorted(credits)
    whole = common(credits)
    if len(models) < 2 or not whole:
        return []
    table = np.array([[credits[model][place] for model in models] for place in whole], dtype=np.float64)
    return _compared(models, table, [episodes[place] for place in whole], [groups[place] for place in whole])


def common(credits: Mapping[str, Sequence[float | None]]) -> list[int]:
    """Places of the items that every model has scored; empty for no models."""
    return [place for place, own in enumerate(zip(*credits.values(), strict=True)) if None not in own]


def _compared(models: Sequence[str], table: Floats, episodes: Sequence[str], groups: Sequence[str]) -> list[Compared]:
    pairs = list(combinations(range(len(models)), 2))
    drawn = draw(table, episodes, groups)
    micro, macro = (drawn.spreads(differences(own, pairs)) for own in (drawn.micro(), drawn.macro()))
    method = MCNEMAR if _independent(table, episodes) else PERMUTATION
    p = [_p(method, table[:, a] - table[:, b], episodes) for a, b in pairs]
    corrected = holm([figure.value or 0.0 for figure in p])
    means, macros = table.mean(axis=0), _macros(table, groups)
    return [
        Compared(models[a], models[b], len(table), float(means[a] - means[b]), micro[row],
                 float(macros[a] - macros[b]), macro[row], p[row], Figure(corrected[row]), method)
        for row, (a, b) in enumerate(pairs)
    ]  # fmt: skip


def _independent(table: Floats, episodes: Sequence[str]) -> bool:
    return len(set(episodes)) == len(episodes) and bool(np.isin(table, (0, 1)).all())


def _p(method: str, difference: Floats, episodes: Sequence[str]) -> Figure:
    if method == MCNEMAR:
        return Figure(mcnemar(int((difference > 0).sum()), int((difference < 0).sum())).p)
    _, place = np.unique(np.asarray(episodes), return_inverse=True)
    return sign_flips(np.bincount(place, weights=difference).tolist())


def _macros(table: Floats, groups: Sequence[str]) -> Floats:
    _, place = np.unique(np.asarray(groups), return_inverse=True)
    return np.asarray(np.mean([table[place == group].mean(axis=0) for group in range(place.max() + 1)], axis=0))
