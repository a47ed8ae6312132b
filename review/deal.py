"""Who gets what: tasks dealt so that everybody has as many as the others, each person in an order of their own.

The deal follows from seed, tasks and people alone. A person's share is held while the person is seen; what an absent
person holds may be taken by others who have done theirs.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ..schemas.base import digest


def deal(tasks: Iterable[str], people: Sequence[str], each: int, seed: int, purpose: str) -> dict[str, list[str]]:
    """Each task to `each` people (all of them, where there are fewer); loads differ by one at most.

    With `each` 1 the shares are disjoint. Nobody gets a task twice.
    """
    if not people:
        return {}
    order = sorted(people, key=lambda person: digest(seed, purpose, "person", person))
    each = min(each, len(order))
    shares: dict[str, list[str]] = {person: [] for person in people}
    place = 0
    for task in sorted(tasks, key=lambda task: digest(seed, purpose, task)):
        for step in range(each):
            shares[order[(place + step) % len(order)]].append(task)
        place += each
    return {person: sorted(own, key=lambda task: digest(seed, purpose, person, task)) for person, own in shares.items()}


def stratified(strata: Mapping[str, str], n: int, seed: int) -> list[str]:
    """`n` of the ids in `strata` (all, where there are fewer): each stratum by its share, remainders to the largest.

    Equal ones go by digest, so that nothing but seed and ids decides.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(strata, key=lambda name: digest(seed, "overlap", name)):
        groups[strata[name]].append(name)
    n = min(n, len(strata))
    exact = {stratum: n * len(own) / len(strata) for stratum, own in groups.items()} if strata else {}
    seats = {stratum: int(share) for stratum, share in exact.items()}
    left = sorted(exact, key=lambda stratum: (seats[stratum] - exact[stratum], digest(seed, "overlap", stratum)))
    for stratum in left[: n - sum(seats.values())]:
        seats[stratum] += 1
    return sorted(name for stratum, own in groups.items() for name in own[: seats[stratum]])
