"""What a miss offers instead: names one slip away, nearest first, and nothing for nonsense."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files import resolve_root
from indexer.model import MEMBER_KINDS
from query.contract import FindAnswer, Reason, find_json
from query.normalise import parted_name
from query.service import Scope, Service
from tests.fakes.runtime import fake_runtime
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree

Near = Callable[..., list[str]]

NAMES = [
    *("OrderService", "OrderRepository", "PaymentGateway", "NullPointerException", "HttpClient"),
    *("List", "Url", "Größe"),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("near")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in fake_runtime(folder / "runtime").items():
            patch.setenv(name, value)
        patch.setattr("indexer.jdtls.pool.outlines", InstantServer().outlines)
        tree, index = Tree(folder / "tree"), Index(folder / "index.db")
        for name in NAMES:
            tree.write(f"shop/{name}.java")
        for number in range(8):
            tree.write(
                f"p{number}/Customer.java",
                f"package p{number};\nclass Customer {{\n  class Address {{\n  }}\n}}\n",
            )
        tree.write("Bare.java", "class Barefoot {\n  class Sandal {\n  }\n}\n")
        index.build(tree.path)
        with Service(Scope((resolve_root(str(tree.path)),), str(index.path))) as opened:
            yield opened


@pytest.fixture
def near(service: Service) -> Near:
    """Names that a query without a match is offered."""

    def ask(query: str, **wanted: object) -> list[str]:
        answer = service.find(query, **wanted)
        assert isinstance(answer, FindAnswer), answer
        assert answer.reason is Reason.WORKSPACE_SYMBOL_NO_MATCH, answer.hits
        return list(answer.near)

    return ask


@pytest.mark.parametrize(
    "query",
    [
        # a letter too many: at the beginning, within, at the end
        *("XOrderService", "OrderrService", "OrderServiceX", "OrderServices"),
        # missing
        *("rderservice", "OrdrService", "OrderSevice", "PrderServic"),
        # wrong
        *("ArderService", "OrderSarvice", "OrderServise"),
        # swapped
        *("rOderService", "OrdreService", "OrderServiec"),
        # prefix or suffix too much, or another one
        *("MyOrderService", "IOrderService", "OrderServiceImpl", "OrderServiceTest"),
        # case does not count
        *("ordersarvice", "ORDERSARVICE", "orderSarvice"),
    ],
)
def test_one_slip(near: Near, query: str) -> None:
    assert near(query)[0] == "shop.OrderService"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("NulPointerExeption", "shop.NullPointerException"),  # two slips
        ("PaymentGatwey", "shop.PaymentGateway"),
        ("HtpClient", "shop.HttpClient"),
        ("Größen", "shop.Größe"),
        ("Gröeß", "shop.Größe"),
        ("Barefot", "Barefoot"),  # without a package
        ("Barefoot.Sandel", "Barefoot.Sandal"),
    ],
)
def test_nearest(near: Near, query: str, expected: str) -> None:
    assert near(query) == [expected]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Listt", ["shop.List"]),
        ("Lits", ["shop.List"]),
        ("Liist", ["shop.List"]),
        ("Urls", ["shop.Url"]),
        ("Lst", ["shop.List"]),
        ("Lizt", ["shop.List"]),
        # Of three letters, one that is wrong is too much.
        ("Uri", []),
    ],
)
def test_short_names(near: Near, query: str, expected: list[str]) -> None:
    assert near(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        *("Zebra", "Qq", "?", "Xylophon", "qwertzuiop", "x" * 99, "x" * 10_000, "OrderManager"),
        *("#", "()", "123", "\ud800rderService", "OrderSarvic\udfff", "名前"),
    ],
)
def test_nothing_for_nonsense(near: Near, query: str) -> None:
    assert near(query) == []


@pytest.mark.parametrize(
    "query",
    [
        *("shop.OrderSarvice", "wrong.place.OrderSarvice", "shop/OrderSarvice.java"),
        *("import shop.OrderSarvice;", "new OrderSarvice()", "OrderSarvice<T>", "@OrderSarvice"),
        *("OrderSarvice#run", "OrderSarvice.run()", "OrderSarvice[]", "`OrderSarvice`"),
        *("Order*Sarvice", "OrderSarvice*", "class OrderSarvice extends X {"),
    ],
)
def test_queries_as_agents_send_them(near: Near, query: str) -> None:
    assert near(query) == ["shop.OrderService"]


def test_at_most_five(near: Near) -> None:
    assert near("Custmer") == [f"p{number}.Customer" for number in range(5)]


@pytest.mark.parametrize("number", range(8))
def test_of_equally_near_ones_the_place_that_was_asked_for_comes_first(
    near: Near, number: int
) -> None:
    assert near(f"p{number}.Custmer")[0] == f"p{number}.Customer"
    assert near(f"p{number}.Customer.Adress")[0] == f"p{number}.Customer.Address"
    assert near(f"p{number}.Customer$Adress")[0] == f"p{number}.Customer.Address"
    assert len(near(f"p{number}.Custmer")) == 5


def test_only_on_a_miss(service: Service) -> None:
    for query in ("OrderService", "orderser", "Order", "new OrderService()", "OrderService#none"):
        answer = service.find(query)
        assert isinstance(answer, FindAnswer)
        assert answer.hits
        assert answer.near == ()
        assert "didYouMean" not in find_json(answer)


def test_key_of_the_json(service: Service) -> None:
    answer = service.find("OrderSarvice")
    assert list(find_json(answer)) == ["results", "reason", "message", "didYouMean"]
    assert find_json(answer)["didYouMean"] == ["shop.OrderService"]
    assert list(find_json(service.find("Zebra"))) == ["results", "reason", "message"]


def test_with_options(near: Near) -> None:
    """Names of types are offered where any type would do, beside jdt.ls' own results, too."""
    assert near("OrderSarvice", strict=True) == ["shop.OrderService"]
    assert near("OrderSarvice", kinds=MEMBER_KINDS) == []
    assert near("OrderSarvice", path="src/*") == []
    assert near("OrderSarvice", source_methods=True) == ["shop.OrderService"]


def test_of_the_workspace_folder_only(tree: Tree, index: Index, server: InstantServer) -> None:
    other = Tree(tree.path.parent / "other")
    other.write("OrderService.java")
    tree.write("Zebra.java")
    index.build(tree.path, other.path)
    for root, expected in ((tree, ()), (other, ("OrderService",))):
        with Service(Scope((resolve_root(str(root.path)),), str(index.path))) as service:
            answer = service.find("OrderSarvice")
            assert isinstance(answer, FindAnswer)
            assert answer.near == expected


def test_nothing_while_the_index_is_not_ready(
    tree: Tree, index: Index, server: InstantServer
) -> None:
    tree.write("OrderService.java")
    index.build(tree.path)
    index.rows("UPDATE workspace SET indexed_at = NULL")
    with Service(Scope((resolve_root(str(tree.path)),), str(index.path))) as service:
        answer = service.find("OrderSarvice")
    assert isinstance(answer, FindAnswer)
    assert (answer.reason, answer.near) == (Reason.SERVER_NOT_FULLY_READY, ())


@given(st.text(max_size=30))
def test_any_text_has_a_name_or_none(text: str) -> None:
    qualification, name = parted_name(text)
    assert "." not in name
    assert not qualification or name or "*" in text or "?" in text or "." in text


@given(st.sampled_from(NAMES[:5]), st.data())
def test_every_slip_of_a_long_name_is_put_right(
    service: Service, name: str, data: st.DataObject
) -> None:
    """One letter dropped, doubled, changed or swapped, wherever it stands."""
    place = data.draw(st.integers(0, len(name) - 2))
    before, letter, after = name[:place], name[place], name[place + 1 :]
    slip = data.draw(
        st.sampled_from(
            [
                before + after,
                before + letter + letter + after,
                before + "q" + after,
                before + after[0] + letter + after[1:],
            ]
        )
    )
    answer = service.find(slip)
    assert isinstance(answer, FindAnswer)
    found = [hit.name for hit in answer.hits] or [one.rpartition(".")[2] for one in answer.near]
    assert name in found
