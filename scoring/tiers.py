"""How directly labels can be checked: share of each grounding tier, by capability.

Source: SCORING 27; SocialReasonBench 3, J.3.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

TIERS = ("A", "B", "AB", "C")


class TierProfile(NamedTuple):
    """Shares of one capability's items, in [0, 1]; a tier that none has is 0."""

    n: int
    shares: dict[str, float]

    def grounded(self) -> float:
        """Share whose label rests on the clip or the flowchart themselves: all but C."""
        return sum(share for tier, share in self.shares.items() if tier != "C")


def profiles(tiers: Iterable[tuple[str, str]]) -> dict[str, TierProfile]:
    """By capability, from (capability, tier) of each item; `all` holds every item. Empty for no items."""
    counts: dict[str, Counter[str]] = {}
    for capability, tier in tiers:
        for group in ("all", capability):
            counts.setdefault(group, Counter())[tier] += 1
    return {group: _profile(own) for group, own in sorted(counts.items())}


def _profile(counts: Counter[str]) -> TierProfile:
    names = dict.fromkeys((*TIERS, *sorted(counts)))
    return TierProfile(counts.total(), {tier: counts[tier] / counts.total() for tier in names})
