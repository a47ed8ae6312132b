"""A stretch of a video as a file of its own: nothing outside of it is in there, and nothing that names its source.

Pictures and samples are decoded and encoded anew: a copied stream would begin at the key picture before the stretch.
The same video, span and form give the same bytes on one machine.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..schemas.clip import Span
from .frames import EPSILON, upright
from .probe import MICRO, first_time, opened

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.resampler import AudioResampler
    from av.audio.stream import AudioStream
    from av.container import InputContainer, OutputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

LONGEST_SIDE = 1280
"""Pixels; larger pictures are made smaller."""
RATE = 16_000
"""Samples a second of sound alone, which is what speech models work at."""
FILM_RATE = 48_000
CLOCK = Fraction(1, 1000)


def has_sound(path: Path) -> bool:
    """Whether a video has a track of sound. Raises `InputError` for what is no video."""
    with opened(path) as (container, _):
        return bool(container.streams.audio)


def film(path: Path, span: Span, out: Path, *, sound: bool) -> None:
    """Write the span as MP4, with its sound or without. Raises `InputError` where the video shows nothing there."""
    import av

    with av.open(str(out), "w", format="mp4", options={"fflags": "+bitexact", "movflags": "faststart"}) as container:
        pictures = _pictures(path, span)
        first = next(pictures, None)
        if first is None:
            raise InputError(path, f"shows nothing from {span.start:.3f} to {span.end:.3f} seconds")
        _write(container, path, span, first, pictures, sound=sound and has_sound(path))


def sound(path: Path, span: Span, out: Path) -> None:
    """Write the span's sound as WAV: one channel, 16 kHz, 16 bits. Raises `InputError` where there is none."""
    import av

    with av.open(str(out), "w", format="wav", options={"fflags": "+bitexact"}) as container:
        stream = container.add_stream("pcm_s16le", rate=RATE, layout="mono")
        heard = False
        for frame in _samples(path, span, RATE, "s16", "mono"):
            container.mux(stream.encode(frame))
            heard = True
        container.mux(stream.encode())
    if not heard:
        raise InputError(path, f"sounds of nothing from {span.start:.3f} to {span.end:.3f} seconds")


def _write(
    container: "OutputContainer",
    path: Path,
    span: Span,
    first: "tuple[float, VideoFrame]",
    rest: "Iterator[tuple[float, VideoFrame]]",
    *,
    sound: bool,
) -> None:
    stream = container.add_stream("libx264", rate=30, options={"crf": "23", "preset": "veryfast"})
    stream.codec_context.time_base = CLOCK
    # More threads would make the bytes depend on the machine.
    stream.codec_context.thread_count = 1
    stream.width, stream.height = first[1].width, first[1].height
    stream.pix_fmt = "yuv420p"
    voice = container.add_stream("aac", rate=FILM_RATE, layout="stereo") if sound else None
    last = -1
    for time, picture in _one_more(first, rest):
        last = max(last + 1, round(1000 * (time - span.start)))
        picture.pts, picture.time_base = last, CLOCK
        container.mux(stream.encode(picture))
    container.mux(stream.encode())
    if voice is not None:
        for frame in _samples(path, span, FILM_RATE, "fltp", "stereo"):
            container.mux(voice.encode(frame))
        container.mux(voice.encode())


def _one_more(
    first: "tuple[float, VideoFrame]", rest: "Iterator[tuple[float, VideoFrame]]"
) -> "Iterator[tuple[float, VideoFrame]]":
    yield first
    yield from rest


def _pictures(path: Path, span: Span) -> "Iterator[tuple[float, VideoFrame]]":
    """Each picture shown within the span, upright, and when; the one that is up at its start counts from there."""
    with opened(path) as (container, stream):
        start, up = first_time(container), None
        container.seek(int((start + span.start) * MICRO))
        for picture in container.decode(stream):
            time = (picture.time or 0.0) - start
            if time >= span.end - EPSILON:
                break
            if time <= span.start + EPSILON:
                up = picture
                continue
            if up is not None:
                yield span.start, _small(up)
                up = None
            yield time, _small(picture)
        if up is not None and _shown_until(container, stream, up, start) > span.start:
            yield span.start, _small(up)


def _shown_until(container: "InputContainer", stream: "VideoStream", picture: "VideoFrame", start: float) -> float:
    rate = float(stream.average_rate or 1)
    return (picture.time or 0.0) - start + 1 / rate


def _small(picture: "VideoFrame") -> "VideoFrame":
    """Upright, within the longest side, with even sides."""
    import av

    turned = av.VideoFrame.from_ndarray(upright(picture), format="rgb24") if picture.rotation else picture
    shrink = min(1.0, LONGEST_SIDE / max(turned.width, turned.height))
    width, height = (max(2, int(side * shrink) // 2 * 2) for side in (turned.width, turned.height))
    made = turned.reformat(width=width, height=height, format="yuv420p")
    made.pict_type = av.video.frame.PictureType.NONE
    return made


def _samples(path: Path, span: Span, rate: int, format: str, layout: str) -> "Iterator[AudioFrame]":
    """The sound of the span, cut to the sample, its clock at zero where the span begins."""
    import av

    with opened(path) as (container, _):
        if not container.streams.audio:
            return
        stream = container.streams.audio[0]
        resampler = av.AudioResampler(format=format, layout=layout, rate=rate)
        start = first_time(container)
        # Sound decoders need a run-up; what they give before the span is cut away below.
        container.seek(max(0, int((start + span.start - 1.0) * MICRO)))
        for frame in _resampled(container, stream, resampler):
            time = float(frame.pts * frame.time_base) - start if frame.pts is not None and frame.time_base else 0.0
            if time >= span.end:
                break
            if (cut := _cut(frame, time, span, rate)) is not None:
                yield cut


def _resampled(
    container: "InputContainer", stream: "AudioStream", resampler: "AudioResampler"
) -> "Iterator[AudioFrame]":
    for frame in container.decode(stream):
        yield from resampler.resample(frame)
    yield from resampler.resample(None)


def _cut(frame: "AudioFrame", time: float, span: Span, rate: int) -> "AudioFrame | None":
    """What of a frame lies within the span; None where nothing does."""
    import av
    import numpy as np

    first = max(0, round((span.start - time) * rate))
    last = min(frame.samples, round((span.end - time) * rate))
    if first >= last:
        return None
    channels = 1 if frame.format.is_planar else len(frame.layout.channels)
    data: Any = np.ascontiguousarray(frame.to_ndarray()[:, first * channels : last * channels])
    made = av.AudioFrame.from_ndarray(data, format=frame.format.name, layout=frame.layout.name)
    made.sample_rate, made.time_base = rate, Fraction(1, rate)
    made.pts = max(0, round((time - span.start) * rate) + first)
    return made
