"""What a few models' answers said of the items before they were frozen."""

from typing import Literal

from .base import Record, classed
from .finding import Finding


class FoilChoice(Record):
    """Share of the models of each third, by score on all items, that chose a foil; null for an empty third."""

    bottom: float | None = classed("reference")
    middle: float | None = classed("reference")
    top: float | None = classed("reference")


class PilotItem(Record):
    """One item as the models met it. It tells which option is right."""

    id: str = classed("public")
    capability: str = classed("public")
    difficulty: float = classed("reference")
    """Share of the models that are right, in [0, 1]: high is easy."""
    without_clip: float = classed("reference")
    """The same where they are shown question and options alone."""
    discrimination: float | None = classed("reference")
    """Correlation of being right here with being right on all other items, in [-1, 1]."""
    reason: str = classed("public", "")
    """Why there is none."""
    foils: dict[str, FoilChoice] = classed("reference")


class PilotSubscore(Record):
    """Whether a capability deserves a score of its own: it does where its reliability is above `prmse`."""

    items: int = classed("public")
    reliability: float | None = classed("public")
    """Cronbach's alpha."""
    prmse: float | None = classed("public")
    """Share of the true subscore's variance that the total score predicts, in [0, 1]."""
    reason: str = classed("public", "")
    """Why one of them is null."""


class Pilot(Record):
    """`pilot.json`."""

    schema_: Literal["benchwright/pilot/1"] = classed("public", "benchwright/pilot/1", alias="schema")
    models: tuple[str, ...] = classed("public")
    exploratory: bool = classed("public")
    """Fewer than 30 models: everything here is a hint."""
    left_out: int = classed("public")
    """Open questions, which only a judge can credit."""
    items: tuple[PilotItem, ...] = classed("reference")
    capabilities: dict[str, PilotSubscore] = classed("public")
    findings: tuple[Finding, ...] = classed("reference")
