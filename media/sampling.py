"""Which moments of a stretch of video are shown as pictures to a model that takes no video."""

from collections.abc import Sequence
from typing import Literal

from ..schemas.base import seconds
from ..schemas.clip import Span

MOST = 64
"""Pictures at one a second. Source: PsycheMME 4, App. D.2."""
EVENLY = 32
"""Pictures of every stretch, however long. Source: SocialReasonBench, App. on input configurations."""


def moments(span: Span, how: Literal["1fps", "32"]) -> Sequence[float]:
    """Seconds of the video: the middles of equal parts. One part a second, at least one and at most 64; or 32."""
    return middles(span, EVENLY if how == "32" else min(MOST, max(1, round(span.duration))))


def middles(span: Span, count: int) -> Sequence[float]:
    """Seconds of the video: the middles of `count` equal parts of a span, `count` at least 1."""
    part = span.duration / count
    return [seconds(span.start + (number + 0.5) * part) for number in range(count)]


def midpoint(span: Span) -> float:
    return seconds((span.start + span.end) / 2)
