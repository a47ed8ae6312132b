"""What people said of an item. An approval binds to the item's hash: any edit voids it."""

from typing import Literal

from .base import Record, classed


class Approval(Record):
    item_id: str = classed("backend")
    item_hash: str = classed("reference")
    reviewer: str = classed("backend")
    """Opaque id of the person."""
    decision: Literal["approve", "reject"] = classed("backend")
    reason: str = classed("backend", "")
