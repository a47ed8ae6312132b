"""`filter`: the accepted items held against what two families of models solve without the clip.

Every call stands in the ledger: a filter that was stopped goes on, and one that is run again asks about new items
alone. What it drops is discarded, so that the next build makes another item in its place.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..errors import InputError, ProviderError, RefusedError, UsageError
from ..evaluation.ablation import NEEDED, PARTS, SAMPLES, Tried, accuracies, filtered, order, request
from ..evaluation.baselines import client_for
from ..evaluation.posing import Sight
from ..evaluation.prompt import Asked, Transcripts, template
from ..llm.families import evaluated, family
from ..llm.gateway import Gateway
from ..prompts.loader import Template
from ..schemas.ablation import Filtered, Filters, Part, Solved
from ..schemas.files import storing, to_line, write_whole
from ..schemas.item import Reference
from ..state.ledger import Budget, StoreLedger
from ..state.lock import build_lock
from ..state.store import NodeKey, Store, StoreEvent
from . import sources
from .films import Films, of_clips
from .folder import Project
from .freeze import Accepted, accepted, model_input
from .models import Models, takes
from .progress import Live, Progress, quiet
from .sight import shelf

CODE = "solved-without-clip"


class Ablated(NamedTuple):
    filters: Filters
    warnings: tuple[str, ...]


def ablate(project: Project, models: Sequence[str], *, progress: Progress = quiet) -> Ablated:
    """Ask `models` about every accepted item, drop what they solve without the clip, tag the rest; write
    `.benchwright/filters.json`.

    Raises `UsageError` for fewer than two families of models, `RefusedError` where no item with options is accepted,
    `StoppedError` where replies are missing: the same call goes on.
    """
    if len({family(model) for model in models}) < 2 or len(models) != 2:
        raise UsageError(f"a filter takes two models of two families, and got {', '.join(models) or 'none'}")
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    with build_lock(project.store), Store.open(project.store, seed=project.config.seed) as store:
        every = _in_order(store, accepted(store, sources.current(project, store)))
        closed = [one for one in every if one.item.format != "open"]
        if not closed:
            raise RefusedError(f"{project.root} has no accepted item with options; a filter needs some")
        cap = project.config.budget
        films = of_clips((one.clip for one in closed), shelf(project, store))
        ledger = StoreLedger(store, Budget(cap.usd, cap.calls))
        reach = Models(project, ledger, project.root, reach=client_for, media=films.shelf)
        asking = _Asking(project, closed, models, reach, films, Live(progress, reach.meter))
        tested = reach.run(asking.all())
        found = filtered(tested, models)
        filters = Filters(
            models=tuple(models), samples=SAMPLES, needed=NEEDED, left_out=len(every) - len(closed),
            not_run=asking.not_run, accuracy=accuracies(tested, found), items=found,
        )  # fmt: skip
        asyncio.run(_apply(store, closed, found))
    file = project.state / "filters.json"
    with storing(file):
        write_whole(file, [to_line(filters)])
    policies: dict[str, str] = {role: policy.model or "rules" for role, policy in project.config.roles.items()}
    return Ablated(filters, tuple(line for model in models for line in evaluated(policies, model)))


def _in_order(store: Store, items: Sequence[Accepted]) -> list[Accepted]:
    """In the order of slot numbers: the quota may not depend on what models said."""
    return sorted(items, key=lambda one: (one.slot.number, one.slot.slot_id))


class _Asking:
    """Every sample of every item, condition and model."""

    def __init__(
        self,
        project: Project,
        items: Sequence[Accepted],
        models: Sequence[str],
        reach: Models,
        films: Films,
        live: Live,
    ) -> None:
        self.seed, self.items, self.models = project.config.seed, items, models
        self.gateways: Mapping[str, Gateway] = {model: reach.gateway(model) for model in models}
        self.sights = {model: Sight(takes(project, model), films) for model in models}
        self.transcripts: Transcripts = {one.clip.ref.media: one.clip.transcript for one in items}
        self.template: Template = template()
        self.not_run: dict[str, str] = {}
        self.told, self.done = live.stage("asking"), 0

    async def all(self) -> list[Tried]:
        """Raises `StoppedError` once all calls under way came back, where one of them failed."""
        wanted = [
            (one, model, part, asked)
            for one in self.items
            for model in self.models
            for part in PARTS
            if (asked := self._requests(one, model, part)) is not None
        ]
        total = len(wanted) * SAMPLES
        counts = await asyncio.gather(
            *(self._right(one, model, asked, total) for one, model, _, asked in wanted), return_exceptions=True
        )
        if failed := [count for count in counts if isinstance(count, BaseException)]:
            raise failed[0]
        solved: dict[str, list[Solved]] = {one.item.item_id: [] for one in self.items}
        for (one, model, part, _), count in zip(wanted, counts, strict=True):
            assert isinstance(count, int)
            solved[one.item.item_id].append(Solved(model=model, condition=part, right=count))
        return [
            Tried(model_input(one.item), len(one.reference.answer), tuple(solved[one.item.item_id]))
            for one in self.items
        ]

    def _requests(self, one: Accepted, model: str, part: Part) -> list[Asked] | None:
        """One for each sample; None where the condition has nothing to show of this clip to this model."""
        item = model_input(one.item)
        try:
            return [
                request(
                    item, self.transcripts, model, part, order(self.seed, sample), self.template, self.sights[model]
                )
                for sample in range(SAMPLES)
            ]
        except (UsageError, InputError) as error:
            self.not_run.setdefault(f"{model} {part}", str(error))
            return None

    async def _right(self, one: Accepted, model: str, asked: Sequence[Asked], total: int) -> int:
        replies = [await self._chosen(model, each, sample) for sample, each in enumerate(asked)]
        self.done += len(replies)
        self.told(self.done, total)
        return sum(chosen == one.reference.answer for chosen in replies)

    async def _chosen(self, model: str, asked: Asked, sample: int) -> tuple[str, ...]:
        """A request that the provider turns down for itself alone solves nothing."""
        try:
            reply = await self.gateways[model].complete(asked.request, sample=sample, role="filter")
        except ProviderError as error:
            if error.everywhere or error.passing:
                raise
            return ()
        return tuple(asked.read(reply).ids)


async def _apply(store: Store, items: Sequence[Accepted], found: Sequence[Filtered]) -> None:
    """Discard what is dropped; write down what else was found as tags of the reference."""
    by_id = {one.item.item_id: one for one in items}
    for verdict in found:
        one = by_id[verdict.id]
        key = NodeKey(one.slot.slot_id, "decision", 0)
        if verdict.verdict == "dropped":
            await store.put(key, event=StoreEvent("discarded", {"code": CODE, "number": one.slot.number}))
        tags = (*(tag for tag in one.reference.tags if tag not in ("words-suffice", "picture-suffices")), *verdict.tags)
        if tags != one.reference.tags:
            times = sum(1 for _ in store.all(Reference, one.slot.slot_id))
            await store.put(key._replace(round=times), one.reference.model_copy(update={"tags": tags}))
