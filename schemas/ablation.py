"""What models solve of an item without its clip, or with part of it: why an item was kept, dropped or tagged."""

from typing import Literal

from .base import Record, classed

Part = Literal["question-only", "transcript-only", "single-image", "full"]
"""What a model was shown: question, options and background; beside them the words, one picture, or everything."""


class Solved(Record):
    """How often one model was right on one item under one condition."""

    model: str = classed("public")
    condition: Part = classed("public")
    right: int = classed("reference", ge=0)
    """Of the samples, each with an order of the options of its own."""


class Filtered(Record):
    """One item. It tells how hard it is, and to whom."""

    id: str = classed("public")
    capability: str = classed("public")
    verdict: Literal["kept", "kept by quota", "dropped"] = classed("reference")
    """`kept by quota`: solved without the clip, no more often than guessing allows."""
    tags: tuple[str, ...] = classed("reference", ())
    """`words-suffice`, `picture-suffices`: what alone solves it. No fault."""
    solved: tuple[Solved, ...] = classed("reference")


class FamilyAccuracy(Record):
    """Accuracy of one model under one condition, over the items before the filter and after it."""

    model: str = classed("public")
    condition: Part = classed("public")
    before: float | None = classed("public")
    """Share of right samples; null where no item was asked about."""
    n_before: int = classed("public")
    """Items."""
    after: float | None = classed("public")
    n_after: int = classed("public")
    guessing: float | None = classed("public")
    """Expected share by guessing, before."""


class Filters(Record):
    """`filters.json`."""

    schema_: Literal["benchwright/filter/1"] = classed("public", "benchwright/filter/1", alias="schema")
    models: tuple[str, ...] = classed("public")
    samples: int = classed("public")
    needed: int = classed("public")
    """Right samples from which a condition solves an item."""
    left_out: int = classed("public")
    """Open questions, which only a judge can credit."""
    not_run: dict[str, str] = classed("public")
    """Why a condition was not run, by `model condition`."""
    accuracy: tuple[FamilyAccuracy, ...] = classed("public")
    items: tuple[Filtered, ...] = classed("reference")
