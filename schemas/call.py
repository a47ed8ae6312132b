"""A call of a model: what is sent, what comes back, and the ledger row that says it was paid once."""

from typing import Any, Literal

from .base import Record, classed, content_hash


class Part(Record):
    """One piece of a message. `label` says what it is (`transcript`, `option:A`); clients send only the content."""

    kind: Literal["text", "image", "video", "audio"] = classed("public", "text")
    label: str = classed("public", "")
    text: str = classed("public", "")
    media_sha256: str | None = classed("public", None)
    start: float | None = classed("public", None)
    """Seconds into the media at which the part begins; from its start when left out. Video and audio only."""
    end: float | None = classed("public", None)
    """Seconds into the media at which it ends; at its end when left out."""


class Message(Record):
    role: Literal["system", "user", "assistant"] = classed("public")
    parts: tuple[Part, ...] = classed("public")


class Request(Record):
    """The exact input of one call: its canonical bytes are "the prompt bytes"."""

    model: str = classed("public")
    prompt_id: str = classed("public")
    prompt_sha256: str = classed("public")
    """Hash of the prompt template's file."""
    messages: tuple[Message, ...] = classed("public")
    answer_schema: dict[str, Any] = classed("public", {})
    """JSON Schema of the reply; empty for free text."""
    parameters: dict[str, Any] = classed("public", {})
    """temperature, seed, max_tokens."""

    @property
    def sha256(self) -> str:
        return content_hash(self)


class Usage(Record):
    input_tokens: int = classed("public", 0)
    output_tokens: int = classed("public", 0)
    usd: float = classed("public", 0.0)


class Reply(Record):
    text: str = classed("public")
    status: Literal["ok", "refusal", "truncated", "error"] = classed("public", "ok")
    usage: Usage = classed("public", Usage())


CallStatus = Literal["reserved", "settled", "spoilt", "failed", "unknown"]
"""`reserved`: sent, or about to be. `settled`: a reply that may be served again. `spoilt`: a reply that was paid for
and is never served again (empty, refused, cut off, not what was asked for). `failed`: no reply, nothing charged.
`unknown`: no reply, and nobody knows whether it was charged."""


class CallRow(Record):
    """One row of the ledger. Key: (request hash, sample)."""

    request_sha256: str = classed("backend")
    sample: int = classed("backend")
    """Counts runs and re-examinations: a new run with the same bytes is a new call."""
    role: str = classed("backend")
    model: str = classed("backend")
    prompt_id: str = classed("backend")
    prompt_sha256: str = classed("backend", "")
    """Hash of the prompt template's file."""
    status: CallStatus = classed("backend")
    reserved_usd: float = classed("backend", 0.0)
    usd: float = classed("backend", 0.0)
    seconds: float = classed("backend", 0.0)
    """From sending to the reply, or to the failure."""
    cached: bool = classed("backend", False)
    """A settled reply was served again: nothing was sent and nothing paid."""
    reply: Reply | None = classed("backend", None)
