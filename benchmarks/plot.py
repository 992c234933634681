"""Line plots with logarithmic axes, as SVG text for the documentation. Pure, no dependency."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT = 380, 300
"""Of the area of one panel that has lines in it, in pixels."""

_LEFT, _TOP, _BOTTOM, _GAP, _LEGEND = 60, 40, 50, 70, 150

_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#8c564b",
    "#7f7f7f",
    "#9467bd",
    "#17becf",
    "#bcbd22",
    "#000000",
)


class Line(NamedTuple):
    """Points joined by a line."""

    label: str
    points: Sequence[tuple[float, float]]
    """Both coordinates above zero."""
    is_limit: bool = False
    """Drawn dashed and black: something to stay under."""


class Panel(NamedTuple):
    """One system of axes."""

    title: str
    lines: Sequence[Line]


class _Axis(NamedTuple):
    """Decades from `low` to `high` (exponents of ten) over `length` pixels."""

    low: int
    high: int
    length: int

    def place(self, value: float) -> float:
        return (math.log10(value) - self.low) / (self.high - self.low) * self.length


def log_log(panels: Sequence[Panel], x_label: str, y_label: str) -> str:
    """Return an SVG with the panels side by side, on common axes, and one legend.

    Lines of the same label have the same colour in each panel. Raises `ValueError` when there is
    no point, or one that is not above zero.
    """
    points = [point for panel in panels for line in panel.lines for point in line.points]
    across = _axis([x for x, _ in points], _WIDTH)
    upward = _axis([y for _, y in points], _HEIGHT)
    labels = list(dict.fromkeys(line.label for panel in panels for line in panel.lines))
    colours = {label: _COLOURS[place % len(_COLOURS)] for place, label in enumerate(labels)}
    step = _WIDTH + _GAP
    width = _LEFT + step * len(panels) - _GAP + _LEGEND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{_TOP + _HEIGHT + _BOTTOM}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for place, panel in enumerate(panels):
        parts.append(f'<g transform="translate({_LEFT + step * place} {_TOP})">')
        parts += _frame(panel.title, across, upward, x_label, y_label if place == 0 else "")
        parts += (_polyline(line, across, upward, colours[line.label]) for line in panel.lines)
        parts.append("</g>")
    parts += _legend(panels, colours, _LEFT + step * len(panels) - _GAP + 15)
    return "\n".join([*parts, "</svg>", ""])


def _axis(values: Sequence[float], length: int) -> _Axis:
    if not values or min(values) <= 0:
        raise ValueError("a logarithmic axis needs points, all of them above zero")
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return _Axis(low, max(high, low + 1), length)


def _frame(title: str, across: _Axis, upward: _Axis, x_label: str, y_label: str) -> Iterator[str]:
    """Yield grid, ticks and titles of a panel; its origin is the upper left corner."""
    for power in range(across.low, across.high + 1):
        x = across.place(10.0**power)
        yield f'<path d="M{x:.1f} 0V{_HEIGHT}" stroke="#ddd"/>'
        yield _text(x, _HEIGHT + 16, _tick(power), "middle")
    for power in range(upward.low, upward.high + 1):
        y = _HEIGHT - upward.place(10.0**power)
        yield f'<path d="M0 {y:.1f}H{_WIDTH}" stroke="#ddd"/>'
        yield _text(-6, y + 4, _tick(power), "end")
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#888"/>'
    yield _text(_WIDTH / 2, -12, title, "middle", ' font-weight="bold"')
    yield _text(_WIDTH / 2, _HEIGHT + 38, x_label, "middle")
    yield _text(0, 0, y_label, "middle", f' transform="translate(-44 {_HEIGHT / 2}) rotate(-90)"')


def _tick(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"


def _polyline(line: Line, across: _Axis, upward: _Axis, colour: str) -> str:
    places = [(across.place(x), _HEIGHT - upward.place(y)) for x, y in line.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    if line.is_limit:
        return f'<polyline points="{path}" fill="none" stroke="black" stroke-dasharray="6 4"/>'
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>{dots}'


def _legend(panels: Sequence[Panel], colours: dict[str, str], left: int) -> Iterator[str]:
    limits = {line.label for panel in panels for line in panel.lines if line.is_limit}
    for place, (label, colour) in enumerate(colours.items()):
        y = _TOP + 10 + 20 * place
        style = "black" if label in limits else colour
        dashes = ' stroke-dasharray="6 4"' if label in limits else ""
        yield f'<path d="M{left} {y}h22" stroke="{style}" stroke-width="2"{dashes}/>'
        yield _text(left + 28, y + 4, label, "start")


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(text)}</text>'
