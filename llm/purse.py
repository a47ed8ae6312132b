"""Reservations in flight: a budget that is taken is not yet spent.

Each holds its worst case, which is more than the call will cost. Whoever finds the budget taken waits for one of them
to come back before he gives up, so that a run stops only when what is left is too little.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..errors import BudgetError
from ..schemas.call import CallRow
from .client import Ledger


class Purse:
    """Shared by all gateways on one ledger."""

    def __init__(self) -> None:
        self._open = 0
        """Calls that are reserved, or about to be."""
        self._returned = 0
        """Calls that have come back."""
        self._waiting: set[asyncio.Future[None]] = set()

    @asynccontextmanager
    async def reserved(self, ledger: Ledger, row: CallRow, request: bytes) -> AsyncIterator[None]:
        """Reserve a call, for as long as it is under way. Raises `BudgetError` where nothing is that may come back."""
        while not await self._reserve(ledger, row, request):
            pass
        try:
            yield
        finally:
            self._open -= 1
            self._returned += 1
            self._wake()

    async def _reserve(self, ledger: Ledger, row: CallRow, request: bytes) -> bool:
        """False where the budget was taken, and something has come back since."""
        returned = self._returned
        self._open += 1
        try:
            await ledger.reserve(row, request)
            return True
        except BaseException as error:
            self._open -= 1
            if not self._open:
                # Whoever waits for this one finds nothing under way either.
                self._wake()
            if not isinstance(error, BudgetError) or (not self._open and self._returned == returned):
                raise
        if self._returned == returned:
            await self._return()
        return False

    async def _return(self) -> None:
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            await waiting
        finally:
            self._waiting.discard(waiting)

    def _wake(self) -> None:
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()
