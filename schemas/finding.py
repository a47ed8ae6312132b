"""A finding: something that a gate, a lint or `verify` has to say of an item or a file."""

from typing import Literal

from .base import Record, classed


class Finding(Record):
    code: str = classed("public")
    """Kebab-case, listed in `docs/findings.md`."""
    message: str = classed("public")
    place: str = classed("public", "")
    """Item id, option id or file."""
    severity: Literal["error", "warning"] = classed("public", "error")
