"""Who plays which role: rules, or a model of the configuration; and what has to be said of that before it is paid.

Of items that code derives, rules keep what decides truth: Director, Tracker, Generator and adjudicator. Models may
answer them, criticise them and word them anew. What no code derives is made by models alone.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..agents import answer, asking
from ..agents.adjudicator import RulesAdjudicator
from ..agents.answer import Answering, ModelAnswering, SurfaceReader
from ..agents.asking import PARAMETERS, Asking, Show, blind
from ..agents.critic import Critic, RulesCritic
from ..agents.derivation import Derivation
from ..agents.director import RulesDirector
from ..agents.families import Adjudicators, Directors, StoryScenes, Trackers
from ..agents.generator import RulesGenerator
from ..agents.judging import ModelAdjudicator, ModelCritic
from ..agents.material import Material
from ..agents.narratives import Narratives
from ..agents.proposing import ModelProposing, Proposing
from ..agents.question import Questioning, RulesQuestion
from ..agents.rewording import ModelQuestion
from ..agents.tracker import RulesTracker, Tracking
from ..agents.watching import Cut, NotingTracker, WatchingDirector, WatchingTracker
from ..graph.context import Agents
from ..knowledge.loader import Language, Psychology, Questions, Taxonomy
from ..llm.families import shared
from ..prompts.loader import Template
from ..schemas.grounding import Claim
from ..state.store import Store
from .config import FOR_STORIES, FOR_VIDEOS, RoleName
from .films import Shelf, showing
from .folder import Project
from .models import Models, takes


@dataclass(frozen=True)
class Knowledge:
    """What the agents know."""

    taxonomy: Taxonomy
    psychology: Psychology
    language: Language
    questions: Questions
    derivations: Mapping[str, Derivation]
    materials: Mapping[str, Material] = field(default_factory=dict)

    @property
    def claims(self) -> dict[str, Claim | None]:
        return {name: capability.claim for name, capability in self.taxonomy.capabilities.items()}


def check(project: Project, taxonomy: Taxonomy) -> None:
    """Raises `InputError` with the line where a model would make items that nobody checks: before anything is paid."""
    open_ones = [name for name in project.config.targets if taxonomy.capabilities[name].claim is None]
    makers: tuple[tuple[RoleName, tuple[RoleName, ...]], ...] = (("question", FOR_VIDEOS), ("generator", FOR_STORIES))
    for maker, needed in makers:
        missing = [role for role in needed if not project.config.role(role).model]
        if open_ones and project.config.role(maker).model and missing:
            said = f"{open_ones[0]} is made by models alone: {', '.join(missing)} need policy llm as well"
            raise project.file.wrong(("roles", maker), said)


def warnings(project: Project) -> Iterator[str]:
    """What one may do and should know of."""
    makers = [model for role in ("question", "generator") if (model := project.config.role(role).model)]
    critic = project.config.role("critic").model
    for name in shared(makers, [critic] if critic else []):
        yield f"models of the family {name} both propose and criticise: what one overlooks, so may the other"
    judges = [model for role in ("answer", "adjudicator") if (model := project.config.role(role).model)]
    for name in shared(makers, judges):
        yield f"models of the family {name} both propose and answer: an item may only suit that family"


def unseeing(project: Project) -> list[str]:
    """The roles of videos whose models see no pictures: of a video without words they would be told nothing."""
    played = [(role, project.config.role(role).model) for role in FOR_VIDEOS]
    return [role for role, model in played if model and not takes(project, model).kinds & {"image", "video"}]


class Cast:
    """Makes the agents of a build. `templates` has the prompt of each role that a model plays."""

    def __init__(self, project: Project, store: Store, models: Models, shelf: Shelf, knowledge: Knowledge) -> None:
        self.project, self.store, self.models, self.knowledge = project, store, models, knowledge
        self.shelf = shelf
        self.templates: dict[str, str] = {}
        guides = knowledge.taxonomy.capabilities.items()
        self._guides = {
            name: knowledge.psychology.guide(name, capability)
            for name, capability in guides
            if capability.claim is None
        }

    def agents(self, narratives: Narratives, adjudicator: RulesAdjudicator) -> Agents:
        known, answering = self.knowledge, self._answering()
        return Agents(
            director=self._director(narratives),
            tracker=self._tracker(narratives),
            generator=RulesGenerator(narratives, known.derivations),
            question=self._question(),
            answer=answering,
            adjudicator=Adjudicators(adjudicator, self._adjudicator()),
            critic=self._critic(answering),
            proposers=dict(self._proposers()),
        )

    def _director(self, narratives: Narratives) -> Directors:
        known = self.knowledge
        derived = RulesDirector(narratives, known.taxonomy, known.derivations)
        watching = scenes = None
        if self.project.config.plays(FOR_VIDEOS):
            watching = WatchingDirector(known.materials, known.taxonomy, self._asking("director"))
        if self.project.config.plays(FOR_STORIES):
            scenes = StoryScenes(narratives, known.taxonomy, known.derivations["behaviour"])
        return Directors(known.taxonomy, derived, watching, scenes)

    def _tracker(self, narratives: Narratives) -> Trackers:
        derived = RulesTracker(narratives, self.knowledge.language, self.project.config.signals)
        watching = WatchingTracker(self.knowledge.materials)
        return Trackers(derived, self._noting(watching, watching.cut), self._noting(derived, derived.cut))

    def _noting(self, tracker: Tracking, cut: Cut) -> Tracking:
        asking = self._asking("tracker")
        return NotingTracker(cut, asking, self.knowledge.psychology.aprace) if asking else tracker

    def _question(self) -> Questioning:
        rules = RulesQuestion(self.knowledge.questions)
        asking = self._asking("question", "reword")
        return ModelQuestion(asking, rules) if asking else rules

    def _proposers(self) -> Iterator[tuple[str, Proposing]]:
        taxonomy = self.knowledge.taxonomy
        options = {name: taxonomy.options_of(name) for name in taxonomy.capabilities}
        roles: tuple[RoleName, ...] = ("question", "generator")
        for role in roles:
            if asking := self._asking(role):
                yield role, ModelProposing(asking, options)

    def _answering(self) -> Answering:
        model = self.project.config.role("answer").model
        if model is None:
            return SurfaceReader()
        made = answer.asking(self.models.gateway(model), model, self._show(model))
        made = replace(made, parameters=self._parameters(model, made.parameters))
        self._keep("answer", made.template)
        return ModelAnswering(made)

    def _adjudicator(self) -> ModelAdjudicator | None:
        asking = self._asking("adjudicator")
        return ModelAdjudicator(asking) if asking else None

    def _critic(self, answering: Answering) -> Critic:
        rules = RulesCritic(self.knowledge.claims, answers_count=answering.counts)
        asking = self._asking("critic")
        return ModelCritic(asking, rules) if asking else rules

    def _asking(self, role: RoleName, prompt: str = "") -> Asking | None:
        """How the model of a role is asked; None where rules play it."""
        model = self.project.config.role(role).model
        if model is None:
            return None
        template = asking.template(prompt or role)
        self._keep(role, template)
        parameters = self._parameters(model, PARAMETERS)
        return Asking(self.models.gateway(model), model, template, role, self._show(model), self._guides, parameters)

    def _parameters(self, model: str, usual: Mapping[str, Any]) -> dict[str, Any]:
        """What is sent in fact: a model's own parameters go before those of a role, so that replies made under other
        ones are not served again."""
        return {**usual, **self.project.config.model(model).parameters}

    def _show(self, model: str) -> Show:
        """How a model is shown clips; one that takes text alone reads their transcript."""
        taken = takes(self.project, model)
        return showing(self.shelf, taken) if taken.kinds else blind

    def _keep(self, role: str, template: Template) -> None:
        """A role may have two prompts: the one named like it is what its policy is known by."""
        if template.id == role:
            self.templates[role] = template.sha256
        asyncio.run(self.store.put_template(template.id, template.text))
