"""From what a provider answered instead of a reply to the one error of ours, and what follows from it.

429, 5xx and time-outs pass; other 4xx do not. What was turned down was not charged; what broke on the way may have
been.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from ..errors import ProviderError

TIMEOUT = 408
TURNED_DOWN = 429
CROWDED = frozenset({TURNED_DOWN, 503, 529})
EVERYWHERE = frozenset({401, 402, 403, 404})
SPENT = ("insufficient_quota", "exceeded your current quota", "billing")
"""Words of a 429 that no waiting helps against."""
LONGEST = 300
"""Characters of the provider's own words."""


class Secrets:
    """Keys that must not be seen: `hide` takes them out of any text."""

    def __init__(self, *keys: str | None) -> None:
        self._keys = sorted({key for key in keys if key}, key=len, reverse=True)

    def hide(self, text: str) -> str:
        for key in self._keys:
            text = text.replace(key, "[key]")
        return text


def failure(
    model: str, status: int, said: str, headers: Mapping[str, str] | None = None, *, wait: float = 0.0
) -> ProviderError:
    """The error for an HTTP status other than 2xx. `said` is what came with it, without keys."""
    words = one_line(said)
    if status == TURNED_DOWN and any(word in words for word in SPENT):
        return ProviderError(f"{model}: {status} {words}", passing=False, charged=False, everywhere=True)
    passing = status >= 500 or status in (TIMEOUT, TURNED_DOWN)
    return ProviderError(
        f"{model}: {status} {words}",
        passing=passing,
        charged=passing and status != TURNED_DOWN,
        crowded=status in CROWDED,
        everywhere=status in EVERYWHERE,
        wait=max(wait, retry_after(headers or {}, datetime.now(UTC))),
    )


def unreachable(model: str, said: str) -> ProviderError:
    """No connection was made, so nothing was sent."""
    return ProviderError(f"{model}: cannot be reached: {one_line(said)}", charged=False, everywhere=True)


def broken(model: str, said: str) -> ProviderError:
    """Something went wrong after the request was sent: a time-out, a connection cut, a body that is no reply."""
    return ProviderError(f"{model}: {one_line(said)}")


def one_line(text: str) -> str:
    return " ".join(text.split())[:LONGEST]


def retry_after(headers: Mapping[str, str], now: datetime) -> float:
    """Seconds that the headers ask to wait: `retry-after-ms`, or `retry-after` in seconds or as a date; else zero."""
    plain = {name.lower(): value for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(plain.get(name, "")) / unit
        except ValueError:
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else 0.0
    try:
        when = parsedate_to_datetime(plain.get("retry-after", ""))
    except ValueError:
        return 0.0
    return max(0.0, ((when if when.tzinfo else when.replace(tzinfo=UTC)) - now).total_seconds())
