"""What stands before every request: who may ask from where, how much may be sent, what a browser may do with an answer.

Refused early and without a word about what lies behind: a foreign Host (DNS rebinding), a write that no page of ours
made (Origin), a body that is too large, an unknown session. A link holds a token that works once and is exchanged
for a cookie that no script reads and no other site sends.
"""

import json
import secrets
from collections.abc import Iterable, Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY = 256 * 1024
"""Most bytes of a request."""
TOO_LARGE, LENGTHLESS = 413, 411
COOKIE = "benchwright_review"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = tuple(
    (name.encode(), value.encode())
    for name, value in {
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
        "cache-control": "no-store",
    }.items()
)


class Sessions:
    """One token a reviewer, each good for one exchange; sessions last as long as the server."""

    def __init__(self, reviewers: Iterable[str]) -> None:
        self._tokens = {secrets.token_urlsafe(32): reviewer for reviewer in reviewers}
        self._sessions: dict[str, str] = {}

    @property
    def tokens(self) -> Mapping[str, str]:
        """Token of each reviewer that has not been used yet."""
        return {reviewer: token for token, reviewer in self._tokens.items()}

    def exchange(self, token: str) -> str | None:
        """The session for a token, which is used up; None for one that is unknown."""
        known = next((one for one in self._tokens if secrets.compare_digest(one.encode(), token.encode())), None)
        if known is None:
            return None
        session = secrets.token_urlsafe(32)
        self._sessions[session] = self._tokens.pop(known)
        return session

    def reviewer(self, cookies: Mapping[str, str]) -> str | None:
        """Whose session a request belongs to."""
        return self._sessions.get(cookies.get(COOKIE, ""))


class Doorkeeper:
    """The outermost layer, in plain ASGI: nothing inside it runs for a request that it refuses."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if refusal := self._refusal(scope, headers):
            status, problem = refusal
            if status not in (TOO_LARGE, LENGTHLESS):
                await _drain(_bounded(receive))
            await answer.refuse(status, problem)
            return
        await self._app(scope, _bounded(receive), answer)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return 421, "this server does not answer to that name"
        if scope["method"] in ("GET", "HEAD"):
            return None
        if scope["method"] != "POST":
            return 405, "method not allowed"
        if headers.get("origin", "").lower() != f"{scope['scheme']}://{host}":
            return 403, "the request does not come from a page of this server"
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "expected application/json"
        length = headers.get("content-length", "")
        if not length.isdecimal() or "transfer-encoding" in headers:
            return LENGTHLESS, "say how long the request is"
        return (TOO_LARGE, "too much at once") if int(length) > BODY else None


class _Answer:
    """Sends on what comes, with our headers."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message.get("headers", ())}
            added = [pair for pair in HEADERS if pair[0] not in own]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await self._send(message)

    async def refuse(self, status: int, problem: str) -> None:
        body = json.dumps({"error": problem}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": body})


async def _drain(receive: Receive) -> None:
    """Read what was sent, so that whoever sent it gets to read the answer."""
    while (message := await receive())["type"] == "http.request" and message.get("more_body"):
        pass


def _bounded(receive: Receive) -> Receive:
    """Ends a request that sends more than it may, whatever length it states."""
    left = BODY

    async def bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        return message if left >= 0 else {"type": "http.disconnect"}

    return bounded
