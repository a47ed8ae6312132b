"""Where the picture of a video changes: found by scenedetect, which comes with the extra `media`.

It is given the pictures that everything else here sees, at the times at which they are shown: its own reading of videos
goes by picture numbers, which say nothing of time where their rate varies.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..schemas.base import seconds
from .probe import first_time, opened

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

WIDTH = 256
"""Pixels to which pictures are made smaller: enough to tell one scene from another."""
SHORTEST = 0.6
"""Seconds of a scene: what lasts less is a flash."""


def can_detect() -> bool:
    """Whether scenedetect is installed; without it a video is cut by its pauses alone."""
    return find_spec("scenedetect") is not None and find_spec("cv2") is not None


def cuts(path: Path) -> tuple[float, ...]:
    """Seconds from the first picture at which another scene begins, ascending; none where the picture never changes.

    Raises `InputError` for what is no video or cannot be decoded, `ImportError` where scenedetect is missing.
    """
    from scenedetect import ContentDetector, FrameTimecode

    times: list[float] = []
    found: list[FrameTimecode] = []
    with opened(path) as (container, stream):
        start, rate = first_time(container), float(stream.average_rate or 25)
        stream.thread_type = "AUTO"
        detector = ContentDetector(min_scene_len=max(1, round(SHORTEST * rate)))
        for number, picture in enumerate(container.decode(stream)):
            times.append(max(0.0, (picture.time or 0.0) - start))
            found += detector.process_frame(FrameTimecode(number, rate), _small(picture))
    return tuple(sorted({seconds(times[one.frame_num]) for one in found} - {0.0}))


def _small(picture: "VideoFrame") -> Any:
    """Pixels as OpenCV orders them."""
    shrink = min(1.0, WIDTH / picture.width)
    width, height = (max(2, round(side * shrink)) for side in (picture.width, picture.height))
    return picture.reformat(width=width, height=height, format="bgr24").to_ndarray()
