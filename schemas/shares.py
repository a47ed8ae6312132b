"""Recorded shares: what players chose at decisions of a story, as a file that stands beside the story.

The format is published as `schemas/json/shares.schema.json`. A decision is told by what it offers: all the choices, as
the story words them.
"""

import unicodedata
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from .base import Record

ROUNDING = 0.005
"""By how much each share may have been rounded: to whole percents."""

Count = Annotated[int, Field(strict=True, ge=0, le=10**12)]
Share = Annotated[float, Field(ge=0, le=1)]


class SharedDecision(Record):
    """One decision: how many players made each choice, or which share of n players."""

    counts: dict[str, Count] | None = None
    """Players by choice: every choice offered, by its exact text."""
    shares: dict[str, Share] | None = None
    """Share of the players by choice, 0–1, where no counts are known; they add up to 1."""
    n: Annotated[int, Field(strict=True, ge=1, le=10**12)] | None = None
    """Players behind the shares; counts have theirs in themselves."""

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.counts is None) == (self.shares is None):
            raise ValueError("give either counts, or shares with n")
        if (self.shares is None) != (self.n is None):
            raise ValueError("shares need n, the number of players; counts have none")
        texts = [" ".join(unicodedata.normalize("NFC", text).split()) for text in self.counts or self.shares or {}]
        if len(texts) < 2 or len(set(texts)) < len(texts) or not all(texts):
            raise ValueError("a decision has two choices or more, each with words of its own")
        return self

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        total = sum((self.shares or {}).values())
        if self.shares is not None and abs(total - 1) > ROUNDING * len(self.shares) + 1e-9:
            raise ValueError(f"the shares add up to {total:.3g}, not to 1")
        if self.counts is not None and not sum(self.counts.values()):
            raise ValueError("nobody chose anything")
        return self


class SharesFile(Record):
    """What players of one story chose, recorded in one way at one time."""

    benchwright_shares: Literal[1]
    """Format version."""
    source: str = Field(min_length=1)
    """Who recorded the choices, and of whom: "statistics of the game's own server"."""
    date: str = Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$")
    """When they were recorded: YYYY-MM-DD or YYYY-MM."""
    decisions: tuple[SharedDecision, ...]
