"""The files of a release."""

from typing import Literal

from .base import Record, classed
from .clip import ClipRef, VideoSpan
from .grounding import Recipe, Trace
from .item import Format, Option, Status, Trap

NAME = r"^[a-z0-9][a-z0-9._-]*$"
"""What a release is called. The name stands in code that people run, in paths and in addresses."""
NUMBERS = r"^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$"
"""A version."""
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


class ModelInput(Record):
    """One line of `model_input/test.jsonl`: all that a model under test may see."""

    id: str = classed("public")
    capability: str = classed("public")
    interaction: str = classed("public")
    format: Format = classed("public")
    clip: ClipRef = classed("public")
    background: str = classed("public")
    question: str = classed("public")
    options: tuple[Option, ...] = classed("public")
    history: tuple[str, ...] = classed("public", ())


class KeyRow(Record):
    """One line of `answers/key.jsonl`."""

    id: str = classed("reference")
    answer: tuple[str, ...] = classed("reference")
    answer_text: str = classed("reference")
    traps: dict[str, Trap] = classed("reference")
    cues: tuple[str, ...] = classed("reference", ())
    tier: str = classed("reference")
    status: Status = classed("reference")
    episode: str = classed("reference")
    story: str = classed("reference")
    tags: tuple[str, ...] = classed("reference", ())


class TraceRow(Record):
    """One line of `grounding/trace.jsonl`, with real names."""

    id: str = classed("backend")
    recipe: Recipe | None = classed("backend")
    """None where no code derives the label."""
    trace: Trace = classed("backend")
    proof: str = classed("backend")
    rationale: str = classed("backend")


class MediaRow(Record):
    """One line of `media/manifest.jsonl`."""

    media: str = classed("public")
    source_id: str = classed("public")
    start: float = classed("public")
    end: float = classed("public")
    unit: Literal["seconds", "lines"] = classed("public")
    sha256: str = classed("public")
    """Of the shipped transcript file."""
    license: str = classed("public")
    video: VideoSpan | None = classed("public", None, exclude_if=lambda value: value is None)
    """Where a video shows the clip. The video is one of the manifest's sources, known by its hash, and not shipped."""


class SourceFacts(Record):
    """What a release tells of a source."""

    source_id: str = classed("public")
    kind: Literal["story", "video", "transcript"] = classed("public")
    license: str = classed("public")
    """SPDX id."""
    language: str = classed("public")
    sha256: str = classed("public")
    """Of the source's file, which is not part of the release."""
    duration: float | None = classed("public", None, exclude_if=lambda value: value is None)
    """Seconds, of a video."""
    url: str | None = classed("public", None, exclude_if=lambda value: value is None)
    """Where others find it."""
    size: int | None = classed("public", None, exclude_if=lambda value: value is None)
    """Bytes of the file, where there is an address to hold them against."""


Handing = Literal["plain", "apart", "encrypted"]
"""How the answers are handed on: inside the release, in a folder of their own, or under a passphrase as well."""


class Override(Record):
    gate: str = classed("public")
    reason: str = classed("public")


class Ancestor(Record):
    """An earlier version of a release."""

    version: str = classed("public", pattern=NUMBERS)
    sha256: str = classed("public")
    """Of its `release.json`."""
    items: int = classed("public")


class Erratum(Record):
    """One line of `errata.jsonl`: a record of an earlier version that was corrected, or taken out, and why."""

    version: str = classed("public", pattern=NUMBERS)
    """The version that corrects it."""
    id: str = classed("public")
    public_hash_before: str = classed("public")
    """Of its line in `model_input/test.jsonl`, without the line feed."""
    public_hash_after: str | None = classed("public", None)
    """Equal where only the key changed; None for a record that was taken out, whose id is never used again."""
    changed: tuple[str, ...] = classed("public")
    """Fields of its item, key and trace; `transcript` for what its clip holds. Empty for a record taken out."""
    reason: str = classed("public")

    @property
    def voids(self) -> bool:
        """Whether a reply to the earlier record says nothing of the corrected one: what was shown is another thing."""
        return self.public_hash_after != self.public_hash_before or "transcript" in self.changed


class Manifest(Record):
    """`release.json`."""

    schema_: Literal["benchwright/release/1"] = classed("public", "benchwright/release/1", alias="schema")
    name: str = classed("public", pattern=NAME)
    version: str = classed("public", pattern=NUMBERS)
    date: str = classed("public", pattern=DAY)
    """YYYY-MM-DD, from `--date` or the stored freeze event."""
    canary: str = classed("public")
    license: str = classed("public")
    reviewed: bool = classed("public")
    counts: dict[str, int] = classed("public")
    """`items`, and `capability/<name>`, `interaction/<name>`, `status/<name>`."""
    files: dict[str, str] = classed("public")
    """Hash of every data file, by path."""
    prompts: dict[str, str] = classed("public")
    """Hash of every prompt template used, by id."""
    policies: dict[str, str] = classed("public")
    """`rules` or the model of each role."""
    permutation_seed: int = classed("public")
    resampler_id: str = classed("public")
    isolation_root: str = classed("public")
    overrides: tuple[Override, ...] = classed("public", ())
    answers: Handing = classed("public", "plain", exclude_if=lambda value: value == "plain")
    """If not plain, answers and grounding are no part of the folder, and known by hash only."""
    history: tuple[Ancestor, ...] = classed("public", (), exclude_if=lambda value: not value)
    """Earlier versions, ascending. What they got wrong stands in `errata.jsonl`."""
    sources: tuple[SourceFacts, ...] = classed("public", ())
    splits: dict[str, tuple[str, ...]] = classed("public", {}, exclude_if=lambda value: not value)
    """Ids of the sources of each split; none where all items are for testing."""
    yields: dict[str, int] = classed("public", {})
    """What became of the slots: `accepted`, `surplus`, `open`, `discarded/<code>`."""
    tool_version: str = classed("public")
