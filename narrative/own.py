"""Our own story format: interpreted directly, so that every transition it takes is one that a player can take.

A state is entered: its visit is counted, its effects run, then its lines are told. Choices whose `if` holds, and which
are not used up, are offered; where there is none, the first `goto` whose `if` holds leads on. A choice runs its
effects, tells its reply, and enters its target. Spans are `state/line` and, for replies, `state/choice/line`, counted
from 0; a choice's span is `state#choice`. A chapter holds until a state names another.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, StoryError
from ..schemas.base import canonical, digest, plain, sha256
from ..schemas.story import Scalar, StoryChoice, StoryFile, StoryLine, StoryPerson, StoryState
from ..schemas.yamlfile import YamlFile, load_yaml, validated
from .expressions import Context, ExpressionError, parse, parse_effect
from .own_checks import VARIABLE, conditions, effects, errors, texts, warnings
from .runtime import Choice, Line, Step, StoryInfo

MOST_STATES = 1000
"""States passed through without a choice, beyond which a story is taken to run in a circle."""


class OwnStory:
    """A checked story of ours; `warnings` tells what is allowed and most likely a slip, with its line.

    Raises `InputError` with the line of the first problem and the count of the others.
    """

    def __init__(self, path: Path) -> None:
        file = load_yaml(path)
        story = validated(path, YamlFile(plain(file.data), file.locate), StoryFile)
        found = sorted((file.locate(problem.place), problem.text) for problem in errors(story))
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            raise InputError(path, found[0][1] + more, found[0][0])
        self.path, self.story = path, story
        self.warnings = tuple(f"{path}:{file.locate(one.place)}: {one.text}" for one in warnings(story))
        self.conditions = {text: parse(text) for _, text in conditions(story)}
        self.effects = {text: parse_effect(text) for _, text in effects(story)}
        expressions = [*self.conditions.values(), *(effect.expression for effect in self.effects.values())]
        self.counted = frozenset(state for expression in expressions for state in expression.visited())
        """States whose visits bear on what follows; others are not counted."""
        self.info = describe(path.read_bytes(), story)

    def runtime(self) -> "OwnRuntime":
        return OwnRuntime(self)


def describe(source: bytes, story: StoryFile) -> StoryInfo:
    return StoryInfo(
        title=story.title,
        format="story",
        sha256=sha256(source),
        language=story.language,
        background=story.background,
        protagonists=story.protagonists,
        people=tuple(people(story)),
        signals=story.signals,
        license=story.license,
        texts=tuple(text for _, text in texts(story)),
    )


def people(story: StoryFile) -> Iterator[StoryPerson]:
    """Everybody with a name: the declared people, then protagonists who are not among them, as questions name these."""
    yield from story.people
    named = {name for person in story.people for name in (person.name, *person.aliases)}
    yield from (StoryPerson(name=name) for name in dict.fromkeys(story.protagonists) if name not in named)


class Position(NamedTuple):
    """Where a play stands. Treated as frozen: a choice makes a new one."""

    state: str
    chapter: str
    variables: dict[str, Scalar]
    visits: dict[str, int]
    taken: frozenset[str]
    """Spans of the choices that are offered once and have been taken."""


class OwnRuntime:
    """One play of a story."""

    def __init__(self, story: OwnStory) -> None:
        self._story = story
        self._position: Position | None = None
        self._lines: tuple[Line, ...] = ()

    def start(self) -> Step:
        variables = dict(self._story.story.variables)
        return self._enter(Position(self._story.story.start, "", variables, {}, frozenset()), [])

    def choose(self, index: int) -> Step:
        position = self._standing()
        offered = self._offered(position)
        if not 0 <= index < len(offered):
            raise IndexError(f"choice {index} of {len(offered)}")
        number, choice = offered[index]
        taken = position.taken | {f"{position.state}#{number}"} if choice.once else position.taken
        position = self._affect(position._replace(variables=dict(position.variables), taken=taken), choice.effects)
        lines = self._tell(position, choice.lines, f"{position.state}/{number}")
        return self._enter(position._replace(state=str(choice.to)), lines)

    def save(self) -> str:
        """What was told, then the position (state, chapter, variables, visits, taken): two lines of canonical JSON."""
        position = self._standing()
        told = [[line.text, line.span, line.speaker, list(line.tags)] for line in self._lines]
        saved = position._asdict() | {"taken": sorted(position.taken)}
        return canonical(told).decode() + "\n" + canonical(saved).decode()

    def load(self, state: str) -> Step:
        try:
            told, saved = map(json.loads, state.split("\n"))
            lines = tuple(Line(text, span, speaker, tuple(tags)) for text, span, speaker, tags in told)
            variables = {name: saved["variables"][name] for name in self._story.story.variables}
            visits, taken = dict(saved["visits"]), frozenset(saved["taken"])
            position = Position(saved["state"], saved["chapter"], variables, visits, taken)
            self._state(position)
        except (ValueError, KeyError, TypeError) as error:
            raise StoryError(self._story.path, f"not a saved position of this story ({error})") from None
        return self._stand(position, lines)

    def close(self) -> None:
        """Nothing is held."""

    def _enter(self, position: Position, lines: list[Line]) -> Step:
        """Enter the position's state and go on to where a choice is offered or the story ends."""
        for _ in range(MOST_STATES):
            state = self._state(position)
            visits = position.visits
            if position.state in self._story.counted:
                visits = visits | {position.state: visits.get(position.state, 0) + 1}
            chapter, variables = state.chapter or position.chapter, dict(position.variables)
            entered = position._replace(chapter=chapter, visits=visits, variables=variables)
            position = self._affect(entered, state.effects)
            lines += self._tell(position, state.lines, position.state)
            if state.ending or self._offered(position):
                return self._stand(position, tuple(lines))
            position = position._replace(state=self._onward(position, state))
        raise self._failure(position, f"{MOST_STATES} states without a choice (a circle of goto?)")

    def _onward(self, position: Position, state: StoryState) -> str:
        for jump in state.goto:
            if self._holds(position, jump.when):
                return jump.to
        raise self._failure(position, "no choice is offered and no goto holds")

    def _stand(self, position: Position, lines: tuple[Line, ...]) -> Step:
        self._position, self._lines = position, lines
        state = self._state(position)
        return Step(
            lines=lines,
            choices=tuple(
                Choice(fill(choice.text, position.variables), f"{position.state}#{number}")
                for number, choice in self._offered(position)
            ),
            variables=dict(position.variables),
            location=digest(position.state),
            chapter=position.chapter,
            protagonist=state.protagonist or self._story.story.protagonists[0],
            present=state.present,
            ending=state.ending,
        )

    def _offered(self, position: Position) -> list[tuple[int, StoryChoice]]:
        return [
            (number, choice)
            for number, choice in enumerate(self._state(position).choices)
            if f"{position.state}#{number}" not in position.taken and self._holds(position, choice.when)
        ]

    def _tell(self, position: Position, lines: Iterable[StoryLine], place: str) -> list[Line]:
        return [
            Line(fill(line.text, position.variables), f"{place}/{index}", line.speaker, line.tags)
            for index, line in enumerate(lines)
            if self._holds(position, line.when)
        ]

    def _holds(self, position: Position, condition: str | None) -> bool:
        if condition is None:
            return True
        try:
            return self._story.conditions[condition].holds(Context(position.variables, position.visits))
        except ExpressionError as error:
            raise self._failure(position, str(error)) from None

    def _affect(self, position: Position, listed: Iterable[str]) -> Position:
        """Run effects on the position's own dict of variables."""
        for text in listed:
            effect = self._story.effects[text]
            try:
                value = effect.expression.value(Context(position.variables, position.visits))
            except ExpressionError as error:
                raise self._failure(position, str(error)) from None
            position.variables[effect.variable] = value
        return position

    def _state(self, position: Position) -> StoryState:
        return self._story.story.states[position.state]

    def _standing(self) -> Position:
        if self._position is None:
            raise StoryError(self._story.path, "no play: start one, or load a position")
        return self._position

    def _failure(self, position: Position, problem: str) -> StoryError:
        return StoryError(self._story.path, problem, f"state {position.state}")


def fill(text: str, variables: dict[str, Scalar]) -> str:
    """The text with `{variable}` replaced by its value."""
    return VARIABLE.sub(lambda found: shown(variables[found[1]]), text)


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
