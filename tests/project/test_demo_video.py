"""The demo's playthrough video belongs to the story as it plays now: no edit leaves a stale film behind."""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.narrative.runtime import Step
from benchwright.narrative.stories import open_story

from ..conftest import ROOT

DEMO = ROOT / "project" / "demo"
CUE = re.compile(r"\d+\n(\d\d:\d\d:\d\d,\d{3}) --> (\d\d:\d\d:\d\d,\d{3})\n(.+)")


@pytest.fixture(scope="module")
def log() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((DEMO / "playthrough.log.json").read_text(encoding="utf-8"))
    return read


@pytest.fixture(scope="module")
def cues() -> list[tuple[float, float, str]]:
    blocks = (DEMO / "playthrough.srt").read_text(encoding="utf-8").strip().split("\n\n")
    read = [CUE.fullmatch(block) for block in blocks]
    assert all(read)
    return [(seconds(cue[1]), seconds(cue[2]), cue[3]) for cue in read if cue]


@pytest.fixture(scope="module")
def steps(log: dict[str, Any]) -> list[Step]:
    """What the runtime tells when the logged choices are taken."""
    runtime = open_story(DEMO / log["story"]).runtime()
    try:
        return [runtime.start(), *(runtime.choose(step["menu"]["choice"]) for step in log["steps"][:-1])]
    finally:
        runtime.close()


def seconds(clock: str) -> float:
    hours, minutes, rest = clock.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest.replace(",", "."))


def test_every_line_is_told_at_its_step(log: dict[str, Any], steps: list[Step]) -> None:
    filmed = [[(line["speaker"], line["text"]) for line in step["lines"]] for step in log["steps"]]
    assert filmed == [[(line.speaker, line.text) for line in step.lines] for step in steps]


def test_every_menu_offers_what_the_story_offers(log: dict[str, Any], steps: list[Step]) -> None:
    filmed = [step["menu"]["options"] for step in log["steps"][:-1]]
    assert filmed == [[choice.text for choice in step.choices] for step in steps[:-1]]
    assert log["steps"][-1]["menu"] is None


def test_the_people_are_those_present(log: dict[str, Any], steps: list[Step]) -> None:
    filmed = [(step["chapter"], step["protagonist"], tuple(step["present"])) for step in log["steps"]]
    assert filmed == [(step.chapter, step.protagonist, step.present) for step in steps]


def test_the_signals_are_the_moves_of_the_mapped_variables(log: dict[str, Any], steps: list[Step]) -> None:
    mapped = yaml.safe_load((DEMO / "benchwright.yaml").read_text(encoding="utf-8"))["signals"]
    filmed = [
        {(signal["variable"], signal["before"], signal["after"], signal["text"]) for signal in step["signals"]}
        for step in log["steps"]
    ]
    assert filmed == [set(), *(set(moved(mapped, *pair)) for pair in pairwise(steps))]


def moved(mapped: Mapping[str, Any], before: Step, after: Step) -> Iterator[tuple[str, Any, Any, str]]:
    for name, meaning in mapped.items():
        old, new = before.variables[name], after.variables[name]
        if old != new:
            arrow = "▲" if float(new) > float(old) else "▼"
            label = meaning["label"][0].upper() + meaning["label"][1:]
            yield name, old, new, f"{label} {arrow} {'–'.join(meaning.get('between', []))}".strip()


def test_it_is_long_enough_to_carry_items(log: dict[str, Any]) -> None:
    assert 14 <= len(log["steps"]) - 1 <= 24
    assert {step["protagonist"] for step in log["steps"]} == {"Vesna", "Joonas"}
    shown = {tuple(signal["text"].split()[:2]) for step in log["steps"] for signal in step["signals"]}
    assert {("Trust", "▲"), ("Trust", "▼"), ("Suspicion", "▲"), ("Suspicion", "▼")} <= shown


def test_the_times_follow_one_another_without_gaps(log: dict[str, Any]) -> None:
    at = log["title"]["end"]
    assert log["title"]["start"] == 0 < at
    for step in log["steps"]:
        assert step["start"] == at
        for line in step["lines"]:
            assert line["start"] == at < line.get("spoken_until", line["end"]) <= line["end"]
            at = line["end"]
        assert step["end"] == at
        if step["menu"]:
            assert step["menu"]["start"] == at < step["menu"]["lit"] < step["menu"]["end"]
            at = step["menu"]["end"]
    assert log["card"] == {"start": at, "end": log["duration"]}


def test_signals_stand_inside_the_picture_and_their_step(log: dict[str, Any]) -> None:
    for step in log["steps"]:
        for signal in step["signals"]:
            left, top, width, height = signal["box"]
            assert step["start"] <= signal["start"] < signal["end"] <= step["end"]
            assert 0 <= left < left + width <= log["width"]
            assert 0 <= top < top + height <= log["height"]


def test_the_subtitles_are_the_logged_texts(log: dict[str, Any], cues: list[tuple[float, float, str]]) -> None:
    assert sorted(cues) == sorted(expected(log["steps"]))
    assert [cue[0] for cue in cues] == sorted(cue[0] for cue in cues)


def expected(steps: list[dict[str, Any]]) -> Iterator[tuple[float, float, str]]:
    for step in steps:
        for line in step["lines"]:
            speaker = f"{line['speaker']}: " if line["speaker"] else ""
            yield line["start"], line["end"], speaker + line["text"]
        for signal in step["signals"]:
            yield signal["start"], signal["end"], f"[{signal['text']}]"
        if menu := step["menu"]:
            yield menu["lit"], menu["end"], f"▶ {menu['options'][menu['choice']]}"


def test_the_three_files_come_from_one_rendering(log: dict[str, Any]) -> None:
    assert log["files"] == {name: sha256((DEMO / name).read_bytes()).hexdigest() for name in log["files"]}
    assert set(log["files"]) == {"playthrough.mp4", "playthrough.srt"}


def test_the_video_decodes_to_its_end(log: dict[str, Any]) -> None:
    av = pytest.importorskip("av", reason="PyAV comes with benchwright[media]")
    video: Path = DEMO / "playthrough.mp4"
    with av.open(str(video)) as film:
        frames = sum(1 for _ in film.decode(video=0))
        assert (film.streams.video[0].width, film.streams.video[0].height) == (log["width"], log["height"])
    assert abs(frames / log["fps"] - log["duration"]) < 0.1
    with av.open(str(video)) as film:
        samples = sum(frame.samples for frame in film.decode(audio=0))
        assert abs(samples / film.streams.audio[0].rate - log["duration"]) < 0.1
