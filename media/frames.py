"""Pictures of a video at given moments: what a viewer sees at that time, upright, in RGB."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import InputError
from ..schemas.base import seconds
from .probe import MICRO, first_time, opened

if TYPE_CHECKING:
    import numpy as np
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

EPSILON = 0.0005
"""Seconds: times are stored with three decimals, so that a picture may begin this much after the time asked for."""

STEP = 10.0
"""Seconds up to which the next picture is decoded towards, and not sought: key pictures are often as far apart."""


class Frame(NamedTuple):
    time: float
    """Seconds from the start of the video at which the picture begins to be shown."""
    pixels: "Pixels"
    """Height × width × 3, 0 to 255, turned upright."""


def frames_at(path: Path, times: Sequence[float]) -> list[Frame]:
    """The picture shown at each time, in seconds. Raises `InputError` for a time at which there is none."""
    with opened(path) as (container, stream):
        pictures = _Pictures(path, container, stream)
        return [pictures.at(time) for time in times]


def jpeg(frame: Frame, longest: int | None = None) -> bytes:
    """The picture as a JPEG file, made smaller where a side has more than `longest` pixels."""
    import av

    picture = av.VideoFrame.from_ndarray(frame.pixels, format="rgb24")
    shrink = min(1.0, longest / max(picture.width, picture.height)) if longest else 1.0
    if shrink < 1:
        width, height = (max(2, int(side * shrink) // 2 * 2) for side in (picture.width, picture.height))
        picture = picture.reformat(width=width, height=height)
    codec = av.CodecContext.create("mjpeg", "w")
    codec.width, codec.height, codec.pix_fmt = picture.width, picture.height, "yuvj420p"
    codec.time_base = Fraction(1)
    return b"".join(bytes(packet) for packet in [*codec.encode(picture.reformat(format="yuvj420p")), *codec.encode()])


class _Pictures:
    """Finds pictures in a video by time. Times that ascend in small steps are found in one pass."""

    def __init__(self, path: Path, container: "InputContainer", stream: "VideoStream") -> None:
        self._path, self._container, self._stream = path, container, stream
        self._start = first_time(container)
        self._coming: Iterator[VideoFrame] = iter(())
        self._last: VideoFrame | None = None
        self._next: VideoFrame | None = None

    def at(self, time: float) -> Frame:
        """The last picture that has begun by then."""
        if self._last is None or not self._begins(self._last) <= time <= self._begins(self._last) + STEP:
            self._seek(time)
        while self._next is not None and self._begins(self._next) <= time + EPSILON:
            self._take()
        if self._last is None or (self._next is None and time > self._ends(self._last) + EPSILON):
            raise InputError(self._path, f"shows nothing at {time:.3f} seconds")
        return Frame(seconds(self._begins(self._last)), upright(self._last))

    def _seek(self, time: float) -> None:
        """To the key picture before the time."""
        self._container.seek(int((self._start + time) * MICRO))
        self._coming, self._next = self._container.decode(self._stream), None
        self._take()
        self._last = None

    def _take(self) -> None:
        self._last, self._next = self._next, next(self._coming, None)

    def _begins(self, picture: "VideoFrame") -> float:
        """Seconds; a picture without a time counts as the first."""
        return 0.0 if picture.time is None else picture.time - self._start

    def _ends(self, picture: "VideoFrame") -> float:
        return self._begins(picture) + _length(picture)


def _length(picture: "VideoFrame") -> float:
    """Seconds that a picture is shown, as far as the file says."""
    return float(picture.duration * picture.time_base) if picture.duration and picture.time_base else 1.0


def upright(picture: "VideoFrame") -> "Pixels":
    import numpy as np

    return np.ascontiguousarray(np.rot90(picture.to_ndarray(format="rgb24"), k=round(picture.rotation / 90)))
