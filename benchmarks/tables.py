"""Markdown tables in the form that `docs/benchmarks.md` has them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; numbers stand right, but for the first column."""
    rule = ["---", *("---:" for _ in header[1:])]
    return "\n".join(_row(cells) for cells in (header, rule, *rows))


def number(value: object) -> str:
    """Return a figure with as many digits as it can bear."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(number(cell) for cell in cells) + " |"
