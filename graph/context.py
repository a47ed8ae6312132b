"""What a run of the state machine carries: the store, the agents and the settings, all passed in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

from ..agents.adjudicator import Adjudicating
from ..agents.answer import Answering
from ..agents.critic import Critic
from ..agents.director import Director
from ..agents.generator import Generating
from ..agents.proposing import Proposing
from ..agents.question import Questioning
from ..agents.tracker import Tracking
from ..schemas.base import Record, content_hash
from ..schemas.clip import Clip, Excerpt
from ..schemas.finding import Finding
from ..schemas.item import OBSERVED, Brief, Candidate, Draft, Item, Plan, Slot
from ..schemas.source import Source
from ..schemas.view import ProposeView
from ..state.store import Store
from ..state.tables import source_key
from .public import Publisher

ROLES = ("director", "tracker", "generator", "question", "answer", "adjudicator", "critic")
R = TypeVar("R", bound=Record)


@runtime_checkable
class Prompted(Protocol):
    """An agent that may be a model."""

    def prompt(self, view: Any) -> bytes | None:
        """The exact bytes that a model is sent for this view; None where rules do it."""


@dataclass(frozen=True)
class Agents:
    director: Director
    tracker: Tracking
    generator: Generating
    question: Questioning
    answer: Answering
    adjudicator: Adjudicating
    critic: Critic
    proposers: Mapping[str, Proposing] = field(default_factory=dict)
    """Who writes candidates of what no code derives: `generator` of stories, `question` of videos and transcripts."""

    def of(self, role: str, view: Any) -> object:
        """Who was given that view."""
        return self.proposers[role] if isinstance(view, ProposeView) else getattr(self, role)


@dataclass(frozen=True)
class Proposal:
    """One proposed revision, as the gates judge it."""

    plan: Plan
    made: Draft | Candidate
    item: Item
    clip: Clip


Gates = Callable[[Proposal], Sequence[Finding]]


@dataclass(frozen=True)
class Run:
    """Run-wide dependencies of the nodes (LangGraph's context)."""

    store: Store
    agents: Agents
    publisher: Publisher
    gates: Gates
    seed: int
    policies: Mapping[str, str] = field(default_factory=dict)
    """Policy of each role: `rules`, or the model's name."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Hash of the prompt template of each `llm` role."""
    answer_runs: int = 3
    """Independent Answer runs a round."""

    def need(self, record: type[R], slot_id: str) -> R:
        """The slot's newest such record. Raises `LookupError` where there is none."""
        found = self.store.latest(record, slot_id)
        if found is None:
            raise LookupError(f"{slot_id}: no {record.__name__} is stored")
        return found

    def source(self, slot_id: str) -> Source:
        source = self.store.get(Source, source_key(self.need(Slot, slot_id).source_id))
        if source is None:
            raise LookupError(f"{slot_id}: its source is not stored")
        return source

    def proposal(self, slot_id: str, made: Draft | Candidate | None = None) -> Proposal:
        """A proposal in its public form: the one given, or the slot's newest."""
        slot, plan = self.need(Slot, slot_id), self.need(Plan, slot_id)
        if made is None:
            made = self.need(Candidate, slot_id) if plan.claim == OBSERVED else self.need(Draft, slot_id)
        if isinstance(made, Candidate):
            clip = self.need(Clip, slot_id)
            item = self.publisher.candidate(slot, made, clip, self.need(Brief, slot_id))
            return Proposal(plan, made, item, clip)
        source = self.source(slot_id)
        clip = self.publisher.clip(source, plan, self.need(Excerpt, slot_id))
        return Proposal(plan, made, self.publisher.item(slot, source, plan, made, clip), clip)

    def prompt(self, role: str, view: Any) -> bytes | None:
        """The exact bytes that a model was sent for a view; None where rules played the role."""
        agent = self.agents.of(role, view)
        return agent.prompt(view) if isinstance(agent, Prompted) else None

    def policy(self, role: str) -> str:
        return self.policies.get(role, "rules")

    def policy_sha256(self, role: str) -> str:
        return content_hash({"role": role, "policy": self.policy(role), "prompt": self.prompts.get(role, "")})
