"""The ledger: paid once, written down before and after, and what nobody knows counts at its worst."""

import asyncio
import sqlite3
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import BenchwrightError, BudgetError
from benchwright.llm.client import Ledger
from benchwright.schemas.call import CallRow, Reply, Usage
from benchwright.state.ledger import Budget, Spent, StoreLedger, Usual
from benchwright.state.store import Store


def call(name: str = "sha256:aa", sample: int = 0, worst: float = 1.0) -> CallRow:
    return CallRow(
        request_sha256=name,
        sample=sample,
        role="answer",
        model="m",
        prompt_id="p",
        status="reserved",
        reserved_usd=worst,
    )


def settled(row: CallRow, text: str = "A", usd: float = 0.25) -> CallRow:
    reply = Reply(text=text, usage=Usage(input_tokens=10, output_tokens=1, usd=usd))
    return row.model_copy(update={"status": "settled", "usd": usd, "reply": reply})


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


@pytest.fixture
def ledger(store: Store) -> StoreLedger:
    return StoreLedger(store)


def test_it_fulfils_the_protocol(ledger: StoreLedger):
    protocol: Ledger = ledger
    assert run(protocol.find("sha256:aa", 0)) is None


def test_from_reserved_to_settled(ledger: StoreLedger):
    row = call()
    run(ledger.reserve(row, b"the prompt"))
    assert run(ledger.find("sha256:aa", 0)) == row
    assert ledger.request("sha256:aa") == b"the prompt"
    run(ledger.settle(settled(row)))
    assert run(ledger.find("sha256:aa", 0)) == settled(row)
    assert ledger.spent() == Spent(usd=0.25, calls=1, unknown=0)


def test_samples_are_calls_of_their_own(ledger: StoreLedger):
    for sample in range(3):
        run(ledger.reserve(call(sample=sample), b"the prompt"))
        run(ledger.settle(settled(call(sample=sample), text=str(sample))))
    assert [row.reply.text for row in ledger.calls() if row.reply] == ["0", "1", "2"]


@pytest.mark.parametrize(
    "text", ["", "plain", "Ame\u0301lie", "\x00\x1f\u2028", "\U0001f600", "half \ud83d pair"], ids=ascii
)
def test_a_reply_comes_back_byte_for_byte(ledger: StoreLedger, text: str):
    """Not normalised: a resumed run must go on with what the first run went on with."""
    run(ledger.reserve(call(), b""))
    run(ledger.settle(settled(call(), text=text)))
    assert run(ledger.find("sha256:aa", 0)).reply.text == text


def test_the_first_reply_stands(ledger: StoreLedger):
    run(ledger.reserve(call(), b""))
    run(ledger.settle(settled(call(), "first")))
    run(ledger.settle(settled(call(), "second", 9.0)))
    assert run(ledger.find("sha256:aa", 0)).reply.text == "first"
    assert ledger.spent().usd == 0.25


def test_a_settled_call_is_not_reserved_again(ledger: StoreLedger):
    run(ledger.reserve(call(), b""))
    run(ledger.settle(settled(call())))
    with pytest.raises(BenchwrightError, match="is settled"):
        run(ledger.reserve(call(), b""))


@pytest.mark.parametrize("reserved", [False, True], ids=["never reserved", "given up"])
def test_only_a_reserved_call_is_settled(ledger: StoreLedger, reserved: bool):
    if reserved:
        run(ledger.reserve(call(), b""))
        run(ledger.recover())
    with pytest.raises(BenchwrightError, match="is not reserved"):
        run(ledger.settle(settled(call())))


@pytest.mark.parametrize(
    ("status", "replied"),
    [("settled", False), ("spoilt", False), ("failed", True), ("unknown", True), ("reserved", False)],
)
def test_a_call_is_closed_with_a_reply_where_there_is_one(ledger: StoreLedger, status: str, replied: bool):
    run(ledger.reserve(call(), b""))
    row = settled(call()).model_copy(update={"status": status} | ({} if replied else {"reply": None}))
    with pytest.raises(BenchwrightError, match=f"cannot be {status} with"):
        run(ledger.settle(row))


def closed(status: str, usd: float) -> CallRow:
    return call().model_copy(update={"status": status, "usd": usd})


def test_what_was_turned_down_costs_nothing_and_counts_for_nothing(store: Store):
    ledger = StoreLedger(store, Budget(usd=1.0, calls=1))
    for _ in range(3):
        run(ledger.reserve(call(), b""))
        run(ledger.settle(closed("failed", 0.0)))
    assert ledger.spent() == Spent(usd=0.0, calls=0, unknown=0)
    run(ledger.reserve(call(), b""))
    run(ledger.settle(closed("unknown", 1.0)))
    assert ledger.spent() == Spent(usd=1.0, calls=1, unknown=1)
    with pytest.raises(BudgetError):
        run(ledger.reserve(call(), b""))


def test_a_spoilt_reply_is_paid_and_kept_and_the_call_is_made_again(ledger: StoreLedger):
    run(ledger.reserve(call(), b""))
    run(ledger.settle(settled(call(), "").model_copy(update={"status": "spoilt"})))
    assert run(ledger.find("sha256:aa", 0)).status == "spoilt"
    run(ledger.reserve(call(), b""))
    run(ledger.settle(settled(call(), "A")))
    assert [(row.status, row.reply.text) for row in ledger.calls() if row.reply] == [("spoilt", ""), ("settled", "A")]
    assert ledger.spent() == Spent(usd=0.5, calls=2, unknown=0)


def test_a_reply_that_is_served_again_is_a_row_of_its_own_that_costs_nothing(ledger: StoreLedger):
    run(ledger.reserve(call(), b""))
    run(ledger.settle(settled(call())))
    for _ in range(2):
        run(ledger.serve(call().model_copy(update={"cached": True})))
    assert [(row.cached, row.usd) for row in ledger.calls()] == [(False, 0.25), (True, 0.0), (True, 0.0)]
    assert ledger.spent() == Spent(usd=0.25, calls=1, unknown=0)
    assert run(ledger.find("sha256:aa", 0)) == settled(call())
    with pytest.raises(BenchwrightError, match="is settled"):
        run(ledger.reserve(call(), b""))


def test_a_row_says_what_the_call_was(ledger: StoreLedger, store: Store):
    row = call().model_copy(update={"prompt_sha256": "sha256:bb"})
    run(ledger.reserve(row, b""))
    run(ledger.settle(settled(row).model_copy(update={"seconds": 1.5})))
    connection = sqlite3.connect(store.path)
    columns = "role, model, prompt_id, prompt_sha256, input_tokens, output_tokens, usd, seconds, cached"
    found = connection.execute(f"SELECT {columns} FROM call").fetchall()
    connection.close()
    assert found == [("answer", "m", "p", "sha256:bb", 10, 1, 0.25, 1.5, None)]


def test_what_calls_are_usually_like(ledger: StoreLedger):
    assert ledger.usual("m", "p") == Usual(0, 0.0, 0.0, 0.0)
    for number, seconds in enumerate((1.0, 3.0)):
        run(ledger.reserve(call(sample=number), b""))
        run(ledger.settle(settled(call(sample=number)).model_copy(update={"seconds": seconds})))
    run(ledger.serve(call()))
    assert ledger.usual("m", "p") == Usual(2, 10.0, 1.0, 2.0)
    assert ledger.usual("m", "q").calls == 0


def test_orphans_become_unknown_and_are_called_again(ledger: StoreLedger):
    run(ledger.reserve(call("sha256:aa", worst=1.0), b""))
    run(ledger.reserve(call("sha256:bb", worst=2.0), b""))
    run(ledger.settle(settled(call("sha256:bb", worst=2.0))))
    assert run(ledger.recover()) == 1
    assert run(ledger.recover()) == 0
    assert run(ledger.find("sha256:aa", 0)).status == "unknown"
    run(ledger.reserve(call("sha256:aa", worst=1.0), b""))
    run(ledger.settle(settled(call("sha256:aa", worst=1.0))))
    assert [(row.request_sha256, row.status, row.usd) for row in ledger.calls()] == [
        ("sha256:aa", "unknown", 1.0), ("sha256:aa", "settled", 0.25), ("sha256:bb", "settled", 0.25)
    ]  # fmt: skip
    assert ledger.spent() == Spent(usd=1.5, calls=3, unknown=1)


def test_a_second_attempt_leaves_the_first_unknown(ledger: StoreLedger):
    """The provider failed after the reservation: whether it charged is unknown, and the next attempt may cost again."""
    for _ in range(2):
        run(ledger.reserve(call(), b""))
    assert [row.status for row in ledger.calls()] == ["unknown", "reserved"]
    assert ledger.spent() == Spent(usd=2.0, calls=2, unknown=1)


def test_nothing_is_spent_at_first(ledger: StoreLedger):
    assert ledger.spent() == Spent(usd=0.0, calls=0, unknown=0)


@pytest.mark.parametrize(
    ("budget", "made", "said"),
    [
        (Budget(usd=3.0), 3, "3.0000 of 3.0000 USD"),
        (Budget(usd=2.9), 2, "2.0000 of 2.9000 USD"),
        (Budget(calls=4), 4, "all 4 calls made"),
        (Budget(usd=2.0, calls=5), 2, "2.0000 of 2.0000 USD"),
        (Budget(), 8, ""),
    ],
    ids=["exact", "short", "calls", "both", "none"],
)
def test_the_budget_holds_whoever_asks_at_once(store: Store, budget: Budget, made: int, said: str):
    ledger = StoreLedger(store, budget)

    async def rush() -> list[Any]:
        calls = (ledger.reserve(call(f"sha256:{n}"), b"") for n in range(8))
        return await asyncio.gather(*calls, return_exceptions=True)

    refused = [error for error in run(rush()) if error is not None]
    assert len(refused) == 8 - made
    assert ledger.spent().calls == made
    assert all(isinstance(error, BudgetError) and said in str(error) for error in refused)


def test_a_refused_reservation_leaves_no_row(store: Store):
    ledger = StoreLedger(store, Budget(calls=0))
    with pytest.raises(BudgetError):
        run(ledger.reserve(call(), b""))
    assert ledger.calls() == []


def test_what_happens_is_on_disk_before_it_returns(store: Store):
    ledger = StoreLedger(store)

    def on_disk() -> list[tuple[str, float]]:
        connection = sqlite3.connect(store.path)
        found = connection.execute("SELECT status, usd FROM call").fetchall()
        connection.close()
        return found

    run(ledger.reserve(call(), b""))
    assert on_disk() == [("reserved", 0.0)]
    run(ledger.settle(settled(call())))
    assert on_disk() == [("settled", 0.25)]


STATUSES = ("reserved", "settled", "spoilt", "failed", "unknown")
TRANSITIONS = {
    (before, after): before == "reserved" and after != "reserved" for before in STATUSES for after in STATUSES
}


@pytest.fixture
def raw(store: Store) -> Any:
    run(StoreLedger(store).reserve(call(), b""))
    connection = sqlite3.connect(store.path, isolation_level=None)
    yield connection
    connection.close()


@pytest.mark.parametrize(("before", "after"), TRANSITIONS)
def test_only_a_reserved_call_is_closed(raw: sqlite3.Connection, before: str, after: str):
    if before != "reserved":
        raw.execute("UPDATE call SET status = ?", (before,))
    if TRANSITIONS[before, after]:
        raw.execute("UPDATE call SET status = ?, usd = 1, closed_at = 'now'", (after,))
        assert raw.execute("SELECT status, usd FROM call").fetchall() == [(after, 1.0)]
    else:
        with pytest.raises(sqlite3.IntegrityError, match="call is append-only"):
            raw.execute("UPDATE call SET status = ?, usd = 9", (after,))


@pytest.mark.parametrize(
    "column", ["request_sha256", "sample", "attempt", "role", "model", "prompt_id", "reserved_usd", "reserved_at"]
)
def test_a_transition_changes_nothing_else(raw: sqlite3.Connection, column: str):
    with pytest.raises(sqlite3.IntegrityError, match="call is append-only"):
        raw.execute(f"UPDATE call SET status = 'settled', {column} = 7")


def test_a_ledger_outlives_its_store(tmp_path: Path):
    for attempt in range(2):
        with Store.open(tmp_path / "store.sqlite") as store:
            found = run(StoreLedger(store).find("sha256:aa", 0))
            assert (found is None) == (attempt == 0)
            if found is None:
                run(StoreLedger(store).reserve(call(), b""))
                run(StoreLedger(store).settle(settled(call())))
            else:
                assert found == settled(call())
