"""The nodes of the state machine. Each reads its output by key, or makes it from its role's view and stores it once.

Graph state holds ids, round and code only: content lives in the store, behind the guard.
"""

import asyncio
from typing import TypedDict, TypeVar

from langgraph.runtime import Runtime

from ..errors import RefusedError, StoryError
from ..schemas.base import Record, item_id, sha256
from ..schemas.clip import Excerpt
from ..schemas.grounding import Trace
from ..schemas.item import Draft, Item, Plan, Slot
from ..schemas.source import Source
from ..schemas.view import Adjudication, Answer, Feedback, QuestionView, Verdict
from ..state.log import LogEntry
from ..state.tables import NodeKey, source_key
from ..state.views import Seen
from .context import Proposal, Run

ATTEMPTS = 3
"""A gate's refusal is retried twice inside the node."""

R = TypeVar("R", bound=Record)


class SlotState(TypedDict, total=False):
    slot_id: str
    round: int
    code: str
    """Why the slot ended; empty while it runs, `accepted` when the Critic accepts."""
    route: str
    """Where the Critic sends the slot: `generator`, `question` or `answer`."""


Context = Runtime[Run]


def _need(run: Run, record: type[R], slot_id: str) -> R:
    found = run.store.latest(record, slot_id)
    if found is None:
        raise LookupError(f"{slot_id}: no {record.__name__} is stored")
    return found


def _entry(run: Run, seen: Seen, key: NodeKey, prompt_sha256: str | None = None) -> LogEntry:
    policy = run.policy_sha256(seen.role)
    return seen.entry(item_id(run.seed, key.slot_id), key, policy_sha256=policy, prompt_sha256=prompt_sha256)


async def director(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "director", 0)
    if run.store.get(Plan, key) is None:
        seen = run.store.see("director", key.slot_id, 0)
        plan = await run.agents.director.direct(seen.view)  # type: ignore[arg-type]
        if plan is None:
            return {"code": "no-clip"}
        await run.store.put(key, plan, log=_entry(run, seen, key))
    return {}


async def tracker(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "tracker", 0)
    if run.store.get(Trace, key) is None:
        seen = run.store.see("tracker", key.slot_id, 0)
        trace, excerpt = await run.agents.tracker.track(seen.view)  # type: ignore[arg-type]
        await run.store.put(key, trace, excerpt, log=_entry(run, seen, key))
    return {}


async def generator(state: SlotState, runtime: Context) -> SlotState:
    """Propose a draft that passes the gates; a refusal goes back as feedback, twice."""
    return await _propose(state, runtime.context, "generator")


async def question(state: SlotState, runtime: Context) -> SlotState:
    """Re-word the draft that came back."""
    return await _propose(state, runtime.context, "question")


async def _propose(state: SlotState, run: Run, node: str) -> SlotState:
    code = "no-draft"
    for attempt in range(ATTEMPTS):
        key = NodeKey(state["slot_id"], node, state["round"], attempt)
        if run.store.get(Draft, key) is not None:
            return {}
        refused = run.store.get(Feedback, key._replace(node="gates"))
        if refused is None:
            refused = await _attempt(run, key)
        if refused is None:
            return {}
        code = refused.code
    return {"code": code}


async def _attempt(run: Run, key: NodeKey) -> Feedback | None:
    """Make one draft and store it; or store and return what the gates have against it."""
    seen = run.store.see(key.node, key.slot_id, key.round, key.run)  # type: ignore[arg-type]
    draft = await _reworded(run, seen, key) if key.node == "question" else await _generated(run, seen, key)
    gates = key._replace(node="gates")
    if draft is None:
        feedback = Feedback(code="no-draft", message="the story yields no further draft here")
    else:
        findings = run.gates(_proposal(run, key.slot_id, draft))
        errors = [finding for finding in findings if finding.severity == "error"]
        if not errors:
            await run.store.put(key, draft, log=_entry(run, seen, key))
            return None
        feedback = Feedback(code=errors[0].code, message="; ".join(f"{e.place} {e.message}" for e in errors))
    await run.store.put(gates, feedback, log=_entry(run, seen, gates))
    return feedback


async def _generated(run: Run, seen: Seen, key: NodeKey) -> Draft | None:
    number = key.round * ATTEMPTS + key.run
    return await run.agents.generator.generate(seen.view, number)  # type: ignore[arg-type]


async def _reworded(run: Run, seen: Seen, key: NodeKey) -> Draft:
    view = seen.view
    assert isinstance(view, QuestionView)
    new = await run.agents.question.reword(view)
    old = _need(run, Draft, key.slot_id)
    options = tuple(o.model_copy(update={"text": new.options[o.text]}) for o in old.options)
    return old.model_copy(
        update={
            "question": new.question,
            "wording": new.wording,
            "options": options,
            "answer": new.options[old.answer],
            "traps": {new.options[text]: trap for text, trap in old.traps.items()},
        }
    )


def _proposal(run: Run, slot_id: str, draft: Draft) -> Proposal:
    slot, plan = _need(run, Slot, slot_id), _need(run, Plan, slot_id)
    source = run.store.get(Source, source_key(slot.source_id))
    if source is None:
        raise LookupError(f"{slot_id}: source {slot.source_id} is not stored")
    clip = run.publisher.clip(source, plan, _need(run, Excerpt, slot_id))
    return Proposal(plan, draft, run.publisher.item(slot, source, plan, draft, clip), clip)


async def anonymise(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "anonymise", state["round"])
    if run.store.get(Item, key) is None:
        proposal = _proposal(run, key.slot_id, _need(run, Draft, key.slot_id))
        await run.store.put(key, proposal.clip, proposal.item)
    return {}


async def adjudicator(state: SlotState, runtime: Context) -> SlotState:
    """Re-derive the label before any model is paid; a mismatch ends the slot as a defect."""
    run, key = runtime.context, NodeKey(state["slot_id"], "adjudicator", state["round"])
    label = run.store.get(Adjudication, key)
    if label is None:
        seen = run.store.see("adjudicator", key.slot_id, key.round)
        try:
            derived = await run.agents.adjudicator.adjudicate(seen.view)  # type: ignore[arg-type]
        except (StoryError, RefusedError) as error:
            derived = Adjudication(true=(), proof=f"could not be derived: {error}")
        label = (await run.store.put(key, derived, log=_entry(run, seen, key)))[0]
    return {} if len(label.true) == 1 and not label.possible else {"code": _unsound(label)}


def _unsound(label: Adjudication) -> str:
    return "foil-possible" if label.possible else "label-not-unique" if label.true else "label-not-derived"


async def answer(state: SlotState, runtime: Context) -> SlotState:
    """k independent runs at once; they are stored in the order of their number, so that the log has one order."""
    run, slot_id = runtime.context, state["slot_id"]
    keys = [NodeKey(slot_id, "answer", state["round"], number) for number in range(run.answer_runs)]
    missing = [key for key in keys if run.store.get(Answer, key) is None]
    views = [run.store.see("answer", slot_id, key.round, key.run) for key in missing]
    samples = [key.round * run.answer_runs + key.run for key in missing]
    answers = await asyncio.gather(
        *(run.agents.answer.answer(seen.view, sample=sample)  # type: ignore[arg-type]
          for seen, sample in zip(views, samples, strict=True))
    )  # fmt: skip
    for key, seen, one in zip(missing, views, answers, strict=True):
        prompt = run.agents.answer.prompt(seen.view)  # type: ignore[arg-type]
        await run.store.put(key, one, log=_entry(run, seen, key, sha256(prompt) if prompt else None))
    return {}


async def critic(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "critic", state["round"])
    verdict = run.store.get(Verdict, key)
    if verdict is None:
        seen = run.store.see("critic", key.slot_id, key.round, answer_policy=run.policy("answer"))
        judged = await run.agents.critic.judge(seen.view)  # type: ignore[arg-type]
        feedback = Feedback(code=judged.code, message=judged.message)
        verdict = (await run.store.put(key, judged, feedback, log=_entry(run, seen, key)))[0]
    if verdict.decision in ("accept", "discard"):
        return {"code": "accepted" if verdict.decision == "accept" else verdict.code}
    route = "answer" if verdict.decision == "re-examine" else verdict.route
    return {"round": state["round"] + 1, "route": route}
