"""From the wire to `indexer.model`: the only place that reads a documentSymbol answer.

Written by hand over the decoded JSON: lsprotocol's converter would make a second set of objects
first (`docs/benchmarks.md`), and a node that breaks LSP's rules must cost itself only.
"""

from __future__ import annotations

from typing import Any

from indexer.errors import ServerError
from indexer.model import Outline, Position, Range, Symbol, SymbolKind

_KINDS = {int(kind): kind for kind in SymbolKind}
_DEPRECATED_TAG = 1  # LSP 3.17, SymbolTag.Deprecated
_MAX_DEPTH = 200
_NOWHERE = Range(Position(0, 0), Position(0, 0))


class UnusableAnswer(ServerError):
    """The answer is no hierarchy of document symbols (LSP 3.17, `textDocument/documentSymbol`)."""


def outline_from(answer: Any) -> Outline:
    """Return the outline in a documentSymbol answer.

    A symbol without a name or without a place is dropped and counted; a name outside its own
    declaration is moved to the declaration's start. Raises `UnusableAnswer` for anything that is
    not a list of nested document symbols, such as the flat `SymbolInformation[]` of a server that
    ignored our capabilities.
    """
    if answer is None:
        return Outline()
    if not isinstance(answer, list):
        raise UnusableAnswer(f"documentSymbol answered {str(answer)[:80]!r}, not a list")
    dropped: list[Any] = []
    symbols = _symbols(answer, 1, dropped)
    return Outline(symbols, len(dropped))


def _symbols(nodes: list[Any], depth: int, dropped: list[Any]) -> tuple[Symbol, ...]:
    if depth > _MAX_DEPTH:
        raise UnusableAnswer(f"documentSymbol answered symbols nested deeper than {_MAX_DEPTH}")
    symbols = []
    for node in nodes:
        symbol = _symbol(node, depth, dropped)
        if symbol is None:
            dropped.append(node)
        else:
            symbols.append(symbol)
    return tuple(symbols)


def _symbol(node: Any, depth: int, dropped: list[Any]) -> Symbol | None:
    try:
        if "location" in node:
            raise UnusableAnswer("documentSymbol answered a flat list, without full ranges")
        name, kind = node["name"], _KINDS[node["kind"]]
        full, selection = _range(node["range"]), _range(node["selectionRange"])
    except (KeyError, TypeError) as exc:
        raise UnusableAnswer(f"a document symbol lacks or breaks {exc}: {str(node)[:200]}") from exc
    if not name or full == _NOWHERE:
        return None
    if not full.encloses(selection):
        selection = Range(full.start, full.start)
    children = node.get("children")
    return Symbol(
        name=name,
        kind=kind,
        range=full,
        selection_range=selection,
        detail=node.get("detail") or "",
        deprecated=_DEPRECATED_TAG in (node.get("tags") or ()) or bool(node.get("deprecated")),
        children=_symbols(children, depth + 1, dropped) if children else (),
    )


def _range(value: Any) -> Range:
    start, end = value["start"], value["end"]
    return Range(
        Position(start["line"], start["character"]), Position(end["line"], end["character"])
    )
