"""Never more than the cap: price 1, cap N, over 200 runs with failures, cancellations and resumption."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from benchwright.errors import BudgetError, ProviderError
from benchwright.llm.failures import broken, failure
from benchwright.llm.gateway import Gateway, Manners
from benchwright.llm.limits import Limiter
from benchwright.llm.retry import Retry
from benchwright.schemas.call import Reply, Request, Usage
from benchwright.state.ledger import Budget, StoreLedger
from benchwright.state.store import Store

from .calls import request

RUNS = 200


class Provider:
    """Charges 1 for what it generates, whether or not the reply arrives; it may be busy, broken, slow or odd."""

    def __init__(self, random: Random, trouble: float) -> None:
        self.random, self.trouble = random, trouble
        self.charged = 0
        self.replied: Counter[tuple[str, int]] = Counter()
        """Whole replies that arrived, by call."""

    async def complete(self, request: Request, *, sample: int) -> Reply:
        await asyncio.sleep(self.random.random() * 0.002)
        if self.random.random() < self.trouble:
            return await self._trouble(request)
        self.charged += 1
        self.replied[request.sha256, sample] += 1
        return Reply(text="A", usage=Usage(input_tokens=1, output_tokens=1, usd=1.0))

    async def _trouble(self, request: Request) -> Reply:
        kind = self.random.choice(("busy", "busy", "down", "cut", "slow", "refused", "empty"))
        if kind == "busy":
            raise failure(request.model, 429, "slow down")
        if kind == "down":
            raise failure(request.model, 500, "boom")
        self.charged += 1
        if kind == "cut":
            raise broken(request.model, "connection cut")
        if kind == "slow":
            await asyncio.sleep(0.002)
            raise broken(request.model, "no reply within 120 s")
        paid = Usage(input_tokens=1, output_tokens=0, usd=1.0)
        return Reply(text="", usage=paid, status="refusal" if kind == "refused" else "ok")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("budget") / "store.sqlite") as opened:
        yield opened


def gateway(provider: Provider, ledger: StoreLedger, random: Random) -> Gateway:
    retry = Retry(random, base=0.001)
    return Gateway(provider, ledger, Manners(lambda _: 1.0, retry, Limiter(random.randint(1, 8))))


async def ask(gateway: Gateway, requests: list[Request], cancel: Random | None) -> list[object]:
    """All at once; some who wait may give up."""
    tasks = [asyncio.create_task(gateway.complete(one, sample=0, role="r")) for one in requests]
    if cancel is not None:
        await asyncio.sleep(cancel.random() * 0.004)
        for task in tasks:
            if cancel.random() < 0.3:
                task.cancel()
    return list(await asyncio.gather(*tasks, return_exceptions=True))


@pytest.mark.parametrize("block", range(4))
def test_never_more_than_the_cap(store: Store, block: int) -> None:
    for number in range(RUNS // 4):
        seed = block * 1000 + number
        random = Random(seed)
        provider = Provider(random, trouble=random.choice((0.0, 0.2, 0.5)))
        requests = [request(f"{seed}: {k}") for k in range(random.randint(1, 8))]
        before = StoreLedger(store).spent()
        assert before.usd == before.calls

        def left(cap: int, before: float = before.usd) -> StoreLedger:
            return StoreLedger(store, Budget(usd=before + cap))

        cap = random.randint(0, 8)
        replies = asyncio.run(ask(gateway(provider, left(cap), random), requests, random))
        assert provider.charged <= cap
        asyncio.run(StoreLedger(store).recover())
        assert StoreLedger(store).spent().usd <= before.usd + cap
        assert all(isinstance(one, Reply | ProviderError | BudgetError | asyncio.CancelledError) for one in replies)

        more, kept = cap + random.randint(0, 8), provider.replied.copy()
        asyncio.run(ask(gateway(provider, left(more), random), requests, None))
        assert provider.charged <= more
        assert StoreLedger(store).spent().usd <= before.usd + more
        # What was settled before the second run was not asked for again, and nothing was settled twice.
        settled = settled_calls(store, {one.sha256 for one in requests})
        assert set(settled.values()) <= {1}
        assert all(provider.replied[key] == kept[key] for key in kept if key in settled)


def settled_calls(store: Store, requests: set[str]) -> Counter[tuple[str, int]]:
    sql = "SELECT request_sha256, sample FROM call WHERE status = 'settled' AND cached IS NOT 1"
    connection = sqlite3.connect(store.path)
    found = [(sha256, sample) for sha256, sample in connection.execute(sql) if sha256 in requests]
    connection.close()
    return Counter(found)


def test_with_money_enough_every_call_gets_its_reply(store: Store) -> None:
    random = Random(1)
    provider = Provider(random, trouble=0.5)
    requests = [request(f"enough: {k}") for k in range(20)]
    for _ in range(60):
        replies = asyncio.run(ask(gateway(provider, StoreLedger(store), random), requests, None))
        if all(isinstance(one, Reply) and one.text for one in replies):
            break
    assert [one.text for one in replies if isinstance(one, Reply)] == ["A"] * 20
    assert set(provider.replied.values()) == {1}


def test_a_run_out_of_money_goes_on_when_there_is_more(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        provider, random = Provider(Random(0), trouble=0.0), Random(0)
        requests = [request(f"{k}") for k in range(10)]
        first = asyncio.run(ask(gateway(provider, StoreLedger(store, Budget(usd=4.0)), random), requests, None))
        assert Counter(type(one) for one in first) == {Reply: 4, BudgetError: 6}
        second = asyncio.run(ask(gateway(provider, StoreLedger(store, Budget(usd=10.0)), random), requests, None))
        assert Counter(type(one) for one in second) == {Reply: 10}
        assert (provider.charged, StoreLedger(store).spent().usd) == (10, 10.0)
