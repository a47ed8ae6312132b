"""The ledger of model calls: written before a request is sent, and again, with the reply, before anyone sees it.

A call is (request hash, sample); each attempt at it is a row. An attempt whose process was killed, or whose provider
failed, becomes `unknown` when the store is next built on, or the call is made again: nobody can tell whether it was
paid, so it counts at its worst case. The budget is held in the transaction that reserves: no two calls can overrun it.
"""

import json
from typing import Any, NamedTuple

import sqlalchemy as sa

from ..errors import BenchwrightError, StoppedError
from ..schemas.call import CallRow, Reply
from .store import Store
from .tables import Call, CallReply, CallRequest, Row, Select, now, table_of

CALL, REQUEST, REPLY = table_of(Call), table_of(CallRequest), table_of(CallReply)
ROW = ("request_sha256", "sample", "role", "model", "prompt_id", "status", "reserved_usd", "usd")


class Budget(NamedTuple):
    """What all calls of a store may cost together; None is no limit."""

    usd: float | None = None
    calls: int | None = None


class Spent(NamedTuple):
    """What the calls cost: settled ones what they cost, reserved and unknown ones their worst case."""

    usd: float
    calls: int
    unknown: int
    """Calls among them whose fate is unknown."""


class StoreLedger:
    """Fulfils `llm.client.Ledger` on a store."""

    def __init__(self, store: Store, budget: Budget | None = None) -> None:
        self._store = store
        self._budget = budget

    async def find(self, request_sha256: str, sample: int) -> CallRow | None:
        """The newest attempt at a call, with its reply once it is settled."""
        found = self._store.rows(NEWEST, _key(request_sha256, sample))
        return _row(found[0]) if found else None

    async def reserve(self, row: CallRow, request: bytes) -> None:
        """Write down that a call is about to be made; committed on return.

        An earlier attempt that is still reserved becomes unknown. Raises `StoppedError` where the call could overrun
        the budget, and `BenchwrightError` for one that is settled: it must not be paid twice.
        """

        this = _key(row.request_sha256, row.sample)

        def work(connection: sa.Connection) -> None:
            newest = connection.execute(NEWEST, this).first()
            if newest is not None and newest.status == "settled":
                raise BenchwrightError(f"call {row.request_sha256} sample {row.sample} is settled; use its reply")
            connection.execute(ORPHANS.where(*THIS_CALL), this | {"closed_at": now()})
            if self._budget is not None:
                _afford(connection, self._budget, row.reserved_usd)
            _reserve(connection, row, 0 if newest is None else newest.attempt + 1, request)

        await self._store.write(work, "call reserved")

    async def settle(self, row: CallRow) -> None:
        """Write down what a reserved call cost and replied; committed on return. The first reply stands."""
        if row.reply is None:
            raise BenchwrightError(f"call {row.request_sha256} sample {row.sample} has no reply to settle with")
        # Escaped, unlike canonical JSON: a provider's reply may hold half a surrogate pair.
        reply = json.dumps(row.reply.model_dump()).encode()

        this = _key(row.request_sha256, row.sample)

        def work(connection: sa.Connection) -> None:
            newest = connection.execute(NEWEST, this).first()
            if newest is None or newest.status == "unknown":
                raise BenchwrightError(f"call {row.request_sha256} sample {row.sample} is not reserved")
            if newest.status == "reserved":
                _settle(connection, row, newest.attempt, reply)

        await self._store.write(work, "call settled")

    async def recover(self) -> int:
        """At start, with no call in flight: reserved rows become unknown. Returns how many."""

        def work(connection: sa.Connection) -> int:
            return connection.execute(ORPHANS, {"closed_at": now()}).rowcount

        return await self._store.write(work, "call unknown")

    def spent(self) -> Spent:
        """What all rows add up to so far."""
        return Spent(*self._store.rows(SPENT)[0])

    def request(self, request_sha256: str) -> bytes | None:
        """The exact bytes that were sent."""
        found = self._store.rows(STORED, {"call": request_sha256})
        return found[0].request if found else None

    def calls(self) -> list[CallRow]:
        """Every attempt, by request, sample and attempt."""
        return [_row(row) for row in self._store.rows(ROWS.order_by(*CALL.primary_key))]


def _select_spent() -> Select:
    worst = sa.case((CALL.c.status == "reserved", CALL.c.reserved_usd), else_=CALL.c.usd)
    unknown = sa.case((CALL.c.status == "unknown", 1), else_=0)
    total = sa.func.coalesce(sa.func.sum(worst), 0.0)
    return sa.select(total, sa.func.count(), sa.func.coalesce(sa.func.sum(unknown), 0)).select_from(CALL)


def _select_rows() -> Select:
    matched = (column == REPLY.c[column.name] for column in CALL.primary_key.columns)
    return sa.select(*CALL.c, REPLY.c.reply).select_from(CALL.outerjoin(REPLY, sa.and_(*matched)))


SPENT, ROWS = _select_spent(), _select_rows()
THIS_CALL = (CALL.c.request_sha256 == sa.bindparam("call"), CALL.c.sample == sa.bindparam("of_sample"))
NEWEST = ROWS.where(*THIS_CALL).order_by(CALL.c.attempt.desc()).limit(1)
STORED = sa.select(REQUEST.c.request).where(REQUEST.c.request_sha256 == sa.bindparam("call"))
ORPHANS = sa.update(CALL).where(CALL.c.status == "reserved").values(status="unknown", usd=CALL.c.reserved_usd)
SETTLED = sa.update(CALL).where(*THIS_CALL, CALL.c.status == "reserved").values(status="settled")


def _key(request_sha256: str, sample: int) -> dict[str, Any]:
    return {"call": request_sha256, "of_sample": sample}


def _row(row: Row) -> CallRow:
    values: dict[str, Any] = {name: row._mapping[name] for name in ROW}
    return CallRow(**values, reply=None if row.reply is None else Reply.model_validate(json.loads(row.reply)))


def _afford(connection: sa.Connection, budget: Budget, usd: float) -> None:
    spent = Spent(*connection.execute(SPENT).one())
    if budget.usd is not None and spent.usd + usd > budget.usd:
        said = f"{spent.usd:.4f} of {budget.usd:.4f} USD spent or reserved, and the next call may cost {usd:.4f}"
        raise StoppedError(f"budget: {said}; raise budget.usd and run the command again")
    if budget.calls is not None and spent.calls >= budget.calls:
        raise StoppedError(f"budget: all {budget.calls} calls made; raise budget.calls and run the command again")


def _reserve(connection: sa.Connection, row: CallRow, attempt: int, request: bytes) -> None:
    values = row.model_dump(include=set(ROW)) | {"attempt": attempt, "status": "reserved", "usd": 0.0}
    connection.execute(CALL.insert(), values | {"reserved_at": now()})
    if not connection.execute(STORED, {"call": row.request_sha256}).first():
        connection.execute(REQUEST.insert(), {"request_sha256": row.request_sha256, "request": request})


def _settle(connection: sa.Connection, row: CallRow, attempt: int, reply: bytes) -> None:
    connection.execute(SETTLED, _key(row.request_sha256, row.sample) | {"usd": row.usd, "closed_at": now()})
    key = {"request_sha256": row.request_sha256, "sample": row.sample, "attempt": attempt}
    connection.execute(REPLY.insert(), key | {"reply": reply})
