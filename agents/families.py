"""Both families of items behind one agent each: what code derives goes to rules, the rest to whoever makes it.

An item is derived where its capability has a claim; the plan says so, and later the item's recipe.
"""

from collections.abc import Sequence
from typing import Any

from ..knowledge.loader import Taxonomy
from ..schemas.clip import Excerpt
from ..schemas.grounding import Trace
from ..schemas.item import OBSERVED, Coordinate, Plan
from ..schemas.view import Adjudication, AdjudicatorView, DirectorView, TrackerView
from .adjudicator import Adjudicating
from .derivation import Derivation
from .director import Director, SortingDirector
from .judging import ModelAdjudicator
from .narratives import Narrative, Narratives, PerStory
from .tracker import Tracking


class StoryScenes(SortingDirector):
    """Scenes of stories for items that no code derives: one around each decision that somebody answers."""

    def __init__(self, narratives: Narratives, taxonomy: Taxonomy, derivation: Derivation) -> None:
        super().__init__(narratives, taxonomy)
        self._scenes = PerStory(lambda about: _one_a_place(derivation.plans(about)))

    def _made(self, narrative: Narrative, capability: str) -> Sequence[Plan]:
        return () if self.taxonomy.capabilities[capability].history else self._scenes(narrative)


def _one_a_place(plans: Sequence[Plan]) -> list[Plan]:
    """The first plan of each place of a story, as an observed one."""
    first = {plan.location: plan for plan in reversed(plans)}
    return [plan.model_copy(update={"claim": OBSERVED}) for plan in reversed(first.values())]


class Directors:
    """`derived` serves capabilities with a claim, `watching` videos and transcripts, `scenes` stories; None where
    nobody makes such items."""

    def __init__(
        self, taxonomy: Taxonomy, derived: Director, watching: Director | None, scenes: Director | None
    ) -> None:
        self.taxonomy, self.derived = taxonomy, derived
        self.others = tuple(one for one in (watching, scenes) if one is not None)

    def supply(self, source_id: str, coordinate: Coordinate) -> int:
        return max((one.supply(source_id, coordinate) for one in self._of(coordinate)), default=0)

    async def direct(self, view: DirectorView) -> Plan | None:
        one = self._serving(view)
        return await one.direct(view) if one else None

    def prompt(self, view: DirectorView) -> bytes | None:
        prompt: Any = getattr(self._serving(view), "prompt", None)
        return prompt(view) if prompt else None

    def _serving(self, view: DirectorView) -> Director | None:
        serving = (one for one in self._of(view.coordinate) if one.supply(view.source.source_id, view.coordinate))
        return next(serving, None)

    def _of(self, coordinate: Coordinate) -> tuple[Director, ...]:
        derivable = self.taxonomy.capabilities[coordinate.capability].claim is not None
        return (self.derived,) if derivable else self.others


class Trackers:
    """`watching` follows videos and transcripts, `scenes` stories for items that no code derives."""

    def __init__(self, derived: Tracking, watching: Tracking, scenes: Tracking) -> None:
        self.derived, self.watching, self.scenes = derived, watching, scenes

    async def track(self, view: TrackerView) -> tuple[Trace, Excerpt]:
        return await self._of(view).track(view)

    def prompt(self, view: TrackerView) -> bytes | None:
        prompt: Any = getattr(self._of(view), "prompt", None)
        return prompt(view) if prompt else None

    def _of(self, view: TrackerView) -> Tracking:
        if view.plan.claim != OBSERVED:
            return self.derived
        return self.watching if view.plan.span is not None else self.scenes


class Adjudicators:
    """Labels with a recipe are re-derived by rules, always; a model speaks of the others."""

    def __init__(self, derived: Adjudicating, model: ModelAdjudicator | None) -> None:
        self.derived, self.model = derived, model

    async def adjudicate(self, view: AdjudicatorView) -> Adjudication:
        own = self.model if view.recipe is None and self.model else self.derived
        return await own.adjudicate(view)

    def prompt(self, view: AdjudicatorView) -> bytes | None:
        return self.model.prompt(view) if view.recipe is None and self.model else None
