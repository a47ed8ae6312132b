"""A build made ready: the lock held, the store open, the sources explored, the agents in place.

Whoever makes items starts here: `build` for all slots, `handmade` for one.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from ..agents.adjudicator import RulesAdjudicator
from ..agents.antecedent import CausalAntecedent
from ..agents.behaviour import Behaviour
from ..agents.counterfactual import Counterfactual
from ..agents.derivation import Derivation, Wording
from ..agents.dilemma import MoralDilemma
from ..agents.latent import LatentState
from ..agents.material import Material
from ..agents.narratives import Narratives
from ..agents.phrases import Cast as Names
from ..checks.case import GateSettings
from ..errors import InputError
from ..graph.context import Run
from ..graph.coverage import Cell
from ..graph.gates import gates
from ..graph.public import Publisher
from ..knowledge.loader import Taxonomy, load_language, load_psychology, load_questions
from ..schemas.grounding import Claim
from ..schemas.story import Entity
from ..state.ledger import Budget, StoreLedger
from ..state.lock import build_lock
from ..state.store import Store
from ..state.writer import CommitHook
from . import lexicon, recordings, shares, sources, stories, targets
from .casting import Cast, Knowledge, check, unseeing
from .films import Shelf
from .folder import Project, writable
from .materials import materials
from .models import Models
from .progress import Live, Progress
from .sight import shelf


@dataclass(frozen=True)
class Ready:
    """What it takes to make items."""

    store: Store
    run: Run
    sources: tuple[str, ...]
    """Ids of the sources of the configuration, ascending; also of those that cannot be used now: their items count."""
    refused: tuple[InputError, ...]
    """What is wrong with sources that cannot be used."""
    unshared: tuple[InputError, ...]
    """What is wrong with recorded shares that cannot be used."""
    silent: tuple[str, ...]
    """Of which videos no item is made, because their models could be shown nothing of them."""
    usable: int
    """Number of sources that can."""
    narratives: Narratives
    taxonomy: Taxonomy
    wanted: tuple[Cell, ...]
    models: Models
    """To be closed in the loop that called them."""
    live: Live
    """Shows how far the work is, together with what its calls come to."""


@contextmanager
def ready(project: Project, progress: Progress, on_commit: CommitHook | None = None) -> Iterator[Ready]:
    """Raises `UsageError` where another build is running, or the project's folder cannot be written."""
    taxonomy, wanted = targets.of(project)
    check(project, taxonomy)
    writable(project.state)
    with ExitStack() as stack:
        stack.enter_context(build_lock(project.store))
        store = stack.enter_context(Store.open(project.store, seed=project.config.seed, on_commit=on_commit))
        asyncio.run(StoreLedger(store).recover())
        gathered = sources.sync(project, store)
        recorded = recordings.recorded(project, gathered)
        alone, failed = stories.explored(project, gathered.stories, recorded.recordings, progress)
        narratives, unshared = shares.joined(
            project, alone, {name: one.source for name, one in gathered.opened.items()}
        )
        refused = (*gathered.refused, *recorded.refused, *failed)
        watched, unseen = materials(project, gathered, progress), unseeing(project)
        unread = [name for name, one in watched.items() if unseen and not one.turns]
        watched = {name: one for name, one in watched.items() if name not in unread}
        videos = [name for name, one in gathered.opened.items() if one.film or one.said]
        sources.usable(project, [*narratives, *videos], refused)
        people = lexicon.sync(store, project.config, gathered.stories.values(), watched.values())
        known = tuple(sorted(sources.current(project, store)))
        cap = project.config.budget
        films = shelf(project, store)
        models = Models(project, StoreLedger(store, Budget(cap.usd, cap.calls)), project.root, media=films)
        run = stack.enter_context(_run(project, store, models, films, narratives, people, taxonomy, watched))
        live = Live(progress, models.meter)
        usable = len(narratives) + len(videos) - len(recorded.refused)
        silent = tuple(
            f"{gathered.opened[name].source.path} has no words, and the models of {', '.join(unseen)} see no pictures"
            for name in unread
        )
        yield Ready(store, run, known, refused, unshared, silent, usable, narratives, taxonomy, wanted, models, live)


@contextmanager
def _run(
    project: Project,
    store: Store,
    models: Models,
    films: Shelf,
    narratives: Narratives,
    people: tuple[Entity, ...],
    taxonomy: Taxonomy,
    watched: Mapping[str, Material],
) -> Iterator[Run]:
    """The run-wide dependencies; the adjudicator's plays are closed at the end."""
    language = load_language()
    cast, questions = Names(people, language), load_questions()
    options = {name: taxonomy.options_of(name) for name in taxonomy.capabilities}
    bounds = {taxonomy.capabilities[name].claim: of for name, of in options.items()}

    def wording(claim: Claim) -> Wording:
        fewest, most = bounds.get(claim, taxonomy.options)
        return Wording(questions, language, cast, most, fewest, project.config.foils_within)

    derived = (
        Counterfactual(wording("counterfactual")),
        Behaviour(wording("behaviour")),
        CausalAntecedent(wording("causal_antecedent")),
        LatentState(wording("latent_state"), project.config.signals),
        MoralDilemma(wording("moral_dilemma")),
    )
    derivations: dict[str, Derivation] = {derivation.claim: derivation for derivation in derived}
    anonymizer = lexicon.anonymizer(project, store)
    settings = GateSettings(least_options=taxonomy.options[0], most_options=taxonomy.options[1])
    adjudicator = RulesAdjudicator(
        {source_id: n.story for source_id, n in narratives.items()},
        {source_id: n.shares for source_id, n in narratives.items()},
    )
    known = Knowledge(taxonomy, load_psychology(), language, questions, derivations, watched)
    cast_of = Cast(project, store, models, films, known)
    agents = cast_of.agents(narratives, adjudicator)
    try:
        yield Run(
            store,
            agents,
            Publisher(project.config.seed, anonymizer.text, people),
            gates(anonymizer, settings, options),
            project.config.seed,
            policies={role: policy.model or policy.policy for role, policy in project.config.roles.items()},
            prompts=cast_of.templates,
        )
    finally:
        adjudicator.close()
        for narrative in narratives.values():
            narrative.readings.close()
