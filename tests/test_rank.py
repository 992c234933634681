"""The order of matches: closeness of the name, workspace, length, and nothing left to chance."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.javachars import fold
from query.match import TypeQuery, compile_method_query, compile_query
from query.members import MemberQuery, compile_member_query
from query.rank import Closeness, RankKey, closeness, nearness, rank_key


def query(text: str) -> TypeQuery:
    compiled = compile_query(text)
    assert compiled is not None
    return compiled


def key(text: str, qualified_name: str, library: bool = False, path: str = "A.java") -> RankKey:
    qualification, _, name = qualified_name.rpartition(".")
    return rank_key(query(text), name, qualification, library, qualified_name, path)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Map", "Map", Closeness.EXACT),
        ("java.util.Map", "Map", Closeness.EXACT),
        ("*Map*", "Map", Closeness.EXACT),
        ("map", "Map", Closeness.EXACT_IGNORING_CASE),
        ("Map", "MapEntry", Closeness.PREFIX),
        ("hashm*", "HashMap", Closeness.PREFIX),
        ("NPE", "NullPointerException", Closeness.HUMPS),
        ("pkg.NuPoEx", "NullPointerException", Closeness.HUMPS),
        ("NuPoEx", "NullPointerException", Closeness.HUMPS),
        ("NuEx", "NullPointerException", Closeness.HUMPS),  # a hump may be skipped here
        ("nuPo", "NullPointerException", Closeness.HUMPS),
        ("fooBar", "FOO_BAR", Closeness.HUMPS),
        ("fooBar", "foo_bar", Closeness.HUMPS),
        ("iReq", "IoHTTPReq", Closeness.HUMPS),
        ("xTtp", "XHTTPServer", Closeness.REST),  # within a run of capitals
        ("aBc", "AxbcBcd", Closeness.HUMPS),
        ("HashMap", "LinkedHashMap", Closeness.REST),
        ("hashMap", "HashTreemap", Closeness.REST),
        ("*", "Map", Closeness.REST),
        ("Hash*Map", "HashMap", Closeness.REST),
        ("java.util", "Map", Closeness.REST),
        ("a.b.", "Map", Closeness.REST),
        ("É", "Éa", Closeness.PREFIX),
    ],
)
def test_closeness(text: str, name: str, expected: Closeness) -> None:
    assert closeness(query(text), name) is expected


def test_whole_order() -> None:
    expected = [
        ("z.y.x.HashMap", False, "A.java"),
        ("java.util.HashMap", True, "A.java"),
        ("z.HASHMAP", False, "A.java"),
        ("z.HashMap2", False, "A.java"),
        ("y.HashMapper", False, "A.java"),
        ("z.HashMapper", False, "A.java"),
        ("z.HashMapper", False, "B.java"),
        ("a.HashMap3", True, "A.java"),
        ("a.HashTreeMap", False, "A.java"),
        ("a.LinkedHashMap", False, "A.java"),
    ]
    assert sorted(expected, key=lambda hit: key("HashMap", *hit)) == expected


def test_a_dotted_query_puts_its_own_type_first() -> None:
    hits = ["x.Entry", "java.util.Map.Entry", "java.util.HashMap.Entry", "b.Map.Entryset"]
    assert min(hits, key=lambda hit: key("Map.Entry", hit)) == "java.util.Map.Entry"
    assert min(hits, key=lambda hit: key("map.entry", hit)) == "java.util.Map.Entry"
    # The library's own Map.Entry is meant, even though the workspace has some other Entry.
    assert key("Map.Entry", "java.util.Map.Entry", library=True) < key("Map.Entry", "x.Entry")


def test_the_declared_package_decides_what_a_dotted_query_means() -> None:
    compiled = query("right.place.Foo")
    here = rank_key(compiled, "Foo", "right.place", False, "wrong.longer.place.Foo", "A.java")
    there = rank_key(compiled, "Foo", "up.right.place2", False, "right.place2.Foo", "A.java")
    assert here < there


def test_methods_are_ranked_by_the_same_rule() -> None:
    compiled = compile_method_query("getN")
    assert compiled is not None
    assert closeness(compiled, "getName") is Closeness.PREFIX
    assert closeness(compiled, "getFirstName") is Closeness.HUMPS
    assert closeness(compiled, "forgetNot") is Closeness.REST


NAMES = st.text(st.sampled_from("aAbB_1É"), min_size=1, max_size=5)
HITS = st.tuples(st.lists(NAMES, min_size=1, max_size=3).map(".".join), st.booleans(), NAMES)


@given(NAMES, st.lists(HITS, unique_by=lambda hit: (hit[0], hit[2])), st.randoms())
def test_order_does_not_depend_on_arrival(
    text: str, hits: list[tuple[str, bool, str]], random: Random
) -> None:
    def ordered() -> list[tuple[str, bool, str]]:
        return sorted(hits, key=lambda hit: key(text, *hit))

    first = ordered()
    assert len({key(text, *hit) for hit in hits}) == len(hits)
    random.shuffle(hits)
    assert ordered() == first


# --- a test per rule (docs/matching.md 14) -------------------------------------------------------


def order(text: str, *hits: str, nested: tuple[str, ...] = ()) -> list[str]:
    """`hits`, qualified names, as `text` orders them."""

    def each(hit: str) -> RankKey:
        qualification, _, name = hit.rpartition(".")
        return rank_key(
            query(text), name, qualification, False, hit, "A.java", nested=hit in nested
        )

    arrived = hits[::-1]
    return sorted(arrived, key=each)


@pytest.mark.parametrize(
    ("text", "ordered"),
    [
        # two capitals or more: a prefix in the same case only, then humps, then the rest
        ("AC", ["a.AC", "a.Ac", "a.ACE", "a.AbstractController", "a.Acl"]),
        ("NPE", ["a.NPEHandler", "a.NullPointerException", "a.Npec"]),
        ("NPE", ["a.NPE", "a.npe", "a.NPEs", "a.NullPointerException", "a.NpeThing"]),
        ("HM", ["a.HMac", "a.HashMap", "a.HashMultiMap", "a.Hmm"]),
        # one capital, or small letters too: a prefix in any case
        ("A", ["a.A", "a.a", "a.aa", "a.Acl"]),
        ("Ac", ["a.Acl", "a.ACE", "a.AbstractCar"]),
        ("ac", ["a.acl", "a.Acl", "a.ACE"]),
        ("*AC", ["a.ACE", "a.AbstractController", "a.Acl"]),
    ],
)
def test_capitals(text: str, ordered: list[str]) -> None:
    assert order(text, *ordered) == ordered


@pytest.mark.parametrize(
    ("text", "ordered"),
    [
        ("Order", ["much.longer.place.Orders", "a.OrderItem", "a.OrderItemKey"]),
        ("Order", ["a.Orderer", "a.OrderX", "a.OrderXY"]),
        ("OrIt", ["much.longer.place.OrderItems", "a.OrderItemKey"]),
        ("*", ["much.longer.place.Zebra", "a.AntBear"]),
        ("*er", ["much.longer.place.Order", "a.OrderMaker"]),
        ("order", ["long.place.order_item", "a.OrderItem"]),
    ],
)
def test_fewer_capitals_come_first(text: str, ordered: list[str]) -> None:
    assert order(text, *ordered) == ordered


def test_nested_types_come_after_top_level_ones() -> None:
    ordered = ["much.longer.place.Orders", "a.B.Orders", "a.OrderItem", "a.B.OrderItem"]
    nested = ("a.B.Orders", "a.B.OrderItem")
    assert order("Order", *ordered, nested=nested) == ordered
    # A capital more counts more than being nested.
    assert order("Order", "a.b.c.D.Orders", "a.OrderItem", nested=("a.b.c.D.Orders",)) == [
        "a.b.c.D.Orders",
        "a.OrderItem",
    ]


@pytest.mark.parametrize("text", ["OrderItem", "orderitem", "*.OrderItem", "orderItem*"])
def test_of_names_that_equal_the_query_only_the_length_counts(text: str) -> None:
    ordered = ["a.B.OrderItem", "much.longer.OrderItem", "much.much.longer.OrderItem"]
    assert order(text, *ordered, nested=("a.B.OrderItem",)) == ordered


def test_case_counts_before_length() -> None:
    assert order("Order", "very.long.place.Order", "a.order", "a.ORDER") == [
        "very.long.place.Order",
        "a.ORDER",
        "a.order",
    ]


def test_the_whole_of_a_dotted_query_counts_before_library_and_length() -> None:
    hits = [
        ("a.much.longer.shop.Order", True),  # ends with the query
        ("shop.Orders.Order", False),
        ("workshop.Order", False),
    ]
    ordered = sorted(hits, key=lambda hit: key("shop.Order", *hit))
    assert ordered == [hits[0], hits[2], hits[1]]
    assert key("shop.Order", "b.shop.Order", library=True) < key("shop.Order", "b.Order")


@pytest.mark.parametrize("text", ["Order", "Ord", "OrIt", "*der*", "*", "order"])
def test_libraries_come_after_sources_of_the_same_closeness(text: str) -> None:
    for name in ("Order", "OrderItem"):
        source, library = f"much.longer.place.{name}XYZ", f"a.{name}"
        same = rank_key(query(text), name, "q", False, source, "Z.java")
        there = rank_key(query(text), name, "q", True, library, "A.java")
        assert same < there
    # But closeness counts more.
    assert key("Order", "a.Order", library=True) < key("Order", "a.Orders")


def test_ties_by_length_then_qualified_name_then_path() -> None:
    hits = [
        ("b.Orders", False, "Z.java"),
        ("c.Orders", False, "A.java"),
        ("c.Orders", False, "a/A.java"),
        ("aa.Orders", False, "A.java"),
    ]
    for text in ("Order", "Orders", "*"):
        arrived = hits[::-1]
        assert sorted(arrived, key=lambda hit: key(text, *hit)) == hits


def test_members_are_ranked_by_the_same_rules() -> None:
    for text, ordered in {
        "send": ["send", "Send", "sends", "sendAll", "resend"],
        "Order#send": ["send", "sendAll"],
        "Order::send(String)": ["send", "SEND"],
        "gN": ["getName", "forgetNot"],
        "byName": ["byName", "byNames", "findByName"],
        "MS": ["ms", "MS_DOS", "MaxSize", "msec"],
        "maxSize": ["maxSize", "maxSizeOf", "MAX_SIZE", "getMaxSize"],
    }.items():
        compiled = compile_member_query(text)
        assert compiled is not None

        def each(name: str, compiled: MemberQuery = compiled) -> RankKey:
            return rank_key(compiled, name, "a.Order", False, f"a.Order.{name}", "A.java")

        arrived = ordered[::-1]
        assert sorted(arrived, key=each) == ordered, text


def test_the_owner_of_a_member_query_is_no_part_of_the_name() -> None:
    dotted, marked = compile_member_query("Order.send"), compile_member_query("Order#send")
    assert dotted is not None
    assert marked is not None
    hits = ["a.Order.send", "Order.send", "b.c.Order.send"]
    for compiled in (dotted, marked):
        keys = [rank_key(compiled, "send", "Order", False, hit, "A.java") for hit in hits]
        assert sorted(keys) == [keys[1], keys[0], keys[2]]


@given(NAMES, NAMES, st.booleans())
def test_the_store_is_told_the_same_levels(text: str, name: str, dotted: bool) -> None:
    """`nearness` says in plain data what `closeness` says of a name."""
    compiled = query(f"a.{text}" if dotted else text)
    near, level = nearness(compiled), closeness(compiled, name)
    if near.name == "":
        assert level is Closeness.REST
        return
    folded = fold(name)
    if folded == near.folded:
        told = Closeness.EXACT if name == near.name else Closeness.EXACT_IGNORING_CASE
    elif name.startswith(near.name) if near.initials else folded.startswith(near.folded):
        told = Closeness.PREFIX
    elif folded.startswith(near.folded[0]) and near.humps and near.humps(name):
        told = Closeness.HUMPS
    else:
        told = Closeness.REST
    assert told is level
    assert bool(near.dotted) is dotted
