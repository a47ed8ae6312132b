"""Where the picture of a video changes: found by scenedetect, which comes with the extra `media`."""

from importlib.util import find_spec
from pathlib import Path

from ..errors import InputError
from ..schemas.base import seconds


def can_detect() -> bool:
    """Whether scenedetect is installed; without it a video is cut by its pauses alone."""
    return find_spec("scenedetect") is not None


def cuts(path: Path) -> tuple[float, ...]:
    """Seconds from the first picture at which another scene begins, ascending. Raises `InputError` for what is no
    video, `ImportError` where scenedetect is missing."""
    from scenedetect import ContentDetector, detect
    from scenedetect.video_stream import VideoOpenFailure

    try:
        found = detect(str(path), ContentDetector())
    except (VideoOpenFailure, OSError) as error:
        raise InputError(path, f"scenes cannot be found in it: {' '.join(str(error).split())}") from None
    return tuple(seconds(start.get_seconds()) for start, _ in found[1:])
