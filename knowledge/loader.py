"""The knowledge files as typed records. A project may bring its own taxonomy, or add to ours; the rest is ours."""

from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, model_validator

from ..schemas.base import Record
from ..schemas.grounding import Claim
from ..schemas.item import Format
from ..schemas.story import SignalKind
from ..schemas.yamlfile import load_record


def _ascending(options: tuple[int, int]) -> tuple[int, int]:
    if not 2 <= options[0] <= options[1]:
        raise ValueError("the fewest options come first, and there are two or more")
    return options


def _weighed(formats: dict[Format, int]) -> dict[Format, int]:
    if min(formats.values(), default=0) < 1:
        raise ValueError("at least one format, and each with a weight of 1 or more")
    return formats


Options = Annotated[tuple[int, int], AfterValidator(_ascending)]
"""Fewest and most options of an item."""


class Capability(Record):
    claim: Claim | None
    """Which derivation makes its items; None where no code can, and models do."""
    needs: str
    """What a project must bring before items of this capability can be made."""
    definition: str
    options: Options | None = None
    """Its own range, where it has one."""
    domain: str = ""
    """The wider field that it belongs to. This and what follows guides models."""
    distinctions: tuple[str, ...] = ()
    """What sets it apart from its neighbours."""
    cues: tuple[str, ...] = ()
    """What an answer has to rest on."""
    review: tuple[str, ...] = ()
    """What an item must satisfy."""
    formats: Annotated[dict[Format, int], AfterValidator(_weighed)] = Field({"single": 1})
    """How often each format is asked for, relative to the others."""
    history: bool = False
    """Whether its items draw on what was said before the clip."""


class Guide(NamedTuple):
    """All that a model is told of the capability of an item."""

    name: str
    capability: Capability
    aprace: dict[str, str]
    boundaries: tuple[str, ...]


class Interaction(Record):
    definition: str
    cues: tuple[str, ...]
    """Lower-case words whose frequency around a decision tells its type."""


class Taxonomy(Record):
    """The two axes of items."""

    version: int
    source: str
    capabilities: dict[str, Capability] = Field(default_factory=dict)
    interactions: dict[str, Interaction] = Field(default_factory=dict)
    options: Options = Field((6, 6))
    extends: Literal["bundled"] | None = None
    """Where it adds to our taxonomy: what it names goes before what stands there."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.extends is None and not (self.capabilities and self.interactions):
            raise ValueError("capabilities and interactions are needed, or `extends: bundled`")
        return self

    def options_of(self, capability: str) -> tuple[int, int]:
        return self.capabilities[capability].options or self.options


class Psychology(Record):
    """What guides models that make and check items which no code derives."""

    version: int
    source: str
    capabilities: dict[str, Capability]
    aprace: dict[str, str]
    """Parts of an interaction that an observer can describe."""
    boundaries: tuple[str, ...]
    """How far one may go from what is seen to what is said of a person."""

    def guide(self, name: str, capability: Capability) -> Guide:
        return Guide(name.replace("_", " "), capability, self.aprace, self.boundaries)


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
    gestures: frozenset[str]
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
    """The project's taxonomy, alone or on top of ours, or ours. Raises `InputError` with the line of what is wrong."""
    if path is None:
        ours = load_record(_bundled("taxonomy.yaml"), Taxonomy)
        return ours.model_copy(update={"capabilities": ours.capabilities | load_psychology().capabilities})
    own = load_record(path, Taxonomy)
    if own.extends is None:
        return own
    ours = load_taxonomy()
    merged = {name: getattr(ours, name) | getattr(own, name) for name in ("capabilities", "interactions")}
    kept = {} if "options" in own.model_fields_set else {"options": ours.options}
    return own.model_copy(update=merged | kept)


def load_psychology() -> Psychology:
    return load_record(_bundled("psychology.yaml"), Psychology)


def load_questions() -> Questions:
    return load_record(_bundled("questions.yaml"), Questions)


def load_language() -> Language:
    return load_record(_bundled("language.yaml"), Language)


def load_signal_words() -> SignalWords:
    return load_record(_bundled("signals.yaml"), SignalWords)


def _bundled(name: str) -> Path:
    return Path(__file__).parent / name
