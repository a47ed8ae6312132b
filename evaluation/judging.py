"""Runs one judge under one rubric over the replies of a run, and keeps every verdict with the judge's words.

It resumes: a reply that was judged is never judged again; one whose judge failed is, and so is one that has changed.
A verdict that cannot be read is asked for again, and then counted as a judge error: it is never taken for a zero.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import model_validator

from ..errors import ProviderError, StoppedError
from ..llm.gateway import Gateway
from ..llm.structured import ask, schema_of
from ..prompts.loader import Template
from ..schemas.base import Record
from ..schemas.call import Reply, Request, Usage
from ..schemas.judge import (
    EvidenceVerdict,
    JudgeInfo,
    Judgement,
    LogicVerdict,
    ModalityVerdict,
    OpenVerdict,
    Rubric,
    TraceStep,
)
from .journal import JUDGE, Journal
from .judges import KINDS, Case, request, template
from .run import Watch, unwatched

TRIES = 2
"""How often a verdict is asked for, each time with one correction, before it is a judge error."""


class JudgeSettings(NamedTuple):
    rubric: Rubric
    judge: str
    release_sha256: str
    mismatched: int | None = None
    concurrency: int = 8


class JudgeResult(NamedTuple):
    info: JudgeInfo
    judgements: list[Judgement]
    """By (item, repeat)."""

    @property
    def statuses(self) -> Counter[str]:
        return Counter(line.status for line in self.judgements)

    @property
    def errors(self) -> int:
        return self.statuses["judge_error"]


async def judge(
    cases: Sequence[Case], gateway: Gateway, settings: JudgeSettings, folder: Path, watch: Watch = unwatched
) -> JudgeResult:
    """Judge every case; write `judge.json` and `judgements.jsonl` into `folder`.

    Raises `UsageError` where the folder holds another judge or another version of the prompt; `StoppedError` when the
    budget ends, or the provider fails in a way that every other case would meet as well, with what was judged kept.
    """
    texts = template(settings.rubric)
    info = describe(settings, texts)
    with Journal(folder, info, JUDGE) as journal:
        work = _Work(gateway, settings, texts, journal, cases, watch)
        await asyncio.gather(*(work.go() for _ in range(settings.concurrency)))
        if work.stopped:
            raise work.stopped
        wanted = {(case.item, case.repeat) for case in cases}
        lines = journal.finish(work.failed)
        return JudgeResult(info, [line for line in lines if (line.item, line.repeat) in wanted])


def describe(settings: JudgeSettings, texts: Template) -> JudgeInfo:
    """`judge.json` of a judge with these settings."""
    return JudgeInfo(
        rubric=settings.rubric,
        judge=settings.judge,
        release_sha256=settings.release_sha256,
        prompt_id=texts.id,
        prompt_sha256=texts.sha256,
        mismatched=settings.mismatched,
    )


def first_request(rubric: Rubric, case: Case, judge: str, texts: Template) -> Request:
    """What a judge is sent first about a case, with its schema; a reply that does not fit it is asked for once more."""
    return request(rubric, case, judge, texts).model_copy(update={"answer_schema": schema_of(_into(rubric, case))})


class _Work:
    """The workers of one judge: they share a list of cases, and stop together."""

    def __init__(
        self,
        gateway: Gateway,
        settings: JudgeSettings,
        texts: Template,
        journal: Journal[JudgeInfo, Judgement],
        cases: Sequence[Case],
        watch: Watch,
    ) -> None:
        self.gateway, self.settings, self.texts, self.journal, self.watch = gateway, settings, texts, journal, watch
        open_cases = [case for case in cases if not self._there(case)]
        self.cases, self.wanted, self.judged = iter(open_cases), len(cases), len(cases) - len(open_cases)
        self.failed: list[Judgement] = []
        self.stopped: StoppedError | None = None

    def _there(self, case: Case) -> bool:
        found = self.journal.done.get((case.item, case.repeat))
        return found is not None and (found.reply_sha256, found.beside) == (case.reply_sha256, case.beside)

    async def go(self) -> None:
        """One worker. A spent budget ends all of them once their calls in flight are back: those are paid for."""
        for case in self.cases:
            try:
                line = await self._line(case)
                self.failed.append(line) if line.status == "judge_error" else self.journal.append(line)
                self.judged += 1
                self.watch(self.judged, self.wanted)
            except StoppedError as error:
                self.stopped = self.stopped or error
            if self.stopped:
                return

    async def _line(self, case: Case) -> Judgement:
        """A failure that only this case meets is a judge error; one that all would meet ends the work."""
        asked = request(self.settings.rubric, case, self.settings.judge, self.texts)
        try:
            found, said, problem = await self._verdict(case, asked)
        except ProviderError as error:
            if error.everywhere:
                raise
            found, said, problem = None, (), str(error)
        return Judgement.model_validate(
            {
                "item": case.item,
                "repeat": case.repeat,
                "reply_sha256": case.reply_sha256,
                "input_sha256": asked.sha256,
                "beside": case.beside,
                "usage": _together(said),
                **({"status": "judge_error", "reason": problem} if found is None else found),
            }
        )

    async def _verdict(self, case: Case, asked: Request) -> tuple[dict[str, Any] | None, tuple[Reply, ...], str]:
        """What the verdict says as fields of a line, the last try's replies, and what is wrong where there is none."""
        kind, into = KINDS[self.settings.rubric], _into(self.settings.rubric, case)
        for tries in count(1):
            got = await ask(
                self.gateway,
                asked,
                into,
                sample=0,
                role=kind.role,
                correction=lambda wrong: self.texts.render_part("correction", problem=wrong),
            )
            if got.value is not None or tries == TRIES:
                break
        fields = None if got.value is None else {"status": "judged", **_fields(got.value, case.steps)}
        return fields, got.replies, got.problem


def _into(rubric: Rubric, case: Case) -> type[Record]:
    """The verdict that is asked for."""
    verdict = KINDS[rubric].verdict
    return tagging(len(case.steps)) if verdict is ModalityVerdict else verdict


def tagging(steps: int) -> type[ModalityVerdict]:
    """A verdict on a trace of so many steps: one entry for each of them."""

    class Tagging(ModalityVerdict):
        @model_validator(mode="after")
        def _each_step_once(self) -> Self:
            if sorted(one.step for one in self.steps) != list(range(1, steps + 1)):
                raise ValueError(f"give one entry for each of the {steps} steps, numbered from 1")
            return self

    return Tagging


def _fields(verdict: Record, steps: Sequence[TraceStep]) -> dict[str, Any]:
    """A verdict as fields of a line."""
    if isinstance(verdict, ModalityVerdict):
        return {"steps": _tagged(verdict, steps)}
    if isinstance(verdict, OpenVerdict):
        return {"credit": verdict.credit, "reason": verdict.reason}
    if isinstance(verdict, EvidenceVerdict | LogicVerdict):
        return {"label": verdict.label, "reason": verdict.reason}
    values = verdict.model_dump()
    return {"reason": values.pop("reason"), "ratings": tuple(values.values())}


def _tagged(verdict: ModalityVerdict, steps: Sequence[TraceStep]) -> tuple[TraceStep, ...]:
    """The trace with the judge's tags where the model gave none."""
    given = {one.step: one.tags for one in verdict.steps}
    untagged = ((step, given[at]) for at, step in enumerate(steps, 1))
    return tuple(step if step.tags else step.model_copy(update={"tags": tags}) for step, tags in untagged)


def _together(replies: Sequence[Reply]) -> Usage:
    return Usage(
        input_tokens=sum(reply.usage.input_tokens for reply in replies),
        output_tokens=sum(reply.usage.output_tokens for reply in replies),
        usd=sum(reply.usage.usd for reply in replies),
    )
