"""Agents that follow a script, and a run of the state machine with them: without story, names or real gates."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from benchwright.agents.question import Rewording
from benchwright.graph.context import Agents, Proposal, Run
from benchwright.graph.public import Publisher
from benchwright.schemas.clip import Excerpt, TranscriptLine
from benchwright.schemas.finding import Finding
from benchwright.schemas.grounding import Event, Trace
from benchwright.schemas.item import Coordinate, Draft, DraftOption, Plan, Slot
from benchwright.schemas.view import (
    Adjudication,
    AdjudicatorView,
    Answer,
    AnswerView,
    CriticView,
    DirectorView,
    GeneratorView,
    QuestionView,
    TrackerView,
    Verdict,
)  # fmt: skip
from benchwright.state.store import Store

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
        return view.question.encode() if isinstance(view, AnswerView) else None

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
