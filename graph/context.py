"""What a run of the state machine carries: the store, the agents and the settings, all passed in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..agents.adjudicator import Adjudicating
from ..agents.answer import Answering
from ..agents.critic import Critic
from ..agents.director import Director
from ..agents.generator import Generating
from ..agents.question import Questioning
from ..agents.tracker import Tracking
from ..schemas.base import content_hash
from ..schemas.clip import Clip
from ..schemas.finding import Finding
from ..schemas.item import Draft, Item, Plan
from ..state.store import Store
from .public import Publisher

ROLES = ("director", "tracker", "generator", "question", "answer", "adjudicator", "critic")


@dataclass(frozen=True)
class Agents:
    director: Director
    tracker: Tracking
    generator: Generating
    question: Questioning
    answer: Answering
    adjudicator: Adjudicating
    critic: Critic


@dataclass(frozen=True)
class Proposal:
    """One proposed revision, as the gates judge it."""

    plan: Plan
    draft: Draft
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

    def policy(self, role: str) -> str:
        return self.policies.get(role, "rules")

    def policy_sha256(self, role: str) -> str:
        return content_hash({"role": role, "policy": self.policy(role), "prompt": self.prompts.get(role, "")})
