"""The nodes of the state machine. Each reads its output by key, or makes it from its role's view and stores it once.

Graph state holds ids, round and code only: content lives in the store, behind the guard.
"""

import asyncio
from typing import TypedDict, TypeVar

from langgraph.runtime import Runtime

from ..agents.critic import LAST_ROUND
from ..errors import InputError, RefusedError
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
from .gates import feedback

ATTEMPTS = 3
"""A gate's refusal is retried twice inside the node."""
NO_DRAFT = "no-draft"

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
            await run.store.put(key, log=_entry(run, seen, key))
            return {"code": "no-clip"}
        await run.store.put(key, plan, log=_entry(run, seen, key))
    return {}


async def tracker(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "tracker", 0)
    if run.store.get(Trace, key) is None:
        seen = run.store.see("tracker", key.slot_id, 0)
        try:
            trace, excerpt = await run.agents.tracker.track(seen.view)  # type: ignore[arg-type]
        except InputError:
            return {"code": "story-failed"}
        await run.store.put(key, trace, excerpt, log=_entry(run, seen, key))
    return {}


async def generator(state: SlotState, runtime: Context) -> SlotState:
    """Propose a draft that passes the gates; a refusal goes back as feedback, twice."""
    return await _propose(state, runtime.context, "generator")


async def question(state: SlotState, runtime: Context) -> SlotState:
    """Re-word the draft that came back."""
    return await _propose(state, runtime.context, "question")


async def _propose(state: SlotState, run: Run, node: str) -> SlotState:
    code = NO_DRAFT
    for attempt in range(ATTEMPTS):
        key = NodeKey(state["slot_id"], node, state["round"], attempt)
        if run.store.get(Draft, key) is not None:
            return {}
        refused = run.store.get(Feedback, key._replace(node="gates"))
        if refused is None:
            refused = await _attempt(run, key)
        if refused is None:
            return {}
        if refused.code == NO_DRAFT:
            break
        code = refused.code
    return {"code": code}


async def _attempt(run: Run, key: NodeKey) -> Feedback | None:
    """Make one draft and store it; or store and return what the gates have against it."""
    seen = run.store.see(key.node, key.slot_id, key.round, key.run)  # type: ignore[arg-type]
    draft = await _reworded(run, seen, key) if key.node == "question" else await _generated(run, seen, key)
    refused: Feedback | None = Feedback(code=NO_DRAFT, message="the story yields no further draft here")
    if draft is not None:
        refused = feedback(key.node, run.gates(_proposal(run, key.slot_id, draft)))
        if refused is None:
            await run.store.put(key, draft, log=_entry(run, seen, key))
            return None
    gates = key._replace(node="gates")
    return (await run.store.put(gates, refused, log=_entry(run, seen, gates)))[0]


async def _generated(run: Run, seen: Seen, key: NodeKey) -> Draft | None:
    return await run.agents.generator.generate(seen.view, _tried(run, key))  # type: ignore[arg-type]


def _tried(run: Run, key: NodeKey) -> int:
    """How many drafts the Generator made before: one in each earlier round of its own, after those refused there."""
    made = (at for at, _ in run.store.all(Draft, key.slot_id) if at.node == "generator" and at.round < key.round)
    return sum(at.run + 1 for at in made) + key.run


async def _reworded(run: Run, seen: Seen, key: NodeKey) -> Draft:
    view = seen.view
    assert isinstance(view, QuestionView)
    new = await run.agents.question.reword(view, key.run)
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
        except (InputError, RefusedError) as error:
            derived = Adjudication(true=(), proof=f"could not be derived: {error}")
        label = (await run.store.put(key, derived, log=_entry(run, seen, key)))[0]
    return {"code": _unsound(label, _need(run, Item, key.slot_id))}


def _unsound(label: Adjudication, item: Item) -> str:
    """Why a label cannot stand; empty where it is the one that was proposed, and no foil may come true."""
    if label.possible:
        return "foil-possible"
    if len(label.true) != 1:
        return "label-not-unique" if label.true else "label-not-derived"
    return "" if label.true == item.answer else "label-not-rederived"


async def answer(state: SlotState, runtime: Context) -> SlotState:
    """k independent runs at once; they are stored in the order of their number, so that the log has one order.

    Where one of them fails, the others come to their end first: their replies are paid for.
    """
    run, slot_id = runtime.context, state["slot_id"]
    keys = [NodeKey(slot_id, "answer", state["round"], number) for number in range(run.answer_runs)]
    missing = [key for key in keys if run.store.get(Answer, key) is None]
    views = [run.store.see("answer", slot_id, key.round, key.run) for key in missing]
    samples = [key.round * run.answer_runs + key.run for key in missing]
    answers = await asyncio.gather(
        *(run.agents.answer.answer(seen.view, sample=sample)  # type: ignore[arg-type]
          for seen, sample in zip(views, samples, strict=True)),
        return_exceptions=True,
    )  # fmt: skip
    if failed := [one for one in answers if isinstance(one, BaseException)]:
        raise failed[0]
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
    if verdict.decision == "accept":
        return {"code": "accepted"}
    if verdict.decision == "discard" or state["round"] >= LAST_ROUND:
        return {"code": verdict.code if verdict.code not in ("", "accepted") else "discarded"}
    route = "answer" if verdict.decision == "re-examine" else verdict.route
    return {"round": state["round"] + 1, "route": route}
