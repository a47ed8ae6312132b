"""The build: numbered slots through the state machine, as many at once as allowed, decided in number order."""

import asyncio
from collections.abc import AsyncGenerator
from typing import NamedTuple

from ..errors import ProviderError, StoppedError
from ..schemas.item import Slot
from ..state.store import NodeKey
from .admission import Admission, Decided
from .context import Run
from .coverage import Planner
from .machine import Machine, run_slot


class Step(NamedTuple):
    """One decided slot."""

    slot: Slot
    decided: Decided


async def build(
    run: Run, machine: Machine, planner: Planner, admission: Admission, workers: int
) -> AsyncGenerator[Step, None]:
    """Run slots until targets or sources are used up; yields each decision, in the order of the slots' numbers.

    A resumed build goes on after the last decision; a slot that was begun and not decided is planned again and reads
    what is there. Whatever a slot raises ends the build, after the slots in flight were cancelled; what they had stored
    stays. Where the budget is used up they go on until they would need another call: those under way are paid for.
    """
    pool = _Pool(run, machine, workers)
    try:
        while True:
            while pool.free and isinstance(slot := planner.next(), Slot):
                await pool.start(slot)
            if not pool.running:
                return
            for slot, code in await pool.finished():
                decided = await admission.decide(slot, code)
                planner.decide(decided.outcome == "accepted")
                yield Step(slot, decided)
    except ProviderError:
        raise
    except StoppedError:
        await pool.drain()
        raise
    finally:
        await pool.stop()


class _Pool:
    """Slots in flight. `finished` gives them back in the order of their numbers."""

    def __init__(self, run: Run, machine: Machine, workers: int) -> None:
        self._run, self._machine, self._workers = run, machine, workers
        self.running: dict[int, tuple[Slot, asyncio.Task[str]]] = {}
        """By number: started and not yet given back."""

    @property
    def free(self) -> bool:
        return sum(not task.done() for _, task in self.running.values()) < self._workers

    async def start(self, slot: Slot) -> None:
        await self._run.store.put(NodeKey(slot.slot_id, "slot", 0), slot)
        self.running[slot.number] = (slot, asyncio.create_task(self._code(slot)))

    async def _code(self, slot: Slot) -> str:
        """How the slot ended."""
        return (await run_slot(self._machine, self._run, slot.slot_id))["code"]

    async def finished(self) -> list[tuple[Slot, str]]:
        """Wait until something finishes; then every finished slot up to the first that is still running."""
        undone = [task for _, task in self.running.values() if not task.done()]
        if undone:
            await asyncio.wait(undone, return_when=asyncio.FIRST_COMPLETED)
        for _, task in self.running.values():
            if task.done():
                task.result()
        ready = []
        for number in sorted(self.running):
            slot, task = self.running[number]
            if not task.done():
                break
            ready.append((slot, task.result()))
            del self.running[number]
        return ready

    async def drain(self) -> None:
        await asyncio.gather(*(task for _, task in self.running.values()), return_exceptions=True)

    async def stop(self) -> None:
        tasks = [task for _, task in self.running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
