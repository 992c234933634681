"""Names for groups of symbol kinds, as callers select them. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.model import MEMBER_KINDS, TYPE_KINDS, SymbolKind

_FIELDS = frozenset(MEMBER_KINDS - {SymbolKind.Method, SymbolKind.Constructor})

KINDS: dict[str, frozenset[SymbolKind]] = {
    "type": frozenset(TYPE_KINDS),
    "class": frozenset({SymbolKind.Class, SymbolKind.Struct}),
    "interface": frozenset({SymbolKind.Interface}),
    "enum": frozenset({SymbolKind.Enum}),
    "member": frozenset(MEMBER_KINDS),
    "method": frozenset({SymbolKind.Method}),
    "constructor": frozenset({SymbolKind.Constructor}),
    "field": _FIELDS,
    "constant": frozenset({SymbolKind.Constant, SymbolKind.EnumMember}),
}
"""What can be asked for. A class may be a record, an interface an annotation type, as jdt.ls has
them; a field may be a constant, a constant may be one of an enum."""


def kinds_of(names: Iterable[str]) -> frozenset[SymbolKind] | None:
    """Return the kinds that `names` select, in the singular or plural, in any case; None for none.

    Raises `ValueError` with the first name that selects none.
    """
    found: set[SymbolKind] = set()
    names = list(names)
    for name in names:
        group = KINDS.get(name.lower()) or KINDS.get(_singular(name.lower()))
        if group is None:
            raise ValueError(name)
        found |= group
    return frozenset(found) if names else None


def _singular(name: str) -> str:
    return "class" if name == "classes" else name.removesuffix("s")
