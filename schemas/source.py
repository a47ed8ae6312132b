"""A source: one story, video or transcript that a project ingested, known by the hash of its bytes."""

from typing import Literal

from .base import Record, classed
from .story import Entity


class Source(Record):
    source_id: str = classed("public")
    kind: Literal["story", "video", "transcript"] = classed("public")
    license: str = classed("public", "")
    """SPDX id, or empty when the author has not said; a release refuses an empty one."""
    language: str = classed("public", "en")
    sha256: str = classed("public")
    """Hash of the file's bytes."""
    background: str = classed("backend", "")
    """The author's words on what is true before the first line, with real names."""
    path: str = classed("backend")
    """As given, relative to the project's folder."""
    title: str = classed("backend", "")
    format: str = classed("backend", "")
    """`ink` or `story`; of a video its container, as ffmpeg calls it; of a transcript `srt`, `vtt` or `ass`."""


class Footage(Record):
    """What is known of a video beside its being a source."""

    duration: float = classed("public", gt=0)
    """Seconds."""
    audio: bool = classed("public")
    subtitles: str = classed("backend", "")
    """Path of its subtitles, as given, relative to the project's folder; empty where there are none."""
    story: str = classed("backend", "")
    """Source id of the story of which it shows a playthrough; empty for a video of its own."""


class LexiconEntry(Record):
    """One entity of the project's lexicon. `number` orders them; entries are only ever added."""

    number: int = classed("backend")
    entity: Entity = classed("backend")
    origin: Literal["author", "story", "proposed"] = classed("backend")
