"""The Generator makes question, label and options of a grounded item, each foil with its trap."""

from collections.abc import Mapping
from typing import Protocol

from ..schemas.view import GeneratorView
from .derivation import Derivation, Drafted
from .narratives import Narratives


class Generating(Protocol):
    async def generate(self, view: GeneratorView, attempt: int) -> Drafted:
        """The `attempt`th draft; None when there is no further one."""


class RulesGenerator:
    """Derives from the explored flowchart; a proposal that came back is followed by the next draft of its plan."""

    def __init__(self, narratives: Narratives, derivations: Mapping[str, Derivation]) -> None:
        self.narratives, self.derivations = narratives, derivations

    async def generate(self, view: GeneratorView, attempt: int) -> Drafted:
        derivation = self.derivations[view.plan.claim]
        return derivation.draft(view, self.narratives[view.source.source_id], attempt)
