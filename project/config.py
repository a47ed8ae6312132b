"""`benchwright.yaml`: the one model of a project's settings. Its defaults stand here and nowhere else.

Only `project/` reads it; every room below takes frozen settings of its own. Secrets stand in the file as `$VAR` and
are looked up in the environment where they are used, so that no file and no log of ours ever holds one.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, field_validator, model_validator

from ..errors import InputError, UsageError
from ..schemas.base import Record
from ..schemas.human import Person
from ..schemas.release import NAME
from ..schemas.response import Sampling
from ..schemas.story import Entity, Signal
from ..schemas.yamlfile import Locate, Place, load_yaml, validated

FILE_NAME = "benchwright.yaml"

RoleName = Literal["director", "tracker", "generator", "question", "answer", "adjudicator", "critic"]
FOR_VIDEOS: tuple[RoleName, ...] = ("question", "answer", "critic")
FOR_STORIES: tuple[RoleName, ...] = ("generator", "adjudicator", "answer", "critic")
"""Roles that have to be models before items that no code derives are made of videos and transcripts, of stories."""

KEY_SHAPES = re.compile(
    r"""\b(?:sk|pk|rk|gsk|xai)-[\w-]{16,}   # OpenAI, Anthropic, Groq, xAI
    | \bAIza[\w-]{30,} | \bya29\.[\w-]{20,} # Google
    | \bhf_\w{20,} | \bgh[pousr]_\w{20,} | \bgithub_pat_\w{20,} | \bxox[abprs]-[\w-]{10,} | \bAKIA[0-9A-Z]{16}
    | \beyJ[\w-]{10,}\.[\w-]{10,}\.         # a JSON web token
    | ://[^/\s:@]+:[^/\s@$]+@               # a password in a URL
    | \b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])[A-Za-z0-9]{32,}\b
    """,
    re.VERBOSE,
)
VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+)|\$)")


class SourceEntry(Record):
    """One story or video of the project."""

    path: str | None = Field(None, description="File, relative to this folder.")
    url: str | None = Field(None, description="Address at which others find the file; a release names it.")
    subtitles: str | None = Field(None, description="Subtitle file of a video.")
    narrative: str | None = Field(None, description="Story file that a playthrough video shows.")
    play: tuple[int, ...] | None = Field(
        None, description="Choices that the video shows, from 0; found from the subtitles when left out."
    )
    shares: str | None = Field(None, description="File of what players of a story were recorded to choose.")
    background: str = Field("", description="What is true before it begins, where a story does not say so itself.")
    protagonists: tuple[str, ...] = Field((), description="Who makes the choices of an Ink story that names nobody.")
    license: str = Field(
        "", pattern=r"^[A-Za-z0-9.+() -]*$", description="SPDX id; a release refuses a source without one."
    )

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.path is None and self.url is None:
            raise ValueError("give a path, and a url where others find the same file")
        if self.play is not None and self.narrative is None:
            raise ValueError("play belongs to a narrative; name the story that the video shows")
        return self


class RolePolicy(Record):
    """Who plays a role: our rules, or a language model."""

    policy: Literal["rules", "llm"] = "rules"
    model: str | None = Field(None, description="Model name, for policy llm.")

    @model_validator(mode="after")
    def _model_fits(self) -> Self:
        if (self.policy == "llm") != (self.model is not None):
            raise ValueError("policy llm needs a model, and policy rules has none")
        return self


class ModelEntry(Record):
    """How one model, or every model of a provider, is reached. What is left out is as the provider has it."""

    api_base: str | None = Field(None, description="Address of a server that speaks the provider's protocol.")
    api_key: str | None = Field(
        None,
        pattern=r"^\$(\{\w+\}|\w+)$",
        description="Name of the environment variable that holds the key, as $NAME; else the provider's usual one.",
    )
    client: Literal["litellm", "genai", "openai"] | None = Field(
        None,
        description="How it is called: genai for gemini/NAME, openai (no library) for openai/NAME with an api_base, "
        "else litellm.",
    )
    json_schema: Literal["auto", "native", "prompt"] = Field(
        "auto", description="How replies are held to a schema: by the provider's own mode, in words, or as it can."
    )
    takes: tuple[Literal["image", "video", "audio"], ...] | None = Field(
        None, description="Media that it takes beside text; what the price table says of it when left out."
    )
    concurrency: int = Field(32, ge=1, le=1024, description="Calls at once to its provider in a build.")
    timeout: float = Field(120.0, gt=0, description="Seconds for one attempt, to the last byte.")
    record: str | None = Field(None, description="File, relative to this folder, that its calls are recorded to.")
    replay: str | None = Field(None, description="File whose recorded calls are replayed; nothing is sent or paid.")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="More parameters of its calls, such as reasoning_effort."
    )

    @model_validator(mode="after")
    def _one_tape(self) -> Self:
        if self.record is not None and self.replay is not None:
            raise ValueError("record or replay, not both")
        return self


class PriceEntry(Record):
    """What a model costs, in US dollars. It goes before the price table that comes with litellm."""

    input: float = Field(0.0, ge=0, description="For a million input tokens.")
    output: float = Field(0.0, ge=0, description="For a million output tokens, those of its thinking included.")
    call: float = Field(0.0, ge=0, description="For each call.")
    media: float | None = Field(
        None, ge=0, description="For a million input tokens of a call that shows something; as input when left out."
    )


class Budget(Record):
    """Hard caps on calls of models, over the whole life of the project."""

    usd: float | None = Field(0.0, ge=0, description="US dollars; null for no cap.")
    calls: int | None = Field(None, ge=0, description="Number of calls; no cap when left out.")


class Exploration(Record):
    """How much of a story is explored."""

    states: int = Field(50_000, ge=0, description="Bound on exploring whole; a larger story: around playthroughs.")
    playthroughs: int = Field(16, ge=1, le=1000, description="Seeded playthroughs of a story that is too large.")
    window: int = Field(4, ge=1, le=6, description="Decisions after every choice that these pass by.")


class Review(Record):
    """Who reviews, and what people must have said of an item before a release may hold it."""

    approvals: int = Field(5, ge=1, description="Experts who must approve an item; one rejection refuses it.")
    experts: tuple[Person, ...] = Field((), description="Opaque ids of those who verify items, and check judges.")
    people: tuple[Person, ...] = Field(
        (), description="Opaque ids of those who answer for the human baseline; none of them writes or verifies items."
    )
    adjudicators: tuple[Person, ...] = Field((), description="Opaque ids of those who decide where experts differ.")
    overlap: int = Field(50, ge=0, description="Items that all of `people` answer, to see how far they agree.")
    planted: float = Field(0.08, ge=0, le=0.5, description="Share of items with a known defect among the real ones.")
    duplicates: int = Field(3, ge=0, le=100, description="Items that each of `people` is asked a second time.")
    lease: float = Field(
        60.0, gt=0, description="Minutes for which somebody's share is held after they were last seen."
    )

    @model_validator(mode="after")
    def _kept_apart(self) -> Self:
        if both := sorted(set(self.people) & {*self.experts, *self.adjudicators}):
            raise ValueError(f"{both[0]} cannot both verify items and answer for the baseline")
        return self


class Config(Record):
    """A project's settings."""

    version: Literal[1] = Field(description="Version of this file's format.")
    name: str = Field(pattern=NAME, max_length=80, description="Name of the benchmark.")
    seed: int = Field(42, ge=0, lt=2**53, description="Every choice of the build follows from it.")
    store: str = Field(".benchwright/store.sqlite", min_length=1, description="SQLite file, relative to this folder.")
    sources: tuple[SourceEntry, ...] = Field((), description="Stories and videos; `benchwright ingest` adds them.")
    taxonomy: str | None = Field(None, description="Taxonomy file; the bundled one when left out.")
    targets: dict[str, int | dict[str, int]] = Field(
        default_factory=dict,
        description="Items wanted: by capability, or by capability and interaction. A bare number is spread evenly.",
    )
    roles: dict[RoleName, RolePolicy] = Field(default_factory=dict, description="Who plays each role; rules if absent.")
    models: dict[str, ModelEntry] = Field(
        default_factory=dict, description="How models are reached: by PROVIDER/NAME, or by PROVIDER for all of its."
    )
    prices: dict[str, PriceEntry] = Field(
        default_factory=dict, description="Prices by PROVIDER/NAME, where the table has none, or a wrong one."
    )
    budget: Budget = Field(default_factory=Budget)
    concurrency: int = Field(4, ge=1, le=256, description="Slots worked on at once; the result does not depend on it.")
    lookahead: int = Field(64, ge=1, le=4096, description="Slots that may be planned ahead of the last decision.")
    frames: Sampling = Field(
        "1fps", description="Pictures of a clip for models that take no video: one a second (at most 64), or 32 evenly."
    )
    foils_within: int = Field(
        0, ge=0, le=6, description="Decisions between a rule's question and where its wrong options are told, at most."
    )
    entities: tuple[Entity, ...] = Field((), description="Names to anonymise, beside those the stories declare.")
    exploration: Exploration = Field(default_factory=Exploration)
    signals: dict[str, Signal] = Field(default_factory=dict, description="What the stories' variables measure.")
    review: Review = Field(default_factory=Review)
    splits: dict[Literal["dev", "screening", "train"], Annotated[float, Field(gt=0, lt=1)]] = Field(
        default_factory=dict,
        description="Share of the items in each split but the test, by source; train is in no release.",
    )

    @field_validator("splits")
    @classmethod
    def _leaves_a_test(cls, splits: dict[str, float]) -> dict[str, float]:
        if sum(splits.values()) >= 1:
            raise ValueError("the shares must leave something to the test: their sum is below 1")
        return splits

    @field_validator("targets")
    @classmethod
    def _not_negative(cls, targets: dict[str, int | dict[str, int]]) -> dict[str, int | dict[str, int]]:
        for capability, cells in targets.items():
            if min(cells.values() if isinstance(cells, dict) else [cells], default=0) < 0:
                raise ValueError(f"{capability}: a target is 0 or more")
        return targets

    @field_validator("signals", mode="before")
    @classmethod
    def _all_in_comments(cls, signals: object) -> object:
        """A key with nothing but comments below it is an empty map."""
        return {} if signals is None else signals

    def model(self, name: str) -> ModelEntry:
        """How a model is reached: by its own entry, else its provider's."""
        return self.models.get(name) or self.models.get(name.partition("/")[0]) or ModelEntry()

    def role(self, name: RoleName) -> RolePolicy:
        return self.roles.get(name, RolePolicy())

    def plays(self, roles: tuple[RoleName, ...]) -> bool:
        """Whether models play all of these roles."""
        return all(self.role(role).model for role in roles)


def default(field: str) -> Any:
    """The default of a top-level setting, for the help of the command line."""
    return Config.model_fields[field].get_default(call_default_factory=True, validated_data={})


class ConfigFile(NamedTuple):
    """A configuration with its file, so that what is found wrong later can still name the line."""

    path: Path
    config: Config
    locate: Locate

    def wrong(self, place: Place, problem: str) -> InputError:
        return InputError(self.path, problem, self.locate(place))


def find_file(start: Path) -> Path:
    """The configuration that governs `start`: its own, or the nearest above."""
    folder = start.resolve()
    for candidate in (folder, *folder.parents):
        if (candidate / FILE_NAME).is_file():
            return candidate / FILE_NAME
    raise UsageError(f"no {FILE_NAME} in {folder} or above; `benchwright init DIR` makes one")


def load(path: Path) -> ConfigFile:
    """Read and check a configuration. Raises `InputError` with the line."""
    file = load_yaml(path)
    for place, text in _texts(file.data, ()):
        if KEY_SHAPES.search(text):
            problem = (
                f"{'.'.join(map(str, place))}: this looks like a secret; put it in the environment and write $NAME"
            )
            raise InputError(path, problem, file.locate(place))
    return ConfigFile(path, validated(path, file, Config), file.locate)


def expand(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """`text` with `$VAR` and `${VAR}` filled in; `$$` is a dollar. Raises `UsageError` for a variable that is not
    set."""

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name is None:
            return "$"
        if name not in environment:
            raise UsageError(f"the environment has no variable {name}, which {FILE_NAME} asks for as ${name}")
        return environment[name]

    return VARIABLE.sub(value, text)


def _texts(data: Any, place: Place) -> Iterator[tuple[Place, str]]:
    if isinstance(data, str):
        yield place, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _texts(value, (*place, str(key)))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _texts(value, (*place, index))
