"""Pieces of videos: all of the span, nothing beside it, and no word of where it is from."""

import io
import math
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from benchwright.errors import InputError
from benchwright.media import cut
from benchwright.media.frames import Frame, frames_at, jpeg, upright
from benchwright.media.probe import probe
from benchwright.media.sampling import midpoint, moments
from benchwright.schemas.clip import Span

from .videos import number_of, numbered

RATE = 16_000


def numbers(path: Path) -> list[int]:
    with av.open(str(path)) as container:
        pictures = [upright(picture) for picture in container.decode(video=0)]
    return [number_of(Frame(0.0, pixels)) for pixels in pictures]


def beeping(path: Path, seconds: int = 6) -> Path:
    """Ten pictures a second, and a tone in each odd second."""
    with av.open(str(path), "w") as container:
        container.metadata["title"] = "The Secret Work"
        video = container.add_stream("mpeg4", rate=10)
        video.width = video.height = 64
        voice = container.add_stream("aac", rate=RATE, layout="mono")
        for number in range(10 * seconds):
            picture = av.VideoFrame.from_ndarray(np.full((64, 64, 3), number, np.uint8), format="rgb24")
            picture.time_base, picture.pts = Fraction(1, 10), number
            container.mux(video.encode(picture))
        container.mux(video.encode())
        clock = np.arange(seconds * RATE) / RATE
        wave = np.sin(2 * math.pi * 440 * clock) * (clock.astype(int) % 2)
        for start in range(0, len(wave), 1024):
            piece = av.AudioFrame.from_ndarray(wave[None, start : start + 1024].astype(np.float32), "fltp", "mono")
            piece.sample_rate, piece.time_base, piece.pts = RATE, Fraction(1, RATE), start
            container.mux(voice.encode(piece))
        container.mux(voice.encode())
    return path


def loud(path: Path) -> list[bool]:
    """Of each tenth of a second, whether there is a tone."""
    with av.open(str(path)) as container:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        frames = [made for frame in container.decode(audio=0) for made in resampler.resample(frame)]
    samples = np.concatenate([frame.to_ndarray()[0] for frame in frames]).astype(np.float64)
    tenths = samples[: len(samples) // 1600 * 1600].reshape(-1, 1600)
    return [bool(level > 1000) for level in np.sqrt((tenths**2).mean(axis=1))]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0.0, 1.0, range(0, 10)),
        (1.05, 2.5, range(10, 25)),
        (1.0, 1.1, range(10, 11)),
        (3.0, 4.0, range(30, 40)),
        (1.02, 1.08, range(10, 11)),
    ],
)
def test_a_piece_holds_the_pictures_of_its_span_and_no_other(
    start: float, end: float, expected: range, tmp_path: Path
) -> None:
    video = numbered(tmp_path / "a.mkv", 40, 10)
    cut.film(video, Span(start=start, end=end), tmp_path / "cut.mp4", sound=False)
    assert numbers(tmp_path / "cut.mp4") == list(expected)


def test_a_piece_names_no_source_and_has_the_same_bytes_again(tmp_path: Path) -> None:
    video = beeping(tmp_path / "secret.mp4")
    for name in ("one.mp4", "two.mp4"):
        cut.film(video, Span(start=1, end=3), tmp_path / name, sound=True)
    one = (tmp_path / "one.mp4").read_bytes()
    assert one == (tmp_path / "two.mp4").read_bytes()
    assert b"ecret" not in one
    assert b"ecret" in video.read_bytes()


def test_sound_goes_with_the_film_only_where_it_is_to(tmp_path: Path) -> None:
    video = beeping(tmp_path / "a.mp4")
    for sound in (True, False):
        cut.film(video, Span(start=1, end=3), tmp_path / f"{sound}.mp4", sound=sound)
    assert [probe(tmp_path / f"{sound}.mp4").audio for sound in (True, False)] == [True, False]
    assert loud(tmp_path / "True.mp4")[1:9] == [True] * 8
    assert loud(tmp_path / "True.mp4")[12:19] == [False] * 7


@pytest.mark.parametrize("start", [0.0, 0.5, 2.3, 4.0])
def test_sound_alone_is_cut_to_the_sample(start: float, tmp_path: Path) -> None:
    video = beeping(tmp_path / "a.mp4")
    cut.sound(video, Span(start=start, end=start + 1.5), tmp_path / "cut.wav")
    with av.open(str(tmp_path / "cut.wav")) as container:
        stream = container.streams.audio[0]
        assert (stream.rate, stream.channels, container.duration) == (RATE, 1, 1_500_000)
    heard = loud(tmp_path / "cut.wav")
    expected = [int(start + place / 10 + 0.05) % 2 == 1 for place in range(15)]
    # A tone that begins within a tenth may count for it or not.
    assert sum(a != b for a, b in zip(heard, expected, strict=True)) <= 2


@pytest.mark.parametrize("what", ["film", "sound"])
def test_a_span_behind_the_end_is_refused(what: str, tmp_path: Path) -> None:
    video = beeping(tmp_path / "a.mp4")
    span = Span(start=20, end=21)
    with pytest.raises(InputError, match=r"from 20\.000 to 21\.000 seconds"):
        cut.film(video, span, tmp_path / "x.mp4", sound=False) if what == "film" else cut.sound(
            video, span, tmp_path / "x.wav"
        )


@pytest.mark.parametrize(
    ("start", "end", "how", "expected"),
    [
        (10.0, 14.0, "1fps", [10.5, 11.5, 12.5, 13.5]),
        (10.0, 10.4, "1fps", [10.2]),
        (0.0, 16.0, "32", [0.25 + 0.5 * place for place in range(32)]),
    ],
)
def test_moments_are_the_middles_of_equal_parts(start: float, end: float, how: str, expected: list[float]) -> None:
    assert moments(Span(start=start, end=end), how) == expected  # type: ignore[arg-type]
    assert midpoint(Span(start=start, end=end)) == (start + end) / 2


def test_a_long_stretch_has_64_moments_within_it() -> None:
    found = moments(Span(start=5, end=605), "1fps")
    assert len(found) == 64
    assert 5 < found[0] < found[-1] < 605


def test_many_times_are_found_in_any_order(tmp_path: Path) -> None:
    video = numbered(tmp_path / "a.mkv", 200, 5)
    times = [0.1, 0.3, 39.9, 20.0, 20.2, 20.2, 5.5, 31.0]
    assert [number_of(frame) for frame in frames_at(video, times)] == [0, 1, 199, 100, 101, 101, 27, 155]


def test_a_picture_is_made_smaller_where_it_is_large() -> None:
    large = jpeg(Frame(0.0, np.zeros((100, 300, 3), np.uint8)), 150)
    with av.open(io.BytesIO(large)) as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == (150, 50)
