"""Behaviour items: what another person does right after the protagonist's choice, where a different history would
have led to something else. The clip ends before the act (NARRATIVE 5).
"""

from collections.abc import Sequence

from ..narrative.flowchart import Transition
from ..narrative.runtime import Line
from ..narrative.similarity import bits
from ..schemas.grounding import Claim
from ..schemas.item import Draft, Plan, Trap
from ..schemas.view import GeneratorView
from .acts import acts_of
from .derivation import Drafted, Wording, assemble, candidate, candidates, fitting_foils, plan, scene, spread, usable
from .foils import Candidate
from .narratives import Narrative
from .phrases import deed
from .question import render

WINDOW = 1
"""The question asks for what comes before the next choice; the label is proved for one choice more."""
SOON = (4, 3, 2, WINDOW)
"""No foil may come true within so many choices: the widest that the flowchart knows counts."""


class Behaviour:
    claim: Claim = "behaviour"

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self.acts = acts_of(wording.cast)

    def plans(self, narrative: Narrative) -> list[Plan]:
        found = []
        for decision in narrative.analysis.decisions(least=1):
            edge = _edge(narrative, decision.state, decision.taken)
            shown = self._act(narrative, edge)
            if shown is not None and self._contrasts(narrative, edge, shown):
                found.append(plan(decision, self.claim, narrative, shown))
        return spread(found, narrative.story.info.sha256)

    def draft(self, view: GeneratorView, narrative: Narrative, attempt: int) -> Drafted:
        """There is one key, so that attempts differ in their foils only."""
        edge = narrative.chart.follow(view.plan.way)[-1]
        act = edge.lines[view.plan.shown]
        known = frozenset(view.trace.present)
        number = narrative.analysis.occurrences.line_number(act)
        if not usable(act, self.wording.cast, known) or number in narrative.analysis.happened(view.plan.play):
            return None
        key = candidate(act, narrative.analysis.event(number), "none")
        seed = f"{view.slot_id}/{attempt}" if attempt else view.slot_id
        person = self.acts(narrative).actor(edge, view.plan.shown) or ""
        around = scene(narrative, view.plan, self.wording.cast, edge.choice.text, person)
        for moods in (False, True) if self.wording.foils_within else (False,):
            pool = self._pool(view, narrative, edge, seed, moods=moods)
            if foils := fitting_foils(key, pool, around, self.wording, seed=seed):
                return self._word(view, narrative, edge, key, foils)
        return "few-foils"

    def _word(
        self, view: GeneratorView, narrative: Narrative, edge: Transition, key: Candidate, foils: Sequence[Candidate]
    ) -> Draft:
        language, questions = self.wording.language, self.wording.questions
        who = view.plan.protagonist or language.narrator
        person = self.acts(narrative).actor(edge, view.plan.shown) or ""
        frame = {
            "claim": self.claim,
            "who": who,
            "person": person,
            "did": deed(edge.choice.text, language).present,
            "window": questions.windows["before_next"].format(who=who),
        }
        rationale = f"the story tells it next, after this history and “{edge.choice.text}”"
        return assemble(frame, render(questions, frame, 0), key, foils, window=WINDOW, rationale=rationale)

    def _act(self, narrative: Narrative, edge: Transition) -> int | None:
        """Position in the reply of the first act of a named person who is not the protagonist."""
        protagonist = narrative.chart.state(edge.source).protagonist
        ours = self.wording.cast.first_name(protagonist) if protagonist else None
        for position in range(len(edge.lines)):
            person = self.acts(narrative).actor(edge, position)
            if person is not None and person != ours:
                return position
        return None

    def _contrasts(self, narrative: Narrative, edge: Transition, shown: int) -> bool:
        """Whether some other explored history, with this choice or another one here, leads to another act of theirs."""
        analysis, acts = narrative.analysis, self.acts(narrative)
        person = acts.actor(edge, shown)
        act = analysis.occurrences.line_number(edge.lines[shown])
        for other in analysis.edges_at(narrative.chart.state(edge.source).location):
            theirs = [line for at, line in enumerate(other.lines) if acts.actor(other, at) == person]
            if theirs and analysis.occurrences.line_number(theirs[0]) != act:
                return True
        return False

    def _pool(
        self, view: GeneratorView, narrative: Narrative, edge: Transition, seed: str, *, moods: bool
    ) -> list[Candidate]:
        """Acts of the same person that cannot come next: here after another choice, or elsewhere nearby.

        What the same choice leads to after another history, and what may still come soon, is let in with `moods` only,
        where a project takes weaker foils and too little else is left: a clip need not tell which history it was.
        """
        analysis = narrative.analysis
        acts = self.acts(narrative)
        person = acts.actor(edge, view.plan.shown)
        window = next((window for window in (SOON[-1:] if moods else SOON) if analysis.known(edge, window)), None)
        if window is None:
            return []
        possible = analysis.may(edge, window) | (frozenset() if moods else analysis.ever(edge, WINDOW))
        barred = bits(possible | analysis.happened(view.plan.play))
        location = narrative.chart.state(edge.source).location
        here = {analysis.occurrences.line_number(line) for other in analysis.edges_at(location) for line in other.lines}
        known = frozenset(view.trace.present)

        def tells(line: Line) -> bool:
            return acts.of(line) == person and usable(line, self.wording.cast, known)

        traps: dict[int, Trap] = dict.fromkeys(here, "wrong_branch")
        return candidates(narrative, analysis.line_events() - possible, barred, tells, traps, location, seed)


def _edge(narrative: Narrative, state: int, index: int) -> Transition:
    return next(edge for edge in narrative.chart.transitions(state) if edge.index == index)
