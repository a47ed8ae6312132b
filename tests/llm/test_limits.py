"""How many calls at once, when again, and what an error of a provider means."""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from benchwright.errors import BudgetError, ProviderError
from benchwright.llm.failures import Secrets, broken, failure, retry_after, unreachable
from benchwright.llm.gateway import Gateway, Manners
from benchwright.llm.ledger import MemoryLedger
from benchwright.llm.limits import Limiter
from benchwright.llm.purse import Purse
from benchwright.llm.retry import Retry
from benchwright.schemas.call import CallRow, Reply, Request

from .calls import request


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def test_no_more_calls_at_once_than_allowed_and_first_come_first_served() -> None:
    limiter, order, most = Limiter(3), [], 0

    async def call(number: int) -> None:
        nonlocal most
        async with limiter.slot():
            order.append(number)
            most = max(most, limiter.busy)
            await asyncio.sleep(0.001)

    async def all_of_them() -> None:
        await asyncio.gather(*(call(number) for number in range(20)))

    run(all_of_them())
    assert (most, order, limiter.busy) == (3, list(range(20)), 0)


def test_crowded_halves_once_for_the_calls_under_way_and_successes_add_one_a_round() -> None:
    limiter = Limiter(16)

    async def storm() -> None:
        async with limiter.slot() as first, limiter.slot() as second:
            limiter.crowded(first)
            limiter.crowded(second)
        assert limiter.allowed == 8
        async with limiter.slot() as third:
            limiter.crowded(third)
        assert limiter.allowed == 4
        for _ in range(4):
            limiter.succeeded()

    run(storm())
    # Each success adds 1/allowed: four of them 1/4 + 1/4.25 + 1/4.485 + 1/4.708 = 0.921.
    assert limiter.allowed == pytest.approx(4.921, abs=0.001)


@pytest.mark.parametrize(("most", "halvings", "left"), [(1, 1, 1.0), (4, 5, 1.0), (5, 1, 2.5)])
def test_one_call_is_always_allowed(most: int, halvings: int, left: float) -> None:
    limiter = Limiter(most)

    async def storm() -> None:
        for _ in range(halvings):
            async with limiter.slot() as ticket:
                limiter.crowded(ticket)

    run(storm())
    assert limiter.allowed == left


def test_it_never_allows_more_than_the_most() -> None:
    limiter = Limiter(2)
    for _ in range(50):
        limiter.succeeded()
    assert limiter.allowed == 2


def test_nobody_calls_before_the_provider_takes_calls_again() -> None:
    limiter, waited = Limiter(8), []

    async def call(began: float) -> None:
        async with limiter.slot():
            waited.append(asyncio.get_running_loop().time() - began)

    async def main() -> None:
        async with limiter.slot() as ticket:
            limiter.crowded(ticket, wait=0.1)
        began = asyncio.get_running_loop().time()
        await asyncio.gather(*(call(began) for _ in range(3)))

    run(main())
    assert min(waited) >= 0.099


@pytest.mark.parametrize("granted", [False, True], ids=["waiting", "just granted"])
def test_who_gives_up_waiting_takes_no_place_with_him(granted: bool) -> None:
    limiter = Limiter(1)

    async def enter() -> None:
        async with limiter.slot():
            await asyncio.sleep(0)

    async def main() -> None:
        async with limiter.slot():
            leaving, staying = asyncio.create_task(enter()), asyncio.create_task(enter())
            await asyncio.sleep(0)
            if not granted:
                leaving.cancel()
        leaving.cancel()
        await asyncio.wait([leaving])
        await asyncio.wait_for(staying, 1)

    run(main())
    assert limiter.busy == 0


def test_a_limiter_outlives_the_loop_in_which_it_was_waited_for() -> None:
    limiter = Limiter(1)

    async def stuck() -> None:
        async with limiter.slot():
            waiting = asyncio.create_task(limiter.slot().__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()

    run(stuck())

    async def again() -> None:
        async with limiter.slot():
            pass

    run(again())
    assert limiter.busy == 0


FAILURES = {
    "429": (failure("m", 429, "slow down"), (True, False, True, False)),
    "429 without money": (failure("m", 429, "You exceeded your current quota"), (False, False, False, True)),
    "408": (failure("m", 408, "too slow"), (True, True, False, False)),
    "500": (failure("m", 500, "boom"), (True, True, False, False)),
    "502": (failure("m", 502, "boom"), (True, True, False, False)),
    "503": (failure("m", 503, "overloaded"), (True, True, True, False)),
    "529": (failure("m", 529, "overloaded"), (True, True, True, False)),
    "400": (failure("m", 400, "too long"), (False, False, False, False)),
    "413": (failure("m", 413, "too large"), (False, False, False, False)),
    "422": (failure("m", 422, "what?"), (False, False, False, False)),
    "401": (failure("m", 401, "who?"), (False, False, False, True)),
    "403": (failure("m", 403, "no"), (False, False, False, True)),
    "404": (failure("m", 404, "no such model"), (False, False, False, True)),
    "no connection": (unreachable("m", "refused"), (True, False, False, True)),
    "cut": (broken("m", "cut"), (True, True, False, False)),
}


@pytest.mark.parametrize(("error", "expected"), FAILURES.values(), ids=FAILURES)
def test_what_an_error_means(error: ProviderError, expected: tuple[bool, ...]) -> None:
    assert (error.passing, error.charged, error.crowded, error.everywhere) == expected
    assert error.exit_code == 3


NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "inf"}, 0.0),
        ({"retry-after": "soon"}, 0.0),
        ({}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float) -> None:
    assert retry_after(headers, NOW) == seconds


def test_backoff_doubles_is_jittered_by_the_generator_given_and_heeds_the_provider() -> None:
    retry = Retry(Random(7), base=1.0, longest=3.0)
    pauses = [retry.pause(broken("m", ""), attempt) for attempt in (1, 2, 3, 4)]
    for pause, full in zip(pauses, (1, 2, 3, 3), strict=True):
        assert full / 2 <= pause <= full
    again = Retry(Random(7), base=1.0, longest=3.0)
    assert [again.pause(broken("m", ""), attempt) for attempt in (1, 2, 3, 4)] == pauses
    assert Retry(Random(7)).pause(failure("m", 429, "", {"retry-after": "20"}), 1) == 20


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (failure("m", 429, ""), 4),
        (failure("m", 500, ""), 4),
        (broken("m", "time-out"), 4),
        (failure("m", 400, ""), 1),
        (failure("m", 401, ""), 1),
        (failure("m", 429, "", {"retry-after": "86400"}), 1),
    ],
    ids=["429", "500", "time-out", "400", "401", "tomorrow"],
)
def test_at_most_four_attempts_and_one_where_no_other_helps(error: ProviderError, attempts: int) -> None:
    client = Failing(error)
    gateway = Gateway(client, MemoryLedger(), Manners(retry=Retry(Random(0), base=0)))
    with pytest.raises(ProviderError) as raised:
        run(gateway.complete(request(), sample=0, role="r"))
    assert raised.value is error
    assert (client.calls, gateway.meter.failed, gateway.meter.under_way) == (attempts, attempts, 0)


class Failing:
    def __init__(self, error: ProviderError) -> None:
        self.error, self.calls = error, 0

    async def complete(self, request: Request, *, sample: int) -> Reply:
        self.calls += 1
        raise self.error


def test_keys_are_taken_out_of_any_text() -> None:
    hide = Secrets("sk-1", None, "", "sk-1-long").hide
    assert hide("Bearer sk-1-long, sk-1 and sk-2") == "Bearer [key], [key] and sk-2"


class Cap(MemoryLedger):
    """Holds as many calls as it is told to, at one each, until they come back for less."""

    def __init__(self, cap: float) -> None:
        super().__init__()
        self.cap, self.refused = cap, 0

    async def reserve(self, row: CallRow, request: bytes) -> None:
        await asyncio.sleep(0)
        held = sum(row.reserved_usd if row.status == "reserved" else row.usd for row in self.rows.values())
        if held + row.reserved_usd > self.cap:
            self.refused += 1
            raise BudgetError("budget")
        await super().reserve(row, request)


def row(number: int, usd: float = 1.0) -> CallRow:
    return CallRow(
        request_sha256=str(number), sample=0, role="r", model="m", prompt_id="p", status="reserved", reserved_usd=usd
    )


def test_whoever_finds_the_budget_taken_waits_for_what_comes_back() -> None:
    ledger, purse = Cap(1.0), Purse()

    async def call(number: int) -> None:
        async with purse.reserved(ledger, row(number), b""):
            await asyncio.sleep(0.001)
            await ledger.settle(row(number).model_copy(update={"status": "settled", "usd": 0.05}))

    async def main() -> list[Any]:
        return await asyncio.gather(*(call(number) for number in range(25)), return_exceptions=True)

    outcomes = run(main())
    # Each costs 0.05 and holds 1 before: only the first can begin while nothing is spent; then none can.
    assert outcomes.count(None) == 1
    assert all(isinstance(one, BudgetError) for one in outcomes if one is not None)


def test_all_can_be_paid_one_after_the_other_although_not_all_at_once() -> None:
    ledger, purse = Cap(2.0), Purse()

    async def call(number: int) -> None:
        async with purse.reserved(ledger, row(number), b""):
            await asyncio.sleep(0.001)
            await ledger.settle(row(number).model_copy(update={"status": "settled", "usd": 0.04}))

    async def main() -> None:
        await asyncio.gather(*(call(number) for number in range(25)))

    run(main())
    assert sum(one.usd for one in ledger.rows.values()) == pytest.approx(1.0)
    assert ledger.refused < 25 * 25


def test_nobody_waits_where_nothing_can_come_back() -> None:
    ledger, purse = Cap(0.5), Purse()

    async def call(number: int) -> None:
        async with purse.reserved(ledger, row(number), b""):
            pass

    async def main() -> list[Any]:
        calls = asyncio.gather(*(call(number) for number in range(10)), return_exceptions=True)
        return await asyncio.wait_for(calls, 5)

    assert all(isinstance(one, BudgetError) for one in run(main()))


def test_who_gives_up_waiting_for_money_holds_nothing() -> None:
    ledger, purse = Cap(1.0), Purse()

    async def hold(seconds: float, number: int) -> None:
        async with purse.reserved(ledger, row(number), b""):
            await asyncio.sleep(seconds)
            await ledger.settle(row(number).model_copy(update={"status": "failed"}))

    async def main() -> None:
        first, second = asyncio.create_task(hold(0.02, 1)), asyncio.create_task(hold(0, 2))
        await asyncio.sleep(0.01)
        second.cancel()
        await first
        await asyncio.wait_for(hold(0, 3), 1)

    run(main())
