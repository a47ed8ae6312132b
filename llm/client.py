"""The one interface to any model: real providers, the scripted client and the shortcut baselines all fulfil it."""

from pathlib import Path
from typing import NamedTuple, Protocol

from ..schemas.call import CallRow, Reply, Request


class Client(Protocol):
    """Sends one request, once. Raises `ProviderError` when no reply could be had."""

    async def complete(self, request: Request, *, sample: int) -> Reply: ...


class Closing(Protocol):
    """What a client with connections or uploads has beside that; called once, in the loop that used it."""

    async def aclose(self) -> None: ...


class Ledger(Protocol):
    """Where calls are written down before and after they are made (`state/ledger.py`)."""

    async def find(self, request_sha256: str, sample: int) -> CallRow | None:
        """The newest attempt at a call."""

    async def reserve(self, row: CallRow, request: bytes) -> None:
        """Committed before the request is sent. Raises `BudgetError` where it could overrun the budget."""

    async def settle(self, row: CallRow) -> None:
        """What became of a reserved call; committed, with the reply, before anyone sees it."""

    async def serve(self, row: CallRow) -> None:
        """A settled reply is served again."""


class Medium(NamedTuple):
    """A file that a part of a message shows."""

    path: Path
    mime: str
    """`video/mp4`, `audio/wav`, `image/png` …"""
    seconds: float | None = None
    """How long it lasts, where that is known; None for images."""


class Media(Protocol):
    """Finds the file behind `Part.media_sha256`."""

    def medium(self, sha256: str) -> Medium:
        """Raises `UsageError` for a hash that is not there."""
