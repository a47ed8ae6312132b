"""The Director chooses the clip of a slot: a decision that can bear the claim and is socially meaningful."""

from abc import ABC, abstractmethod
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


class SortingDirector(ABC):
    """Sorts the plans of a source by interaction type, once for each capability, when first asked."""

    def __init__(self, narratives: Narratives, taxonomy: Taxonomy) -> None:
        self.narratives, self.taxonomy = narratives, taxonomy
        self._plans: dict[tuple[str, str], dict[str, list[Plan]]] = {}

    def supply(self, source_id: str, coordinate: Coordinate) -> int:
        return len(self._of(source_id, coordinate))

    async def direct(self, view: DirectorView) -> Plan | None:
        plans = self._of(view.source.source_id, view.coordinate)
        return plans[view.ordinal] if view.ordinal < len(plans) else None

    def _of(self, source_id: str, coordinate: Coordinate) -> list[Plan]:
        key = (source_id, coordinate.capability)
        if key not in self._plans:
            narrative = self.narratives.get(source_id)
            self._plans[key] = self._sorted(narrative, coordinate.capability) if narrative else {}
        return self._plans[key].get(coordinate.interaction, [])

    def _sorted(self, narrative: Narrative, capability: str) -> dict[str, list[Plan]]:
        plans = self._made(narrative, capability)
        types = interactions(narrative, plans, self.taxonomy)
        sorted_plans: dict[str, list[Plan]] = {}
        for plan in plans:
            kind = types[plan.location]
            if kind is not None:
                sorted_plans.setdefault(kind, []).append(plan)
        return sorted_plans

    @abstractmethod
    def _made(self, narrative: Narrative, capability: str) -> Sequence[Plan]:
        """The plans of a story for a capability, best first."""


class RulesDirector(SortingDirector):
    """Plans of every derivation, filmed ones first. Of no claim that code can derive there are none."""

    def __init__(self, narratives: Narratives, taxonomy: Taxonomy, derivations: Mapping[str, Derivation]) -> None:
        super().__init__(narratives, taxonomy)
        self.derivations = derivations

    def _made(self, narrative: Narrative, capability: str) -> Sequence[Plan]:
        derivation = self.derivations.get(self.taxonomy.capabilities[capability].claim or "")
        plans = derivation.plans(narrative) if derivation else ()
        return sorted(plans, key=lambda plan: not narrative.filmed(plan.way))


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
    told = [line.text for line in lines if line.told]
    offered = narrative.chart.state(narrative.chart.state_at(plan.play)).choices
    return cue_words(" ".join([*told[-NEAR:], *(choice.text for choice in offered)]), taxonomy)


def cue_words(text: str, taxonomy: Taxonomy) -> Counter[str]:
    """How often the cue words of each interaction type stand in a text."""
    words = [word.strip(".,;:!?—…\"'“”‘’()").casefold() for word in text.split()]
    return Counter({name: sum(word in kind.cues for word in words) for name, kind in taxonomy.interactions.items()})
