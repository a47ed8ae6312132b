"""A project of a transcript alone, and a script of models that propose, answer and criticise in all formats.

Every stretch of the transcript says its own words, so that a rule of the script can tell which one a request is about.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from benchwright.knowledge.loader import load_taxonomy
from benchwright.project import folder
from benchwright.project.folder import Project
from benchwright.project.ingest import ingest

SEED = 11
SCRIPT = "models.yaml"
THINGS = ("kettle", "ladder", "lantern", "ledger", "basket", "saddle", "anchor", "fiddle", "pillow", "barrel")
TYPES = ("tell", "refuse", "help", "persuade")
"""A cue word of each interaction type."""
WATCHED = tuple(name for name, one in load_taxonomy().capabilities.items() if one.claim is None)[:8]
"""The eight observed capabilities."""
ASKED = {
    "single": "Exactly one of them is right",
    "multiple": "Two or more of them are right",
    "open": "The question is open",
}
"""What the prompt says of each format."""
ROLES = {role: {"policy": "llm", "model": f"scripted/{SCRIPT}"} for role in ("question", "answer", "critic")}


def lines(number: int) -> tuple[str, ...]:
    thing, word = THINGS[number], TYPES[number % len(TYPES)]
    return (
        f"ANNA: Did you see my {thing} by the door?",
        f"BEN: I did, and I will {word} you where it went.",
        f"ANNA: You always say that about the {thing}.",
        "BEN: Then wait until I have sat down.",
        f"ANNA: The {thing} was never yours to take.",
    )


def subtitles(stretches: int = len(THINGS)) -> str:
    """SubRip: stretches of some 15 seconds, with 6 seconds between them."""
    blocks, clock = list[str](), 1.0
    for number in range(stretches):
        for line in lines(number):
            blocks.append(f"{len(blocks) + 1}\n{_time(clock)} --> {_time(clock + 2.8)}\n{line}\n")
            clock += 3.0
        clock += 6.0
    return "\n".join(blocks)


def _time(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole % 3600 // 60:02}:{whole % 60:02},{round(seconds % 1 * 1000):03}"


def right(number: int, other: bool = False) -> str:
    return f"Beta hears a question on the {THINGS[number]}" if other else f"Alpha asks about the {THINGS[number]}"


def proposal(number: int, kind: str, capability: str, **changes: Any) -> str:
    """What the model proposes about a stretch."""
    cues = [{"line": "1", "quote": f"my {THINGS[number]} by the door"}, {"line": "H1", "quote": "Did you see my"}]
    said: dict[str, Any] = {
        "question": f"As to {capability.replace('_', ' ')}, what comes first where the {THINGS[number]} is spoken of?",
        "cues": cues[: 2 if capability == "interaction_memory" else 1],
        "rationale": "The first line says so.",
    }
    thing = THINGS[number]
    wrong = [f"Beta hides the {thing} before that", f"Somebody sings of a {thing}", f"Alpha lends the {thing} to Beta"]
    options = [{"text": text, "right": False, "trap": "logic"} for text in wrong]
    options.append({"text": right(number), "right": True, "trap": "none"})
    if kind == "multiple":
        options.append({"text": right(number, other=True), "right": True, "trap": "none"})
    said |= {"answer": f"{right(number)}."} if kind == "open" else {"options": options}
    return json.dumps(said | changes)


VERDICT = {
    "answerability": "answerable", "cue_support": True, "coherence": True, "alignment": True, "agreement": True,
    "defect": "none", "code": "accepted", "message": "",
}  # fmt: skip


def script(extra: Sequence[Mapping[str, Any]] = (), stretches: int = len(THINGS)) -> dict[str, Any]:
    """Rules of a model that does all three roles well. `extra` rules go before them."""
    rules: list[dict[str, Any]] = [dict(rule) for rule in extra]
    for number in range(stretches):
        about = f"Did you see my {THINGS[number]} by the door?"
        for kind, words in ASKED.items():
            for name in WATCHED:
                told = [words, f"\n1. Alpha: {about}", f"What is asked for: {name.replace('_', ' ')}\n"]
                reply = proposal(number, kind, name)
                rules.append({"prompt_id": "question", "contains": told, "reply": reply})
        for letter in "ABCDE":
            said = {"status": "answered", "answer": letter, "reason": "line 1"}
            told = ["Choose the one option", f"{letter}. {right(number)}"]
            rules.append({"prompt_id": "answer", "contains": told, "reply": said})
            for other in "ABCDE":
                both = {"status": "answered", "answer": sorted([letter, other]), "reason": "line 1"}
                told = ["every option that", f"{letter}. {right(number)}", f"{other}. {right(number, other=True)}"]
                rules.append({"prompt_id": "answer", "contains": told, "reply": both})
        words_of_its_own = {"status": "answered", "answer": f"{right(number)}, and nobody else.", "reason": ""}
        rules.append({"prompt_id": "answer", "contains": ["of your own", about], "reply": words_of_its_own})
    rules.append({"prompt_id": "critic", "reply": VERDICT})
    return {"benchwright_script": 1, "rules": rules, "default": "error"}


def watched(
    place: Path,
    spoken: Mapping[str, Any] | None = None,
    stretches: int = len(THINGS),
    film: Callable[[Path], Path] | None = None,
    **settings: Any,
) -> Project:
    """A project with the transcript ingested, whose models speak by the script; with `film`, which makes a video of the
    name that it is given, the transcript is that of the video."""
    project = folder.init(place)
    (place / SCRIPT).write_text(yaml.safe_dump(dict(spoken or script(stretches=stretches))), encoding="utf-8")
    (place / "talk.srt").write_text(subtitles(stretches), encoding="utf-8")
    config = {"version": 1, "name": "watched", "seed": SEED, "roles": ROLES} | settings
    config.setdefault("targets", dict.fromkeys(WATCHED, 2))
    project.file.path.write_text(yaml.safe_dump(config), encoding="utf-8")
    source = film(place / "talk.mp4") if film else place / "talk.srt"
    ingest(folder.find(place), [source], "CC0-1.0")
    return folder.find(place)
