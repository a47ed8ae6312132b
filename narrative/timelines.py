"""Several protagonists: a playthrough cut up by whose story is told, so that nobody is looked for in another's footage.

Adjacent stretches of one protagonist are one: a model is then asked once for each of them and not once for each state.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from ..schemas.alignment import Alignment, StateSpan
from ..schemas.clip import Span
from .runtime import Step


class Stretch(NamedTuple):
    """States of one protagonist, one after another."""

    protagonist: str | None
    """None where the story names nobody."""
    states: tuple[int, ...]
    """Numbers of choices made before each state, ascending."""
    span: Span | None
    """None where none of them is aligned."""


def stretches(alignment: Alignment, protagonists: Sequence[str | None]) -> list[Stretch]:
    """The play in order, cut where the protagonist changes. `protagonists` has one for each state of the play.

    Raises `ValueError` where their number is another one.
    """
    states = zip(alignment.states(), protagonists, strict=True)
    return [
        _stretch(protagonist, [state for state, _ in group])
        for protagonist, group in groupby(states, key=lambda pair: pair[1])
    ]


def timelines(found: Iterable[Stretch]) -> dict[str | None, tuple[Stretch, ...]]:
    """The stretches of each protagonist, in order of first appearance: one call serves each of them."""
    by: dict[str | None, list[Stretch]] = {}
    for stretch in found:
        by.setdefault(stretch.protagonist, []).append(stretch)
    return {protagonist: tuple(own) for protagonist, own in by.items()}


def protagonists_of(steps: Sequence[Step]) -> list[str | None]:
    """Whose decision each state is; where a state says nothing (an ending), whose the one before was."""
    found: list[str | None] = []
    for step in steps:
        found.append(step.protagonist or (found[-1] if found else None))
    return found


def _stretch(protagonist: str | None, states: Sequence[StateSpan]) -> Stretch:
    spans = [state.span for state in states if state.span]
    whole = Span(start=min(s.start for s in spans), end=max(s.end for s in spans)) if spans else None
    return Stretch(protagonist, tuple(state.after for state in states), whole)
