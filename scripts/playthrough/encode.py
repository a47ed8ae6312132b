"""Pictures and sound as one MP4 file: H.264 and AAC, by PyAV, the same bytes each time with the same PyAV."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from PIL import Image

from .canvas import HEIGHT, WIDTH
from .speech import RATE
from .timeline import FPS

HERTZ = 16000
KEY_FRAMES = 60
"""At most so many seconds apart, so that seeking stays quick."""
PICTURE = {"crf": "44", "preset": "slow", "tune": "animation", "x264-params": f"keyint={KEY_FRAMES * FPS}"}


def write(path: Path, frames: Iterable[Image.Image], sound: npt.NDArray[np.int16]) -> None:
    options = {"movflags": "+faststart", "fflags": "+bitexact"}
    with av.open(str(path), "w", format="mp4", options=options) as film:
        video = film.add_stream("libx264", rate=FPS, options=PICTURE)
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        audio = film.add_stream("aac", rate=HERTZ, layout="mono")
        audio.bit_rate = 20000
        for stream in (video, audio):
            stream.codec_context.thread_count = 1
        slices = second_by_second(sound)
        for index, picture in enumerate(frames):
            frame = av.VideoFrame.from_image(picture)
            frame.pts, frame.time_base = index, Fraction(1, FPS)
            film.mux(video.encode(frame))
            if index % FPS == 0:
                film.mux([packet for piece in next(slices) for packet in audio.encode(piece)])
        film.mux(video.encode())
        film.mux(audio.encode())


def second_by_second(sound: npt.NDArray[np.int16]) -> Iterator[list[av.AudioFrame]]:
    """The sound at the rate of the file, a second at a time."""
    resampler = av.AudioResampler("fltp", "mono", HERTZ)
    for start in range(0, len(sound), RATE):
        frame = av.AudioFrame.from_ndarray(sound[None, start : start + RATE], "s16", "mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
        yield resampler.resample(frame)
