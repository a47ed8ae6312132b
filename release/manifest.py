"""What the manifest holds that follows from the rest of the release."""

import uuid
from collections import Counter

from ..schemas.base import digest
from .rows import Joined


def canary(name: str, version: str, seed: int) -> str:
    """A string found nowhere else, so that a model which knows it has seen this release in training."""
    return str(uuid.UUID(hex=digest("canary", name, version, seed)[:32]))


def count(counts: Counter[str], row: Joined, split: str = "") -> None:
    """Add one item to the counts of the manifest; `split` where there are several."""
    if row.item is not None:
        counts["items"] += 1
        if split:
            counts[f"split/{split}"] += 1
        counts[f"capability/{row.item.capability}"] += 1
        counts[f"interaction/{row.item.interaction}"] += 1
    if row.key is not None:
        counts[f"status/{row.key.status}"] += 1
