"""Changes of scene, against videos whose changes are known: to the picture, whatever their clock and rate."""

import json
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import av
import numpy as np
import pytest
from benchwright.errors import InputError
from benchwright.media import scenes

pytest.importorskip("scenedetect", reason="comes with the extra media")

COLOURS = ((20, 20, 20), (240, 240, 60), (10, 10, 90), (250, 250, 250))


def coloured(path: Path, times: list[float], changes: list[float], first: float = 0.0) -> Path:
    """A picture at each time, of another colour from each change on; its clock starts at `first`."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width = stream.height = 64
        stream.codec_context.time_base = Fraction(1, 1000)
        for time in times:
            colour = COLOURS[sum(time >= change for change in changes) % len(COLOURS)]
            pixels = np.full((64, 64, 3), colour, np.uint8)
            picture = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            picture.time_base, picture.pts = Fraction(1, 1000), round(1000 * (first + time))
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


EVEN = [number / 10 for number in range(100)]
UNEVEN = [number / 10 for number in range(40)] + [4 + number / 2 for number in range(12)]
CASES = {
    "even": (EVEN, [3.0, 6.5], 0.0, [3.0, 6.5]),
    "a clock that starts late": (EVEN, [3.0, 6.5], 7.0, [3.0, 6.5]),
    "a rate that varies": (UNEVEN, [2.0, 6.5], 0.0, [2.0, 6.5]),
    "a flash is no scene": (EVEN, [3.0, 3.2, 6.5], 0.0, [3.0, 6.5]),
    "nothing changes": (EVEN, [], 0.0, []),
}


@pytest.mark.parametrize(("times", "changes", "first", "expected"), CASES.values(), ids=CASES)
def test_a_scene_begins_with_its_first_picture(
    tmp_path: Path, times: list[float], changes: list[float], first: float, expected: list[float]
) -> None:
    found = scenes.cuts(coloured(tmp_path / "v.mkv", times, changes, first))
    assert list(found) == expected


def test_every_change_of_place_of_the_demo_is_found() -> None:
    """Its log says when the script that rendered it went elsewhere."""
    demo = files("benchwright.project") / "demo"
    steps = json.loads((demo / "playthrough.log.json").read_text("utf-8"))["steps"]
    places = [(step["place"], step["chapter"]) for step in steps]
    moved = [step["start"] for step, now, before in zip(steps[1:], places[1:], places, strict=False) if now != before]
    found = scenes.cuts(Path(str(demo / "playthrough.mp4")))
    assert len(moved) > 8
    assert set(moved) <= set(found)


def test_a_hard_cut_of_a_real_video_is_found_and_a_still_one_has_none(shared: Path) -> None:
    """At 8.08 s a close view of a man gives way to a wide one; seen by eye."""
    videos = shared / "data" / "video"
    (found,) = scenes.cuts(videos / "torchcodec" / "nasa_13013.mp4")
    assert found == pytest.approx(8.08, abs=0.05)
    assert scenes.cuts(videos / "torchcodec" / "av1_video.mkv") == ()


@pytest.mark.parametrize("data", [b"", b"no video", bytes(1000)], ids=["empty", "text", "zeros"])
def test_what_is_no_video_is_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "v.mp4"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"v\.mp4"):
        scenes.cuts(path)
