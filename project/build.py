"""`build`: from sources and targets to accepted items. A build that was stopped goes on from where it was."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from ..errors import UsageError
from ..graph.admission import Admission
from ..graph.build import Step
from ..graph.build import build as run_slots
from ..graph.context import Run
from ..graph.coverage import Planner
from ..graph.machine import machine
from ..schemas.item import Coordinate
from ..state.writer import CommitHook
from . import sources, targets
from .casting import warnings
from .folder import Project
from .progress import Progress, quiet
from .ready import Ready, ready
from .status import Summary, by_model, summarise


class Part(NamedTuple):
    """Which part of the targets to build."""

    capability: str | None = None
    limit: int | None = None
    """Stop after this many newly accepted items."""
    slots: int | None = None
    """Begin no more than this many slots."""


def build(
    project: Project,
    part: Part | None = None,
    *,
    progress: Progress = quiet,
    on_commit: CommitHook | None = None,
) -> Summary:
    """Run slots until targets or sources are used up. Raises `StoppedError` where work is left, `UsageError` where a
    second build is running."""
    taxonomy, _ = targets.of(project)
    if part and part.capability not in (None, *taxonomy.capabilities):
        raise UsageError(f"no capability {part.capability!r}; the taxonomy has {', '.join(taxonomy.capabilities)}")
    with ready(project, progress, on_commit) as prepared:
        ended = prepared.models.run(_slots(project, prepared, part or Part()))
        current = sources.current(project, prepared.store)
        counted = summarise(prepared.store, taxonomy, prepared.wanted, current, by_model=by_model(project))
        if counted.open and not counted.stopped_by:
            counted = counted._replace(stopped_by=ended)
        return counted._replace(
            refused=tuple(map(str, prepared.refused)),
            unshared=tuple(map(str, prepared.unshared)),
            usable=prepared.usable,
            warnings=(*warnings(project), *prepared.silent),
        )


async def _slots(project: Project, prepared: Ready, part: Part) -> str | None:
    """Run slots; says why it ended with items wanted of what was asked for: `limit` or `sources`."""
    run, wanted = prepared.run, prepared.wanted
    supply = {cell.coordinate: _supply(run, prepared.sources, cell.coordinate) for cell in wanted}
    numbers = {cell.coordinate: cell.target for cell in wanted}
    chosen = [cell for cell in wanted if part.capability in (None, cell.coordinate.capability)]
    admission = Admission(run, numbers, prepared.sources)
    planner = Planner(chosen, supply, project.config.lookahead, admission.past, part.slots)
    tally: Counter[str] = Counter()
    before = sum(planner.accepted)
    async with AsyncSqliteSaver.from_conn_string(str(project.checkpoints)) as saver:
        steps = run_slots(run, machine(saver), planner, admission, project.config.concurrency)
        async for step in steps:
            tally[step.decided.outcome] += 1
            prepared.live(_line(tally, step), before + tally["accepted"], sum(numbers.values()))
            if part.limit is not None and tally["accepted"] >= part.limit:
                break
        await steps.aclose()
    if all(admission.counts[cell.coordinate] >= cell.target for cell in chosen):
        return None
    reached = part.limit is not None and tally["accepted"] >= part.limit
    return "limit" if reached or (part.slots is not None and tally.total() >= part.slots) else "sources"


def _line(tally: Counter[str], step: Step) -> str:
    return f"slot {step.slot.number}: {tally['accepted']} accepted, {tally['discarded']} discarded"


def _supply(run: Run, sources: Sequence[str], coordinate: Coordinate) -> list[tuple[str, int]]:
    """Plans of all sources in turn: the first of each, then the second of each."""
    counts = {source: run.agents.director.supply(source, coordinate) for source in sources}
    longest = max(counts.values(), default=0)
    return [(source_id, ordinal) for ordinal in range(longest) for source_id, n in counts.items() if ordinal < n]
