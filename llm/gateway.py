"""The one door to any model: every call is written down before it is sent and again before its reply is seen.

The key of a call is (request hash, sample). A settled call is never made again. One that was cancelled, or that the
provider failed, leaves its row `reserved`: nobody knows whether it was charged, so it counts at its worst case, and
the next one who asks reserves it anew and calls again.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import ProviderError
from ..schemas.base import canonical, sha256
from ..schemas.call import CallRow, Reply, Request
from .client import Client, Ledger


def free(request: Request) -> float:
    """The worst case of a client that costs nothing."""
    return 0.0


@dataclass
class _Flight:
    """A call under way, and how many wait for it."""

    task: asyncio.Task[Reply]
    waiting: int = 0


class Gateway:
    """Calls `client` through `ledger`. `worst_case` gives what a request may cost at most, in US dollars."""

    def __init__(self, client: Client, ledger: Ledger, worst_case: Callable[[Request], float] = free) -> None:
        self._client = client
        self._ledger = ledger
        self._worst_case = worst_case
        self._flights: dict[tuple[str, int], _Flight] = {}

    async def complete(self, request: Request, *, sample: int, role: str) -> Reply:
        """The reply to a request. Equal keys in flight share one call, which ends when nobody waits for it any more.

        Raises `ProviderError` when no reply could be had, and whatever the ledger raises when the budget is spent.
        """
        sent = canonical(request)
        key = (sha256(sent), sample)
        flight = self._flights.get(key) or self._take_off(request, sent, key, role)
        return await self._wait(key, flight)

    def _take_off(self, request: Request, sent: bytes, key: tuple[str, int], role: str) -> _Flight:
        flight = self._flights[key] = _Flight(asyncio.create_task(self._call(request, sent, key, role)))
        flight.task.add_done_callback(lambda _: self._land(key, flight))
        return flight

    async def _wait(self, key: tuple[str, int], flight: _Flight) -> Reply:
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                self._land(key, flight)
                flight.task.cancel()
                # Whoever cancels may close the loop next; a reply on its way to the ledger must get there first.
                await asyncio.wait([flight.task])

    def _land(self, key: tuple[str, int], flight: _Flight) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    async def _call(self, request: Request, sent: bytes, key: tuple[str, int], role: str) -> Reply:
        found = await self._ledger.find(*key)
        if found is not None and found.status == "settled" and found.reply is not None:
            return found.reply
        row = CallRow(
            request_sha256=key[0],
            sample=key[1],
            role=role,
            model=request.model,
            prompt_id=request.prompt_id,
            status="reserved",
            reserved_usd=self._worst_case(request),
        )
        await self._ledger.reserve(row, sent)
        reply = await self._client.complete(request, sample=key[1])
        if reply.status == "error":
            raise ProviderError(f"{request.model}: {reply.text}")
        await self._settle(row.model_copy(update={"status": "settled", "usd": reply.usage.usd, "reply": reply}))
        return reply

    async def _settle(self, row: CallRow) -> None:
        """Write the reply down even while being cancelled: it is paid for."""
        settling = asyncio.ensure_future(self._ledger.settle(row))
        try:
            await asyncio.shield(settling)
        except asyncio.CancelledError:
            await settling
            raise
