"""From the wire to `indexer.model`: the only place that reads a documentSymbol answer.

Written by hand over the decoded JSON: lsprotocol's converter would make a second set of objects
first (`docs/benchmarks.md`), and a symbol without a name or place must cost itself only. Any other
breach of LSP's rules costs the whole answer: a part of an outline would pass for all of it.
"""

from __future__ import annotations

import reprlib
from typing import Any

from indexer.errors import ServerError
from indexer.model import Outline, Position, Range, Symbol, SymbolKind

_KINDS = {int(kind): kind for kind in SymbolKind}
_DEPRECATED_TAG = 1  # LSP 3.17, SymbolTag.Deprecated
_MAX_DEPTH = 200
_MAX_UINT = 2**31 - 1  # LSP 3.17, `uinteger`
_NOWHERE = Range(Position(0, 0), Position(0, 0))


class UnusableAnswer(ServerError):
    """The answer is no hierarchy of document symbols (LSP 3.17, `textDocument/documentSymbol`)."""


def outline_from(answer: Any) -> Outline:
    """Return the outline in a documentSymbol answer.

    A symbol without a name or without a place is dropped and counted; a name outside its own
    declaration is moved to the declaration's start. Raises `UnusableAnswer` for anything that is
    not a list of nested document symbols, such as the flat `SymbolInformation[]` of a server that
    ignored our capabilities, or one with a number or text of another type.
    """
    if answer is None:
        return Outline()
    if not isinstance(answer, list):
        raise UnusableAnswer(f"documentSymbol answered {reprlib.repr(answer)}, not a list")
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
        detail, children = _text(node.get("detail")), node.get("children") or []
        tagged = _DEPRECATED_TAG in (node.get("tags") or ())
        if not _text(name) or full == _NOWHERE or full.end < full.start:
            return None
        if type(children) is not list:
            raise TypeError("children")
    except (KeyError, TypeError, UnicodeEncodeError) as exc:
        raise UnusableAnswer(
            f"a document symbol lacks or breaks {str(exc)[:80]}: {reprlib.repr(node)}"
        ) from exc
    if not full.encloses(selection) or selection.end < selection.start:
        selection = Range(full.start, full.start)
    return Symbol(
        name=name,
        kind=kind,
        range=full,
        selection_range=selection,
        detail=detail,
        deprecated=tagged or bool(node.get("deprecated")),
        children=_symbols(children, depth + 1, dropped) if children else (),
    )


def _text(value: Any) -> str:
    """`value`, "" for None; raises for what is no text or could not be stored as UTF-8."""
    if value is None:
        return ""
    if type(value) is not str:
        raise TypeError(f"the text {reprlib.repr(value)}")
    if not value.isascii():
        value.encode()
    return value


def _range(value: Any) -> Range:
    start, end = value["start"], value["end"]
    line, column = start["line"], start["character"]
    last, until = end["line"], end["character"]
    if not 0 <= (line | column | last | until) <= _MAX_UINT:  # `|` takes nothing but integers
        raise TypeError("a position")
    return Range(Position(line, column), Position(last, until))
