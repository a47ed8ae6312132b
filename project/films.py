"""The films of a release's clips: where the videos lie, and the pieces cut from them, kept by the hash of their bytes.

A video is known by its hash, never by its name. Every piece holds its clip's span and nothing beside it; what it is
called anywhere is the hash of what it holds.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError
from ..llm.client import Medium
from ..media import cut
from ..media.frames import frames_at, jpeg
from ..media.probe import named_video
from ..media.sampling import midpoint, moments
from ..schemas.base import Record, canonical, classed, digest, sha256
from ..schemas.clip import ClipRef, Span
from ..schemas.files import file_hash, read_record, storing, write_whole
from ..schemas.response import Form, Sampling, Shown
from .releases import Release

RECIPE = "1"
"""Of the pieces: another way to cut makes other pieces."""
SUFFIXES: Mapping[Form, str] = {
    "video": ".mp4", "silent": ".mp4", "frames": ".jpg", "image": ".jpg", "audio": ".wav"
}  # fmt: skip
MIMES = {".mp4": "video/mp4", ".jpg": "image/jpeg", ".wav": "audio/wav"}
LONGEST_SIDE = 768
"""Pixels of a picture: as many as providers look at, and 64 of them still fit into one request."""


class Pieces(Record):
    """What was cut from one clip in one form."""

    shown: tuple[Shown, ...] = classed("public")


class Stretch(NamedTuple):
    source: str
    span: Span


class Shelf:
    """Fulfils `evaluation.film.Films` and `llm.client.Media`. Nothing is looked for, or cut, before it is asked for."""

    def __init__(self, release: Release, folder: Path, places: Sequence[Path], frames: Sampling = "1fps") -> None:
        """`folder` keeps the pieces; `places` are videos, and folders of videos."""
        self._rows, self._folder, self._frames = release.filmed(), folder, frames
        self._hashes = {source.source_id: source.sha256 for source in release.manifest.sources}
        self._places, self._paths, self._sounds = places, dict[str, Path | None](), dict[str, bool]()
        self._media: dict[str, Medium] = {}

    def shows(self, clip: ClipRef) -> bool:
        return clip.media in self._rows

    def sounds(self, clip: ClipRef) -> bool:
        """Raises `UsageError` where the video is not at hand."""
        source = self._stretch(clip).source
        if source not in self._sounds:
            self._sounds[source] = cut.has_sound(self._video(source))
        return self._sounds[source]

    def has(self, sha256: str) -> bool:
        """Whether a piece was cut before."""
        return sha256 in self._media

    def medium(self, sha256: str) -> Medium:
        """A piece that was cut before. Raises `UsageError` for any other."""
        if sha256 not in self._media:
            raise UsageError(f"media {sha256} are not there")
        return self._media[sha256]

    def cut(self, clip: ClipRef, form: Form) -> tuple[Shown, ...]:
        """Raises `UsageError` where the video is not at hand, `InputError` where it does not show the span."""
        stretch = self._stretch(clip)
        index = self._index(stretch, form)
        shown = read_record(index, Pieces).shown if index.exists() else ()
        if not shown or not all(self._blob(one).exists() for one in shown):
            shown = self._make(stretch, form)
            with storing(index):
                write_whole(index, [canonical(Pieces(shown=shown))])
        for one in shown:
            length = None if form in ("frames", "image") else one.end - one.start
            self._media[one.sha256] = Medium(self._blob(one), MIMES[SUFFIXES[form]], length)
        return shown

    def _stretch(self, clip: ClipRef) -> Stretch:
        """Of a clip counted in seconds its own part alone, which may be shorter than what the transcript holds."""
        row = self._rows[clip.media]
        source, start, end = (
            (row.video.source_id, row.video.start, row.video.end) if row.video else (row.source_id, row.start, row.end)
        )
        if clip.unit == "lines":
            return Stretch(source, Span(start=start, end=end))
        return Stretch(source, Span(start=start + clip.start - row.start, end=start + clip.end - row.start))

    def _index(self, stretch: Stretch, form: Form) -> Path:
        source, span = stretch
        sampling = self._frames if form == "frames" else ""
        name = digest(RECIPE, self._hashes[source], f"{span.start:.3f}", f"{span.end:.3f}", form, sampling)
        return self._folder / f"{name}.json"

    def _blob(self, shown: Shown) -> Path:
        return self._folder / (shown.sha256.removeprefix("sha256:") + SUFFIXES[shown.form])

    def _make(self, stretch: Stretch, form: Form) -> tuple[Shown, ...]:
        source, span = stretch
        with storing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        video = self._video(source)
        if form in ("frames", "image"):
            times = [midpoint(span)] if form == "image" else moments(span, self._frames)
            pictures = [
                (jpeg(frame, LONGEST_SIDE), time) for frame, time in zip(frames_at(video, times), times, strict=True)
            ]
            return tuple(self._keep(data, form, span.start, time) for data, time in pictures)
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            made = Path(place) / f"piece{SUFFIXES[form]}"
            if form == "audio":
                cut.sound(video, span, made)
            else:
                cut.film(video, span, made, sound=form == "video")
            return (self._keep(made.read_bytes(), form, span.start, span.end),)

    def _keep(self, data: bytes, form: Form, start: float, end: float) -> Shown:
        shown = Shown(form=form, sha256=sha256(data), start=start, end=end)
        write_whole(self._blob(shown), [data])
        return shown

    def _video(self, source: str) -> Path:
        if not self._paths:
            sources = {row.video.source_id if row.video else row.source_id for row in self._rows.values()}
            wanted = {self._hashes[name]: name for name in sorted(sources)}
            self._paths = {**dict.fromkeys(wanted.values()), **found(wanted, self._places)}
        path = self._paths[source]
        if path is None:
            raise UsageError(
                f"the video of source {source} ({self._hashes[source][:19]}…) is not at hand: name it, or its folder, "
                "with --media, or choose a condition without film, such as transcript-only"
            )
        return path


def found(wanted: Mapping[str, str], places: Iterable[Path]) -> dict[str, Path]:
    """Where the videos with the wanted hashes lie, by the id that each is wanted for."""
    there: dict[str, Path] = {}
    for path in _candidates(places):
        if len(there) == len(wanted):
            break
        source = wanted.get(file_hash(path))
        if source is not None:
            there.setdefault(source, path)
    return there


def _candidates(places: Iterable[Path]) -> Iterator[Path]:
    """Files as they are named, and the videos below folders. Raises `UsageError` for what is not there."""
    for place in places:
        if place.is_dir():
            yield from sorted(path for path in place.rglob("*") if path.is_file() and named_video(path))
        elif place.is_file():
            yield place
        else:
            raise UsageError(f"{place} is not there; name a video, or a folder of videos")


class Shelves(NamedTuple):
    """The pieces of several releases, as clients see them."""

    shelves: Sequence[Shelf]

    def medium(self, sha256: str) -> Medium:
        """Raises `UsageError` for a piece that none of them has."""
        for one in self.shelves:
            if one.has(sha256):
                return one.medium(sha256)
        raise UsageError(f"media {sha256} are not there")
