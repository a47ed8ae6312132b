"""Small releases to freeze: made-up items that keep the rules of ids, so that each test breaks one thing."""

import random
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from benchwright.anonymize.leaks import LeakTest
from benchwright.release.content import ReleaseContent
from benchwright.schemas.base import digest, sha256
from benchwright.schemas.clip import Clip, ClipRef, TranscriptLine
from benchwright.schemas.grounding import Event, Evidence, GroundedClaim, Recipe, Trace
from benchwright.schemas.item import Option
from benchwright.schemas.release import KeyRow, ModelInput, SourceFacts, TraceRow
from benchwright.schemas.story import Entity

SOURCE = SourceFacts(
    source_id="s0123456789", kind="story", license="CC-BY-4.0", language="en", sha256=sha256(b"the story")
)
NAME = "Marguerite"
LEAKS = LeakTest([Entity(names=(NAME,), placeholder="Alpha")]).find
ACTS = ("opens the gate", "hides the letter", "calls for help", "says nothing at all", "tells the truth", "walks away")
ROWS = ("clips", "items", "keys", "traces")
CAPABILITIES = ("behaviour_prediction", "counterfactual_prediction", "causal_antecedent")


class Made:
    """The rows of one made-up item."""

    def __init__(self, number: int) -> None:
        chosen = random.Random(number)
        self.clip = _clip(number, chosen.randint(2, 6))
        item, key = "i" + digest(7, number)[:12], chosen.randrange(6)
        texts = [f"Alpha {act} at stop {number}." for act in ACTS]
        order = sorted(texts, key=lambda text: digest(item, text))
        ids = {text: f"o{at}" for at, text in enumerate(order, 1)}
        answer = texts[key]
        self.item = ModelInput(
            id=item,
            capability=CAPABILITIES[number % 3],
            interaction="trust" if number % 2 else "conflict",
            format="single",
            clip=self.clip.ref,
            background="Alpha and Beta travel together. It is “late”.",
            question=f"What does Alpha do before stop {number}?",
            options=tuple(Option(id=ids[text], text=text) for text in order),
        )
        self.key = KeyRow(
            id=item,
            answer=(ids[answer],),
            answer_text=answer,
            traps={ids[text]: "logic" for text in texts if text != answer},
            cues=("line 1",),
            tier="A",
            status="answerable" if number % 4 == 0 else "derived, answerability unknown",
            episode="e" + digest("episode", number)[:10],
            story=SOURCE.source_id,
        )
        self.trace = _trace(item, number, {ids[text]: f"{NAME} {text.removeprefix('Alpha ')}" for text in texts})


def _clip(number: int, count: int) -> Clip:
    lines = tuple(
        TranscriptLine(text=f"Stop {number}, door {at} — “come in”, says Beta.", speaker="Beta" if at else None)
        for at in range(count)
    )
    clip_id = "c" + digest(7, number)[:12]
    ref = ClipRef(media=f"media/{clip_id}.json", start=0, end=count, unit="lines")
    return Clip(clip_id=clip_id, source_id=SOURCE.source_id, ref=ref, background="", transcript=lines)


def _trace(item: str, number: int, events: dict[str, str]) -> TraceRow:
    recipe = Recipe(
        claim="behaviour",
        story_sha256=SOURCE.sha256,
        play=(0, number % 3),
        taken=1,
        window=3,
        events={option: Event(kind="line", match=(text,)) for option, text in events.items()},
    )
    evidence = Evidence(kind="line", quote=f"{NAME} waits.", place="12", source_sha256=SOURCE.sha256)
    claim = GroundedClaim(text=f"{NAME} waits.", evidence=(evidence,))
    trace = Trace(claims=(claim,), signals={"trust": 0.5}, present=(NAME,), tier="A")
    return TraceRow(id=item, recipe=recipe, trace=trace, proof="enumerated 9 paths", rationale="She waits.")


def made(count: int) -> Iterator[Made]:
    yield from sorted((Made(number) for number in range(count)), key=lambda one: one.item.id)


def content(count: int = 5, **changed: Any) -> ReleaseContent:
    """A release of some items; `changed` replaces fields, rows given as lists."""
    rows = list(made(count))
    whole = ReleaseContent(
        name="small",
        version="1.2.0",
        date="2026-01-31",
        license="CC-BY-4.0",
        reviewed=False,
        sources=[SOURCE],
        clips=lambda: sorted((one.clip for one in rows), key=lambda clip: clip.ref.media),
        items=lambda: [one.item for one in rows],
        keys=lambda: [one.key for one in rows],
        traces=lambda: [one.trace for one in rows],
        heads={one.item.id: sha256(one.item.id.encode()) for one in rows},
        leaks=LEAKS,
        permutation_seed=7,
        resampler_id="episodes/pcg64/1",
        tool_version=version("benchwright"),
        prompts={"answer": sha256(b"prompt")},
        policies={"answer": "rules", "critic": "rules"},
        yields={"accepted": count, "discarded/question-taken": 2},
    )
    streams = {
        name: (lambda given=given: given) for name, given in changed.items() if name in ROWS and type(given) is list
    }
    return replace(whole, **{**changed, **streams})
