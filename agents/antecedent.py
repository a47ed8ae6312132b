"""Causal-antecedent items: which choice of the clip its end could not have come about without (NARRATIVE 5).

The end is a line that tells of people, or a choice that becomes open; the options are choices made on the same way.
The cause has no sibling after which that may still come about within the window; each other option has only such
siblings, so that exactly one qualifies, whichever way the question is read.
"""

from collections import Counter, defaultdict

from ..narrative.alternatives import Alternatives
from ..schemas.base import digest
from ..schemas.grounding import Claim, Event
from ..schemas.item import Draft, Plan, Trap
from ..schemas.view import GeneratorView
from .derivation import PLANS_A_PLACE, Wording, assemble
from .foils import MOST_OF_A_TRAP, Candidate
from .narratives import Narrative
from .question import render
from .way import Needed, Way

SOON = 300
"""Paths by which the effort of a proof is told apart."""


class CausalAntecedent:
    claim: Claim = "causal_antecedent"

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self._alternatives: dict[str, Alternatives] = {}
        """By story."""

    def plans(self, narrative: Narrative) -> list[Plan]:
        found: dict[Plan, Needed] = {}
        tried: set[tuple[int, ...]] = set()
        for play in narrative.chart.plays:
            way = self._way(narrative, play)
            for length in range(self.wording.options, len(play) + 1):
                if play[:length] not in tried:
                    tried.add(play[:length])
                    first = {needed.end.shown: needed for needed in reversed(way.needed(length))}
                    found |= {self._plan(narrative, way, length, needed): needed for needed in first.values()}
        return balanced(found, narrative.story.info.sha256)

    def draft(self, view: GeneratorView, narrative: Narrative, attempt: int) -> Draft | None:
        play = (*view.plan.play, view.plan.taken)
        way = self._way(narrative, play)
        found = [needed for needed in way.needed(len(play)) if needed.end.shown == view.plan.shown]
        return self._word(narrative, way, found[attempt]) if attempt < len(found) else None

    def _way(self, narrative: Narrative, play: tuple[int, ...]) -> Way:
        sha256 = narrative.story.info.sha256
        if sha256 not in self._alternatives:
            self._alternatives[sha256] = Alternatives(narrative.analysis)
        return Way(narrative, self.wording, self._alternatives[sha256], play)

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


def balanced(found: dict[Plan, Needed], source_sha256: str) -> list[Plan]:
    """One plan of each place of the story, then a second, up to `PLANS_A_PLACE`: each time one that is soon proved,
    whose cause stands where causes stood least often among the options, and was asked for least often; ties by hash.
    """
    places: dict[str, list[Plan]] = defaultdict(list)
    for plan in sorted(found, key=lambda p: digest(source_sha256, p.claim, *p.play, p.taken, p.shown)):
        places[plan.location].append(plan)
    causes, ranks = Counter[str](), Counter[int]()
    chosen = []
    for _ in range(PLANS_A_PLACE):
        for plans in sorted(filter(None, places.values()), key=lambda plans: min(_effort(found[p]) for p in plans)):
            best = min(plans, key=lambda p: (_effort(found[p]), ranks[found[p].rank], causes[found[p].place]))
            plans.remove(best)
            causes[found[best].place] += 1
            ranks[found[best].rank] += 1
            chosen.append(best)
    return chosen


def _effort(needed: Needed) -> int:
    return needed.paths // SOON
