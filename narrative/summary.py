"""What whole exploration found out about a story, in figures: what `narrative explore` prints."""

import json
from typing import Any, NamedTuple

from .explore import FAILS
from .flowchart import Flowchart
from .ink import InkStory
from .ink_code import INVISIBLE, Code, UnreadableCodeError
from .locks import Locks
from .own import OwnStory
from .player import PlayerModel, Shares, uniform
from .runtime import Story


class Choices(NamedTuple):
    source: int
    """Choices that a player could be shown, counted in the source."""
    reachable: int
    """Of these, offered in some explored state."""
    unreachable: tuple[str, ...]
    """Spans of those that no player can ever be offered, in the order of the source. Empty on an unfinished flowchart,
    of which nothing of the kind is known."""


class Ending(NamedTuple):
    id: str
    label: str
    probability: float
    """Of a player model: see `player.py`. On an unfinished flowchart at least this."""


class Exploration(NamedTuple):
    states: int
    transitions: int
    complete: bool
    choices: Choices
    endings: tuple[Ending, ...]
    """Most likely first."""
    locks: dict[str, int]
    """By kind, places with a choice that shuts something off: see `locks.py`."""
    decisions: int
    """Places of the story where some state offers at least two choices."""
    errors: tuple[str, ...]
    """One line for each choice after which the story fails."""
    cut: tuple[str, ...]
    """Which bounds were reached, and how many states they left."""
    random_seed: int | None
    """What the story draws was fixed by this seed; None for a story that draws nothing."""
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """JSON types."""
        nested = {"choices": self.choices._asdict(), "endings": [ending._asdict() for ending in self.endings]}
        return self._asdict() | nested


def summarise(story: Story, chart: Flowchart, seconds: float, shares: Shares = uniform) -> Exploration:
    """The figures of an explored story; `seconds` is what exploration took."""
    states = [chart.state(number) for number in range(len(chart))]
    shown = {choice.span for state in states for choice in state.choices}
    source = source_choices(story) or tuple(shown)
    probabilities = PlayerModel(chart, shares).outcomes().endings
    return Exploration(
        states=len(states),
        transitions=chart.graph.number_of_edges(),
        complete=chart.complete,
        choices=Choices(
            source=len(source),
            reachable=len(shown.intersection(source)),
            unreachable=tuple(span for span in source if span not in shown) if chart.complete else (),
        ),
        endings=tuple(
            Ending(ending, ending.replace("_", " "), round(probability, 6))
            for ending, probability in sorted(probabilities.items(), key=lambda item: (-item[1], item[0]))
        ),
        locks={str(kind): count for kind, count in Locks(chart).counts().items()},
        decisions=len({state.location for state in states if len(state.choices) > 1}),
        errors=tuple(line for line in chart.cut if line.startswith(FAILS)),
        cut=tuple(line for line in chart.cut if not line.startswith(FAILS)),
        random_seed=story.seed if isinstance(story, InkStory) else None,
        seconds=round(seconds, 3),
    )


def source_choices(story: Story) -> tuple[str, ...]:
    """The spans of a story's choices in the order of its source; none where the source does not say."""
    if isinstance(story, OwnStory):
        states = story.story.states.items()
        return tuple(f"{name}#{number}" for name, state in states for number in range(len(state.choices)))
    if isinstance(story, InkStory):
        try:
            points = Code(json.loads(story.source)).choices().values()
        except UnreadableCodeError:
            return ()
        return tuple(dict.fromkeys(span for span, flags in points if not flags & INVISIBLE))
    return ()
