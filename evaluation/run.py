"""Runs one model under one condition over the records of a release, and keeps every raw reply.

It resumes: what was answered is never asked again, what the provider failed is. Its bytes depend on the records, the
model's replies and the seed, not on who was answered first.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from ..errors import ProviderError, StoppedError
from ..llm.gateway import Gateway
from ..schemas.call import Reply
from ..schemas.release import ModelInput
from ..schemas.response import Response, RunInfo, Sampling, Trace
from . import conditions, recognition
from .journal import RUN, Journal
from .posing import BLIND, Poser, Posing, Sight
from .prompt import Asked, Transcripts, in_letters, read


@dataclass(frozen=True)
class RunSettings:
    """What a run is, and how hard it tries."""

    release: str
    """Name and version of the release."""
    release_sha256: str
    """Hash of its `release.json`."""
    model: str
    permutation_seed: int
    condition: str = "full"
    repeats: int = 1
    concurrency: int = 8
    trace: Trace = "none"
    frames: Sampling = "1fps"
    scope: Literal["all", "film"] = "all"

    @property
    def posing(self) -> Posing:
        return Posing(self.model, self.condition, self.permutation_seed, self.trace)


class RunResult(NamedTuple):
    info: RunInfo
    responses: list[Response]
    """By (item, repeat)."""

    @property
    def statuses(self) -> Counter[str]:
        return Counter(response.status for response in self.responses)

    @property
    def errors(self) -> int:
        """Responses that failed for good; while there are any, the run is incomplete and may be run again."""
        return self.statuses["error"]


Watch = Callable[[int, int], None]
"""Called with the number of responses that are there, and of those wanted."""


def unwatched(done: int, wanted: int) -> None:
    """Nobody looks."""


async def run(
    inputs: Sequence[ModelInput],
    transcripts: Transcripts,
    gateway: Gateway,
    settings: RunSettings,
    folder: Path,
    watch: Watch = unwatched,
    sight: Sight = BLIND,
) -> RunResult:
    """Ask `settings.repeats` times about every record; write `run.json` and `responses.jsonl` into `folder`.

    Raises `UsageError` before anything is asked where a record cannot be (no transcript) or the
    folder holds another run; `StoppedError` when the budget ends, or the provider fails in a way that every other
    record would meet as well, with what was answered kept for the next time.
    """
    poser = Poser(settings.posing, transcripts, sight)
    info = describe(settings, poser)
    asked = {item.id: poser.ask(item) for item in inputs}
    with Journal(folder, info, RUN) as journal:
        every = ((item, repeat) for repeat in range(settings.repeats) for item in sorted(asked))
        keys = [key for key in every if key not in journal.done]
        work = _Work(gateway, settings, asked, journal, keys, watch)
        watch(len(journal.done), work.wanted)
        await asyncio.gather(*(work.go() for _ in range(settings.concurrency)))
        if work.stopped:
            raise work.stopped
        return RunResult(info, journal.finish(work.failed))


def describe(settings: RunSettings, poser: Poser) -> RunInfo:
    """`run.json` of a run with these settings."""
    return RunInfo(
        release=settings.release,
        release_sha256=settings.release_sha256,
        model=settings.model,
        condition=poser.condition.name,
        prompt_id=poser.template.id,
        prompt_sha256=poser.template.sha256,
        permutation_seed=settings.permutation_seed,
        repeats=settings.repeats,
        trace=settings.trace,
        takes=poser.sight.takes.told,
        frames=settings.frames,
        shots=poser.sight.shots.name if poser.condition.shots else "",
        scope=settings.scope,
    )


def read_again(response: Response, item: ModelInput) -> Response:
    """A stored reply read by today's parser, without calling a model. Errors stay errors."""
    if response.status in ("error", "judge_error"):
        return response
    # What the provider said of the reply is kept in the rule.
    status = response.status if response.rule == "provider" else "ok"
    reply = Reply.model_validate({"text": response.reply, "status": status})
    if conditions.named(response.condition).probe:
        return response.model_copy(update=recognition.read(reply)._asdict())
    parsed = read(reply, in_letters(item, response.shown), item.format)
    return response.model_copy(update=parsed._asdict())


class _Work:
    """The workers of one run: they share a list of keys to ask for, and stop together."""

    def __init__(
        self,
        gateway: Gateway,
        settings: RunSettings,
        asked: dict[str, Asked],
        journal: Journal[RunInfo, Response],
        keys: Sequence[tuple[str, int]],
        watch: Watch,
    ) -> None:
        self.gateway, self.settings, self.asked, self.journal, self.watch = gateway, settings, asked, journal, watch
        self.condition = journal.info.condition
        self.keys, self.wanted = iter(keys), len(journal.done) + len(keys)
        self.failed: list[Response] = []
        self.stopped: StoppedError | None = None

    async def go(self) -> None:
        """One worker. A spent budget ends all of them once their calls in flight are back: those are paid for."""
        for item, repeat in self.keys:
            try:
                response = await self._response(item, repeat)
                self.failed.append(response) if response.status == "error" else self.journal.append(response)
                self.watch(len(self.journal.done) + len(self.failed), self.wanted)
            except StoppedError as error:
                self.stopped = self.stopped or error
            if self.stopped:
                return

    async def _response(self, item: str, repeat: int) -> Response:
        """A failure that only this record meets is a response as well; one that all would meet ends the run."""
        try:
            reply = await self.gateway.complete(self.asked[item].request, sample=repeat, role="model")
        except ProviderError as error:
            if error.everywhere:
                raise
            reply = Reply(text=str(error), status="error")
        return self._row(item, repeat, reply)

    def _row(self, item: str, repeat: int, reply: Reply) -> Response:
        asked = self.asked[item]
        error = {"ids": (), "status": "error", "rule": "provider"}
        return Response.model_validate(
            {
                "item": item,
                "condition": self.condition,
                "repeat": repeat,
                "shown": asked.shown,
                "input_sha256": asked.input_sha256,
                "given": asked.given,
                "media": asked.media,
                "reply": reply.text,
                "usage": reply.usage,
                **(error if reply.status == "error" else asked.read(reply)._asdict()),
            }
        )
