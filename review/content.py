"""What a page shows of a task, as plain data: the public side first, what stands behind it only when it may be seen.

Each builder names the fields that it sends. Nothing else of a record reaches a page.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa

from ..schemas.base import content_hash
from ..schemas.clip import TranscriptLine, VideoSpan
from ..schemas.item import Item
from ..schemas.judge import TraceStep
from ..schemas.release import KeyRow, ModelInput
from ..schemas.review import BlindView, ExpertView
from ..state.log import LogEntry
from ..state.store import NodeKey, Store
from ..state.tables import tables_of

PUBLIC = tables_of(Item)[0].table
NEWEST = 2**31 - 2
"""A round after every other: views of it show the newest revision."""
Clips = Callable[[VideoSpan | None, bool], str | None]
"""The media id of a span, with what goes before and after it or without; None where it cannot be played."""

Times = Callable[[VideoSpan | None, Sequence[str]], list[float | None]]
"""Seconds from the start of a clip at which each of its lines is told, as far as it is known."""


def untimed(video: VideoSpan | None, lines: Sequence[str]) -> list[float | None]:
    return []


class Sheet(NamedTuple):
    """One side of a task."""

    data: dict[str, Any]
    hash: str
    """Of the version shown: `public_hash` of the public side, `item_hash` of the other."""
    options: tuple[str, ...] = ()
    format: str = ""
    video: VideoSpan | None = None
    """Where the clip is shown; never sent."""


class Content(Protocol):
    """Where a mode's tasks are read from."""

    def public(self, subject: str) -> Sheet: ...

    def behind(self, subject: str, public: Sheet) -> Sheet:
        """`public` is the other side, as it was read."""
        ...


class Items:
    """Items of the store, and planted ones, through the views of the blind and the expert role."""

    def __init__(self, store: Store, clips: Clips, times: Times = untimed) -> None:
        self._store, self._clips, self._times = store, clips, times

    def public(self, subject: str) -> Sheet:
        view = self._store.view("blind", subject, NEWEST)
        shown = of_blind(view, self._clips(view.video, False))
        return Sheet(shown, view.public_hash, tuple(option.id for option in view.options), view.format, view.video)

    def behind(self, subject: str, public: Sheet) -> Sheet:
        view = self._store.view("expert", subject, NEWEST)
        played = {
            "context": self._clips(public.video, True),
            "times": self._times(public.video, [line["text"] for line in public.data["lines"]]),
        }
        return Sheet(_expert(view) | played, view.item_hash)


class Screened:
    """Clips of the store, each by the slot that it was first made for."""

    def __init__(self, store: Store, clips: Clips) -> None:
        self._store, self._clips = store, clips

    def public(self, subject: str) -> Sheet:
        view = self._store.view("blind", subject, NEWEST)
        scene = of_scene(view.background, view.transcript, view.history, self._clips(view.video, False))
        return Sheet(scene, content_hash(scene | {"media": None}))

    def behind(self, subject: str, public: Sheet) -> Sheet:
        return Sheet({}, "")


class Reply(NamedTuple):
    """One reply of a run, or one decision of a judge on it. Which model it was is not among what is shown."""

    id: str
    """`run/item/repeat`, with the rubric of a judge's decision."""
    item: ModelInput
    transcript: tuple[TranscriptLine, ...]
    video: VideoSpan | None
    text: str
    """The reply as far as it is rated: a description, an answer, a rationale."""
    steps: tuple[TraceStep, ...] = ()
    key: KeyRow | None = None
    """None where the rater may not see it."""
    judged: str = ""
    """The judge's decision."""
    reason: str = ""


class Replies:
    """Replies of runs on a release. Everything about them is shown at once: there is nothing to be blind to."""

    def __init__(self, replies: Mapping[str, Reply], clips: Clips) -> None:
        self._replies, self._clips = replies, clips

    def public(self, subject: str) -> Sheet:
        reply, item = self._replies[subject], self._replies[subject].item
        scene = of_scene(item.background, reply.transcript, item.history, self._clips(reply.video, False))
        options = [option.model_dump() for option in item.options]
        known = {"question": item.question, "options": options, "format": item.format, "capability": item.capability}
        said = {"reply": reply.text, "steps": [step.model_dump(mode="json") for step in reply.steps]}
        data = scene | known | said
        return Sheet(
            data, content_hash(data | {"media": None}), tuple(option.id for option in item.options), item.format
        )

    def behind(self, subject: str, public: Sheet) -> Sheet:
        reply = self._replies[subject]
        data: dict[str, Any] = {"judged": reply.judged, "reason": reply.reason} if reply.judged else {}
        if reply.key is not None:
            data |= {"answer": list(reply.key.answer), "answer_text": reply.key.answer_text,
                     "cues": list(reply.key.cues)}  # fmt: skip
        return Sheet(data, content_hash(data))


def of_scene(
    background: str, transcript: tuple[TranscriptLine, ...], history: tuple[str, ...], media: str | None
) -> dict[str, Any]:
    lines = [{"text": line.text, "speaker": line.speaker, "kind": line.kind} for line in transcript]
    return {"background": background, "lines": lines, "history": list(history), "media": media}


def of_blind(view: BlindView, media: str | None) -> dict[str, Any]:
    """What the blind page is sent of an item; options by id, in the order of their ids."""
    options = [{"id": option.id, "text": option.text} for option in view.options]
    scene = of_scene(view.background, view.transcript, view.history, media)
    return scene | {"question": view.question, "options": options, "format": view.format, "capability": view.capability}


def _expert(view: ExpertView) -> dict[str, Any]:
    claims = [
        {"text": claim.text, "evidence": [{"kind": one.kind, "quote": one.quote, "place": one.place}
                                         for one in claim.evidence]}
        for claim in view.claims
    ]  # fmt: skip
    known = {name: getattr(view, name) for name in ("answer_text", "tier", "status")}
    return known | {
        "answer": list(view.answer), "traps": dict(view.traps), "cues": list(view.cues), "tags": list(view.tags),
        "claims": claims,
    }  # fmt: skip


def log_blind(store: Store, subject: str, reviewer: str, policy: str) -> tuple[NodeKey, LogEntry]:
    """The entry of the isolation log for a person who was shown an item's public side, and the key it stands under."""
    rounds = sa.select(sa.func.max(PUBLIC.c.round)).where(PUBLIC.c.slot_id == subject)
    key = NodeKey(subject, f"blind/{reviewer}", store.rows(rounds)[0][0])
    seen = store.see("blind", subject, key.round)
    return key, seen.entry(seen.view.item_id, key, policy_sha256=policy)  # type: ignore[union-attr]
