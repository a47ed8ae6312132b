"""The ledger of model calls: written before a request is sent, and again, with the reply, before anyone sees it.

A call is (request hash, sample); each attempt at it is a row, and so is each time that its reply is served again. An
attempt whose process was killed becomes `unknown` when the store is next built on, or the call is made again: nobody
can tell whether it was paid, so it counts at its worst case. The budget is held in the transaction that reserves: no
two calls can overrun it.
"""

import json
from typing import Any, NamedTuple

import sqlalchemy as sa

from ..errors import BenchwrightError, BudgetError
from ..schemas.call import CallRow, Reply
from .store import Store
from .tables import Call, CallReply, CallRequest, Row, Select, now, table_of

CALL, REQUEST, REPLY = table_of(Call), table_of(CallRequest), table_of(CallReply)
RESERVED = ("request_sha256", "sample", "role", "model", "prompt_id", "prompt_sha256", "reserved_usd")
PAID = ("settled", "spoilt")
"""A reply came."""
LOST = ("failed", "unknown")
ROUNDING = 1e-9
"""US dollars: sums of floats come out that much too large at most."""


class Budget(NamedTuple):
    """What all calls of a store may cost together; None is no limit."""

    usd: float | None = None
    calls: int | None = None


class Spent(NamedTuple):
    """What the calls cost: closed ones what they cost, reserved and unknown ones their worst case.

    Calls that were served again or that the provider turned down count for nothing.
    """

    usd: float
    calls: int
    unknown: int
    """Calls among them whose fate is unknown."""


class Usual(NamedTuple):
    """What the calls of one model and prompt were like, on average over those that were paid."""

    calls: int
    input_tokens: float
    output_tokens: float
    seconds: float


class StoreLedger:
    """Fulfils `llm.client.Ledger` on a store."""

    def __init__(self, store: Store, budget: Budget | None = None) -> None:
        self._store = store
        self._budget = budget

    async def find(self, request_sha256: str, sample: int) -> CallRow | None:
        """The newest attempt at a call, with its reply once it is closed with one."""
        return self._newest(request_sha256, sample)

    def settled(self, request_sha256: str, sample: int) -> bool:
        """Whether a call has a reply that would be served again."""
        newest = self._newest(request_sha256, sample)
        return newest is not None and newest.status == "settled"

    def _newest(self, request_sha256: str, sample: int) -> CallRow | None:
        found = self._store.rows(NEWEST, _key(request_sha256, sample))
        return _row(found[0]) if found else None

    async def reserve(self, row: CallRow, request: bytes) -> None:
        """Write down that a call is about to be made; committed on return.

        An earlier attempt that is still reserved becomes unknown. Raises `BudgetError` where the call could overrun
        the budget, and `BenchwrightError` for one that is settled: it must not be paid twice.
        """
        this = _key(row.request_sha256, row.sample)

        def work(connection: sa.Connection) -> None:
            newest = connection.execute(NEWEST, this).first()
            if newest is not None and newest.status == "settled":
                raise BenchwrightError(f"call {row.request_sha256} sample {row.sample} is settled; use its reply")
            if newest is not None and newest.status == "reserved":
                connection.execute(ORPHANS.where(*THIS_CALL), this | {"closed_at": now()})
            if self._budget is not None:
                _afford(connection, self._budget, row.reserved_usd)
            attempt = 0 if newest is None else _next(connection, row)
            _insert(connection, row, attempt, {"status": "reserved", "usd": 0.0})
            if not connection.execute(STORED, {"call": row.request_sha256}).first():
                connection.execute(REQUEST.insert(), {"request_sha256": row.request_sha256, "request": request})

        await self._store.write(work, "call reserved")

    async def settle(self, row: CallRow) -> None:
        """Write down what became of a reserved call; committed on return. What was written first stands."""
        if (row.reply is not None) != (row.status in PAID) or row.status not in (*PAID, *LOST):
            said = "with a reply" if row.reply else "without a reply"
            raise BenchwrightError(f"call {row.request_sha256} sample {row.sample} cannot be {row.status} {said}")
        this = _key(row.request_sha256, row.sample)

        def work(connection: sa.Connection) -> None:
            newest = connection.execute(NEWEST, this).first()
            if newest is None or newest.status in LOST:
                raise BenchwrightError(f"call {row.request_sha256} sample {row.sample} is not reserved")
            if newest.status == "reserved":
                _close(connection, row, newest.attempt)

        await self._store.write(work, f"call {row.status}")

    async def serve(self, row: CallRow) -> None:
        """Write down that a settled reply was served again; committed on return."""
        values = {"status": "settled", "usd": 0.0, "closed_at": now(), "cached": True}
        await self._store.write(
            lambda connection: _insert(connection, row, _next(connection, row), values), "call served"
        )

    async def recover(self) -> int:
        """At start, with no call in flight: reserved rows become unknown. Returns how many."""

        def work(connection: sa.Connection) -> int:
            return connection.execute(ORPHANS, {"closed_at": now()}).rowcount

        return await self._store.write(work, "call unknown")

    def spent(self) -> Spent:
        """What all rows add up to so far."""
        return Spent(*self._store.rows(SPENT)[0])

    def usual(self, model: str, prompt_id: str) -> Usual:
        """What calls of this model with this prompt were like so far; all zero where there were none."""
        return Usual(*self._store.rows(USUAL, {"of_model": model, "of_prompt": prompt_id})[0])

    def request(self, request_sha256: str) -> bytes | None:
        """The exact bytes that were sent."""
        found = self._store.rows(STORED, {"call": request_sha256})
        return found[0].request if found else None

    def calls(self) -> list[CallRow]:
        """Every attempt, and every reply served again, by request, sample and attempt."""
        return [_row(row) for row in self._store.rows(ROWS.order_by(*CALL.primary_key))]


def _select_spent() -> Select:
    worst = sa.case((CALL.c.status == "reserved", CALL.c.reserved_usd), else_=CALL.c.usd)
    unknown = sa.case((CALL.c.status == "unknown", 1), else_=0)
    total, lost = (sa.func.coalesce(sa.func.sum(column), 0) for column in (worst, unknown))
    return sa.select(sa.cast(total, sa.Float), sa.func.count(), lost).where(CALL.c.status != "failed", SENT)


def _select_usual() -> Select:
    figures = (CALL.c.input_tokens, CALL.c.output_tokens, CALL.c.seconds)
    means = (sa.func.coalesce(sa.func.avg(column), 0.0) for column in figures)
    of = (CALL.c.model == sa.bindparam("of_model"), CALL.c.prompt_id == sa.bindparam("of_prompt"))
    return sa.select(sa.func.count(), *means).where(CALL.c.status.in_(PAID), SENT, *of)


def _select_rows() -> Select:
    matched = (column == REPLY.c[column.name] for column in CALL.primary_key.columns)
    return sa.select(*CALL.c, REPLY.c.reply).select_from(CALL.outerjoin(REPLY, sa.and_(*matched)))


SENT = sa.func.coalesce(CALL.c.cached, 0) == 0
SPENT, USUAL, ROWS = _select_spent(), _select_usual(), _select_rows()
THIS_CALL = (CALL.c.request_sha256 == sa.bindparam("call"), CALL.c.sample == sa.bindparam("of_sample"))
NEWEST = ROWS.where(*THIS_CALL, SENT).order_by(CALL.c.attempt.desc()).limit(1)
NEXT = sa.select(sa.func.coalesce(sa.func.max(CALL.c.attempt) + 1, 0)).where(*THIS_CALL)
STORED = sa.select(REQUEST.c.request).where(REQUEST.c.request_sha256 == sa.bindparam("call"))
ORPHANS = sa.update(CALL).where(CALL.c.status == "reserved").values(status="unknown", usd=CALL.c.reserved_usd)
CLOSED = sa.update(CALL).where(*THIS_CALL, CALL.c.status == "reserved")


def _key(request_sha256: str, sample: int) -> dict[str, Any]:
    return {"call": request_sha256, "of_sample": sample}


def _row(row: Row) -> CallRow:
    values: dict[str, Any] = {name: row._mapping[name] for name in (*RESERVED, "status", "usd")}
    values |= {
        "prompt_sha256": row.prompt_sha256 or "",
        "seconds": row.seconds or 0.0,
        "cached": bool(row.cached),
        "reply": None if row.reply is None else Reply.model_validate(json.loads(row.reply)),
    }
    return CallRow(**values)


def _afford(connection: sa.Connection, budget: Budget, usd: float) -> None:
    spent = Spent(*connection.execute(SPENT).one())
    if budget.usd is not None and spent.usd + usd > budget.usd + ROUNDING:
        said = f"{spent.usd:.4f} of {budget.usd:.4f} USD spent or reserved, and the next call may cost {usd:.4f}"
        raise BudgetError(f"budget: {said}; raise budget.usd and run the command again")
    if budget.calls is not None and spent.calls >= budget.calls:
        raise BudgetError(f"budget: all {budget.calls} calls made; raise budget.calls and run the command again")


def _next(connection: sa.Connection, row: CallRow) -> int:
    """The number of a further row of a call."""
    return int(connection.execute(NEXT, _key(row.request_sha256, row.sample)).scalar_one())


def _insert(connection: sa.Connection, row: CallRow, attempt: int, values: dict[str, Any]) -> None:
    known = row.model_dump(include=set(RESERVED)) | {"attempt": attempt, "reserved_at": now()}
    connection.execute(CALL.insert(), known | values)


def _close(connection: sa.Connection, row: CallRow, attempt: int) -> None:
    values = {"status": row.status, "usd": row.usd, "seconds": row.seconds, "closed_at": now()}
    if row.reply is not None:
        usage = row.reply.usage
        values |= {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    connection.execute(CLOSED.values(values), _key(row.request_sha256, row.sample))
    if row.reply is not None:
        key = {"request_sha256": row.request_sha256, "sample": row.sample, "attempt": attempt}
        # Escaped, unlike canonical JSON: a provider's reply may hold half a surrogate pair.
        connection.execute(REPLY.insert(), key | {"reply": json.dumps(row.reply.model_dump()).encode()})
