"""Gemini through google-genai, where video and sound are looked at as they are, from one second to another."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeVar

from ..errors import ProviderError, UsageError
from ..schemas.call import Message, Part, Reply, Request
from .client import Media, Medium
from .failures import Secrets, broken, failure, unreachable
from .prices import Tariff
from .settings import ModelSettings
from .uploads import Uploads
from .wire import found, in_words_of, strict

T = TypeVar("T")

INLINE = 14_000_000
"""Bytes of media in one request: a third more when encoded, and the API takes 20 MB."""
SHARED = 1_000_000
"""Bytes from which a video of which only a part is looked at is uploaded: other calls look at other parts."""
POLLS = (0.2, 5.0)
"""Seconds between two looks at a file that is being processed, at first and at most."""
PROCESSING = 600.0
"""Seconds that processing a file may take."""
NAMES = {"max_tokens": "max_output_tokens", "stop": "stop_sequences"}
"""Parameters that Google calls otherwise."""
ROLES = {"user": "user", "assistant": "model"}
CUT = frozenset({"MAX_TOKENS"})
REFUSED = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "MODEL_ARMOR"})
NO_CONNECTION = frozenset({"ConnectError", "ConnectTimeout", "ClientConnectorError", "ClientConnectorDNSError"})


class GenaiClient:
    """Fulfils `Client`. Retries nothing: that is the gateway's business."""

    def __init__(
        self, settings: ModelSettings, tariff: Tariff, media: Media, polls: tuple[float, float] = POLLS
    ) -> None:
        """Raises `UsageError` where google-genai is not installed, or there is no key."""
        try:
            there = find_spec("google.genai") is not None
        except ModuleNotFoundError:
            there = False
        if not there:
            raise UsageError(f"{settings.model} needs google-genai: pip install 'benchwright[models]'")
        if not settings.api_key:
            entry = f"models.{settings.model}.api_key"
            ways = (
                f"set GEMINI_API_KEY, or {entry}" if settings.api_base is None else f"set {entry} beside its api_base"
            )
            raise UsageError(f"{settings.model} needs a key: {ways}")
        self._settings, self._tariff, self._media, self._polls = settings, tariff, media, polls
        self._secrets = Secrets(settings.api_key)
        self._uploads: Uploads[Any] = Uploads(self._upload, self._remove)
        self._library: Any = None

    async def complete(self, request: Request, *, sample: int) -> Reply:
        """Raises `ProviderError` where there is no reply, `UsageError` for media that are not there."""
        client, types = self._client()
        config = self._config(types, request)
        async with self._contents(types, request) as contents:
            name = self._settings.name
            made = await self._try(
                partial(client.models.generate_content, model=name, contents=contents, config=config)
            )
        return self._reply(request, made)

    async def aclose(self) -> None:
        await self._uploads.aclose()
        if self._library is not None:
            client, self._library = self._library, None
            await client.aio.aclose()
            client.close()

    def _client(self) -> tuple[Any, Any]:
        from google import genai
        from google.genai import types

        if self._library is None:
            options = types.HttpOptions(
                base_url=self._settings.api_base,
                api_version="v1beta",
                timeout=int(self._settings.timeout * 1000),
                # Without it the library sends a request again whose connection broke, and it is paid for twice.
                retry_options=types.HttpRetryOptions(attempts=1),
            )
            self._library = genai.Client(api_key=self._settings.api_key, vertexai=False, http_options=options)
        return self._library.aio, types

    def _config(self, types: Any, request: Request) -> Any:
        given = {NAMES.get(name, name): value for name, value in {**request.parameters, **self._settings.extra}.items()}
        system = [part.text for message in request.messages if message.role == "system" for part in message.parts]
        if request.answer_schema and self._settings.schema != "prompt":
            given |= {"response_mime_type": "application/json", "response_json_schema": strict(request.answer_schema)}
        if system:
            given["system_instruction"] = "\n\n".join(system)
        try:
            return types.GenerateContentConfig(**given)
        except ValueError as error:
            raise UsageError(f"{request.model}: a parameter that Gemini does not know: {error}") from None

    @asynccontextmanager
    async def _contents(self, types: Any, request: Request) -> AsyncIterator[list[Any]]:
        """The conversation. Files that are uploaded for it stay there while this lasts."""
        turns = [message for message in request.messages if message.role != "system"]
        media = {part: found(part, self._media) for part in _media(turns)}
        sent = too_large(media) | shared(media)
        async with AsyncExitStack() as stack:
            files = {}
            for part in dict.fromkeys(part for part in media if part.media_sha256 in sent):
                shown = self._uploads.shown(str(part.media_sha256), media[part])
                files[part] = await stack.enter_async_context(shown)
            contents = [
                types.Content(
                    role=ROLES[message.role],
                    parts=[self._part(types, part, media.get(part), files.get(part)) for part in message.parts],
                )
                for message in turns
            ]
            if request.answer_schema and self._settings.schema == "prompt":
                contents[-1].parts.append(types.Part(text=in_words_of(request)))
            yield contents

    def _part(self, types: Any, part: Part, medium: Medium | None, file: Any) -> Any:
        if medium is None:
            return types.Part(text=part.text)
        cuts = {"start_offset": part.start, "end_offset": part.end}
        offsets = {name: f"{at:.3f}s" for name, at in cuts.items() if at is not None}
        if offsets and part.kind != "video":
            raise UsageError(f"{self._settings.model} cannot be told where in a {part.kind} to begin or end: cut it")
        more = {"video_metadata": types.VideoMetadata(**offsets)} if offsets else {}
        if file is not None:
            return types.Part(file_data=types.FileData(file_uri=file.uri, mime_type=medium.mime), **more)
        data = medium.path.read_bytes()
        return types.Part(inline_data=types.Blob(data=data, mime_type=medium.mime), **more)

    async def _upload(self, medium: Medium) -> Any:
        """Send a file and wait until it can be shown. No attempt at it costs anything."""
        client, types = self._client()
        config = types.UploadFileConfig(mime_type=medium.mime)
        try:
            # Not by its path: the library would tell the file's name.
            with medium.path.open("rb") as data:
                file = await self._try(partial(client.files.upload, file=data, config=config))
            return await self._processed(client, file)
        except ProviderError as error:
            error.charged = False
            raise

    async def _processed(self, client: Any, file: Any) -> Any:
        (pause, longest), waited = self._polls, 0.0
        while str(getattr(file.state, "name", file.state)) == "PROCESSING":
            if waited > PROCESSING:
                raise broken(self._settings.model, f"a file was not processed within {PROCESSING:g} s")
            await asyncio.sleep(pause)
            waited, pause = waited + pause, min(longest, pause * 1.5)
            file = await self._try(partial(client.files.get, name=file.name))
        if str(getattr(file.state, "name", file.state)) == "FAILED":
            raise ProviderError(f"{self._settings.model}: a file could not be processed", passing=False)
        return file

    async def _remove(self, file: Any) -> None:
        client, _ = self._client()
        await self._try(partial(client.files.delete, name=file.name))

    async def _try(self, work: Callable[[], Awaitable[T]]) -> T:
        model = self._settings.model
        try:
            async with asyncio.timeout(self._settings.timeout):
                return await work()
        except TimeoutError:
            raise broken(model, f"no answer within {self._settings.timeout:g} s") from None
        except Exception as error:
            raise self._error(error) from None

    def _error(self, error: Exception) -> ProviderError:
        from google.genai.errors import APIError

        model, said = self._settings.model, self._secrets.hide(str(error) or type(error).__name__)
        if isinstance(error, APIError) and isinstance(error.code, int):
            headers = getattr(error.response, "headers", None) or {}
            said = self._secrets.hide(str(error.message or error))
            return failure(model, error.code, said, headers, wait=_asked(error.details))
        return unreachable(model, said) if type(error).__name__ in NO_CONNECTION else broken(model, said)

    def _reply(self, request: Request, made: Any) -> Reply:
        usage = made.usage_metadata
        into = (usage.prompt_token_count or 0) if usage else 0
        # Thinking is paid for like what is said.
        out = ((usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)) if usage else 0
        paid = self._tariff.paid(request, into, out)
        blocked = getattr(made.prompt_feedback, "block_reason", None)
        if not made.candidates:
            if blocked is None:
                raise broken(request.model, "a reply without a candidate")
            return Reply(text=f"blocked: {getattr(blocked, 'name', blocked)}", status="refusal", usage=paid)
        candidate = made.candidates[0]
        parts = (candidate.content.parts if candidate.content else None) or []
        text = "".join(part.text for part in parts if part.text and not part.thought)
        finish = str(getattr(candidate.finish_reason, "name", candidate.finish_reason))
        status: Any = "truncated" if finish in CUT else "refusal" if finish in REFUSED else "ok"
        return Reply(text=self._secrets.hide(text), status=status, usage=paid)


def too_large(media: Mapping[Part, Medium], most: int = INLINE) -> frozenset[str]:
    """Hashes of the files that must be uploaded: the largest, until the others fit into one request."""
    sizes = {str(part.media_sha256): medium.path.stat().st_size for part, medium in media.items()}
    total, sent = sum(sizes.values()), set()
    for sha256 in sorted(sizes, key=lambda name: (-sizes[name], name)):
        if total <= most:
            break
        sent.add(sha256)
        total -= sizes[sha256]
    return frozenset(sent)


def shared(media: Mapping[Part, Medium], least: int = SHARED) -> frozenset[str]:
    """Hashes of the larger files of which a part names only some seconds."""
    named = {part: medium for part, medium in media.items() if part.start is not None or part.end is not None}
    return frozenset(str(part.media_sha256) for part, one in named.items() if one.path.stat().st_size >= least)


def _media(messages: list[Message]) -> Iterator[Part]:
    return (part for message in messages for part in message.parts if part.kind != "text")


def _asked(details: Any) -> float:
    """Seconds that Google's error asks to wait (`google.rpc.RetryInfo`), else zero."""
    inner = details.get("error", details) if isinstance(details, dict) else {}
    for one in inner.get("details") or [] if isinstance(inner, dict) else []:
        delay = str(one.get("retryDelay", "")) if isinstance(one, dict) else ""
        if delay.endswith("s") and delay[:-1].replace(".", "", 1).isdigit():
            return float(delay[:-1])
    return 0.0
