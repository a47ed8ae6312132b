"""The nodes that propose: a draft or a candidate that passes the gates; what they refuse goes back, twice.

The Generator drafts what code derives, the Question agent re-words it. Of a slot with a brief, which no code derives,
either of them writes a candidate: the Generator of a story, the Question agent of a video or transcript.
"""

from ..agents.derivation import Drafted
from ..schemas.item import Candidate, Draft
from ..schemas.view import Feedback, ProposeView, QuestionView
from ..state.tables import NodeKey
from ..state.views import Seen
from .context import Run
from .gates import feedback
from .nodes import Context, SlotState, asking, entry

ATTEMPTS = 3
"""A gate's refusal is retried twice inside the node."""
NO_DRAFT = "no-draft"
WITHOUT_DRAFT = {
    NO_DRAFT: "the story yields no further draft here",
    "few-foils": "the story yields a key here, and too few wrong options of the same scene to go with it",
}
UNREAD = "reply-unread"
"""A model's reply was no candidate, even after a correction."""
UNREAD_WORDS = (
    "Your reply was not the JSON object that is asked for. Say no more than it needs, each text in a sentence or two."
)


@asking
async def generator(state: SlotState, runtime: Context) -> SlotState:
    return await _propose(state, runtime.context, "generator")


@asking
async def question(state: SlotState, runtime: Context) -> SlotState:
    return await _propose(state, runtime.context, "question")


async def _propose(state: SlotState, run: Run, node: str) -> SlotState:
    code = NO_DRAFT
    for attempt in range(ATTEMPTS):
        key = NodeKey(state["slot_id"], node, state["round"], attempt)
        if run.store.get(Draft, key) is not None or run.store.get(Candidate, key) is not None:
            return {}
        refused = run.store.get(Feedback, key._replace(node="gates"))
        if refused is None:
            refused = await _attempt(run, key)
        if refused is None:
            return {}
        if refused.code in WITHOUT_DRAFT:
            code = code if attempt else refused.code
            break
        code = refused.code
    return {"code": code}


async def _attempt(run: Run, key: NodeKey) -> Feedback | None:
    """Make one draft and store it; or store and return what the gates have against it."""
    seen = run.store.see(key.node, key.slot_id, key.round, key.run)  # type: ignore[arg-type]
    made = await _made(run, seen, key)
    if isinstance(made, Draft | Candidate):
        refused = feedback(key.node, run.gates(run.proposal(key.slot_id, made)), knows=isinstance(made, Candidate))
        if refused is None:
            await run.store.put(key, made, log=entry(run, seen, key))
            return None
    elif isinstance(seen.view, ProposeView):
        refused = Feedback(code=UNREAD, message=UNREAD_WORDS)
    else:
        code = made or NO_DRAFT
        refused = Feedback(code=code, message=WITHOUT_DRAFT[code])
    gates = key._replace(node="gates")
    return (await run.store.put(gates, refused, log=entry(run, seen, gates)))[0]


async def _made(run: Run, seen: Seen, key: NodeKey) -> Candidate | Drafted:
    if isinstance(seen.view, ProposeView):
        return await run.agents.proposers[key.node].propose(seen.view, key.round * ATTEMPTS + key.run)
    if key.node == "question":
        return await _reworded(run, seen, key)
    return await run.agents.generator.generate(seen.view, _tried(run, key))  # type: ignore[arg-type]


def _tried(run: Run, key: NodeKey) -> int:
    """How many drafts the Generator made before: one in each earlier round of its own, after those refused there."""
    made = (at for at, _ in run.store.all(Draft, key.slot_id) if at.node == "generator" and at.round < key.round)
    return sum(at.run + 1 for at in made) + key.run


async def _reworded(run: Run, seen: Seen, key: NodeKey) -> Draft:
    view = seen.view
    assert isinstance(view, QuestionView)
    new = await run.agents.question.reword(view, key.run)
    old = run.need(Draft, key.slot_id)
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
