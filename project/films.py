"""The films of clips: where the videos lie, and the pieces cut from them, kept by the hash of their bytes.

A video is known by its hash, never by its name. Every piece holds its clip's span and nothing beside it; what it is
called anywhere is the hash of what it holds. The clips are those of a release, or of items that are still being made.
"""

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple, get_args

from ..agents.asking import Show
from ..errors import UsageError
from ..evaluation.conditions import LOOKS
from ..evaluation.film import Takes, filmed
from ..llm.client import Medium
from ..media import cut
from ..media.frames import frames_at, jpeg
from ..media.probe import named_video
from ..media.sampling import midpoint, moments
from ..schemas.base import Record, canonical, classed, digest, sha256
from ..schemas.call import Request
from ..schemas.clip import Clip, ClipRef, Span, VideoSpan
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
WHOLE = {".mp4": "video/mp4", ".m4v": "video/mp4", ".mov": "video/mov", ".webm": "video/webm", ".mpg": "video/mpeg"}
"""Videos that Gemini takes as they are; of another one the clip is cut out. Source: its documentation."""
LARGEST = 2_000_000_000
"""Bytes of a file that it takes."""


class Pieces(Record):
    """What was cut from one clip in one form."""

    shown: tuple[Shown, ...] = classed("public")


class Stretch(NamedTuple):
    source: str
    span: Span


Where = Callable[[ClipRef], Stretch | None]
"""Which stretch of which video shows a clip; None where no video does."""


class Shelf:
    """Pieces of videos. Fulfils `llm.client.Media`. Nothing is looked for, or cut, before it is asked for."""

    def __init__(
        self, hashes: Mapping[str, str], folder: Path, places: Sequence[Path], frames: Sampling = "1fps"
    ) -> None:
        """`hashes` are those of the videos by source id; `folder` keeps the pieces; `places` are videos, and folders of
        videos."""
        self._hashes, self._folder, self._frames = hashes, folder, frames
        self._places, self._paths, self._sounds = places, dict[str, Path | None](), dict[str, bool]()
        self._media: dict[str, Medium] = {}
        self._looking, self._cutting = Lock(), defaultdict[Path, Lock](Lock)

    def sounds(self, source: str) -> bool:
        """Raises `UsageError` where the video is not at hand."""
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

    def cut(self, stretch: Stretch, form: Form, frames: Sampling | None = None) -> tuple[Shown, ...]:
        """Raises `UsageError` where the video is not at hand, `InputError` where it does not show the span."""
        sampling = frames or self._frames
        index = self._index(stretch, form, sampling)
        with self._cutting[index]:
            shown = read_record(index, Pieces).shown if index.exists() else ()
            if not shown or not all(self._blob(one).exists() for one in shown):
                shown = self._make(stretch, form, sampling)
                with storing(index):
                    write_whole(index, [canonical(Pieces(shown=shown))])
        for one in shown:
            length = None if form in ("frames", "image") else one.end - one.start
            self._media[one.sha256] = Medium(self._blob(one), MIMES[SUFFIXES[form]], length)
        return shown

    def whole(self, stretch: Stretch, form: Form) -> tuple[Shown, ...]:
        """The video itself, of which a client is told the span; cut where it could not be sent. Raises as `cut`."""
        path = self._video(stretch.source)
        mime = WHOLE.get(path.suffix.lower())
        if form not in ("video", "silent") or mime is None or path.stat().st_size > LARGEST:
            return self.cut(stretch, form)
        name = self._hashes[stretch.source]
        self._media[name] = Medium(path, mime)
        return (Shown(form=form, sha256=name, start=stretch.span.start, end=stretch.span.end, whole=True),)

    def _index(self, stretch: Stretch, form: Form, frames: Sampling) -> Path:
        source, span = stretch
        sampling = frames if form == "frames" else ""
        name = digest(RECIPE, self._hashes[source], f"{span.start:.3f}", f"{span.end:.3f}", form, sampling)
        return self._folder / f"{name}.json"

    def _blob(self, shown: Shown) -> Path:
        return self._folder / (shown.sha256.removeprefix("sha256:") + SUFFIXES[shown.form])

    def _make(self, stretch: Stretch, form: Form, frames: Sampling) -> tuple[Shown, ...]:
        source, span = stretch
        with storing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        video = self._video(source)
        if form in ("frames", "image"):
            times = [midpoint(span)] if form == "image" else moments(span, frames)
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
        with self._looking:
            if not self._paths:
                wanted = {sha256: name for name, sha256 in sorted(self._hashes.items())}
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


class Films(NamedTuple):
    """Clips as films. Fulfils `evaluation.film.Films`."""

    shelf: Shelf
    where: Where

    def shows(self, clip: ClipRef) -> bool:
        return self.where(clip) is not None

    def sounds(self, clip: ClipRef) -> bool:
        """Raises `UsageError` where the video is not at hand."""
        return self.shelf.sounds(self._stretch(clip).source)

    def cut(self, clip: ClipRef, form: Form) -> tuple[Shown, ...]:
        """Raises as the shelf does."""
        return self.shelf.cut(self._stretch(clip), form)

    def _stretch(self, clip: ClipRef) -> Stretch:
        stretch = self.where(clip)
        if stretch is None:
            raise UsageError(f"{clip.media}: no video shows this clip")
        return stretch


def of_release(release: Release, folder: Path, places: Sequence[Path], frames: Sampling = "1fps") -> Films:
    """The clips of a release. Of one counted in seconds its own part alone, which may be shorter than what the
    transcript holds."""
    rows = release.filmed()
    sources = {row.video.source_id if row.video else row.source_id for row in rows.values()}
    hashes = {one.source_id: one.sha256 for one in release.manifest.sources if one.source_id in sources}

    def where(clip: ClipRef) -> Stretch | None:
        row = rows.get(clip.media)
        if row is None:
            return None
        source, start, end = (
            (row.video.source_id, row.video.start, row.video.end) if row.video else (row.source_id, row.start, row.end)
        )
        if clip.unit == "lines":
            return Stretch(source, Span(start=start, end=end))
        return Stretch(source, Span(start=start + clip.start - row.start, end=start + clip.end - row.start))

    return Films(Shelf(hashes, folder, places, frames), where)


def of_clips(clips: Iterable[Clip], shelf: Shelf) -> Films:
    """Clips of items that no release holds yet."""
    shown = {clip.ref.media: clip.video for clip in clips if clip.video}
    return Films(shelf, lambda clip: _of(shown[clip.media]) if clip.media in shown else None)


def _of(video: VideoSpan) -> Stretch:
    return Stretch(video.source_id, Span(start=video.start, end=video.end))


def showing(shelf: Shelf, takes: Takes) -> Show:
    """How a model that takes this is shown a clip while items are made: everything of it, as it can take it best."""

    def show(video: VideoSpan) -> tuple[Shown, ...]:
        stretch = _of(video)
        forms = filmed(LOOKS["full"], takes, lambda: shelf.sounds(stretch.source))
        made = shelf.whole if takes.offsets else shelf.cut
        return tuple(one for form in forms for one in made(stretch, form))

    return show


def shown_again(shelf: Shelf, sent: Request) -> Show:
    """How the clip of a request was shown: in the forms that the request says, from the videos alone. Of the request
    nothing else is believed."""
    media = [part for message in sent.messages for part in message.parts if part.kind != "text"]
    labels = {part.label for part in media}
    forms = [form for form in SUFFIXES if form in labels]
    whole = any(part.start is not None for part in media)
    pictures = sum(part.label == "frames" for part in media)

    def show(video: VideoSpan) -> tuple[Shown, ...]:
        stretch = _of(video)
        made = (
            shelf.whole(stretch, form) if whole else shelf.cut(stretch, form, _sampling(stretch.span, pictures))
            for form in forms
        )
        return tuple(one for shown in made for one in shown)

    return show


def _sampling(span: Span, pictures: int) -> Sampling:
    """By which a stretch gives so many pictures; the first where both do, or neither."""
    ways: tuple[Sampling, ...] = get_args(Sampling)
    return next((way for way in ways if len(moments(span, way)) == pictures), ways[0])


class Shelves(NamedTuple):
    """Several shelves, as clients see them."""

    shelves: Sequence[Shelf]

    def medium(self, sha256: str) -> Medium:
        """Raises `UsageError` for a piece that none of them has."""
        for one in self.shelves:
            if one.has(sha256):
                return one.medium(sha256)
        raise UsageError(f"media {sha256} are not there")
