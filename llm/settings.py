"""How one model is reached: what `project` reads from the configuration, and clients take."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

ClientName = Literal["litellm", "genai", "openai"]
Schema = Literal["auto", "native", "prompt"]
MediaKind = Literal["image", "video", "audio"]
MEDIA_KINDS: tuple[MediaKind, ...] = get_args(MediaKind)
Record = Literal["record", "replay"]

GENAI_PROVIDERS = ("gemini", "google")
LONGEST = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""What providers call the most tokens of a reply."""


@dataclass(frozen=True)
class ModelSettings:
    """One model. `model` is `PROVIDER/NAME`, as it stands in roles and behind `--model`."""

    model: str
    api_base: str | None = None
    """Address of a server that speaks the provider's protocol; the provider's own when None."""
    api_key: str | None = field(default=None, repr=False)
    client: ClientName | None = None
    """Which library calls it; by the provider when None."""
    schema: Schema = "auto"
    """How a schema is asked for: by the provider's own mode, or in words. `auto`: its own mode where it has one."""
    takes: frozenset[MediaKind] | None = None
    """Media that it takes beside text; what the price table says of it when None."""
    timeout: float = 120.0
    """Seconds for one attempt, from sending to the last byte."""
    tape: tuple[Record, Path] | None = None
    """A file that calls are recorded to, or replayed from."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """More parameters for the provider, as they are."""

    @property
    def provider(self) -> str:
        return self.model.partition("/")[0]

    @property
    def name(self) -> str:
        return self.model.partition("/")[2]

    @property
    def longest(self) -> int | None:
        """Tokens of a reply at most, where its own parameters say so: they go before those of a request."""
        said = [value for name in LONGEST if isinstance(value := self.extra.get(name), int)]
        return max(said, default=None)

    @property
    def library(self) -> ClientName:
        if self.client:
            return self.client
        if self.provider == "openai" and self.api_base is not None:
            return "openai"
        return "genai" if self.provider in GENAI_PROVIDERS else "litellm"
