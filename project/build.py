"""`build`: from sources and targets to accepted items. A build that was stopped goes on from where it was."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from ..agents.adjudicator import RulesAdjudicator
from ..agents.answer import PROMPT_ID, Answering, ModelAnswering, SurfaceReader
from ..agents.behaviour import Behaviour
from ..agents.counterfactual import Counterfactual
from ..agents.critic import RulesCritic
from ..agents.derivation import Derivation, Wording
from ..agents.director import RulesDirector
from ..agents.generator import RulesGenerator
from ..agents.narratives import Narratives
from ..agents.phrases import Cast
from ..agents.question import RulesQuestion
from ..agents.tracker import RulesTracker
from ..anonymize.replace import Anonymizer
from ..checks.case import GateSettings
from ..errors import UsageError
from ..graph.admission import Admission
from ..graph.build import Step
from ..graph.build import build as run_slots
from ..graph.context import Agents, Run
from ..graph.coverage import Cell, Planner
from ..graph.gates import gates
from ..graph.machine import machine
from ..graph.public import Publisher
from ..knowledge.loader import Taxonomy, load_language, load_questions, load_taxonomy
from ..llm.gateway import Gateway
from ..llm.registry import client_for
from ..prompts.loader import load
from ..schemas.item import Coordinate
from ..schemas.story import Entity
from ..state.ledger import Budget, StoreLedger
from ..state.lock import build_lock
from ..state.store import Store
from ..state.writer import CommitHook
from . import lexicon, sources, stories
from .folder import Project, writable
from .status import Summary, summarise
from .stories import Progress
from .targets import cells


class Part(NamedTuple):
    """Which part of the targets to build."""

    capability: str | None = None
    limit: int | None = None
    """Stop after this many newly accepted items."""


def quiet(stage: str, done: int, total: int | None) -> None:
    """No progress shown."""


def build(
    project: Project,
    part: Part | None = None,
    *,
    progress: Progress = quiet,
    on_commit: CommitHook | None = None,
) -> Summary:
    """Run slots until targets or sources are used up. Raises `StoppedError` where work is left, `UsageError` where a
    second build is running."""
    taxonomy = load_taxonomy(project.root / project.config.taxonomy if project.config.taxonomy else None)
    wanted = cells(project.file, taxonomy)
    if part and part.capability not in (None, *taxonomy.capabilities):
        raise UsageError(f"no capability {part.capability!r}; the taxonomy has {', '.join(taxonomy.capabilities)}")
    writable(project.state)
    with ExitStack() as stack:
        stack.enter_context(build_lock(project.store))
        store = stack.enter_context(Store.open(project.store, seed=project.config.seed, on_commit=on_commit))
        asyncio.run(StoreLedger(store).recover())
        opened = {name: one.story for name, one in sources.sync(project, store).items()}
        narratives = stories.explored(project, opened, progress)
        people = lexicon.sync(store, project.config, opened.values())
        run = stack.enter_context(_run(project, store, narratives, people, taxonomy))
        asyncio.run(_slots(project, run, list(opened), wanted, part or Part(), progress))
        return summarise(store, wanted, sources.current(project, store))


@contextmanager
def _run(
    project: Project, store: Store, narratives: Narratives, people: tuple[Entity, ...], taxonomy: Taxonomy
) -> Iterator[Run]:
    """The run-wide dependencies; the adjudicator's plays are closed at the end."""
    language = load_language()
    wording = Wording(load_questions(), language, Cast(people, language), taxonomy.options[1])
    derivations: dict[str, Derivation] = {d.claim: d for d in (Counterfactual(wording), Behaviour(wording))}
    anonymizer = Anonymizer(people)
    settings = GateSettings(least_options=taxonomy.options[0], most_options=taxonomy.options[1])
    adjudicator = RulesAdjudicator({source_id: n.story for source_id, n in narratives.items()})
    answer = _answering(project, store)
    claims = {name: capability.claim for name, capability in taxonomy.capabilities.items()}
    agents = Agents(
        director=RulesDirector(narratives, taxonomy, derivations),
        tracker=RulesTracker(narratives, language, project.config.signals),
        generator=RulesGenerator(narratives, derivations),
        question=RulesQuestion(wording.questions),
        answer=answer,
        adjudicator=adjudicator,
        critic=RulesCritic(claims, answers_count=answer.counts),
    )
    publisher = Publisher(project.config.seed, anonymizer.text, people)
    try:
        yield Run(
            store,
            agents,
            publisher,
            gates(anonymizer, settings),
            project.config.seed,
            policies={role: policy.model or policy.policy for role, policy in project.config.roles.items()},
            prompts={PROMPT_ID: answer.template.sha256} if isinstance(answer, ModelAnswering) else {},
        )
    finally:
        adjudicator.close()
        for narrative in narratives.values():
            narrative.readings.close()


def _answering(project: Project, store: Store) -> Answering:
    """The Answer agent of the configuration; other roles have no `llm` policy yet."""
    for role, policy in project.config.roles.items():
        if policy.policy == "llm" and role != "answer":
            raise project.file.wrong(("roles", role), f"role {role} has only the policy rules so far")
    model = project.config.role("answer").model
    if model is None:
        return SurfaceReader()
    template = load(PROMPT_ID)
    asyncio.run(store.put_template(template.id, template.text))
    cap = project.config.budget
    ledger = StoreLedger(store, Budget(cap.usd, cap.calls))
    return ModelAnswering(Gateway(client_for(model, project.root), ledger), model, template)


async def _slots(
    project: Project, run: Run, sources: list[str], wanted: list[Cell], part: Part, progress: Progress
) -> None:
    supply = {cell.coordinate: _supply(run, sources, cell.coordinate) for cell in wanted}
    targets = {cell.coordinate: cell.target for cell in wanted}
    chosen = [cell for cell in wanted if part.capability in (None, cell.coordinate.capability)]
    planner = Planner(chosen, supply, project.config.lookahead)
    admission = Admission(run, targets, sources)
    tally: Counter[str] = Counter()
    fresh = 0
    async with AsyncSqliteSaver.from_conn_string(str(project.checkpoints)) as saver:
        steps = run_slots(run, machine(saver), planner, admission, project.config.concurrency)
        async for step in steps:
            tally[step.decided.outcome] += 1
            progress(_line(tally, step), tally["accepted"], sum(targets.values()))
            fresh += step.new and step.decided.outcome == "accepted"
            if part.limit is not None and fresh >= part.limit:
                break
        await steps.aclose()


def _line(tally: Counter[str], step: Step) -> str:
    return f"slot {step.slot.number}: {tally['accepted']} accepted, {tally['discarded']} discarded"


def _supply(run: Run, sources: list[str], coordinate: Coordinate) -> list[tuple[str, int]]:
    """Plans of all sources in turn: the first of each, then the second of each."""
    counts = {source: run.agents.director.supply(source, coordinate) for source in sources}
    longest = max(counts.values(), default=0)
    return [(source_id, ordinal) for ordinal in range(longest) for source_id, n in counts.items() if ordinal < n]
