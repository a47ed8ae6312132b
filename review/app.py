"""The routes. Each answers for one reviewer, known by the session; nothing of a request names one.

An answer holds what `desk.py` gives for that person's stage and nothing else; what goes wrong is said in one line that
holds no path and no value of ours.
"""

import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..errors import BenchwrightError
from ..pages.render import part
from ..schemas.review import LONGEST, MODES, Mode, Saving
from .desk import ConflictError, Desk, MissingError, SaveError
from .media import Clips, respond
from .security import COOKIE, Doorkeeper, Sessions

Handler = Callable[[Request], Awaitable[Response]]
ASSETS: Mapping[str, tuple[str, str]] = {
    "/review.js": ("review.js", "text/javascript; charset=utf-8"),
    "/player.js": ("player.js", "text/javascript; charset=utf-8"),
    "/review.css": ("review.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
ENTERED = (
    '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Review</title>'
    '<meta http-equiv="refresh" content="0; url=/"><p><a href="/">Go on to the review.</a>'
)
"""A page of our own goes on to the next one: after a redirect from elsewhere no strict cookie would be sent."""
SPENT = (
    '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Review</title>'
    "<p>This link was used before, or is none. Each link works once: ask whoever runs the review for another one."
)


class Changes(NamedTuple):
    """How items are edited from the page. All of it runs in threads; raises `BenchwrightError`."""

    edit: Callable[[str, str], dict[str, Any]]
    """(slot, text of an item file) → what became of it."""
    template: Callable[[str], str]
    """Slot → the item as a file that `edit` reads."""
    anew: Callable[[], Desk]
    """The desk as the store has it now."""


class Site:
    """The pages of one review."""

    def __init__(self, desk: Desk, sessions: Sessions, clips: Clips, changes: Changes | None = None) -> None:
        self._desk, self._sessions, self._clips, self._changes = desk, sessions, clips, changes
        self._granted: dict[str, set[str]] = defaultdict(set)
        page = files(__package__).joinpath("templates")
        self._page = page.joinpath("review.html").read_bytes()
        self._assets = {path: (page.joinpath(name).read_bytes(), kind) for path, (name, kind) in ASSETS.items()}
        self._assets["/page.css"] = (part("page.css").encode(), "text/css; charset=utf-8")

    def app(self, hosts: frozenset[str]) -> Doorkeeper:
        """The whole as an ASGI application that answers to these values of Host."""
        routes = [
            Route("/", self._guarded(self.index)),
            Route("/enter", self.enter),
            *(Route(path, self.asset) for path in self._assets),
            Route("/api/me", self._guarded(self.me)),
            Route("/api/next", self._guarded(self.next), methods=["POST"]),
            Route("/api/task/{task}", self._guarded(self.task), methods=["GET", "POST"]),
            Route("/api/task/{task}/item", self._guarded(self.item), methods=["GET", "POST"]),
            Route("/media/{media}", self._guarded(self.media)),
        ]
        return Doorkeeper(Starlette(routes=routes, exception_handlers={404: _missing, 405: _missing}), hosts)

    def _guarded(self, handler: Callable[[Request, str], Awaitable[Response]]) -> Handler:
        async def guarded(request: Request) -> Response:
            reviewer = self._sessions.reviewer(request.cookies)
            if reviewer is None:
                return _error(401, "open the link that you were given")
            try:
                return await handler(request, reviewer)
            except MissingError:
                return _error(404, "there is no such task for you")
            except SaveError as refused:
                return _error(422, refused.problem)
            except ConflictError as conflict:
                self._grant(reviewer, conflict.state)
                return JSONResponse({"error": conflict.reason, "state": conflict.state}, 409)
            except ClientDisconnect:
                return _error(413, "too much at once")
            except BenchwrightError as error:
                return _error(409, str(error))

        return guarded

    async def enter(self, request: Request) -> Response:
        """Exchange a token for a session."""
        session = self._sessions.exchange(request.query_params.get("token", ""))
        if session is None:
            if self._sessions.reviewer(request.cookies):
                return RedirectResponse("/", 303)
            return Response(SPENT, 403, media_type="text/html")
        answer = Response(ENTERED, media_type="text/html")
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, session, httponly=True, samesite="strict", secure=secure, path="/")
        return answer

    async def index(self, request: Request, reviewer: str) -> Response:
        return Response(self._page, media_type="text/html")

    async def asset(self, request: Request) -> Response:
        body, kind = self._assets[request.url.path]
        return Response(body, headers={"content-type": kind})

    async def me(self, request: Request, reviewer: str) -> Response:
        return JSONResponse(self._desk.overview(reviewer) | {"edits": self._changes is not None})

    async def next(self, request: Request, reviewer: str) -> Response:
        asked = await _json(request)
        mode = asked.get("mode")
        if mode not in MODES:
            return _error(422, "there is no such mode")
        found = await self._desk.next(reviewer, _mode(mode), str(asked.get("after", ""))[:64])
        return self._told(reviewer, found)

    async def task(self, request: Request, reviewer: str) -> Response:
        task = request.path_params["task"]
        if request.method == "GET":
            return self._told(reviewer, await self._desk.open(reviewer, task))
        try:
            saving = Saving.model_validate(await _json(request))
        except ValidationError as error:
            return _error(422, _first(error))
        return self._told(reviewer, await self._desk.act(reviewer, task, saving))

    async def item(self, request: Request, reviewer: str) -> Response:
        """The item behind a task as a file, and a new version of it: for those who see it whole."""
        slot = self._desk.editable(reviewer, request.path_params["task"])
        if self._changes is None:
            return _error(404, "items cannot be edited here")
        if request.method == "GET":
            return JSONResponse({"text": await run_in_threadpool(self._changes.template, slot)})
        asked = await _json(request)
        self._desk.current(slot, str(asked.get("item_hash", "")))
        made = await run_in_threadpool(self._changes.edit, slot, str(asked.get("text", "")))
        self._desk.renew(await run_in_threadpool(self._changes.anew))
        return JSONResponse(made)

    async def media(self, request: Request, reviewer: str) -> Response:
        media = request.path_params["media"]
        if media not in self._granted[reviewer]:
            return _error(404, "there is no such clip for you")
        try:
            path = await run_in_threadpool(self._clips.file, media)
        except TimeoutError:
            return JSONResponse({"error": "the clip is being made"}, 503, {"retry-after": "1"})
        return respond(request, path) if path else _error(404, "the clip cannot be played")

    def _told(self, reviewer: str, state: dict[str, Any] | None) -> Response:
        self._grant(reviewer, state or {})
        return JSONResponse(state)

    def _grant(self, reviewer: str, state: dict[str, Any]) -> None:
        """Whoever was told of a clip may play it."""
        told = [(state.get("public") or {}).get("media"), (state.get("behind") or {}).get("context")]
        self._granted[reviewer] |= {media for media in told if media}


async def _json(request: Request) -> dict[str, Any]:
    """The object that was sent. Raises `SaveError` for anything else."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise SaveError("expected JSON") from None
    if not isinstance(found, dict):
        raise SaveError("expected a JSON object")
    return found


def _mode(name: str) -> Mode:
    return next(mode for mode in MODES if mode == name)


def _first(error: ValidationError) -> str:
    """What is wrong first, without what was sent."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(piece) for piece in first["loc"])[:80]
    if first["type"] == "string_too_long":
        return f"{place}: longer than {LONGEST} characters"
    return f"{place}: {first['msg']}"[:200]


def _error(status: int, problem: str) -> JSONResponse:
    return JSONResponse({"error": problem}, status)


async def _missing(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return _error(status, "there is nothing here" if status == 404 else "method not allowed")
