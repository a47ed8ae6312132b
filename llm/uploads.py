"""Files that lie with a provider for a while: sent once, however many calls show them, and taken away again.

Google keeps a file for 48 hours at most, so that one which could not be taken away (a killed run, a lost connection)
goes by itself.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ..errors import ProviderError
from .client import Medium

F = TypeVar("F")

KEPT = 16
"""Files that stay although no call shows them at the moment: the next one may."""
FRESH = 40 * 3600.0
"""Seconds after which a file is sent again before the provider drops it."""


@dataclass
class _Upload(Generic[F]):
    task: asyncio.Task[F]
    users: int = 0
    began: float = field(default_factory=time.monotonic)


class Uploads(Generic[F]):
    """`send` brings a file there and waits until it can be shown; `remove` takes it away."""

    def __init__(self, send: Callable[[Medium], Awaitable[F]], remove: Callable[[F], Awaitable[None]]) -> None:
        self._send, self._remove = send, remove
        self._held: dict[str, _Upload[F]] = {}
        """By hash of the content, the one used longest ago first."""

    @asynccontextmanager
    async def shown(self, sha256: str, medium: Medium) -> AsyncIterator[F]:
        """The file, there for as long as this lasts. Raises `ProviderError` where it could not be brought there."""
        upload = self._held.pop(sha256, None)
        if upload is None or self._stale(upload):
            if upload is not None:
                await self._drop(upload)
            upload = _Upload(asyncio.ensure_future(self._send(medium)))
        self._held[sha256] = upload
        upload.users += 1
        try:
            yield await self._arrived(sha256, upload)
        finally:
            upload.users -= 1
            await self._tidy(KEPT)

    async def aclose(self) -> None:
        await self._tidy(0)

    async def _arrived(self, sha256: str, upload: _Upload[F]) -> F:
        try:
            return await asyncio.shield(upload.task)
        except ProviderError:
            # The next attempt sends it anew.
            if self._held.get(sha256) is upload:
                del self._held[sha256]
            raise

    def _stale(self, upload: _Upload[F]) -> bool:
        return not upload.users and time.monotonic() - upload.began > FRESH

    async def _tidy(self, kept: int) -> None:
        unused = [sha256 for sha256, upload in self._held.items() if not upload.users]
        for sha256 in unused[: max(0, len(unused) - kept)]:
            await self._drop(self._held.pop(sha256))

    async def _drop(self, upload: _Upload[F]) -> None:
        # What cannot be taken away goes by itself; the call that showed it has its reply.
        with contextlib.suppress(ProviderError):
            await self._remove(await upload.task)
