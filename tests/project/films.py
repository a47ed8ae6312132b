"""A project with the tale and a video of one play of it, its subtitles beside it."""

from pathlib import Path
from random import Random

from benchwright.narrative.recover import given
from benchwright.narrative.stories import open_story
from benchwright.project import folder
from benchwright.project.folder import Project
from benchwright.project.ingest import Beside, Ingested, ingest

from ..media.videos import numbered
from ..tale import begin

SECONDS = 240
LINE = 4.0
"""Seconds that a line or a choice is shown."""


def clock(time: float) -> str:
    return f"{int(time) // 3600:02}:{int(time) // 60 % 60:02}:{int(time) % 60:02},{round(time % 1 * 1000):03}"


def srt(texts: list[str]) -> str:
    times = [(clock(n * LINE), clock(n * LINE + LINE - 0.5)) for n in range(len(texts))]
    return "\n".join(
        f"{n}\n{a} --> {b}\n{text}\n" for n, ((a, b), text) in enumerate(zip(times, texts, strict=True), 1)
    )


def play_of(story: Path, seed: int = 5) -> tuple[tuple[int, ...], list[str]]:
    """A whole play, and its lines and choices in order."""
    runtime, chance = open_story(story).runtime(), Random(seed)
    step, play = runtime.start(), []
    while step.choices:
        play.append(int(chance.random() * len(step.choices)))
        step = runtime.choose(play[-1])
    texts: list[str] = []
    for number, step in enumerate(given(runtime, play)):
        texts += [line.text for line in step.lines]
        texts += [step.choices[index].text for index in play[number : number + 1]]
    return tuple(play), texts


def filmed(place: Path) -> tuple[Project, Ingested, tuple[int, ...]]:
    """The project, what ingesting the video gave, and the play that it shows."""
    project = begin(place, 2)
    play, texts = play_of(place / "tale.yaml")
    video = numbered(place / "play.mp4", SECONDS, 1)
    video.with_suffix(".srt").write_text(srt(texts), encoding="utf-8")
    done = ingest(project, [video], "CC-BY-4.0", Beside(narrative=place / "tale.yaml"))
    return folder.find(project.root), done, play
