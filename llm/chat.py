"""What clients of OpenAI's protocol share: how a schema is asked for, what media are taken, what a completion says."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..errors import ProviderError, UsageError
from ..schemas.call import Reply, Request
from .client import Media
from .failures import Secrets
from .prices import Facts, Tariff
from .settings import ModelSettings
from .wire import COUNTED, KEPT, messages, response_format

LONGEST_REPLY = 1_000_000
"""Characters; a longer reply is cut, and counts as that."""
SCHEMA_WORDS = ("response_format", "json_schema", "json schema", "structured output", "guided")
"""Words of a 400 that say that the server has no schema mode."""
STATUSES: Mapping[str, Any] = {"length": "truncated", "content_filter": "refusal"}


class Completion(NamedTuple):
    """One choice of a chat completion."""

    text: str
    refusal: str | None
    finish: str | None
    input_tokens: int
    output_tokens: int


class ChatClient(ABC):
    """Fulfils `Client` for whoever can `_send`. Retries nothing: that is the gateway's business."""

    def __init__(self, settings: ModelSettings, tariff: Tariff, facts: Facts | None, media: Media) -> None:
        self._settings, self._tariff, self._media = settings, tariff, media
        self._takes = settings.takes if settings.takes is not None else facts.takes if facts else frozenset()
        # A server of one's own is tried: most of them have the mode, and one that has not says so.
        has_mode = facts.schema if facts else settings.api_base is not None
        self._in_words = settings.schema == "prompt" or (settings.schema == "auto" and not has_mode)
        self._secrets = Secrets(settings.api_key)

    async def complete(self, request: Request, *, sample: int) -> Reply:
        """Raises `ProviderError` where there is no reply, `UsageError` for media that the model does not take."""
        self._check(request)
        try:
            return self._reply(request, await self._send(request))
        except ProviderError as error:
            if not self._settings.schema == "auto" or self._in_words or not _no_schema_mode(error, request):
                raise
            self._in_words = True
            return self._reply(request, await self._send(request))

    @abstractmethod
    async def _send(self, request: Request) -> Completion:
        """One attempt. Raises `ProviderError`."""

    def _body(self, request: Request) -> dict[str, Any]:
        """What is asked for, without the model's name."""
        body: dict[str, Any] = {
            "messages": messages(request, self._settings, self._media, in_words=self._in_words),
            **request.parameters,
            **self._settings.extra,
        }
        if request.answer_schema and not self._in_words:
            kept = COUNTED if self._settings.library == "openai" else KEPT
            body["response_format"] = response_format(request.answer_schema, kept)
        return body

    def _check(self, request: Request) -> None:
        kinds = {part.kind for message in request.messages for part in message.parts} - {"text"}
        if refused := kinds - self._takes:
            known = ", ".join(sorted(self._takes)) or "text only"
            raise UsageError(
                f"{request.model} is not known to take {', '.join(sorted(refused))} (it takes {known}); "
                f"where it does, say so in benchwright.yaml: models: {{{request.model}: {{takes: [...]}}}}"
            )

    def _reply(self, request: Request, made: Completion) -> Reply:
        status = "refusal" if made.refusal else STATUSES.get(made.finish or "", "ok")
        text = made.text
        if len(text) > LONGEST_REPLY:
            text, status = text[:LONGEST_REPLY], "truncated"
        paid = self._tariff.paid(request, made.input_tokens, made.output_tokens)
        return Reply(text=self._secrets.hide(text or made.refusal or ""), status=status, usage=paid)


def _no_schema_mode(error: ProviderError, request: Request) -> bool:
    said = str(error).lower()
    turned_down = not error.passing and not error.everywhere
    return bool(request.answer_schema) and turned_down and any(word in said for word in SCHEMA_WORDS)
