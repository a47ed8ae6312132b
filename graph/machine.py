"""The state machine of one slot: the thread id is the slot's id, so that a killed run goes on where it was."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..schemas.item import Plan
from . import nodes, proposing
from .context import Run
from .nodes import SlotState

Machine = CompiledStateGraph[Any, Any, Any, Any]

AHEAD: dict[str, tuple[str, ...]] = {
    "director": ("tracker",),
    "tracker": ("generator", "question"),
    "generator": ("anonymise",),
    "question": ("anonymise",),
    "anonymise": ("adjudicator", "answer"),
    "adjudicator": ("answer",),
    "answer": ("critic",),
}
"""What may follow each node as long as no code ends the slot; where it is one of two, the node says which."""
NODES = {"generator": proposing.generator, "question": proposing.question}


def machine(checkpointer: BaseCheckpointSaver[Any] | None = None) -> Machine:
    """Compile the graph; langgraph checks it here, before anything is paid."""
    graph = StateGraph(SlotState, context_schema=Run)
    for name in (*AHEAD, "critic"):
        node: Any = NODES.get(name) or getattr(nodes, name)
        graph.add_node(name, node)
    graph.add_edge(START, "director")
    for name, following in AHEAD.items():
        graph.add_conditional_edges(name, _onward(following), [*following, END])
    graph.add_conditional_edges("critic", _verdict, ["generator", "question", "answer", END])
    return graph.compile(checkpointer=checkpointer)


def _onward(following: tuple[str, ...]) -> Any:
    def onward(state: SlotState) -> str:
        if state.get("code"):
            return END
        return following[0] if len(following) == 1 else state["route"]

    return onward


def _verdict(state: SlotState) -> str:
    return END if state.get("code") else state["route"]


async def run_slot(machine: Machine, run: Run, slot_id: str) -> SlotState:
    """Run one slot to its end, from where its thread stands."""
    config: Any = {"configurable": {"thread_id": slot_id}, "recursion_limit": 60}
    start: SlotState | None = {"slot_id": slot_id, "round": 0, "code": ""}
    durability: Any = None
    if machine.checkpointer is not None:
        durability = "sync"
        snapshot = await machine.aget_state(config)
        # The store is the truth: the positions of another one, which was deleted, say nothing of this one.
        begun = run.store.latest(Plan, slot_id) is not None
        if begun and snapshot.next:
            start = None
        elif begun and snapshot.values.get("code"):
            return snapshot.values  # type: ignore[return-value]
    return await machine.ainvoke(start, config, context=run, durability=durability)  # type: ignore[return-value]
