"""What people said: answers, ratings, traces, endorsements and labels, one record a line of JSONL or CSV.

`person` is an opaque id, never a name or an address. In CSV the columns have the names of the fields, an empty cell is
a field left out, and the parts of a list stand between `|`.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from .base import Record, classed
from .judge import CREDITS, LABELS, RATINGS, Credit, Modality, Rating

Person = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]

MOST = 10_000
"""Repeats, occasions, steps."""


class _Said(Record):
    """Who, and about which item of the release."""

    person: Person = classed("backend")
    item: str = classed("public", min_length=1)

    def key(self) -> tuple[str | int, ...]:
        """No two records of a kind have the same."""
        return self.person, self.item


class _OnReply(_Said):
    """About one reply of a run."""

    run: str = classed("public", min_length=1)
    """Name of the run's folder."""
    repeat: int = classed("public", 0, ge=0, le=MOST)


class HumanAnswer(_Said):
    """One person's answer to one item."""

    ids: tuple[str, ...] = classed("reference", ())
    """Option ids, never the letters that were shown."""
    text: str = classed("reference", "")
    """Answer to an open question."""
    credit: Credit | None = classed("reference", None)
    """Of an open answer: 0, 0.5 or 1, as somebody judged it."""
    skipped: bool = classed("public", False)
    occasion: int = classed("public", 0, ge=0, le=MOST)
    """0 the first time; more where the same person was asked again to see whether the answer stays."""
    shown: tuple[str, ...] = classed("public", ())
    """Option ids in the order shown."""
    seconds: float | None = classed("public", None, ge=0, allow_inf_nan=False)
    """Time on the item."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.skipped == bool(self.ids or self.text):
            raise ValueError("an answer has ids, or a text, or was skipped")
        if self.credit is not None and (self.credit not in CREDITS or self.ids):
            raise ValueError("credit is 0, 0.5 or 1, and of an answer in words")
        return self

    def key(self) -> tuple[str | int, ...]:
        return self.person, self.item, self.occasion


class HumanRating(_OnReply):
    """Six ratings of one description."""

    rubric: Literal["hsa", "dsa"] = classed("public")
    ratings: tuple[Rating, ...] = classed("public", min_length=RATINGS, max_length=RATINGS)
    """Of 1 to 5, in the order of the rubric."""

    def key(self) -> tuple[str | int, ...]:
        return self.person, self.item, self.run, self.repeat, self.rubric


class HumanStep(_Said):
    """One step of one person's reasoning trace."""

    step: int = classed("public", ge=1, le=MOST)
    """From 1 upwards, without gaps."""
    text: str = classed("reference", min_length=1)
    tags: tuple[Modality, ...] = classed("public", ())

    def key(self) -> tuple[str | int, ...]:
        return self.person, self.item, self.step


class Endorsement(_OnReply):
    """Whether an expert who saw a judge's decision agrees with it. That is no blind agreement."""

    rubric: Literal["open", "evidence", "logic"] = classed("public")
    endorsed: bool = classed("reference")

    def key(self) -> tuple[str | int, ...]:
        return self.person, self.item, self.run, self.repeat, self.rubric


class HumanLabel(_OnReply):
    """One person's own verdict on one reply, given without the judge's."""

    rubric: Literal["open", "evidence", "logic"] = classed("public")
    label: str = classed("reference")
    """`0`, `0.5` or `1` of an open answer; else a label of the rubric."""

    @model_validator(mode="after")
    def _on_the_scale(self) -> Self:
        scale = LABELS.get(self.rubric, tuple(f"{credit:g}" for credit in CREDITS))
        if self.label not in scale:
            raise ValueError(f"label {self.label!r} is none of {', '.join(scale)}")
        return self

    def key(self) -> tuple[str | int, ...]:
        return self.person, self.item, self.run, self.repeat, self.rubric
