"""When a video tells each line of a clip, so that who clicks on evidence is taken there: from its subtitles.

Lines are public, with placeholders for names where subtitles have the names: the words around them tell a line.
"""

from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz

from ..errors import InputError
from ..media.subtitles import read_subtitles
from ..review.content import Times
from ..schemas.clip import Cue, VideoSpan
from ..state.store import Store
from . import sources
from .folder import Project

ALIKE = 60.0
"""Percent of alikeness from which a cue may be of a line."""
SURE = 75.0
"""Percent from which the first such cue is taken, as the beginning of a line that several cues tell."""
AHEAD = 8
"""Cues after the last one found in which the next line is looked for."""


def times_of(project: Project, store: Store) -> Times:
    """Seconds from the start of a clip at which each of its lines is told; None for a line that is not found."""
    cues: dict[str, list[Cue]] = {}
    paths = {name: footage.subtitles for name, footage in sources.footage_of(store).items() if footage.subtitles}

    def times(video: VideoSpan | None, lines: Sequence[str]) -> list[float | None]:
        if video is None or video.source_id not in paths:
            return []
        if video.source_id not in cues:
            cues[video.source_id] = _read(project, paths, video.source_id)
        own = [cue for cue in cues[video.source_id] if video.start - 0.5 <= cue.start < video.end]
        return [None if at is None else max(0.0, round(at - video.start, 3)) for at in matched(own, lines)]

    return times


def _read(project: Project, paths: Mapping[str, str], source: str) -> list[Cue]:
    """No cues where the file is gone: lines are then shown without a time."""
    try:
        return read_subtitles(sources.located(project, paths[source]))
    except InputError:
        return []


def matched(cues: Sequence[Cue], lines: Sequence[str]) -> list[float | None]:
    """Start of the cue that tells each line, in order; None where none of the next ones does."""
    found: list[float | None] = []
    place = 0
    for line in lines:
        near = cues[place : place + AHEAD]
        scores = [fuzz.partial_ratio(cue.text.casefold(), line.casefold()) for cue in near]
        sure = (index for index, score in enumerate(scores) if score >= SURE)
        best = next(sure, max(range(len(near)), key=lambda index: scores[index], default=0))
        if not near or scores[best] < ALIKE:
            found.append(None)
            continue
        found.append(near[best].start)
        place += best + 1
    return found
