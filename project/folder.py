"""A project on disk: where its settings, its state and its output lie.

benchwright.yaml              what the author writes
.benchwright/store.sqlite     the truth: every record of the build
             checkpoints.sqlite   positions of slots in work; may be deleted
             cache/               explored flowcharts and other expensive things, by content hash
             store.sqlite.lock    held by the build that runs
releases/, runs/              what comes out
"""

import re
import tempfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template

from ..errors import UsageError
from ..schemas.files import write_whole
from . import config
from .config import Config, ConfigFile


@dataclass(frozen=True)
class Project:
    """An opened project: its folder and its checked configuration."""

    root: Path
    file: ConfigFile

    @property
    def config(self) -> Config:
        return self.file.config

    @property
    def state(self) -> Path:
        return self.root / ".benchwright"

    @property
    def store(self) -> Path:
        place = config.expand(self.config.store)
        if "://" in place:
            raise self.file.wrong(("store",), "the store is a SQLite file; a server is not supported")
        path = self.root / place
        if path.exists() and not path.is_file():
            raise self.file.wrong(("store",), f"the store is a SQLite file, and {path} is none")
        return path

    @property
    def checkpoints(self) -> Path:
        return self.state / "checkpoints.sqlite"

    @property
    def cache(self) -> Path:
        return self.state / "cache"

    @property
    def releases(self) -> Path:
        return self.root / "releases"

    @property
    def runs(self) -> Path:
        return self.root / "runs"


def find(start: Path) -> Project:
    """Open the project that `start` lies in. Raises `UsageError` where there is none, `InputError` if it is wrong."""
    path = config.find_file(start)
    return Project(path.parent, config.load(path))


def init(folder: Path) -> Project:
    """Make a project: a folder with a commented configuration. Raises `UsageError` where there is one already."""
    path = folder / config.FILE_NAME
    if path.exists():
        raise UsageError(f"{path} is there already; edit it, or name another folder")
    writable(folder)
    template = Template(files(__package__).joinpath("templates", config.FILE_NAME).read_text("utf-8"))
    settings = {name: config.default(name) for name in ("seed", "store", "concurrency", "lookahead", "frames")}
    settings["approvals"] = config.default("review").approvals
    settings["states"] = config.default("exploration").states
    name = re.sub(r"[^a-z0-9._-]+", "-", folder.resolve().name.lower()).strip("-._")[:80]
    write_whole(path, [template.substitute(settings, name=name or "benchmark").encode()])
    return find(folder)


def writable(folder: Path) -> None:
    """Make `folder` where it is missing and see that files can be written there. Raises `UsageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write to {folder}: {reason}; choose a folder that can be written") from None
