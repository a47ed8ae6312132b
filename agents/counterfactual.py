"""Counterfactual items: what would surely have followed another choice, and could not follow the one that was made.

NARRATIVE 5: the key has not happened before, and does not echo the choice. What answers the choice at once goes before
what comes a decision later, of which somebody who has seen only the clip can rarely tell. Foils cannot follow the
supposed choice within the window: `logic` foils are what really followed, `wrong_branch` foils belong to a third
choice, the others are told near the same place.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..narrative.analysis import UnexploredError
from ..narrative.flowchart import Transition
from ..narrative.runtime import Line
from ..narrative.similarity import alike, bits
from ..schemas.base import digest
from ..schemas.grounding import Claim
from ..schemas.item import Draft, Plan, Trap
from ..schemas.view import GeneratorView
from .acts import acts_of
from .derivation import (
    Drafted,
    FewFoils,
    Wording,
    assemble,
    best_quote,
    candidate,
    candidates,
    fitting_foils,
    plan,
    scene,
    spread,
    usable,
)
from .foils import Candidate
from .narratives import Narrative
from .phrases import deed
from .question import render

WINDOWS = (2, 3)
"""Decisions after the supposed choice; the smallest that holds a key is stated. Who has seen only the clip cannot tell
what comes later still."""
BEYOND = 2
"""Choices past the window in which no foil may come true either, where the flowchart knows."""


class Supposed(NamedTuple):
    """A choice that could have been made instead, and one event that it makes sure."""

    edge: Transition
    window: int
    key: int
    later: bool
    """Whether it comes a decision or more after the choice."""


class Counterfactual:
    claim: Claim = "counterfactual"

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self.acts = acts_of(wording.cast)
        self._keys: dict[str, Counter[int]] = {}
        """By story: at how many decisions each event could be the key."""

    def plans(self, narrative: Narrative) -> list[Plan]:
        found: list[Plan] = []
        keys = self._keys[narrative.story.info.sha256] = Counter()
        for decision in narrative.analysis.decisions():
            one = plan(decision, self.claim, narrative)
            here = {
                supposed.key
                for supposed in _supposed(narrative, decision.play, decision.taken)
                if any(self._of_another(line, one, narrative) for line in _quotes(narrative, supposed))
            }
            keys.update(here)
            if here:
                found.append(one)
        return spread(found, narrative.story.info.sha256)

    def _commonness(self, narrative: Narrative) -> Counter[int]:
        if narrative.story.info.sha256 not in self._keys:
            self.plans(narrative)
        return self._keys[narrative.story.info.sha256]

    def draft(self, view: GeneratorView, narrative: Narrative, attempt: int) -> Drafted:
        made = 0
        lack: FewFoils | None = None
        for draft in self._drafts(view, narrative):
            if draft == "few-foils":
                lack = draft
            elif made == attempt:
                return draft
            else:
                made += 1
        return None if made else lack

    def _drafts(self, view: GeneratorView, narrative: Narrative) -> Iterator[Draft | FewFoils]:
        supposed = list(_supposed(narrative, view.plan.play, view.plan.taken))
        common = self._commonness(narrative)

        def order(one: Supposed) -> tuple[bool, int, int, str]:
            """What comes at once before what comes later, and then the rarer key: a few events follow from a great many
            choices, and would be the answer every time."""
            return one.later, one.window, common[one.key], digest(view.slot_id, one.edge.index, one.key)

        for one in sorted(supposed, key=order):
            draft = self._draft(view, narrative, one)
            if draft is not None:
                yield draft

    def _draft(self, view: GeneratorView, narrative: Narrative, supposed: Supposed) -> Drafted:
        lines = [line for line in _quotes(narrative, supposed) if self._tells(line, view, narrative)]
        if not lines:
            return None
        key = candidate(best_quote(lines, view.slot_id), narrative.analysis.event(supposed.key), "none")
        pool = self._pool(view, narrative, supposed)
        choice = supposed.edge.choice.text
        taken = narrative.chart.follow(view.plan.way)[-1]
        around = scene(narrative, view.plan, self.wording.cast, choice, taken.choice.text)
        foils = fitting_foils(key, pool, around, self.wording, seed=view.slot_id)
        return self._word(view, narrative, supposed, key, foils) if foils else "few-foils"

    def _word(
        self, view: GeneratorView, narrative: Narrative, supposed: Supposed, key: Candidate, foils: Sequence[Candidate]
    ) -> Draft:
        language, questions = self.wording.language, self.wording.questions
        taken = narrative.chart.follow(view.plan.way)[-1]
        who = view.plan.protagonist or language.narrator
        count = questions.counts[supposed.window]
        frame = {
            "claim": self.claim,
            "who": who,
            "did": deed(taken.choice.text, language).present,
            "instead": deed(supposed.edge.choice.text, language).supposed,
            "window": questions.windows["within"].format(who=who, count=count),
        }
        others = [supposed.edge.index] + [
            edge.index
            for edge in narrative.chart.transitions(taken.source)
            if edge.index not in (supposed.edge.index, taken.index)
        ]
        rationale = (
            f"on every path after “{supposed.edge.choice.text}” within {supposed.window} decisions, "
            f"on none after “{taken.choice.text}”"
        )
        return assemble(
            frame, render(questions, frame, 0), key, foils, others=others, window=supposed.window, rationale=rationale
        )

    def _tells(self, line: Line, view: GeneratorView, narrative: Narrative) -> bool:
        """Whether a line can be an option: what somebody does or says who is not the one that chooses."""
        known = frozenset(view.trace.present)
        return self._of_another(line, view.plan, narrative) and usable(line, self.wording.cast, known)

    def _of_another(self, line: Line, one: Plan, narrative: Narrative) -> bool:
        who = self.acts(narrative).of(line)
        return who is not None and who != (one.protagonist and self.wording.cast.first_name(one.protagonist))

    def _pool(self, view: GeneratorView, narrative: Narrative, supposed: Supposed) -> list[Candidate]:
        """Foils: line events that cannot follow the supposed choice, after no history, with their traps."""
        analysis, chart = narrative.analysis, narrative.chart
        edges = chart.transitions(supposed.edge.source)
        made = next(edge for edge in edges if edge.index == view.plan.taken)
        soon = supposed.window + BEYOND if analysis.known(supposed.edge, supposed.window + BEYOND) else supposed.window
        possible = analysis.may(supposed.edge, soon) | analysis.ever(supposed.edge, supposed.window)
        barred = bits({*possible, *analysis.happened(view.plan.play), supposed.key})
        logic = analysis.must(made, supposed.window)
        third = frozenset[int]().union(
            *(analysis.may(e, supposed.window) for e in edges if e.index not in (made.index, supposed.edge.index)
              and analysis.known(e, supposed.window))
        )  # fmt: skip
        location = chart.state(supposed.edge.source).location
        offered = [choice.text for choice in chart.state(supposed.edge.source).choices]

        def tells(line: Line) -> bool:
            return self._tells(line, view, narrative) and not alike(line.text, offered)

        traps: dict[int, Trap] = dict.fromkeys(third, "wrong_branch")
        traps.update(dict.fromkeys(logic, "logic"))
        return candidates(narrative, analysis.line_events() - possible, barred, tells, traps, location, view.slot_id)


def _quotes(narrative: Narrative, supposed: Supposed) -> Sequence[Line]:
    """The wordings of a key that may follow the supposed choice."""
    return narrative.analysis.quotes(supposed.key, supposed.edge, supposed.window)


def _supposed(narrative: Narrative, play: Sequence[int], taken: int) -> Iterator[Supposed]:
    """Every (other choice, smallest window, key event) that NARRATIVE 5 allows at a decision."""
    analysis, chart = narrative.analysis, narrative.chart
    edges = chart.transitions(chart.state_at(play))
    made = next(edge for edge in edges if edge.index == taken)
    before = analysis.happened(play)
    told_before = bits(before)
    for edge in edges:
        if edge.index == taken or edge.choice.text == made.choice.text:
            continue
        seen: set[int] = set()
        at_once = analysis.may(edge, 0)
        for window in WINDOWS:
            for key in sorted(_keys(narrative, edge, made, window) - before - seen):
                seen.add(key)
                if not narrative.similarity.alike(key, told_before):
                    yield Supposed(edge, window, key, key not in at_once)


def _keys(narrative: Narrative, edge: Transition, made: Transition, window: int) -> frozenset[int]:
    """Line events sure to come after `edge` within the window, impossible after `made`."""
    analysis = narrative.analysis
    try:
        # One decision less than the window, so that the claim holds however its last decision is counted.
        sure = analysis.must(edge, window - 1) - analysis.may(made, window)
    except UnexploredError:
        return frozenset()
    impossible = bits(analysis.may(made, window))
    lines = sure & analysis.line_events()
    return frozenset(key for key in lines if not narrative.similarity.alike(key, impossible))
