"""Many slots at once: whoever finishes first, decisions come in the order of numbers and the store holds the same."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest
from benchwright.errors import ProviderError, StoppedError
from benchwright.graph.admission import Admission
from benchwright.graph.build import Step, build
from benchwright.graph.context import Run
from benchwright.graph.coverage import Cell, Planner
from benchwright.graph.machine import machine
from benchwright.schemas.base import canonical
from benchwright.schemas.item import Draft, Plan, Slot
from benchwright.schemas.source import Source
from benchwright.schemas.view import Answer, AnswerView, CriticView, DirectorView, GeneratorView, Verdict
from benchwright.state.log import heads
from benchwright.state.store import Store
from benchwright.state.tables import RECORDS, source_key
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .players import ACCEPT, AGAIN, DISCARD, PLAN, SEED, SLOT, Players, Said, Script, running

SLOTS = 5
SOURCE = Source(source_id="s1", kind="story", sha256="sha256:00", path="gate.yaml")
CELL = Cell(SLOT.coordinate, SLOTS)


class Many(Players):
    """Each slot asks about its own decision."""

    async def direct(self, view: DirectorView) -> Plan | None:
        return PLAN.model_copy(update={"location": f"gate {view.ordinal}"})

    async def generate(self, view: GeneratorView, attempt: int) -> Draft | None:
        draft = await super().generate(view, attempt)
        question = f"What next at {view.plan.location}, by draft {attempt}?"
        return draft and draft.model_copy(update={"question": question})


class Conducted(Many):
    """The answers of a slot wait until as many slots wait as can, and it is its turn."""

    def __init__(self, turns: Sequence[int], verdicts: Sequence[Sequence[Said]], workers: int) -> None:
        super().__init__(Script())
        self.turns, self.verdicts, self.workers = turns, verdicts, workers
        self.waiting: set[int] = set()
        self.passed: list[int] = []
        """Places of the slots in the order in which they got their first answers."""

    async def answer(self, view: AnswerView, *, sample: int) -> Answer:
        await self._turn(place(view.question))
        return await super().answer(view, sample=sample)

    async def _turn(self, here: int) -> None:
        if here in self.passed:
            return
        self.waiting.add(here)
        while here not in self.passed:
            full = len(self.waiting) == min(self.workers, SLOTS - len(self.passed))
            if full and here == min(self.waiting, key=self.turns.__getitem__):
                self.waiting.remove(here)
                self.passed.append(here)
            await asyncio.sleep(0.001)

    async def judge(self, view: CriticView) -> Verdict:
        self.script = Script(self.verdicts[place(view.item.question)])
        return await super().judge(view)


def place(question: str) -> int:
    return int(question.split(",")[0].removeprefix("What next at gate "))


async def decided(run: Run, workers: int, supply: int = SLOTS) -> list[Step]:
    await run.store.put(source_key("s1"), SOURCE)
    return [step async for step in steps(run, workers, supply)]


def steps(run: Run, workers: int, supply: int = SLOTS) -> AsyncGenerator[Step, None]:
    admission = Admission(run, {CELL.coordinate: CELL.target}, {"s1"})
    pairs = [("s1", ordinal) for ordinal in range(supply)]
    planner = Planner([CELL], {CELL.coordinate: pairs}, 64, admission.past)
    return build(run, machine(), planner, admission, workers)


def contents(store: Store) -> tuple[object, ...]:
    rows = [[(key, canonical(one)) for key, one in store.all(record)] for record in RECORDS]
    events = [(event.key, event.kind, event.payload) for event in store.events()]
    return rows, heads(store), events


FATES: Sequence[Sequence[Said]] = ([ACCEPT], [DISCARD], [AGAIN, ACCEPT], [AGAIN, AGAIN, DISCARD])
numbers = iter(range(10**6))


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    turns=st.permutations(range(SLOTS)),
    fates=st.lists(st.sampled_from(FATES), min_size=SLOTS, max_size=SLOTS),
    workers=st.integers(2, SLOTS),
)
def test_the_order_of_finishing_is_nowhere_to_be_seen(
    tmp_path: Path, turns: list[int], fates: list[Sequence[Said]], workers: int
) -> None:
    found = []
    for order, many in ((range(SLOTS), 1), (turns, workers)):
        with Store.open(tmp_path / f"{next(numbers)}.sqlite", seed=SEED) as store:
            players = Conducted(order, fates, many)
            steps = asyncio.run(decided(running(store, players), many))
            found.append((steps, contents(store)))
        assert sorted(players.passed) == list(range(SLOTS))
        assert players.passed[0] == min(range(many), key=order.__getitem__)
    assert [step.slot.number for step in found[0][0]] == list(range(1, SLOTS + 1))
    assert found[0] == found[1]


class Failing(Many):
    """One run of the first slot fails when all runs of two slots are under way; those of the second take a second."""

    def __init__(self, error: Exception) -> None:
        super().__init__(Script())
        self.error = error
        self.under_way = self.replied = 0

    async def answer(self, view: AnswerView, *, sample: int) -> Answer:
        self.under_way += 1
        while self.under_way < 6:
            await asyncio.sleep(0.001)
        if place(view.question) == sample == 0:
            raise self.error
        await asyncio.sleep(place(view.question))
        self.replied += 1
        return await super().answer(view, sample=sample)


@pytest.mark.parametrize(
    ("error", "replied"),
    [(StoppedError("budget"), 5), (ProviderError("down"), 2), (RuntimeError("a fault of ours"), 2)],
    ids=["budget", "provider", "fault"],
)
def test_what_ends_a_build(tmp_path: Path, error: Exception, replied: int) -> None:
    """Calls under way come to their end where only the budget is used up; of the same slot they always do."""
    with Store.open(tmp_path / "store.sqlite", seed=SEED) as store:
        players = Failing(error)
        with pytest.raises(type(error), match=str(error)):
            asyncio.run(decided(running(store, players), 2, supply=2))
        assert (players.under_way, players.replied) == (6, replied)
        assert store.events() == []
        assert sum(1 for _ in store.all(Answer)) == replied - 2


def test_a_build_that_is_left_cancels_what_is_in_flight(tmp_path: Path) -> None:
    async def leave(run: Run) -> tuple[Step, int]:
        await run.store.put(source_key("s1"), SOURCE)
        left = steps(run, 3)
        first = await anext(left)
        await left.aclose()
        return first, len(asyncio.all_tasks())

    with Store.open(tmp_path / "store.sqlite", seed=SEED) as store:
        players = Conducted(range(SLOTS), [[ACCEPT]] * SLOTS, 3)
        first, tasks = asyncio.run(leave(running(store, players)))
        assert (first.slot.number, tasks) == (1, 1)
        assert [event.key.slot_id for event in store.events()] == [first.slot.slot_id]
        again = asyncio.run(decided(running(store, Conducted(range(SLOTS), [[ACCEPT]] * SLOTS, 1)), 1))
        assert [step.slot.number for step in again] == list(range(2, SLOTS + 1))
        assert sorted(slot.number for _, slot in store.all(Slot)) == list(range(1, SLOTS + 1))
