"""A video is what it holds: real ones are described, broken ones refused in one line."""

import json
import shutil
from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.media.probe import Probe, named_video, probe

from .videos import numbered

# name: seconds, width, height, pictures a second, rotation, sound. Source: ffprobe, as ../shared/data/video says.
REAL = {
    "debian/3gp.3gp": (5.534, 352, 288, 15, 0, True),
    "debian/cockatoo.mp4": (14.0, 1280, 720, 20, 0, True),
    "debian/movie-hello.mp4": (8.32, 1280, 720, 2500 / 83, 0, True),
    "debian/Shepard_Calais_1906_FrenchGP.ogv.160p.ogv": (19.2, 214, 160, None, 0, False),
    "debian/tree.avi": (29.6, 320, 240, 1000000 / 66667, 0, False),
    "torchcodec/av1_video.mkv": (5.0, 640, 360, 25, 0, False),
    "torchcodec/h265_video.mp4": (1.0, 128, 128, 10, 0, False),
    "torchcodec/nasa_13013.mp4": (13.056, 320, 180, 25, 0, True),
    "torchcodec/nasa_13013_mkv_duration_tag.mkv": (13.12, 480, 270, 30000 / 1001, 0, True),
    "torchcodec/nasa_13013_rotated.mp4": (0.568, 480, 270, 30000 / 1001, 90, False),
    "torchcodec/nasa_13013_vfr.mp4": (3.871, 480, 270, 375000 / 29029, 0, False),
    "torchcodec/test_non_zero_start.mp4": (0.4, 200, 112, 30, 0, False),
    "torchcodec/testsrc2_odd_height_and_width_vp9.mp4": (1.0, 321, 241, 25, 0, False),
    "torchcodec/testsrc2_vp8.webm": (1.0, 1280, 720, 30, 0, False),
}


@pytest.mark.parametrize("name", REAL)
def test_real_videos_are_described(shared: Path, name: str) -> None:
    found = probe(shared / "data" / "video" / name)
    duration, width, height, fps, rotation, audio = REAL[name]
    assert found.duration == pytest.approx(duration, abs=0.02)
    assert (found.width, found.height, found.rotation, found.audio) == (width, height, rotation, audio)
    assert found.fps == (None if fps is None else pytest.approx(fps))
    assert {"video", *(["audio"] if audio else [])} <= {stream.kind for stream in found.streams}


@pytest.mark.parametrize("name", ["cockatoo.mp4", "movie-hello.mp4", "realshort.mp4", "3gp.3gp"])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_video_that_is_cut_off_is_refused(shared: Path, tmp_path: Path, name: str, part: float) -> None:
    raw = (shared / "data" / "video" / "debian" / name).read_bytes()
    cut = tmp_path / name
    cut.write_bytes(raw[: int(part * len(raw))])
    assert "cut off" in refusal(cut)


@pytest.mark.parametrize("name", ["av1_video.mkv", "nasa_13013_mkv_duration_tag.mkv", "nasa_13013_vfr.mp4"])
def test_a_header_that_promises_more_than_there_is_says_how_much(shared: Path, tmp_path: Path, name: str) -> None:
    raw = (shared / "data" / "video" / "torchcodec" / name).read_bytes()
    cut = tmp_path / name
    cut.write_bytes(raw[: len(raw) * 6 // 10])
    assert "is cut off: it ends after" in refusal(cut)


def refusal(path: Path) -> str:
    """The one line with which a file is refused, which names it."""
    with pytest.raises(InputError) as caught:
        probe(path)
    line = str(caught.value)
    assert line.startswith(f"{path}: ")
    assert "\n" not in line
    return line


TEXTS = {
    "nothing": ("", "is empty"),
    "prose": ("It was a dark night.\n" * 40, "no video"),
    "subtitles": ("1\n00:00:01,000 --> 00:00:02,000\nhi\n", "no video"),
    "a playlist of files": ("#EXTM3U\n#EXTINF:1\nreal.mp4\n", "no video"),
    "a list of files to join": ("ffconcat version 1.0\nfile 'real.mp4'\n", "no video"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_called_mp4_is_no_video_and_opens_no_other_file(tmp_path: Path, name: str) -> None:
    numbered(tmp_path / "real.mp4")
    text, said = TEXTS[name]
    path = tmp_path / "text.mp4"
    path.write_text(text)
    assert said in refusal(path)


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "missing.mp4")
    assert "is no file" in refusal(tmp_path)


def test_sound_alone_and_a_header_alone_are_no_video(shared: Path) -> None:
    video = shared / "data" / "video"
    assert "holds no video (but audio)" in refusal(video / "torchcodec" / "reproduce_seek_bug.wav")
    assert "holds no video" in refusal(video / "debian" / "rclone_broken_262bytes.mp4")


def test_a_name_says_nothing_of_what_a_file_holds(tmp_path: Path) -> None:
    video = numbered(tmp_path / "a.mp4", count=30)
    shutil.copy(video, tmp_path / "a.txt")
    assert probe(tmp_path / "a.txt") == probe(video)
    assert (named_video(video), named_video(tmp_path / "B.MKV"), named_video(tmp_path / "a.txt")) == (True, True, False)


def test_a_title_in_another_encoding_is_no_obstacle(tmp_path: Path) -> None:
    video = numbered(tmp_path / "a.avi", count=30, title="Titel: Oel")
    raw = video.read_bytes()
    assert raw.count(b"Titel: Oel") == 1
    video.write_bytes(raw.replace(b"Titel: Oel", "Titel: Öl!".encode("latin-1")))
    assert probe(video).duration == 3.0


def test_a_probe_is_plain_data(tmp_path: Path) -> None:
    found = probe(numbered(tmp_path / "a.mp4", count=30, first=5.0))
    assert isinstance(found, Probe)
    assert json.loads(json.dumps(found))[:4] == ["mov,mp4,m4a,3gp,3g2,mj2", 3.0, 64, 64]
