"""Latent-state items: how a hidden variable between named people has moved over the clip (NARRATIVE 5).

The author's variables are read off the story along recorded plays. The key says of the one that moved where it moved
to; the foils say the opposite of it, and both of others that stood still the whole time, although the people they
concern are in the clip. Where a choice of the clip moves one of those after another history, or it stands at the end of
its scale, it makes no foils: it may stand still while the text tells of a change.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from ..narrative.flowchart import Transition
from ..narrative.runtime import Line
from ..schemas.base import digest
from ..schemas.grounding import Claim, Event
from ..schemas.item import Draft, Plan
from ..schemas.story import Scalar, Signal
from ..schemas.view import GeneratorView
from .derivation import PLANS_A_PLACE, Wording, assemble
from .foils import Candidate
from .movement import Movement, amount
from .narratives import Narrative, PerStory
from .phrases import deed
from .question import render

KINDS = frozenset({"relationship_change", "instability_shift"})
"""Signals that tell what named people feel."""
LENGTHS = (3, 5)
"""Fewest and most decisions of a clip."""
WAYS = {1: ("more", ">"), -1: ("less", "<")}


class Moved(NamedTuple):
    """One item: the variable that moved over the clip, and those that stood still."""

    name: str
    sign: int
    still: tuple[str, ...]
    recency: int
    """Decisions between its last movement and the end."""


class Stretch:
    """The end of a play: from where a clip starts, one choice earlier included, since its reply is in the clip."""

    def __init__(self, edges: Sequence[Transition], values: Sequence[Mapping[str, Scalar]], first: int) -> None:
        before = max(0, first - 1)
        self.edges, self.values, self.opens = edges[before:], values[before:], first > 0

    def sign(self, name: str) -> int | None:
        """1 or -1 where a variable moved that way only, 0 where it stood still; None where neither can be said."""
        course = [moment[name] for moment in self.values]
        steps = [after - before for before, after in pairwise(map(amount, course))]
        if self.opens and steps[0]:
            return None
        if not any(steps):
            return 0
        return 1 if min(steps) >= 0 else -1 if max(steps) <= 0 else None

    def clear(self, name: str, sign: int, movement: Movement) -> bool:
        """Whether no choice of the stretch is known to move the variable in a way that it did not move."""
        return all(movement.ways(edge.choice.span, name) <= {sign} for edge in self.edges)

    def moves(self, name: str) -> list[int]:
        """Positions in `edges` of the choices that moved a variable."""
        return [at for at, (before, after) in enumerate(pairwise(self.values)) if before[name] != after[name]]

    def recency(self, name: str) -> int:
        return len(self.edges) - 1 - self.moves(name)[-1]


class LatentState:
    """`signals` is the project's map of variables; what a story declares itself is read besides."""

    claim: Claim = "latent_state"

    def __init__(self, wording: Wording, signals: Mapping[str, Signal]) -> None:
        self.wording, self.signals = wording, signals
        self._movement = PerStory(lambda about: Movement(about, self._mapped(about)))

    def plans(self, narrative: Narrative) -> list[Plan]:
        found: list[tuple[Plan, Moved]] = []
        tried: set[tuple[int, ...]] = set()
        if not self._mapped(narrative):
            return []
        for play in narrative.chart.plays:
            for length in range(LENGTHS[0], len(play) + 1):
                if play[:length] not in tried:
                    tried.add(play[:length])
                    found += self._ending(narrative, play[:length])
        return balanced(found, narrative.story.info.sha256)

    def draft(self, view: GeneratorView, narrative: Narrative, attempt: int) -> Draft | None:
        found = self._moved(narrative, view.plan.way, view.plan.first)
        return self._word(view.plan, narrative, found[attempt]) if attempt < len(found) else None

    def _ending(self, narrative: Narrative, play: tuple[int, ...]) -> Iterator[tuple[Plan, Moved]]:
        """A plan for each length of clip that ends with a play."""
        way = narrative.chart.follow(play)
        states = [narrative.chart.state(edge.source) for edge in way]
        for first in range(max(0, len(play) - LENGTHS[1]), len(play) - LENGTHS[0] + 1):
            if states[first].chapter != states[-1].chapter:
                continue
            for moved in self._moved(narrative, play, first)[:1]:
                plan = Plan(
                    claim=self.claim,
                    play=play[:-1],
                    taken=play[-1],
                    first=first,
                    shown=len(way[-1].lines),
                    location=states[-1].location,
                    protagonist=states[-1].protagonist or next(iter(narrative.story.info.protagonists), None),
                )
                yield plan, moved

    def _moved(self, narrative: Narrative, play: tuple[int, ...], first: int) -> list[Moved]:
        """What can be asked of a clip. Foils are first about people whom the question names too, since nothing else may
        tell the key, and then about those who are named least: the more is told of somebody, the more can be read in.
        """
        edges, movement = narrative.chart.follow(play), self._movement(narrative)
        stretch = Stretch(edges, narrative.readings.along(play), first)
        named = [self._named(edge.lines) for edge in stretch.edges]
        lines = Counter(name for names in named for name in names)
        signals = self._mapped(narrative)
        signs = {
            name: sign
            for name, signal in signals.items()
            if all(lines[person] for person in signal.between)
            and (sign := stretch.sign(name)) is not None
            and stretch.clear(name, sign, movement)
        }
        seed = digest(narrative.story.info.sha256, *play, first)

        asked = self.wording.cast.mentioned(edges[first].choice.text)

        def salience(name: str) -> tuple[int, int, str]:
            people = signals[name].between
            return -len(asked & set(people)), min(lines[person] for person in people), digest(seed, name)

        last = stretch.values[-1]
        free = [name for name, sign in signs.items() if not sign and not movement.at_an_end(name, last[name])]
        still = sorted(free, key=salience)
        feels = {name: signals[name].between[0] for name, sign in signs.items() if sign}
        moving = [name for name, who in feels.items() if all(who in named[at] for at in stretch.moves(name))]
        moving.sort(key=lambda name: digest(seed, name))
        return [
            Moved(name, signs[name], others, stretch.recency(name))
            for others in combinations(still, (self.wording.options - 1) // 2)
            for name in moving
            if {len(signals[other].between) for other in others} <= {len(signals[name].between)}
        ]

    def _word(self, plan: Plan, narrative: Narrative, moved: Moved) -> Draft:
        start = narrative.readings.along(plan.way)[plan.first]
        key = self._statement(narrative, moved.name, moved.sign, start)
        foils = [self._statement(narrative, moved.name, -moved.sign, start)]
        foils += [self._statement(narrative, name, sign, start) for name in moved.still for sign in WAYS]
        opening = narrative.chart.follow(plan.way)[plan.first]
        who = plan.protagonist or self.wording.language.narrator
        frame = {"claim": self.claim, "who": who, "did": deed(opening.choice.text, self.wording.language).past}
        return assemble(
            frame,
            render(self.wording.questions, frame, 0),
            key,
            foils[: self.wording.options - 1],
            window=0,
            rationale=f"{moved.name} went {'up' if moved.sign > 0 else 'down'} over the clip, the others stood still",
        )

    def _statement(self, narrative: Narrative, name: str, sign: int, start: Mapping[str, Scalar]) -> Candidate:
        signal, told = self._mapped(narrative)[name], self.wording.questions.statements
        way, operator = WAYS[sign]
        people = dict(zip("ab", signal.between, strict=False))
        verb = told.verbs.get(signal.label)
        form = (told.verb if verb else told.pair) if len(people) == 2 else told.one
        text = form.format(**people, verb=verb, way=way, label=signal.label)
        return Candidate(text, Event(kind="signal", match=f"{name} {operator} {start[name]}"), "none", ())

    def _mapped(self, narrative: Narrative) -> dict[str, Signal]:
        """Signals that the story keeps, and that can be told: by variable."""
        start = narrative.readings.along(())[0]
        return {
            name: signal.model_copy(update={"between": tuple(map(self.wording.cast.first_name, signal.between))})
            for name, signal in {**narrative.story.info.signals, **self.signals}.items()
            if signal.kind in KINDS and signal.label and signal.between and _counts(start.get(name))
        }

    def _named(self, lines: Sequence[Line]) -> Collection[str]:
        """People who are named in lines, once for each."""
        cast = self.wording.cast
        speakers = [cast.first_name(line.speaker) for line in lines if line.speaker]
        return [*speakers, *(name for line in lines for name in cast.mentioned(line.text))]


def _counts(value: Scalar | None) -> bool:
    """Whether a variable measures something."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def balanced(found: Sequence[tuple[Plan, Moved]], source_sha256: str) -> list[Plan]:
    """One plan of each place of the story, then a second, up to `PLANS_A_PLACE`: each time the one whose variable and
    way, and then whose recency, came least often; ties by hash."""
    order = sorted(found, key=lambda one: digest(source_sha256, *one[0].play, one[0].taken, one[0].first))
    places: dict[str, list[int]] = defaultdict(list)
    for number, (plan, _) in enumerate(order):
        places[plan.location].append(number)
    seen = Counter[object]()
    chosen: dict[int, Plan] = {}
    for _ in range(PLANS_A_PLACE):
        for place in places.values():
            fresh = [k for k in place if k not in chosen]
            if fresh:
                best = min(fresh, key=lambda k: [seen[trait] for trait in _traits(order[k][1])])
                seen.update(_traits(order[best][1]))
                chosen[best] = order[best][0]
    return list(chosen.values())


def _traits(moved: Moved) -> tuple[object, ...]:
    return (moved.sign, (moved.name, moved.sign), moved.recency, moved.name)
