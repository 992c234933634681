"""The two answers: from the index where it is sure, live where it is not, never a wrong line."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer import files
from indexer.errors import ServerStartFailed
from indexer.files import resolve_root
from indexer.store.reader import Reader
from query.contract import ErrorCode, FindAnswer, OutlineAnswer, Reason, ToolError
from query.service import Scope, Service
from tests.fakes.runtime import fake_runtime
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree

Open = Callable[..., Service]


@pytest.fixture
def serve(tree: Tree, index: Index, server: InstantServer) -> Iterator[Open]:
    """Open a service over the tree, or other folders."""
    opened: list[Service] = []

    def open_service(*roots: Path, explicit: bool = True) -> Service:
        named = tuple(resolve_root(str(root)) for root in roots or (tree.path,))
        opened.append(Service(Scope(named, str(index.path), explicit=explicit)))
        return opened[-1]

    yield open_service
    for service in opened:
        service.close()


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer) -> Tree:
    tree.write("src/shop/Order.java")
    tree.write(
        "src/shop/OrderService.java",
        "package shop;\n\nclass OrderService {\n  class Key {\n  }\n}\n",
    )
    tree.write("src/util/Strings.java", "package util;\ninterface Strings {\n}\n")
    index.build(tree.path)
    server.forget()
    return tree


def found(answer: FindAnswer | ToolError) -> list[str]:
    assert isinstance(answer, FindAnswer), answer
    return [f"{hit.container}.{hit.name}" for hit in answer.hits]


def reason(answer: FindAnswer | OutlineAnswer | ToolError) -> Reason | None:
    assert not isinstance(answer, ToolError), answer
    return answer.reason


def names(answer: OutlineAnswer | ToolError) -> list[str]:
    assert isinstance(answer, OutlineAnswer), answer
    return [node.name for node in answer.outline.symbols]


def code(answer: FindAnswer | OutlineAnswer | ToolError) -> ErrorCode:
    assert isinstance(answer, ToolError), answer
    return answer.code


# --- find ---------------------------------------------------------------------------------------


def test_find(shop: Tree, serve: Open) -> None:
    service = serve()
    answer = service.find("Key")
    assert isinstance(answer, FindAnswer)
    (hit,) = answer.hits
    assert (hit.name, hit.container, hit.kind.name) == ("Key", "shop.OrderService", "Class")
    assert hit.file == str(shop / "src/shop/OrderService.java")
    assert hit.document_uri == f"file://{hit.file}"
    assert hit.selection_range.lines == (4, 4)
    assert found(service.find("order")) == ["shop.Order", "shop.OrderService"]
    assert found(service.find("OrdSer")) == ["shop.OrderService"]
    assert found(service.find("util.*")) == ["util.Strings"]


def test_find_limits(shop: Tree, serve: Open) -> None:
    service = serve()
    cut = service.find("*", limit=2)
    assert isinstance(cut, FindAnswer)
    assert (len(cut.hits), cut.total) == (2, 4)
    assert len(found(service.find("*", limit=0))) == 4
    assert found(service.find("*", limit=2)) == found(service.find("*", limit=0))[:2]


@pytest.mark.parametrize("query", ["", "   ", "\t\n"])
def test_blank_query(shop: Tree, serve: Open, query: str) -> None:
    assert code(serve().find(query)) is ErrorCode.EMPTY_QUERY


@pytest.mark.parametrize(
    "query",
    [
        "%",
        "_",
        "Ord%",
        "O_der",
        "[P]rder",
        "Orderly'",
        "'; DROP TABLE file; --",
        "Ord\0er",
        "\ud800",
        "Order\udfff",
        "*\ud83d*",
        "\U0001f600",
        "x" * 10_000,
        "*" + "y" * 100_000 + "*",
        "a*" * 20_000 + "b",
        "?" * 10_000,
        "A" * 10_000,
        "a.b." * 5_000,
        "(" * 10_000,
        "<" * 10_000,
        "/" * 10_000,
    ],
    ids=itertools.count(),
)
def test_strange_queries_match_nothing(shop: Tree, serve: Open, query: str) -> None:
    for strict in (False, True):
        answer = serve().find(query, strict=strict)
        assert reason(answer) is Reason.WORKSPACE_SYMBOL_NO_MATCH, answer
        assert isinstance(answer, FindAnswer)
        assert len(answer.message) < 1000


@pytest.mark.parametrize("query", ["Order'", '"Order', "Order\\", "[O]rder", "Ord*'"])
def test_strict_queries_are_not_mended(shop: Tree, serve: Open, query: str) -> None:
    assert reason(serve().find(query, strict=True)) is Reason.WORKSPACE_SYMBOL_NO_MATCH
    assert "shop.Order" in found(serve().find(query))


def test_retry_takes_what_agents_send(shop: Tree, serve: Open) -> None:
    service = serve()
    for query in (
        "import shop.Order;",
        "src/shop/Order.java",
        "new Order<T>()",
    ):
        assert "shop.Order" in found(service.find(query)), query
    assert (
        reason(service.find("import shop.Order;", strict=True)) is Reason.WORKSPACE_SYMBOL_NO_MATCH
    )


def test_deleted_files_are_not_shown(shop: Tree, serve: Open) -> None:
    service = serve()
    (shop / "src/shop/Order.java").unlink()
    assert found(service.find("order")) == ["shop.OrderService"]
    (shop / "src/shop/OrderService.java").unlink()
    assert reason(service.find("order")) is Reason.WORKSPACE_SYMBOL_NO_MATCH


def test_changed_files_are_not_shown_but_named(shop: Tree, serve: Open) -> None:
    """Their lines are not known, and that they hold no such type is not known either."""
    service = serve()
    file = shop.write("src/shop/Order.java", "package shop;\n\n\nclass Order {\n}\n")
    answer = service.find("order")
    assert found(answer) == ["shop.OrderService"]
    assert isinstance(answer, FindAnswer)
    assert answer.total == 1
    assert "left out 1 in files that changed or went" in answer.provenance.detail
    shop.write("src/shop/OrderService.java", "package shop;\nclass OrderService { }\n")
    answer = service.find("order")
    assert isinstance(answer, FindAnswer)
    assert (answer.hits, answer.total, answer.reason) == ((), 0, Reason.SERVER_NOT_FULLY_READY)
    assert str(file) in answer.message
    assert "javadex index" in answer.message


def test_an_unreadable_change_counts_as_one(
    shop: Tree, serve: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("src/shop/Order.java", "changed")
    monkeypatch.setattr("query.freshness.read", _refuse)
    answer = serve().find("Order")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert isinstance(answer, FindAnswer)
    assert "src/shop/Order.java" in answer.message


def _refuse(path: str, **_: object) -> Any:
    raise PermissionError(13, "Permission denied", path)


def test_touched_files_are_shown(shop: Tree, serve: Open) -> None:
    os.utime(shop / "src/shop/Order.java")
    assert "shop.Order" in found(serve().find("Order"))


def test_an_edit_that_keeps_size_and_time_is_noticed(
    shop: Tree, index: Index, serve: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RACY_NS", 0)  # as if the file had been old when it was indexed
    index.build(shop.path)
    file = shop / "src/util/Strings.java"
    before = os.stat(file)
    file.write_bytes(file.read_bytes().replace(b"interface Strings {\n", b"\ninterface Strings {"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = os.stat(file)
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    answer = serve().find("Strings")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert names(serve().outline("src/util/Strings.java")) == ["util", "Strings"]


def test_no_answer_mixes_two_states(
    shop: Tree, index: Index, serve: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An indexer that commits between two readings of one question goes unseen."""
    look_up = Reader.find

    def after_a_run(reader: Reader, *arguments: Any) -> Any:
        monkeypatch.setattr(Reader, "find", look_up)
        shop.write("src/util/Strings.java", "package util;\n\n\n\n\ninterface Strings {\n}\n")
        index.build(shop.path)
        return look_up(reader, *arguments)

    monkeypatch.setattr(Reader, "find", after_a_run)
    service = serve()
    assert reason(service.find("Strings")) is Reason.SERVER_NOT_FULLY_READY
    answer = service.find("Strings")
    assert isinstance(answer, FindAnswer)
    assert [hit.selection_range.lines for hit in answer.hits] == [(6, 6)]


def test_without_an_index(tree: Tree, index: Index, serve: Open) -> None:
    answer = serve().find("Order")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert isinstance(answer, FindAnswer)
    assert f"no index at {index.path}" in answer.message


def test_a_folder_that_is_not_indexed(shop: Tree, serve: Open, tmp_path: Path) -> None:
    other = Tree(tmp_path / "other")
    answer = serve(other.path).find("Order")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert isinstance(answer, FindAnswer)
    assert f"{other.path} is not indexed yet" in answer.message
    assert found(serve(other.path, shop.path).find("Order"))[0] == "shop.Order"


def test_while_the_index_is_being_built(shop: Tree, index: Index, serve: Open) -> None:
    index.rows("UPDATE workspace SET indexed_at = NULL")
    service = serve()
    assert found(service.find("Order"))[0] == "shop.Order"
    answer = service.find("Nothing")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert isinstance(answer, FindAnswer)
    assert "still being indexed" in answer.message


def test_a_replaced_index_is_seen_at_the_next_call(
    shop: Tree, index: Index, serve: Open, tmp_path: Path
) -> None:
    service = serve()
    assert "shop.Order" in found(service.find("Order"))
    other = Tree(tmp_path / "other")
    other.write("Other.java")
    fresh = Index(tmp_path / "fresh.db")
    fresh.build(other.path)
    os.replace(fresh.path, index.path)
    assert reason(service.find("Order")) is Reason.SERVER_NOT_FULLY_READY
    index.path.unlink()
    assert reason(service.find("Order")) is Reason.SERVER_NOT_FULLY_READY
    index.build(shop.path)
    assert "shop.Order" in found(service.find("Order"))


def test_another_engine(
    shop: Tree, serve: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outlines of another version are not served; without any engine here they are."""
    for name, value in fake_runtime(tmp_path / "newer", version="10.0.0").items():
        monkeypatch.setenv(name, value)
    answer = serve().find("Order")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert isinstance(answer, FindAnswer)
    assert "was made by jdt.ls 9.9.0.fake, here is jdt.ls 10.0.0" in answer.message
    monkeypatch.delenv("JAVADEX_JDTLS")
    monkeypatch.setattr("indexer.jdtls.runtime._WHEEL_FOLDER", "nowhere")
    assert "shop.Order" in found(serve().find("Order"))
    assert names(serve().outline("src/shop/Order.java")) == ["src.shop", "Order"]


def test_a_folder_that_nobody_named_gives_way_to_the_indexed_one_around_it(
    shop: Tree, serve: Open
) -> None:
    service = serve(shop / "src/util", explicit=False)
    assert "shop.Order" in found(service.find("Order"))
    assert names(service.outline("src/shop/Order.java")) == ["src.shop", "Order"]
    assert reason(serve(shop / "src/util").find("Order")) is Reason.SERVER_NOT_FULLY_READY


def test_two_folders(shop: Tree, index: Index, serve: Open, tmp_path: Path) -> None:
    other = Tree(tmp_path / "other")
    other.write("src/shop/Order.java")
    index.build(shop.path, other.path)
    service = serve(shop.path, other.path)
    answer = service.find("Order")
    assert isinstance(answer, FindAnswer)
    assert sorted(hit.file for hit in answer.hits if hit.name == "Order") == [
        str(other / "src/shop/Order.java"),
        str(shop / "src/shop/Order.java"),
    ]
    assert len(found(serve(other.path).find("Order"))) == 1


# --- outline ------------------------------------------------------------------------------------


def test_outline_of_a_fresh_file_asks_nobody(
    shop: Tree, serve: Open, server: InstantServer
) -> None:
    for spelling in (
        "src/shop/Order.java",
        str(shop / "src/shop/Order.java"),
        f"file://{shop.path}/src/shop/Order.java",
    ):
        answer = serve().outline(spelling)
        assert names(answer) == ["src.shop", "Order"]
        assert isinstance(answer, OutlineAnswer)
        assert answer.provenance.source == "index"
        assert answer.file == str(shop / "src/shop/Order.java")
    assert server.starts == 0


def test_outline_after_an_edit_is_live_and_then_stored(
    shop: Tree, serve: Open, server: InstantServer
) -> None:
    shop.write("src/shop/Order.java", "package shop;\nenum Edited {\n}\n")
    service = serve()
    live, again = service.outline("src/shop/Order.java"), service.outline("src/shop/Order.java")
    assert names(live) == names(again) == ["shop", "Edited"]
    assert isinstance(live, OutlineAnswer)
    assert isinstance(again, OutlineAnswer)
    assert (live.provenance.source, again.provenance.source) == ("live", "index")
    assert "has another content of this file" in live.provenance.detail
    assert server.starts == 1


def test_outline_without_an_index_is_live_and_then_stored(
    tree: Tree, serve: Open, server: InstantServer
) -> None:
    tree.write("A.java")
    assert names(serve().outline("A.java")) == ["A"]
    assert names(serve().outline("A.java")) == ["A"]
    assert server.starts == 1
    assert reason(serve().find("A")) is Reason.SERVER_NOT_FULLY_READY


def test_outline_while_an_indexer_runs_is_given_but_not_stored(
    shop: Tree, index: Index, serve: Open, server: InstantServer
) -> None:
    from indexer.store.lock import writer_lock

    shop.write("src/shop/Order.java", "class Edited {\n}\n")
    with writer_lock(str(index.path), 0, lambda: None):
        assert names(serve().outline("src/shop/Order.java")) == ["Edited"]
        assert names(serve().outline("src/shop/Order.java")) == ["Edited"]
    assert server.starts == 2


def test_outline_of_failed_content_says_why_and_asks_nobody(
    shop: Tree, index: Index, serve: Open, server: InstantServer
) -> None:
    shop.write("Bad.java", "class Bad {} // poison")
    answer = serve().outline("Bad.java")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert isinstance(answer, OutlineAnswer)
    assert "poisoned" in answer.message
    assert reason(serve().outline("Bad.java")) is Reason.SERVER_NOT_FULLY_READY
    assert server.starts == 1


def test_outline_when_no_server_comes_up(
    shop: Tree, serve: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("query.live.live_outline", _no_server)
    shop.write("src/shop/Order.java", "class Edited {\n}\n")
    answer = serve().outline("src/shop/Order.java")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert isinstance(answer, OutlineAnswer)
    assert "exit code 13" in answer.message
    assert names(serve().outline("src/util/Strings.java")) == ["util", "Strings"]


def _no_server(*_: object) -> Any:
    raise ServerStartFailed("the language server ended with exit code 13")


def test_files_without_symbols(shop: Tree, serve: Open, server: InstantServer) -> None:
    shop.write("Empty.java", "")
    shop.write("Comment.java", "// nothing\n")
    shop.write("Script.kt", "class K")
    for name in ("Empty.java", "Comment.java", "Script.kt"):
        answer = serve().outline(name)
        assert reason(answer) is Reason.DOCUMENT_SYMBOL_PROVIDER_EMPTY, name
        assert isinstance(answer, OutlineAnswer)
        assert name in answer.message
    assert server.asked == ["Empty", "Comment"]


def test_huge_file(
    shop: Tree, serve: Open, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("query.service.MAX_FILE_SIZE", 100)
    shop.write("Big.java", "class Big { }" + " " * 100)
    answer = serve().outline("Big.java")
    assert reason(answer) is Reason.SERVER_NOT_FULLY_READY
    assert isinstance(answer, OutlineAnswer)
    assert "113 bytes, the limit is 100" in answer.message
    assert server.starts == 0


def test_name_that_is_not_utf8(shop: Tree, serve: Open) -> None:
    path = os.path.join(os.fsencode(shop.path), b"caf\xe9.java")
    with open(path, "w") as file:
        file.write("class Cafe { }")
    answer = serve().outline(os.fsdecode(path))
    assert reason(answer) is Reason.DOCUMENT_SYMBOL_PROVIDER_EMPTY
    assert isinstance(answer, OutlineAnswer)
    assert "not UTF-8" in answer.message
    assert code(serve().outline("caf\udcea.java")) is ErrorCode.FILE_NOT_FOUND


def test_missing_file_names_the_nearest(shop: Tree, serve: Open) -> None:
    answer = serve().outline("src/Order.java")
    assert code(answer) is ErrorCode.FILE_NOT_FOUND
    assert isinstance(answer, ToolError)
    assert "src/shop/Order.java" in answer.hint
    answer = serve().outline("src/shop/Order.java/x.java")
    assert code(answer) is ErrorCode.FILE_NOT_FOUND


def test_what_is_offered_for_a_missing_file_is_there(
    shop: Tree, index: Index, tmp_path: Path
) -> None:
    """Of several folders it is not the first that has it; what is gone is not offered."""
    other = Tree(tmp_path / "other")
    other.write("src/far/Stock.java")
    other.write("src/near/Stock.java")
    index.build(other.path)
    (other / "src/near/Stock.java").unlink()
    roots = tuple(resolve_root(str(path)) for path in (shop.path, other.path))
    with Service(Scope(roots, str(index.path))) as service:
        answer = service.outline(str(other / "src/near/Stock.java"))
        assert isinstance(answer, ToolError)
        offered = answer.hint.partition(": ")[2]
        assert offered == str(other / "src/far/Stock.java")
        assert names(service.outline(offered))


def test_long_texts_are_told_in_part(shop: Tree, serve: Open) -> None:
    for uri in (
        "x" * 100_000,
        "/" + "x" * 100_000,
        str(shop / ("y/" * 50_000)),
        "file:///" + "z" * 100_000,
    ):
        answer = serve().outline(uri)
        assert isinstance(answer, ToolError)
        assert len(answer.error) < 1000
    found = serve().find("Order", path="x" * 9_000)
    assert isinstance(found, FindAnswer)
    assert len(found.message) < 1000


def test_a_name_that_is_gone_is_not_offered(shop: Tree, serve: Open) -> None:
    service = serve()
    found = service.find("Ordr")
    assert isinstance(found, FindAnswer)
    assert found.near == ("src.shop.Order",)
    (shop / "src/shop/Order.java").unlink()
    found = service.find("Ordr")
    assert isinstance(found, FindAnswer)
    assert found.near == ()


@pytest.mark.parametrize("name", ["src", ".", "src/shop/", "Folder.java"])
def test_a_folder_is_no_file(shop: Tree, serve: Open, name: str) -> None:
    (shop / "Folder.java").mkdir()
    answer = serve().outline(name)
    assert code(answer) is ErrorCode.FILE_NOT_FOUND
    assert isinstance(answer, ToolError)
    assert "is a folder" in answer.error
    assert "pass the path of one in it" in answer.hint


def test_links_and_pipes(shop: Tree, serve: Open, tmp_path: Path) -> None:
    (tmp_path / "Secret.java").write_text("class Secret { }")
    (shop / "Out.java").symlink_to(tmp_path / "Secret.java")
    (shop / "In.java").symlink_to("src/shop/Order.java")
    (shop / "Loop.java").symlink_to("Loop.java")
    os.mkfifo(shop / "Pipe.java")
    assert code(serve().outline("Out.java")) is ErrorCode.OUTSIDE_WORKSPACE
    assert names(serve().outline("In.java")) == ["src.shop", "Order"]
    assert code(serve().outline("Loop.java")) is ErrorCode.FILE_SYSTEM_UNAVAILABLE
    assert code(serve().outline("Pipe.java")) is ErrorCode.FILE_SYSTEM_UNAVAILABLE
    assert code(serve().outline("x" * 10_000 + ".java")) in (
        ErrorCode.FILE_NOT_FOUND,
        ErrorCode.FILE_SYSTEM_UNAVAILABLE,
    )


def test_package_info_and_same_content_under_two_names(
    tree: Tree, index: Index, serve: Open, server: InstantServer
) -> None:
    tree.write("a/package-info.java", "package a;\n")
    tree.write("a/One.java", "package a;\n")
    tree.write("a/Two.java", "package a;\n")
    index.build(tree.path)
    server.forget()
    for name in ("package-info", "One", "Two"):
        assert names(serve().outline(f"a/{name}.java")) == ["a"]
    assert server.starts == 0


def test_a_file_in_two_folders_is_found_once(shop: Tree, serve: Open, index: Index) -> None:
    """Of workspace folders inside each other the inner one has the file."""
    shop.write("inner/Deep.java", "class Deep { }")
    inner = shop.path / "inner"
    index.build(shop.path, inner)
    answer = serve(shop.path, inner).find("Deep")
    assert isinstance(answer, FindAnswer)
    assert (answer.total, len(answer.hits)) == (1, 1)
