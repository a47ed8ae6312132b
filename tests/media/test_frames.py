"""The picture at a time is the one that is shown then: its number says which it is."""

from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.media.frames import frames_at, jpeg
from benchwright.media.probe import probe
from benchwright.media.sampling import middles, midpoint
from benchwright.schemas.clip import Span

from .videos import number_of, numbered

COUNT, FPS = 40, 10


@pytest.fixture(scope="module", params=[0.0, 3.7], ids=["clock at zero", "clock at 3.7 s"])
def video(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return numbered(tmp_path_factory.mktemp("frames") / "n.mp4", COUNT, FPS, first=request.param)


@pytest.mark.parametrize("number", [0, 1, 6, 7, 8, 20, 39])
def test_a_picture_is_shown_from_its_time_until_the_next(video: Path, number: int) -> None:
    shown = frames_at(video, [number / FPS, number / FPS + 0.099])
    assert [number_of(frame) for frame in shown] == [number, number]
    assert [frame.time for frame in shown] == [number / FPS, number / FPS]


@pytest.mark.parametrize(
    ("start", "end", "count", "numbers"),
    [
        (0, 4, 4, [5, 15, 25, 35]),  # middles of four seconds
        (0, 4, 1, [20]),
        (1.2, 1.6, 2, [13, 15]),
        (2.05, 2.05, 3, [20, 20, 20]),  # a span without length shows one moment
        (3.9, 4.0, 1, [39]),
    ],
)
def test_even_frames(video: Path, start: float, end: float, count: int, numbers: list[int]) -> None:
    assert [number_of(frame) for frame in frames_at(video, middles(Span(start=start, end=end), count))] == numbers


def test_the_midpoint(video: Path) -> None:
    (frame,) = frames_at(video, [midpoint(Span(start=1, end=2))])
    assert number_of(frame) == 15


@pytest.mark.parametrize("time", [4.2, 60.0])
def test_after_the_end_there_is_nothing(video: Path, time: float) -> None:
    with pytest.raises(InputError, match=r"shows nothing at .* seconds"):
        frames_at(video, [time])


def test_a_picture_as_a_file(video: Path) -> None:
    data = jpeg(frames_at(video, [0.5])[0])
    assert data[:3] == b"\xff\xd8\xff"
    assert data[-2:] == b"\xff\xd9"


@pytest.mark.parametrize("name", ["nasa_13013.mp4", "nasa_13013_vfr.mp4", "av1_video.mkv", "testsrc2_vp8.webm"])
def test_real_videos_give_ascending_pictures(shared: Path, name: str) -> None:
    path = shared / "data" / "video" / "torchcodec" / name
    whole = Span(start=0, end=probe(path).duration)
    times = [frame.time for frame in frames_at(path, middles(whole, 5))]
    expected = [(k + 0.5) * whole.end / 5 for k in range(5)]
    assert times == sorted(times)
    assert all(0 <= middle - time < 0.2 for time, middle in zip(times, expected, strict=True))


def test_a_turned_video_comes_upright(shared: Path) -> None:
    path = shared / "data" / "video" / "torchcodec" / "nasa_13013_rotated.mp4"
    found = probe(path)
    (frame,) = frames_at(path, [found.duration / 2])
    assert frame.pixels.shape == (found.width, found.height, 3)
