"""`javadex verify`: what it compares, how it judges, what it says; the live side is a fake."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.parity import Node, Type, outline_differences, sample_queries, type_splits
from query.shadow import Laid
from tests.fakes.standard import NEWEST, FakeStandard, rejected
from tests.fakes.world import SOON, until
from tests.support.cli import Console, Javadex
from tests.support.indexing import POISON, InstantServer
from tests.support.trees import Tree

ORDER = "src/shop/Order.java"
NAMES = ("Order.java", "OrderItem.java", "OrderService.java", "Strings.java")
NO_DIFFERENCE = {"stale": 0, "skipped": 0, "exception": 0, "real": 0}


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeStandard]:
    """The live side; at the end every server must be closed and every copy deleted."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr("query.truth.READY_SECONDS", 0.0)
    monkeypatch.setattr("query.truth.GRACE_SECONDS", 0.0)
    fake = FakeStandard()
    monkeypatch.setattr("query.truth.open_standard", fake.open)
    yield fake
    assert fake.running == 0
    assert [*temporary.iterdir()] == []


@pytest.fixture
def shop(tree: Tree, console: Console, server: InstantServer, live: FakeStandard) -> Tree:
    tree.write(ORDER, "package shop;\nclass Order {\n  int x;\n  void run() {}\n}\n")
    tree.write("src/shop/OrderItem.java", "package shop;\nclass OrderItem {\n}\n")
    service = "package shop;\nclass OrderService {\n  class Key {\n  }\n}\n"
    tree.write("src/shop/OrderService.java", service)
    tree.write("src/util/Strings.java", "package util;\ninterface Strings {\n}\n")
    assert console.run("index", tree.path).code == 0
    return tree


class Check:
    """Runs `javadex verify` on a tree with one workspace folder."""

    def __init__(self, tree: Tree, console: Console) -> None:
        self._tree = tree
        self._console = console

    def __call__(self, *options: object, code: int = 0) -> dict[str, Any]:
        """The workspace's part of the document."""
        run = self._console.run("verify", "--root", self._tree.path, "--json", *options)
        assert run.code == code, run.stdout + run.stderr
        (workspace,) = run.json["workspaces"]
        return dict(workspace)

    def index(self) -> None:
        """Index the tree as it is now."""
        assert self._console.run("index", self._tree.path, "--max-failed", 1).code == 0


@pytest.fixture
def check(shop: Tree, console: Console) -> Check:
    return Check(shop, console)


def only(workspace: dict[str, Any]) -> dict[str, str]:
    (difference,) = workspace["differences"]
    return dict(difference)


# --- what is compared, and the documents --------------------------------------------------------


def test_a_right_index_has_no_difference(shop: Tree, check: Check, live: FakeStandard) -> None:
    assert check() == {
        "name": "tree",
        "root": str(shop.path),
        "project": "generated",
        "files": 4,
        "nodes": 11,
        "types": 5,
        "queries": 5,
        "counts": NO_DIFFERENCE,
        "differences": [],
    }
    assert live.queries[0] == "*"


def test_text_for_people(shop: Tree, console: Console, live: FakeStandard) -> None:
    live.lost = {"OrderItem"}
    (shop / "src/util/Strings.java").unlink()
    run = console.run("verify", "--root", shop.path)
    assert (run.code, run.stderr) == (1, "")
    *lines, last = run.stdout.splitlines()
    assert lines == [
        "tree (generated): 3 files, 9 nodes, 3 types, 4 queries compared; "
        "differences: 1 stale, 0 skipped, 0 exception, 1 real",
        "  real type: src/shop/OrderItem.java: type OrderItem: only in the index: "
        "[((1, 6, 1, 15), 5, 'shop')] (place, kind, container)",
        "  stale outline: src/util/Strings.java: the file is gone; run `javadex index`",
    ]
    assert last.startswith("the index differs from jdt.ls, ")


def test_a_sample_is_the_same_every_time(check: Check, live: FakeStandard) -> None:
    first, again = check("--sample", 2), check("--sample", 2)
    assert first == again
    assert first["files"] == 2
    copies = [[name for name in server.files if name.endswith("java")] for server in live.opened]
    assert len(copies[0]) == 2
    other = [check("--sample", 2, "--seed", seed) and live.opened[-1].files for seed in range(9)]
    assert any(files != live.opened[0].files for files in other)


def test_a_sample_of_an_imported_build_asks_for_its_names(
    shop: Tree, check: Check, live: FakeStandard
) -> None:
    shop.write("pom.xml", "<project/>")
    live.imported = {"src": NEWEST}
    workspace = check("--sample", 2, "--queries", 0)
    assert (workspace["project"], workspace["files"]) == ("maven", 2)
    assert len(live.opened[0].files) == 5, "a build needs all of its files"
    assert "*" not in live.queries
    assert len(live.queries) == workspace["types"]
    assert workspace["counts"] == NO_DIFFERENCE


def test_queries_are_asked_of_both_sides(check: Check, live: FakeStandard) -> None:
    assert check("--queries", 3)["queries"] == 3
    assert len(live.queries) == 4
    assert check("--queries", 0)["queries"] == 0


# --- verdicts -----------------------------------------------------------------------------------


def test_an_outline_that_differs_is_real(check: Check, live: FakeStandard) -> None:
    live.texts = {"Order.java": "package shop;\nclass Order {\n  int y;\n  void run() {}\n}\n"}
    found = only(check(code=1))
    assert (found["class"], found["kind"], found["file"]) == ("real", "outline", ORDER)
    assert found["detail"] == "node 2 'x': name: index 'x', live 'y'"


def test_a_type_that_differs_is_told_once_not_with_every_query(
    check: Check, live: FakeStandard
) -> None:
    live.lost = {"Key"}
    found = only(check(code=1))
    assert (found["class"], found["kind"]) == ("real", "type")
    assert "only in the index" in found["detail"]


def test_what_jdtls_does_not_say_twice_is_no_real_difference(
    check: Check, live: FakeStandard
) -> None:
    live.wavering = {"OrderItem.java": "package shop;\n\nclass OrderItem {\n}\n"}
    found = check()["differences"]
    assert [(one["class"], one["kind"]) for one in found] == [
        ("exception", "outline"),
        ("exception", "type"),
    ]
    assert {one["detail"].rpartition("; ")[2] for one in found} == {
        "asked again, jdt.ls gives what the index has"
    }


@pytest.mark.parametrize("path", [ORDER, "src/shop/Added.java"])
def test_a_file_that_is_not_as_it_was_indexed_is_stale(path: str, shop: Tree, check: Check) -> None:
    shop.write(path, "package shop;\nclass Renamed {\n}\n")
    found = only(check())
    assert (found["class"], found["file"]) == ("stale", path)
    assert found["detail"].endswith("run `javadex index`")


def test_a_file_that_is_gone_is_stale(shop: Tree, check: Check) -> None:
    (shop / ORDER).unlink()
    assert only(check()) == {
        "class": "stale",
        "kind": "outline",
        "file": ORDER,
        "detail": "the file is gone; run `javadex index`",
    }


def test_a_file_that_changes_while_it_is_looked_at_is_stale(
    shop: Tree, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deletes(*arguments: Any) -> Laid:
        (shop / ORDER).unlink()
        shop.write("src/util/Strings.java", "package util;\nclass Other {\n}\n")
        return Laid(*arguments)

    monkeypatch.setattr("query.truth.Laid", deletes)
    workspace = check()
    assert (workspace["files"], workspace["counts"]) == (2, NO_DIFFERENCE | {"stale": 2})
    assert {found["detail"] for found in workspace["differences"]} == {
        "the file has just changed; run `javadex index`"
    }


def test_a_folder_of_which_nothing_can_be_compared_needs_no_server(
    shop: Tree, check: Check, live: FakeStandard
) -> None:
    for file in shop.path.rglob("*.java"):
        file.write_text("class Other {\n}\n", "utf-8")
    assert check()["counts"] == NO_DIFFERENCE | {"stale": 4}
    assert live.opened == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("src/shop/my-file.java", "'my-file' is no Java name"),
        ("src/bad-dir/Deep.java", "the folder name 'bad-dir' is no package name"),
    ],
)
def test_a_file_that_jdtls_does_not_look_at_is_skipped(
    path: str, words: str, shop: Tree, check: Check
) -> None:
    shop.write(path, "class Unseen {\n}\n")
    check.index()
    found = only(check())
    assert (found["class"], found["file"]) == ("skipped", path)
    assert words in found["detail"]


def test_a_file_that_neither_side_can_read_is_agreed_upon(
    shop: Tree, check: Check, live: FakeStandard
) -> None:
    shop.write("src/shop/Bad.java", f"package shop;\nclass Bad {{\n}} // {POISON}\n")
    check.index()
    live.answers = {"Bad.java": rejected()}
    live.lost = {"Bad"}
    assert check()["counts"] == NO_DIFFERENCE
    live.answers = {"Order.java": rejected(), "Bad.java": rejected()}
    assert "live: the language server rejected" in only(check(code=1))["detail"]


def test_a_package_that_fits_no_root_is_an_exception(
    shop: Tree, check: Check, live: FakeStandard
) -> None:
    stray = "data/Stray.java"
    shop.write(stray, "package far.away;\nclass Stray {\n}\n")
    check.index()
    workspace = check()
    assert workspace["files"] == 5
    found = only(workspace)
    assert (found["class"], found["kind"], found["file"]) == ("exception", "type", stray)
    assert "container: index 'far.away', live ''" in found["detail"]
    live.lost = {"Stray"}
    assert only(check(code=1))["class"] == "real", "more than its container differs"


# --- the build's own import ---------------------------------------------------------------------


@pytest.fixture
def maven(shop: Tree, live: FakeStandard) -> FakeStandard:
    """The shop is a Maven project; its import succeeds."""
    shop.write("pom.xml", "<project/>")
    shop.write("lib/a.jar", b"jar")
    shop.write(".cache/b.jar", b"jar")
    shop.write("target/classes/Order.class", b"class")
    live.imported = {"src": NEWEST}
    return live


def test_an_import_sees_a_copy_of_the_build(check: Check, maven: FakeStandard, shop: Tree) -> None:
    assert check()["project"] == "maven"
    (server,) = maven.opened
    assert shop.path not in (server.folder, *server.folder.parents)
    assert {name for name in server.files if not name.endswith(".java")} == {"pom.xml", "lib/a.jar"}


@pytest.mark.parametrize(
    ("imported", "problems", "words"),
    [
        ({}, ("no plugin",), "no plugin"),
        ({}, (), "made no project"),
        ({"src/shop": NEWEST}, ("no plugin",), "1 of 4 Java files are in no imported project: no"),
    ],
)
def test_a_failed_import_gives_way_to_a_generated_project(
    imported: dict[str, str],
    problems: tuple[str, ...],
    words: str,
    check: Check,
    maven: FakeStandard,
) -> None:
    maven.imported, maven.problems = imported, problems
    workspace = check()
    assert (workspace["project"], workspace["files"]) == ("generated", 4)
    assert words in workspace["importProblem"]
    assert workspace["counts"] == NO_DIFFERENCE
    assert [*workspace][:5] == ["name", "root", "project", "importProblem", "files"]


def test_a_build_is_not_run_when_that_is_unwanted(check: Check, maven: FakeStandard) -> None:
    workspace = check("--no-import")
    assert (workspace["project"], workspace["counts"]) == ("generated", NO_DIFFERENCE)
    assert "importProblem" not in workspace
    assert len(maven.opened) == 1


def test_a_failed_import_is_said_on_stderr(
    shop: Tree, console: Console, maven: FakeStandard
) -> None:
    maven.imported, maven.problems = {}, ("no plugin",)
    run = console.run("verify", "--root", shop.path)
    assert run.stderr == f"javadex: {shop.path}: no plugin\n"
    assert "  import: no plugin" in run.stdout
    assert console.run("verify", "--root", shop.path, "--quiet").stderr == ""


def test_an_import_that_does_not_start_or_answer_gives_way_too(
    check: Check, maven: FakeStandard
) -> None:
    maven.fails = {"the importing server died"}
    assert check()["importProblem"] == "the importing server died"
    maven.answers, maven.only_imported = {name: [] for name in NAMES}, True
    workspace = check()
    assert workspace["project"] == "generated"
    assert "it has symbols for none of 1 source folders" in workspace["importProblem"]


def test_files_outside_of_the_imported_folders_are_skipped(
    shop: Tree, check: Check, maven: FakeStandard
) -> None:
    shop.write("demo/show/Demo.java", "package show;\nclass Demo {\n}\n")
    check.index()
    found = only(check())
    assert (found["class"], found["file"]) == ("skipped", "demo/show/Demo.java")
    assert "outside every source folder" in found["detail"]


def test_a_file_that_the_build_leaves_out_is_skipped_on_evidence(
    check: Check, maven: FakeStandard
) -> None:
    maven.answers, maven.lost, maven.only_imported = {"Order.java": []}, {"Order"}, True
    workspace = check()
    assert workspace["project"] == "maven"
    assert workspace["counts"] == NO_DIFFERENCE | {"skipped": 2}
    assert "leaves the file out" in workspace["differences"][0]["detail"]
    assert [name for name in maven.opened[1].files if name.endswith(".java")] == [
        "r0/shop/Order.java",
        "r0/shop/OrderItem.java",
    ]
    maven.only_imported = False
    assert check(code=1)["counts"]["real"] == 2, "the second server says the same"


@pytest.mark.parametrize(("java", "verdict"), [("1.8", "exception"), (NEWEST, "real")])
def test_only_another_java_version_explains_another_reading(
    java: str, verdict: str, check: Check, maven: FakeStandard
) -> None:
    maven.imported, maven.only_imported = {"src": java}, True
    maven.texts = {"Order.java": "package shop;\nclass Order {\n  int x;\n  int run;\n}\n"}
    found = only(check(code=0 if verdict == "exception" else 1))
    assert (found["class"], found["file"]) == (verdict, ORDER)
    assert ("read as Java 1.8" in found["detail"]) == (verdict == "exception")


def test_types_that_live_search_loses_in_nested_folders_are_an_exception(
    check: Check, maven: FakeStandard
) -> None:
    maven.imported, maven.lost = {"": NEWEST, "src": NEWEST}, {"Strings"}
    found = only(check())
    assert (found["class"], found["kind"], found["file"]) == (
        "exception",
        "type",
        "src/util/Strings.java",
    )
    assert "source folder inside another one" in found["detail"]


def test_a_type_that_no_live_outline_knows_is_no_loss_of_nested_folders(
    check: Check, maven: FakeStandard
) -> None:
    maven.imported = {"": NEWEST, "src": NEWEST}
    maven.texts = {"Strings.java": "package util;\n"}
    found = check(code=1)["differences"]
    assert [(one["class"], one["kind"]) for one in found] == [("real", "outline"), ("real", "type")]


# --- failures -----------------------------------------------------------------------------------


def test_without_an_index_the_exit_code_is_3(tree: Tree, shop: Tree, console: Console) -> None:
    other = Tree(shop.path.parent / "other")
    assert console.run("verify", "--root", other.path).code == 3
    run = console.run("verify", "--root", other.path, "--db", shop.path.parent / "none.db")
    assert run.code == 3


def test_a_folder_that_is_not_in_the_index_is_named(
    shop: Tree, console: Console, tmp_path: Path
) -> None:
    assert console.run("index", shop.path, "--db", tmp_path / "i.db").code == 0
    other = Tree(tmp_path / "other")
    run = console.run("verify", "--root", other.path, "--db", tmp_path / "i.db")
    assert run.code == 3
    assert f"javadex index {other.path}" in run.stderr


def test_a_server_that_stays_silent_is_an_error(
    shop: Tree, console: Console, live: FakeStandard
) -> None:
    live.answers = {name: [] for name in NAMES}
    run = console.run("verify", "--root", shop.path)
    assert run.code == 4
    assert "it has symbols for none of 1 source folders" in run.stderr


@pytest.mark.parametrize("answer", [[{"name": "Order"}], [3], {"surprise": True}])
def test_an_answer_that_cannot_be_read_is_the_servers_failure(
    answer: Any, shop: Tree, console: Console, live: FakeStandard
) -> None:
    live.answers = {"OrderItem.java": answer}
    run = console.run("verify", "--root", shop.path, "--json")
    assert run.code == 4
    assert run.json["errorCode"] == "serverError"
    assert "documentSymbol" in run.json["error"]


def test_a_server_that_dies_at_start_is_named_and_gone(javadex: Javadex, tree: Tree) -> None:
    tree.write(ORDER)
    assert javadex.run("index", tree.path).code == 0
    javadex.faults(exit_at_start={"code": 13, "stderr": "the fake is ill"})
    run = javadex.run("verify", "--root", tree.path, "--json")
    assert run.code == 4
    assert "exit code 13" in run.json["error"]
    assert "the fake is ill" in run.json["error"]
    assert javadex.servers() == []
    assert [*javadex.temporary.iterdir()] == []


def test_an_interrupt_ends_the_server_and_deletes_the_copy(javadex: Javadex, tree: Tree) -> None:
    tree.write(ORDER)
    assert javadex.run("index", tree.path).code == 0
    javadex.faults(never_ready=True)
    with javadex.start("verify", "--root", tree.path) as process:
        assert until(lambda: bool(javadex.servers()))
        process.send_signal(signal.SIGINT)
        assert process.wait(SOON) == 130
    assert until(lambda: not javadex.servers())
    assert [*javadex.temporary.iterdir()] == []


# --- comparing, without any server --------------------------------------------------------------


def node(name: str, line: int = 0) -> Node:
    place = (line, 0, line, 9)
    return Node(0, name, 5, "", False, place, place)


def test_equal_outlines_do_not_differ() -> None:
    assert outline_differences([node("A")], [node("A")]) == []
    assert outline_differences([], []) == []
    assert outline_differences("failed", "rejected") == []


def test_every_field_of_every_node_counts() -> None:
    base = [node("A"), node("B", 3)]
    for field in Node._fields:
        fields: dict[str, Any] = {field: "other"}
        changed = base[1]._replace(**fields)
        (words,) = outline_differences(base, [base[0], changed])
        assert f"{field}: index" in words
    assert outline_differences(base, base[:1]) == [f"node 1 is only in the index: {base[1]}"]
    assert outline_differences(base[:1], base) == [f"node 1 is only in the live answer: {base[1]}"]


def test_types_part_by_file_and_name() -> None:
    here = Type("A.java", "A", (0, 6, 0, 7), 5, "a")
    there = here._replace(container="b")
    (split,) = type_splits({here}, {there})
    assert split.detail == "type A: container: index 'a', live 'b'"
    assert type_splits({here}, {here}) == []
    ((mine, theirs),) = [(split.ours, split.theirs) for split in type_splits(set(), {here})]
    assert (mine, theirs) == ((), (here,))


TYPES = [
    Type("p", name, (0, 0, 0, 1), 5, container)
    for name, container in (
        *(("OrderService", "shop.orders"), ("NullPointerException", "java.lang"), ("x", "")),
        *(("HTTPServer", "net"), ("LinkedHashMap", "util"), ("Of", "a.b"), ("Été", "c")),
    )
]


def test_queries_are_repeatable_and_of_many_forms() -> None:
    every = {query for seed in range(40) for query in sample_queries(TYPES, 7, seed)}
    expected = {"OrderService", "nullpointere", "NPE", "inkedHashM", "*Server", "a.b"}
    assert expected | {"orders.OrderService"} <= every
    assert sample_queries(TYPES, 7, 3) == sample_queries(reversed(TYPES), 7, 3)
    assert sample_queries(TYPES, 2, 3) == sample_queries(TYPES, 7, 3)[:2]


@given(
    st.lists(st.tuples(st.text(min_size=1), st.text()), max_size=9),
    st.integers(0, 12),
    st.integers(),
)
def test_a_query_sample_keeps_to_its_size(
    names: list[tuple[str, str]], count: int, seed: int
) -> None:
    types = [Type("p", name, (0, 0, 0, 1), 5, container) for name, container in names]
    queries = sample_queries(types, count, seed)
    assert len(queries) == len(set(queries)) <= min(count, len(names))
    assert all(queries)
