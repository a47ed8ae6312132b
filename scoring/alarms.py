"""What an item analysis has to say against an item, as findings.

A few models tell little: below 30 all of it is a hint, and no more than a warning. Source: SCORING 29.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from ..schemas.finding import Finding
from .itemanalysis import RARE, Analysed

Severity = Literal["error", "warning"]
MIN_BLIND = 2
"""One model alone is right without the clip by luck."""


def alarms(analysed: Iterable[Analysed], blind: Mapping[str, tuple[float, ...]]) -> list[Finding]:
    """In order of item. `blind`: each model's credit for the item when it saw no clip; items may be missing."""
    return [found for one in analysed for found in _alarms(one, blind.get(one.item, ()))]


def _alarms(one: Analysed, blind: tuple[float, ...]) -> Iterator[Finding]:
    severity: Severity = "warning" if one.exploratory else "error"
    if len(blind) >= MIN_BLIND and min(blind) == 1:
        message = f"all {len(blind)} models answer right without the clip"
        yield _finding("right-without-clip", message, one, severity)
    if one.miskey:
        shares = ", ".join(f"{foil} ({_share(one.foils[foil][2])})" for foil in one.miskey)
        message = f"of the strongest third of models, more choose {shares} than the key"
        yield _finding("key-doubted", message, one, severity)
    if one.discrimination.value is not None and one.discrimination.value < 0:
        message = f"models that are right here are wrong elsewhere: discrimination {one.discrimination.value:.2f}"
        yield _finding("discrimination-negative", message, one, severity)
    if one.rare_foils:
        message = f"fewer than {_share(RARE)} of models choose {', '.join(one.rare_foils)}"
        yield _finding("foil-unused", message, one, "warning")


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


def _finding(code: str, message: str, one: Analysed, severity: Severity) -> Finding:
    return Finding(code=code, message=message, place=one.item, severity=severity)
