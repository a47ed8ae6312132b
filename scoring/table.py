"""A table as a paper prints it: percentages or scores as numbers, nothing rounded until it is written out."""

import csv
import io
from typing import NamedTuple

from .figure import Figure
from .intervals import Interval

Value = str | float | Figure | Interval | None


class Table(NamedTuple):
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    """Each as long as `columns`."""

    def csv(self, decimals: int = 2) -> str:
        """With its header; what is undefined is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_written(value, decimals) for value in row] for row in self.rows)
        return text.getvalue()


def percent(share: float | Figure | Interval | None) -> Value:
    """A share in [0, 1], or its interval, in percent; what is undefined stays so, with its reason."""
    if isinstance(share, Figure):
        return share if share.value is None else 100 * share.value
    if isinstance(share, Interval):
        return Interval(100 * share.low, 100 * share.high)
    return None if share is None else 100 * share


def _written(value: Value, decimals: int) -> str:
    if isinstance(value, Figure):
        value = value.value
    if isinstance(value, Interval):
        return f"[{value.low:.{decimals}f}, {value.high:.{decimals}f}]"
    return "" if value is None else value if isinstance(value, str) else f"{value:.{decimals}f}"
