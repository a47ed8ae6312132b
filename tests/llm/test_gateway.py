"""The gateway: reserved before, settled after, equal keys share one call, nothing is paid twice."""

import asyncio

import pytest
from benchwright.errors import ProviderError, StoppedError
from benchwright.llm.gateway import Gateway, Manners
from benchwright.llm.ledger import MemoryLedger
from benchwright.llm.scripted import Rule, Script, ScriptedClient
from benchwright.schemas.base import canonical
from benchwright.schemas.call import CallRow, Message, Part, Request, Usage


def request(text: str = "Who left?") -> Request:
    return Request(
        model="scripted/x",
        prompt_id="p",
        prompt_sha256="sha256:0",
        messages=(Message(role="user", parts=(Part(text=text),)),),
        answer_schema={"type": "object", "properties": {"answer": {"enum": ["A", "B", "C"]}}},
    )


def scripted(*rules: Rule) -> ScriptedClient:
    return ScriptedClient(Script(benchwright_script=1, rules=rules))


class RecordingLedger(MemoryLedger):
    """Writes down the order of what happens to it."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []

    async def reserve(self, row: CallRow, request: bytes) -> None:
        self.events.append(row.status)
        await super().reserve(row, request)

    async def settle(self, row: CallRow) -> None:
        await asyncio.sleep(0.01)
        self.events.append(row.status)
        await super().settle(row)


def test_a_call_is_reserved_with_its_bytes_then_settled_with_its_reply() -> None:
    ledger = RecordingLedger()
    client = scripted(Rule(reply="B", usage=Usage(usd=0.25)))
    gateway = Gateway(client, ledger, Manners(worst_case=lambda _: 0.5))
    reply = asyncio.run(gateway.complete(request(), sample=3, role="answer"))
    row = ledger.rows[request().sha256, 3]
    assert ledger.events == ["reserved", "settled"]
    assert ledger.requests == {request().sha256: canonical(request())}
    assert (row.status, row.role, row.reserved_usd, row.usd, row.reply) == ("settled", "answer", 0.5, 0.25, reply)


def test_a_settled_call_is_never_made_again_and_another_sample_is_another_call() -> None:
    ledger = MemoryLedger()
    first, second = scripted(Rule(reply="A")), scripted(Rule(reply="B"))
    assert asyncio.run(Gateway(first, ledger).complete(request(), sample=0, role="r")).text == "A"
    assert asyncio.run(Gateway(second, ledger).complete(request(), sample=0, role="r")).text == "A"
    assert asyncio.run(Gateway(second, ledger).complete(request(), sample=1, role="r")).text == "B"
    assert len(second.calls) == 1


def test_equal_keys_in_flight_share_one_call() -> None:
    client, ledger = scripted(Rule(reply="A", latency=0.02)), RecordingLedger()

    async def many() -> list[str]:
        gateway = Gateway(client, ledger)
        asked = [gateway.complete(request(), sample=0, role="r") for _ in range(8)]
        return [reply.text for reply in await asyncio.gather(*asked)]

    assert asyncio.run(many()) == ["A"] * 8
    assert client.calls == [(request().sha256, 0)]
    assert ledger.events == ["reserved", "settled"]


def test_a_failure_reaches_all_who_wait_leaves_the_row_unknown_and_can_be_tried_again() -> None:
    client, ledger = scripted(Rule(error="rate limited", times=1), Rule(reply="A")), MemoryLedger()

    async def main() -> None:
        gateway = Gateway(client, ledger)
        asked = [gateway.complete(request(), sample=0, role="r") for _ in range(3)]
        results = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(result) for result in results] == [ProviderError] * 3
        assert ledger.rows[request().sha256, 0].status == "unknown"
        assert (await gateway.complete(request(), sample=0, role="r")).text == "A"

    asyncio.run(main())
    assert ledger.rows[request().sha256, 0].status == "settled"


def test_one_who_gives_up_does_not_end_the_call_of_the_others() -> None:
    client, ledger = scripted(Rule(reply="A", latency=0.05)), MemoryLedger()

    async def main() -> None:
        gateway = Gateway(client, ledger)
        leaving = asyncio.create_task(gateway.complete(request(), sample=0, role="r"))
        staying = asyncio.create_task(gateway.complete(request(), sample=0, role="r"))
        await asyncio.sleep(0.01)
        leaving.cancel()
        assert (await staying).text == "A"
        assert leaving.cancelled()

    asyncio.run(main())
    assert len(client.calls) == 1


def test_a_call_nobody_waits_for_ends_reserved_and_the_next_one_calls_again() -> None:
    client, ledger = scripted(Rule(reply="A", latency=5, times=1), Rule(reply="B")), MemoryLedger()

    async def main() -> str:
        gateway = Gateway(client, ledger)
        leaving = asyncio.create_task(gateway.complete(request(), sample=0, role="r"))
        await asyncio.sleep(0.01)
        leaving.cancel()
        await asyncio.wait([leaving])
        assert ledger.rows[request().sha256, 0].status == "reserved"
        return (await gateway.complete(request(), sample=0, role="r")).text

    assert asyncio.run(main()) == "B"


def test_a_reply_that_came_is_settled_even_while_being_cancelled() -> None:
    ledger = RecordingLedger()

    async def main() -> None:
        asking = asyncio.create_task(Gateway(scripted(Rule(reply="A")), ledger).complete(request(), sample=0, role="r"))
        while "reserved" not in ledger.events:
            await asyncio.sleep(0)
        await asyncio.sleep(0.002)
        asking.cancel()
        await asyncio.wait([asking])

    asyncio.run(main())
    assert ledger.rows[request().sha256, 0].status == "settled"


def test_no_budget_no_call() -> None:
    class Spent(MemoryLedger):
        async def reserve(self, row: CallRow, request: bytes) -> None:
            raise StoppedError("the budget of 1.00 USD is spent")

    client = scripted(Rule(reply="A"))
    with pytest.raises(StoppedError, match="budget"):
        asyncio.run(Gateway(client, Spent()).complete(request(), sample=0, role="r"))
    assert client.calls == []
