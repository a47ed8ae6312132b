"""Opens a story file. What it holds says what it is; its suffix only helps with what cannot be read."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from ..errors import InputError
from ..schemas.yamlfile import parse_json, read_text
from .ink import InkStory
from .own import OwnStory
from .runtime import Story

KNOWN = "compiled Ink (.ink.json) or a story of ours (.yaml or .json with benchwright_story: 1)"
HOW_TO_COMPILE = (
    "Ink source has to be compiled: `inklecate -o story.ink.json story.ink`, or "
    "`npm install inkjs && node node_modules/inkjs/bin/inkjs-compiler.js -o story.ink.json story.ink`"
)


def open_story(path: Path, *, random_seed: int | None = None) -> Story:
    """A story of any format that is read. Raises `InputError`, one line with file and place.

    An Ink story that draws random numbers is refused without a `random_seed`, which fixes what it draws.
    """
    text = read_text(path)
    if path.suffix.lower() == ".ink" and not text.lstrip().startswith('{"inkVersion"'):
        return compile_ink(path, random_seed)
    if text.lstrip()[:1] in ("{", "[") or path.suffix.lower() == ".json":
        return open_json(path, text, random_seed)
    if path.suffix.lower() in (".yaml", ".yml") or "benchwright_story" in text:
        return OwnStory(path)
    raise InputError(path, f"no story that is read here; expected {KNOWN}")


def open_json(path: Path, text: str, random_seed: int | None) -> Story:
    """Compiled Ink, or our format; YAML in braces goes the way of our format."""
    try:
        data = parse_json(text)
    except json.JSONDecodeError as error:
        if path.suffix.lower() in (".yaml", ".yml"):
            return OwnStory(path)
        raise InputError(path, f"malformed JSON: {error.msg}", f"{error.lineno}:{error.colno}") from None
    except RecursionError:
        raise InputError(path, "nested too deeply") from None
    if isinstance(data, dict) and "inkVersion" in data:
        return InkStory(path, path.read_bytes(), data, random_seed)
    if isinstance(data, dict) and "benchwright_story" in data:
        return OwnStory(path)
    raise InputError(path, f"no story that is read here: neither inkVersion nor benchwright_story; expected {KNOWN}")


def compile_ink(path: Path, random_seed: int | None) -> Story:
    """Ink source, compiled by inklecate where there is one. Its origin stays the name in every message."""
    compiler = shutil.which("inklecate")
    if compiler is None:
        raise InputError(path, HOW_TO_COMPILE)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "story.ink.json"
        ran = subprocess.run([compiler, "-o", target, path], capture_output=True, text=True, check=False)
        if not target.exists():
            said = next((line for line in (ran.stdout + ran.stderr).splitlines() if "ERROR" in line), "no reason given")
            raise InputError(path, f"inklecate refused it: {said.strip()}")
        source = target.read_bytes()
    return InkStory(path, source, json.loads(source.decode("utf-8-sig")), random_seed)
