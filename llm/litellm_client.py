"""Any provider, and any server that speaks OpenAI's protocol, through litellm."""

import asyncio
import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from ..errors import ProviderError, UsageError
from ..schemas.call import Reply, Request
from .client import Media
from .failures import Secrets, broken, failure, unreachable
from .prices import Facts, Tariff
from .settings import ModelSettings
from .wire import messages, response_format

LONGEST_REPLY = 1_000_000
"""Characters; a longer reply is cut, and counts as that."""
NO_KEY = "none"
"""What a server of one's own is sent where no key is configured: litellm insists on one."""
SCHEMA_WORDS = ("response_format", "json_schema", "json schema", "structured output", "guided")
"""Words of a 400 that say that the server has no schema mode."""
STATUSES: Mapping[str, Any] = {"length": "truncated", "content_filter": "refusal"}


class LitellmClient:
    """Fulfils `Client`. Retries nothing: that is the gateway's business."""

    def __init__(self, settings: ModelSettings, tariff: Tariff, facts: Facts | None, media: Media) -> None:
        """Raises `UsageError` where litellm is not installed."""
        if find_spec("litellm") is None:
            raise UsageError(f"{settings.model} needs litellm: pip install 'benchwright[models]'")
        self._settings, self._tariff, self._media = settings, tariff, media
        self._takes = settings.takes if settings.takes is not None else facts.takes if facts else frozenset()
        # A server of one's own is tried: most of them have the mode, and one that has not says so.
        has_mode = facts.schema if facts else settings.api_base is not None
        self._in_words = settings.schema == "prompt" or (settings.schema == "auto" and not has_mode)
        self._secrets = Secrets(settings.api_key)
        self._litellm: Any = None

    async def complete(self, request: Request, *, sample: int) -> Reply:
        """Raises `ProviderError` where there is no reply, `UsageError` for media that the model does not take."""
        self._check(request)
        try:
            return await self._send(request)
        except ProviderError as error:
            if not self._settings.schema == "auto" or self._in_words or not _no_schema_mode(error, request):
                raise
            self._in_words = True
            return await self._send(request)

    async def aclose(self) -> None:
        if self._litellm is not None:
            from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

            await self._litellm.close_litellm_async_clients()
            # It logs to nobody here. Left alone, its task may outlive the loop, and Python says so at some later time.
            await GLOBAL_LOGGING_WORKER.stop(discard_pending=True)

    async def _send(self, request: Request) -> Reply:
        arguments = self._arguments(request)
        library = self._library()
        try:
            async with asyncio.timeout(self._settings.timeout):
                made = await library.acompletion(**arguments)
        except TimeoutError:
            raise broken(request.model, f"no reply within {self._settings.timeout:g} s") from None
        except Exception as error:
            raise self._error(request.model, error) from None
        return self._reply(request, made)

    def _library(self) -> Any:
        if self._litellm is None:
            # Without it litellm asks the network for its price table while it is imported.
            os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            import litellm

            litellm.suppress_debug_info = True
            litellm.telemetry = False
            litellm.drop_params = True
            self._litellm = litellm
        return self._litellm

    def _arguments(self, request: Request) -> dict[str, Any]:
        settings = self._settings
        arguments: dict[str, Any] = {
            "model": request.model,
            "messages": messages(request, settings, self._media, in_words=self._in_words),
            "timeout": settings.timeout,
            "max_retries": 0,
            "num_retries": 0,
            **request.parameters,
            **settings.extra,
        }
        if request.answer_schema and not self._in_words:
            arguments["response_format"] = response_format(request.answer_schema)
        if settings.api_base is not None:
            arguments["api_base"] = settings.api_base
        if key := settings.api_key or (NO_KEY if settings.api_base else None):
            arguments["api_key"] = key
        return arguments

    def _check(self, request: Request) -> None:
        kinds = {part.kind for message in request.messages for part in message.parts} - {"text"}
        if refused := kinds - self._takes:
            known = ", ".join(sorted(self._takes)) or "text only"
            raise UsageError(
                f"{request.model} is not known to take {', '.join(sorted(refused))} (it takes {known}); "
                f"where it does, say so in benchwright.yaml: models: {{{request.model}: {{takes: [...]}}}}"
            )

    def _reply(self, request: Request, made: Any) -> Reply:
        choices = getattr(made, "choices", None)
        if not choices:
            raise broken(request.model, "a reply without a choice")
        message, finish = choices[0].message, choices[0].finish_reason
        text, refusal = message.content or "", getattr(message, "refusal", None)
        status = "refusal" if refusal else STATUSES.get(finish, "ok")
        if len(text) > LONGEST_REPLY:
            text, status = text[:LONGEST_REPLY], "truncated"
        usage = getattr(made, "usage", None)
        counts = [getattr(usage, name, 0) or 0 for name in ("prompt_tokens", "completion_tokens")]
        return Reply(
            text=self._secrets.hide(text or refusal or ""), status=status, usage=self._tariff.paid(request, *counts)
        )

    def _error(self, model: str, error: Exception) -> ProviderError:
        said = self._secrets.hide(str(error)).removeprefix("litellm.")
        names = {type(one).__name__ for one in _causes(error)}
        if names & {"ConnectError", "ConnectTimeout"}:
            return unreachable(model, said)
        status = getattr(error, "status_code", None)
        # litellm gives a status of its own to what never had one.
        if not isinstance(status, int) or "Timeout" in type(error).__name__ or "APIConnectionError" in names:
            return broken(model, said)
        return failure(model, status, said, getattr(error, "litellm_response_headers", None) or _headers(error))


def _headers(error: Exception) -> Mapping[str, str]:
    return getattr(getattr(error, "response", None), "headers", None) or {}


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _no_schema_mode(error: ProviderError, request: Request) -> bool:
    said = str(error).lower()
    turned_down = not error.passing and not error.everywhere
    return bool(request.answer_schema) and turned_down and any(word in said for word in SCHEMA_WORDS)
