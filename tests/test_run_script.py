"""`scripts/run.py`: the two commands of the README, with nothing but the standard library."""

import ast
import os
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "run.py"


def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def test_it_needs_the_standard_library_only() -> None:
    nodes = list(ast.walk(ast.parse(SCRIPT.read_text("utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert names <= set(sys.stdlib_module_names)


def test_the_readme_names_its_commands() -> None:
    commands = runpy.run_path(str(SCRIPT))["COMMANDS"]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(f"python3 scripts/run.py {command}\n" in readme for command in ("demo", "test"))
    assert {"demo", "test"} <= set(commands)


def test_a_wrong_call_shows_the_usage() -> None:
    for arguments in ((), ("paint",)):
        done = run(*arguments)
        assert done.returncode == 1
        assert "python3 scripts/run.py test" in done.stderr


def test_an_environment_that_is_up_to_date_is_used_as_it_is(tmp_path: Path) -> None:
    script = runpy.run_path(str(SCRIPT))
    python = script["interpreter"](tmp_path)
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (tmp_path / "benchwright-installed[dev]").write_text(script["wanted"]())
    done = run("setup", BENCHWRIGHT_VENV=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {python.parent.name, "benchwright-installed[dev]"}


def test_a_changed_project_is_installed_again(tmp_path: Path) -> None:
    """The stand-in for the environment's Python says what it was asked to do, and that it failed."""
    script = runpy.run_path(str(SCRIPT))
    python = script["interpreter"](tmp_path)
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@" >&2\nexit 1\n')
    python.chmod(0o755)
    (tmp_path / "benchwright-installed[dev]").write_text("of another pyproject.toml")
    done = run("test", BENCHWRIGHT_VENV=str(tmp_path))
    assert done.returncode == 1
    assert "-m pip install --quiet uv" in done.stderr
    assert "the installation failed" in done.stderr
