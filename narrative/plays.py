"""Playthroughs of a flowchart: sampled, as players who choose at random would make them, and covering, so that no
place of the story is left out."""

import random
from collections import deque

from ..schemas.base import digest
from .flowchart import Flowchart

LONGEST = 400
"""Decisions after which a play is cut off: a story may go in circles."""


def sample(chart: Flowchart, *, seed: int, count: int) -> list[tuple[int, ...]]:
    """Plays in which each explored choice is equally likely, drawn by `random.Random(int).random()`; no two equal."""
    plays: dict[tuple[int, ...], None] = {}
    for k in range(count):
        chance = random.Random(int(digest(seed, chart.source_sha256, "play", k), 16))
        plays[_go_on(chart, (), chance)] = None
    return list(plays)


def cover(chart: Flowchart, *, seed: int) -> list[tuple[int, ...]]:
    """Plays that together come through every explored place: a shortest way to each that is missing, then on."""
    way, seen = _shortest(chart), set[str]()
    plays: list[tuple[int, ...]] = []
    for number, prefix in way.items():
        if chart.state(number).location in seen:
            continue
        chance = random.Random(int(digest(seed, chart.source_sha256, "cover", number), 16))
        plays.append(_go_on(chart, prefix, chance))
        seen |= {chart.state(edge.source).location for edge in chart.follow(plays[-1])}
    return plays


def _go_on(chart: Flowchart, prefix: tuple[int, ...], chance: random.Random) -> tuple[int, ...]:
    """A play that begins with `prefix` and ends where the story, or what was explored of it, ends."""
    play, here = list(prefix), chart.state_at(prefix)
    while len(play) < LONGEST and (edges := chart.transitions(here)):
        edge = edges[int(chance.random() * len(edges))]
        play.append(edge.index)
        here = edge.target
    return tuple(play)


def _shortest(chart: Flowchart) -> dict[int, tuple[int, ...]]:
    """The shortest play to each decision, nearest first; among equals the smallest choice indices."""
    found: dict[int, tuple[int, ...]] = {Flowchart.START: ()}
    queue = deque([Flowchart.START])
    while queue:
        here = queue.popleft()
        for edge in chart.transitions(here):
            if edge.target not in found and chart.state(edge.target).kind == "decision":
                found[edge.target] = (*found[here], edge.index)
                queue.append(edge.target)
    return found
