"""Search in the store against the plain rules: every name matched, ranked, and only then cut."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from indexer.files import FileStat, Root
from indexer.hints import QualHint
from indexer.layout import Placement
from indexer.model import MEMBER_KINDS, Outline, Position, Range, Symbol, SymbolKind
from indexer.recipe import Recipe, content_key
from indexer.store.fragments import fragments_of, pieces_of
from indexer.store.plans import MEMBERS, TYPES, Table
from indexer.store.reader import Reader, open_reader
from indexer.store.search import Match, Wanted
from indexer.store.writer import NewOutline, StoredFile, open_writer
from query.finding import container
from query.match import compile_method_query, compile_query
from query.members import compile_member_query
from query.rank import nearness, rank_key

K = SymbolKind
NOWHERE = Range(Position(0, 0), Position(0, 1))

NAMES = [
    *("Map", "HashMap", "LinkedHashMap", "HashMapEntry", "Hash", "hashMap", "HASH_MAP", "Map2"),
    *("M", "A", "AB", "ABC", "Aa", "aA", "a", "_P", "$G", "O$I", "NullPointerException", "NPE"),
    *("NPEHandler", "Order", "OrderService", "OrderServiceImpl", "Orders", "order", "ORDER"),
    *("Service", "ServiceImpl", "Impl", "XMLHttpRequest", "XHR", "Foo_Bar", "fooBar", "FOO_BAR"),
    *("Gen$$Proxy1", "Base64E", "A1B2", "Éclair", "éclair", "ÉclairMap", "İstanbul", "Straße"),
    *("ǅungla", "𝐀b", "A𝐀B", "Tie‿Bar"),
]
PACKAGES = ("", "shop", "shop.orders", "acme.net", "acme.nets", "été", "A.B", "x𝐀y")


def symbol(kind: SymbolKind, name: str, *children: Symbol) -> Symbol:
    return Symbol(name, kind, NOWHERE, NOWHERE, children=children)


def outlines() -> Iterator[tuple[str, Outline]]:
    """A file for every package: its types nested three deep, members of all kinds in them."""
    for number, package in enumerate(PACKAGES):
        mine = NAMES[number % 3 :: 3]
        types = []
        for place, name in enumerate(mine):
            other = mine[place - 1]
            members = (
                symbol(K.Method, f"{name[0].lower()}{name[1:]}(int)"),
                symbol(K.Method, f"get{name}()"),
                symbol(K.Constructor, f"{name}()"),
                symbol(K.Field, name.lower()),
                symbol(K.Constant, name.upper()),
            )
            inner = symbol(K.Interface, f"{other}<T>", symbol(K.Enum, "Kind", *members[:2]))
            types.append(symbol(K.Class, name, *members, inner))
        head = (symbol(K.Package, package),) if package else ()
        yield f"src/{number}/F{number}.java", Outline((*head, *types))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    path = str(tmp_path_factory.mktemp("search") / "index.db")
    writer = open_writer(path)
    recipe = writer.recipe(Recipe("1", "1"))
    for root, placed in (("/one", Placement(None, False)), ("/two", Placement("of.folder", True))):
        workspace = writer.start_run(Root(root, root[1:]), recipe)
        files = []
        for name, outline in outlines():
            new = NewOutline(content_key(f"{root}{name}".encode()), "", outline)
            (ref,) = writer.save_outlines(recipe, [new])
            files.append(StoredFile(name, FileStat(1, 2, 3, 4), ref))
        writer.save_files(workspace, recipe, files)
        every = [(row[0], placed) for row in writer.declared_packages(workspace)]
        writer.save_placements(workspace, every)
        writer.finish_run(workspace, "2026-01-01T00:00:00Z")
    writer.close()
    opened = open_reader(path)
    yield opened
    opened.close()


@cache
def all_of(reader: Reader, table: Table) -> list[Match]:
    query = compile_query("*") if table is TYPES else compile_member_query("*")
    assert query is not None
    found = reader.find(table, Wanted(query.criteria, nearness(query), [1, 2]))
    assert found.total == len(found.matches) > 300
    return found.matches


def key(query: object, match: Match) -> tuple[object, ...]:
    qualified = f"{container(match)}.{match.name}".lstrip(".")
    around = match.qualification[len(match.package) + 1 :]
    ranked = rank_key(
        query,  # type: ignore[arg-type]
        match.name,
        match.qualification,
        False,
        qualified,
        match.path,
        nested="." in around if match.kind in MEMBER_KINDS else around != "",
    )
    return (*ranked, match.workspace_id, match.ordinal)


pieces = st.sampled_from(
    [*NAMES, *PACKAGES, *(name.lower() for name in NAMES), "*", "?", ".", "**", "S", "HM", "OSI"]
)
queries = st.lists(
    st.builds(lambda text, end: text[:end], pieces, st.integers(1, 12)), min_size=1, max_size=4
).map("".join)
FEW = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@given(queries, st.booleans(), st.sampled_from([1, 3, 20, 0]))
@FEW
@example("*Map", False, 3)
@example("*a**", True, 3)
@example("shop.orders.Order", False, 1)
@example("*.Order", False, 3)
@example("a.*", False, 3)
@example("*", False, 1)
@example("HaMa", False, 20)
@example("𝐀", False, 1)
@example("İ", False, 1)
@example("*ap\0x", True, 0)
@example("*Map\0*", False, 3)
@example("shop\0*", False, 0)
def test_types_are_those_of_the_rules(reader: Reader, text: str, strict: bool, most: int) -> None:
    query = compile_query(text, strict=strict)
    if query is None:
        return
    expected = [
        match for match in all_of(reader, TYPES) if query.matches(match.name, match.qualification)
    ]
    found = reader.find(TYPES, Wanted(query.criteria, nearness(query), [1, 2], most=most))
    assert found.total == len(expected)
    check_first(query, found.matches, expected, most)


@given(queries, st.booleans(), st.sampled_from([1, 20, 0]))
@FEW
def test_methods_are_those_of_the_rules(reader: Reader, text: str, strict: bool, most: int) -> None:
    query = compile_method_query(text, strict=strict)
    if query is None:
        return
    kinds = frozenset({K.Method})
    expected = [
        match
        for match in all_of(reader, MEMBERS)
        if match.kind is K.Method and query.matches(match.name)
    ]
    wanted = Wanted(query.criteria, nearness(query), [1, 2], kinds, most=most)
    found = reader.find(MEMBERS, wanted)
    assert found.total == len(expected)
    check_first(query, found.matches, expected, most)


def check_first(query: object, found: list[Match], expected: list[Match], most: int) -> None:
    """What was found holds what comes first of all that should be."""
    wanted = sorted(expected, key=lambda match: key(query, match))
    first = sorted(found, key=lambda match: key(query, match))
    assert first[: most or None] == wanted[: most or None]
    assert set(found) <= set(expected)


def names_of(reader: Reader, text: str, **limits: object) -> set[str]:
    query = compile_member_query(text)
    assert query is not None
    wanted = Wanted(query.criteria, nearness(query), [1])
    kinds = MEMBER_KINDS
    found = reader.find(MEMBERS, wanted._replace(kinds=kinds, **limits))  # type: ignore[arg-type]
    return {f"{match.qualification}#{match.label}" for match in found.matches}


def test_members_of_an_owner(reader: Reader) -> None:
    owner = "acme.net.Order"
    every = {f"{owner}#{end}" for end in ("order(int)", "getOrder()", "Order()", "order", "ORDER")}
    assert names_of(reader, f"{owner}#*") == every
    assert names_of(reader, f"{owner}#getOrder") == {f"{owner}#getOrder()"}
    assert names_of(reader, "net.Order.getord") == {f"{owner}#getOrder()"}
    assert names_of(reader, "et.Order#getOrder") == set()
    assert names_of(reader, "ac*.order#getOrder") == {
        f"{owner}#getOrder()",
        "acme.nets.order#getorder()",
    }
    assert names_of(reader, "acme.net.Order#<init>") == {f"{owner}#Order()", f"{owner}#ORDER"} | {
        f"{owner}#order(int)",
        f"{owner}#order",
    }
    assert names_of(reader, "acme.net.Order::getOrder(int)") == {f"{owner}#getOrder()"}
    assert names_of(reader, "acme.net.Order#get(") == set()


def test_humps_of_members(reader: Reader) -> None:
    assert "shop#HASH_MAP" not in names_of(reader, "hashMap")
    assert {"acme.nets.FOO_BAR#getFOO_BAR()"} <= names_of(reader, "fooBar")
    assert all("oint" in name for name in names_of(reader, "getPointer"))
    assert names_of(reader, "ointerExc") == set()


def test_limits(reader: Reader) -> None:
    query = compile_query("*")
    assert query is not None
    wanted = Wanted(query.criteria, nearness(query), [1, 2])

    def total(**limits: object) -> int:
        return reader.find(TYPES, wanted._replace(**limits)).total  # type: ignore[arg-type]

    every = total()
    assert total(workspace_ids=[1]) == total(workspace_ids=[2]) == every // 2
    assert total(seen_by_jdtls=True) == every // 2
    assert total(kinds=frozenset({K.Enum})) == every // 3
    assert total(path="src/0/*") + total(path="src/[1-9]/*") == every
    assert total(workspace_ids=[]) == 0


def test_the_shown_length_counts_the_folder(reader: Reader) -> None:
    """Of equally near types the shorter name wins, as it is shown: the second root's are longer."""
    query = compile_query("OrderService")
    assert query is not None
    found = reader.find(TYPES, Wanted(query.criteria, nearness(query), [1, 2], most=1))
    shown = {f"{container(match)}.{match.name}" for match in found.matches}
    best = min(
        (
            f"{container(match)}.{match.name}"
            for match in all_of(reader, TYPES)
            if match.name == "OrderService"
        ),
        key=len,
    )
    assert best in shown


@given(st.text(max_size=20), st.text(min_size=1, max_size=6))
def test_fragments_are_in_all_that_hold_them(text: str, part: str) -> None:
    words = set(fragments_of(part + text + part).split(" "))
    for hint in (
        QualHint(fragments=(part,)),
        QualHint(prefix=part, suffix=part),
        QualHint(prefix=part + text + part, exact=True),
    ):
        assert {piece for pieces in pieces_of(hint) for piece in pieces} <= words
