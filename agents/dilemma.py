"""Moral-dilemma items: which of the choices really offered most players made, where that was recorded (NARRATIVE 5).

Key and foils are the whole menu of the decision, as the story words it, and the clip ends before the menu is shown.
Where no choice leads clearly there is no item, and invented shares never make one.
"""

from math import sqrt

from ..narrative.occurrences import exact
from ..narrative.shares import Entry
from ..schemas.grounding import Claim, Event, Recorded
from ..schemas.item import Draft, Plan
from ..schemas.view import GeneratorView
from .derivation import Wording, assemble, plan, spread
from .foils import Candidate
from .narratives import Narrative
from .phrases import typeset
from .question import render

MARGIN = 0.10
"""By how much the first share leads the second at least."""
FEWEST = 10
"""Players below which the interval, an approximation for many, says nothing."""
Z_95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


class MoralDilemma:
    claim: Claim = "moral_dilemma"

    def __init__(self, wording: Wording) -> None:
        self.wording = wording

    def plans(self, narrative: Narrative) -> list[Plan]:
        """One plan for each history that leads to a decision with a clear majority."""
        found: dict[int, Plan] = {}
        for decision in narrative.analysis.decisions():
            entry = narrative.shares_at(decision.state)
            if decision.state not in found and entry and majority(entry.recorded):
                way = narrative.chart.follow(decision.play)
                told = way[-1].lines if way else narrative.chart.opening
                found[decision.state] = plan(decision, self.claim, narrative, shown=len(told))
        return spread(found.values(), narrative.story.info.sha256)

    def draft(self, view: GeneratorView, narrative: Narrative, attempt: int) -> Draft | None:
        """The one draft of a plan: its options are given. None where two choices look the same."""
        state = narrative.chart.state_at(view.plan.play)
        texts = [choice.text for choice in narrative.chart.state(state).choices]
        entry = narrative.shares_at(state)
        if attempt or entry is None or len({typeset(text) for text in texts}) < len(texts):
            return None
        return self._word(view.plan, entry, texts)

    def _word(self, plan: Plan, entry: Entry, texts: list[str]) -> Draft:
        first = majority(entry.recorded)
        frame = {"claim": self.claim, "who": plan.protagonist or self.wording.language.narrator}
        options = {
            exact(text): Candidate(typeset(text), Event(kind="choice", match=(exact(text),)), "none", ())
            for text in texts
        }
        return assemble(
            frame,
            render(self.wording.questions, frame, 0),
            options[first],
            [option for text, option in options.items() if text != first],
            others=tuple(index for index in range(len(texts)) if index != plan.taken),
            window=0,
            recorded=entry.recorded,
            rationale=f"the largest recorded share ({entry.recorded})",
        )


def majority(recorded: Recorded) -> str:
    """The choice that clearly most players made; empty where none leads by ten points and beyond chance.

    With shares p1 and p2 of n players, the 95 % interval p1 − p2 ± z √((p1 + p2 − (p1 − p2)²) / n) of a multinomial
    difference must lie above zero.
    """
    ranked = sorted(recorded.chosen.items(), key=lambda pair: -pair[1])
    first, second = ranked[0][1] / recorded.n, ranked[1][1] / recorded.n
    lead = first - second
    error = sqrt(max(0.0, first + second - lead**2) / recorded.n)
    clear = round(lead - MARGIN, 9) >= 0 and lead > Z_95 * error
    return ranked[0][0] if clear and recorded.n >= FEWEST else ""
