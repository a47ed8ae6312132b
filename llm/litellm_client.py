"""Any provider, and any server that speaks OpenAI's protocol, through litellm."""

import asyncio
import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from ..errors import ProviderError, UsageError
from ..schemas.call import Request
from .chat import ChatClient, Completion
from .client import Media
from .failures import broken, failure, unreachable
from .prices import Facts, Tariff
from .settings import ModelSettings

NO_KEY = "none"
"""What a server of one's own is sent where no key is configured: litellm insists on one."""


class LitellmClient(ChatClient):
    """Calls through litellm."""

    def __init__(self, settings: ModelSettings, tariff: Tariff, facts: Facts | None, media: Media) -> None:
        """Raises `UsageError` where litellm is not installed."""
        if find_spec("litellm") is None:
            raise UsageError(f"{settings.model} needs litellm: pip install 'benchwright[models]'")
        super().__init__(settings, tariff, facts, media)
        self._litellm: Any = None

    async def aclose(self) -> None:
        if self._litellm is not None:
            from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

            await self._litellm.close_litellm_async_clients()
            # It logs to nobody here. Left alone, its task may outlive the loop, and Python says so at some later time.
            await GLOBAL_LOGGING_WORKER.stop(discard_pending=True)

    async def _send(self, request: Request) -> Completion:
        arguments = self._arguments(request)
        library = self._library()
        try:
            async with asyncio.timeout(self._settings.timeout):
                made = await library.acompletion(**arguments)
        except TimeoutError:
            raise broken(request.model, f"no reply within {self._settings.timeout:g} s") from None
        except Exception as error:
            raise self._error(request.model, error) from None
        return _completion(request, made)

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
            "timeout": settings.timeout,
            "max_retries": 0,
            "num_retries": 0,
            **self._body(request),
        }
        if settings.api_base is not None:
            arguments["api_base"] = settings.api_base
        if key := settings.api_key or (NO_KEY if settings.api_base else None):
            arguments["api_key"] = key
        return arguments

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


def _completion(request: Request, made: Any) -> Completion:
    choices = getattr(made, "choices", None)
    if not choices:
        raise broken(request.model, "a reply without a choice")
    message, usage = choices[0].message, getattr(made, "usage", None)
    return Completion(
        text=message.content or "",
        refusal=getattr(message, "refusal", None),
        finish=choices[0].finish_reason,
        input_tokens=getattr(usage, "prompt_tokens", 0) or 0,
        output_tokens=getattr(usage, "completion_tokens", 0) or 0,
    )


def _headers(error: Exception) -> Mapping[str, str]:
    return getattr(getattr(error, "response", None), "headers", None) or {}


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
