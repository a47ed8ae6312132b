"""The errata of a release: every correction of all its versions, each with its reason."""

from collections.abc import Iterable, Iterator, Sequence

from ..schemas.release import Ancestor, Erratum
from .changes import numbers


def retired(errata: Iterable[Erratum]) -> dict[str, str]:
    """The version in which an id was taken out, by id."""
    return {erratum.id: erratum.version for erratum in errata if erratum.public_hash_after is None}


def latest(errata: Iterable[Erratum]) -> dict[str, Erratum]:
    """The last correction of each id."""
    return {erratum.id: erratum for erratum in errata}


def disorder(errata: Sequence[Erratum], history: Sequence[Ancestor], version: str) -> Iterator[str]:
    """What is wrong with the order of versions and lines, and with lines that contradict each other."""
    versions = [*(ancestor.version for ancestor in history), version]
    if sorted(set(versions), key=numbers) != versions:
        yield f"the versions {', '.join(versions)} do not ascend"
    if unknown := {one.version for one in errata} - set(versions[1:]):
        yield f"speaks of version {min(unknown)}, which is none that corrects another"
        return
    places = [(versions.index(one.version), one.id) for one in errata]
    if sorted(set(places)) != places:
        yield "its lines do not ascend by version and id"
    before: dict[str, Erratum] = {}
    for one in errata:
        if one.id in before and before[one.id].public_hash_after != one.public_hash_before:
            yield f"{one.id}: the correction in {one.version} does not follow from that in {before[one.id].version}"
        before[one.id] = one
