"""What goes into a release: everything `freeze` needs, handed over by the project, so that this room knows no project.

Rows are factories of iterators, sorted by id, so that a release of any size is written from a stream.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from ..anonymize.leaks import Leak
from ..schemas.clip import Clip
from ..schemas.release import Ancestor, Erratum, Handing, KeyRow, ModelInput, Override, SourceFacts, TraceRow

Row = TypeVar("Row")
Rows: TypeAlias = Callable[[], Iterable[Row]]

UNREVIEWED = "-unreviewed"


@dataclass(frozen=True)
class ReleaseContent:
    """One release before it is written. `items`, `keys` and `traces` ascend by id, `clips` by `ref.media`."""

    name: str
    version: str
    """Three numbers with dots: patch for the same records serialised again, minor for added, major for changed ones."""
    date: str
    """YYYY-MM-DD, from `--date` or the stored freeze event."""
    license: str
    """SPDX id of the release itself."""
    reviewed: bool
    """Whether every item has the approvals of people that it needs; if not, name, card and manifest say so."""
    sources: Sequence[SourceFacts]
    clips: Rows[Clip]
    """Each clip that an item uses, once; its transcript becomes a file, and a row of the media manifest."""
    items: Rows[ModelInput]
    keys: Rows[KeyRow]
    traces: Rows[TraceRow]
    heads: Mapping[str, str]
    """Last head of the isolation log of each item."""
    leaks: Callable[[str], Sequence[Leak]]
    """Names of the lexicon that stand in a text: `Anonymizer.leaks`."""
    permutation_seed: int
    resampler_id: str
    tool_version: str
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Hash of every prompt template used, by id."""
    policies: Mapping[str, str] = field(default_factory=dict)
    """`rules` or the model of each role."""
    overrides: Sequence[Override] = ()
    splits: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Sources of each split: `test` and others of `layout.SPLITS`. None where all is `test`."""
    answers: Handing = "plain"
    """How answers and grounding are handed on."""
    history: Sequence[Ancestor] = ()
    """Earlier versions, ascending."""
    errata: Sequence[Erratum] = ()
    """Of all versions, in their order and within one by id."""
    yields: Mapping[str, int] = field(default_factory=dict)
    """What became of the slots: `accepted`, `surplus`, `open`, `discarded/<code>`."""

    @property
    def title(self) -> str:
        """The name under which it is published."""
        return self.name if self.reviewed else self.name.removesuffix(UNREVIEWED) + UNREVIEWED
