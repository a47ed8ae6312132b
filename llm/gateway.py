"""The one door to any model: every call is written down before it is sent and again before its reply is seen.

The key of a call is (request hash, sample), and the request's hash covers prompt, model, parameters and media. A
settled call is never made again: the ledger is the cache. What came back empty, refused, cut off, or as something that
was not asked for is paid for and never served again. An attempt that was cancelled leaves its row `reserved`: nobody
knows whether it was charged, so it counts at its worst case, and the next one who asks reserves anew and calls again.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from ..errors import ProviderError
from ..schemas.base import canonical, sha256
from ..schemas.call import CallRow, Reply, Request
from .client import Client, Ledger
from .limits import Limiter
from .meter import Meter
from .purse import Purse
from .retry import ONCE, Retry

Key = tuple[str, int]
Usable = Callable[[Reply], bool]
WorstCase = Callable[[Request], float]
"""What a request may cost at most, in US dollars."""


def free(request: Request) -> float:
    """The worst case of a client that costs nothing."""
    return 0.0


def whole(reply: Reply) -> bool:
    """Whether a reply may be served again: neither refused nor cut off nor empty."""
    return reply.status == "ok" and bool(reply.text.strip())


@dataclass(frozen=True)
class Manners:
    """How calls are made. The limiter is one provider's, the purse one ledger's: gateways share them."""

    worst_case: WorstCase = free
    retry: Retry = ONCE
    limiter: Limiter = field(default_factory=lambda: Limiter(256))
    purse: Purse = field(default_factory=Purse)
    meter: Meter = field(default_factory=Meter)


@dataclass
class _Flight:
    """A call under way, and how many wait for it."""

    task: asyncio.Task[Reply]
    waiting: int = 0


class _Sending(NamedTuple):
    request: Request
    sent: bytes
    row: CallRow
    usable: Usable


class Gateway:
    """Calls `client` through `ledger`."""

    def __init__(self, client: Client, ledger: Ledger, manners: Manners | None = None) -> None:
        self._client = client
        self._ledger = ledger
        self._manners = manners or Manners()
        self._flights: dict[Key, _Flight] = {}

    @property
    def meter(self) -> Meter:
        return self._manners.meter

    async def complete(self, request: Request, *, sample: int, role: str, usable: Usable = whole) -> Reply:
        """The reply to a request. Equal keys in flight share one call, which ends when nobody waits for it any more.

        `usable` says, beside `whole`, whether a reply may be served again. Raises `ProviderError` when no reply could
        be had, `BudgetError` when the budget is spent.
        """
        sent = canonical(request)
        key = (sha256(sent), sample)
        flight = self._flights.get(key) or self._take_off(request, sent, key, role, usable)
        return await self._wait(key, flight)

    def _take_off(self, request: Request, sent: bytes, key: Key, role: str, usable: Usable) -> _Flight:
        row = CallRow(
            request_sha256=key[0],
            sample=key[1],
            role=role,
            model=request.model,
            prompt_id=request.prompt_id,
            prompt_sha256=request.prompt_sha256,
            status="reserved",
            reserved_usd=self._manners.worst_case(request),
        )
        task = asyncio.create_task(self._call(_Sending(request, sent, row, usable)))
        flight = self._flights[key] = _Flight(task)
        flight.task.add_done_callback(lambda _: self._land(key, flight))
        return flight

    async def _wait(self, key: Key, flight: _Flight) -> Reply:
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

    def _land(self, key: Key, flight: _Flight) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    async def _call(self, sending: _Sending) -> Reply:
        found = await self._ledger.find(sending.row.request_sha256, sending.row.sample)
        if found is not None and found.status == "settled" and found.reply is not None:
            await self._ledger.serve(sending.row.model_copy(update={"status": "settled", "cached": True}))
            self.meter.again()
            return found.reply
        for attempt in count(1):
            try:
                return await self._attempt(sending)
            except ProviderError as error:
                if not self._manners.retry.again(error, attempt):
                    raise
                await asyncio.sleep(self._manners.retry.pause(error, attempt))
        raise AssertionError("unreachable: the last attempt raises")

    async def _attempt(self, sending: _Sending) -> Reply:
        """Once; what came of it is written down after the place at the provider was given to the next one."""
        manners = self._manners
        async with AsyncExitStack() as reservation:
            async with manners.limiter.slot() as ticket:
                reserved = manners.purse.reserved(self._ledger, sending.row, sending.sent)
                await reservation.enter_async_context(reserved)
                started = time.monotonic()
                came = await self._send(sending, ticket)
            seconds = time.monotonic() - started
            if isinstance(came, ProviderError):
                await self._lose(sending.row, came, seconds)
                raise came
            await self._keep(sending, came, seconds)
            return came

    async def _send(self, sending: _Sending, ticket: int) -> Reply | ProviderError:
        self.meter.sent()
        try:
            reply = await self._client.complete(sending.request, sample=sending.row.sample)
        except BaseException as error:
            self.meter.lost()
            if not isinstance(error, ProviderError):
                raise
            if error.crowded:
                self._manners.limiter.crowded(ticket, error.wait)
            return error
        self._manners.limiter.succeeded()
        return reply

    async def _lose(self, row: CallRow, error: ProviderError, seconds: float) -> None:
        lost = {"status": "unknown", "usd": row.reserved_usd} if error.charged else {"status": "failed", "usd": 0.0}
        await self._settle(row.model_copy(update=lost | {"seconds": seconds}))

    async def _keep(self, sending: _Sending, reply: Reply, seconds: float) -> None:
        status = "settled" if whole(reply) and sending.usable(reply) else "spoilt"
        paid = {"status": status, "usd": reply.usage.usd, "reply": reply, "seconds": seconds}
        try:
            await self._settle(sending.row.model_copy(update=paid))
        finally:
            self.meter.came(reply)

    async def _settle(self, row: CallRow) -> None:
        """Write down what became of a call even while being cancelled: it may be paid for."""
        settling = asyncio.ensure_future(self._ledger.settle(row))
        try:
            await asyncio.shield(settling)
        except asyncio.CancelledError:
            await settling
            raise
