"""Library types: stored once, found behind sources, their URIs filled in for this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import ServerDied
from indexer.files import resolve_root
from indexer.jdtls.libraries import Capture
from indexer.jdtls.runtime import Java, Runtime
from indexer.libraries import Attachment, Library, LibraryType, Place, encoded
from indexer.library_build import LibraryReport, update_libraries
from indexer.model import SymbolKind
from indexer.portable import Bases
from indexer.recipe import Recipe, content_key
from indexer.standing import Standing
from indexer.store.writer import Writer, open_writer
from query.contract import ErrorCode, FindAnswer, Hit, Reason, ToolError, find_json
from query.kinds import kinds_of
from query.render import find_text
from query.service import Scope, Service
from tests.fakes.runtime import fake_runtime, located
from tests.support.cli import Console
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree

K = SymbolKind
THERE = Bases("/there/shop", "/home/there", "/opt/there/jdk")
"""Of the machine where the libraries were captured."""

JDK_KEY, KIT_KEY = content_key(b"a JDK"), content_key(b"a jar")


def jdk_type(package: str, class_file: str, kind: K = K.Class) -> LibraryType:
    outer, _, name = class_file.rpartition("$")
    return LibraryType(
        name,
        name,
        f"{package}.{outer}" if outer else package,
        f"{package}.{outer}".rstrip(".").replace("$", "."),
        kind,
        False,
        f"jdt://contents/java.base/{package}/{class_file}.class"
        f"?={{project}}/{{path}}%60java.base{{attributes}}%3C{package}%28{class_file}.class",
    )


def jar_type(package: str, name: str, kind: K = K.Class) -> LibraryType:
    return LibraryType(
        name,
        name,
        package,
        package,
        kind,
        False,
        f"jdt://contents/{{jar}}/{package}/{name}.java"
        f"?={{project}}/{{path}}{{attributes}}%3C{package}%28{name}.class",
    )


JDK = Library(
    JDK_KEY,
    "JDK 25.0.1",
    "jdk",
    (
        jdk_type("java.util", "Map", K.Interface),
        jdk_type("java.util", "Map$Entry", K.Interface),
        jdk_type("java.util", "Order"),
        jdk_type("java.util", "Orders"),
    ),
)
KIT = Library(
    KIT_KEY,
    "kit-1.0.jar",
    "jar",
    (jar_type("shop", "Order"), jar_type("kit", "OrderKind", K.Enum)),
)


def attachments(project: str = "shop") -> list[Attachment]:
    """As captured there: the JDK in its home, the jar in the user's repository."""
    jrt = f"{THERE.java}/lib/jrt-fs.jar"
    jar = f"{THERE.home}/.m2/kit 1/kit-1.0.jar"
    return [
        Attachment(JDK_KEY, Place(project, encoded(jrt), "", ""), THERE.java),
        Attachment(KIT_KEY, Place(project, encoded(jar), "=/x=/y=/", "kit-1.0.jar"), jar),
    ]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home folder on this machine, with the jar in it."""
    folder = tmp_path / "home"
    (folder / ".m2" / "kit 1").mkdir(parents=True)
    (folder / ".m2" / "kit 1" / "kit-1.0.jar").write_bytes(b"a jar")
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer, home: Path) -> Tree:
    """A workspace folder that uses both libraries."""
    tree.write("src/shop/Order.java", "package shop;\nclass Order {\n}\n")
    tree.write(
        "src/shop/OrderItem.java", "package shop;\nclass OrderItem {\n  class Key {\n  }\n}\n"
    )
    index.build(tree.path)
    save(index, tree, [JDK, KIT], attachments())
    return tree


def save(index: Index, tree: Tree, libraries: list[Library], attached: list[Attachment]) -> None:
    writer = open_writer(str(index.path))
    try:
        ((workspace_id,),) = index.rows("SELECT id FROM workspace WHERE root = ?", str(tree.path))
        writer.save_libraries(workspace_id, "class path 1", libraries, attached, THERE)
    finally:
        writer.close()


@pytest.fixture
def service(tree: Tree, index: Index, server: InstantServer) -> Iterator[Service]:
    with Service(Scope((resolve_root(str(tree.path)),), str(index.path))) as opened:
        yield opened


def ask(service: Service, query: str, **wanted: Any) -> FindAnswer:
    answer = service.find(query, **wanted)
    assert isinstance(answer, FindAnswer), answer
    return answer


def names(answer: FindAnswer) -> list[str]:
    return [f"{hit.library or 'source'} {hit.container}.{hit.name}" for hit in answer.hits]


def hit_of(service: Service, query: str) -> Hit:
    (hit,) = (hit for hit in ask(service, query).hits if hit.library)
    return hit


# --- finding ------------------------------------------------------------------------------------


def test_sources_come_before_libraries(shop: Tree, service: Service) -> None:
    every = [
        "source shop.Order",
        "kit-1.0.jar shop.Order",
        "JDK 25.0.1 java.util.Order",
        "source shop.OrderItem",
        "JDK 25.0.1 java.util.Orders",
        "kit-1.0.jar kit.OrderKind",
    ]
    answer = ask(service, "order")
    assert names(answer) == every
    assert answer.total == 6
    assert answer.provenance.detail == "matched as given"
    for limit in range(1, 6):
        cut = ask(service, "order", limit=limit)
        assert (names(cut), cut.total) == (every[:limit], 6)


def test_scope_source_leaves_libraries_out(shop: Tree, service: Service) -> None:
    answer = ask(service, "order", libraries=False)
    assert names(answer) == ["source shop.Order", "source shop.OrderItem"]
    assert answer.total == 2
    assert ask(service, "Map", libraries=False).reason is Reason.WORKSPACE_SYMBOL_NO_MATCH


def test_a_path_leaves_libraries_out(shop: Tree, service: Service) -> None:
    answer = ask(service, "order", path="*")
    assert names(answer) == ["source shop.Order", "source shop.OrderItem"]
    assert answer.total == 2


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["enum"], ["kit-1.0.jar kit.OrderKind"]),
        (["interface"], []),
        (["class"], ["source shop.Order", "kit-1.0.jar shop.Order", "JDK 25.0.1 java.util.Order"]),
        (["member"], []),
    ],
)
def test_kinds(shop: Tree, service: Service, kinds: list[str], expected: list[str]) -> None:
    answer = ask(service, "order", kinds=kinds_of(kinds), limit=3)
    assert names(answer) == expected
    assert answer.total == {"class": 5, "enum": 1}.get(kinds[0], 0)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Map.Entry", ["JDK 25.0.1 java.util.Map.Entry"]),
        ("java.util.Map", ["JDK 25.0.1 java.util.Map", "JDK 25.0.1 java.util.Map.Entry"]),
        ("Map$Entry", ["JDK 25.0.1 java.util.Map.Entry"]),
        ("import java.util.Map;", ["JDK 25.0.1 java.util.Map", "JDK 25.0.1 java.util.Map.Entry"]),
        ("OrKi", ["kit-1.0.jar kit.OrderKind"]),
        ("*Kind", ["kit-1.0.jar kit.OrderKind"]),
        ("kit.*", ["kit-1.0.jar kit.OrderKind"]),
        ("java.util.Order", ["JDK 25.0.1 java.util.Order", "JDK 25.0.1 java.util.Orders"]),
    ],
)
def test_queries(shop: Tree, service: Service, query: str, expected: list[str]) -> None:
    assert names(ask(service, query)) == expected


def test_strict_and_nested_folders_find_them_too(
    shop: Tree, service: Service, index: Index
) -> None:
    assert "JDK 25.0.1 java.util.Map" in names(ask(service, "Map", strict=True))
    shop.write("inner/Deep.java", "class Deep {\n}\n")
    inner = resolve_root(str(shop / "inner"))
    index.build(shop.path, inner)
    roots = (resolve_root(str(shop.path)), inner)
    with Service(Scope(roots, str(index.path))) as both:
        answer = ask(both, "order", limit=2)
        assert (len(answer.hits), answer.total) == (2, 6)
        assert names(ask(both, "Map")) == ["JDK 25.0.1 java.util.Map"]


# --- the hit ------------------------------------------------------------------------------------


def test_uris_are_filled_for_this_machine(shop: Tree, service: Service, home: Path) -> None:
    jar = encoded(f"{home}/.m2/kit 1/kit-1.0.jar")
    assert hit_of(service, "OrderKind").document_uri == (
        f"jdt://contents/kit-1.0.jar/kit/OrderKind.java?=shop/{jar}=/x=/y=/%3Ckit%28OrderKind.class"
    )
    java = Path(os.environ["JAVADEX_JAVA"]).resolve()
    jrt = encoded(f"{java}/lib/jrt-fs.jar")
    assert hit_of(service, "Map.Entry").document_uri == (
        f"jdt://contents/java.base/java.util/Map$Entry.class?=shop/{jrt}"
        "%60java.base%3Cjava.util%28Map$Entry.class"
    )


def test_no_path_of_the_other_machine_is_stored(shop: Tree, index: Index) -> None:
    texts = [str(value) for row in index.rows("SELECT * FROM attachment") for value in row]
    assert not any("there" in text for text in texts), texts
    assert "{home}/.m2/kit 1/kit-1.0.jar" in texts
    assert "{java}/lib/jrt-fs.jar" in texts


def test_json_and_text(shop: Tree, service: Service) -> None:
    answer = ask(service, "OrderKind")
    for declarations in (False, True):
        assert find_json(answer, declarations=declarations) == {
            "results": [
                {
                    "name": "OrderKind",
                    "kind": "Enum",
                    "container": "kit",
                    "documentUri": answer.hits[0].document_uri,
                    "outlineSupported": False,
                    "unsupportedReason": "unsupportedUriScheme",
                    "library": "kit-1.0.jar",
                    "selectionRange": {"startLine": 1, "endLine": 1},
                }
            ],
            "total": 1,
        }
    assert find_text(answer) == "kit-1.0.jar  Enum       kit.OrderKind\n"


def test_a_library_that_is_not_here(shop: Tree, service: Service, home: Path) -> None:
    jar = home / ".m2" / "kit 1" / "kit-1.0.jar"
    jar.unlink()
    answer = ask(service, "OrderKind")
    (result,) = find_json(answer)["results"]
    assert result["libraryMissing"] == str(jar)
    assert list(result)[-3:] == ["library", "libraryMissing", "selectionRange"]
    assert find_text(answer).startswith(f"kit-1.0.jar (not here: {jar})  Enum")
    assert hit_of(service, "Map.Entry").missing == ""
    assert answer.provenance.state is Standing.LIBRARY_UNKNOWN
    assert ask(service, "Map.Entry").provenance.state is Standing.FRESH


def test_files_that_changed_say_more_than_a_library_that_is_not_here(
    shop: Tree, service: Service, home: Path
) -> None:
    (home / ".m2" / "kit 1" / "kit-1.0.jar").unlink()
    shop.write("src/shop/OrderItem.java", "class Edited {\n}\n")
    answer = ask(service, "order")
    assert any(hit.missing for hit in answer.hits)
    assert answer.provenance.state is Standing.CHANGED


def unknown_libraries(console: Console, tree: Tree, index: Index) -> int:
    run = console.run("status", "--json", "--root", tree.path, "--db", index.path)
    (workspace,) = run.json["workspaces"]
    count: int = workspace["standing"]["libraryUnknown"]
    assert workspace["files"] == workspace["fresh"] == 2  # a library is no file of the folder
    return count


def test_status_counts_libraries_that_are_not_here(
    shop: Tree, index: Index, console: Console, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unknown_libraries(console, shop, index) == 0
    twice = [*attachments(), *attachments("other")]
    save(index, shop, [JDK, KIT], twice)
    (home / ".m2" / "kit 1" / "kit-1.0.jar").unlink()
    assert unknown_libraries(console, shop, index) == 1
    monkeypatch.setenv("JAVADEX_JAVA", "/nowhere")
    assert unknown_libraries(console, shop, index) == 2
    text = console.run("status", "--root", shop.path, "--db", index.path).stdout
    assert "; 2 libraries not known here)" in text


def test_status_counts_libraries_whose_types_are_missing(
    shop: Tree, index: Index, console: Console
) -> None:
    index.rows("DELETE FROM type WHERE library_id = (SELECT id FROM library WHERE kind = 'jar')")
    assert unknown_libraries(console, shop, index) == 1


def test_without_java_the_jdk_is_not_here(
    shop: Tree, service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JAVADEX_JAVA", str(tmp_path / "nowhere"))
    assert hit_of(service, "Map.Entry").missing == "{java}"
    assert hit_of(service, "OrderKind").missing == ""


def test_java_is_looked_for_once_an_answer(
    shop: Tree, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no file says its version, looking for it means to start it."""
    calls = []

    def counted(*_: object) -> Java:
        calls.append(1)
        return Java("/opt/here/bin/java", "25")

    monkeypatch.setattr("indexer.jdtls.runtime.locate_java", counted)
    assert len([hit for hit in ask(service, "*", limit=0).hits if hit.library]) == 6
    assert len(calls) == 1
    ask(service, "*", libraries=False)
    assert len(calls) == 1


def test_an_outline_of_a_library_is_refused(shop: Tree, service: Service) -> None:
    answer = service.outline(hit_of(service, "OrderKind").document_uri)
    assert isinstance(answer, ToolError)
    assert answer.code is ErrorCode.UNSUPPORTED_URI_SCHEME


# --- storing ------------------------------------------------------------------------------------


def test_a_library_is_stored_once_for_all_folders(
    shop: Tree, index: Index, service: Service, tmp_path: Path
) -> None:
    other = Tree(tmp_path / "other")
    other.write("B.java")
    index.build(other.path)
    assert ask_in(other, index, "OrderKind").reason is Reason.WORKSPACE_SYMBOL_NO_MATCH
    save(index, other, [Library(KIT_KEY, "kit-1.0.jar", "jar", ())], attachments("other")[1:])
    assert names(ask_in(other, index, "Order")) == [
        "kit-1.0.jar shop.Order",
        "kit-1.0.jar kit.OrderKind",
    ]
    assert "?=other/" in ask_in(other, index, "OrderKind").hits[0].document_uri
    assert "?=shop/" in hit_of(service, "OrderKind").document_uri
    assert index.rows("SELECT count(*) FROM library") == [(2,)]
    assert index.rows("SELECT count(*) FROM type WHERE library_id IS NOT NULL") == [(6,)]


def ask_in(tree: Tree, index: Index, query: str) -> FindAnswer:
    with Service(Scope((resolve_root(str(tree.path)),), str(index.path))) as service:
        return ask(service, query)


def test_two_projects_have_a_uri_each(shop: Tree, index: Index, service: Service) -> None:
    save(index, shop, [], [*attachments("a")[1:], *attachments("b")[1:]])
    answer = ask(service, "OrderKind")
    assert answer.total == 2
    assert [hit.document_uri.partition("?=")[2][:2] for hit in answer.hits] == ["a/", "b/"]
    assert ask(service, "Map").reason is Reason.WORKSPACE_SYMBOL_NO_MATCH, "no longer attached"


def test_outlines_and_libraries_do_not_touch_each_other(
    shop: Tree, index: Index, service: Service
) -> None:
    before = index.content()
    save(index, shop, [JDK, KIT], attachments())
    assert index.content() == before
    shop.write("src/shop/Late.java", "package shop;\nclass OrderLate {\n}\n")
    index.build(shop.path)
    assert len(names(ask(service, "order"))) == 7


# --- capturing ----------------------------------------------------------------------------------


class FakeCapture:
    """Stands for `indexer.jdtls.libraries.capture`."""

    def __init__(self) -> None:
        self.known: list[set[Any]] = []
        """What was known, at each call."""
        self.error: Exception | None = None
        self.problems: list[str] = []
        self.libraries = [JDK, KIT]

    async def __call__(self, _runtime: Runtime, root: str, *, known: set[Any]) -> Capture:
        self.known.append(set(known))
        if self.error:
            raise self.error
        libraries = [one._replace(types=()) if one.key in known else one for one in self.libraries]
        return Capture(libraries, attachments(os.path.basename(root)), self.problems)


class Folder:
    """A workspace folder in an index, and how its libraries are brought up to date."""

    def __init__(self, tree: Tree, writer: Writer, runtime: Runtime) -> None:
        self.tree = tree
        self.writer = writer
        self._runtime = runtime
        self._root = resolve_root(str(tree.path))
        self._id = writer.start_run(self._root, writer.recipe(Recipe("1", "1")))

    def update(self, *, again: bool = False) -> LibraryReport:
        return update_libraries(self.writer, self._id, self._root, self._runtime, again=again)


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> FakeCapture:
    fake = FakeCapture()
    monkeypatch.setattr("indexer.jdtls.libraries.capture", fake)
    return fake


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    opened = open_writer(str(tmp_path / "index.db"))
    yield opened
    opened.close()


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return located(fake_runtime(tmp_path / "runtime"))


@pytest.fixture
def folder(tree: Tree, writer: Writer, runtime: Runtime) -> Folder:
    tree.write("pom.xml", "<project/>")
    return Folder(tree, writer, runtime)


def test_captured_once_for_a_class_path(folder: Folder, capture: FakeCapture) -> None:
    assert folder.update() == LibraryReport(True, 2, 6)
    assert folder.update() == LibraryReport(False, 2, 6)
    folder.tree.write("src/A.java")
    assert folder.update() == LibraryReport(False, 2, 6), "sources are no part of it"
    assert capture.known == [set()]


def test_captured_again_when_asked_to(folder: Folder, capture: FakeCapture) -> None:
    folder.update()
    assert folder.update(again=True) == LibraryReport(True, 2, 6)
    assert capture.known == [set(), {JDK_KEY, KIT_KEY}]


@pytest.mark.parametrize("change", ["pom.xml", "lib/new.jar", "sub/build.gradle"])
def test_captured_again_when_the_class_path_changed(
    folder: Folder, capture: FakeCapture, change: str
) -> None:
    folder.update()
    folder.tree.write(change, "<project>changed</project>")
    assert folder.update().captured
    assert not folder.update().captured
    assert len(capture.known) == 2


def test_captured_again_by_another_engine(
    folder: Folder, capture: FakeCapture, tmp_path: Path
) -> None:
    folder.update()
    newer = located(fake_runtime(tmp_path / "newer", version="10.0.0"))
    assert Folder(folder.tree, folder.writer, newer).update().captured
    assert len(capture.known) == 2


def test_a_failure_costs_nothing_and_is_tried_again(folder: Folder, capture: FakeCapture) -> None:
    capture.error = ServerDied("the language server is gone")
    problem = "libraries were not captured: the language server is gone"
    assert folder.update() == LibraryReport(False, 0, 0, (problem,))
    capture.error = None
    assert folder.update() == LibraryReport(True, 2, 6)
    capture.error = ServerDied("gone again")
    folder.tree.write("pom.xml", "<project>changed</project>")
    report = folder.update()
    assert (report.captured, report.libraries, report.types) == (False, 2, 6)
    assert report.problems == ("libraries were not captured: gone again",)
    capture.error = None
    assert folder.update().captured


def test_problems_are_reported(folder: Folder, capture: FakeCapture) -> None:
    capture.problems = ["the build could not be imported: offline"]
    assert folder.update().problems == ("the build could not be imported: offline",)
    report = folder.update()
    assert (report.captured, report.problems) == (
        False,
        ("the build could not be imported: offline",),
    )
    assert len(capture.known) == 1


def test_a_failed_import_does_not_cost_a_good_one(folder: Folder, capture: FakeCapture) -> None:
    folder.update()
    capture.problems, capture.libraries = ["offline"], capture.libraries[:1]
    folder.tree.write("pom.xml", "<project>changed</project>")
    report = folder.update()
    assert (report.captured, report.libraries, report.types) == (True, 2, 6)
    assert report.problems == ("offline", "the libraries of an earlier import are kept")


def test_a_second_folder_takes_what_is_known(
    folder: Folder, capture: FakeCapture, tmp_path: Path, runtime: Runtime
) -> None:
    folder.update()
    other = Folder(Tree(tmp_path / "other"), folder.writer, runtime)
    assert other.update() == LibraryReport(True, 2, 6)
    assert capture.known == [set(), {JDK_KEY, KIT_KEY}]
    assert folder.update() == LibraryReport(False, 2, 6)
