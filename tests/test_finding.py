"""findSymbol over a small index: members, kinds, paths, retries, and bad input."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files import resolve_root
from indexer.model import MEMBER_KINDS, SymbolKind
from query.contract import ErrorCode, FindAnswer, Reason, ToolError, find_json
from query.kinds import KINDS, kinds_of
from query.render import find_text
from query.service import Scope, Service
from tests.fakes.runtime import fake_runtime
from tests.fakes.server import outline as toy_outline
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree

Find = Callable[..., FindAnswer]
K = SymbolKind

SIGNATURES = {"send()": "send(String)", "total()": "total(int, Tax)"}


def with_members_of_all_kinds(text: str) -> list[dict[str, Any]]:
    """Toy Java whose fields in capitals are constants, and so on: the fake knows only two kinds."""
    top = toy_outline(text)
    pending = [(node, top[0]) for node in top]
    while pending:
        node, owner = pending.pop()
        pending += [(child, node) for child in node["children"]]
        name = node["name"]
        if node["kind"] == K.Field and (owner["kind"] == K.Enum or name.isupper()):
            node["kind"] = K.EnumMember if owner["kind"] == K.Enum else K.Constant
        if name == f"{owner['name']}()":
            node["kind"] = K.Constructor
        node["name"] = SIGNATURES.get(name, name)
    return top


ORDER = """package shop;
class Order {
  int count;
  int MAX_SIZE;
  void Order() {}
  void send() {}
  void total() {}
  class Line {
    int line;
    void Line() {}
    void send() {}
    void resend() {}
    enum Size {
      int BIG;
      int SMALL;
    }
  }
}
"""
SERVICE = """package shop;
class OrderService {
  int order;
  void order() {}
  void findByName() {}
}
"""
SENDER = """package net;
interface Sender {
  void send() {}
  int orderCount;
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service over a shop that no test changes."""
    folder = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in fake_runtime(folder / "runtime").items():
            patch.setenv(name, value)
        patch.setattr("indexer.jdtls.pool.outlines", InstantServer().outlines)
        tree, index = Tree(folder / "tree"), Index(folder / "index.db")
        build(tree, index)
        with service_over(tree, index) as opened:
            yield opened


def build(tree: Tree, index: Index) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.support.indexing.outline", with_members_of_all_kinds)
        tree.write("src/shop/Order.java", ORDER)
        tree.write("src/shop/OrderService.java", SERVICE)
        tree.write("lib/net/Sender.java", SENDER)
        index.build(tree.path)


def service_over(tree: Tree, index: Index) -> Service:
    return Service(Scope((resolve_root(str(tree.path)),), str(index.path)))


@pytest.fixture
def find(built: Service) -> Find:
    """Ask for what may be found, of some kinds or of those that a query without kinds is for."""
    return partial(ask, built)


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer) -> Tree:
    """A shop of the test's own."""
    build(tree, index)
    return tree


@pytest.fixture
def service(tree: Tree, index: Index, server: InstantServer) -> Iterator[Service]:
    with service_over(tree, index) as opened:
        yield opened


def ask(service: Service, query: str, *kinds: str, **options: Any) -> FindAnswer:
    answer = service.find(query, kinds=kinds_of(kinds), **options)
    assert isinstance(answer, FindAnswer), answer
    return answer


def names(answer: FindAnswer) -> list[str]:
    return [f"{hit.container}.{hit.signature or hit.name}" for hit in answer.hits]


def form(answer: FindAnswer) -> str:
    return answer.provenance.detail.removeprefix("matched ")


# --- members ------------------------------------------------------------------------------------


SENDS = ["net.Sender.send(String)", "shop.Order.send(String)", "shop.Order.Line.send(String)"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("send", SENDS),
        ("SEND", SENDS),
        ("send()", SENDS),
        ("#send", SENDS),
        ("se*", SENDS),
        ("?end", SENDS),
        ("end", []),
        ("Order.send", ["shop.Order.send(String)"]),
        ("Order#send", ["shop.Order.send(String)"]),
        ("Order::send", ["shop.Order.send(String)"]),
        ("order.SEND", ["shop.Order.send(String)"]),
        ("shop.Order#send(String)", ["shop.Order.send(String)"]),
        ("Order.Line#send", ["shop.Order.Line.send(String)"]),
        ("shop.Order$Line.send", ["shop.Order.Line.send(String)"]),
        ("Line.send", ["shop.Order.Line.send(String)"]),
        ("*end", [*SENDS, "shop.Order.Line.resend()"]),
        ("Or*#*end", [*SENDS[1:], "shop.Order.Line.resend()"]),
        # humps
        ("byName", ["shop.OrderService.findByName()"]),
        ("fBN", ["shop.OrderService.findByName()"]),
        ("findName", ["shop.OrderService.findByName()"]),
        ("maxSize", ["shop.Order.MAX_SIZE"]),
        ("OrderService#findBy", ["shop.OrderService.findByName()"]),
        # whole names
        ("Order#total(", ["shop.Order.total(int, Tax)"]),
        ("Order#tot(", []),
        ("Size.BIG", ["shop.Order.Line.Size.BIG"]),
        ("Order::new", ["shop.Order.Order()"]),
        ("Order#<init>", ["shop.Order.Order()"]),
        ("Order$Line::new", ["shop.Order.Line.Line()"]),  # and not the field `line`
    ],
)
def test_members_when_members_are_asked_for(find: Find, query: str, expected: list[str]) -> None:
    answer = find(query, "member")
    assert names(answer) == expected or (not expected and form(answer) != "as given")
    if expected:
        assert form(answer) == "as given"
        assert answer.total == len(expected)


@pytest.mark.parametrize(
    ("query", "expected", "asked"),
    [
        ("Order#send", ["shop.Order.send(String)"], "Order#send"),
        ("Order.send", ["shop.Order.send(String)"], "Order#send"),
        ("Order.send(String)", ["shop.Order.send(String)"], "Order#send"),
        ("#send", SENDS, "send"),
        ("send()", SENDS, "send"),
        ("void send(String to)", SENDS, "send"),
        ("Order::new", ["shop.Order.Order()"], "Order#Order"),
        ("Line::new", ["shop.Order.Line.Line()"], "Line#Line"),
        ("Order.MAX_SIZE", ["shop.Order.MAX_SIZE"], "Order#MAX_SIZE"),
        ("shop.Order$Line.resend", ["shop.Order.Line.resend()"], "shop.Order.Line#resend"),
        ("Size.SMALL", ["shop.Order.Line.Size.SMALL"], "Size#SMALL"),
    ],
)
def test_members_when_the_query_can_mean_nothing_else(
    find: Find, query: str, expected: list[str], asked: str
) -> None:
    answer = find(query)
    assert names(answer) == expected
    assert form(answer) == f"as member {asked!r}"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("send", ["net.Sender"]),
        ("order", ["shop.Order", "shop.OrderService"]),
        ("Order.Line", ["shop.Order.Line"]),
        ("new Order()", ["shop.Order", "shop.OrderService"]),
        ("Order(int)", ["shop.Order", "shop.OrderService"]),
        ("Order.sen", ["shop.Order", "shop.OrderService"]),  # no member of that very name
        ("Order#nothing", ["shop.Order", "shop.OrderService"]),
        ("Sender::new", ["net.Sender"]),  # has no constructor
    ],
)
def test_types_stay_types(find: Find, query: str, expected: list[str]) -> None:
    answer = find(query)
    assert names(answer) == expected
    assert {hit.kind for hit in answer.hits} <= {K.Class, K.Interface}


def test_a_hit_of_a_member(shop: Tree, service: Service) -> None:
    find, file = partial(ask, service), str(shop / "src/shop/Order.java")
    (hit,) = find("Order#total", "member").hits
    assert (hit.name, hit.signature, hit.container) == ("total", "total(int, Tax)", "shop.Order")
    assert (hit.file, hit.document_uri) == (file, f"file://{file}")
    assert hit.selection_range.lines == hit.range.lines == (7, 7)
    document = find_json(find("Order#total", "member"))
    (shown,) = document["results"]
    assert shown["kind"] == "Method"
    assert shown["signature"] == "total(int, Tax)"
    assert find_text(find("Order#total")) == f"{file}:7  Method     shop.Order.total(int, Tax)\n"


def test_source_methods_as_jdtls_gives_them(find: Find) -> None:
    """docs/matching.md 8: by name only, container with `$`, no signature."""
    answer = find("send", source_methods=True)
    assert [(hit.container, hit.name, hit.signature) for hit in answer.hits] == [
        ("net.Sender", "send", ""),
        ("shop.Order", "send", ""),
        ("shop.Order$Line", "send", ""),
        ("net", "Sender", ""),
    ]
    assert answer.total == 4
    assert names(find("MAX_SIZE", source_methods=True, strict=True)) == []
    assert names(find("Order", source_methods=True, strict=True)) == [
        "shop.Order",
        "shop.OrderService.order",
        "shop.OrderService",
    ]


def test_strict_knows_no_members(find: Find) -> None:
    for query in ("Order#send", "send()", "Order.send", "#send"):
        assert find(query, strict=True).reason is Reason.WORKSPACE_SYMBOL_NO_MATCH


# --- kinds, paths, limits -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("type", {"Order", "Line", "Size", "OrderService", "Sender"}),
        ("class", {"Order", "Line", "OrderService"}),
        ("interface", {"Sender"}),
        ("enum", {"Size"}),
        ("method", {"send", "total", "resend", "order", "findByName"}),
        ("constructor", {"Order", "Line"}),
        ("field", {"count", "line", "order", "orderCount", "MAX_SIZE", "BIG", "SMALL"}),
        ("constant", {"MAX_SIZE", "BIG", "SMALL"}),
    ],
)
def test_kinds(find: Find, kind: str, expected: set[str]) -> None:
    answer = find("*", kind, limit=0)
    assert {hit.name for hit in answer.hits} == expected
    assert answer.total == len(answer.hits)
    assert all(hit.kind in KINDS[kind] for hit in answer.hits)


def test_several_kinds_are_ordered_together(find: Find) -> None:
    answer = find("order", "class", "method", "field")
    assert names(answer) == [
        "shop.OrderService.order",
        "shop.OrderService.order()",
        "shop.Order",
        "net.Sender.orderCount",
        "shop.OrderService",
    ]
    for limit in range(1, 6):
        cut = find("order", "class", "method", "field", limit=limit)
        assert names(cut) == names(answer)[:limit]
        assert cut.total == 5


def test_every_kind_name_in_singular_and_plural() -> None:
    for name, kinds in KINDS.items():
        plural = "classes" if name == "class" else f"{name}s"
        assert kinds_of([name]) == kinds_of([plural]) == kinds
    assert kinds_of([]) is None
    assert kinds_of(["enums", "method"]) == frozenset({K.Enum, K.Method})
    assert kinds_of(["member"]) == MEMBER_KINDS
    for wrong in ("", "s", "clas", "typess", "Foo", "method,field"):
        with pytest.raises(ValueError, match=f"^{wrong}$"):
            kinds_of(["type", wrong])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/*", ["shop.Order", "shop.OrderService"]),
        ("*/OrderService.java", ["shop.OrderService"]),
        ("*Order.java", ["shop.Order"]),
        ("src/shop/Order.java", ["shop.Order"]),
        ("src/shop/[A-N]*", []),
        ("src/shop/?????.java", ["shop.Order"]),
        ("SRC/*", []),  # as paths are
        ("src", []),
        ("lib/*", []),
        ("%", []),
        ("'", []),
        ("[", []),
    ],
)
def test_paths(find: Find, path: str, expected: list[str]) -> None:
    answer = find("Order", path=path)
    assert names(answer) == expected
    assert answer.total == len(expected)


def test_paths_of_members(find: Find) -> None:
    assert names(find("send", "member", path="lib/*")) == SENDS[:1]
    assert names(find("send()", path="src/*")) == SENDS[1:]


def test_deleted_members_are_not_shown(shop: Tree, service: Service) -> None:
    (shop / "lib/net/Sender.java").unlink()
    answer = ask(service, "send", "member", limit=1)
    assert names(answer) == SENDS[1:2]


def test_changed_members_are_named(shop: Tree, service: Service) -> None:
    shop.write("src/shop/OrderService.java", "package shop;\n\nclass OrderService {\n}\n")
    answer = ask(service, "findByName", "method")
    assert answer.reason is Reason.SERVER_NOT_FULLY_READY
    assert "OrderService.java" in answer.message


def test_ties_between_folders_do_not_depend_on_the_order_of_indexing(
    tree: Tree, index: Index, server: InstantServer
) -> None:
    """Same name, same path in its folder: then the folder's path counts."""
    other = Tree(tree.path.parent / "another")
    tree.write("A.java", "class A {\n}\n")
    other.write("A.java", "class A {\n  int x;\n}\n")
    for roots in ([tree.path, other.path], [other.path, tree.path]):
        index.path.unlink(missing_ok=True)
        index.build(*roots)
        scope = Scope(tuple(resolve_root(str(root)) for root in roots), str(index.path))
        with Service(scope) as service:
            hits = ask(service, "A").hits
        assert [hit.file for hit in hits] == [str(other / "A.java"), str(tree / "A.java")]


# --- queries as agents send them ----------------------------------------------------------------

ORDERS = ["shop.Order", "shop.OrderService"]

FORMS: list[tuple[str, list[str], str]] = [
    ("shop.Order", ORDERS, "as given"),
    ("com.wrong.Order", ORDERS, "as 'Order'"),
    ("Order.java", ORDERS, "as 'Order'"),
    ("Order.class", ORDERS, "as 'Order'"),
    ("Order.java:12", ORDERS, "as 'Order'"),
    ("Order<String>", ORDERS, "as 'Order'"),
    ("Map<Order, String>", [], ""),
    ("new Order()", ORDERS, "as 'Order'"),
    ("new Order<>(a, b)", ORDERS, "as 'Order'"),
    ("@Order", ORDERS, "as 'Order'"),
    ("@Order(1)", ORDERS, "as 'Order'"),
    ("Order[]", ORDERS, "as 'Order'"),
    ("Order[][]", ORDERS, "as 'Order'"),
    ("import shop.Order;", [*ORDERS, "shop.Order.Line"], "as 'shop.Order'"),
    ("import static shop.Order.send;", [*ORDERS, "shop.Order.Line"], "as 'shop.Order'"),
    ("shop/Order", [*ORDERS, "shop.Order.Line"], "as 'shop.Order'"),
    ("src/main/java/shop/Order.java", [*ORDERS, "shop.Order.Line"], "as 'shop.Order'"),
    ("Order$Line", ["shop.Order.Line"], "as 'Order.Line'"),
    ("Order.Line", ["shop.Order.Line"], "as given"),
    ("shop.Order.Line", ["shop.Order.Line", "shop.Order.Line.Size"], "as given"),
    ('"Order"', ORDERS, "as 'Order'"),
    ("`Order`", ORDERS, "as 'Order'"),
    (" Order ", ORDERS, "as given"),
    ("\tOrder\n", ORDERS, "as given"),
    ("' Order '", ORDERS, "as 'Order'"),
    ("class Order {", ORDERS, "as 'Order'"),
    ("{@link Order#send}", ORDERS, "as 'Order'"),
    ("total()", ["shop.Order.total(int, Tax)"], "as member 'total'"),
    ("order.total()", ["shop.Order.total(int, Tax)"], "as member 'order#total'"),
]


@pytest.mark.parametrize(("query", "expected", "asked"), FORMS)
def test_forms(find: Find, query: str, expected: list[str], asked: str) -> None:
    answer = find(query)
    shown = names(answer)
    assert shown[: len(expected)] == expected
    assert bool(shown) == bool(expected)
    if expected:
        assert form(answer).startswith(asked)


# --- bad input ----------------------------------------------------------------------------------


WRONG: dict[str, tuple[object, ...]] = {
    "query": (None, 5, True, 1.5, b"Order", ["Order"], {}),
    "limit": ("5", True, -1, 1.5, None, [], 1 << 62, 10**30),
    "kinds": ("type", 5, ["type"], [K.Class], frozenset({"x"}), {5}),
    "path": (None, 5, b"*", "\ud800", "src/\udce9*", "x" * 60_000),
    "strict": ("yes", None, 1),
    "source_methods": ("yes", None, 1),
    "libraries": ("all", None, 0),
    "scope": ("all",),  # is no parameter
}


@pytest.mark.parametrize(
    ("parameter", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_wrong_values_are_refused_by_name(built: Service, parameter: str, value: object) -> None:
    wanted: dict[str, Any] = {"query": "Order", parameter: value}
    answer = built.find(wanted.pop("query"), **wanted)
    assert isinstance(answer, ToolError)
    assert answer.code is ErrorCode.INVALID_PARAMETER
    assert f"`{parameter}`" in answer.error
    assert answer.hint.startswith("pass ")
    assert len(answer.error) < 300


def test_wrong_values_are_refused_before_there_is_an_index(tree: Tree, service: Service) -> None:
    for wanted in ({"limit": -1}, {"kinds": "type"}, {"path": None}):
        answer = service.find("Order", **wanted)
        assert isinstance(answer, ToolError)
        assert answer.code is ErrorCode.INVALID_PARAMETER


BLANK = ["", " ", "\t\n\r", "\x1c\x1f", "\u2003", "\u3000 "]

LONG = [
    *("x" * 10_000, "X" * 10_000, "aB" * 5_000, "a1" * 5_000, "_" * 10_000, "$" * 10_000),
    *(
        "?" * 10_000,
        "a*" * 5_000 + "b",
        "*a" * 5_000 + "b",
        "*x" * 5_000 + ".y",
        "?*" * 5_000 + "b",
    ),
    *("a." * 5_000, "." * 10_000, "a.*" * 3_333 + "b", "#" * 10_000, "a#" * 5_000),
    *("a::" * 3_333, "(" * 10_000, "<" * 10_000, "/" * 10_000, "[" * 10_000, "'" * 10_000),
    *("zq#" + "x" * 10_000, "zq#" + "aB" * 5_000, "zq#" + "*a" * 5_000, "x" * 10_000 + "#zq"),
    *("zq." + "*a" * 5_000 + "(", "\U0001f600" * 10_000, "\ud800" * 10_000, "é" * 10_000),
]
STRANGE = [
    *("%", "_", "[", "]", "[Q]", "[!a]", "[^a]", "'", '"', "\\", "\\%", "`", ";", "--", "/*", "*/"),
    *("'; DROP TABLE file; --", '" OR 1', "%25", "Ord%", "Ord_r", "Ord[e]_r%", "\x01zq", "\x7f"),
    *("\x85", "Zq\x00zp", "\x00\x00q", "\ud800", "\udfff", "Zq\ud83d", "*\ud83d*", "\ud83d?"),
    *("zq#\ud800", "\ud800#zq", "zq.\ud800(", "\ufeffZq", "\u202eZq", "NEAR(zq)", "zq AND zp"),
    *("zq*^", '"zq"', "NULL", ":v0", "?1", "$v0", "@v0", "{0}", "%s", "zq\nzp"),
]


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"kinds": MEMBER_KINDS},
        {"source_methods": True},
        {"strict": True},
        {"strict": True, "source_methods": True},
        {"path": "*"},
    ],
    ids=range(6),
)
def test_strange_queries_find_nothing_soon(built: Service, wanted: dict[str, Any]) -> None:
    for query in (*LONG, *STRANGE):
        started = time.process_time()
        answer = built.find(query, **wanted)
        assert time.process_time() - started < 1, query[:20]
        assert isinstance(answer, FindAnswer), query[:20]
        assert answer.reason is Reason.WORKSPACE_SYMBOL_NO_MATCH, query[:20]
        assert answer.near == () or len(query) < 10, query[:20]
        assert len(answer.message) < 2_000


def test_control_characters_alone_are_no_name(find: Find) -> None:
    assert find("\x01").reason is Reason.WORKSPACE_SYMBOL_NO_MATCH
    assert find("\x01", "member").reason is Reason.WORKSPACE_SYMBOL_NO_MATCH
    # What jdt.ls does (docs/matching.md 8): every method.
    assert find("\x01", source_methods=True, limit=0).total == 7


@pytest.mark.parametrize("query", BLANK)
def test_blank_queries(built: Service, query: str) -> None:
    for kinds in (None, MEMBER_KINDS):
        answer = built.find(query, kinds=kinds)
        assert isinstance(answer, ToolError)
        assert answer.code is ErrorCode.EMPTY_QUERY
        assert "`query`" in answer.error


@pytest.mark.parametrize(
    "path", ["*a" * 4_000 + "b", "[" * 5_000, "[a-" * 3_000, "\0", "?" * 9_999]
)
def test_strange_paths_find_nothing_soon(find: Find, path: str) -> None:
    started = time.process_time()
    assert find("Order", path=path).reason is Reason.WORKSPACE_SYMBOL_NO_MATCH
    assert time.process_time() - started < 1


def test_a_glob_that_would_try_everything(tree: Tree, index: Index, service: Service) -> None:
    tree.write(f"{'a' * 200}/{'a' * 200}.java", "class Order {}")
    index.build(tree.path)
    started = time.process_time()
    answer = service.find("Order", path="*a" * 12 + "*b")
    assert isinstance(answer, FindAnswer)
    assert answer.total == 0
    assert time.process_time() - started < 1


SOUP = st.text(st.characters(), max_size=8) | st.lists(
    st.sampled_from(
        [
            *("Order", "shop", "send", "Line", "order", "OS", "o", "S", "MAX_SIZE", "net", "e"),
            *(*"*?.#$()<>[]{}@/;: \t\0'\"%_\\", "::", "new ", "import ", ".java", "\ud835", "é"),
        ]
    ),
    max_size=6,
).map("".join)
ANY_KINDS = st.none() | st.sampled_from(sorted(KINDS)).map(KINDS.__getitem__)


@given(SOUP, ANY_KINDS, st.booleans(), st.booleans(), st.integers(1, 6))
def test_any_query_is_answered_and_the_cut_is_the_beginning(
    built: Service,
    query: str,
    kinds: frozenset[SymbolKind] | None,
    strict: bool,
    source_methods: bool,
    limit: int,
) -> None:
    wanted: dict[str, Any] = {"kinds": kinds, "strict": strict, "source_methods": source_methods}
    every = built.find(query, limit=0, **wanted)
    cut = built.find(query, limit=limit, **wanted)
    if isinstance(every, ToolError):
        assert every.code is ErrorCode.EMPTY_QUERY
        assert cut == every
        return
    assert isinstance(cut, FindAnswer)
    assert cut.hits == every.hits[:limit]
    assert cut._replace(hits=every.hits) == every
    assert every.total == len(every.hits)
    assert bool(every.hits) == (every.reason is None)
    if kinds is not None:
        assert all(hit.kind in kinds for hit in every.hits)
