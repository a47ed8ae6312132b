"""The adjudicator re-derives a grounded label on the story itself, without the proposal: that label is the truth."""

from collections.abc import Mapping
from typing import Protocol

from ..narrative.oracle import rederive
from ..narrative.runtime import Story
from ..schemas.view import Adjudication, AdjudicatorView


class Adjudicating(Protocol):
    async def adjudicate(self, view: AdjudicatorView) -> Adjudication: ...


class RulesAdjudicator:
    """Enumerates every path of the window on a fresh play of the runtime; shares no code with the Generator."""

    def __init__(self, stories: Mapping[str, Story]) -> None:
        self.stories = stories

    async def adjudicate(self, view: AdjudicatorView) -> Adjudication:
        runtime = self.stories[view.source.source_id].runtime()
        try:
            derived = rederive(runtime, view.recipe)
        finally:
            runtime.close()
        return Adjudication(true=derived.true, possible=derived.possible, proof=derived.proof)
