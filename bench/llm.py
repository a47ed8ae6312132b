"""How many calls a second come through the gateway, against the ideal, and what a call costs in CPU outside the client.

300 calls with a fixed reply time of 1 s, at 8, 16, 32 and 64 at once, through ledger, budget, limiter and retry, on a
store on disk. Calls per second are those between the 10th and the 90th percentile of completions; the ideal is as many
as are at once, a second. The client does nothing but wait, so that all CPU is ours.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchwright.llm.gateway import Gateway, Manners
from benchwright.llm.limits import Limiter
from benchwright.llm.prices import Price, Tariff, Window
from benchwright.llm.providers import NoMedia
from benchwright.llm.retry import Retry
from benchwright.schemas.call import Message, Part, Reply, Request, Usage
from benchwright.state.ledger import Budget, StoreLedger
from benchwright.state.store import Store

CALLS = 300
AT_ONCE = (8, 16, 32, 64)
SECONDS = 1.0
SCENE = "Alpha waits at the gate, and Beta says nothing. " * 40


class Waiting:
    async def complete(self, request: Request, *, sample: int) -> Reply:
        await asyncio.sleep(SECONDS)
        return Reply(text='{"answer": "B"}', usage=Usage(input_tokens=500, output_tokens=5, usd=0.001))


class Figures(NamedTuple):
    at_once: int
    share: float
    """Of the ideal calls a second."""
    per_second: float
    cpu: float
    """Milliseconds a call."""


def request(number: int) -> Request:
    parts = (Part(text=SCENE), Part(text=f"Question {number}: what follows?"))
    schema = {"type": "object", "properties": {"answer": {"enum": list("ABCDEF")}}, "required": ["answer"]}
    return Request(
        model="bench/m", prompt_id="bench", prompt_sha256="sha256:0", messages=(Message(role="user", parts=parts),),
        answer_schema=schema, parameters={"max_tokens": 64},
    )  # fmt: skip


async def ended(gateway: Gateway, calls: int) -> list[float]:
    """When each call was done."""

    async def call(number: int) -> float:
        await gateway.complete(request(number), sample=0, role="model")
        return time.perf_counter()

    return sorted(await asyncio.gather(*(call(number) for number in range(calls))))


def measure(at_once: int, calls: int = CALLS) -> Figures:
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "store.sqlite") as store:
        tariff = Tariff("bench/m", Price(1.0, 1.0), Window(), NoMedia())
        manners = Manners(tariff.worst, Retry(Random(0)), Limiter(at_once))
        gateway = Gateway(Waiting(), StoreLedger(store, Budget(usd=1000.0)), manners)
        before = time.process_time()
        done = asyncio.run(ended(gateway, calls))
        cpu = time.process_time() - before
    first, last = int(calls * 0.1), int(calls * 0.9)
    per_second = (last - first) / (done[last] - done[first])
    return Figures(at_once, per_second * SECONDS / at_once, per_second, cpu / calls * 1000)


def main(runs: int = 1) -> None:
    print("at once   calls/s   of the ideal   CPU ms a call")
    for at_once in AT_ONCE:
        measured = [measure(at_once) for _ in range(runs)]
        share, per_second, cpu = (
            statistics.median(getattr(one, name) for one in measured) for name in ("share", "per_second", "cpu")
        )
        print(f"{at_once:7}   {per_second:7.1f}   {share:11.0%}   {cpu:13.1f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
