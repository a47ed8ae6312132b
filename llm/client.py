"""The one interface to any model: real providers, the scripted client and the shortcut baselines all fulfil it."""

from typing import Protocol

from ..schemas.call import CallRow, Reply, Request


class Client(Protocol):
    """Sends one request. Raises `ProviderError` when no reply could be had."""

    async def complete(self, request: Request, *, sample: int) -> Reply: ...


class Ledger(Protocol):
    """Where calls are written down before and after they are made (`state/ledger.py`)."""

    async def find(self, request_sha256: str, sample: int) -> CallRow | None: ...

    async def reserve(self, row: CallRow, request: bytes) -> None:
        """Committed before the request is sent."""

    async def settle(self, row: CallRow) -> None:
        """Committed, with the reply, before anyone sees it."""
