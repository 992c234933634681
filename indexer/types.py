"""Which types and members an outline declares, as they can be found by name. Pure.

Rule (docs/matching.md, sections 5 and 8): a node is a type when its kind is one of a type and it is
nested in types only, and a member when its kind is one of a member and a type holds it; what lies
below a method, field, initializer or enum constant is local or anonymous.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from indexer.javachars import capitals
from indexer.model import MEMBER_KINDS, TYPE_KINDS, Outline, Symbol, SymbolKind


class Declared(NamedTuple):
    """A type or a member that can be found by name."""

    ordinal: int
    """Place of its symbol in the outline, in preorder from 0."""
    name: str
    """Simple name, without type parameters or parameters."""
    qualification: str
    """What precedes the name: package and enclosing types; `.Outer` without a package."""
    kind: SymbolKind
    nested: bool = False
    """True for a type in a type, and for its members."""

    @property
    def is_type(self) -> bool:
        """False for a member."""
        return self.kind in TYPE_KINDS


def declared_package(outline: Outline) -> str:
    """Return the package that the file declares, "" for none; the last of several wins."""
    names = [node.name for node in outline.symbols if node.kind is SymbolKind.Package]
    return names[-1] if names else ""


def declarations(outline: Outline) -> Iterator[Declared]:
    """Yield the types of `outline` and their members in preorder."""
    package = declared_package(outline)
    ordinal = 0
    for node in outline.symbols:
        if node.kind in TYPE_KINDS:
            yield from _type(node, ordinal, package, nested=False)
        ordinal += size(node)


def _type(node: Symbol, ordinal: int, qualification: str, *, nested: bool) -> Iterator[Declared]:
    name = simple_name(node.name)
    yield Declared(ordinal, name, qualification, node.kind, nested)
    ordinal += 1
    inside = f"{qualification}.{name}"
    for child in node.children:
        if child.kind in TYPE_KINDS:
            yield from _type(child, ordinal, inside, nested=True)
        elif child.kind in MEMBER_KINDS:
            yield Declared(ordinal, member_name(child.name), inside, child.kind, nested)
        ordinal += size(child)


def size(node: Symbol) -> int:
    """Number of symbols in the tree below and with `node`."""
    return 1 + sum(map(size, node.children))


def simple_name(label: str) -> str:
    """`Box` for the label `Box<T>`."""
    return label.partition("<")[0].rstrip()


def member_name(label: str) -> str:
    """`send` for the label `send(List<String>)`, with or without type parameters behind it."""
    return label.partition("(")[0].rstrip()


LENGTHS = 1 << 16
"""Weights are multiples of this plus the length of a qualified name."""


def weight(found: Declared) -> int:
    """Number that is smaller the earlier `found` comes among equally near names.

    Fewer capitals in the name, then not nested, then the shorter qualified name (query/rank.py).
    """
    length = len(f"{found.qualification}.{found.name}".lstrip("."))
    humps = len(capitals(found.name))
    return (humps * 2 + found.nested) * LENGTHS + min(length, LENGTHS - 1)


def enclosing_types(qualification: str, package: str) -> str:
    """`Outer.Inner` for the qualification of a type nested in them, "" for a top-level type."""
    return qualification[len(package) + 1 :]
