"""Random compiled Ink: a few knots and tunnels that set, count and read, as JSON; and a walk in this process."""

import json
from typing import Any

from benchwright.narrative.ink import InkRuntime, InkStory
from benchwright.narrative.ink_child import Player
from benchwright.narrative.ink_walker import Walker
from benchwright.narrative.walk import InkWalk
from hypothesis import strategies as st

KNOTS, TUNNELS = ("k0", "k1", "k2", "k3"), ("t0", "t1")
VARIABLES = ("a", "b", "c")


class Lane:
    """A walker in this process, for stories that are known not to crash."""

    used = True

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self.waiting: list[tuple[str, list[int]]] = []

    def has_room(self, text: str) -> bool:
        return not self.waiting

    def send(self, text: str, count: int) -> None:
        self.waiting.append((text, list(range(count))))

    def receive(self) -> list[Any]:
        return self.walker.walk(*self.waiting.pop())

    def ask(self, operation: str, *arguments: Any) -> Any:
        return getattr(self.walker, operation)(*arguments)

    def close(self) -> None:
        pass


class Here:
    """A player in this process, where a runtime has its child."""

    def __init__(self, story: InkStory) -> None:
        self.player = Player(story.source, sorted(story.index.fallbacks), 60, story.seed)

    def ask(self, operation: str, *arguments: Any) -> Any:
        return getattr(self.player, operation)(*arguments)

    def alive(self) -> bool:
        return True

    def close(self) -> None:
        pass


def runtime_here(story: InkStory) -> InkRuntime:
    """A runtime without a child process, for stories that are known not to crash."""
    runtime = story.runtime()
    runtime._child = Here(story)  # type: ignore[assignment]
    return runtime


def walk_here(story: InkStory, kind: type[Walker] = Walker, watched: tuple[str, ...] = ()) -> InkWalk:
    """A walk whose walker lives in this process, and may be of another kind."""
    steps = InkWalk(story, watched)
    opening: dict[str, Any] = {
        "source": story.source,
        "fallbacks": sorted(story.index.fallbacks),
        "seconds": 60,
        "seed": story.seed,
    }
    steps._lanes = [Lane(kind(watched=watched, **opening))]  # type: ignore[list-item]
    return steps


values = st.one_of(
    st.sampled_from(VARIABLES).map(lambda name: {"VAR?": name}),
    st.sampled_from((*KNOTS, *TUNNELS)).map(lambda name: {"CNT?": name}),
)
conditions = st.one_of(
    values.map(lambda value: [value]),
    values.map(lambda value: [value, "!"]),
    st.tuples(values, st.integers(0, 3), st.sampled_from((">", "<=", "=="))).map(list),
    st.tuples(values, values, st.sampled_from(("&&", "||"))).map(list),
)
sets = st.builds(
    lambda name, value: ["ev", value, 3, "MIN", "/ev", {"VAR=": name, "re": True}],
    st.sampled_from(VARIABLES),
    st.one_of(st.integers(0, 3), values),
)
adds = st.builds(
    lambda name: ["ev", {"VAR?": name}, 1, "+", 3, "MIN", "/ev", {"VAR=": name, "re": True}], st.sampled_from(VARIABLES)
)
shows = values.map(lambda value: ["^Now ", "ev", value, "out", "/ev", "\n"])
keeps = values.map(lambda value: ["ev", value, "/ev", {"temp=": "kept"}])
tells = st.just(["^Kept ", "ev", {"VAR?": "kept"}, "out", "/ev", "\n"])
changes = st.one_of(sets, sets, adds, keeps)


def flat(parts: list[list[Any]]) -> list[Any]:
    return [item for part in parts for item in part]


def sequence(cycle: bool) -> list[Any]:
    """`{first|second|third}` or `{&first|second|third}`, as a container."""
    steps: list[Any] = ["ev", "visit", *([3, "%"] if cycle else [2, "MIN"]), "/ev"]
    for number in range(3):
        steps += ["ev", "du", number, "==", "/ev", {"->": f".^.s{number}", "c": True}]
    steps.append("nop")
    place = len(steps) - 1
    branches = {f"s{n}": ["pop", f"^part {n}", {"->": f".^.^.{place}"}, None] for n in range(3)}
    return [*steps, {**branches, "#f": 5}]


@st.composite
def bodies(draw: st.DrawFn, tunnel: bool) -> list[Any]:
    """A knot: statements, a sequence, two or three choices, and what each of them leads to."""
    start = ["ev", draw(st.one_of(st.integers(0, 3), values)), "/ev", {"temp=": "kept"}]
    items = [*start, *draw(shows), *draw(shows), *flat(draw(st.lists(changes, max_size=1)))]
    if draw(st.booleans()):
        items += [sequence(draw(st.booleans())), "\n"]
    last: dict[str, Any] = {"#f": 1}
    for number in range(draw(st.integers(2, 3))):
        condition = draw(st.one_of(st.none(), conditions)) if number else None
        flags = 4 | (1 if condition else 0) | (16 if draw(st.booleans()) and number else 0)
        items += [
            "ev",
            "str",
            f"^Go {number}",
            "/str",
            *(condition or []),
            "/ev",
            {"*": f".^.c-{number}", "flg": flags},
        ]
        last[f"c-{number}"] = draw(replies(tunnel))
    return [*items, "done", last]


@st.composite
def replies(draw: st.DrawFn, tunnel: bool) -> list[Any]:
    body = ["^Well.", "\n", *flat(draw(st.lists(st.one_of(changes, changes, tells), min_size=1, max_size=2)))]
    if not tunnel and draw(st.booleans()):
        body.append({"->t->": draw(st.sampled_from(TUNNELS))})
    body += draw(tells)
    onwards: list[list[Any]] = [[{"->": knot}] for knot in KNOTS * 2]
    ends = [["ev", "void", "/ev", "->->"]] if tunnel else [*onwards, ["end"]]
    return [*body, *draw(st.sampled_from(ends)), {"#f": 5}]


@st.composite
def compiled(draw: st.DrawFn) -> dict[str, Any]:
    knots = {knot: draw(bodies(tunnel=False)) for knot in KNOTS} | {name: draw(bodies(tunnel=True)) for name in TUNNELS}
    declared = ["ev", *flat([[0, {"VAR=": name}] for name in VARIABLES]), "/ev", "end", None]
    root = [[{"->": "k0"}, ["done", {"#n": "g-0"}], None], "done", {**knots, "global decl": declared, "#f": 1}]
    return {"inkVersion": 21, "root": root, "listDefs": {}}


def source(story: dict[str, Any]) -> bytes:
    return json.dumps(story).encode()
