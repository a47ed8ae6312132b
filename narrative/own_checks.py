"""What a story of ours must satisfy beyond its schema: targets, names and expressions, each problem with its place."""

import keyword
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..schemas.story import StoryChoice, StoryFile, StoryJump, StoryLine, StoryState
from .expressions import Expression, ExpressionError, exact, parse, parse_effect

Place = tuple[int | str, ...]
VARIABLE = re.compile(r"\{\s*([^\W\d]\w*)\s*\}")
"""`{trust}` in a text."""


class Problem(NamedTuple):
    place: Place
    """Keys and indices from the top of the file."""
    text: str


def errors(story: StoryFile) -> Iterator[Problem]:
    """Everything that makes a story unplayable, or means something other than its author can have meant."""
    yield from _heads(story)
    for name, state in story.states.items():
        place: Place = ("states", name)
        if "/" in name or not name.strip():
            yield Problem(place, f"state {name!r}: a state's name has no '/' and is not empty")
        yield from _ways_on(state, place)
        yield from _targets(story, state, place)
        yield from _people(story, state, place)
        yield from _shares(state, place)
    for place, text in texts(story):
        yield from _unknown(place, VARIABLE.findall(text), story.variables, "variable")
    for place, text in conditions(story):
        yield from _expression(story, place, text)
    for place, text in effects(story):
        yield from _effect(story, place, text)


def warnings(story: StoryFile) -> Iterator[Problem]:
    """What is allowed and most likely a slip."""
    reached = _reached(story)
    for name, state in story.states.items():
        if name not in reached:
            yield Problem(("states", name), f"state {name!r} cannot be reached")
        if _can_stick(state):
            yield Problem(("states", name), f"state {name!r} may have nothing to offer: add a goto without `if`")
    if not any(state.ending for name, state in story.states.items() if name in reached):
        yield Problem(("start",), "no ending can be reached")


def texts(story: StoryFile) -> Iterator[tuple[Place, str]]:
    """Every text that can be shown, in order."""
    for name, state in story.states.items():
        yield from _line_texts(state.lines, ("states", name, "lines"))
        for index, choice in enumerate(state.choices):
            place: Place = ("states", name, "choices", index)
            yield (*place, "text"), choice.text
            yield from _line_texts(choice.lines, (*place, "lines"))


def conditions(story: StoryFile) -> Iterator[tuple[Place, str]]:
    """Every `if`."""
    for name, state in story.states.items():
        place: Place = ("states", name)
        yield from _ifs(state.lines, (*place, "lines"))
        yield from _ifs(state.choices, (*place, "choices"))
        for index, choice in enumerate(state.choices):
            yield from _ifs(choice.lines, (*place, "choices", index, "lines"))
        yield from _ifs(state.goto, (*place, "goto"))


def effects(story: StoryFile) -> Iterator[tuple[Place, str]]:
    """Every effect."""
    for name, state in story.states.items():
        place: Place = ("states", name)
        choices = [((*place, "choices", index), choice.effects) for index, choice in enumerate(state.choices)]
        for where, listed in [(place, state.effects), *choices]:
            for index, text in enumerate(listed):
                yield (*where, "effects", index), text


def _line_texts(lines: Iterable[StoryLine], place: Place) -> Iterator[tuple[Place, str]]:
    return (((*place, index, "text"), line.text) for index, line in enumerate(lines))


def _ifs(things: Iterable[StoryLine | StoryChoice | StoryJump], place: Place) -> Iterator[tuple[Place, str]]:
    return (((*place, index, "if"), thing.when) for index, thing in enumerate(things) if thing.when is not None)


def _heads(story: StoryFile) -> Iterator[Problem]:
    if story.start not in story.states:
        yield Problem(("start",), f"start: no state {story.start!r}; there are {listing(story.states)}")
    for name, value in story.variables.items():
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("true", "false", "visits"):
            yield Problem(("variables", name), f"{name!r} is no name for a variable")
        if not isinstance(value, str) and not exact(value):
            yield Problem(("variables", name), f"{name} = {value} is too large")
    for name, signal in story.signals.items():
        yield from _unknown(("signals", name), [name], story.variables, "variable")
        yield from _unknown(("signals", name, "between"), signal.between, _known(story), "person")


def _ways_on(state: StoryState, place: Place) -> Iterator[Problem]:
    if state.ending and (state.choices or state.goto):
        yield Problem((*place, "ending"), f"state {place[1]!r} is an ending, so it has neither choices nor goto")
    if not state.ending and not state.choices and not state.goto:
        yield Problem(place, f"state {place[1]!r} can neither choose nor go on: add choices, goto or ending")
    if state.ending_class and not state.ending:
        yield Problem((*place, "ending_class"), f"state {place[1]!r} has an ending_class and no ending")


def _targets(story: StoryFile, state: StoryState, place: Place) -> Iterator[Problem]:
    for index, choice in enumerate(state.choices):
        where: Place = (*place, "choices", index)
        if choice.to is None:
            yield Problem(where, f"choice {choice.text!r} leads nowhere: add `to`")
        else:
            yield from _unknown((*where, "to"), [choice.to], story.states, "state")
    for index, jump in enumerate(state.goto):
        yield from _unknown((*place, "goto", index, "to"), [jump.to], story.states, "state")


def _people(story: StoryFile, state: StoryState, place: Place) -> Iterator[Problem]:
    known = _known(story)
    own = [state.protagonist] if state.protagonist else []
    yield from _unknown((*place, "protagonist"), own, story.protagonists, "protagonist")
    yield from _unknown((*place, "present"), state.present, known, "person")
    replies = [((*place, "choices", index, "lines"), choice.lines) for index, choice in enumerate(state.choices)]
    for where, lines in [((*place, "lines"), state.lines), *replies]:
        for index, line in enumerate(lines):
            speaker = [line.speaker] if line.speaker is not None else []
            yield from _unknown((*where, index, "speaker"), speaker, known, "person")


def _shares(state: StoryState, place: Place) -> Iterator[Problem]:
    shares = [choice.player_share for choice in state.choices if choice.player_share is not None]
    if sum(shares) > 1.001:
        yield Problem((*place, "choices"), f"player_share adds up to {sum(shares):.3g}, more than 1")


def _expression(story: StoryFile, place: Place, text: str) -> Iterator[Problem]:
    try:
        yield from _names(story, place, parse(text))
    except ExpressionError as error:
        yield Problem(place, str(error))


def _effect(story: StoryFile, place: Place, text: str) -> Iterator[Problem]:
    try:
        effect = parse_effect(text)
    except ExpressionError as error:
        yield Problem(place, str(error))
        return
    yield from _unknown(place, [effect.variable], story.variables, "variable")
    yield from _names(story, place, effect.expression)


def _names(story: StoryFile, place: Place, expression: Expression) -> Iterator[Problem]:
    yield from _unknown(place, sorted(expression.names()), story.variables, "variable")
    yield from _unknown(place, sorted(expression.visited()), story.states, "state")


def _known(story: StoryFile) -> tuple[str, ...]:
    return (*story.protagonists, *(person.name for person in story.people))


def _unknown(place: Place, used: Iterable[str], known: Iterable[str], kind: str) -> Iterator[Problem]:
    there = list(dict.fromkeys(known))
    for name in used:
        if name not in there:
            yield Problem(place, f"no {kind} {name!r}; there is {listing(there)}")


def listing(names: Iterable[str], most: int = 8) -> str:
    """`a, b, c, …`, or `none`."""
    shown = list(names)
    return ", ".join(shown[:most] + ["…"] * (len(shown) > most)) or "none"


def _ways(state: StoryState) -> Iterator[str]:
    yield from (choice.to for choice in state.choices if choice.to)
    yield from (jump.to for jump in state.goto)


def _reached(story: StoryFile) -> set[str]:
    """States that a path of choices and jumps leads to, conditions aside."""
    waiting, seen = [story.start], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += _ways(story.states[name])
    return seen


def _can_stick(state: StoryState) -> bool:
    """Whether every way on hangs on a condition, so that none may be left."""
    always = [choice for choice in state.choices if choice.when is None and not choice.once]
    return not state.ending and not always and all(jump.when is not None for jump in state.goto)
