"""A local server that speaks the OpenAI protocol, or any other over HTTP, from a script.

It runs its own event loop in a thread. Who uses it says, for each request, what comes back: late, wrong or cut off.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple, Self


class Got(NamedTuple):
    """A request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Turn:
    """What comes back. `body` may be text, bytes, or JSON types."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before the first byte."""
    cut: int | None = None
    """The connection breaks after so many bytes of the body."""
    drip: float = 0.0
    """Seconds between one tenth of the body and the next."""
    hang_up: bool = False
    """The connection breaks without a byte."""

    @property
    def bytes(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


Answer = Callable[[Got, int], Turn]
"""From a request and its number, from 0, to what comes back."""


class Server:
    """Listens on a free port of this machine while it is entered. `got` has every request in order of arrival."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.got: list[Got] = []
        self.at_once = 0
        """The most requests that were being answered at the same time."""
        self._open = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._connections: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _stop(self) -> None:
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while (got := await self._read(reader)) and await self._reply(got, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Got | None:
        first = (await reader.readline()).decode().split()
        if not first:
            return None
        headers = {}
        while line := (await reader.readline()).decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        if headers.get("transfer-encoding") == "chunked":
            body = await self._chunks(reader)
        else:
            body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Got(first[0], first[1], headers, body)

    async def _chunks(self, reader: asyncio.StreamReader) -> bytes:
        body = b""
        while size := int((await reader.readline()).strip(), 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
        return body

    async def _reply(self, got: Got, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection goes on."""
        number = len(self.got)
        self.got.append(got)
        self._open += 1
        self.at_once = max(self.at_once, self._open)
        try:
            turn = self.answer(got, number)
            await asyncio.sleep(turn.delay)
            if turn.hang_up:
                return False
            body = turn.bytes
            headers = {"content-type": "application/json", "content-length": str(len(body)), **turn.headers}
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            writer.write(f"HTTP/1.1 {turn.status} X\r\n{head}\r\n".encode())
            sent = body if turn.cut is None else body[: turn.cut]
            size = max(1, len(sent) // 10) if turn.drip else max(1, len(sent))
            for place in range(0, len(sent), size):
                writer.write(sent[place : place + size])
                await writer.drain()
                await asyncio.sleep(turn.drip)
            return turn.cut is None
        finally:
            self._open -= 1


def said(
    text: str | None, finish: str = "stop", tokens: tuple[int, int] = (10, 5), **message: object
) -> dict[str, Any]:
    """A chat completion."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        ],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
    }


def refused(message: str, kind: str = "server_error") -> dict[str, Any]:
    """The body of an error."""
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}
