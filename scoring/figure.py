"""A figure that may be undefined: then it is None, with the reason, and never 0."""

from typing import NamedTuple


class Figure(NamedTuple):
    value: float | None
    reason: str = ""
    """Why the value is None; may also say what a defined value rests on."""


def undefined(reason: str) -> Figure:
    return Figure(None, reason)


def quotient(part: float, whole: float, reason: str) -> Figure:
    """`part / whole`; undefined for the reason given where `whole` is 0."""
    return Figure(part / whole) if whole else undefined(reason)
