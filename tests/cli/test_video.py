"""A source that cannot be used costs one line: the others go on, the count says so, and so does the exit code."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright.project import folder
from benchwright.project.ingest import ingest
from benchwright.project.status import status

from ..media.videos import numbered
from ..project.films import filmed, srt
from ..tale import begin
from .conftest import PROGRESS, Cli

Damage = Callable[[Path], object]
BROKEN: dict[str, tuple[Damage, str]] = {
    "cut off": (lambda path: path.write_bytes(path.read_bytes()[:-2000]), "play.mp4"),
    "empty": (lambda path: path.write_bytes(b""), "play.mp4: is empty"),
    "gone": (lambda path: path.unlink(), "play.mp4: no such file"),
    "odd subtitles": (
        lambda path: path.with_suffix(".srt").write_bytes("1\n00:00:01,000 --> 00:00:02,000\né\n".encode("cp1252")),
        "play.srt:3: not UTF-8 (byte 0xe9)",
    ),
    "subtitles of something else": (
        lambda path: path.with_suffix(".srt").write_text(srt(["quite another conversation"] * 9)),
        "shows no playthrough of",
    ),
    "no subtitles": (lambda path: path.with_suffix(".srt").write_text(""), "play.srt holds none"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_video_costs_one_line_and_the_build_goes_on(tmp_path: Path, cli: Cli, name: str) -> None:
    project, _, _ = filmed(tmp_path / "w")
    damage, said = BROKEN[name]
    damage(tmp_path / "w" / "play.mp4")
    done = cli("build", "--limit", "1", "--json", folder=project.root)
    assert done.code == 1
    result = json.loads(done.out)
    assert (result["accepted"] >= 1, len(result["refused"]), result["usable"]) == (True, 1, 1)
    assert said in result["refused"][0]
    lines = [line for line in done.err.strip().splitlines() if not PROGRESS.fullmatch(line)]
    assert (len(lines), lines[-1]) == (
        2, "benchwright: 1 of 2 sources refused; the build went on without them",
    )  # fmt: skip


LOOP = """benchwright_story: 1
title: Loop
protagonists: [Mara]
start: a
states:
  a: {lines: [{text: Mara walks on.}], goto: [{to: b}]}
  b: {lines: [{text: Mara walks back.}], goto: [{to: a}]}
"""
STORIES = {
    "one that loops": ("x.yaml", LOOP, "1000 states without a choice"),
    "one of an old version": ("x.ink.json", '{"inkVersion":17,"root":[]}', "compiled as inkVersion 17"),
    "one in another encoding": ("x.yaml", LOOP.replace("Mara", "Mária"), "x.yaml:3: not UTF-8"),
}


@pytest.mark.parametrize("name", STORIES)
def test_a_broken_story_costs_one_line_and_the_build_goes_on(tmp_path: Path, cli: Cli, name: str) -> None:
    project = begin(tmp_path / "w", 2)
    file, text, said = STORIES[name]
    (tmp_path / "w" / file).write_bytes(text.encode("latin-1"))
    settings = project.file.path.read_text()
    project.file.path.write_text(settings.replace("sources:\n", f"sources:\n- path: ../{file}\n"))
    done = cli("build", "--limit", "1", "--json", folder=project.root)
    result = json.loads(done.out)
    assert (done.code, result["accepted"] >= 1, result["usable"]) == (1, True, 1)
    assert [said in line for line in result["refused"]] == [True]
    assert done.err.strip().splitlines()[-1].startswith("benchwright: 1 of 2 sources refused")


def test_nothing_usable_is_bad_input(tmp_path: Path, cli: Cli) -> None:
    project = folder.init(tmp_path / "p")
    video = numbered(tmp_path / "a.mp4")
    assert ingest(project, [video]).refused == ()
    video.write_bytes(b"")
    done = cli("build", folder=project.root)
    assert (done.code, "is empty" in done.err, done.err.count("\n")) == (2, True, 1)


def test_a_video_without_a_story_waits(tmp_path: Path, cli: Cli) -> None:
    project = folder.init(tmp_path / "p")
    numbered(tmp_path / "a.mp4").with_suffix(".en.srt").write_text(srt(["Hello there."]))
    told = cli("ingest", "../a.mp4", "--license", "CC0-1.0", folder=project.root)
    assert (told.code, told.err) == (0, "")
    assert folder.find(project.root).config.sources[0].subtitles == "../a.en.srt"
    built = cli("build", "--json", folder=project.root)
    assert built.code == 0
    result = json.loads(built.out)
    assert (result["accepted"], result["open"], result["videos_waiting"]) == (0, status(project).open, 1)
    assert "rules make no items of what is only seen" in cli("status", folder=project.root).out
