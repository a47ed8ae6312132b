"""Runs the site on one address until it is stopped. Loopback unless somebody says otherwise."""

import asyncio
import socket
from collections.abc import Callable
from ipaddress import ip_address
from typing import TYPE_CHECKING

from ..errors import UsageError
from .app import Site

if TYPE_CHECKING:
    import uvicorn

GRACE = 5
"""Seconds that open requests are given at the end."""


def listen(host: str, port: int, expose: bool) -> socket.socket:
    """A bound socket. Raises `UsageError` for an address beyond this machine that was not asked for, or one in use."""
    try:
        address = ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise UsageError(f"host {host!r} is no address; give 127.0.0.1, or an address of this machine") from None
    if not address.is_loopback and not expose:
        raise UsageError(f"{host} can be reached from other machines; --expose says that this is meant")
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    # The protocol is named, or asyncio would not switch off the delay of small packets: 40 ms an answer.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((str(address), port))
    except OSError as error:
        bound.close()
        raise UsageError(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}") from None
    return bound


def address_of(bound: socket.socket) -> str:
    """`host:port` as a browser writes it."""
    host, port = bound.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def hosts_of(bound: socket.socket) -> frozenset[str]:
    """Values of Host that the server answers to: the address itself, and localhost for a loopback one."""
    host, port = bound.getsockname()[:2]
    names = {address_of(bound)}
    if ip_address(host).is_loopback:
        names.add(f"localhost:{port}")
    return frozenset(names)


def server_of(site: Site, bound: socket.socket) -> "uvicorn.Server":
    """A server that names neither itself nor the time, and trusts no proxy."""
    import uvicorn

    config = uvicorn.Config(
        site.app(hosts_of(bound)), log_level="warning", access_log=False, lifespan="off", server_header=False,
        date_header=False, timeout_graceful_shutdown=GRACE, h11_max_incomplete_event_size=32 * 1024, http="h11",
        proxy_headers=False, ws="none", timeout_keep_alive=75,
    )  # fmt: skip
    return uvicorn.Server(config)


def run(site: Site, bound: socket.socket, started: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM. `started` is called once the server answers."""

    async def serve() -> None:
        server = server_of(site, bound)
        task = asyncio.create_task(server.serve(sockets=[bound]))
        while not (server.started or task.done()):
            await asyncio.sleep(0.01)
        started()
        await task

    asyncio.run(serve())
