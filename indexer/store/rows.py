"""Outlines as table rows and back, for reader and writer alike; columns as in `schema.sql`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from indexer.model import Outline, Position, Range, Symbol, SymbolKind

SYMBOL_COLUMNS = (
    "ordinal, parent, kind, name, detail, deprecated, start_line, start_column, end_line, "
    "end_column, name_start_line, name_start_column, name_end_line, name_end_column"
)

LOST_SYMBOLS = "o.symbols <> (SELECT count(*) FROM symbol s WHERE s.outline_id = o.id)"
"""True of an outline `o` that has not all the symbols that were stored."""

_KINDS = {int(kind): kind for kind in SymbolKind}


def symbol_rows(outline: Outline) -> list[tuple[Any, ...]]:
    """Return one row per symbol, in preorder, with the columns of `SYMBOL_COLUMNS`."""
    rows: list[tuple[Any, ...]] = []
    _add_rows(outline.symbols, None, rows)
    return rows


def _add_rows(symbols: Iterable[Symbol], parent: int | None, rows: list[tuple[Any, ...]]) -> None:
    for node in symbols:
        ordinal = len(rows)
        (start, end), (name_start, name_end) = node.range, node.selection_range
        rows.append(
            (
                ordinal,
                parent,
                int(node.kind),
                node.name,
                node.detail,
                int(node.deprecated),
                *start,
                *end,
                *name_start,
                *name_end,
            )
        )
        _add_rows(node.children, ordinal, rows)


def outline_from_rows(rows: Sequence[Sequence[Any]], dropped: int = 0) -> Outline:
    """Return the outline that `symbol_rows` made these rows of."""
    children: dict[int | None, list[Symbol]] = {}
    for row in reversed(rows):  # children stand after their parent, so they are ready before it
        (start_line, start_column, end_line, end_column) = row[6:10]
        (name_line, name_column, name_end_line, name_end_column) = row[10:14]
        symbol = Symbol(
            name=row[3],
            kind=_KINDS[row[2]],
            range=Range(Position(start_line, start_column), Position(end_line, end_column)),
            selection_range=Range(
                Position(name_line, name_column), Position(name_end_line, name_end_column)
            ),
            detail=row[4],
            deprecated=bool(row[5]),
            children=tuple(reversed(children.pop(row[0], ()))),
        )
        children.setdefault(row[1], []).append(symbol)
    return Outline(tuple(reversed(children.get(None, ()))), dropped)


def counts(connection: sqlite3.Connection, workspace_id: int) -> tuple[int, int]:
    """Return how many symbols and types the files of a workspace folder hold."""
    symbols, types = (
        connection.execute(
            f"SELECT {number} FROM file f JOIN {table} ON {key} = f.outline_id "
            "WHERE f.workspace_id = ?",
            (workspace_id,),
        ).fetchone()[0]
        for number, table, key in (
            ("coalesce(sum(symbols), 0)", "outline", "outline.id"),
            ("count(*)", "type", "type.outline_id"),
        )
    )
    return symbols, types
