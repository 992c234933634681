"""Which nodes of an outline are types that can be found by name."""

from __future__ import annotations

import pytest

from indexer.model import Outline, Position, Range, Symbol, SymbolKind
from indexer.types import (
    Declared,
    declarations,
    declared_package,
    enclosing_types,
    simple_name,
    size,
)

NOWHERE = Range(Position(0, 0), Position(0, 0))

K = SymbolKind


def node(kind: SymbolKind, name: str, *children: Symbol) -> Symbol:
    return Symbol(name, kind, NOWHERE, NOWHERE, children=children)


def types(*symbols: Symbol) -> list[tuple[int, str, str]]:
    return [found[:3] for found in declarations(Outline(symbols)) if found.is_type]


def members(*symbols: Symbol) -> list[Declared]:
    return [found for found in declarations(Outline(symbols)) if not found.is_type]


def names(*symbols: Symbol) -> list[str]:
    return [name for _, name, _ in types(*symbols)]


def test_types_nested_in_types() -> None:
    assert types(
        node(K.Package, "a.b"),
        node(
            K.Class,
            "Outer",
            node(K.Field, "x"),
            node(K.Interface, "Inner", node(K.Enum, "Deep", node(K.EnumMember, "ONE"))),
            node(K.Method, "m()"),
            node(K.Struct, "Rec"),
        ),
        node(K.Interface, "Second"),
    ) == [
        (1, "Outer", "a.b"),
        (3, "Inner", "a.b.Outer"),
        (4, "Deep", "a.b.Outer.Inner"),
        (7, "Rec", "a.b.Outer"),
        (8, "Second", "a.b"),
    ]


@pytest.mark.parametrize(
    "holder",
    [
        node(K.Method, "m()", node(K.Class, "Local", node(K.Class, "InLocal"))),
        node(K.Constructor, "A()", node(K.Class, "Local")),
        node(K.Field, "f", node(K.Class, "new Iterator() {...}", node(K.Class, "InAnonymous"))),
        node(K.EnumMember, "ONE", node(K.Enum, "{...}", node(K.Class, "InBody"))),
        node(K.Namespace, "{...}", node(K.Class, "InInitializer")),
        node(K.Function, "{...}", node(K.Class, "InLambda")),
    ],
)
def test_local_and_anonymous_types_are_none(holder: Symbol) -> None:
    assert types(node(K.Class, "A", holder, node(K.Class, "After"))) == [
        (0, "A", ""),
        (1 + size(holder), "After", ".A"),
    ]
    assert names(holder) == []


def test_only_types_count() -> None:
    every = [node(kind, kind.name) for kind in SymbolKind]
    assert names(*every) == ["Class", "Enum", "Interface", "Struct"]


def test_type_parameters_are_no_part_of_a_name() -> None:
    assert types(
        node(K.Class, "Map<K extends Comparable<K>, V>", node(K.Interface, "Entry<K>"))
    ) == [
        (0, "Map", ""),
        (1, "Entry", ".Map"),
    ]


def test_without_a_package_a_nested_type_is_qualified_by_a_dot() -> None:
    assert types(node(K.Class, "Outer", node(K.Class, "Inner", node(K.Class, "Deep")))) == [
        (0, "Outer", ""),
        (1, "Inner", ".Outer"),
        (2, "Deep", ".Outer.Inner"),
    ]


def test_of_several_packages_the_last_one_counts_for_all() -> None:
    outline = Outline((node(K.Package, "a"), node(K.Class, "A"), node(K.Package, "b.c")))
    assert declared_package(outline) == "b.c"
    assert list(declarations(outline)) == [(1, "A", "b.c", K.Class, False)]


def test_members_are_those_of_types() -> None:
    local = node(K.Method, "run()", node(K.Class, "Local", node(K.Field, "hidden")))
    constant = node(K.EnumMember, "ONE", node(K.Enum, "{...}", node(K.Method, "hidden()")))
    initializer = node(K.Namespace, "{...}", node(K.Field, "hidden"))
    inner = node(K.Interface, "Inner<T>", node(K.Method, "send(List<String>, int...) <T>"))
    outer = node(K.Class, "Outer", local, node(K.Constructor, "Outer()"), initializer, inner)
    assert members(node(K.Package, "a"), outer, node(K.Enum, "E", constant)) == [
        (2, "run", "a.Outer", K.Method, False),
        (5, "Outer", "a.Outer", K.Constructor, False),
        (9, "send", "a.Outer.Inner", K.Method, True),
        (11, "ONE", "a.E", K.EnumMember, False),
    ]


def test_a_package_that_is_no_top_node_is_none() -> None:
    assert declared_package(Outline((node(K.Class, "A", node(K.Package, "a")),))) == ""
    assert declared_package(Outline()) == ""
    assert names() == []


def test_ordinals_are_preorder() -> None:
    """An ordinal names the very node: checked against a plain walk."""
    tree = node(
        K.Class,
        "A",
        node(K.Method, "m()", node(K.Class, "Local", node(K.Field, "x"))),
        node(K.Class, "B", node(K.Field, "y"), node(K.Class, "C")),
        node(K.Class, "D"),
    )
    walked: list[str] = []

    def walk(symbol: Symbol) -> None:
        walked.append(symbol.name)
        for child in symbol.children:
            walk(child)

    walk(tree)
    assert size(tree) == len(walked)
    assert [walked[ordinal] for ordinal, _, _ in types(tree)] == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("label", "name"),
    [("Box<T>", "Box"), ("Box", "Box"), ("Box <T>", "Box"), ("<T>", ""), ("", "")],
)
def test_simple_name(label: str, name: str) -> None:
    assert simple_name(label) == name


@pytest.mark.parametrize(
    ("qualification", "package", "enclosing"),
    [
        ("a.b.Outer.Inner", "a.b", "Outer.Inner"),
        ("a.b", "a.b", ""),
        (".Outer", "", "Outer"),
        ("", "", ""),
    ],
)
def test_enclosing_types(qualification: str, package: str, enclosing: str) -> None:
    assert enclosing_types(qualification, package) == enclosing
