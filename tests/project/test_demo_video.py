"""The demo's video against the log of the script that rendered it: every line and choice right to half a second."""

import hashlib
import json
import shutil
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.media.frames import frames_at
from benchwright.media.probe import probe
from benchwright.media.subtitles import read_subtitles, sidecar
from benchwright.narrative.align import align, clip_span
from benchwright.narrative.heard import Heard
from benchwright.narrative.recover import Play, recover
from benchwright.narrative.stories import open_story
from benchwright.narrative.timelines import protagonists_of, stretches
from benchwright.project import folder
from benchwright.project.ingest import Beside, ingest
from benchwright.schemas.alignment import Alignment
from benchwright.schemas.source import LexiconEntry
from benchwright.state.store import Store

DEMO = Path(__file__).resolve().parents[2] / "project" / "demo"
VIDEO = DEMO / "playthrough.mp4"
NEAR = 0.5


@pytest.fixture(scope="module")
def log() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((DEMO / "playthrough.log.json").read_text("utf-8"))
    return read


@pytest.fixture(scope="module")
def found() -> tuple[Play, Alignment]:
    subtitles = sidecar(VIDEO)
    assert subtitles == DEMO / "playthrough.srt"
    heard, runtime = Heard(read_subtitles(subtitles)), open_story(DEMO / "story.ink.json").runtime()
    try:
        play = recover(heard, runtime)
    finally:
        runtime.close()
    return play, align(heard, play.steps, play.play)


def test_the_log_is_of_these_files(log: dict[str, Any]) -> None:
    for name, sha256 in log["files"].items():
        assert hashlib.sha256((DEMO / name).read_bytes()).hexdigest() == sha256
    seen = probe(VIDEO)
    assert (seen.width, seen.height, seen.audio) == (log["width"], log["height"], True)
    assert seen.duration == pytest.approx(log["duration"], abs=NEAR)


def test_the_choices_are_those_that_were_filmed(log: dict[str, Any], found: tuple[Play, Alignment]) -> None:
    assert list(found[0].play) == [step["menu"]["choice"] for step in log["steps"] if step["menu"]]


def test_every_line_and_choice_is_in_its_place(log: dict[str, Any], found: tuple[Play, Alignment]) -> None:
    truth = list(
        chain.from_iterable(
            [(line["start"], line["end"]) for line in step["lines"]]
            + ([(step["menu"]["lit"], step["menu"]["end"])] if step["menu"] else [])
            for step in log["steps"]
        )
    )
    moments = found[1].moments
    assert len(moments) == len(truth) > 100
    for moment, (start, end) in zip(moments, truth, strict=True):
        assert moment.span is not None
        assert moment.span.start == pytest.approx(start, abs=NEAR)
        assert moment.span.end == pytest.approx(end, abs=NEAR)


def test_every_state_is_in_its_place(log: dict[str, Any], found: tuple[Play, Alignment]) -> None:
    for state, step in zip(found[1].states(), log["steps"], strict=True):
        assert state.span is not None
        assert state.span.start == pytest.approx(step["start"], abs=NEAR)
        assert state.span.end == pytest.approx(step["end"], abs=NEAR)
        assert state.confidence > 0.9


def test_the_protagonists_share_the_video(log: dict[str, Any], found: tuple[Play, Alignment]) -> None:
    play, alignment = found
    cut = stretches(alignment, protagonists_of(play.steps))
    told = [step["protagonist"] for step in log["steps"]]
    assert [stretch.protagonist for stretch in cut] == [
        name for at, name in enumerate(told) if at == 0 or told[at - 1] != name
    ]


def test_a_picture_of_a_line_can_be_taken(log: dict[str, Any]) -> None:
    line = log["steps"][3]["lines"][0]
    (frame,) = frames_at(VIDEO, [(line["start"] + line["end"]) / 2])
    assert frame.pixels.shape == (log["height"], log["width"], 3)
    assert line["start"] <= frame.time <= line["end"]


def test_a_clip_of_all_that_is_told_ends_before_the_menu_is_drawn(
    log: dict[str, Any], found: tuple[Play, Alignment]
) -> None:
    """As the clip of a moral dilemma does."""
    for number, step in enumerate(log["steps"]):
        play = found[0].play[:number]
        span = clip_span(found[1], "s1", play, max(0, number - 2), len(step["lines"]))
        if step["menu"]:
            assert span is not None
            assert span.end <= step["menu"]["start"] + 0.01


def test_subtitles_of_a_story_bring_no_names(tmp_path: Path) -> None:
    """They hold the choices, whose first words look like names: "Laugh along" once made a person of Laugh."""
    config = yaml.safe_load((DEMO / "benchwright.yaml").read_text("utf-8"))
    names = [name for entity in config["entities"] for name in entity["names"]]
    project = folder.init(tmp_path / "p")
    (project.root / "benchwright.yaml").write_text((DEMO / "benchwright.yaml").read_text("utf-8"), "utf-8")
    for name in ("story.ink.json", VIDEO.name, "playthrough.srt"):
        shutil.copy(DEMO / name, project.root)
    project = folder.find(project.root)
    ingest(project, [project.root / "story.ink.json"])
    beside = Beside(subtitles=project.root / "playthrough.srt", narrative=project.root / "story.ink.json")
    ingest(project, [project.root / VIDEO.name], "MIT", beside)
    with Store.read(project.store, seed=project.config.seed) as store:
        known = [name for _, entry in store.all(LexiconEntry) for name in entry.entity.names]
    assert known == names
