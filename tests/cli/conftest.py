"""Runs the command line inside the test's process, as the console script does."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from benchwright.cli.guard import guard
from benchwright.cli.main import app


class Done(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Done]
PROGRESS = re.compile(r"[\w :,-]+: \d+(?: of \d+)?")
"""A line that a slow machine is told every few seconds: how far the work is."""


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """`cli("status", "--json")` in an empty folder, or in `folder`."""

    def run(*arguments: object, folder: Path = tmp_path) -> Done:
        monkeypatch.chdir(folder)
        capsys.readouterr()
        code = guard(lambda: app([str(argument) for argument in arguments], standalone_mode=False))
        return Done(code, *capsys.readouterr())

    return run
