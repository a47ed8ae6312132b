"""A tape of calls: one JSON line each, by request hash and sample. Recorded once, replayed without a provider.

What is replayed costs nothing. The tape holds requests and replies, media as their hashes, and no key.
"""

import json
from pathlib import Path
from typing import Any

from ..errors import InputError, ProviderError, UsageError
from ..schemas.base import canonical
from ..schemas.call import Reply, Request
from .client import Client

Key = tuple[str, int]


class Recorder:
    """Fulfils `Client` with another one, and appends each of its replies to a tape before it is returned."""

    def __init__(self, client: Client, path: Path) -> None:
        """Raises `UsageError` for a file that cannot be written."""
        self._client = client
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("ab").close()
        except OSError as error:
            raise UsageError(f"cannot record to {path}: {error.strerror}; choose another file") from None

    async def complete(self, request: Request, *, sample: int) -> Reply:
        reply = await self._client.complete(request, sample=sample)
        line = {
            "request_sha256": request.sha256,
            "sample": sample,
            "request": json.loads(canonical(request)),
            "reply": reply.model_dump(),
        }
        # Escaped: a reply may hold half a surrogate pair.
        written = (json.dumps(line) + "\n").encode()
        with self._path.open("ab") as file:
            file.write(written)
        return reply

    async def aclose(self) -> None:
        if close := getattr(self._client, "aclose", None):
            await close()


class Replayer:
    """Fulfils `Client` from a tape. The first reply to a request stands, as it does in the ledger."""

    def __init__(self, path: Path) -> None:
        """Raises `InputError` with the line of what is no recorded call; a last line that was cut off is left out."""
        self._path = path
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(path, f"cannot be replayed: {error.strerror}") from None
        self._replies: dict[Key, Reply] = {}
        for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
            key, reply = _read(path, number, line)
            self._replies.setdefault(key, reply)

    async def complete(self, request: Request, *, sample: int) -> Reply:
        reply = self._replies.get((request.sha256, sample))
        if reply is None:
            said = f"{self._path.name} has no reply to {request.sha256} sample {sample} (prompt {request.prompt_id})"
            raise ProviderError(f"{request.model}: {said}; record it first", passing=False, charged=False)
        return reply.model_copy(update={"usage": reply.usage.model_copy(update={"usd": 0.0})})


def _read(path: Path, number: int, line: bytes) -> tuple[Key, Reply]:
    try:
        call: Any = json.loads(line)
        return (str(call["request_sha256"]), int(call["sample"])), Reply.model_validate(call["reply"])
    except (ValueError, KeyError, TypeError):
        raise InputError(path, "no recorded call", number) from None
