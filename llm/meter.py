"""What a run's calls come to so far, for whoever watches it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ..schemas.call import Reply


@dataclass
class Meter:
    """Counts of one process; the ledger has those of the whole project. `watch` is called after each change."""

    calls: int = 0
    """Calls that got a reply."""
    served: int = 0
    """Replies that were there already."""
    failed: int = 0
    """Attempts without a reply."""
    malformed: int = 0
    """Replies that were not what had been asked for, even after a correction."""
    under_way: int = 0
    usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    watch: Callable[[], None] = field(default=lambda: None, repr=False)

    def sent(self) -> None:
        self.under_way += 1
        self.watch()

    def came(self, reply: Reply) -> None:
        self.under_way -= 1
        self.calls += 1
        self.usd += reply.usage.usd
        self.input_tokens += reply.usage.input_tokens
        self.output_tokens += reply.usage.output_tokens
        self.watch()

    def lost(self) -> None:
        self.under_way -= 1
        self.failed += 1
        self.watch()

    def again(self) -> None:
        self.served += 1
        self.watch()

    def told(self) -> str:
        """One line: `34 calls (4 under way, 2 served again), 0.1200 USD`."""
        beside = {"under way": self.under_way, "served again": self.served, "failed": self.failed}
        shown = ", ".join(f"{count} {name}" for name, count in beside.items() if count)
        return f"{self.calls} calls{f' ({shown})' if shown else ''}, {self.usd:.4f} USD"
