"""The Director chooses the clip of a slot: a decision that can bear the claim and is socially meaningful."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from ..knowledge.loader import Taxonomy
from ..schemas.item import Coordinate, Plan
from ..schemas.view import DirectorView
from .derivation import Derivation
from .narratives import Narrative, Narratives
from .tracker import transcript

NEAR = 10
"""Lines before and with the decision whose cues tell its interaction type."""


class Director(Protocol):
    def supply(self, source_id: str, coordinate: Coordinate) -> int:
        """How many plans there are for a coordinate: ordinals run from 0 to one less."""

    async def direct(self, view: DirectorView) -> Plan | None: ...


class RulesDirector:
    """Sorts the plans of every derivation by interaction type, once, when first asked."""

    def __init__(
        self,
        narratives: Narratives,
        taxonomy: Taxonomy,
        derivations: Mapping[str, Derivation],
    ) -> None:
        self.narratives, self.taxonomy = narratives, taxonomy
        self.derivations = derivations
        self._plans: dict[tuple[str, str], dict[str, list[Plan]]] = {}

    def supply(self, source_id: str, coordinate: Coordinate) -> int:
        return len(self._of(source_id, coordinate))

    async def direct(self, view: DirectorView) -> Plan | None:
        plans = self._of(view.source.source_id, view.coordinate)
        return plans[view.ordinal] if view.ordinal < len(plans) else None

    def _of(self, source_id: str, coordinate: Coordinate) -> list[Plan]:
        key = (source_id, coordinate.capability)
        if key not in self._plans:
            self._plans[key] = self._sorted(source_id, coordinate.capability)
        return self._plans[key].get(coordinate.interaction, [])

    def _sorted(self, source_id: str, capability: str) -> dict[str, list[Plan]]:
        """Plans by interaction type, filmed ones first. No claim that code can derive, or no story: none."""
        derivation = self.derivations.get(self.taxonomy.capabilities[capability].claim or "")
        narrative = self.narratives.get(source_id)
        if derivation is None or narrative is None:
            return {}
        plans = sorted(derivation.plans(narrative), key=lambda plan: not narrative.filmed(plan.way))
        types = interactions(narrative, plans, self.taxonomy)
        sorted_plans: dict[str, list[Plan]] = {}
        for plan in plans:
            kind = types[plan.location]
            if kind is not None:
                sorted_plans.setdefault(kind, []).append(plan)
        return sorted_plans


def interactions(narrative: Narrative, plans: Sequence[Plan], taxonomy: Taxonomy) -> dict[str, str | None]:
    """The interaction type of each place of the story: the one whose cues stand out there most against its average
    over all places. None where no cue is near: not social enough for a clip. The earlier type wins a tie."""
    cues: dict[str, Counter[str]] = {}
    for plan in plans:
        if plan.location not in cues:
            cues[plan.location] = _cues(narrative, plan, taxonomy)
    total = sum(cues.values(), Counter[str]())
    types: dict[str, str | None] = {}
    for location, counts in cues.items():
        lift = {name: counts[name] / total[name] for name in taxonomy.interactions if counts[name]}
        types[location] = max(lift, key=lambda name: lift[name]) if lift else None
    return types


def _cues(narrative: Narrative, plan: Plan, taxonomy: Taxonomy) -> Counter[str]:
    """How often each type's cues stand in the last lines of the clip and in the choices on offer."""
    lines, _ = transcript(narrative.chart, plan)
    offered = narrative.chart.state(narrative.chart.state_at(plan.play)).choices
    return cue_words(" ".join([*(line.text for line in lines[-NEAR:]), *(choice.text for choice in offered)]), taxonomy)


def cue_words(text: str, taxonomy: Taxonomy) -> Counter[str]:
    """How often the cue words of each interaction type stand in a text."""
    words = [word.strip(".,;:!?—…\"'“”‘’()").casefold() for word in text.split()]
    return Counter({name: sum(word in kind.cues for word in words) for name, kind in taxonomy.interactions.items()})
