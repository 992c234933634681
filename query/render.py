"""Answers as text for people: one line per hit, a tree for an outline. Pure.

Columns are counted as terminals show them. Escape codes for colours are put around texts that are
printable already, so no name can bring its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from indexer.model import Symbol, SymbolKind
from query.contract import FindAnswer, Hit, OutlineAnswer, Provenance, meta_json, pruned


class Style(NamedTuple):
    """How a text is to look."""

    colours: bool = False
    folder: str = ""
    """Absolute; paths of files below it are shown relative to it. "": all paths are absolute."""


PLAIN = Style()
"""For what is no terminal: scripts rely on absolute paths."""

_STICKS_OUT = 40
"""Columns that a place may be wider than the narrowest; a wider one moves only its own line."""

_KIND = 9
"""Columns of a kind, so that answers with usual kinds (`Interface`) are all alike."""

_BOLD, _DIM, _RED, _GREEN, _YELLOW, _BLUE, _MAGENTA, _CYAN = 1, 2, 31, 32, 33, 34, 35, 36

_COLOURS = {
    SymbolKind.Class: _CYAN,
    SymbolKind.Struct: _CYAN,
    SymbolKind.Interface: _GREEN,
    SymbolKind.Enum: _YELLOW,
    SymbolKind.Method: _MAGENTA,
    SymbolKind.Constructor: _MAGENTA,
    SymbolKind.Field: _BLUE,
    SymbolKind.Property: _BLUE,
    SymbolKind.Constant: _BLUE,
    SymbolKind.EnumMember: _BLUE,
}
"""Those eight colours that every terminal has, and its user may have changed to be readable."""


def printable(text: str) -> str:
    """`text` with what is not printable escaped: file names and identifiers may hold escape codes.

    Java ignores control characters in identifiers (`Character.isIdentifierIgnorable`) but keeps
    them; a terminal would obey them, and show what stands behind a change of direction elsewhere.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def width(text: str) -> int:
    """Return the columns that a terminal takes for a printable text.

    East Asian wide characters take two (Unicode Standard Annex #11), combining marks none.
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(char) in ("Mn", "Me") else 2 if east_asian_width(char) in "WF" else 1
        for char in text
    )


def find_text(answer: FindAnswer, style: Style = PLAIN) -> str:
    """`path:line  kind  qualified name`, aligned, and a last line when some are not shown."""
    rows = [(printable(_place(hit, style)), hit) for hit in answer.hits]
    place_width = _column([width(place) for place, _ in rows])
    kind_width = max(_KIND, *(len(hit.kind.name) for hit in answer.hits))
    lines = [
        f"{place}{' ' * (place_width - width(place))}  "
        f"{_kind(hit.kind, style)}{' ' * (kind_width - len(hit.kind.name))}  "
        f"{_qualified(hit, style)}"
        for place, hit in rows
    ]
    if len(rows) < answer.total:
        lines.append(_more(f"{answer.total - len(rows)} more of {answer.total}", style))
    return "\n".join(lines) + "\n"


def outline_text(answer: OutlineAnswer, style: Style = PLAIN) -> str:
    """The symbols as a tree, each behind its lines."""
    symbols, truncated = pruned(answer.outline.symbols, answer.limit)
    rows = [(_lines(symbol), depth, symbol) for depth, symbol in _tree(symbols, 0)]
    lines_width = max((len(lines) for lines, *_ in rows), default=0)
    lines = [_paint(printable(_shown(answer.file, style)), _BOLD, style)]
    lines += [
        f"  {_paint(lines, _DIM, style)}{' ' * (lines_width - len(lines))}  {'  ' * depth}"
        f"{_kind(symbol.kind, style)} {_paint(printable(symbol.name), _BOLD, style)}"
        f"{printable(symbol.detail)}"
        for lines, depth, symbol in rows
    ]
    if truncated:
        lines.append(_more(f"more of {answer.outline.node_count} symbols", style))
    return "\n".join(lines) + "\n"


def stale_text(answer: OutlineAnswer) -> str:
    """The warning that goes with stale symbols."""
    return (
        "this is the last outline that the index has, its lines may be wrong "
        f"(stale: {answer.provenance.state.value}); {answer.message}"
    )


def explain_text(provenance: Provenance) -> str:
    """The metadata in one line, by the keys of its JSON."""
    meta = meta_json(provenance)
    if provenance.left_out:
        counts = (f"{count} {standing.value}" for standing, count in provenance.left_out)
        meta["leftOut"] = " + ".join(counts)
    return ", ".join(f"{key}: {value}" for key, value in meta.items())


def qualified_name(hit: Hit) -> str:
    """`shop.Order`, `shop.Order.send(String)`, printable."""
    return _qualified(hit, PLAIN)


def _place(hit: Hit, style: Style) -> str:
    if hit.library:
        return f"{hit.library} (not here: {hit.missing})" if hit.missing else hit.library
    return f"{_shown(hit.file, style)}:{hit.selection_range.lines[0]}"


def _shown(file: str, style: Style) -> str:
    below = style.folder.rstrip("/") + "/"
    return file[len(below) :] if style.folder and file.startswith(below) else file


def _column(widths: list[int]) -> int:
    return min(max(widths), min(widths) + _STICKS_OUT)


def _qualified(hit: Hit, style: Style) -> str:
    name = _paint(printable(hit.signature or hit.name), _BOLD, style)
    return f"{printable(hit.container)}.{name}" if hit.container else name


def _kind(kind: SymbolKind, style: Style) -> str:
    return _paint(kind.name, _COLOURS.get(kind, _DIM), style)


def _more(what: str, style: Style) -> str:
    return _paint(f"... {what} (--limit 0 shows all)", _DIM, style)


def _paint(text: str, code: int, style: Style) -> str:
    """`text` in a colour or weight (ECMA-48, "SGR")."""
    return f"\x1b[{code}m{text}\x1b[0m" if style.colours else text


def _tree(symbols: tuple[Symbol, ...], depth: int) -> Iterator[tuple[int, Symbol]]:
    for symbol in symbols:
        yield depth, symbol
        yield from _tree(symbol.children, depth + 1)


def _lines(symbol: Symbol) -> str:
    start, end = symbol.range.lines
    return f"L{start}-{end}"
