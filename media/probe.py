"""What a video file is: how long, how large, how fast; and whether it is one at all.

A file is taken by what it holds, never by its name. Only plain files are opened: a playlist that names other files or
addresses is refused by the formats and protocols that are allowed here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import InputError
from ..schemas.base import seconds

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream

SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ogv", ".3gp", ".mpg", ".mpeg", ".ts", ".m2ts", ".flv", ".wmv"}
)
"""Names that say video; what such a file holds is looked at later."""
FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,ogg,flv,mpeg,mpegvideo,mpegts,asf,mp3,wav,rm,yuv4mpegpipe"
MICRO = 1_000_000
"""Container times are microseconds."""
SLACK = (0.3, 0.01)
"""Seconds, or share of the whole, whichever is more, by which what is there may fall short of the stated duration."""

TAIL = 2.0
"""Seconds before the stated end from which on packets are read."""

REMEDY = "write it anew, as with `ffmpeg -i IN -c copy OUT.mkv`"


class Stream(NamedTuple):
    kind: str
    """`video`, `audio`, `subtitle` or `data`."""
    codec: str


class Probe(NamedTuple):
    container: str
    duration: float
    """Seconds."""
    width: int
    height: int
    """Pixels as stored, before `rotation`."""
    fps: float | None
    """Pictures a second on average; None where the file does not say."""
    rotation: int
    """Degrees counter-clockwise by which a player turns the picture: -180 to 180."""
    audio: bool
    streams: tuple[Stream, ...]


def named_video(path: Path) -> bool:
    """Whether a file's name says that it is a video."""
    return path.suffix.lower() in SUFFIXES


def probe(path: Path) -> Probe:
    """Look at a video. Raises `InputError`, one line, for a file that is missing, empty, cut off, or no video."""
    with opened(path) as (container, stream):
        picture = next(container.decode(stream), None)
        if picture is None:
            raise InputError(path, f"not one picture of its video ({_codec(stream)}) can be decoded")
        rate = stream.average_rate
        found = Probe(
            container=container.format.name,
            duration=_duration(path, container, stream),
            width=stream.width,
            height=stream.height,
            fps=float(rate) if rate else None,
            rotation=int(picture.rotation),
            audio=bool(container.streams.audio),
            streams=tuple(Stream(one.type, _codec(one)) for one in container.streams),
        )
        _whole(path, container, found.duration)
    return found


@contextmanager
def opened(path: Path) -> Iterator[tuple["InputContainer", "VideoStream"]]:
    """The container and its first real video stream; what ffmpeg has against the file becomes an `InputError`."""
    import av
    from av.error import FFmpegError

    _plain(path)
    try:
        options = {"protocol_whitelist": "file", "format_whitelist": FORMATS}
        with av.open(str(path.resolve()), options=options, metadata_errors="replace") as container:
            yield container, _video(path, container)
    except FFmpegError as error:
        raise InputError(path, f"no video that can be read, or cut off ({_reason(error)})") from None


def first_time(container: "InputContainer") -> float:
    """Seconds at which the container's clock starts; times are counted from there."""
    return (container.start_time or 0) / MICRO


def _plain(path: Path) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(path, (error.strerror or str(error)).lower()) from None
    if not path.is_file():
        raise InputError(path, "is no file; name a video")
    if size == 0:
        raise InputError(path, "is empty")


def _video(path: Path, container: "InputContainer") -> "VideoStream":
    from av.stream import Disposition

    real = [one for one in container.streams.video if not one.disposition & Disposition.attached_pic]
    if not real:
        there = ", ".join(sorted({one.type for one in container.streams})) or "nothing"
        raise InputError(path, f"holds no video (but {there})")
    return real[0]


def _duration(path: Path, container: "InputContainer", stream: "VideoStream") -> float:
    """Of the container, else of the stream, in seconds."""
    found = (container.duration or 0) / MICRO
    if found <= 0 and stream.duration and stream.time_base:
        found = float(stream.duration * stream.time_base)
    if found <= 0:
        raise InputError(path, f"does not say how long it is; {REMEDY}")
    return seconds(found)


def _whole(path: Path, container: "InputContainer", duration: float) -> None:
    """Refuse a file whose pictures and sound end long before the duration that its header states."""
    there = _end(path, container, duration)
    if there < duration - max(SLACK[0], SLACK[1] * duration):
        raise InputError(path, f"is cut off: it ends after {there:.1f} of {duration:.1f} seconds")


def _end(path: Path, container: "InputContainer", duration: float) -> float:
    """Seconds at which the last packet ends, read from a little before the stated end."""
    from av.error import FFmpegError

    start, last = first_time(container), 0.0
    try:
        container.seek(int((start + max(0.0, duration - TAIL)) * MICRO))
    except FFmpegError:
        raise InputError(path, f"has no index, so that no moment of it can be found; {REMEDY}") from None
    try:
        for packet in container.demux():
            if packet.pts is not None and packet.stream.type in ("video", "audio"):
                last = max(last, float((packet.pts + (packet.duration or 0)) * packet.time_base) - start)
    except FFmpegError:
        return last
    return last


def _codec(stream: object) -> str:
    context = getattr(stream, "codec_context", None)
    return str(context.name) if context is not None else "unknown"


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", "") or error).lower()
