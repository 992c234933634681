"""Capturing library types from a server that is none: what goes wrong, and what is asked."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from indexer.class_path import jar_key, jdk_key
from indexer.errors import ServerDied, ServerError
from indexer.jdtls.libraries import Capture, capture
from indexer.jdtls.runtime import Java, JdtlsHome, Runtime
from indexer.libraries import encoded
from indexer.recipe import ContentKey

RUNTIME = Runtime(Java("java", "25"), JdtlsHome("", "", "", "1", "1"))


class CannedServer:
    """Stands for a standard server over one project, with a JDK and the jars in a folder.

    Answers every query with the types of all its libraries, or of `answering` when that is set and
    the query is no general one.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.queries: list[str] = []
        self.closed = False
        self.problems: tuple[str, ...] = ()
        self.imported = True
        self.failure: Exception | None = None
        self.answering: Collection[str] | None = None
        self.only: Any = None
        """The one symbol that it knows, in place of all."""
        (home / "jdk" / "lib").mkdir(parents=True)
        (home / "jdk" / "release").write_text('JAVA_VERSION="25"\n')
        (home / "jdk" / "lib" / "modules").write_bytes(b"image")

    def add_jar(self, name: str, *entries: str) -> Path:
        path = self.home / name
        with zipfile.ZipFile(path, "w") as jar:
            for entry in entries:
                jar.writestr(entry, name)
        return path

    async def projects(self) -> list[str]:
        return ["/p"] if self.imported else []

    async def document_symbol(self, uri: str) -> None:
        assert uri.endswith("/Stray.java")

    async def workspace_symbol(self, query: str) -> list[Any]:
        self.queries.append(query)
        if self.failure:
            raise self.failure
        general = query.startswith((".?", ".*")) or query == "*$*"
        return [
            symbol
            for library, symbol in self._symbols()
            if general or self.answering is None or library in self.answering
        ]

    def _symbols(self) -> list[tuple[str, Any]]:
        if self.only:
            return [("only", self.only)]
        root = encoded(f"{self.home}/jdk/lib/jrt-fs.jar")
        found = [("jdk", _symbol("Object", "java.base", f"{root}%60java.base"))]
        for path in sorted(self.home.iterdir()):
            if path.name.endswith((".jar", ".folder")):
                found.append((path.name, _symbol("A", path.name, encoded(str(path)))))
        return found

    async def execute(self, command: str, *_: Any) -> Any:
        if command == "java.project.getAll":
            return ["file:/p/"]
        if command == "java.project.getClasspaths":
            listed = [str(path) for path in self.home.glob("lib/*.jar")]
            return {"projectRoot": f"file:{self.home}/", "classpaths": listed, "modulepaths": []}
        return {
            "org.eclipse.jdt.ls.core.vm.location": f"{self.home}/jdk",
            "org.eclipse.jdt.ls.core.classpathEntries": [
                {"kind": 1, "path": str(path)}
                for path in self.home.glob("*.jar")
                if path.name != "unlisted.jar"
            ],
        }

    async def close(self) -> None:
        self.closed = True


def _symbol(name: str, root: str, path: str) -> Any:
    uri = f"jdt://contents/{root}/a/{name}.class?=p/{path}%3Ca%28{name}.class"
    return {"name": name, "containerName": "a", "kind": 5, "location": {"uri": uri}}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CannedServer:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    canned = CannedServer(tmp_path / "server")

    async def opened(*_: Any) -> CannedServer:
        return canned

    monkeypatch.setattr("indexer.jdtls.libraries.open_standard", opened)
    return canned


def run(server: CannedServer, known: Collection[ContentKey] = ()) -> Capture:
    root = server.home.parent / "root"
    root.mkdir(exist_ok=True)
    captured = asyncio.run(capture(RUNTIME, str(root), known=known))
    assert server.closed
    assert not list((server.home.parent / "temporary").iterdir())
    return captured


def names(captured: Capture) -> list[tuple[str, int]]:
    return [(library.name, len(library.types)) for library in captured.libraries]


def test_libraries_in_the_order_of_their_names(server: CannedServer) -> None:
    server.add_jar("b.jar", "a/A.class")
    server.add_jar("a.jar", "a/A.class")
    captured = run(server)
    assert names(captured) == [("JDK 25", 1), ("a.jar", 1), ("b.jar", 1)]
    assert {one.key for one in captured.attachments} == {one.key for one in captured.libraries}


def test_what_the_server_complains_of_comes_first(server: CannedServer) -> None:
    server.problems = ("pom.xml: Missing artifact a:b:jar:1",)
    (server.home / "classes.folder").mkdir()
    captured = run(server)
    assert captured.problems[0] == "pom.xml: Missing artifact a:b:jar:1"
    assert "classes.folder is a folder of class files" in captured.problems[1]
    assert names(captured) == [("JDK 25", 1)]


def test_a_silent_failure_of_the_import_is_a_problem(server: CannedServer, tmp_path: Path) -> None:
    server.imported = False
    assert run(server).problems == []  # there is no build, so nothing failed
    (tmp_path / "root" / "build.gradle").write_text("")
    [problem] = run(server).problems
    assert problem.startswith(f"no Java project could be imported from {tmp_path}/root (no cause")
    server.problems = ("the cause",)
    assert [problem.partition(":")[0] for problem in run(server).problems] == [
        "the cause",
        f"no Java project could be imported from {tmp_path}/root",
    ]


def test_a_jar_that_went_away_is_a_problem(server: CannedServer) -> None:
    (server.home / "gone.jar").symlink_to("nowhere")
    captured = run(server)
    assert ["gone.jar" in problem for problem in captured.problems] == [True]
    assert "No such file" in captured.problems[0]


@pytest.mark.parametrize("failure", [ServerDied("it died"), ServerError("no list")])
def test_a_failure_is_raised_as_it_is_and_leaves_nothing(
    server: CannedServer, failure: ServerError
) -> None:
    server.failure = failure
    with pytest.raises(type(failure), match=str(failure)):
        run(server)
    assert server.closed
    assert not list((server.home.parent / "temporary").iterdir())


@pytest.mark.parametrize("path", ["lib/a.jar", "/project/lib/a.jar"])
def test_a_jar_in_a_project_is_found(server: CannedServer, path: str) -> None:
    """By its path below its own project, or by that below another one with its name."""
    (server.home / "lib").mkdir()
    jar = server.add_jar("lib/a.jar", "a/A.class")
    server.only = _symbol("A", "a.jar", encoded(path))
    [attachment] = run(server).attachments
    assert (attachment.file, attachment.key) == (str(jar), jar_key(str(jar)))
    assert attachment.place.path == encoded(path)


def test_an_answer_that_is_no_symbol_is_named(server: CannedServer) -> None:
    server.only = {"name": "A"}
    with pytest.raises(ServerError, match="workspace/symbol"):
        run(server)


def test_of_what_is_known_one_type_is_asked_for(server: CannedServer) -> None:
    known = {jdk_key(str(server.home / "jdk"))[0]}
    known.add(jar_key(str(server.add_jar("old.jar", "o/p/Old.class", "o/p/Old$In.class"))))
    server.add_jar("new.jar", "n/A.class", "n/sub/B.class", "z/C.class")
    captured = run(server, known)
    assert names(captured) == [("JDK 25", 0), ("new.jar", 1), ("old.jar", 0)]
    by_length = {f"{package}.{'?' * n}" for package in "nz" for n in range(1, 40)}
    assert set(server.queries) == {
        *("java.lang.Object", "o.p.Old", f"n.{'?' * 40}*", f"z.{'?' * 40}*"),
        *("n.*$*", "z.*$*", "*n*$*.*", "*z*$*.*"),
        *by_length,
    }
    assert len(server.queries) == len(set(server.queries)) + 6  # those for dollar signs


def test_of_an_unexpected_library_all_is_asked_for(server: CannedServer) -> None:
    server.add_jar("unlisted.jar", "a/A.class")
    captured = run(server, {jdk_key(str(server.home / "jdk"))[0]})
    assert ".?" in server.queries
    assert names(captured) == [("JDK 25", 0), ("unlisted.jar", 1)]


def test_few_questions_for_each_of_many_packages(server: CannedServer) -> None:
    known = {jdk_key(str(server.home / "jdk"))[0]}
    server.add_jar("new.jar", *(f"p{number:02}/A.class" for number in range(50)))
    captured = run(server, known)
    assert names(captured) == [("JDK 25", 0), ("new.jar", 1)]
    assert {"p07.?", "p07.????", "p07.?????*"} < set(server.queries)
    assert "p07.?????" not in server.queries


def test_everything_is_cheaper_than_very_many_questions(server: CannedServer) -> None:
    known = {jdk_key(str(server.home / "jdk"))[0]}
    server.add_jar("new.jar", *(f"p{number:03}/A.class" for number in range(300)))
    run(server, known)
    assert ".?" in server.queries


@pytest.mark.parametrize(
    ("entries", "answering"),
    [
        (("a/A.class",), {"jdk", "old.jar"}),  # the new one was not found by its package
        (("a/A.class",), {"new.jar", "old.jar"}),
        (("A.class",), None),  # in no package
        (("WEB-INF/classes/a/A.class",), None),  # in which one?
    ],
)
def test_everything_is_asked_for_where_that_is_not_enough(
    server: CannedServer, entries: tuple[str, ...], answering: set[str] | None
) -> None:
    known = {jdk_key(str(server.home / "jdk"))[0]}
    known.add(jar_key(str(server.add_jar("old.jar", "o/Old.class"))))
    server.add_jar("new.jar", *entries)
    server.answering = answering
    captured = run(server, known)
    assert ".?" in server.queries
    assert names(captured) == [("JDK 25", 0), ("new.jar", 1), ("old.jar", 0)]


def test_an_unknown_jdk_is_asked_for_whole(server: CannedServer) -> None:
    known = {jar_key(str(server.add_jar("old.jar", "o/Old.class")))}
    assert names(run(server, known)) == [("JDK 25", 1), ("old.jar", 0)]
    assert "java.lang.Object" not in server.queries
