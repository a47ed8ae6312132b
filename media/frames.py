"""Pictures of a video at given moments: what a viewer sees at that time, upright, in RGB."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import InputError, UsageError
from ..schemas.base import seconds
from ..schemas.clip import Span
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


class Frame(NamedTuple):
    time: float
    """Seconds from the start of the video at which the picture begins to be shown."""
    pixels: "Pixels"
    """Height × width × 3, 0 to 255, turned upright."""


def midpoint_frame(path: Path, span: Span) -> Frame:
    """The picture shown in the middle of a span. Raises `InputError` as `even_frames` does."""
    return even_frames(path, span, 1)[0]


def even_frames(path: Path, span: Span, count: int) -> list[Frame]:
    """The pictures shown at the middles of `count` equal parts of a span, in order.

    Raises `InputError` where the video cannot be read or ends before the span does, `UsageError` for a count below 1.
    """
    if count < 1:
        raise UsageError(f"{count} frames: ask for one at least")
    part = span.duration / count
    return frames_at(path, [span.start + (number + 0.5) * part for number in range(count)])


def frames_at(path: Path, times: Sequence[float]) -> list[Frame]:
    """The picture shown at each time, in seconds. Raises `InputError` for a time at which there is none."""
    with opened(path) as (container, stream):
        return [_frame(path, container, stream, time) for time in times]


def jpeg(frame: Frame) -> bytes:
    """The picture as a JPEG file."""
    import av

    picture = av.VideoFrame.from_ndarray(frame.pixels, format="rgb24")
    codec = av.CodecContext.create("mjpeg", "w")
    codec.width, codec.height, codec.pix_fmt = picture.width, picture.height, "yuvj420p"
    codec.time_base = Fraction(1)
    return b"".join(bytes(packet) for packet in [*codec.encode(picture.reformat(format="yuvj420p")), *codec.encode()])


def _frame(path: Path, container: "InputContainer", stream: "VideoStream", time: float) -> Frame:
    """Decode from the key picture before `time` on, and keep the last picture that has begun by then."""
    start = first_time(container)
    container.seek(int((start + time) * MICRO))
    shown: VideoFrame | None = None
    for picture in container.decode(stream):
        if picture.time is not None and picture.time - start > time + EPSILON:
            break
        shown = picture
    else:
        if shown is None or shown.time is None or time > shown.time - start + _length(shown) + EPSILON:
            raise InputError(path, f"shows nothing at {time:.3f} seconds")
    if shown is None:
        raise InputError(path, f"shows nothing at {time:.3f} seconds")
    return Frame(seconds((shown.time or start) - start), _upright(shown))


def _length(picture: "VideoFrame") -> float:
    """Seconds that a picture is shown, as far as the file says."""
    return float(picture.duration * picture.time_base) if picture.duration and picture.time_base else 1.0


def _upright(picture: "VideoFrame") -> "Pixels":
    import numpy as np

    return np.ascontiguousarray(np.rot90(picture.to_ndarray(format="rgb24"), k=round(picture.rotation / 90)))
