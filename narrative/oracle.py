"""Re-derives a label on the story itself: every path of the window is played on the runtime, no two taken for one.

It shares no code with `analysis.py`, which serves those who propose labels. The definitions below are all that an
outside script needs (`docs/replay.md`, `scripts/replay.py`).

**Texts** are compared in NFC, with runs of white space as one space and none at the ends. **Moments**: a choice leads
to a moment, which is what is told up to the next decision, the choices offered there, the variables, and the ending if
the story ends there. A **path** of window W begins with the moment that one choice leads to and goes on for W more
choices, or to the story's end if that comes first. W is an integer from 0 to 6.

An **event** happens at a moment of a path, by its kind:

- `line`: a told line has one of the texts in `match`; the speaker is no part of the text;
- `choice_open`: a choice with one of the texts is offered;
- `choice`: the moment was reached by taking a choice with one of the texts; the choice that a path begins with does
  not count;
- `ending`: the story ends there with the id in `match`;
- `signal`, `fate`: the expression `variable op number` is true; op is one of `== != < <= > >=`, true and false count
  as 1 and 0, and text is in no relation to a number. Such an event happens on no path if the expression is
  true already where the path begins, before its first choice.

`choice_lost` happens on a path if none of its moments offers a choice with one of the texts.
"""

import operator
import re
import unicodedata
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from ..errors import InputError, RefusedError
from ..schemas.grounding import Event, EventKind, Recipe
from .runtime import Branch, Runtime, Step, expand

WIDEST = 6
MAX_PATHS = 200_000
LEAD = Fraction(1, 10)
Z_SQUARED = Fraction("3.841458820694124")
"""Of the 97.5 % point of the normal distribution."""
FEWEST_PLAYERS = 10

THRESHOLDS = ("signal", "fate")
EXPRESSION = re.compile(r"(?P<variable>[^\s<>=!]+)\s*(?P<op>[<>]=?|[=!]=)\s*(?P<number>-?\d+(\.\d+)?)")
COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Verdict(NamedTuple):
    """What the story says of a recipe's options."""

    true: tuple[str, ...]
    """Ids of the options that satisfy the claim, ascending."""
    possible: tuple[str, ...]
    """Ids of the options that do not satisfy it and are not shown to be false either: no sound distractors."""
    proof: str
    """How it was found, in words."""
    paths: int
    """Number of paths played."""


class Wanted(NamedTuple):
    """An event, ready to be looked for."""

    kind: EventKind
    texts: frozenset[str]


class Moment(NamedTuple):
    taken: str
    """Text of the choice that led here."""
    step: Step


Path = tuple[Moment, ...]
Way = tuple[tuple[str, Moment], ...]
"""A play as moments, each with the saved position there."""
Options = tuple[set[str], set[str]]
"""Ids of the options that are true, and of those that are possible."""


class Seen(NamedTuple):
    """On how many of the paths after one choice each option's event happens."""

    counts: dict[str, int]
    paths: int

    def always(self, option: str) -> bool:
        return self.counts[option] == self.paths

    def ever(self, option: str) -> bool:
        return self.counts[option] > 0


def rederive(runtime: Runtime, recipe: Recipe, *, max_paths: int = MAX_PATHS) -> Verdict:
    """The verdict on a recipe.

    - `counterfactual`: after `play`, where `taken` was chosen, an option is true if its event happens on every path
      after `others[0]` and on no path after `taken`; it is possible if it is not true but happens on a path after
      `others[0]`.
    - `behaviour`: an option is true if its event happens on every path after `taken`, possible if only on some.
    - `causal_antecedent`: `play` and then `taken` are a whole play from the start; `target` happens at its last moment
      and at none before, the opening included (an expression: not at the moment before the last). An option's event has
      kind `choice` and matches exactly one choice of that play. With d the number of choices made after it, the option
      is true if 1 ≤ d ≤ W, it had siblings, `target` happens on the rest of the play from it on, and on no path of
      window W after any sibling. It is false if `target` happens on some path after a sibling, and possible if neither.
    - `latent_state`: an option is true if its expression is true after `play` and `taken`; the window is not used.
      Where `since` is given, the number in each expression must be the variable's value after the first `since` choices
      of `play`, so that the expressions compare the end of the clip with its start.
    - `moral_dilemma`: the choices offered after `play` are exactly those of which `recorded` tells, and each option's
      event has kind `choice` and matches exactly one of them, every one in turn. With p1 ≥ p2 the two largest shares of
      the n players, the option of p1 is true if n ≥ 10, d = p1 − p2 is at least 1/10, and d² n > z² (p1 + p2 − d²),
      where z = 1.95996…; the window is not used, and nothing is possible.

    Raises `InputError` for a recipe that cannot be replayed on this story, and for windows other than 0 to 6;
    `RefusedError` when more than `max_paths` paths would have to be played; `StoryError` where the story fails.
    """
    return _Replay(runtime, recipe, max_paths).verdict()


class _Replay:
    """One recipe on one runtime, and the number of paths played so far."""

    def __init__(self, runtime: Runtime, recipe: Recipe, max_paths: int) -> None:
        self.runtime, self.recipe, self.max_paths = runtime, recipe, max_paths
        self.paths = 0
        self.options = {option: wanted(event) for option, event in recipe.events.items()}

    def verdict(self) -> Verdict:
        match self.recipe.claim:
            case "counterfactual":
                true, possible = self._counterfactual()
            case "behaviour":
                true, possible = self._behaviour()
            case "causal_antecedent":
                true, possible = self._causal_antecedent()
            case "latent_state":
                true, possible = self._latent_state()
            case _:
                return self._moral_dilemma()
        counted = f"{self.paths} paths" if self.paths != 1 else "1 path"
        proof = f"proved by enumeration ({counted})" if len(true) == 1 else f"{len(true)} options hold on {counted}"
        return Verdict(tuple(sorted(true)), tuple(sorted(possible)), proof, self.paths)

    def _counterfactual(self) -> Options:
        recipe = self.recipe
        if not recipe.others or recipe.others[0] == recipe.taken:
            raise self._unusable("a counterfactual names another choice than the one taken, first in `others`")
        supposed, made = self._seen(recipe.others[0]), self._seen(recipe.taken)
        true = {option for option in self.options if supposed.always(option) and not made.ever(option)}
        return true, {option for option in self.options if supposed.ever(option)} - true

    def _behaviour(self) -> Options:
        seen = self._seen(self.recipe.taken)
        true = {option for option in self.options if seen.always(option)}
        return true, {option for option in self.options if seen.ever(option)} - true

    def _latent_state(self) -> Options:
        way = self._way((*self.recipe.play, self.recipe.taken))
        if self.recipe.since is not None:
            self._starts(way, self.recipe.since)
        end = way[-1][1]
        self.paths = 1
        return {option for option, event in self.options.items() if self._at(event, end)}, set()

    def _starts(self, way: Way, since: int) -> None:
        """Refuses options that compare with anything but the value at the start of the clip."""
        if not 0 <= since < len(way) - 1:
            raise self._unusable(f"the clip starts after {since} choices, but {len(way) - 1} are made in all")
        step = way[since][1].step
        for expression in (text for event in self.options.values() for text in event.texts):
            if not self._true(re.sub(r"[<>=!]+", "==", expression), step):
                raise self._unusable(f"{expression!r} compares with another value than the one after {since} choices")

    def _moral_dilemma(self) -> Verdict:
        recorded, (_, before) = self.recipe.recorded, self._position(self.recipe.play)
        if recorded is None:
            raise self._unusable("a moral dilemma rests on recorded shares, and the recipe has none")
        offered = sorted(exact(choice.text) for choice in before.choices)
        players = {exact(text): Fraction(str(count)) for text, count in recorded.chosen.items()}
        if sorted(players) != offered or self.recipe.taken not in range(len(offered)):
            raise self._unusable(f"{len(players)} choices were recorded, and they are not the {len(offered)} offered")
        meant = {option: next(iter(event.texts), "") for option, event in self.options.items()}
        if sorted(meant.values()) != offered or any(
            event.kind != "choice" or len(event.texts) != 1 for event in self.options.values()
        ):
            raise self._unusable("the options are not the choices offered, one each")
        *_, second, first = sorted(players.values())
        clear = recorded.n >= FEWEST_PLAYERS and _leads(first / recorded.n, second / recorded.n, recorded.n)
        true = tuple(option for option, text in meant.items() if clear and players[text] == first)
        found = "a clear majority" if clear else "no clear majority"
        return Verdict(true, (), f"{found}: {float(first):g} players against {float(second):g} ({recorded})", 1)

    def _causal_antecedent(self) -> Options:
        recipe, play = self.recipe, (*self.recipe.play, self.recipe.taken)
        if recipe.target is None:
            raise self._unusable("a causal antecedent has a target")
        target, way = wanted(recipe.target), self._way(play)
        path = tuple(moment for _, moment in way)
        came = [self._at(target, moment) for moment in path]
        earlier = came[-2:-1] if target.kind in THRESHOLDS else came[:-1]
        if not came[-1] or any(earlier):
            raise self._unusable("the target does not first happen at the last moment of the play")
        causes: Options = (set(), set())
        for option, event in self.options.items():
            at = self._place(option, event, path)
            if not self._without(target, play, way, at):
                near = 1 <= len(play) - 1 - at <= self._window() and len(path[at].step.choices) > 1
                causes[not (near and self._on(target, path[at].step, path[at + 1 :]))].add(option)
        return causes

    def _place(self, option: str, event: Wanted, path: Path) -> int:
        """Which choice of the play an option means: its number, from 0."""
        found = [at for at, moment in enumerate(path[1:]) if event.kind == "choice" and moment.taken in event.texts]
        if len(found) != 1:
            raise self._unusable(f"option {option} matches {len(found)} choices of the play, expected 1")
        return found[0]

    def _without(self, target: Wanted, play: tuple[int, ...], way: Way, at: int) -> bool:
        """Whether the target happens on some path after a sibling of the choice at `at`."""
        text, (_, before) = way[at]
        likely = tuple(moment.taken for _, moment in way[at + 2 :])
        return any(
            self._comes(target, before, exact(choice.text), branch, self._window(), likely)
            for index, (choice, branch) in enumerate(zip(before.choices, expand(self.runtime, text), strict=True))
            if index != play[at]
        )

    def _comes(
        self, target: Wanted, before: Step, taken: str, branch: Branch, window: int, likely: tuple[str, ...]
    ) -> bool:
        """Whether the target happens on some path after a choice; those that go on as the play did are looked at first,
        since they come to it soonest if any does."""
        if target.kind in ("choice", "choice_lost"):
            return any(self._on(target, before, path) for path in self._paths(taken, branch, window))
        if branch.step is None:
            raise branch.error or self._unusable("the story fails")
        found = self._on(target, before, (Moment(taken, branch.step),))
        if found or window == 0 or not branch.step.choices:
            self._count()
            return found
        ways = list(zip(branch.step.choices, expand(self.runtime, branch.state), strict=True))
        ways.sort(key=lambda way: exact(way[0].text) not in likely[:1])
        return any(
            self._comes(target, before, exact(choice.text), follows, window - 1, likely[1:]) for choice, follows in ways
        )

    def _seen(self, index: int) -> Seen:
        """On how many paths after a choice at the decision each option's event happens."""
        text, before = self._position(self.recipe.play)
        branches = expand(self.runtime, text)
        if index not in range(len(branches)):
            raise self._unusable(f"choice {index} is not offered after the play, {len(branches)} are")
        counts, paths = dict.fromkeys(self.options, 0), 0
        for path in self._paths(before.choices[index].text, branches[index], self._window()):
            paths += 1
            for option, event in self.options.items():
                counts[option] += self._on(event, before, path)
        return Seen(counts, paths)

    def _paths(self, taken: str, branch: Branch, window: int) -> Iterator[Path]:
        """Every path of the window that begins with a choice already taken."""
        if branch.step is None:
            raise branch.error or self._unusable("the story fails")
        moment = Moment(exact(taken), branch.step)
        if window == 0 or not branch.step.choices:
            self._count()
            yield (moment,)
            return
        for choice, follows in zip(branch.step.choices, expand(self.runtime, branch.state), strict=True):
            for rest in self._paths(choice.text, follows, window - 1):
                yield (moment, *rest)

    def _count(self) -> None:
        self.paths += 1
        if self.paths > self.max_paths:
            raise RefusedError(f"more than {self.max_paths} paths within {self.recipe.window} decisions: narrow it")

    def _way(self, play: Iterable[int]) -> Way:
        """The moments of a play from the start, the opening first, each with the saved position there."""
        way = [Moment("", self.runtime.start())]
        saved = [self.runtime.save()]
        for depth, index in enumerate(play):
            offered = way[-1].step.choices
            if index not in range(len(offered)):
                raise self._unusable(f"choice {index} is not offered after {depth} choices, {len(offered)} are")
            way.append(Moment(exact(offered[index].text), self.runtime.choose(index)))
            saved.append(self.runtime.save())
        return tuple(zip(saved, way, strict=True))

    def _position(self, play: Iterable[int]) -> tuple[str, Step]:
        text, moment = self._way(play)[-1]
        return text, moment.step

    def _window(self) -> int:
        window = self.recipe.window
        if not isinstance(window, int) or not 0 <= window <= WIDEST:
            raise self._unusable(
                f"window {window} needs the second explorer; 0 to {WIDEST} decisions can be enumerated"
            )
        return window

    def _on(self, event: Wanted, before: Step, path: Path) -> bool:
        """Whether an event happens on a path that leaves the decision `before`."""
        if event.kind == "choice_lost":
            return not any(offers(event, moment.step) for moment in path)
        if event.kind in THRESHOLDS and self._at(event, Moment("", before)):
            return False
        later = path[1:] if event.kind == "choice" else path
        return any(self._at(event, moment) for moment in later)

    def _at(self, event: Wanted, moment: Moment) -> bool:
        """Whether an event happens at a moment."""
        match event.kind:
            case "line":
                return any(exact(line.text) in event.texts for line in moment.step.lines)
            case "choice":
                return moment.taken in event.texts
            case "choice_open":
                return offers(event, moment.step)
            case "choice_lost":
                return not offers(event, moment.step)
            case "ending":
                return moment.step.ending in event.texts
            case _:
                return all(self._true(expression, moment.step) for expression in event.texts)

    def _true(self, expression: str, step: Step) -> bool:
        found = EXPRESSION.fullmatch(expression.strip())
        if found is None or found["variable"] not in step.variables:
            raise self._unusable(f"{expression!r} is not `variable op number` with a variable of the story")
        value = step.variables[found["variable"]]
        return not isinstance(value, str) and bool(COMPARE[found["op"]](value, float(found["number"])))

    def _unusable(self, problem: str) -> InputError:
        play = ",".join(map(str, (*self.recipe.play, self.recipe.taken)))
        return InputError(f"recipe for {self.recipe.story_sha256[:18]}", problem, f"play {play}")


def _leads(first: Fraction, second: Fraction, n: int) -> bool:
    """Whether one share of n leads another by ten points, and beyond its 95 % interval."""
    lead = first - second
    return lead >= LEAD and lead**2 * n > Z_SQUARED * (first + second - lead**2)


def exact(text: str) -> str:
    """Text as it is compared."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def wanted(event: Event) -> Wanted:
    return Wanted(event.kind, frozenset(map(exact, (event.match,) if isinstance(event.match, str) else event.match)))


def offers(event: Wanted, step: Step) -> bool:
    return any(exact(choice.text) in event.texts for choice in step.choices)
