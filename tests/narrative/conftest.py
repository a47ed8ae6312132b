"""Stories written as graphs in a dict, small enough to know what follows from what."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pytest
from benchwright.narrative.runtime import Choice, Line, Step, StoryInfo
from benchwright.schemas.base import content_hash
from hypothesis import strategies as st


class Way(NamedTuple):
    """One choice: where it leads, what is told on the way, and by how much it changes `trust`."""

    to: str
    told: Sequence[str] = ()
    """Each `place/wording`; its place is its source span, the whole its text."""
    change: int = 0


Graph = Mapping[str, Mapping[str, Way]]
"""Choices of each state by their text. A state without choices is an ending of that name; the first is the start."""


class GraphRuntime:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def start(self) -> Step:
        self.here, self.trust = next(iter(self.graph)), 0
        self.told: Sequence[str] = ("opening/1",)
        return self._step()

    def choose(self, index: int) -> Step:
        way = list(self.graph[self.here].values())[index]
        self.here, self.trust, self.told = way.to, self.trust + way.change, way.told
        return self._step()

    def save(self) -> str:
        return json.dumps([self.here, self.trust])

    def load(self, state: str) -> Step:
        self.here, self.trust = json.loads(state)
        self.told = ()
        return self._step()

    def close(self) -> None:
        pass

    def _step(self) -> Step:
        lines = tuple(Line(text, text.partition("/")[0], "ANN") for text in self.told)
        choices = tuple(Choice(text, f"{self.here}:{text}") for text in self.graph[self.here])
        ending = None if choices else self.here
        return Step(lines, choices, {"trust": self.trust}, self.here, ending=ending)


class GraphStory:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        told = {name: {text: list(way) for text, way in ways.items()} for name, ways in graph.items()}
        self.info = StoryInfo("graph", "story", content_hash(told), "en", "", (), (), {}, "", ())

    def __repr__(self) -> str:
        return repr(self.graph)

    def runtime(self) -> GraphRuntime:
        return GraphRuntime(self.graph)


@st.composite
def graphs(draw: st.DrawFn) -> GraphStory:
    """Up to five states with loops, shared replies, two wordings of some places, and a hidden variable."""
    names = [f"s{number}" for number in range(draw(st.integers(2, 5)))]
    told = st.lists(st.sampled_from(["a/1", "a/2", "b/1", "c/1", "d/1", "e/1"]), max_size=2)
    ways = st.builds(Way, st.sampled_from(names), told, st.integers(-1, 1))
    graph = {}
    for name in names:
        least, most = (1, 3) if name == names[0] else (0, 3)
        choices = draw(st.lists(ways, min_size=least, max_size=most))
        graph[name] = {f"{name} {letter}": way for letter, way in zip("xyz", choices, strict=False)}
    return GraphStory(graph)


@pytest.fixture(scope="session")
def random_stories() -> st.SearchStrategy[GraphStory]:
    return graphs()


@pytest.fixture(scope="session")
def graph_story() -> Callable[[Graph], GraphStory]:
    """A story from plain tuples: `{"hub": {"ask": ("end", ["answer/1"], 1)}, "end": {}}`."""
    return lambda graph: GraphStory(
        {name: {text: Way(*way) for text, way in ways.items()} for name, ways in graph.items()}
    )


@pytest.fixture(scope="session")
def intercept(shared):
    """*The Intercept*, opened."""
    from benchwright.narrative.stories import open_story

    pytest.importorskip("bink")
    return open_story(shared / "data/narratives/ink/the-intercept/TheIntercept.v21.ink.json")
