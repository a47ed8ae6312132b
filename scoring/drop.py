"""From perceiving to reasoning: how far a model's accuracy falls between two declared sets of capabilities.

The items differ, so the test is unpaired: Fisher's, corrected over models, with the clustered bootstrap of the
difference beside it, since items of one episode are not independent. Source: SCORING 14; SocialReasonBench 4, App. K.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bootstrap import Floats
from .figure import Figure, quotient, undefined
from .paired import Spread, draw
from .significance import fisher, holm

PERCEPTION = frozenset({"intent_recognition", "behavior_prediction", "emotional_empathy"})
REASONING = frozenset({"causal_antecedent", "counterfactual_reasoning"})
NO_ITEMS = "one of the two sets has no items"


class Drop(NamedTuple):
    perception: Figure
    reasoning: Figure
    difference: Figure
    """Perception less reasoning."""
    p: Figure
    p_holm: Figure
    spread: Spread
    """Of the difference, by episode."""


def drops(
    credits: Mapping[str, Sequence[float]], capabilities: Sequence[str], episodes: Sequence[str]
) -> dict[str, Drop]:
    """One a model, from 0/1 credits on the same items; capabilities in neither set are left out.

    Raises `ValueError` for credits that are not whole: repeats are to be tested one at a time.
    """
    kept = [place for place, name in enumerate(capabilities) if name in PERCEPTION | REASONING]
    perceives = np.array([capabilities[place] in PERCEPTION for place in kept], dtype=bool)
    models = sorted(credits)
    table = np.array([[credits[model][place] for model in models] for place in kept]).reshape(len(kept), len(models))
    if not np.isin(table, (0, 1)).all():
        raise ValueError("Fisher's test needs whole credits")
    counts = [[(int(own[side].sum()), int(side.sum())) for side in (perceives, ~perceives)] for own in table.T]
    p = [fisher(*perception, *reasoning) for perception, reasoning in counts]
    spreads = _spreads(table, perceives, [episodes[place] for place in kept])
    shares = [[quotient(*side, NO_ITEMS) for side in own] for own in counts]
    columns = zip(models, shares, p, _corrected(p), spreads, strict=True)
    return {model: Drop(a, b, _difference(a, b), own, held, spread) for model, (a, b), own, held, spread in columns}


def _difference(first: Figure, second: Figure) -> Figure:
    if first.value is None or second.value is None:
        return undefined(NO_ITEMS)
    return Figure(first.value - second.value)


def _corrected(p: Sequence[Figure]) -> list[Figure]:
    """Holm over the models. A set without items lacks them for every model, so all are defined or none."""
    values = [figure.value for figure in p if figure.value is not None]
    return [Figure(value) for value in holm(values)] if len(values) == len(p) else list(p)


def _spreads(table: Floats, perceives: NDArray[np.bool_], episodes: Sequence[str]) -> list[Spread]:
    if perceives.all() or not perceives.any():
        return [Spread(None, 0, NO_ITEMS)] * table.shape[1]
    drawn = draw(table, episodes, np.where(perceives, "perception", "reasoning").tolist())
    return drawn.spreads(drawn.group("perception") - drawn.group("reasoning"))
