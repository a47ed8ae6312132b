"""What a model under test replied: a run is a folder with `run.json` and `responses.jsonl`."""

from typing import Literal

from .base import Record, classed
from .call import Usage

ResponseStatus = Literal[
    "answered", "no_answer", "ambiguous", "too_many", "invalid_option", "refusal", "truncated", "error", "judge_error"
]

Trace = Literal["none", "rationale", "steps"]
"""What a model is asked for beside its answer: nothing, eight fields of rationale, or tagged steps of reasoning."""

Form = Literal["video", "silent", "frames", "image", "audio"]
"""How a clip is shown: as a film with sound or without, as pictures of it, as one, or as its sound alone."""
Sampling = Literal["1fps", "32"]
"""Pictures of a clip: one a second and 64 at most, or 32 evenly."""


class Shown(Record):
    """A file that a request showed."""

    form: Form = classed("public")
    sha256: str = classed("public")
    start: float = classed("public")
    """Seconds of the source's video at which the clip begins."""
    end: float = classed("public")
    """At which it ends; of a picture, at which it is shown."""
    whole: bool = classed("public", False, exclude_if=lambda value: not value)
    """The file is the whole video, of which the request names these seconds; else it is cut to them."""


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
    takes: tuple[str, ...] = classed("public", ())
    """Media that the model takes: `image`, `video`, `audio`; `sound of video` where it hears what it sees."""
    frames: Sampling = classed("public", "1fps")
    """How pictures are drawn from a clip, where the model takes no video."""
    shots: str = classed("public", "")
    """Name, version and hash of the release that the worked examples come from."""
    scope: Literal["all", "film"] = classed("public", "all")
    """Which items were asked: all, or those whose clip a video shows."""


class Response(Record):
    """One line of `responses.jsonl`."""

    item: str = classed("public")
    condition: str = classed("public")
    repeat: int = classed("public", 0)
    shown: tuple[str, ...] = classed("public")
    """Option ids in the order shown."""
    input_sha256: str = classed("public")
    """Hash of the prompt bytes."""
    given: tuple[str, ...] = classed("public", ())
    """What was shown beside question and options, in order: `background`, `frames`, `transcript`, `history`."""
    media: tuple[Shown, ...] = classed("public", (), exclude_if=lambda value: not value)
    reply: str = classed("public")
    status: ResponseStatus = classed("public")
    rule: str = classed("public")
    """Which rule of the parser read the reply."""
    ids: tuple[str, ...] = classed("public")
    usage: Usage = classed("public", Usage())
