"""Serves a review on an address and tells the links."""

from collections.abc import Callable
from typing import NamedTuple

from ..errors import UsageError
from .folder import Project
from .review import EXTRA, Asked, opened


class Address(NamedTuple):
    host: str = "127.0.0.1"
    port: int = 8765
    """0 takes a free one."""
    expose: bool = False
    """Whether other machines may reach it."""


def serve(project: Project, asked: Asked, address: Address, links: Callable[[dict[str, str]], None]) -> None:
    """Serve until SIGINT or SIGTERM. `links` is told each reviewer's link once the server answers.

    Raises what `review.opened` raises, and `UsageError` for an address that cannot be listened on.
    """
    try:
        from ..review.server import address_of, listen, run
    except ModuleNotFoundError:
        raise UsageError(EXTRA) from None
    with opened(project, asked) as review, listen(*address) as bound:
        base = f"http://{address_of(bound)}"

        def tell() -> None:
            links({who: f"{base}/enter?token={token}" for who, token in sorted(review.links.items())})

        run(review.site, bound, tell)
