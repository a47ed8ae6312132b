"""A page is one file that needs nothing else: style, script and data stand in it, and its policy forbids the rest.

Every value is escaped where it enters the page; the content security policy allows the page's own style and script by
their hashes, films that stand in the page, and no request at all, so that text from a story or a model stays text. The
same values, the same bytes.
"""

import base64
import csv
import hashlib
import io
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

Cell = str | int | float | None


def render(template: str, **values: Any) -> str:
    """The HTML of a template in `templates/`. Raises `jinja2.UndefinedError` for a value that is missing."""
    style, script = part("page.css"), part("page.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src {_allowed(style)}",
            f"script-src {_allowed(script)}",
            "media-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    page = _environment().get_template(template)
    return page.render(style=Markup(style), script=Markup(script), policy=Markup(policy), **values)


def csv_link(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table as a `data:` address that a browser saves as CSV (RFC 4180). None becomes an empty cell.

    A cell that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return "data:text/csv;charset=utf-8," + quote(text.getvalue())


def share(value: float | None, digits: int = 1) -> str:
    """A share in [0, 1] as a percentage; a dash where there is none. Rounded here and nowhere before."""
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def points(value: float | None, digits: int = 1) -> str:
    """A difference of shares in percentage points, with its sign; a dash where there is none."""
    if value is None:
        return "–"
    shown = f"{100 * value:+.{digits}f}"
    return shown.replace("-", "−") if float(shown) else shown[1:]


def span(low: float | None, high: float | None) -> str:
    """An interval of shares as percentages; a dash where there is none."""
    return "–" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f} %"


def sentence(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def words(name: str) -> str:
    """An identifier as a person reads it."""
    return name.replace("_", " ").replace("/", " / ")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(share=share, span=span, words=words, sentence=sentence)
    return environment


def part(name: str) -> str:
    """The text of a file in `templates/`, as it goes into a page."""
    return files(__package__).joinpath("templates", name).read_text("utf-8").strip()


def _allowed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _cell(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
