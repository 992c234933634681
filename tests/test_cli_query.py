"""`javadex find` and `javadex outline`: documents, batches, exit codes, and a light start."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Console, Javadex, Result, without_root_powers
from tests.support.indexing import InstantServer
from tests.support.trees import Tree


@pytest.fixture
def shop(tree: Tree, console: Console, server: InstantServer) -> Tree:
    tree.write(
        "src/shop/Order.java", "package shop;\nclass Order {\n  int x;\n  void run() {}\n}\n"
    )
    tree.write("src/shop/OrderItem.java", "package shop;\nclass OrderItem {\n}\n")
    tree.write("with space/B#1 100% ü.java", "class B {\n}\n")
    assert console.run("index", tree.path).code == 0
    server.forget()
    return tree


@pytest.fixture
def ask(shop: Tree, console: Console) -> Any:
    """Run a command on the shop."""

    def run(command: str, *arguments: object, **options: Any) -> Result:
        return console.run(command, "--root", shop.path, *arguments, **options)

    return run


# --- documents ----------------------------------------------------------------------------------


def test_find_json(shop: Tree, ask: Any) -> None:
    run = ask("find", "order", "--json", "--limit", 1)
    file = str(shop / "src/shop/Order.java")
    assert (run.code, run.stderr) == (0, "")
    assert (
        run.stdout
        == json.dumps(
            {
                "results": [
                    {
                        "name": "Order",
                        "kind": "Class",
                        "container": "shop",
                        "documentUri": f"file://{file}",
                        "file": file,
                        "outlineSupported": True,
                        "selectionRange": {"startLine": 2, "endLine": 2},
                    }
                ],
                "total": 2,
                "truncated": True,
            },
            indent=2,
        )
        + "\n"
    )


def test_outline_json(shop: Tree, ask: Any) -> None:
    run = ask("outline", "src/shop/Order.java", "--json")
    assert (run.code, run.stderr) == (0, "")
    document = run.json
    assert list(document) == ["documentUri", "file", "symbols"]
    assert run.stdout == json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    assert [node["name"] for node in document["symbols"]] == ["shop", "Order"]
    assert [node["range"] for node in document["symbols"][1]["children"]] == ["L3-3", "L4-4"]


def test_names_that_need_encoding(shop: Tree, ask: Any) -> None:
    (result,) = ask("find", "B", "--json").json["results"]
    assert result["file"] == str(shop / "with space/B#1 100% ü.java")
    assert result["documentUri"] == f"file://{shop.path}/with%20space/B%231%20100%25%20ü.java"
    for spelling in (result["file"], result["documentUri"], "with space/B#1 100% ü.java"):
        assert ask("outline", spelling, "--json").json["documentUri"] == result["documentUri"]


def test_text(shop: Tree, ask: Any) -> None:
    run = ask("find", "order")
    assert run.stdout.splitlines() == [
        f"{shop.path}/src/shop/Order.java:2      Class      shop.Order",
        f"{shop.path}/src/shop/OrderItem.java:2  Class      shop.OrderItem",
    ]
    run = ask("outline", "src/shop/Order.java")
    assert run.stdout.splitlines() == [
        f"{shop.path}/src/shop/Order.java",
        "  L1-1  Package shop",
        "  L2-5  Class Order",
        "  L3-3    Field x",
        "  L4-4    Method run()",
    ]


def test_explain(shop: Tree, ask: Any) -> None:
    plain, explained = (ask("find", "OrIt", "--json", *more).json for more in ([], ["--explain"]))
    assert list(explained) == [*plain, "_meta"]
    meta = explained["_meta"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", meta.pop("indexedAt"))
    assert meta == {"source": "index", "state": "fresh", "detail": "matched as given"}
    run = ask("outline", "src/shop/Order.java", "--json", "--explain")
    assert run.json["_meta"] == {"source": "index", "state": "fresh"}
    shop.write("src/shop/Order.java", "class Edited {\n}\n")
    meta = ask("outline", "src/shop/Order.java", "--json", "--explain").json["_meta"]
    assert meta == {
        "source": "live",
        "state": "changed",
        "detail": "the index has another content of this file",
    }
    run = ask("find", "OrIt", "--explain")
    assert re.fullmatch(
        r"javadex: \S+ changed since the last run, indexing what is new\n"
        r"javadex: source: index, state: fresh, indexedAt: \S+, detail: matched as given; \S+ "
        r"changed since the last run and was indexed anew\n",
        run.stderr,
    )
    assert "_meta" not in ask("find", "", "--json", "--explain").json


# --- limits -------------------------------------------------------------------------------------


@pytest.fixture
def many(tree: Tree, console: Console, server: InstantServer) -> Tree:
    for number in range(25):
        tree.write(f"src/T{number:02}.java")
    fields = " ".join(f"int f{number};" for number in range(40))
    tree.write("src/Wide.java", f"class Wide {{ {fields} }}\n")
    assert console.run("index", tree.path).code == 0
    return tree


@pytest.mark.parametrize(
    ("limit", "shown"),
    [([], 20), (["--limit", "0"], 25), (["--limit=7"], 7), (["--limit", "99"], 25)],
)
def test_limits(many: Tree, console: Console, limit: list[str], shown: int) -> None:
    document = console.run("find", "T", "--root", many.path, "--json", *limit).json
    assert (len(document["results"]), document["total"]) == (shown, 25)
    assert document.get("truncated", False) == (shown < 25)
    wide = console.run("outline", "src/Wide.java", "--root", many.path, "--json", *limit)
    nodes = wide.stdout.count('"kind"')
    assert nodes == min(41, {25: 41, 7: 7, 20: 20}[shown])
    assert wide.json.get("truncated", False) == (nodes < 41)


@pytest.mark.parametrize("command", [["find", "T"], ["outline", "src/Wide.java"]])
@pytest.mark.parametrize("limit", ["-1", "x", "1.5", ""])
def test_bad_limits(many: Tree, console: Console, command: list[str], limit: str) -> None:
    run = console.run(*command, "--root", many.path, "--json", f"--limit={limit}")
    assert run.code == 2
    assert list(run.json) == ["error", "errorCode"]
    assert "--limit" in run.stderr


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "code"),
    [
        (["find", ""], "emptyQuery", 2),
        (["find", "  "], "emptyQuery", 2),
        (["outline", "src/Order.java"], "fileNotFound", 1),
        (["outline", "src"], "fileNotFound", 1),
        (["outline", "../x.java"], "outsideWorkspace", 2),
        (["outline", "/etc/passwd"], "outsideWorkspace", 2),
        (["outline", "Link.java"], "outsideWorkspace", 2),
        (["outline", "jdt://contents/x.class"], "unsupportedUriScheme", 2),
        (["outline", "untitled:Untitled-1"], "unsupportedUriScheme", 2),
        (["outline", "http://example.org/A.java"], "unsupportedUriScheme", 2),
        (["outline", "file://host/A.java"], "unsupportedUriScheme", 2),
        (["outline", "Loop.java"], "fileSystemUnavailable", 1),
    ],
)
def test_errors(shop: Tree, ask: Any, arguments: list[str], error: str, code: int) -> None:
    (shop / "Link.java").symlink_to("/etc/passwd")
    (shop / "Loop.java").symlink_to("Loop.java")
    run = ask(*arguments, "--json")
    assert (run.code, run.json["errorCode"]) == (code, error)
    assert list(run.json) == ["error", "errorCode", "hint"]
    text = ask(*arguments)
    assert (text.code, text.stdout) == (code, "")
    assert f"({error})" in text.stderr
    assert run.json["hint"] in text.stderr


def test_file_not_found_names_the_nearest(shop: Tree, ask: Any) -> None:
    hint = ask("outline", "Order.java", "--json").json["hint"]
    assert hint == f"nearest indexed files: {shop / 'src/shop/Order.java'}"


def test_permission_denied(tree: Tree, javadex: Javadex) -> None:
    tree.write("A.java")
    assert javadex.run("index", tree.path).code == 0
    (tree / "A.java").chmod(0)
    run = javadex.run(
        "outline", "A.java", "--root", tree.path, "--json", preexec=without_root_powers
    )
    assert (run.code, run.json["errorCode"]) == (1, "permissionDenied")


def test_ambiguous_display_name(shop: Tree, console: Console, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    roots = ["--root", f"x={shop.path}", "--root", f"x={tmp_path / 'other'}"]
    run = console.run("outline", "x/src/shop/Order.java", *roots, "--json")
    assert (run.code, run.json["errorCode"]) == (2, "ambiguousWorkspacePath")


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["find", "Nothing"], 1, "workspaceSymbolNoMatch"),
        (["outline", "Empty.java"], 0, "documentSymbolProviderEmpty"),
        (["outline", "Script.kt"], 0, "documentSymbolProviderEmpty"),
        (["outline", "Bad.java"], 4, "serverNotFullyReady"),
        (["find", "Nothing", "--db", "none.db"], 3, "serverNotFullyReady"),
    ],
)
def test_empty_answers(
    shop: Tree,
    ask: Any,
    arguments: list[str],
    code: int,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("Empty.java", ""),
        ("Script.kt", "class K"),
        ("Bad.java", "class Bad {} // poison"),
    ):
        shop.write(name, text)
    run = ask(*arguments, "--json")
    items = "results" if arguments[0] == "find" else "symbols"
    assert (run.code, run.json[items], run.json["reason"]) == (code, [], reason)
    assert list(run.json) == [items, "reason", "message"]
    text = ask(*arguments)
    assert (text.code, text.stdout) == (code, "")
    assert text.stderr == f"javadex: {run.json['message']} ({reason})\n"


def test_usage(ask: Any, shop: Tree) -> None:
    for arguments in (
        ["find"],
        ["outline"],
        ["find", "A", "B"],
        ["find", "A", "--nonsense"],
        ["frob"],
    ):
        run = ask(*arguments, "--json")
        assert run.code == 2
        assert run.json["errorCode"] == "usageError"
    run = ask("find", "A", "--batch", "-")
    assert run.code == 2
    assert "pass either QUERY or --batch" in run.stderr
    assert ask("find", "--batch", shop / "none.txt").code == 2


STRANGE = [
    "%",
    "_",
    "[Q]",
    "O'rder",
    '"',
    "\\",
    "x" * 10_000,
    "*" * 5_000 + "q",
    "\udcff",
    "a\nb",
    "--",
]


@pytest.mark.parametrize("query", STRANGE, ids=range(len(STRANGE)))
def test_strange_queries(ask: Any, query: str) -> None:
    run = ask("find", "--json", "--strict", "--", query)
    assert (run.code, run.json["reason"]) == (1, "workspaceSymbolNoMatch")
    assert ask("find", "--", query).code == 1


def test_bytes_that_are_not_utf8_on_the_command_line(shop: Tree, javadex: Javadex) -> None:
    javadex.run("index", shop.path)
    run = javadex.run("find", os.fsdecode(b"caf\xe9"), "--root", shop.path, "--json")
    assert (run.code, run.json["reason"]) == (1, "workspaceSymbolNoMatch")
    run = javadex.run("outline", os.fsdecode(b"caf\xe9.java"), "--root", shop.path, "--json")
    assert (run.code, run.json["errorCode"]) == (1, "fileNotFound")
    run = javadex.run(
        "find", "--batch", "-", "--root", shop.path, stdin=b"Order\ncaf\xe9\nNo\0pe\nOrderItem\n"
    )
    assert [len(document["results"]) for document in run.lines] == [2, 0, 0, 1]


# --- batches ------------------------------------------------------------------------------------


def test_batch_from_a_file(shop: Tree, ask: Any, tmp_path: Path) -> None:
    queries = ["OrderItem", "", "Nothing", "Order", "shop.*", "größe"]
    (tmp_path / "queries.txt").write_text("\n".join(queries), "utf-8")
    run = ask("find", "--batch", tmp_path / "queries.txt", "--limit", 1)
    assert (run.code, run.stderr) == (0, "")
    assert len(run.lines) == len(queries)
    for query, document in zip(queries, run.lines, strict=True):
        assert document == ask("find", query, "--json", "--limit", 1).json
    assert ": " not in run.stdout.splitlines()[1]  # compact
    assert [next(iter(document)) for document in run.lines] == [
        "results",
        "error",
        "results",
        "results",
        "results",
        "results",
    ]


def test_batch_from_stdin(shop: Tree, ask: Any) -> None:
    lines = [
        "src/shop/Order.java",
        "none.java",
        "../x.java",
        "jdt://x",
        f"file://{shop.path}/src/shop/OrderItem.java",
    ]
    run = ask("outline", "--batch", "-", "--json", "--explain", stdin="\r\n".join(lines).encode())
    assert run.code == 0
    assert [document.get("errorCode") for document in run.lines] == [
        None,
        "fileNotFound",
        "outsideWorkspace",
        "unsupportedUriScheme",
        None,
    ]
    fresh = {"source": "index", "state": "fresh"}
    assert [document.get("_meta") for document in run.lines[::4]] == [fresh] * 2
    assert run.lines[4]["symbols"][1]["name"] == "OrderItem"


def test_empty_batch(ask: Any) -> None:
    run = ask("find", "--batch", "-", stdin=b"")
    assert (run.code, run.stdout) == (0, "")


def test_a_batch_sees_edits_between_its_lines(tree: Tree, javadex: Javadex) -> None:
    tree.write("A.java", "class A {\n}\n")
    javadex.run("index", tree.path)
    with javadex.start("outline", "--batch", "-", "--root", tree.path) as process:
        assert process.stdin
        assert process.stdout
        answers = []
        for name in ("A", "Edited"):
            tree.write("A.java", f"class {name} {{\n}}\n")
            process.stdin.write(b"A.java\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline())["symbols"][0]["name"])
    assert answers == ["A", "Edited"]


def test_whoever_reads_may_stop_early(many: Tree, javadex: Javadex) -> None:
    javadex.run("index", many.path)
    with javadex.start("find", "--batch", "-", "--limit", 0, "--root", many.path) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        process.stdin.write(b"*\n" * 200)
        process.stdin.close()
        process.stdin = process.stdout = None
        assert process.wait(20) == 0
        assert process.stderr
        assert process.stderr.read() == b""


# --- live ---------------------------------------------------------------------------------------


def test_an_edit_is_live_once_and_then_stored(tree: Tree, javadex: Javadex) -> None:
    tree.write("A.java", "class A {\n}\n")
    javadex.run("index", tree.path)
    tree.write("A.java", "\n\nclass Edited {\n}\n")
    common = ["--root", tree.path, "--json", "--explain"]
    live = javadex.run("outline", "A.java", *common).json
    assert (live["symbols"][0]["range"], live["_meta"]["source"]) == ("L3-4", "live")
    javadex.faults(exit_at_start={"code": 13, "stderr": "no"})
    stored = javadex.run("outline", "A.java", *common).json
    assert (stored["symbols"], stored["_meta"]["source"]) == (live["symbols"], "index")
    asked = javadex.asked  # twice each: only two equal answers count
    assert [*dict.fromkeys(asked)] == ["A", "Edited"]
    assert javadex.servers() == []
    assert list(javadex.temporary.iterdir()) == []


def test_a_server_that_dies_is_reported(tree: Tree, javadex: Javadex) -> None:
    tree.write("A.java", "class A {\n}\n")
    javadex.faults(exit_at_start={"code": 13, "stderr": "no room on this machine"})
    run = javadex.run("outline", "A.java", "--root", tree.path, "--json")
    assert (run.code, run.json["reason"]) == (4, "serverNotFullyReady")
    assert "exit code 13" in run.json["message"]
    assert "no room on this machine" in run.json["message"]


# --- start-up -----------------------------------------------------------------------------------

HEAVY = ("lsprotocol", "sqlite_utils", "tqdm", "mcp", "asyncio", "cattrs", "filelock")

_PROBE = """
import sys
from query.cli import main
try:
    main(sys.argv[2:])
except SystemExit as exc:
    assert not exc.code, exc.code
print(*(name for name in sys.argv[1].split(",") if name in sys.modules), file=sys.stderr)
"""


def test_a_fresh_entry_imports_nothing_heavy(tree: Tree, javadex: Javadex) -> None:
    tree.write("A.java")
    assert javadex.run("index", tree.path).code == 0
    for command in (["find", "A"], ["find", "A", "--json", "--strict"], ["outline", "A.java"]):
        run = subprocess.run(
            [sys.executable, "-c", _PROBE, ",".join(HEAVY), *command, "--root", tree.path],
            env=javadex.env,
            cwd=javadex.folder,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert "A" in run.stdout
        assert run.stderr.split() == [], command


# --- members, kinds, paths ----------------------------------------------------------------------


@pytest.fixture
def depot(tree: Tree, console: Console, server: InstantServer) -> Any:
    """Run `find` on a few types with members; gives the answer's hits as one text each."""
    tree.write(
        "src/shop/Order.java",
        "package shop;\nclass Order {\n  int orderCount;\n  void run() {}\n"
        "  class Line {\n    void run() {}\n  }\n}\n",
    )
    tree.write("src/shop/OrderKind.java", "package shop;\nenum OrderKind {\n  void order() {}\n}\n")
    tree.write("lib/net/Orders.java", "package net;\ninterface Orders {\n}\n")
    assert console.run("index", tree.path).code == 0

    def run(*arguments: object) -> Result:
        return console.run("find", "--root", tree.path, *arguments)

    return run


def shown(run: Result) -> list[str]:
    assert (run.code, run.stderr) == (0, "")
    return [
        f"{hit['kind']} {hit['container']}.{hit.get('signature', hit['name'])}"
        for hit in run.json["results"]
    ]


TYPES = ["Class shop.Order", "Interface net.Orders", "Enum shop.OrderKind"]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ([], TYPES),
        (["type"], TYPES),
        (["types"], TYPES),
        (["class"], TYPES[:1]),
        (["classes"], TYPES[:1]),
        (["interface"], TYPES[1:2]),
        (["enums"], TYPES[2:]),
        (["class", "enum"], ["Class shop.Order", "Enum shop.OrderKind"]),
        (["method"], ["Method shop.OrderKind.order()"]),
        (["field"], ["Field shop.Order.orderCount"]),
        (["members"], ["Method shop.OrderKind.order()", "Field shop.Order.orderCount"]),
        (["methods", "interfaces"], ["Method shop.OrderKind.order()", "Interface net.Orders"]),
    ],
)
def test_kinds(depot: Any, kinds: list[str], expected: list[str]) -> None:
    options = [part for kind in kinds for part in ("--kind", kind)]
    run = depot("order", "--json", *options)
    assert shown(run) == expected
    assert run.json["total"] == len(expected)


@pytest.mark.parametrize("kind", ["constructor", "constants"])
def test_kinds_that_nothing_is_of(depot: Any, kind: str) -> None:
    run = depot("order", "--kind", kind, "--json")
    assert (run.code, run.json["reason"]) == (1, "workspaceSymbolNoMatch")


@pytest.mark.parametrize("kind", ["", "Foo", "clas", "type,class", "\udcff"])
def test_unknown_kinds_are_refused(depot: Any, kind: str) -> None:
    run = depot("order", "--kind", "type", "--kind", kind, "--json")
    assert run.code == 2
    assert list(run.json) == ["error", "errorCode"]
    assert "--kind" in run.json["error"]
    assert "type, class, interface, enum, member" in run.stderr


def test_members_as_text(depot: Any, tree: Tree) -> None:
    run = depot("Order#run")
    assert run.stdout == f"{tree.path}/src/shop/Order.java:4  Method     shop.Order.run()\n"
    assert depot("Line.run", "--limit", 1).stdout.endswith("shop.Order.Line.run()\n")
    run = depot("run", "--kind", "method", "--limit", 1)
    assert run.stdout.splitlines()[-1] == "... 1 more of 2 (--limit 0 shows all)"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("lib/*", TYPES[1:2]),
        ("*/OrderKind.java", TYPES[2:]),
        ("src/*", [TYPES[0], TYPES[2]]),
        ("", TYPES),
    ],
)
def test_paths(depot: Any, path: str, expected: list[str]) -> None:
    assert shown(depot("order", "--json", "--path", path)) == expected


@pytest.mark.parametrize("path", ["nowhere/*", "[", "%", "'", "x" * 9_000])
def test_paths_that_nothing_lies_at(depot: Any, path: str) -> None:
    run = depot("order", "--path", path, "--json")
    assert (run.code, run.json["reason"]) == (1, "workspaceSymbolNoMatch")


@pytest.mark.parametrize("path", ["\udce9*", "x" * 60_000], ids=["not UTF-8", "too long"])
def test_paths_that_cannot_be(depot: Any, path: str) -> None:
    run = depot("order", "--path", path, "--json")
    assert (run.code, run.json["errorCode"]) == (2, "invalidParameter")
    assert "`path`" in run.json["error"]


def test_declarations(depot: Any) -> None:
    (plain,) = depot("Line", "--json").json["results"]
    (more,) = depot("Line", "--json", "--declarations").json["results"]
    assert more == {**plain, "readFileRange": {"offset": 5, "limit": 3}}
    assert list(more) == [*plain, "readFileRange"]
    (method,) = depot("Line#run", "--json", "--declarations").json["results"]
    assert list(method)[-2:] == ["signature", "readFileRange"]
    assert method["readFileRange"] == {"offset": 6, "limit": 1}


def test_source_methods(depot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert depot("run", "--json").code == 1
    expected = ["Method shop.Order.run", "Method shop.Order$Line.run"]
    assert shown(depot("run", "--json", "--source-methods")) == expected
    assert shown(depot("run", "--json", "--source-methods", "--strict")) == expected
    for value, code in (("1", 0), ("true", 0), ("0", 1), ("false", 1), ("", 1)):
        monkeypatch.setenv("JAVADEX_SOURCE_METHODS", value)
        assert depot("run", "--json").code == code, value
    monkeypatch.setenv("JAVADEX_SOURCE_METHODS", "maybe")
    run = depot("run", "--json")
    assert run.code == 2
    assert "JAVADEX_SOURCE_METHODS" in run.stderr or "--source-methods" in run.stderr


def test_scope(depot: Any) -> None:
    for scope in ("source", "all"):
        assert shown(depot("order", "--json", "--scope", scope)) == TYPES
    run = depot("order", "--json", "--scope", "everything")
    assert run.code == 2
    assert "--scope" in run.stderr


def test_limits_beyond_what_sqlite_counts(depot: Any) -> None:
    run = depot("order", "--json", "--limit", 10**30)
    assert run.code == 2
    assert "limit" in run.json["error"]


# --- the forms that agents send -----------------------------------------------------------------

FORMS = [
    ("shop.Order", "as given"),
    ("com.foo.Order", "as 'Order'"),
    ("Order.java", "as 'Order'"),
    ("Order.class", "as 'Order'"),
    ("Order<String>", "as 'Order'"),
    ("new Order()", "as 'Order'"),
    ("new Order<>(1)", "as 'Order'"),
    ("@Order", "as 'Order'"),
    ("Order[]", "as 'Order'"),
    ("import shop.Order;", "as 'shop.Order'"),
    ("shop/Order", "as 'shop.Order'"),
    ("src/shop/Order.java", "as 'shop.Order'"),
    ("Order$Line", "as 'Order.Line'"),
    ("Order.Line", "as given"),
    ('"Order"', "as 'Order'"),
    ("'Order'", "as 'Order'"),
    ("`Order`", "as 'Order'"),
    ("  Order  ", "as given"),
    ("' Order '", "as 'Order'"),
    ("run()", "as member 'run'"),
    ("Order#run", "as member 'Order#run'"),
    ("Order::run", "as member 'Order#run'"),
    ("Order.run", "as member 'Order#run'"),
    ("Order.run()", "as member 'Order#run'"),
    ("Order#nothing", "as 'Order'"),
]


def test_explain_says_which_form_matched(depot: Any) -> None:
    told = {}
    for query, _ in FORMS:
        run = depot("--json", "--explain", "--", query)
        assert run.code == 0, query
        assert run.json["results"][0]["name"] in ("Order", "Line", "run"), query
        told[query] = run.json["_meta"]["detail"].partition(";")[0]
    assert told == {query: f"matched {form}" for query, form in FORMS}


def test_explain_says_that_no_form_matched(depot: Any) -> None:
    run = depot("Nothing", "--json", "--explain")
    assert run.json["_meta"]["detail"].startswith("no form of the query matched")
    assert "no form of the query matched" in depot("Nothing", "--explain").stderr


def test_did_you_mean(depot: Any) -> None:
    run = depot("OrderKimd", "--json")
    assert run.code == 1
    assert list(run.json) == ["results", "reason", "message", "didYouMean"]
    assert run.json["didYouMean"] == ["shop.OrderKind"]
    text = depot("OrderKimd")
    assert (text.code, text.stdout) == (1, "")
    assert text.stderr.splitlines() == [
        f"javadex: {run.json['message']} (workspaceSymbolNoMatch)",
        "javadex: did you mean shop.OrderKind?",
    ]
    assert depot("OrderKimd", "--quiet").stderr == ""
    assert "didYouMean" not in depot("OrderKind", "--json").json
    assert "didYouMean" not in depot("Zebra", "--json").json


# --- bad input ----------------------------------------------------------------------------------

BAD = [
    *("%", "_", "[Z]", "'", '"', "\\", "Z'y", 'Z"y', "\x01", "\x7f", "Z\ny", "\udcff", "Z\udcffy"),
    *("z" * 10_000, "*z" * 5_000, "zY" * 5_000, "z." * 5_000, "z#" * 5_000, "(" * 10_000),
]


@pytest.mark.parametrize("options", [[], ["--kind", "member"], ["--strict"], ["--explain"]])
def test_bad_queries_find_nothing(depot: Any, options: list[str]) -> None:
    for query in BAD:
        for as_json in ([], ["--json"]):
            run = depot(*options, *as_json, "--", query)
            assert run.code == 1, query[:20]
            assert "Traceback" not in run.stderr
        assert run.json["reason"] == "workspaceSymbolNoMatch"


@pytest.mark.parametrize("query", ["", " ", "\t", "\u2003", "\x1f\n"])
def test_blank_queries_are_named(depot: Any, query: str) -> None:
    run = depot("--json", "--kind", "member", "--", query)
    assert (run.code, run.json["errorCode"]) == (2, "emptyQuery")
    assert "`query`" in run.json["error"]


def test_strict_takes_no_kind(shop: Tree, ask: Any) -> None:
    run = ask("find", "Order", "--strict", "--kind", "method")
    assert run.code == 2
    assert "--strict knows no --kind" in run.stderr


def test_a_miss_names_the_filters(shop: Tree, ask: Any) -> None:
    run = ask("find", "Order", "--path", "nowhere/*", "--kind", "enum", "--json")
    assert run.code == 1
    assert "with kinds Enum and paths 'nowhere/*'" in run.json["message"]


# --- usage errors that help ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["OrderService"], "did you mean: javadex find OrderService"),
        (["Order", "--limit", "3"], "did you mean: javadex find Order --limit 3"),
        (["Server"], "did you mean: javadex find Server"),  # a type: it has a capital
        (["shop.Order"], "did you mean: javadex find shop.Order"),
        (["*Service"], "did you mean: javadex find '*Service'"),
        (["src/Order.java", "--json"], "did you mean: javadex outline src/Order.java --json"),
        (["stauts"], "did you mean: javadex status"),
        (["serch", "Order"], "did you mean: javadex find Order"),
        (["search", "Order"], "did you mean: javadex find Order"),
        (["--root", "w", "find", "Order"], "javadex find --root w Order"),
        (["--json", "Order"], "--json stands before the command"),
        (["-q", "find", "Order"], "javadex find -q Order"),
        (["--verson"], "No such option"),
        (["find", "class", "Order"], "did you mean: javadex find Order --kind class"),
        (["find", "Order", "Service"], "find takes one QUERY"),
        (["outline", "A.java", "B.java"], "outline takes one FILE"),
        (["status", "folder"], "named with --root"),
        (["find"], "as in: javadex find OrderService"),
        (["outline"], "as in: javadex outline src/shop/Order.java"),
        (["find", "Order", "--limit", "abc"], "'--limit': 'abc' is not a valid integer"),
        (["find", "Order", "--kind", "clas"], "did you mean class?"),
        (["find", "Order", "--kind", "type,class"], "repeat --kind for several"),
        (["find", "Order", "--kind", "zebra"], "'zebra'; it takes one of type"),
        (["find", "Order", "--root", "nosuch"], "'nosuch' does not exist"),
        (["find", "Order", "--root", ""], "--root is empty"),
        (["find", "Order", "--scope", "sorce"], "not one of 'source', 'all'"),
        (["find", "Order", "--no-such"], "--no-such"),
        (["--json=1"], "--json"),
        (["\x1b[31mOrder"], "\\x1b[31mOrder"),
    ],
)
def test_usage_errors_help(console: Console, arguments: list[str], told: str) -> None:
    run = console.run(*arguments)
    assert (run.code, run.stdout if "--json" not in arguments else "") == (2, "")
    assert told in run.stderr
    assert "\x1b" not in run.stderr


@pytest.mark.parametrize("arguments", [["Order", "--json"], ["find", "A", "B", "--json"]])
def test_their_documents_say_the_same(console: Console, arguments: list[str]) -> None:
    run = console.run(*arguments)
    assert run.code == 2
    assert run.json["errorCode"] == "usageError"
    assert run.json["error"] in run.stderr


def test_outline_takes_what_find_shows(shop: Tree, ask: Any, monkeypatch: Any) -> None:
    place = ask("find", "OrderItem").stdout.split()[0]
    assert place.endswith("OrderItem.java:2")
    expected = ask("outline", "src/shop/OrderItem.java").stdout
    assert ask("outline", place).stdout == expected
    assert ask("outline", "src/shop/OrderItem.java:2:7").stdout == expected
    shop.write("src/shop/Order.java:2", "class Strange {\n}\n")
    assert "no Java file" in ask("outline", "src/shop/Order.java:2", "--json").json["message"]


# --- where the answer goes ----------------------------------------------------------------------


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["find", "Order"],
        ["find", "Order", "--json"],
        ["find", "Order", "--limt", "--json"],
        ["find", "Order", "--limit", "-1", "--json"],
        ["status"],
        ["--version"],
        ["--help"],
    ],
)
def test_an_output_that_takes_nothing(tree: Tree, javadex: Javadex, arguments: list[str]) -> None:
    tree.write("Order.java")
    assert javadex.run("index", cwd=tree.path).code == 0

    def to_full() -> None:
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1)

    run = javadex.run(*arguments, cwd=tree.path, preexec=to_full)
    assert run.code == 74
    assert "stdout: No space left on device; give it a place" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_closed_output(tree: Tree, javadex: Javadex) -> None:
    """Nothing is done, so that no file that is opened gets to be stdout."""
    tree.write("Order.java")
    run = javadex.run("index", cwd=tree.path, preexec=lambda: os.close(1))
    assert (run.code, run.stderr) == (
        74,
        "javadex: stdout is closed; give it a place, such as /dev/null\n",
    )
    assert not any(javadex.cache.rglob("index.db"))


def test_a_closed_input(shop: Tree, javadex: Javadex) -> None:
    """As an empty one."""
    run = javadex.run("find", "--batch", "-", cwd=shop.path, preexec=lambda: os.close(0))
    assert (run.code, run.stdout, run.stderr) == (0, "", "")


# --- an index that is not there -----------------------------------------------------------------


def test_the_command_that_is_named_helps(shop: Tree, javadex: Javadex, tmp_path: Path) -> None:
    """Whatever was asked with: other indexes, other folders, names with blanks."""
    other = Tree(tmp_path / "an other")
    other.write("Far.java")
    one, two = (tmp_path / "in a place" / name for name in ("one.db", "two.db"))
    for question in (
        ["--root", other.path],
        ["--root", other.path, "--db", one],
        ["--root", shop.path, "--root", f"far={other.path}", "--db", two],
    ):
        run = javadex.run("find", "Far", *question, "--json", cwd=shop.path)
        assert run.code == 3
        (command,) = re.findall(r"run `javadex ([^`]+)`", run.json["message"])
        assert javadex.run(*shlex.split(command), cwd=tmp_path).code == 0
        run = javadex.run("find", "Far", *question, "--json", cwd=shop.path)
        assert [hit["name"] for hit in run.json["results"]] == ["Far"]


def test_an_index_that_cannot_be_reached(shop: Tree, javadex: Javadex, tmp_path: Path) -> None:
    """Neither is said to be missing."""
    locked = tmp_path / "locked"
    locked.mkdir()
    shutil.copy(make_index(shop, javadex, tmp_path), locked / "index.db")
    locked.chmod(0)
    question = ("find", "Order", "--root", shop.path, "--db", locked / "index.db")
    run = javadex.run(*question, preexec=without_root_powers)
    assert run.code == 3
    assert "cannot be reached: Permission denied; mend the permissions" in run.stderr
    locked.chmod(0o700)
    run = javadex.run("find", "Order", "--root", shop.path, "--db", tmp_path)
    assert run.code == 3
    assert "is a folder, not an index; name a file with --db" in run.stderr


def make_index(shop: Tree, javadex: Javadex, folder: Path) -> Path:
    assert javadex.run("index", shop.path, "--db", folder / "made.db").code == 0
    return folder / "made.db"
