"""The conditions under which a model is run: which parts of a record it is shown."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..errors import UsageError


class Condition(NamedTuple):
    """Question and options are always shown; `scene` is the clip's transcript, `background` and `history` go with it.

    A clip without video has nothing but its transcript: there `transcript-only` shows what `full` shows, by the same
    bytes, and costs no second call.
    """

    scene: bool
    video: bool


CONDITIONS: Mapping[str, Condition] = MappingProxyType(
    {
        "full": Condition(scene=True, video=True),
        "question-only": Condition(scene=False, video=False),
        "transcript-only": Condition(scene=True, video=False),
    }
)


def named(name: str) -> Condition:
    """The condition of that name. Raises `UsageError` with the names there are."""
    if name not in CONDITIONS:
        raise UsageError(f"there is no condition {name!r}; there are {', '.join(CONDITIONS)}")
    return CONDITIONS[name]
