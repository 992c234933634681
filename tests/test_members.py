"""Queries for members: every spelling of owner and name, and which of them cannot mean a type."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.model import MEMBER_KINDS, SymbolKind
from query.members import MemberQuery, compile_member_query, explicit_member, possible_member

CONSTRUCTORS = frozenset({SymbolKind.Constructor})

FORMS: list[tuple[str, str, str, bool]] = [
    # query, name, owner, whole
    ("run", "run", "", False),
    (" run\n", "run", "", False),
    ("Order.run", "run", "Order", False),
    ("shop.Order.run", "run", "shop.Order", False),
    ("Order#run", "run", "Order", False),
    ("shop.Order#run", "run", "shop.Order", False),
    ("Order::run", "run", "Order", False),
    ("shop.Order::run", "run", "shop.Order", False),
    ("#run", "run", "", False),
    ("::run", "run", "", False),
    (".run", "run", "", False),
    ("Order #run", "run", "Order", False),
    ("Order# run", "run", "Order", False),
    ("shop.Order.Line.run", "run", "shop.Order.Line", False),
    ("Order.Line#run", "run", "Order.Line", False),
    ("Order$Line#run", "run", "Order.Line", False),
    ("shop.Order$Line$Part.run", "run", "shop.Order.Line.Part", False),
    ("Order#Line#run", "run", "Order.Line", False),
    ("shop::Order::run", "run", "shop.Order", False),
    # a dollar sign is a letter where it does not stand between two names
    ("Gen$$Proxy1#run", "run", "Gen$$Proxy1", False),
    ("$Gen#run", "run", "$Gen", False),
    ("Gen$#run", "run", "Gen$", False),
    ("Order#$jacocoInit", "$jacocoInit", "Order", False),
    ("Order#access$000", "access$000", "Order", False),
    # a parameter list ends the name
    ("run(", "run", "", True),
    ("run()", "run", "", True),
    ("run ()", "run", "", True),
    ("#run()", "run", "", True),
    ("Order.run(int, String)", "run", "Order", True),
    ("Order#run(a.b.C, D#e)", "run", "Order", True),
    ("shop.Order::run(Map<K, V> map)", "run", "shop.Order", True),
    ("Order.run().stop()", "run", "Order", True),
    # wildcards
    ("*", "*", "", False),
    ("Order#*", "*", "Order", False),
    ("*.run", "run", "*", False),
    ("Or*.r?n", "r?n", "Or*", False),
    ("*shop*#get*", "get*", "*shop*", False),
    ("get*()", "get*", "", True),
    # not only ASCII
    ("Größe#höhe", "höhe", "Größe", False),
    ("𝐀.𝐛", "𝐛", "𝐀", False),
]


@pytest.mark.parametrize(("text", "name", "owner", "whole"), FORMS)
def test_forms(text: str, name: str, owner: str, whole: bool) -> None:
    assert compile_member_query(text) == MemberQuery(name, owner, whole, MEMBER_KINDS)


@pytest.mark.parametrize(
    ("text", "name", "owner"),
    [
        ("Order#<init>", "Order", "Order"),
        ("Order.<init>", "Order", "Order"),
        ("Order::new", "Order", "Order"),
        ("shop.Order#<init>(int)", "Order", "shop.Order"),
        ("shop.Order::new", "Order", "shop.Order"),
        ("Order$Line::new", "Line", "Order.Line"),
        ("Order.new", "Order", "Order"),
    ],
)
def test_constructors_bear_the_name_of_their_owner(text: str, name: str, owner: str) -> None:
    expected = MemberQuery(name, owner, whole=True, kinds=CONSTRUCTORS)
    assert compile_member_query(text) == expected
    assert possible_member(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "\t", "#", "::", ".", "..", "(", "()", "#()", "Order#", "Order.", "Order::"),
        *("Order#()", "<init>", "new", "::new", "#<init>", "new Order", "new Order()", "a b"),
        *("class Order", "Order#a b", "new order()"),
    ],
)
def test_what_names_no_member(text: str) -> None:
    assert compile_member_query(text) is None
    assert explicit_member(text) is None
    assert possible_member(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("Order#run", "#run", "Order::run", "::run", "run(", "run()", "Order.run(int)"),
        *("shop.order.run()", "Order#*", "Order::new", "Order#<init>", "get*("),
    ],
)
def test_what_can_only_mean_a_member(text: str) -> None:
    assert explicit_member(text) == compile_member_query(text) is not None


@pytest.mark.parametrize(
    ("text", "name", "owner"),
    [
        ("public void run()", "run", ""),
        ("public static <T> Map<K, V> of(K key, V value) throws X", "of", ""),
        ("return order.total (tax)", "total", "order"),
        ("@Override\npublic int size()", "size", ""),
    ],
)
def test_of_a_declaration_or_call_the_last_word_counts(text: str, name: str, owner: str) -> None:
    assert explicit_member(text) == MemberQuery(name, owner, whole=True)


@pytest.mark.parametrize(
    "text",
    [
        *("run", "Order", "Order.run", "shop.Order", "*", "Or*.run"),
        # constructors called: the type is meant
        *("Order()", "new Order()", "shop.Order(int)", "new shop.Order(#a)", "new shop.order()"),
        # a mark among the parameters says nothing of the name
        "Order(Other#run)",
    ],
)
def test_what_may_mean_a_type(text: str) -> None:
    assert explicit_member(text) is None


@pytest.mark.parametrize(
    ("text", "name", "owner"),
    [
        ("Order.run", "run", "Order"),
        ("shop.Order.MAX", "MAX", "shop.Order"),
        ("Order#run", "run", "Order"),
        ("Order$Line.run", "run", "Order.Line"),
        ("Order.run()", "run", "Order"),
    ],
)
def test_the_member_that_a_dotted_name_may_mean_is_taken_whole(
    text: str, name: str, owner: str
) -> None:
    assert possible_member(text) == MemberQuery(name, owner, whole=True)


@pytest.mark.parametrize("text", ["run", "#run", ".run", "Or*.run", "Order.r?n", "Order.*", "*"])
def test_without_owner_or_with_wildcards_nothing_is_guessed(text: str) -> None:
    assert possible_member(text) is None


def test_shown_as_a_person_would_write_it() -> None:
    for text, shown in {
        "a.b.Order.run(int)": "a.b.Order#run",
        "#run": "run",
        "Order::new": "Order#Order",
        "Order$Line.run": "Order.Line#run",
    }.items():
        query = compile_member_query(text)
        assert query is not None
        assert query.shown == shown


# --- what is asked of owners --------------------------------------------------------------------


def owner_admits(owner: str, qualification: str) -> bool:
    query = compile_member_query(f"{owner}#x")
    assert query is not None
    hint = query.criteria.qualifier
    assert hint.check is not None
    return hint.check(qualification)


@pytest.mark.parametrize(
    ("owner", "qualification", "expected"),
    [
        ("Order", "shop.Order", True),
        ("order", "shop.ORDER", True),
        ("Order", ".Order", True),  # no package
        ("Order", "shop.PreOrder", False),
        ("Order", "shop.Orders", False),
        ("Order", "shop.Order.Line", False),
        ("shop.Order", "shop.Order", True),
        ("shop.Order", "net.shop.Order", True),
        ("shop.Order", "workshop.Order", False),
        ("Order.Line", "shop.Order.Line", True),
        ("Order$Line", "shop.Order.Line", True),
        ("Or*", "shop.Order", True),
        ("*Order", "shop.PreOrder", True),
        ("shop.*", "shop.Order", True),
        ("shop.*", "workshop.Order", False),
        ("Or?er", "shop.Order", True),
        ("Or?er", "shop.Orer", False),
        ("Größe", "shop.größe", True),
    ],
)
def test_owner_is_the_qualification_or_ends_it_behind_a_dot(
    owner: str, qualification: str, expected: bool
) -> None:
    assert owner_admits(owner, qualification) is expected


def test_without_owner_nothing_is_asked_of_it() -> None:
    query = compile_member_query("run")
    assert query is not None
    assert query.criteria.qualifier == type(query.criteria.qualifier)()


# --- any text -----------------------------------------------------------------------------------

SOUP = st.text(st.characters()) | st.lists(
    st.sampled_from([*"aB.#:$()<>*? \n", "::", "new", "<init>", "Order", "\ud835", "\0"])
).map("".join)


@given(SOUP)
@example("\ud800#\udfff")
@example("a.\x85")
@example("0 ..0")
@example(". a . .b")
def test_any_text_is_a_query_or_none(text: str) -> None:
    query, explicit = compile_member_query(text), explicit_member(text)
    # What can only mean a member is one, or ends a declaration: `void run(`.
    assert explicit in (None, query) or len(text.partition("(")[0].split()) > 1
    if query is None:
        assert possible_member(text) is None
        return
    assert query.text
    assert query.criteria.names
    assert query.kinds <= MEMBER_KINDS
    assert not query.owner.startswith(".")
    assert not query.owner.endswith(".")
    # Whoever sends what is shown gets the same, as far as names go.
    again = compile_member_query(f"{query.owner}#{query.text}")
    if query.kinds == MEMBER_KINDS and "$" not in query.owner:
        assert again is not None
        assert (again.text, again.owner) == (query.text, query.owner)


@pytest.mark.parametrize("unit", ["x", "a.", "a#", "a::", "$", "A$", "*", "?", "aB", "(", "#", " "])
def test_time_is_linear(unit: str) -> None:
    started = time.process_time()
    for text in (unit * 10_000, f"Order#{unit * 10_000}", f"{unit * 10_000}#run"):
        query = compile_member_query(text)
        explicit_member(text)
        possible_member(text)
        if query:
            for hint in query.criteria.names:
                if hint.check:
                    hint.check("someOrdinaryName")
    assert time.process_time() - started < 1
