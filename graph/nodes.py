"""The nodes of the state machine. Each reads its output by key, or makes it from its role's view and stores it once.

Graph state holds ids, round and code only: content lives in the store, behind the guard.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypedDict

from langgraph.runtime import Runtime

from ..agents.critic import LAST_ROUND
from ..errors import InputError, ProviderError, RefusedError
from ..schemas.base import item_id, sha256
from ..schemas.clip import Excerpt
from ..schemas.grounding import Trace
from ..schemas.item import OBSERVED, Brief, Item, Plan
from ..schemas.view import Adjudication, Answer, Feedback, Verdict
from ..state.log import LogEntry
from ..state.tables import NodeKey
from ..state.views import Seen
from .context import Run

CALL_REFUSED = "call-refused"
"""A model's provider turned down a request of this slot, and of no other: it is too long, or held to be improper."""
FILM_FAILED = "film-failed"
"""The video does not show the clip: it is damaged there."""


class SlotState(TypedDict, total=False):
    slot_id: str
    round: int
    code: str
    """Why the slot ended; empty while it runs, `accepted` when the Critic accepts."""
    route: str
    """The node that comes next, where there is a choice."""


Context = Runtime[Run]
Node = Callable[[SlotState, Context], Awaitable[SlotState]]


def asking(node: Node) -> Node:
    """A node that may call a model: what the provider turns down for this request alone ends the slot, not the run, and
    so does a film that cannot be shown."""

    @wraps(node)
    async def guarded(state: SlotState, runtime: Context) -> SlotState:
        try:
            return await node(state, runtime)
        except ProviderError as error:
            if not _of_this_request(error):
                raise
            return await _ended(state, runtime.context, CALL_REFUSED, f"{node.__name__}: {error}")
        except InputError as error:
            if not _watched(state, runtime.context):
                raise
            return await _ended(state, runtime.context, FILM_FAILED, f"{node.__name__}: {error}")

    return guarded


def _watched(state: SlotState, run: Run) -> bool:
    """Whether the slot's clip has a film: of a story without one nothing can be amiss here."""
    plan, excerpt = run.store.latest(Plan, state["slot_id"]), run.store.latest(Excerpt, state["slot_id"])
    return plan is None or plan.span is not None or (excerpt is not None and excerpt.video is not None)


async def _ended(state: SlotState, run: Run, code: str, message: str) -> SlotState:
    await run.store.put(NodeKey(state["slot_id"], code, state["round"]), Feedback(code=code, message=message))
    return {"code": code}


def _of_this_request(error: ProviderError) -> bool:
    """Whether no other request would meet this failure, and the same one would meet it again."""
    return not error.everywhere and not error.passing


def entry(run: Run, seen: Seen, key: NodeKey) -> LogEntry:
    """What the log says of the view that a node was given; of a model's, the exact bytes that it was sent."""
    policy = run.policy_sha256(seen.role)
    prompt = run.prompt(seen.role, seen.view)
    sent = sha256(prompt) if prompt else None
    return seen.entry(item_id(run.seed, key.slot_id), key, policy_sha256=policy, prompt_sha256=sent)


@asking
async def director(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "director", 0)
    if run.store.get(Plan, key) is None:
        seen = run.store.see("director", key.slot_id, 0)
        plan = await run.agents.director.direct(seen.view)  # type: ignore[arg-type]
        if plan is None:
            await run.store.put(key, log=entry(run, seen, key))
            return {"code": "no-clip"}
        await run.store.put(key, plan, log=entry(run, seen, key))
    return {}


@asking
async def tracker(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "tracker", 0)
    plan = run.need(Plan, key.slot_id)
    if run.store.get(Trace, key) is None:
        seen = run.store.see("tracker", key.slot_id, 0)
        try:
            trace, excerpt = await run.agents.tracker.track(seen.view)  # type: ignore[arg-type]
        except InputError:
            if plan.span is not None:
                raise
            return {"code": "story-failed"}
        await run.store.put(key, trace, excerpt, log=entry(run, seen, key))
    if plan.claim != OBSERVED:
        return {"route": "generator"}
    await _publish(run, key, plan)
    return {"route": "question" if plan.span is not None else "generator"}


async def _publish(run: Run, key: NodeKey, plan: Plan) -> None:
    """What the proposer of an item sees that no code derives: the clip's public form, its history, the cues in it."""
    if run.store.get(Brief, key) is None:
        excerpt, trace = run.need(Excerpt, key.slot_id), run.need(Trace, key.slot_id)
        clip = run.publisher.clip(run.source(key.slot_id), plan, excerpt)
        brief, cues = run.publisher.brief(plan, excerpt), run.publisher.cues(trace.cues)
        await run.store.put(key, clip, brief, cues)


async def anonymise(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "anonymise", state["round"])
    if run.store.get(Item, key) is None:
        proposal = run.proposal(key.slot_id)
        await run.store.put(key, proposal.clip, proposal.item)
    item = run.need(Item, key.slot_id)
    watched = item.recipe is None and run.need(Plan, key.slot_id).span is not None
    return {"route": "answer" if watched else "adjudicator"}


@asking
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
        label = (await run.store.put(key, derived, log=entry(run, seen, key)))[0]
    return {"code": _unsound(label, run.need(Item, key.slot_id))}


def _unsound(label: Adjudication, item: Item) -> str:
    """Why a label cannot stand; empty where it is the one that was proposed, and no foil may come true."""
    if label.possible:
        return "foil-possible"
    if len(label.true) != 1:
        return "label-not-unique" if label.true else "label-not-derived"
    return "" if label.true == item.answer else "label-not-rederived"


@asking
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
        if isinstance(failed[0], ProviderError) and _of_this_request(failed[0]):
            for key, seen in zip(missing, views, strict=True):
                await run.store.put(key, log=entry(run, seen, key))
        raise failed[0]
    for key, seen, one in zip(missing, views, answers, strict=True):
        await run.store.put(key, one, log=entry(run, seen, key))
    return {}


@asking
async def critic(state: SlotState, runtime: Context) -> SlotState:
    run, key = runtime.context, NodeKey(state["slot_id"], "critic", state["round"])
    verdict = run.store.get(Verdict, key)
    if verdict is None:
        seen = run.store.see("critic", key.slot_id, key.round, answer_policy=run.policy("answer"))
        judged = await run.agents.critic.judge(seen.view)  # type: ignore[arg-type]
        feedback = Feedback(code=judged.code, message=judged.message)
        verdict = (await run.store.put(key, judged, feedback, log=entry(run, seen, key)))[0]
    if verdict.decision == "accept":
        return {"code": "accepted"}
    if verdict.decision == "discard" or state["round"] >= LAST_ROUND:
        return {"code": verdict.code if verdict.code not in ("", "accepted") else "discarded"}
    route = "answer" if verdict.decision == "re-examine" else verdict.route
    return {"round": state["round"] + 1, "route": route}
