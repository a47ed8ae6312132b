"""What judges say of replies: the verdicts that a model is asked for, and the lines that are kept of them."""

from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator

from .base import Record, classed
from .call import Usage

Rubric = Literal["open", "evidence", "logic", "hsa", "dsa", "modality"]
RUBRICS: tuple[Rubric, ...] = get_args(Rubric)

Modality = Literal["visual", "verbal", "vocal", "external knowledge"]
MODALITIES: tuple[Modality, ...] = get_args(Modality)

CREDITS = (0.0, 0.5, 1.0)
Credit = Annotated[float, WithJsonSchema({"enum": [0, 0.5, 1]})]
EvidenceLabel = Literal["strong", "normal", "weak", "contradicted", "insufficient"]
LogicLabel = Literal["fully coherent", "acceptable", "weak", "contradictory", "unevaluable"]
LABELS: dict[str, tuple[str, ...]] = {"evidence": get_args(EvidenceLabel), "logic": get_args(LogicLabel)}
Rating = Annotated[int, Field(strict=True, ge=1, le=5)]
RATINGS = 6
"""Items of a rubric of ratings."""


def _plain(value: object) -> object:
    """A label however it is capitalised and spaced."""
    return " ".join(value.casefold().replace("_", " ").split()) if isinstance(value, str) else value


class TraceStep(Record):
    """One step of a reasoning trace, a model's or a person's."""

    text: str = classed("public", min_length=1)
    tags: tuple[Modality, ...] = classed("public", ())


class OpenVerdict(Record):
    """Whether an open answer says what the reference says."""

    reason: str = classed("reference")
    credit: Credit = classed("reference")

    @field_validator("credit", mode="before")
    @classmethod
    def _one_of_three(cls, value: object) -> object:
        if isinstance(value, bool) or value not in CREDITS:
            raise ValueError("credit is 0, 0.5 or 1")
        return value


class EvidenceVerdict(Record):
    """How far what the rationale states stands in the cues and the scene."""

    reason: str = classed("reference")
    label: Annotated[EvidenceLabel, BeforeValidator(_plain)] = classed("reference")


class LogicVerdict(Record):
    """How far the parts of the rationale agree with each other and lead to the answer."""

    reason: str = classed("reference")
    label: Annotated[LogicLabel, BeforeValidator(_plain)] = classed("reference")


class HsaVerdict(Record):
    """Six ratings of a description of a whole scene."""

    reason: str = classed("public")
    scene_description: Rating = classed("public")
    individuals: Rating = classed("public")
    topic_and_context: Rating = classed("public")
    socio_emotional_analysis: Rating = classed("public")
    answer_detail: Rating = classed("public")
    adherence_to_prompt: Rating = classed("public")


class DsaVerdict(Record):
    """Six ratings of a description that a question asked for."""

    reason: str = classed("public")
    relevant_scene_details: Rating = classed("public")
    relevant_individuals: Rating = classed("public")
    relevant_interactions: Rating = classed("public")
    relevant_context: Rating = classed("public")
    answer_detail: Rating = classed("public")
    adherence_to_prompt: Rating = classed("public")


class StepTags(Record):
    step: Annotated[int, Field(strict=True, ge=1)] = classed("public")
    tags: tuple[Modality, ...] = classed("public")


class ModalityVerdict(Record):
    """What each step of a trace draws on."""

    steps: tuple[StepTags, ...] = classed("public")


class JudgeInfo(Record):
    """`judge.json`: one judge under one rubric on the replies of one run."""

    schema_: Literal["benchwright/judge/1"] = classed("public", "benchwright/judge/1", alias="schema")
    rubric: Rubric = classed("public")
    judge: str = classed("public")
    """The model that judges."""
    release_sha256: str = classed("public")
    prompt_id: str = classed("public")
    prompt_sha256: str = classed("public")
    mismatched: int | None = classed("public", None)
    """Seed of the control in which each reply stood beside another item; None for the real thing."""


class Judgement(Record):
    """One line of `judgements.jsonl`. `status` is `judged` where the field of its rubric is filled."""

    item: str = classed("public")
    repeat: int = classed("public", 0)
    reply_sha256: str = classed("public")
    """Hash of the reply that was judged: a line about another reply is no longer taken."""
    input_sha256: str = classed("public")
    """Hash of the judge's prompt bytes."""
    beside: str = classed("public", "")
    """The item whose reference or scene stood in, in the control."""
    status: Literal["judged", "judge_error"] = classed("public")
    credit: float | None = classed("reference", None)
    """`open`: 0, 0.5 or 1."""
    label: str | None = classed("reference", None)
    """`evidence`, `logic`."""
    ratings: tuple[Rating, ...] = classed("public", ())
    """`hsa`, `dsa`: six of 1 to 5, in the order of the rubric."""
    steps: tuple[TraceStep, ...] = classed("public", ())
    """`modality`: the whole trace, with the tags of the steps that had none."""
    reason: str = classed("reference", "")
    """The judge's words; of a judge error, what was wrong."""
    usage: Usage = classed("public", Usage())
    """Of the judge's replies that the line rests on; the ledger has what each cost, and when."""
