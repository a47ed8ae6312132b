"""The adjudicator re-derives a grounded label on the story itself, without the proposal: that label is the truth."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from ..errors import InputError
from ..narrative.oracle import rederive
from ..narrative.runtime import Runtime, Story
from ..narrative.shares import Entry, known
from ..schemas.view import Adjudication, AdjudicatorView


class Adjudicating(Protocol):
    async def adjudicate(self, view: AdjudicatorView) -> Adjudication: ...


class RulesAdjudicator:
    """Enumerates every path of the window on the runtime; shares no code with the Generator. Close it after use.

    What players chose is taken from the recipe, and must stand so in the story's file of recorded shares.
    """

    def __init__(self, stories: Mapping[str, Story], shares: Mapping[str, Sequence[Entry]] | None = None) -> None:
        self._stories, self._shares = stories, shares or {}
        self._runtimes: dict[str, Runtime] = {}

    async def adjudicate(self, view: AdjudicatorView) -> Adjudication:
        if view.recipe is None:
            raise InputError(view.source.path, "no code derives this label: the adjudicator has to be a model")
        known(view.recipe, self._shares.get(view.source.source_id, ()))
        derived = rederive(self._runtime(view.source.source_id), view.recipe)
        return Adjudication(true=derived.true, possible=derived.possible, proof=derived.proof)

    def close(self) -> None:
        for runtime in self._runtimes.values():
            runtime.close()
        self._runtimes.clear()

    def _runtime(self, source_id: str) -> Runtime:
        if source_id not in self._runtimes:
            self._runtimes[source_id] = self._stories[source_id].runtime()
        return self._runtimes[source_id]
