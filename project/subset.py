"""A subset of a release for people to work on, that looks like the whole of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError
from ..schemas.clip import ClipRef, TranscriptLine
from ..schemas.release import ModelInput
from ..scoring.sample import Sample, Unit, sample, thirds
from .releases import Release, open_release
from .score import scorable

FACTORS = ("difficulty", "question", "people", "dialogue")
MANY = 3
"""People; more count as so many."""


class Subset(NamedTuple):
    of: str
    """`clip` or `item`."""
    units: int
    factors: tuple[str, ...]
    sample: Sample
    items: tuple[str, ...]
    """The items of the sampled units."""


def subset(
    release: Path, n: int, *, of: str = "clip", factors: Sequence[str] = (), runs: Sequence[Path] = (), seed: int = 42
) -> Subset:
    """`n` clips or items, matched by `factors` (all of them, if none is named; difficulty only where there are runs).

    `question` is the capability, of a clip the most frequent one; `people` the number of speakers; `dialogue` the
    spoken words for each unit of length, and `difficulty` the mean credit of the runs, are cut into thirds. Raises
    `UsageError`.
    """
    opened = open_release(release)
    items, transcripts = opened.inputs(), opened.transcripts()
    chosen = tuple(factors) or tuple(name for name in FACTORS if name != "difficulty" or runs)
    if unknown := sorted(set(chosen) - set(FACTORS)):
        raise UsageError(f"there is no factor {unknown[0]!r}; there are {', '.join(FACTORS)}")
    if "difficulty" in chosen and not runs:
        raise UsageError("difficulty is what runs find hard: name some with --run")
    groups = _groups(items, of)
    levels = _levels(groups, chosen, transcripts, _difficulty(opened, runs, groups))
    units = [Unit(name, {factor: levels[factor][name] for factor in chosen}) for name in groups]
    try:
        found = sample(units, n, seed)
    except ValueError as error:
        raise UsageError(f"{len(units)} {of}s: {error}") from None
    own = tuple(sorted(item.id for name in found.ids for item in groups[name]))
    return Subset(of, len(units), chosen, found, own)


def _groups(items: Iterable[ModelInput], of: str) -> dict[str, list[ModelInput]]:
    if of not in ("clip", "item"):
        raise UsageError(f"units are clips or items, not {of!r}")
    groups: dict[str, list[ModelInput]] = {}
    for item in sorted(items, key=lambda item: item.id):
        groups.setdefault(item.clip.media if of == "clip" else item.id, []).append(item)
    return groups


def _levels(
    groups: Mapping[str, Sequence[ModelInput]],
    factors: Sequence[str],
    transcripts: Mapping[str, Sequence[TranscriptLine]],
    credits: Mapping[str, float],
) -> dict[str, dict[str, str]]:
    """Level of each unit, by factor."""
    clips = {name: items[0].clip for name, items in groups.items()}
    spoken = {name: list(_spoken(transcripts.get(clip.media, ()))) for name, clip in clips.items()}
    density = {
        name: sum(len(line.text.split()) for line in spoken[name])
        / max(_length(clip, transcripts.get(clip.media, ())), 1e-3)
        for name, clip in clips.items()
    }
    speakers = {name: len({line.speaker for line in lines}) for name, lines in spoken.items()}
    return {
        "difficulty": thirds({name: -credits[name] for name in groups}) if "difficulty" in factors else {},
        "question": {name: _usual(items) for name, items in groups.items()},
        "people": {name: f"{count}" if count < MANY else f"{MANY} or more" for name, count in speakers.items()},
        "dialogue": thirds(density),
    }


def _spoken(lines: Iterable[TranscriptLine]) -> Iterator[TranscriptLine]:
    return (line for line in lines if line.speaker and line.kind == "line")


def _length(clip: ClipRef, lines: Iterable[TranscriptLine]) -> float:
    """Seconds of a film; of a transcript the lines that tell something."""
    return sum(line.told for line in lines) if clip.unit == "lines" else clip.end - clip.start


def _usual(items: Sequence[ModelInput]) -> str:
    """The most frequent capability; of several the first by name."""
    counts = Counter(item.capability for item in items)
    return min(counts, key=lambda name: (-counts[name], name))


def _difficulty(release: Release, runs: Sequence[Path], groups: Mapping[str, Sequence[ModelInput]]) -> dict[str, float]:
    """Mean credit of each unit over all runs; empty without runs."""
    if not runs:
        return {}
    credits: dict[str, list[float]] = {}
    for row in (row for run in runs for row in scorable(release, run).rows):
        if row.credit is not None:
            credits.setdefault(row.item.id, []).append(row.credit)
    means = {name: [own for item in items for own in credits.get(item.id, ())] for name, items in groups.items()}
    if empty := sorted(name for name, own in means.items() if not own):
        raise UsageError(f"no run has scored {empty[0]}: its difficulty is not known")
    return {name: sum(own) / len(own) for name, own in means.items()}
