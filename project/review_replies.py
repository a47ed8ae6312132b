"""Replies of runs as things to be rated: reasoning traces, descriptions, decisions of judges. No model is named."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..evaluation import trace
from ..release.layout import MEDIA
from ..review.content import Reply
from ..schemas.clip import TranscriptLine, VideoSpan
from ..schemas.files import read_records
from ..schemas.judge import Judgement, Rubric
from ..schemas.release import KeyRow, MediaRow, ModelInput
from ..schemas.response import Response
from ..schemas.review import Mode
from ..scoring.gather import Row
from .humans import said_by
from .releases import Release, open_release
from .score import Scorable, scorable

MODES: tuple[Mode, ...] = ("rating", "hsa", "dsa", "endorsement")
ENDORSED: tuple[Rubric, ...] = ("open", "evidence", "logic")
"""Rubrics whose decisions experts look at."""


def replies_of(release: Path, runs: Sequence[Path], judge: str | None) -> dict[Mode, list[Reply]]:
    """What there is to rate in some runs, by mode; modes of which there is nothing are left out.

    Raises `InputError` for a folder that is no release or no whole run on it.
    """
    opened = open_release(release)
    transcripts = opened.transcripts()
    found: dict[Mode, list[Reply]] = {}
    for run in runs:
        scored = scorable(opened, run, judge)
        for mode, reply in _of_run(opened, scored, run.name, transcripts):
            found.setdefault(mode, []).append(reply)
    return found


def _of_run(
    release: Release, run: Scorable, name: str, transcripts: Mapping[str, Sequence[TranscriptLine]]
) -> Iterator[tuple[Mode, Reply]]:
    videos = _videos(release)
    for row in run.rows:
        told = tuple(transcripts.get(row.item.clip.media, ()))
        for response in row.responses:
            reply = Reply(
                f"{name}/{row.item.id}/{response.repeat}", row.item, told, videos.get(row.item.clip.media), ""
            )
            yield from _rated(row, response, reply)
            yield from _judged(run.found.lines, row.key, response, reply)


def _videos(release: Release) -> dict[str, VideoSpan | None]:
    return {row.media: row.video for row in read_records(release.folder / MEDIA, MediaRow)}


def _rated(row: Row, response: Response, reply: Reply) -> Iterator[tuple[Mode, Reply]]:
    """A trace with the reference beside it, as Social Genome's raters had it; a description without."""
    if response.status == "error":
        return
    if row.item.format == "open":
        text = trace.answer_text(response.reply)
        if text:
            yield "hsa", reply._replace(text=text)
            yield "dsa", reply._replace(text=text)
    steps = trace.steps(response.reply, _texts(row.item))
    if any(step.tags for step in steps):
        yield "rating", reply._replace(steps=steps, key=row.key)


def _texts(item: ModelInput) -> list[str]:
    return [item.question, *(option.text for option in item.options)]


def _judged(
    lines: Mapping[Rubric, Mapping[tuple[str, int], Judgement]], key: KeyRow, response: Response, reply: Reply
) -> Iterator[tuple[Mode, Reply]]:
    for rubric in ENDORSED:
        line = lines.get(rubric, {}).get((response.item, response.repeat))
        if line is not None and line.status == "judged":
            yield "endorsement", reply._replace(
                id=f"{reply.id}/{rubric}", text=response.reply, key=key, judged=f"{rubric}: {said_by(line)}",
                reason=line.reason,
            )  # fmt: skip
