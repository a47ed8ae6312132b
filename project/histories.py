"""The records of a release as a condition shows them: with their own history, none, or that of somebody else.

Whose history stands in depends on public fields and the seed alone: an episode is known to those who hold the answers,
so clips change places, and two clips that share a history count as one. Source: SCORING 26; PsycheMME App. J.
"""

from collections.abc import Mapping, Sequence

from ..errors import UsageError
from ..evaluation.conditions import Condition
from ..schemas.base import digest
from ..schemas.release import ModelInput
from ..scoring.mismatch import partners


def under(inputs: Sequence[ModelInput], condition: Condition) -> list[ModelInput]:
    """The records in the same order. Raises `UsageError` for a condition of history where nobody has one, or where all
    share one and none can stand in.
    """
    told = [item for item in inputs if item.history]
    if "history" not in condition.name:
        return list(inputs)
    if not told:
        raise UsageError(f"{condition.name}: no item of the release has a history")
    if condition.history != "mismatched" or condition.seed is None:
        return list(inputs)
    other = _stand_ins(told, condition.seed)
    return [item.model_copy(update={"history": other[item.id]}) if item.history else item for item in inputs]


def _stand_ins(told: Sequence[ModelInput], seed: int) -> dict[str, tuple[str, ...]]:
    """Another group's history for each item."""
    groups = _groups(told)
    members: dict[str, list[ModelInput]] = {}
    for item in told:
        members.setdefault(groups[item.id], []).append(item)
    try:
        other = partners(list(members), seed)
    except ValueError:
        raise UsageError("all histories belong to one clip, or are the same: none can stand in for another") from None
    return {
        item.id: min(members[other[groups[item.id]]], key=lambda one: digest(seed, item.id, one.id)).history
        for item in told
    }


def _groups(told: Sequence[ModelInput]) -> Mapping[str, str]:
    """For each item the name of its group: items of one clip, or with one history, belong together, and so on."""
    first: dict[object, str] = {}
    parent = {item.id: item.id for item in told}

    def root(name: str) -> str:
        while parent[name] != name:
            name = parent[name]
        return name

    for item in sorted(told, key=lambda item: item.id):
        for shared in (item.clip.media, item.history):
            one, two = sorted((root(item.id), root(first.setdefault(shared, item.id))))
            parent[two] = one
    return {item.id: root(item.id) for item in told}
