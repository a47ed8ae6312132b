"""What a model under test replied: a run is a folder with `run.json` and `responses.jsonl`."""

from typing import Literal

from .base import Record, classed
from .call import Usage

ResponseStatus = Literal[
    "answered", "no_answer", "ambiguous", "too_many", "invalid_option", "refusal", "truncated", "error", "judge_error"
]

Trace = Literal["none", "rationale", "steps"]
"""What a model is asked for beside its answer: nothing, eight fields of rationale, or tagged steps of reasoning."""


class RunInfo(Record):
    """`run.json`."""

    schema_: Literal["benchwright/run/1"] = classed("public", "benchwright/run/1", alias="schema")
    release: str = classed("public")
    """Name and version of the release."""
    release_sha256: str = classed("public")
    """Hash of its `release.json`."""
    model: str = classed("public")
    condition: str = classed("public")
    prompt_id: str = classed("public")
    prompt_sha256: str = classed("public")
    permutation_seed: int = classed("public")
    repeats: int = classed("public", 1)
    trace: Trace = classed("public", "none")


class Response(Record):
    """One line of `responses.jsonl`."""

    item: str = classed("public")
    condition: str = classed("public")
    repeat: int = classed("public", 0)
    shown: tuple[str, ...] = classed("public")
    """Option ids in the order shown."""
    input_sha256: str = classed("public")
    """Hash of the prompt bytes."""
    reply: str = classed("public")
    status: ResponseStatus = classed("public")
    rule: str = classed("public")
    """Which rule of the parser read the reply."""
    ids: tuple[str, ...] = classed("public")
    usage: Usage = classed("public", Usage())
