"""Which split each source of a project is in: drawn once by the seed, and kept from version to version.

Sources that belong together go together. What was ever published with its key stays out of the test.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..errors import RefusedError
from ..release.splits import REST
from ..schemas.base import digest

TRAIN = "train"
"""Sources that no release holds, for `export-training`."""


def assign(
    shown: Sequence[tuple[str, ...]],
    group: Mapping[str, str],
    shares: Mapping[str, float],
    seed: int,
    kept: Mapping[str, str],
) -> dict[str, str]:
    """The split of every source. `shown` are the sources of each item, `group` those that belong together, `shares` of
    the items that each split but the test is to have, `kept` the split of sources that were frozen before.

    Groups are taken in the order of digest(seed, "split", group), each into the split that lacks most items; what is
    left when only the empty splits could be filled fills them. Raises `RefusedError` where there are fewer groups than
    splits, or groups that were frozen in splits which cannot be had any more.
    """
    sizes = Counter(group[names[0]] for names in shown)
    wanted = {**shares, REST: 1 - sum(shares.values())}
    before = _before(group, wanted, kept)
    if len(sizes) < len(wanted):
        raise RefusedError(
            f"splits {', '.join(wanted)} take {len(wanted)} sources that have nothing in common, and there are "
            f"{len(sizes)}: add sources, or take `splits` out of benchwright.yaml"
        )
    has = Counter[str]()
    chosen: dict[str, str] = {}
    for name in before:
        chosen[name] = before[name]
        has[before[name]] += sizes[name]
    waiting = sorted(sizes.keys() - before.keys(), key=lambda name: digest(seed, "split", name))
    for at, name in enumerate(waiting):
        empty = [split for split in wanted if not has[split]]
        open_to = empty if len(empty) >= len(waiting) - at else list(wanted)
        split = max(open_to, key=lambda split: wanted[split] * len(shown) - has[split])
        chosen[name] = split
        has[split] += sizes[name]
    if lacking := [split for split in wanted if not has[split]]:
        raise RefusedError(f"split {lacking[0]}: every source was frozen in another split before; add sources")
    return {name: chosen[root] for name, root in sorted(group.items()) if root in chosen}


def _before(group: Mapping[str, str], wanted: Iterable[str], kept: Mapping[str, str]) -> dict[str, str]:
    """The splits of groups that were frozen before."""
    found: dict[str, str] = {}
    for name, split in sorted(kept.items()):
        if name not in group:
            continue
        if split not in wanted:
            raise RefusedError(f"source {name} was frozen in split {split} before; keep `splits.{split}`")
        if found.setdefault(group[name], split) != split:
            raise RefusedError(
                f"source {name} was frozen in split {split}, and one that belongs to it in {found[group[name]]}; "
                "take one of them out of benchwright.yaml"
            )
    return found
