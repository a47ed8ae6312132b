"""Charts as rows of SVG: a label, a track, a figure. Places on a track are percentages of its width.

So a chart keeps the size of its text from a phone to a printed page, and each row says in words what it shows.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from markupsafe import Markup

from .render import points, share

SHAPES = 6
"""Series are told apart by colour and by shape; both come round again after so many."""
ROW, PAD = 22, 6
Tone = Literal["dot", "bar"]
Unit = Literal["share", "points", "count"]
"""How figures are printed: as a percentage, as signed percentage points, or as they are."""


class Mark(NamedTuple):
    """One figure on the chart's scale, with the ends of its interval where it has one."""

    series: int
    value: float | None
    low: float | None = None
    high: float | None = None
    told: str = ""
    """The figure in words, for those who do not see the chart."""
    expected: float | None = None
    """Drawn as a tick across the bar."""


class Row(NamedTuple):
    label: str
    marks: tuple[Mark, ...]
    line: float | None = None
    """Drawn through this row alone, where it differs from row to row."""


class Chart(NamedTuple):
    """Rows on one scale. `line` is drawn through all of them, or each row's own, as `line_name` in the legend."""

    rows: tuple[Row, ...]
    series: tuple[str, ...]
    top: float = 1.0
    """The value at the right end."""
    bottom: float = 0.0
    """The value at the left end; bars begin there."""
    line: float | None = None
    line_name: str = ""
    tone: Tone = "dot"
    unit: Unit = "share"
    tick_name: str = ""
    """What the ticks of `expected` mean."""


def draw(chart: Chart) -> Markup:
    """The HTML of a chart."""
    rows = Markup("").join(_row(chart, row) for row in chart.rows)
    return Markup('<div class="chart">{}{}{}</div>').format(_legend(chart), rows, _axis(chart))


def _row(chart: Chart, row: Row) -> Markup:
    height = ROW * max(1, len(row.marks)) + PAD
    inside = [_line(chart, row, height), *(_mark(chart, mark, at) for at, mark in enumerate(row.marks))]
    told = "; ".join(_told(chart, mark) for mark in row.marks)
    return Markup(
        '<div class="row"><div class="label">{}</div><div class="track"><svg role="img" aria-label="{}" width="100%" '
        'height="{}">{}</svg></div><div class="figures">{}</div></div>\n'
    ).format(row.label, f"{row.label}: {told}", height, Markup("").join(inside), _figures(chart, row))


def _told(chart: Chart, mark: Mark) -> str:
    figure = mark.told or _printed(chart, mark.value)
    return f"{chart.series[mark.series]} {figure}" if len(chart.series) > 1 else figure


def _figures(chart: Chart, row: Row) -> Markup:
    return Markup("").join(Markup("<span>{}</span>").format(_printed(chart, mark.value)) for mark in row.marks)


def _printed(chart: Chart, value: float | None) -> str:
    if value is None:
        return "–"
    return {"share": share(value), "points": points(value), "count": f"{value:g}"}[chart.unit]


def _line(chart: Chart, row: Row, height: int) -> Markup:
    line = chart.line if row.line is None else row.line
    if line is None:
        return Markup("")
    x = _x(chart, line)
    return Markup('<line class="chance" x1="{}" x2="{}" y1="0" y2="{}"/>').format(x, x, height)


def _mark(chart: Chart, mark: Mark, at: int) -> Markup:
    y = PAD / 2 + ROW * at + ROW / 2
    if mark.value is None:
        return Markup("")
    return _bar(chart, mark, y) if chart.tone == "bar" else _dot(chart, mark, y)


def _dot(chart: Chart, mark: Mark, y: float) -> Markup:
    interval = Markup("")
    if mark.low is not None and mark.high is not None:
        interval = Markup('<line class="whisker s{}" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(
            mark.series % SHAPES, _x(chart, mark.low), _x(chart, mark.high), f"{y:g}", f"{y:g}"
        )
    return interval + shape(mark.series, _x(chart, mark.value or 0.0), y)


def _bar(chart: Chart, mark: Mark, y: float) -> Markup:
    bar = Markup('<rect class="bar s{}" x="0" y="{}" width="{}" height="12"/>').format(
        mark.series % SHAPES, f"{y - 6:g}", _x(chart, mark.value or 0.0)
    )
    if mark.expected is None:
        return bar
    x = _x(chart, mark.expected)
    return bar + Markup('<line class="tick" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(x, x, f"{y - 9:g}", f"{y + 9:g}")


def shape(series: int, x: str, y: float) -> Markup:
    """The mark of a series, centred at x (a percentage) and y (pixels)."""
    paths = (
        '<circle r="5"/>',
        '<path d="M-5-5H5V5H-5Z"/>',
        '<path d="M0-6.5 6.5 0 0 6.5-6.5 0Z"/>',
        '<path d="M0-6 6 5H-6Z"/>',
        '<path d="M0 6-6-5H6Z"/>',
        '<path d="M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z"/>',
    )
    # Nested, since only an svg element can be placed by a percentage.
    return Markup('<svg class="mark s{}" x="{}" y="{}" overflow="visible">{}</svg>').format(
        series % SHAPES, x, f"{y:g}", Markup(paths[series % SHAPES])
    )


def key(series: int) -> Markup:
    """The mark of a series alone, to stand before its name."""
    return Markup('<svg class="key" width="14" height="14" aria-hidden="true">{}</svg>').format(shape(series, "50%", 7))


def _legend(chart: Chart) -> Markup:
    names = [key(at) + Markup("{}").format(name) for at, name in enumerate(chart.series)]
    if len(chart.series) == 1:
        names = []
    if chart.line_name:
        names.append(Markup('<svg class="key" width="14" height="14" aria-hidden="true"><line class="chance" x1="7" '
                            'x2="7" y1="0" y2="14"/></svg>') + chart.line_name)  # fmt: skip
    if chart.tick_name:
        names.append(Markup('<svg class="key" width="14" height="14" aria-hidden="true"><line class="tick" x1="7" '
                            'x2="7" y1="0" y2="14"/></svg>') + chart.tick_name)  # fmt: skip
    items = Markup("").join(Markup("<li>{}</li>").format(name) for name in names)
    return Markup('<ul class="legend">{}</ul>\n').format(items) if names else Markup("")


def _axis(chart: Chart) -> Markup:
    texts = Markup("").join(
        Markup('<text x="{}" y="14" text-anchor="{}">{}</text>').format(_x(chart, at), anchor, _tick(chart, at))
        for at, anchor in _ticks(chart)
    )
    return Markup(
        '<div class="row axis" aria-hidden="true"><div class="label"></div><div class="track"><svg width="100%" '
        'height="18">{}</svg></div><div class="figures"></div></div>\n'
    ).format(texts)


def _ticks(chart: Chart) -> Sequence[tuple[float, str]]:
    return [(chart.bottom, "start"), ((chart.bottom + chart.top) / 2, "middle"), (chart.top, "end")]


def _tick(chart: Chart, at: float) -> str:
    return {"share": f"{100 * at:g} %", "points": points(at, 0), "count": f"{at:g}"}[chart.unit]


def _x(chart: Chart, value: float) -> str:
    place = (value - chart.bottom) / (chart.top - chart.bottom)
    return f"{100 * min(1.0, max(0.0, place)):.3f}".rstrip("0").rstrip(".") + "%"
