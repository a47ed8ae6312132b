"""Records, keys and responses brought together: one row an item, in order of id, before anything is counted."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import UsageError
from ..schemas.base import shown_order
from ..schemas.release import KeyRow, ModelInput
from ..schemas.response import Response, RunInfo
from . import credit
from .traps import Wrong

OURS = ("error", "judge_error")
"""Statuses that are a provider's or a judge's failure: no credit either way, and the run is incomplete."""


class Row(NamedTuple):
    """One item of a run. `credit` is None while one of its repeats is unscored."""

    item: ModelInput
    key: KeyRow
    responses: tuple[Response, ...]
    """By repeat; fewer than the run's repeats where some are missing."""
    credit: float | None

    def wrong(self) -> list[Wrong]:
        """The replies without credit, errors of ours left out."""
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
    inputs: Sequence[ModelInput], keys: Sequence[KeyRow], responses: Sequence[Response], run: RunInfo
) -> list[Row]:
    """One row an item. Raises `UsageError` where records, keys and responses do not belong together."""
    by_id = {key.id: key for key in keys}
    replies = _by_item(inputs, responses, run)
    if missing := sorted(item.id for item in inputs if item.id not in by_id):
        raise UsageError(f"the answer key has no row for {missing[0]} ({len(missing)} missing)")
    if not inputs:
        raise UsageError("there are no items to score")
    return [_row(item, by_id[item.id], replies[item.id], run) for item in sorted(inputs, key=lambda item: item.id)]


def _row(item: ModelInput, key: KeyRow, replies: list[Response], run: RunInfo) -> Row:
    if item.format == "open":
        raise UsageError(f"item {item.id} is an open question: its replies need a judge, which is not there yet")
    replies.sort(key=lambda reply: reply.repeat)
    scored = [credit.choice(reply.ids, key.answer) for reply in replies if reply.status not in OURS]
    return Row(item, key, tuple(replies), sum(scored) / run.repeats if len(scored) == run.repeats else None)


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
