"""Proof that an outline belongs to the text it is said to belong to.

jdt.ls may answer from an older state of a document (`docs/architecture.md`, "The outline engine").
Two proofs guard against it, both pure:

* the sentinel: a class of a fresh name is appended to the text that is sent. If it is the last
  top-level symbol of the answer, at the place where it was put, the answer was computed from this
  very text, and the rest of it is the outline of the text without the sentinel;
* the names: at the selection range of a symbol stands its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from indexer.model import Outline, Position, Symbol, SymbolKind

_LINE_END = re.compile(r"\r\n|\r|\n")
_STATIC_BLOCK = re.compile(r"static\s*[{/]")  # `/`: a comment may stand before the brace
_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")
_NAMELESS = frozenset({SymbolKind.Package, SymbolKind.Module})


def takes_sentinel(text: str) -> bool:
    """True when an appended class cannot change how the text before it is read.

    The text must end after a `}` or `;`: behind a half-written declaration, an annotation or an
    open comment the parser might join the sentinel to what precedes it. And it must have no static
    initialiser: behind an open brace, a type that such a block ends is closed at the end of the
    file, or before the sentinel when that follows.
    """
    return text.rstrip()[-1:] in (";", "}") and not _STATIC_BLOCK.search(text)


def with_sentinel(text: str, name: str) -> str:
    """Return `text` with an empty class called `name` on a line of its own at the end."""
    return f"{text}\nclass {name} {{}}\n"


def cut_sentinel(outline: Outline, text: str, name: str) -> Outline | None:
    """Return the outline of `text`, or None when the sentinel does not prove it."""
    if not outline.symbols:
        return None
    last = outline.symbols[-1]
    start = Position(len(_lines(text + "\n")) - 1, 0)
    if last.name != name or last.range.start != start or last.children:
        return None
    return Outline(outline.symbols[:-1], outline.dropped)


def misplaced_symbol(outline: Outline, text: str) -> Symbol | None:
    """Return the first symbol whose name does not stand at its selection range, if any.

    Labels count without their parameters. Not checked: packages and modules, anonymous bodies
    (their label is made up), and implicit classes, whose selection range is all of the file.
    """
    lines = _lines(text)
    for symbol in _walk(outline.symbols):
        name = _written_name(symbol)
        if name is not None and _text_at(symbol, lines) not in (name, None):
            return symbol
    return None


def _lines(text: str) -> list[str]:
    """Lines as LSP counts them: after LF, CR or CRLF (LSP 3.17, "Text Documents")."""
    return _LINE_END.split(text) if "\r" in text else text.split("\n")


def _walk(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from _walk(symbol.children)


def _written_name(symbol: Symbol) -> str | None:
    if symbol.kind in _NAMELESS or symbol.name.startswith(("new ", "{")) or "{...}" in symbol.name:
        return None
    if symbol.kind is SymbolKind.Class and symbol.selection_range == symbol.range:
        return None
    return symbol.name.partition("(")[0].partition("<")[0].rstrip()


def _text_at(symbol: Symbol, lines: list[str]) -> str | None:
    start, end = symbol.selection_range
    if start.line != end.line:
        return None
    line = lines[start.line] if start.line < len(lines) else ""
    if line.isascii():
        cut = line[start.column : end.column]
    else:
        units = line.encode("utf-16-le", "surrogatepass")
        cut = units[2 * start.column : 2 * end.column].decode("utf-16-le", "replace")
    return _unescaped(cut) if "\\" in cut else cut


def _unescaped(text: str) -> str:
    """Unicode escapes replaced; two that are halves of a pair make one character (JLS 3.3)."""
    halves = _ESCAPE.sub(lambda match: chr(int(match.group(1), 16)), text)
    return halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
