"""A ledger that lives in memory: for tests, and for evaluating a release without a project's store."""

from ..schemas.call import CallRow


class MemoryLedger:
    """Fulfils `Ledger`. `rows`, `requests` and `served` are there to look at; nothing outlives the object."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], CallRow] = {}
        """The newest attempt at each call."""
        self.requests: dict[str, bytes] = {}
        self.served: list[CallRow] = []

    async def find(self, request_sha256: str, sample: int) -> CallRow | None:
        return self.rows.get((request_sha256, sample))

    async def reserve(self, row: CallRow, request: bytes) -> None:
        self.requests[row.request_sha256] = request
        self.rows[row.request_sha256, row.sample] = row

    async def settle(self, row: CallRow) -> None:
        self.rows[row.request_sha256, row.sample] = row

    async def serve(self, row: CallRow) -> None:
        self.served.append(row)
