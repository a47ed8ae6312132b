"""The knowledge files as typed records. A project may bring its own taxonomy; everything else is ours."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from ..schemas.base import Record
from ..schemas.grounding import Claim
from ..schemas.story import SignalKind
from ..schemas.yamlfile import load_record


def _ascending(options: tuple[int, int]) -> tuple[int, int]:
    if not 2 <= options[0] <= options[1]:
        raise ValueError("the fewest options come first, and there are two or more")
    return options


Options = Annotated[tuple[int, int], AfterValidator(_ascending)]
"""Fewest and most options of an item."""


class Capability(Record):
    claim: Claim | None
    """Which derivation makes its items; None where no code can."""
    needs: str
    """What a project must bring before items of this capability can be made."""
    definition: str
    options: Options | None = None
    """Its own range, where it has one."""


class Interaction(Record):
    definition: str
    cues: tuple[str, ...]
    """Lower-case words whose frequency around a decision tells its type."""


class Taxonomy(Record):
    """The two axes of items."""

    version: int
    source: str
    capabilities: dict[str, Capability]
    interactions: dict[str, Interaction]
    options: Options = Field((6, 6))

    def options_of(self, capability: str) -> tuple[int, int]:
        return self.capabilities[capability].options or self.options


class Statements(Record):
    """How the movement of a hidden variable is told; `{way}` is more or less."""

    verbs: dict[str, str]
    """What somebody does who feels what a label names."""
    verb: str
    """Between two people, for those labels."""
    pair: str
    """Between two people, for any other label."""
    one: str


class Questions(Record):
    """Question templates by claim, tried in order."""

    version: int
    counterfactual: tuple[str, ...]
    behaviour: tuple[str, ...]
    causal_antecedent: tuple[str, ...]
    latent_state: tuple[str, ...]
    moral_dilemma: tuple[str, ...]
    statements: Statements
    windows: dict[str, str]
    counts: tuple[str, ...]


class Language(Record):
    """Word lists of one language."""

    version: int
    verbs: frozenset[str]
    answers: tuple[str, ...]
    spoken: frozenset[str]
    speech: frozenset[str]
    mental: frozenset[str]
    between: frozenset[str]
    roles: frozenset[str]
    narrator: str


class Measure(Record):
    """One thing that a variable may measure."""

    kind: SignalKind
    label: str
    words: tuple[str, ...]


class SignalWords(Record):
    """What the names of variables tell of what they measure."""

    version: int
    measures: tuple[Measure, ...]
    counters: frozenset[str]
    unnamed: str


def load_taxonomy(path: Path | None = None) -> Taxonomy:
    """The project's taxonomy, or ours. Raises `InputError` with the line of what is wrong."""
    return load_record(path or _bundled("taxonomy.yaml"), Taxonomy)


def load_questions() -> Questions:
    return load_record(_bundled("questions.yaml"), Questions)


def load_language() -> Language:
    return load_record(_bundled("language.yaml"), Language)


def load_signal_words() -> SignalWords:
    return load_record(_bundled("signals.yaml"), SignalWords)


def _bundled(name: str) -> Path:
    return Path(__file__).parent / name
