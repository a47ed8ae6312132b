"""Clips over HTTP: by opaque id only, whole or one range of bytes, to those who may see them."""

import re
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from pathlib import Path
from queue import LifoQueue
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from ..schemas.base import digest
from ..schemas.clip import VideoSpan

CHUNK = 64 * 1024
RANGE = re.compile(r"bytes=(\d*)-(\d*)")
PATIENCE = 0.3
"""Seconds that a request waits for a clip that is not there yet."""
CONTEXT = 15.0
"""Seconds before and after a clip that an expert may play as well."""


class Cut(NamedTuple):
    """A stretch of a source's video, and whether only those who may see behind an item may play it."""

    source_id: str
    start: float
    end: float
    behind: bool


class Clips:
    """Knows every clip that a page has been told of. Files are made when they are first asked for, the last one first:
    whoever moved on does not wait for what was left behind, and no request waits for long."""

    def __init__(self, seed: int, cut: Callable[[Cut], Path | None], known: Callable[[str], bool]) -> None:
        self._seed, self._cut, self._known = seed, cut, known
        self._cuts: dict[str, Cut] = {}
        self._made: dict[str, Future[Path | None]] = {}
        self._wanted: LifoQueue[str] = LifoQueue()
        self._door = threading.Lock()

    def __call__(self, span: VideoSpan | None, context: bool) -> str | None:
        if span is None or not self._known(span.source_id):
            return None
        around = CONTEXT if context else 0.0
        cut = Cut(span.source_id, max(0.0, span.start - around), span.end + around, context)
        media = "m" + digest(self._seed, "media", *map(str, cut))[:24]
        self._cuts[media] = cut
        return media

    def file(self, media: str) -> Path | None:
        """Where a clip lies; None for an id that was never told, or a video that is gone. Raises `TimeoutError` while
        the clip is being made."""
        if media not in self._cuts:
            return None
        with self._door:
            if not self._made:
                threading.Thread(target=self._work, name="clips", daemon=True).start()
            made = self._made.setdefault(media, Future())
            if not made.done():
                self._wanted.put(media)
        return made.result(PATIENCE)

    def _work(self) -> None:
        while True:
            media = self._wanted.get()
            if not self._made[media].done():
                self._made[media].set_result(self._cut(self._cuts[media]))


def respond(request: Request, path: Path) -> Response:
    """200 with the whole file, 206 with one range of it, 416 for ranges that are none, or more than one."""
    size = path.stat().st_size
    headers = {"accept-ranges": "bytes", "content-type": "video/mp4"}
    asked = request.headers.get("range")
    if asked is None:
        return _part(request, path, 0, size - 1, 200, headers)
    match = RANGE.fullmatch(asked.strip())
    bounds = _bounds(match[1], match[2], size) if match else None
    if bounds is None:
        return JSONResponse({"error": "no such range"}, 416, {"content-range": f"bytes */{size}"})
    start, end = bounds
    return _part(request, path, start, end, 206, headers | {"content-range": f"bytes {start}-{end}/{size}"})


def _bounds(first: str, last: str, size: int) -> tuple[int, int] | None:
    if len(first) > 18 or len(last) > 18 or not (first or last):
        return None
    if not first:
        start, end = max(0, size - int(last)), size - 1
        return (start, end) if int(last) else None
    start, end = int(first), min(int(last), size - 1) if last else size - 1
    return (start, end) if start < size and start <= end else None


def _part(request: Request, path: Path, start: int, end: int, status: int, headers: dict[str, str]) -> Response:
    length = end - start + 1
    headers = headers | {"content-length": str(length)}
    if request.method == "HEAD":
        return Response(None, status, headers)
    return StreamingResponse(_bytes(path, start, length), status, headers)


async def _bytes(path: Path, start: int, length: int) -> AsyncIterator[bytes]:
    from anyio import open_file

    async with await open_file(path, "rb") as file:
        await file.seek(start)
        while length > 0 and (chunk := await file.read(min(CHUNK, length))):
            length -= len(chunk)
            yield chunk
