"""Causal-antecedent items: which choice of the clip its end could not have come about without (NARRATIVE 5).

The end is a line that tells of people; the options are choices made on the same way. The cause has no sibling after
which that may still come about; each other option has only such siblings, and one at least after which the choices of
the clip lead on to the end, so that exactly one qualifies, whichever way the question is read.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ..narrative.alternatives import Alternatives
from ..narrative.plays import sample
from ..schemas.base import digest
from ..schemas.grounding import Claim, Event
from ..schemas.item import Draft, Plan, Trap
from ..schemas.view import GeneratorView
from .derivation import PLANS_A_PLACE, Wording, assemble
from .foils import MOST_OF_A_TRAP, Candidate
from .narratives import Narrative, PerStory
from .question import render
from .way import Needed, Way

ENOUGH = 40
"""Places of the story after which no further plays are drawn."""
MORE_PLAYS = 1_500
SOON = 300
"""Paths by which the effort of a proof is told apart."""


class CausalAntecedent:
    claim: Claim = "causal_antecedent"

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self._alternatives = PerStory(lambda about: Alternatives(about.analysis))

    def plans(self, narrative: Narrative) -> list[Plan]:
        """Recorded plays are read, and sampled ones besides where those hold few places of a story explored whole."""
        tried: set[tuple[int, ...]] = set()
        found: list[tuple[Plan, Needed]] = []
        for play in narrative.chart.plays:
            found += self._along(narrative, play, tried)
        for play in sample(narrative.chart, seed=0, count=MORE_PLAYS) if narrative.chart.complete else ():
            if len({plan.location for plan, _ in found}) >= ENOUGH:
                break
            found += self._along(narrative, play, tried)
        return balanced(found, narrative.story.info.sha256)

    def _along(
        self, narrative: Narrative, play: tuple[int, ...], tried: set[tuple[int, ...]]
    ) -> Iterator[tuple[Plan, Needed]]:
        """A plan for each end along a play, but for those that another play has come to in the same way."""
        way = self._way(narrative, play)
        for length in range(self.wording.options, len(play) + 1):
            if play[:length] not in tried:
                tried.add(play[:length])
                first = {needed.end.shown: needed for needed in reversed(way.needed(length))}
                yield from ((self._plan(narrative, way, length, needed), needed) for needed in first.values())

    def draft(self, view: GeneratorView, narrative: Narrative, attempt: int) -> Draft | None:
        way = self._way(narrative, view.plan.way)
        found = [needed for needed in way.needed(len(view.plan.way)) if needed.end.shown == view.plan.shown]
        return self._word(narrative, way, found[attempt]) if attempt < len(found) else None

    def _way(self, narrative: Narrative, play: tuple[int, ...]) -> Way:
        return Way(narrative, self.wording, self._alternatives(narrative), play)

    def _plan(self, narrative: Narrative, way: Way, length: int, needed: Needed) -> Plan:
        last = narrative.chart.state(way.edges[length - 1].source)
        return Plan(
            claim=self.claim,
            play=way.play[: length - 1],
            taken=way.play[length - 1],
            first=way.first(needed),
            shown=needed.end.shown,
            location=last.location,
            protagonist=way.protagonist(length - 1),
        )

    def _word(self, narrative: Narrative, way: Way, needed: Needed) -> Draft:
        questions = self.wording.questions
        frame = {
            "claim": self.claim,
            "event": needed.end.text,
            "window": questions.windows["after_it"].format(count=questions.counts[needed.window]),
        }
        key, *foils = [
            Candidate(way.options[at], Event(kind="choice", match=(way.choices[at],)), trap, ())
            for at, trap in _traps(needed).items()
        ]
        return assemble(
            frame,
            render(questions, frame, 0),
            key,
            foils,
            window=needed.window,
            target=narrative.analysis.event(needed.end.number),
            rationale=f"after every other choice in place of “{way.edges[needed.cause].choice.text}” it is out of "
            f"reach for {needed.window} decisions; in place of each foil it is not",
        )


def _traps(needed: Needed) -> dict[int, Trap]:
    """Of each option, the cause first. Later choices are `logic`: what came right before is taken for the cause."""
    later = [at for at in needed.options if at > needed.cause][-MOST_OF_A_TRAP:]
    foils: dict[int, Trap] = {at: "logic" if at in later else "none" for at in needed.options if at != needed.cause}
    return {needed.cause: "none", **foils}


def balanced(found: Sequence[tuple[Plan, Needed]], source_sha256: str) -> list[Plan]:
    """One plan of each place of the story, then a second, up to `PLANS_A_PLACE`: each time one that is soon proved and
    whose cause stands where causes stood least often among the options; ties by hash. No cause comes a second time
    before the second round, and so on.
    """
    order = sorted(found, key=lambda one: digest(source_sha256, *one[0].play, one[0].taken, one[0].shown))
    places: dict[str, list[int]] = defaultdict(list)
    for number, (plan, _) in enumerate(order):
        places[plan.location].append(number)
    causes, ranks = Counter[str](), Counter[int]()
    chosen: dict[int, Plan] = {}
    for most in range(PLANS_A_PLACE):
        for place in sorted(places.values(), key=lambda place: min(_effort(order[k][1]) for k in place)):
            fresh = [k for k in place if k not in chosen and causes[order[k][1].place] <= most]
            if fresh:
                best = min(fresh, key=lambda k: (_effort(order[k][1]), ranks[order[k][1].rank]))
                plan, needed = order[best]
                causes[needed.place] += 1
                ranks[needed.rank] += 1
                chosen[best] = plan
    return list(chosen.values())


def _effort(needed: Needed) -> int:
    return needed.paths // SOON
