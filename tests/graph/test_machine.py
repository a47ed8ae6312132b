"""Every way through the state machine, with agents that follow a script: what is visited, stored, logged, sent back."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from benchwright.graph.context import Run
from benchwright.graph.machine import AHEAD, machine, run_slot
from benchwright.schemas.base import content_hash, sha256
from benchwright.schemas.item import Draft, Item
from benchwright.schemas.source import Source
from benchwright.schemas.view import Adjudication, Answer, Feedback
from benchwright.state.log import chains
from benchwright.state.store import NodeKey, Store
from benchwright.state.tables import source_key
from langgraph.checkpoint.memory import InMemorySaver

from .players import ACCEPT, AGAIN, DISCARD, KEY, REDRAFT, REWORD, SEED, SLOT, TEXTS, Players, Script, by_text, running


class Ended(NamedTuple):
    code: str
    players: Players
    store: Store

    def records(self, record: type[Any]) -> list[tuple[NodeKey, Any]]:
        return list(self.store.all(record))

    @property
    def feedback(self) -> list[str]:
        """What was sent back, in order."""
        return [f"{key.node} {key.round}.{key.run}: {said.code}" for key, said in self.records(Feedback)]


Play = Callable[[Script], Ended]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite", seed=SEED) as opened:
        yield opened


@pytest.fixture
def play(store: Store) -> Play:
    """Run the slot by a script, on a store that holds its source."""

    def played(script: Script) -> Ended:
        players = Players(script)
        return Ended(asyncio.run(_through(running(store, players))), players, store)

    return played


async def _through(run: Run, saver: InMemorySaver | None = None) -> str:
    source = Source(source_id="s1", kind="story", sha256="sha256:00", path="gate.yaml")
    await run.store.put(source_key("s1"), source)
    await run.store.put(NodeKey(SLOT.slot_id, "slot", 0), SLOT)
    return str((await run_slot(machine(saver), run, SLOT.slot_id))["code"])


START = "director tracker generator adjudicator answer critic"
DERIVED = "director tracker generator adjudicator"
REDRAFTED = "generator adjudicator answer critic"
REWORDED = "question adjudicator answer critic"
ASKED_AGAIN = "answer critic"
WAYS = {
    "accepted at once": (Script(), START, "accepted"),
    "discarded at once": (Script([DISCARD]), START, "fault-0"),
    "drafted anew": (Script([REDRAFT, ACCEPT]), f"{START} {REDRAFTED}", "accepted"),
    "reworded": (Script([REWORD, ACCEPT]), f"{START} {REWORDED}", "accepted"),
    "asked again": (Script([AGAIN, ACCEPT]), f"{START} {ASKED_AGAIN}", "accepted"),
    "drafted anew, then reworded": (
        Script([REDRAFT, REWORD, ACCEPT]), f"{START} {REDRAFTED} {REWORDED}", "accepted",
    ),
    "reworded, then asked again": (
        Script([REWORD, AGAIN, ACCEPT]), f"{START} {REWORDED} {ASKED_AGAIN}", "accepted",
    ),
    "asked again, then drafted anew": (
        Script([AGAIN, REDRAFT, ACCEPT]), f"{START} {ASKED_AGAIN} {REDRAFTED}", "accepted",
    ),
    "discarded in the second round": (Script([REDRAFT, DISCARD]), f"{START} {REDRAFTED}", "fault-1"),
    "never drafted well": (Script([REDRAFT] * 3), f"{START} {REDRAFTED} {REDRAFTED}", "fault-2"),
    "never worded well": (Script([REWORD] * 3), f"{START} {REWORDED} {REWORDED}", "fault-2"),
    "never answered alike": (Script([AGAIN] * 3), f"{START} {ASKED_AGAIN} {ASKED_AGAIN}", "fault-2"),
    "no clip": (Script(clip=False), "director", "no-clip"),
    "no draft": (Script(drafts=[False]), "director tracker generator", "no-draft"),
    "refused twice": (Script(refusals=["echo", "echo"]), START, "accepted"),
    "refused three times": (Script(refusals=["echo"] * 3), "director tracker generator", "echo"),
    "refused, and no further draft": (
        Script(drafts=[True, False], refusals=["echo"]), "director tracker generator", "echo",
    ),
    "rewording refused three times": (
        Script([REWORD], refusals=["", *["question-mark"] * 3]), f"{START} question", "question-mark",
    ),
    "rewording refused for the key": (
        Script([REWORD], refusals=["", *["echo"] * 3]), f"{START} question", "refused",
    ),
    "no label": (
        Script(label=lambda view: Adjudication(true=(), proof="")), DERIVED, "label-not-derived",
    ),
    "another label": (
        Script(label=lambda view: Adjudication(true=(by_text(view, TEXTS[0]),), proof="")),
        DERIVED, "label-not-rederived",
    ),
    "two labels": (
        Script(label=lambda view: Adjudication(true=("o1", "o2"), proof="")),
        DERIVED, "label-not-unique",
    ),
    "a foil that may come true": (
        Script(label=lambda view: Adjudication(true=(by_text(view, KEY),), possible=("o1",), proof="")),
        DERIVED, "foil-possible",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "visited", "code"), WAYS.values(), ids=WAYS)
def test_every_way(play: Play, script: Script, visited: str, code: str) -> None:
    ended = play(script)
    assert (ended.players.visited, ended.code) == (visited, code)


@pytest.mark.parametrize("name", WAYS)
def test_every_view_that_an_agent_was_given_is_logged(play: Play, name: str) -> None:
    """One entry for each, in the order of the nodes, with the hash of what was read."""
    ended = play(WAYS[name][0])
    ((_, links),) = chains(ended.store)
    agents = [link.entry.role for link in links]
    assert agents == [name for name, _ in ended.players.shown]
    for link, (role, view) in zip(links, ended.players.shown, strict=True):
        prompt = sha256(view.question.encode()) if role == "answer" else content_hash(view)
        assert link.entry.prompt_sha256 == prompt


@pytest.mark.parametrize("name", WAYS)
def test_the_same_again_asks_nobody(play: Play, name: str) -> None:
    """Everything is read from the store: what the agents would say now is of no account."""
    before = play(WAYS[name][0])
    again = play(Script([DISCARD] * 3, drafts=(), clip=False))
    assert again.code == before.code
    assert [role for role, _ in again.players.shown] == (["director"] if name == "no clip" else [])


def test_drafts_are_asked_for_one_after_the_other_in_all_rounds(play: Play) -> None:
    """None is skipped: the second round goes on after the drafts that the first one used up, refused ones included."""
    ended = play(Script([REDRAFT, REDRAFT, ACCEPT], refusals=["a", "", "b", "c", "", ""]))
    assert ended.players.asked == [0, 1, 2, 3, 4, 5]
    drafts = [(key.round, key.run) for key, _ in ended.records(Draft)]
    assert drafts == [(0, 1), (1, 2), (2, 0)]
    assert ended.feedback == [
        "critic 0.0: fault-0", "critic 1.0: fault-1", "critic 2.0: accepted",
        "gates 0.0: a", "gates 1.0: b", "gates 1.1: c",
    ]  # fmt: skip


def test_a_refused_rewording_knows_which_attempt_it_is(play: Play) -> None:
    ended = play(Script([REWORD, ACCEPT], refusals=["", "a", "b", ""]))
    assert ended.players.asked == [0, 0, 1, 2]


def test_what_each_proposing_agent_hears(play: Play) -> None:
    """The Generator hears why a gate refused, and what the Critic said; the Question agent no word on the key."""
    ended = play(Script([REDRAFT, REWORD, ACCEPT], refusals=["echo", "", "", "echo", "question-mark", ""]))
    heard = [
        (role, view.feedback and view.feedback.code)
        for role, view in ended.players.shown
        if role in ("generator", "question")
    ]
    assert heard == [
        ("generator", None),
        ("generator", "echo"),
        ("generator", "fault-0"),
        ("question", "fault-1"),
        ("question", "refused"),
        ("question", "question-mark"),
    ]


def test_a_generator_sees_the_draft_that_came_back(play: Play) -> None:
    ended = play(Script([REDRAFT, ACCEPT]))
    drafts = [view.draft for role, view in ended.players.shown if role == "generator"]
    assert drafts[0] is None
    assert drafts[1] == ended.records(Draft)[0][1]


def test_a_re_examination_asks_the_same_in_new_samples(play: Play) -> None:
    ended = play(Script([AGAIN, AGAIN, ACCEPT]))
    views = [view for role, view in ended.players.shown if role == "answer"]
    assert ended.players.samples == list(range(9))
    assert views[:3] == views[3:6] == views[6:]
    assert len(ended.records(Item)) == len(ended.records(Adjudication)) == 1
    assert [(key.round, key.run) for key, _ in ended.records(Answer)] == [(r, n) for r in range(3) for n in range(3)]


def test_a_revision_is_published_and_asked_anew(play: Play) -> None:
    ended = play(Script([REWORD, ACCEPT]))
    questions = [item.question for _, item in ended.records(Item)]
    assert questions == ["What next, by draft 0?", "What next, by draft 0? Reworded."]
    asked = [view.question for role, view in ended.players.shown if role == "answer"]
    assert asked == [questions[0]] * 3 + [questions[1]] * 3
    items = [item for _, item in ended.records(Item)]
    assert items[0].public_hash != items[1].public_hash
    assert items[0].item_id == items[1].item_id


def test_no_answer_is_asked_for_before_the_label_is_derived(play: Play) -> None:
    ended = play(Script([REDRAFT, REWORD, ACCEPT]))
    assert ended.players.visited.count("adjudicator answer") == ended.players.visited.count("answer") == 3


def test_the_state_of_the_graph_holds_no_content(store: Store) -> None:
    """Its checkpoints lie outside the guard: ids, round, route and code, and nothing that an agent said."""
    saver = InMemorySaver()
    code = asyncio.run(_through(running(store, Players(Script([REDRAFT, REWORD, ACCEPT]))), saver))
    assert code == "accepted"
    config: Any = {"configurable": {"thread_id": SLOT.slot_id}}
    states = [checkpoint.checkpoint["channel_values"] for checkpoint in saver.list(config)]
    assert len(states) > 15
    fields = {"slot_id", "round", "code", "route"}
    for values in states:
        told = {name: value for name, value in values.items() if name in fields}
        rest = {name for name in values if name not in fields and not name.startswith(("branch:", "__start__"))}
        assert not rest
        assert all(value in (SLOT.slot_id, "", "accepted", *AHEAD, 0, 1, 2) for value in told.values())
