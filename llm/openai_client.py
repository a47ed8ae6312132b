"""A server of one's own that speaks OpenAI's protocol: vLLM, llama.cpp, Ollama and many more. No library between.

litellm takes seconds to start and three quarters of a call's CPU; for a protocol of one request it has nothing to add.
"""

import asyncio
import json
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ProviderError, UsageError
from ..schemas.call import Request
from .chat import ChatClient, Completion
from .client import Media
from .failures import broken, failure, unreachable
from .prices import Facts, Tariff
from .settings import ModelSettings

if TYPE_CHECKING:
    import aiohttp

PATH = "/chat/completions"


class _Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class OpenaiClient(ChatClient):
    """Posts chat completions to `api_base`."""

    def __init__(self, settings: ModelSettings, tariff: Tariff, facts: Facts | None, media: Media) -> None:
        """Raises `UsageError` where aiohttp is not installed, or no address is given."""
        if find_spec("aiohttp") is None:
            raise UsageError(f"{settings.model} needs aiohttp: pip install 'benchwright[models]'")
        if settings.api_base is None:
            raise UsageError(f"{settings.model}: client openai needs an api_base, the address of the server")
        super().__init__(settings, tariff, facts, media)
        self._address = settings.api_base.rstrip("/") + PATH
        self._session: aiohttp.ClientSession | None = None

    async def aclose(self) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            await session.close()

    async def _send(self, request: Request) -> Completion:
        answer = await self._post(request.model, {"model": self._settings.name, **self._body(request)})
        if answer.status != 200:
            said = self._secrets.hide(_said(answer.body))
            raise failure(request.model, answer.status, said, answer.headers)
        try:
            return _completion(json.loads(answer.body))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            said = self._secrets.hide(answer.body[:100].decode(errors="replace"))
            raise broken(request.model, f"no chat completion: {said}") from None

    async def _post(self, model: str, body: Mapping[str, Any]) -> _Answer:
        import aiohttp

        try:
            async with (
                asyncio.timeout(self._settings.timeout),
                self._open().post(self._address, json=body, allow_redirects=False) as response,
            ):
                return _Answer(response.status, response.headers, await response.read())
        except TimeoutError:
            raise broken(model, f"no reply within {self._settings.timeout:g} s") from None
        except aiohttp.InvalidURL:
            raise ProviderError(f"{model}: {self._address} is no address", passing=False, charged=False) from None
        except aiohttp.ClientConnectorError as error:
            raise unreachable(model, self._secrets.hide(str(error))) from None
        except (aiohttp.ClientError, OSError) as error:
            raise broken(model, self._secrets.hide(str(error) or type(error).__name__)) from None

    def _open(self) -> "aiohttp.ClientSession":
        """How many calls are made at once is the limiter's business, and how long they take that of `timeout`."""
        import aiohttp

        if self._session is None:
            key = self._settings.api_key
            self._session = aiohttp.ClientSession(
                headers={"authorization": f"Bearer {key}"} if key else {},
                connector=aiohttp.TCPConnector(limit=0),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
                trust_env=True,
            )
        return self._session


def _completion(made: Any) -> Completion:
    """Raises what Python does for something else."""
    choice, usage = made["choices"][0], made.get("usage") or {}
    message = choice["message"]
    return Completion(
        text=_text(message.get("content")),
        refusal=message.get("refusal"),
        finish=choice.get("finish_reason"),
        input_tokens=int(usage.get("prompt_tokens") or 0),
        output_tokens=int(usage.get("completion_tokens") or 0),
    )


def _text(content: Any) -> str:
    """Some servers say it in parts."""
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if part.get("type") == "text")
    return "" if content is None else str(content)


def _said(body: bytes) -> str:
    """The server's own words on an error, whatever form it gives them."""
    text = body.decode(errors="replace")
    try:
        error = json.loads(text).get("error")
    except (ValueError, AttributeError):
        return text
    message = error.get("message") if isinstance(error, dict) else error
    return str(message) if message else text
