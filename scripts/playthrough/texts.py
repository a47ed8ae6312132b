"""The film's subtitles, and the log of what stands when and where in it: what an alignment is held against."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from .canvas import HEIGHT, WIDTH
from .frames import CAPTION, boxes, options
from .script import PLAY
from .timeline import FPS, UP, Film, Shot, Told


class Cue(NamedTuple):
    start: int
    end: int
    text: str


def subtitles(film: Film) -> str:
    """SubRip. Cues of signals stand beside those of the lines with which they are shown."""
    cues = sorted((cue for step in film.steps for cue in step_cues(step)), key=lambda cue: (cue.start, cue.text))
    blocks = (
        f"{number}\n{clock(cue.start)} --> {clock(cue.end)}\n{cue.text}\n" for number, cue in enumerate(cues, start=1)
    )
    return "\n".join(blocks)


def step_cues(step: Told) -> Iterator[Cue]:
    for shot in step.shots:
        yield Cue(shot.start, shot.end, f"{shot.speaker}: {shot.text}" if shot.speaker else shot.text)
    for signal in step.signals:
        yield Cue(signal.start, signal.end, f"[{signal.text}]")
    if step.menu:
        yield Cue(step.menu.lit, step.menu.end, f"▶ {step.menu.options[step.menu.choice]}")


def clock(frame: int) -> str:
    whole, part = divmod(frame * 1000 // FPS, 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02},{part:03}"


def log(film: Film, files: dict[str, str], made_with: dict[str, str]) -> dict[str, Any]:
    """Times in seconds, boxes as left, top, width and height in pixels; `files`: names and SHA-256."""
    return {
        "story": "story.ink.json",
        "files": files,
        "made_with": made_with,
        "width": WIDTH,
        "height": HEIGHT,
        "fps": FPS,
        "duration": film.frames / FPS,
        "caption_box": [CAPTION[0], CAPTION[1], CAPTION[2] - CAPTION[0], CAPTION[3] - CAPTION[1]],
        "title": {"start": 0.0, "end": film.steps[0].shots[0].start / FPS},
        "steps": [log_step(number, step) for number, step in enumerate(film.steps)],
        "card": {"start": film.steps[-1].shots[-1].end / FPS, "end": film.frames / FPS},
    }


def log_step(number: int, step: Told) -> dict[str, Any]:
    new, menu = step.shots[-1].scene, step.menu
    logged: dict[str, Any] = {
        "step": number,
        "chapter": new.chapter,
        "protagonist": new.protagonist,
        "place": PLAY[number].place,
        "present": list(new.people),
        "start": step.shots[0].start / FPS,
        "end": step.shots[-1].end / FPS,
        "lines": [log_line(shot) for shot in step.shots],
        "signals": [
            {
                "text": signal.text,
                "variable": signal.variable,
                "before": signal.before,
                "after": signal.after,
                "direction": "up" if UP in signal.text else "down",
                "start": signal.start / FPS,
                "end": signal.end / FPS,
                "box": list(box),
            }
            for signal, box in zip(step.signals, boxes(step.signals), strict=True)
        ],
        "menu": menu
        and {
            "start": menu.start / FPS,
            "lit": menu.lit / FPS,
            "end": menu.end / FPS,
            "options": list(menu.options),
            "choice": menu.choice,
            "boxes": [list(box) for box in options(menu)],
        },
    }
    return logged


def log_line(shot: Shot) -> dict[str, Any]:
    spoken = {"spoken_until": (shot.start + shot.talking) / FPS} if shot.speaker else {}
    return {"start": shot.start / FPS, "end": shot.end / FPS, "speaker": shot.speaker, "text": shot.text, **spoken}
