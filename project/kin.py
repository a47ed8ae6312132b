"""Which sources belong together: a story and every video that shows it, and files with the same bytes.

What is made from one of them is never in two splits, nor in training data and a benchmark.
"""

from collections.abc import Iterable, Mapping, Sequence

from ..schemas.clip import Clip
from ..schemas.item import Slot


def kin(shown: Sequence[tuple[str, ...]], hashes: Mapping[str, str]) -> dict[str, str]:
    """For each source the least id of its group. `shown` are the sources of each item, `hashes` those of all files."""
    parent = {name: name for names in shown for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            name = parent[name]
        return name

    def join(names: Iterable[str]) -> None:
        first, *others = sorted({root(name) for name in names})
        for other in others:
            parent[other] = first

    by_hash: dict[str, list[str]] = {}
    for name in parent:
        by_hash.setdefault(hashes[name], []).append(name)
    for names in [*shown, *by_hash.values()]:
        join(names)
    return {name: root(name) for name in sorted(parent)}


def of(slot: Slot, clip: Clip) -> tuple[str, ...]:
    """The sources that an item shows: what it was made from, and the video of its clip."""
    return (slot.source_id, *((clip.video.source_id,) if clip.video else ()))
