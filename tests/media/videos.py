"""Small videos whose pictures carry their own number, in eight stripes of black and white."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from benchwright.media.frames import Frame

STRIPES = 8
SIDE = 64


def numbered(path: Path, count: int = 40, fps: int = 10, *, first: float = 0.0, title: str = "") -> Path:
    """A video of `count` pictures, `fps` a second, the clock of its first one at `first` seconds."""
    with av.open(str(path), "w") as container:
        container.metadata["title"] = title
        stream = container.add_stream("mpeg4", rate=fps)
        stream.width = stream.height = SIDE
        stream.pix_fmt = "yuv420p"
        stream.codec_context.gop_size = 7
        for number in range(count):
            picture = av.VideoFrame.from_ndarray(stripes(number), format="rgb24")
            picture.time_base = Fraction(1, 1000)
            picture.pts = round(1000 * (first + number / fps))
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


def stripes(number: int) -> np.ndarray:
    bits = [255 * (number >> place & 1) for place in range(STRIPES)]
    row = np.repeat(np.array(bits, np.uint8), SIDE // STRIPES)
    return np.ascontiguousarray(np.broadcast_to(row[None, :, None], (SIDE, SIDE, 3)))


def number_of(frame: Frame) -> int:
    """The number that a picture carries."""
    means = frame.pixels.mean(axis=(0, 2)).reshape(STRIPES, -1).mean(axis=1)
    return sum(1 << place for place, mean in enumerate(means) if mean > 128)
