"""Social Caption's Tables 1 and 2: inference, holistic and directed analysis by who rated; agreement by item."""

from collections.abc import Mapping, Sequence

from .caption import DSA_ITEMS, HSA_ITEMS, Rated, score
from .credit import micro
from .f1 import binary_f1, thresholded
from .table import Table, Value, percent

Runs = Mapping[str, Sequence[Sequence[float]]]
"""By model: credits of each run, in one order of items."""
Ratings = Mapping[tuple[str, str], Sequence[Rated]]
"""By (model, who rated: `H` or a judge)."""


def main(without: Runs, within: Runs, holistic: Ratings, directed: Ratings) -> Table:
    """Table 1: mean accuracy over runs without and with transcript in percent, then HSA and DSA out of 30 by rater.

    A model that was not rated has none.
    """
    models = sorted({*without, *within, *(model for model, _ in (*holistic, *directed))})
    raters = sorted({rater for _, rater in (*holistic, *directed)})
    lines: list[tuple[Value, ...]] = []
    for model in models:
        inference = [percent(micro([micro(run) or 0.0 for run in runs.get(model, ())])) for runs in (without, within)]
        rated = [score(ratings.get((model, rater), ())) for ratings in (holistic, directed) for rater in raters]
        lines.append((model, *inference, *rated))
    columns = [f"{kind} {rater}" for kind in ("HSA", "DSA") for rater in raters]
    return Table("Social understanding", ("Model", "SI w/o trans. (%)", "SI w/ trans. (%)", *columns), tuple(lines))


def agreement(ratings: Mapping[str, Sequence[Rated]], kind: str) -> Table:
    """Table 2: binary F1 by item, between people and between people and each judge, in percent.

    `ratings`: `H` holds two raters a video, whose order does not matter; every judge one. `kind` is HSA or DSA. Beside
    each F1 stands what saying yes to everything would get.
    """
    names = HSA_ITEMS if kind == "HSA" else DSA_ITEMS
    judges = sorted(set(ratings) - {"H"})
    lines: list[tuple[Value, ...]] = []
    for place, name in enumerate(names):
        cells: list[Value] = [*_f1(_people(ratings["H"]), place)]
        for judge in judges:
            cells += _f1(_against(ratings["H"], ratings[judge]), place)
        lines.append((name, *cells))
    columns = [column for who in ("H", *judges) for column in (f"H-{who}", f"H-{who} always yes")]
    return Table(f"Binary F1 of {kind} (%)", ("Item", *columns), tuple(lines))


def _f1(pairs: Sequence[tuple[Rated, Rated]], place: int) -> tuple[Value, Value]:
    first, second = (thresholded([pair[side].items[place] for pair in pairs]) for side in (0, 1))
    found = binary_f1(first, second)
    return percent(found.f1), percent(found.always_positive)


def _people(rated: Sequence[Rated]) -> list[tuple[Rated, Rated]]:
    """Every pair of raters of one video."""
    ordered = sorted(rated)
    return [(a, b) for place, a in enumerate(ordered) for b in ordered[place + 1 :] if a.video == b.video]


def _against(people: Sequence[Rated], judge: Sequence[Rated]) -> list[tuple[Rated, Rated]]:
    """Every person with the judge, on the same video."""
    return [(a, b) for a in sorted(people) for b in judge if a.video == b.video]
