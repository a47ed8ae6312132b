"""A figure as a reader meets it: a chart, the table behind it, and the same table unrounded as CSV."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from markupsafe import Markup

from .render import Cell, csv_link, share, span, words

Data = Mapping[str, Cell]
NOTHING = ("", "–")
"""What a cell shows that has nothing to say."""


class Column(NamedTuple):
    """A column of the table that is shown, made of one or more fields of the data."""

    name: str
    shown: Callable[[Data], str]
    numeric: bool = True


class Figure(NamedTuple):
    """`rows` hold unrounded values under `fields`; the table shows what a reader needs of them."""

    name: str
    chart: Markup
    fields: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[Column, ...]

    @property
    def csv(self) -> str:
        return csv_link(self.fields, self.rows)

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns in which some row has something to say."""
        data = [dict(zip(self.fields, row, strict=True)) for row in self.rows]
        return tuple(column for column in self.columns if any(column.shown(row) not in NOTHING for row in data))

    @property
    def body(self) -> list[list[tuple[str, bool]]]:
        """Each row's cells as text, and whether each is a number."""
        data = [dict(zip(self.fields, row, strict=True)) for row in self.rows]
        return [[(column.shown(row), column.numeric) for column in self.shown] for row in data]


def text(field: str, name: str = "") -> Column:
    """A column of words; nothing where there is none."""
    return Column(name or field, lambda row: str(row[field] or ""), numeric=False)


def named(field: str) -> Column:
    """A column of identifiers, as a person reads them."""
    return Column(field, lambda row: words(str(row[field])), numeric=False)


def count(field: str, name: str = "") -> Column:
    return Column(name or field, lambda row: "–" if row[field] is None else f"{row[field]:g}")


def percent(field: str, name: str = "") -> Column:
    return Column(name or field, lambda row: share(number(row[field])))


def interval(low: str, high: str, name: str) -> Column:
    return Column(name, lambda row: span(number(row[low]), number(row[high])))


def ratio(field: str) -> Column:
    return Column(field, lambda row: "–" if row[field] is None else f"{row[field]:.2f}")


def number(cell: Cell) -> float | None:
    return None if cell is None or isinstance(cell, str) else float(cell)
