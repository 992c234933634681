"""The contract of the two tools over MCP: URIs, names, limits and errors of docs/tools.md."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from indexer.uris import file_uri
from query.mcp.calls import reply
from query.mcp.tools import FIND, MOST_HITS, MOST_NODES, OUTLINE, REFRESH, STATUS
from tests.support.cli import Javadex
from tests.support.mcp import Agent, talk
from tests.support.trees import Tree


def many(prefix: str, count: int) -> str:
    """A toy class of so many fields."""
    fields = "".join(f"  int {prefix}{number};\n" for number in range(count))
    return f"class {prefix.upper()} {{\n{fields}}}\n"


@pytest.fixture
def shop(tree: Tree) -> Tree:
    tree.write("src/Order.java", "class Order {\n  int total;\n  void pay() { }\n}\n")
    tree.write("src/OrderService.java", "class OrderService {\n}\n")
    tree.write("src/Deep.java", "class A { class B { class C { class D { class E { } } } } }\n")
    tree.write("src/Wide.java", many("f", 100))
    for number in range(70):
        tree.write(f"many/Type{number}.java", f"class Type{number} {{ }}\n")
    return tree


def test_an_answer_is_that_of_the_contract(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        found = await agent.find("OrderSer")
        path = str(shop / "src/OrderService.java")
        assert found == {
            "results": [
                {
                    "name": "OrderService",
                    "kind": "Class",
                    "documentUri": file_uri(path),
                    "file": path,
                    "outlineSupported": True,
                    "selectionRange": {"startLine": 1, "endLine": 1},
                }
            ],
            "total": 1,
        }
        outline = await agent.outline(found["results"][0]["documentUri"])
        assert outline["file"] == path
        assert outline["symbols"] == [
            {
                "name": "OrderService",
                "kind": "Class",
                "startLine": 1,
                "endLine": 2,
                "readFileRange": {"offset": 1, "limit": 2},
                "range": "L1-2",
            }
        ]

    talk(javadex, scenario, "--root", shop.path)


def test_the_metadata_says_where_an_answer_came_from(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        found = await agent.result(FIND, {"query": "Order"})
        assert found.meta
        assert (found.meta["source"], found.meta["state"]) == ("index", "fresh")
        assert found.meta["indexedAt"]
        uri = str(shop.write("src/Order.java", "class Order { int other; }"))
        outline = await agent.result(OUTLINE, {"uri": uri})
        assert outline.meta
        assert (outline.meta["source"], outline.meta["state"]) == ("live", "changed")
        again = await agent.result(OUTLINE, {"uri": uri})
        assert again.meta
        assert (again.meta["source"], again.meta["state"]) == ("index", "fresh")

        nowhere = await agent.result(FIND, {"query": "Nowhere"})
        assert nowhere.meta
        assert nowhere.meta["source"] == "index"

    talk(javadex, scenario, "--root", shop.path)


def test_a_path_that_is_no_unicode(javadex: Javadex, tree: Tree) -> None:
    """It is told of with escapes in the place of its bytes."""
    with open(os.fsencode(tree.path) + b"/Caf\xe9.java", "w", encoding="utf-8") as file:
        file.write("class Latin { }\n")

    async def scenario(agent: Agent) -> None:
        await agent.ready()
        uri = f"{file_uri(str(tree.path))}/Caf%E9.java"
        assert "Caf\\udce9.java" in (await agent.outline(uri))["message"]

    talk(javadex, scenario, "--root", tree.path)


def test_a_reply_holds_escapes_for_what_is_no_unicode() -> None:
    made = reply({"results": [{"file": "/caf\udce9/Größe.java"}], "total": 1})
    assert made.document == {"results": [{"file": "/caf\\udce9/Größe.java"}], "total": 1}
    assert json.loads(made.text.encode("utf-8")) == made.document


def test_limits_are_clamped(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        for limit, count in ((0, 1), (-5, 1), (7.0, 7), (10**30, MOST_HITS)):
            found = await agent.find("Type*", limit=limit)
            assert (len(found["results"]), found["total"], found["truncated"]) == (count, 70, True)
        for limit, count in ((0, 1), (-5, 1), (10**30, MOST_NODES)):
            outline = await agent.outline("src/Wide.java", limit=limit)
            (wide,) = outline["symbols"]
            assert (1 + len(wide.get("children", [])), outline["truncated"]) == (count, True)

    talk(javadex, scenario, "--root", shop.path)


def test_an_outline_is_four_levels_deep_and_says_so(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        outline = await agent.outline("src/Deep.java", limit=60)
        depth, node = 0, outline["symbols"]
        while node:
            depth, node = depth + 1, node[0].get("children")
        assert (depth, outline["truncated"]) == (4, True)
        assert "truncated" not in await agent.outline("src/Order.java")

    talk(javadex, scenario, "--root", shop.path)


def test_no_more_characters_than_asked_for(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        for tool, arguments, whole in (
            (FIND, {"query": "Type*", "limit": 50}, 70),
            (OUTLINE, {"uri": "src/Wide.java", "limit": 60}, 101),
        ):
            for most in (500, 1000, 5000):
                result = await agent.result(tool, arguments | {"maxChars": most})
                (block,) = result.content
                assert len(block.text) <= most  # type: ignore[union-attr]
                document = result.structured_content
                assert document["truncated"]
                shown = len(document["results"]) if tool == FIND else nodes(document["symbols"])
                assert document["omitted"] == whole - shown > 0
                assert shown or most < 1000
        assert "omitted" not in await agent.find("Type*")

    talk(javadex, scenario, "--root", shop.path)


def test_a_path_longer_than_what_was_asked_for_stays_whole(javadex: Javadex, tree: Tree) -> None:
    path = tree.write(f"{'漢字' * 20}/{'漢字' * 20}/Long.java", "class Long { int a; }\n")

    async def scenario(agent: Agent) -> None:
        await agent.ready()
        assert await agent.outline(str(path), maxChars=500) == {
            "documentUri": file_uri(str(path)),
            "file": str(path),
            "symbols": [],
            "truncated": True,
            "omitted": 2,
        }
        assert await agent.find("Long", maxChars=500) == {
            "results": [],
            "total": 1,
            "truncated": True,
            "omitted": 1,
        }

    talk(javadex, scenario, "--root", tree.path)


def nodes(symbols: list[Any]) -> int:
    return sum(1 + nodes(symbol.get("children", [])) for symbol in symbols)


def test_members_declarations_and_paths(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        (pay,) = (await agent.find("Order#pay", declarations=True))["results"]
        assert (pay["signature"], pay["readFileRange"]) == ("pay()", {"offset": 3, "limit": 1})
        assert await agent.names("tot*", kinds=["field"]) == ["total"]
        assert await agent.names("tot*", kinds="fields") == ["total"]
        assert (await agent.find("Order", path="many/*"))["reason"] == "workspaceSymbolNoMatch"

    talk(javadex, scenario, "--root", shop.path)


def test_folders_of_one_workspace(javadex: Javadex, tmp_path: Path) -> None:
    """Every URI that find gives leads back; names of folders select, and two alike do not."""
    one, two, three = (Tree(tmp_path / path) for path in ("a/one", "b/two", "c/two"))
    for folder in (one, two, three):
        folder.write("x y/Größe.java", "class Größe { }")
    two.write("Two.java", "class Two { }")

    async def scenario(agent: Agent) -> None:
        await agent.ready()
        found = (await agent.find("Größe"))["results"]
        assert len(found) == 3
        for hit in found:
            outline = await agent.outline(hit["documentUri"])
            assert (outline["documentUri"], outline["file"]) == (hit["documentUri"], hit["file"])
            assert [symbol["name"] for symbol in outline["symbols"]] == ["Größe"]
        assert {hit["file"] for hit in found} == {
            str(folder / "x y/Größe.java") for folder in (one, two, three)
        }
        first = await agent.outline("x y/Größe.java")
        assert first["file"] == str(one / "x y/Größe.java")
        named = await agent.outline("other/x y/Größe.java")
        assert named["file"] == str(three / "x y/Größe.java")
        assert (await agent.outline("one/x y/Größe.java"))["file"].startswith(str(one.path))

    roots = ("--root", one.path, "--root", two.path, "--root", f"other={three.path}")
    talk(javadex, scenario, *roots)

    async def ambiguous(agent: Agent) -> None:
        await agent.ready()
        error = await agent.failure(OUTLINE, uri="two/Two.java")
        assert error["errorCode"] == "ambiguousWorkspacePath"
        assert error["hint"]

    talk(javadex, ambiguous, "--root", one.path, "--root", two.path, "--root", three.path)


def test_what_names_no_file_of_the_workspace(javadex: Javadex, shop: Tree, tmp_path: Path) -> None:
    outside = tmp_path / "Outside.java"
    outside.write_text("class Outside { }", "utf-8")
    (shop / "src/Link.java").symlink_to(outside)
    inside = file_uri(str(shop / "src/Order.java"))

    async def scenario(agent: Agent) -> None:
        await agent.ready()
        for uri, code in (
            ("jdt://contents/java.base/java.lang/String.class?=x", "unsupportedUriScheme"),
            ("untitled:Untitled-1", "unsupportedUriScheme"),
            ("https://example.org/Order.java", "unsupportedUriScheme"),
            ("file://", "unsupportedUriScheme"),
            (str(outside), "outsideWorkspace"),
            (file_uri(str(outside)), "outsideWorkspace"),
            ("../Outside.java", "outsideWorkspace"),
            ("src/../../Outside.java", "outsideWorkspace"),
            (f"{inside.removesuffix('src/Order.java')}%2e%2e/Outside.java", "outsideWorkspace"),
            ("src/Link.java", "outsideWorkspace"),
            ("src/Nothing.java", "fileNotFound"),
            ("src", "fileNotFound"),
            ("", "fileNotFound"),
            ("   ", "fileNotFound"),
            ("\0", "fileNotFound"),
        ):
            error = await agent.failure(OUTLINE, uri=uri)
            assert (uri, error["errorCode"]) == (uri, code)
            assert error["error"]
            assert error["hint"]
        nothing = await agent.failure(OUTLINE, uri="src/Ordr.java")
        assert "src/Order.java" in nothing["hint"]
        # One slash after the scheme is a path without an authority (RFC 8089).
        bare = await agent.outline(inside.replace("file:///", "file:/"))
        assert bare["documentUri"] == inside
        assert (await agent.outline(f"  {inside}\n"))["documentUri"] == inside

    talk(javadex, scenario, "--root", shop.path)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    (FIND, {}, "query"),
    (FIND, {"query": None}, "query"),
    (FIND, {"query": 5}, "query"),
    (FIND, {"query": ["Order"]}, "query"),
    (FIND, {"query": "Order", "limit": "5"}, "limit"),
    (FIND, {"query": "Order", "limit": 2.5}, "limit"),
    (FIND, {"query": "Order", "limit": True}, "limit"),
    (FIND, {"query": "Order", "kinds": ["clas"]}, "kinds"),
    (FIND, {"query": "Order", "kinds": {"a": 1}}, "kinds"),
    (FIND, {"query": "Order", "kinds": [1]}, "kinds"),
    (FIND, {"query": "Order", "declarations": "yes"}, "declarations"),
    (FIND, {"query": "Order", "declarations": 1}, "declarations"),
    (FIND, {"query": "Order", "path": 7}, "path"),
    (FIND, {"query": "Order", "path": "x" * 20_000}, "path"),
    (FIND, {"query": "Order", "maxChars": "many"}, "maxChars"),
    (FIND, {"query": "Order", "scope": "all"}, "scope"),
    (OUTLINE, {}, "uri"),
    (OUTLINE, {"uri": 5}, "uri"),
    (OUTLINE, {"file": "src/Order.java"}, "file"),
    (REFRESH, {"wait": "long"}, "wait"),
    (STATUS, {"deep": True}, "deep"),
]


def test_wrong_parameters_are_results_that_help(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        for tool, arguments, name in WRONG:
            error = await agent.failure(tool, **arguments)
            assert (arguments, error["errorCode"]) == (arguments, "invalidParameter")
            assert f"`{name}`" in error["error"]
            assert error["hint"]
        for blank in ("", "  ", "\t\n", "\u3000"):
            assert (await agent.failure(FIND, query=blank))["errorCode"] == "emptyQuery"
        unknown = await agent.result("lsp_java_rename", {})
        assert unknown.is_error
        assert OUTLINE in unknown.structured_content["hint"]
        assert await agent.names("Order") == ["Order", "OrderService"]

    talk(javadex, scenario, "--root", shop.path)


def test_a_query_that_nobody_means(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        for query in (
            "x" * 100_000,
            "\0",
            "a\u202eb",
            "****",
            "[(",
            "'; DROP TABLE type; --",
            "😀",
        ):
            found = await agent.find(query)
            assert found.get("results") is not None, query
        assert await agent.names("Order") == ["Order", "OrderService"]

    talk(javadex, scenario, "--root", shop.path)
