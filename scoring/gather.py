"""Records, keys and responses brought together: one row an item, in order of id, before anything is counted."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..errors import UsageError
from ..schemas.base import shown_order
from ..schemas.release import KeyRow, ModelInput
from ..schemas.response import Response, RunInfo
from . import credit
from .traps import Wrong

Key = tuple[str, int]
"""(item, repeat)"""
OURS = ("error", "judge_error")
"""Statuses that are a provider's or a judge's failure: no credit either way, and the run is incomplete."""


class Row(NamedTuple):
    """One item of a run. `credit` is None while one of its repeats is unscored."""

    item: ModelInput
    key: KeyRow
    responses: tuple[Response, ...]
    """By repeat; fewer than the run's repeats where some are missing."""
    credit: float | None
    credits: tuple[float | None, ...] = ()
    """Of each response; None for errors of ours."""

    def wrong(self) -> list[Wrong]:
        """The replies to a choice question without credit, errors of ours left out."""
        if self.item.format == "open":
            return []
        foils = tuple(option.id for option in self.item.options if option.id not in self.key.answer)
        traps = {option: str(trap) for option, trap in self.key.traps.items()}
        return [
            Wrong(tuple(option for option in reply.ids if option in foils), foils, traps, self.key.episode)
            for reply in self.responses
            if reply.status not in OURS and not credit.choice(reply.ids, self.key.answer)
        ]

    def positions(self, seed: int) -> list[int]:
        """Where the key stood, 1-based, as the run's permutation shows it."""
        options = [option.id for option in self.item.options]
        shown = self.responses[0].shown if self.responses else shown_order(seed, self.item.id, options)
        return [shown.index(answer) + 1 for answer in self.key.answer if answer in shown]


def gather(
    inputs: Sequence[ModelInput],
    keys: Sequence[KeyRow],
    responses: Sequence[Response],
    run: RunInfo,
    judged: Mapping[Key, float] = MappingProxyType({}),
) -> list[Row]:
    """One row an item; `judged` holds the credit of answers to open questions. One that no judge has scored is a judge
    error. Raises `UsageError` where records, keys and responses do not belong together.
    """
    by_id = {key.id: key for key in keys}
    replies = _by_item(inputs, responses, run)
    if missing := sorted(item.id for item in inputs if item.id not in by_id):
        raise UsageError(f"the answer key has no row for {missing[0]} ({len(missing)} missing)")
    if not inputs:
        raise UsageError("there are no items to score")
    ordered = sorted(inputs, key=lambda item: item.id)
    return [_row(item, by_id[item.id], replies[item.id], run, judged) for item in ordered]


def _row(item: ModelInput, key: KeyRow, replies: list[Response], run: RunInfo, judged: Mapping[Key, float]) -> Row:
    marked = [_marked(item, reply, judged) for reply in sorted(replies, key=lambda reply: reply.repeat)]
    credits = tuple(_credit(item, key, reply, judged) for reply in marked)
    scored = [own for own in credits if own is not None]
    whole = len(scored) == run.repeats
    return Row(item, key, tuple(marked), sum(scored) / run.repeats if whole else None, credits)


def _marked(item: ModelInput, reply: Response, judged: Mapping[Key, float]) -> Response:
    waits = item.format == "open" and reply.status == "answered" and (reply.item, reply.repeat) not in judged
    return reply.model_copy(update={"status": "judge_error"}) if waits else reply


def _credit(item: ModelInput, key: KeyRow, reply: Response, judged: Mapping[Key, float]) -> float | None:
    if reply.status in OURS:
        return None
    if item.format != "open":
        return credit.choice(reply.ids, key.answer)
    return judged[reply.item, reply.repeat] if reply.status == "answered" else 0.0


def _by_item(
    inputs: Sequence[ModelInput], responses: Sequence[Response], run: RunInfo
) -> defaultdict[str, list[Response]]:
    known = {item.id for item in inputs}
    replies: defaultdict[str, list[Response]] = defaultdict(list)
    seen: set[tuple[str, int]] = set()
    for response in responses:
        place = (response.item, response.repeat)
        if response.item not in known:
            raise UsageError(f"the run answers {response.item}, which the release does not have")
        if place in seen or not 0 <= response.repeat < run.repeats or response.condition != run.condition:
            raise UsageError(
                f"the run's reply to {response.item} (repeat {response.repeat}, {response.condition}) stands twice, "
                f"or is none of its {run.repeats} repeats under {run.condition}"
            )
        seen.add(place)
        replies[response.item].append(response)
    return replies
