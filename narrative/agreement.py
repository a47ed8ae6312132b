"""Random playthroughs of the real runtime held against an explored flowchart: how the merging of states is tested."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import StoryError
from .flowchart import Flowchart, State
from .runtime import Runtime, Step


class Difference(NamedTuple):
    """Where a play and the flowchart part."""

    play: tuple[int, ...]
    what: str


def disagreement(
    runtime: Runtime, chart: Flowchart, chance: random.Random, max_length: int = 1000
) -> Difference | None:
    """Play once, each choice equally likely, and compare every step; None where all of them agree.

    Compared are the choices on offer, the lines told, the ending, where one stands, and the variables that the
    flowchart tells. A play stops, in agreement, where the flowchart was not explored further.
    """
    step, here, play = runtime.start(), Flowchart.START, list[int]()
    problem = _differs(step, chart.state(here)) or ("" if step.lines == chart.opening else "the opening")
    while not problem and step.choices and len(play) < max_length:
        play.append(int(chance.random() * len(step.choices)))
        edge = next((edge for edge in chart.transitions(here) if edge.index == play[-1]), None)
        if edge is None:
            problem = "a missing choice" if chart.complete else ""
            break
        here = edge.target
        try:
            step = runtime.choose(play[-1])
        except StoryError as error:
            problem = "" if chart.state(here).kind == "error" else str(error)
            break
        told = {name: step.variables.get(name) for name in edge.variables}
        problem = _differs(step, chart.state(here)) or _first(
            ("lines", step.lines, edge.lines), ("variables", told, dict(edge.variables))
        )
    return Difference(tuple(play), problem) if problem else None


def _differs(step: Step, state: State) -> str:
    return _first(
        ("choices", step.choices, state.choices),
        ("ending", step.ending, state.ending),
        ("location", (step.location, step.chapter), (state.location, state.chapter)),
        ("people", (step.protagonist, step.present), (state.protagonist, state.present)),
    )


def _first(*pairs: tuple[str, object, object]) -> str:
    return next(
        (f"{what}: {played!r} played, {charted!r} charted" for what, played, charted in pairs if played != charted), ""
    )


def disagreements(runtime: Runtime, chart: Flowchart, seeds: Sequence[int], max_length: int = 1000) -> list[Difference]:
    """`disagreement` for one play a seed."""
    found = [disagreement(runtime, chart, random.Random(seed), max_length) for seed in seeds]
    return [difference for difference in found if difference]
