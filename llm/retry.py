"""When a call is made again, and after how long: exponential backoff with jitter, never before the provider says."""

from dataclasses import dataclass, field
from random import Random

from ..errors import ProviderError


@dataclass(frozen=True)
class Retry:
    """How often one call is tried. `random` is the only source of jitter: pass a seeded generator."""

    random: Random = field(default_factory=lambda: Random(0))
    attempts: int = 4
    """At most so many, the first included."""
    base: float = 1.0
    """Seconds after the first failure; doubled after each further one. 0: at once."""
    longest: float = 60.0
    """Seconds; no longer pause of our own."""
    patience: float = 300.0
    """Seconds; a provider that asks to wait longer ends the run instead."""

    def again(self, error: ProviderError, attempt: int) -> bool:
        """Whether to try once more after attempt number `attempt` (from 1) failed."""
        return error.passing and attempt < self.attempts and error.wait <= self.patience

    def pause(self, error: ProviderError, attempt: int) -> float:
        """Seconds to wait before that: half of the backoff is fixed, half is jitter; at least what was asked for."""
        backoff = min(self.longest, self.base * 2.0 ** (attempt - 1))
        return max(error.wait, backoff * (1 + self.random.random()) / 2)


ONCE = Retry(attempts=1)
