"""When two positions of a story in our own format can never differ again: the counterpart of `liveness.py`.

What is live is what some state that can still be entered, or some choice on offer, reads: variables, visits of states,
and whether a choice that is offered once has been taken. It over-approximates, since it follows every choice and goto
whatever its `if`.
"""

import json
from collections.abc import Iterable
from typing import Literal, NamedTuple

from .own import OwnStory
from .own_checks import VARIABLE, Place, conditions, effects, texts
from .runtime import Step, future


class Fact(NamedTuple):
    """Something that is read: a variable, the visits of a state, or the taking of a choice, by its span."""

    kind: Literal["variables", "visits", "taken"]
    name: str


Facts = frozenset[Fact]


class OwnLiveness:
    """Keys for the saved positions of one story. `watched` variables are always live."""

    def __init__(self, story: OwnStory, watched: Iterable[str] = ()) -> None:
        self._story = story
        self._watched = frozenset(Fact("variables", name) for name in watched)
        self._own: dict[str, set[Fact]] = {name: set() for name in story.story.states}
        """By state and, as `state#choice`, by choice: what entering or choosing reads."""
        self._gather()
        self._later = self._closure()
        self._memo: dict[tuple[str, ...], Facts] = {}

    def key(self, step: Step, text: str) -> tuple[str, frozenset[str]]:
        """What tells a decision apart from every other, as text, and the variables that are live there."""
        saved = json.loads(future(text))
        live = self.live(tuple(choice.span for choice in step.choices))
        kept = {
            "variables": {name: value for name, value in saved["variables"].items() if Fact("variables", name) in live},
            "visits": {name: count for name, count in saved["visits"].items() if Fact("visits", name) in live},
            "taken": [span for span in saved["taken"] if Fact("taken", span) in live],
        }
        shown = [[choice.text, choice.span] for choice in step.choices]
        return json.dumps([saved["state"], shown, kept], sort_keys=True), frozenset(kept["variables"])

    def live(self, spans: tuple[str, ...]) -> Facts:
        """What is live where these choices are on offer."""
        if spans not in self._memo:
            bits = [self._own.get(span, set()) | self._later[self._target(span)] for span in spans]
            self._memo[spans] = self._watched.union(*bits)
        return self._memo[spans]

    def _target(self, span: str) -> str:
        name, _, index = span.rpartition("#")
        return str(self._story.story.states[name].choices[int(index)].to)

    def _gather(self) -> None:
        story = self._story
        for place, text in conditions(story.story):
            self._read(place, story.conditions[text].names(), story.conditions[text].visited())
        for place, text in effects(story.story):
            expression = story.effects[text].expression
            self._read(place, expression.names(), expression.visited())
        for place, text in texts(story.story):
            self._read(place, VARIABLE.findall(text))
        for name, state in story.story.states.items():
            once = (number for number, choice in enumerate(state.choices) if choice.once)
            self._own[name].update(Fact("taken", f"{name}#{number}") for number in once)

    def _read(self, place: Place, names: Iterable[str], visits: Iterable[str] = ()) -> None:
        """Note what is read at a place: with a choice's effects and reply, by the choice; else by its state."""
        name = str(place[1])
        by_choice = len(place) > 4 and place[2] == "choices" and place[4] in ("effects", "lines")
        facts = {*(Fact("variables", one) for one in names), *(Fact("visits", one) for one in visits)}
        self._own.setdefault(f"{name}#{place[3]}" if by_choice else name, set()).update(facts)

    def _closure(self) -> dict[str, Facts]:
        """By state: what is read there or in any state that can be entered after it."""
        states = self._story.story.states
        after = {
            name: [*(str(choice.to) for choice in state.choices if choice.to), *(jump.to for jump in state.goto)]
            for name, state in states.items()
        }
        inside = {
            name: self._own[name].union(*(self._own.get(f"{name}#{n}", ()) for n in range(len(state.choices))))
            for name, state in states.items()
        }
        return {name: frozenset().union(*(inside[one] for one in reachable(name, after))) for name in states}


def reachable(start: str, after: dict[str, list[str]]) -> set[str]:
    found, todo = {start}, [start]
    while todo:
        fresh = [name for name in after[todo.pop()] if name not in found]
        found.update(fresh)
        todo += fresh
    return found
