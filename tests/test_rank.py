"""The order of matches: closeness of the name, workspace, length, and nothing left to chance."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.match import TypeQuery, compile_method_query, compile_query
from query.rank import Closeness, RankKey, closeness, rank_key


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
