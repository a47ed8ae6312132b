"""The demo goes the whole way, twice with the same bytes, without a network."""

import json
from pathlib import Path

import pytest
from benchwright.project.verify import verify

from .conftest import PROGRESS, Cli


def contents(release: Path) -> dict[str, bytes]:
    return {path.relative_to(release).as_posix(): path.read_bytes() for path in release.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_two_demos_are_the_same_and_verify(cli: Cli, tmp_path: Path) -> None:
    told = cli("demo", "--out", "first", "--json")
    assert told.code == 0
    lines = told.err.splitlines()
    assert all(map(PROGRESS.fullmatch, lines)), "how far it is, where it takes long, and nothing else"
    result = json.loads(told.out)
    assert result["schema"] == "benchwright/demo/1"
    for page in (result["report"], result["audit"]):
        assert Path(page).read_text("utf-8").startswith("<!DOCTYPE html>")
    first = Path(result["release"])
    assert verify(first).ok
    clips = [json.loads(line) for line in (first / "media" / "manifest.jsonl").read_text("utf-8").splitlines()]
    assert sum("video" in clip for clip in clips) >= 5
    assert cli("score", first, *result["runs"], "--json").code == 0
    assert all(Path(result[page]).read_text("utf-8").startswith("<!") for page in ("report", "audit"))
    (tmp_path / "benchwright-demo").mkdir()
    printed = cli("demo")
    assert printed.code == 0
    assert contents(tmp_path / "benchwright-demo-2" / "releases" / first.name) == contents(first)


def test_a_folder_that_is_not_empty_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    done = cli("demo", "--out", "mine")
    assert done.code == 2
    assert "not empty" in done.err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
    assert cli("demo", "--out", "mine/notes.txt").code == 2
