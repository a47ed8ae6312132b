"""How many calls to one provider may be under way: one more for each round of successes, half as many when crowded.

Additive increase, multiplicative decrease (Chiu and Jain 1989, doi:10.1016/0169-7552(89)90019-6). It begins at the most
that is allowed: the provider says soon enough where that is too many.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Limiter:
    """At most `most` calls at once, fewer while the provider says that it is crowded."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.allowed = float(most)
        """Calls allowed at once; its whole part counts."""
        self.busy = 0
        self._halvings = 0
        self._closed_until = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[int]:
        """Wait for a place; first come, first served. Yields a ticket for `crowded`."""
        if self._free and not self._waiting:
            self.busy += 1
        else:
            await self._turn()
        try:
            while (closed := self._closed_until - asyncio.get_running_loop().time()) > 0:
                await asyncio.sleep(closed)
            yield self._halvings
        finally:
            self._leave()

    def succeeded(self) -> None:
        self.allowed = min(float(self.most), self.allowed + 1 / self.allowed)
        self._grant()

    def crowded(self, ticket: int, wait: float = 0.0) -> None:
        """The provider turned a call down, and asks to wait so many seconds. Calls that were under way when the limit
        was last halved do not halve it again: they say the same thing twice."""
        if ticket == self._halvings:
            self.allowed = max(1.0, self.allowed / 2)
            self._halvings += 1
        self._closed_until = max(self._closed_until, asyncio.get_running_loop().time() + wait)

    @property
    def _free(self) -> bool:
        return self.busy < int(self.allowed)

    async def _turn(self) -> None:
        """Wait until a place was handed over."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        self.busy -= 1
        self._grant()

    def _grant(self) -> None:
        while self._waiting and self._free:
            turn = self._waiting.popleft()
            if not turn.done():
                self.busy += 1
                turn.set_result(None)
