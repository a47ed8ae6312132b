"""The one fake: a client that answers from a script, and where the script is silent by digest of the request.

A script is a YAML or JSON file:

    benchwright_script: 1
    rules:
      - prompt_id: answer        # every condition given must hold
        contains: "the lantern"  # in the text of the parts; a list of texts where all must stand there
        sample: 0
        times: 2                 # the rule holds for that many calls, then the next one is looked for
        reply: '{"answer": "B"}' # text, or a mapping that is sent as JSON
        latency: 0.1             # seconds
      - error: "rate limited"    # no reply: ProviderError
    default: hash                # or `error`: a request that no rule fits is then a mistake of the script
"""

import asyncio
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from ..errors import ProviderError
from ..schemas.base import Record, canonical, digest
from ..schemas.call import Reply, Request, Usage
from ..schemas.yamlfile import load_record
from .instance import instance


class Rule(Record):
    """When it fits, and what then comes back."""

    prompt_id: str | None = None
    contains: str | tuple[str, ...] | None = None
    sample: int | None = None
    times: int | None = Field(None, ge=1)
    reply: str | dict[str, Any] | None = None
    status: Literal["ok", "refusal", "truncated"] = "ok"
    error: str | None = None
    latency: float = Field(0.0, ge=0)
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.reply is not None and self.error is not None:
            raise ValueError("a rule has a reply or an error, not both")
        return self

    @property
    def _wanted(self) -> tuple[str, ...]:
        return (self.contains,) if isinstance(self.contains, str) else self.contains or ()

    def fits(self, request: Request, sample: int) -> bool:
        return (
            (self.prompt_id is None or self.prompt_id == request.prompt_id)
            and (self.sample is None or self.sample == sample)
            and all(text in _texts(request) for text in self._wanted)
        )


class Script(Record):
    benchwright_script: Literal[1]
    rules: tuple[Rule, ...] = ()
    default: Literal["hash", "error"] = "hash"


class ScriptedClient:
    """Fulfils `Client` from a script; the first rule that fits speaks. A rule without reply or error uses the default.

    `calls` lists what was asked, as (request hash, sample). Uses of a rule with `times` are counted in this object.
    """

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or Script(benchwright_script=1)
        self.calls: list[tuple[str, int]] = []
        self._used: dict[int, int] = {}

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Raises `InputError` with the line of what is wrong in the script."""
        return cls(load_record(path, Script))

    async def complete(self, request: Request, *, sample: int) -> Reply:
        self.calls.append((request.sha256, sample))
        rule = self._rule(request, sample)
        if rule is None:
            return self._default(request, sample)
        await asyncio.sleep(rule.latency)
        if rule.error is not None:
            raise ProviderError(f"{request.model}: {rule.error}")
        if rule.reply is None:
            return by_digest(request, sample)
        text = rule.reply if isinstance(rule.reply, str) else canonical(rule.reply).decode()
        return Reply(text=text, status=rule.status, usage=rule.usage)

    def _rule(self, request: Request, sample: int) -> Rule | None:
        for number, rule in enumerate(self.script.rules):
            used = self._used.get(number, 0)
            if rule.fits(request, sample) and (rule.times is None or used < rule.times):
                self._used[number] = used + 1
                return rule
        return None

    def _default(self, request: Request, sample: int) -> Reply:
        if self.script.default == "error":
            raise ProviderError(f"{request.model}: no rule of the script fits a request of prompt {request.prompt_id}")
        return by_digest(request, sample)


def by_digest(request: Request, sample: int) -> Reply:
    """A reply that fits the request's schema, enums chosen by digest of (request hash, sample); else a short text."""
    seed = digest(request.sha256, sample)
    if not request.answer_schema:
        return Reply(text=f"scripted {seed[:8]}")
    return Reply(text=canonical(instance(request.answer_schema, seed)).decode())


def _texts(request: Request) -> str:
    return "\n".join(part.text for message in request.messages for part in message.parts)
