"""Which types an outline declares, as `workspace/symbol` knows them. Pure.

Rule (docs/matching.md, section 5): a node is a type when its kind is one of a type and it is nested
in types only; what lies below a method, field, initializer or enum constant is local or anonymous.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from indexer.model import TYPE_KINDS, Outline, Symbol, SymbolKind


class DeclaredType(NamedTuple):
    """A type that can be found by name."""

    ordinal: int
    """Place of its symbol in the outline, in preorder from 0."""
    name: str
    """Simple name, without type parameters."""
    qualification: str
    """What precedes the name: package and enclosing types; `.Outer` without a package."""


def declared_package(outline: Outline) -> str:
    """Return the package that the file declares, "" for none; the last of several wins."""
    names = [node.name for node in outline.symbols if node.kind is SymbolKind.Package]
    return names[-1] if names else ""


def declared_types(outline: Outline) -> Iterator[DeclaredType]:
    """Yield the types of `outline` in preorder."""
    package = declared_package(outline)
    ordinal = 0
    for node in outline.symbols:
        if node.kind in TYPE_KINDS:
            yield from _types(node, ordinal, package)
        ordinal += size(node)


def _types(node: Symbol, ordinal: int, qualification: str) -> Iterator[DeclaredType]:
    name = simple_name(node.name)
    yield DeclaredType(ordinal, name, qualification)
    ordinal += 1
    for child in node.children:
        if child.kind in TYPE_KINDS:
            yield from _types(child, ordinal, f"{qualification}.{name}")
        ordinal += size(child)


def size(node: Symbol) -> int:
    """Number of symbols in the tree below and with `node`."""
    return 1 + sum(map(size, node.children))


def simple_name(label: str) -> str:
    """`Box` for the label `Box<T>`."""
    return label.partition("<")[0].rstrip()


def enclosing_types(qualification: str, package: str) -> str:
    """`Outer.Inner` for the qualification of a type nested in them, "" for a top-level type."""
    return qualification[len(package) + 1 :]
