"""Every way through the state machine, with agents that follow a script: what is visited, stored, logged, sent back."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from benchwright.agents.question import Rewording
from benchwright.graph.context import Agents, Proposal, Run
from benchwright.graph.machine import machine, run_slot
from benchwright.graph.public import Publisher
from benchwright.schemas.base import content_hash, sha256
from benchwright.schemas.clip import Excerpt, TranscriptLine
from benchwright.schemas.finding import Finding
from benchwright.schemas.grounding import Event, Trace
from benchwright.schemas.item import Coordinate, Draft, DraftOption, Item, Plan, Slot
from benchwright.schemas.source import Source
from benchwright.schemas.view import (
    Adjudication,
    AdjudicatorView,
    Answer,
    AnswerView,
    CriticView,
    DirectorView,
    Feedback,
    GeneratorView,
    QuestionView,
    TrackerView,
    Verdict,
)  # fmt: skip
from benchwright.state.log import chains
from benchwright.state.store import NodeKey, Store
from benchwright.state.tables import source_key
from langgraph.checkpoint.memory import InMemorySaver

SEED = 7
SLOT = Slot(
    slot_id="s1/behavior_prediction/support/0",
    number=1,
    source_id="s1",
    coordinate=Coordinate(capability="behavior_prediction", interaction="support"),
    ordinal=0,
)
PLAN = Plan(claim="behaviour", play=(0, 1), taken=1, first=0, location="gate")
TEXTS = ("He waits.", "He leaves.", "He sings.")
KEY = "He leaves."

Said = tuple[str, str]
"""A verdict: its decision, and the route of one that sends back."""
ACCEPT, DISCARD, AGAIN = ("accept", ""), ("discard", ""), ("re-examine", "")
REDRAFT, REWORD = ("revise", "generator"), ("revise", "question")


class Script(NamedTuple):
    """What the agents do."""

    verdicts: Sequence[Said] = (ACCEPT,)
    drafts: Sequence[bool] = (True,) * 9
    """Whether there is a draft, by the number that the Generator is asked for."""
    refusals: Sequence[str] = ()
    """Codes of the gates, in order of the proposals; empty for none. After the last nothing is refused."""
    clip: bool = True
    label: Callable[[AdjudicatorView], Adjudication] | None = None


class Players:
    """All agents in one: notes what each was shown, in order."""

    counts = True

    def __init__(self, script: Script) -> None:
        self.script = script
        self.shown: list[tuple[str, Any]] = []
        self.asked: list[int] = []
        """Numbers of the drafts, and of the re-wordings, that were asked for."""
        self.samples: list[int] = []

    @property
    def visited(self) -> str:
        """Names of the agents in order, one for all the runs of a round."""
        return " ".join(name for name, _ in groupby(name for name, _ in self.shown))

    async def direct(self, view: DirectorView) -> Plan | None:
        self.shown.append(("director", view))
        return PLAN if self.script.clip else None

    def supply(self, source_id: str, coordinate: Coordinate) -> int:
        return 1

    async def track(self, view: TrackerView) -> tuple[Trace, Excerpt]:
        self.shown.append(("tracker", view))
        excerpt = Excerpt(
            lines=(TranscriptLine(text="The gate is shut."),), background="Dusk.", play=(0, 1, 1), first=0, spans=("a",)
        )
        return Trace(claims=(), tier="B"), excerpt

    async def generate(self, view: GeneratorView, attempt: int) -> Draft | None:
        self.shown.append(("generator", view))
        self.asked.append(attempt)
        if not self.script.drafts[attempt]:
            return None
        return Draft(
            question=f"What next, by draft {attempt}?",
            frame={"claim": "behaviour"},
            options=tuple(DraftOption(text=text, event=Event(kind="line", match=(text,))) for text in TEXTS),
            window=1,
            answer=KEY,
            traps={text: "none" for text in TEXTS if text != KEY},
            rationale="so it was told",
        )

    async def reword(self, view: QuestionView, attempt: int) -> Rewording:
        self.shown.append(("question", view))
        self.asked.append(attempt)
        return Rewording(f"{view.question} Reworded.", view.wording + 1, {text: text for text in view.options})

    async def adjudicate(self, view: AdjudicatorView) -> Adjudication:
        self.shown.append(("adjudicator", view))
        if self.script.label is not None:
            return self.script.label(view)
        return Adjudication(true=(by_text(view, KEY),), proof="played")

    async def answer(self, view: AnswerView, *, sample: int) -> Answer:
        self.shown.append(("answer", view))
        self.samples.append(sample)
        return Answer(ids=("o1",), status="answered", shown=tuple(option.id for option in view.options))

    def prompt(self, view: AnswerView) -> bytes | None:
        return view.question.encode()

    async def judge(self, view: CriticView) -> Verdict:
        self.shown.append(("critic", view))
        decision, route = self.script.verdicts[view.round]
        return Verdict.model_validate(
            {
                **dict.fromkeys(("cue_support", "coherence", "alignment", "agreement"), True),
                **{"decision": decision, "route": route or "generator", "answerability": "unknown", "defect": "none"},
                **{"code": "accepted" if decision == "accept" else f"fault-{view.round}", "message": f"{view.round}!"},
            }
        )


def by_text(view: AdjudicatorView, text: str) -> str:
    return next(option.id for option in view.options if option.text == text)


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


def running(store: Store, players: Players) -> Run:
    refusals = iter(players.script.refusals)

    def gates(proposal: Proposal) -> list[Finding]:
        code = next(refusals, "")
        return [Finding(code=code, message=f"because of {code}", place="o1")] if code else []

    agents = Agents(
        director=players,
        tracker=players,
        generator=players,
        question=players,
        answer=players,
        adjudicator=players,
        critic=players,
    )
    return Run(store, agents, Publisher(SEED, lambda text: text, ()), gates, SEED)


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
        assert all(value in (SLOT.slot_id, "", "accepted", "generator", "question", 0, 1, 2) for value in told.values())
