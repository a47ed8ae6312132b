"""Social Caption's holistic and directed analyses: six ratings of 1 to 5, added up; mean over raters, then videos."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .figure import Figure, undefined

HSA_ITEMS = ("scene description", "individuals", "topic and context", "socio-emotional analysis",
             "answer detail", "adherence to prompt")  # fmt: skip
DSA_ITEMS = ("relevant scene details", "relevant individuals", "relevant interactions", "relevant context",
             "answer detail", "adherence to prompt")  # fmt: skip
RUBRIC = range(1, 6)
ITEMS = 6


class Rated(NamedTuple):
    video: str
    rater: str
    items: tuple[int, ...]


def total(items: Sequence[int]) -> int:
    """Sum of six whole ratings of 1 to 5, in 6..30. Raises `ValueError` for anything else: ask the judge again, then
    count a judge error. Source: SCORING 17; Social Caption 3.1.2."""
    whole = all(isinstance(item, int) and not isinstance(item, bool) and item in RUBRIC for item in items)
    if len(items) != ITEMS or not whole:
        raise ValueError(f"{list(items)} are not six whole ratings of 1 to 5")
    return sum(items)


def by_video(ratings: Iterable[Rated]) -> dict[str, float]:
    """Mean total over the raters of each video, in order of video; the totals of a mixed model, too."""
    totals: dict[str, list[int]] = defaultdict(list)
    for rated in ratings:
        totals[rated.video].append(total(rated.items))
    return {video: sum(own) / len(own) for video, own in sorted(totals.items())}


def score(ratings: Iterable[Rated]) -> Figure:
    """Mean over videos of the mean over their raters, in 6..30; undefined for no ratings."""
    videos = by_video(ratings)
    return Figure(sum(videos.values()) / len(videos)) if videos else undefined("no ratings")


def item_means(ratings: Sequence[Rated], names: Sequence[str]) -> Mapping[str, float]:
    """Mean of each of the six items over all ratings, in 1..5. Empty for no ratings."""
    return {
        name: sum(rated.items[place] for rated in ratings) / len(ratings) for place, name in enumerate(names) if ratings
    }
