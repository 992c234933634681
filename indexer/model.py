"""The data that every room shares: positions, symbols, outlines. Knows nothing of LSP or SQL."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class SymbolKind(IntEnum):
    """Kind of a symbol; names and numbers are those of LSP 3.17, `SymbolKind`."""

    File = 1
    Module = 2
    Namespace = 3
    Package = 4
    Class = 5
    Method = 6
    Property = 7
    Field = 8
    Constructor = 9
    Enum = 10
    Interface = 11
    Function = 12
    Variable = 13
    Constant = 14
    String = 15
    Number = 16
    Boolean = 17
    Array = 18
    Object = 19
    Key = 20
    Null = 21
    EnumMember = 22
    Struct = 23
    Event = 24
    Operator = 25
    TypeParameter = 26


TYPE_KINDS = frozenset({SymbolKind.Class, SymbolKind.Enum, SymbolKind.Interface, SymbolKind.Struct})
"""Kinds of a node that declares a type (a record is a Class or a Struct, by server version)."""

MEMBER_KINDS = frozenset(
    {
        *(SymbolKind.Method, SymbolKind.Constructor),
        *(SymbolKind.Field, SymbolKind.Property),
        *(SymbolKind.Constant, SymbolKind.EnumMember),
    }
)
"""Kinds of a node that declares a member of the type around it."""


class Position(NamedTuple):
    """A place between two characters: zero-based line, zero-based column in UTF-16 units.

    A named tuple, like `Range`: six of them are made for every symbol of a workspace, and a frozen
    dataclass takes three times as long to make.
    """

    line: int
    column: int


class Range(NamedTuple):
    """Half-open: `end` is the first position that is no longer part of it (LSP 3.17, `Range`)."""

    start: Position
    end: Position

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line, 1-based and inclusive.

        A range that ends at column 0 of a later line ends on the line before (design, section 2).
        """
        last = self.end.line
        if self.end.column == 0 and last > self.start.line:
            last -= 1
        return self.start.line + 1, last + 1

    def encloses(self, other: Range) -> bool:
        """True when `other` lies wholly inside this range."""
        return self.start <= other.start and other.end <= self.end


class Symbol(NamedTuple):
    """One node of an outline, as the language server gave it (LSP 3.17, `DocumentSymbol`)."""

    name: str
    """The server's label: `size()`, `Box<T>`, `new Runnable() {...}`."""
    kind: SymbolKind
    range: Range
    selection_range: Range
    detail: str = ""
    deprecated: bool = False
    children: tuple[Symbol, ...] = ()


class Outline(NamedTuple):
    """All symbols of one Java file, in the server's order."""

    symbols: tuple[Symbol, ...] = ()
    dropped: int = 0
    """Symbols of the answer that had no name or no place and were left out."""

    def __bool__(self) -> bool:
        return bool(self.symbols)

    @property
    def node_count(self) -> int:
        """Number of symbols at every depth."""
        count, pending = 0, list(self.symbols)
        while pending:
            node = pending.pop()
            count += 1
            pending.extend(node.children)
        return count
