"""Library types as the real jdt.ls gives them: captured, moved, and what a failed import leaves."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from indexer.class_path import class_path_fingerprint
from indexer.jdtls.libraries import Capture, capture
from indexer.jdtls.runtime import locate
from indexer.jdtls.standard import StandardOptions, open_standard
from indexer.libraries import Attachment, Library, LibraryType, decoded, fill, split
from indexer.model import SymbolKind
from query.match import compile_query
from tests.jdtls.samples import SAMPLES

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

QUERIES = (
    ".*",
    "Map",
    "java.util.Map.Entry",
    "HashM",
    "ConcHM",
    "CoreEx",
    "IPath*",
    "*$*",
    ".*$*",
    "B",
    "LabelUI",
    "java.util.concurrent.ConcurrentHashMap",
    "java.io.ObjectInputFilter$Config.Global",
    "org.eclipse.core.runtime",
    "*Exception",
)
_PROJECT = """<?xml version="1.0" encoding="UTF-8"?>
<projectDescription><name>app (main)</name>
<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>
"""
_CLASSPATH = """<?xml version="1.0" encoding="UTF-8"?>
<classpath><classpathentry kind="src" path="src"/>
<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/>
<classpathentry kind="lib" path="lib/common é=1 (x).jar"/>
<classpathentry kind="lib" path="{outside}">
<attributes><attribute name="note" value="a=b c"/></attributes></classpathentry>
<classpathentry kind="output" path="bin"/></classpath>
"""
_SETTINGS = "<settings><localRepository>{}</localRepository></settings>"


Found = tuple[str, int, bool, str]
"""Name, kind, deprecated, URI."""


@dataclass(frozen=True)
class Captured:
    """Captures of one Eclipse project, before and after it was moved, and a live server's word.

    The jar in the project and the one outside have the same bytes and different names.
    """

    root: Path
    moved_root: Path
    outside: Path
    first: Capture
    moved: Capture
    """With the JDK known from the first."""
    live: dict[str, set[Found]]
    """The library types that a server over `moved_root` finds, by query."""

    @property
    def rows(self) -> list[tuple[LibraryType, str]]:
        """All types of the first capture, with their URIs by the places of the second."""
        by_key = {library.key: library for library in self.first.libraries}
        return [
            (row, fill(row.uri, attachment.place))
            for attachment in self.moved.attachments
            for row in by_key[attachment.key].types
        ]


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Captured:
    home = tmp_path_factory.mktemp("libraries")
    plugins = Path(locate().jdtls.folder) / "plugins"
    [jar] = plugins.glob("org.eclipse.equinox.common_*.jar")
    root, outside = home / "one" / "app", home / "out %side" / "common!.jar"
    for copy in (outside, root / "lib" / "common é=1 (x).jar"):
        copy.parent.mkdir(parents=True)
        shutil.copyfile(jar, copy)
    (root / "src" / "p").mkdir(parents=True)
    (root / "src" / "p" / "Mine.java").write_text("package p; class Mine { }")
    (root / ".project").write_text(_PROJECT)
    (root / ".classpath").write_text(_CLASSPATH.format(outside=outside), encoding="utf-8")
    first = asyncio.run(capture(locate(), str(root)))
    moved = home / "another place" / "app"
    moved.parent.mkdir()
    root.rename(moved)
    before = sorted(moved.rglob("*"))
    again = asyncio.run(capture(locate(), str(moved), known={the_jdk(first)[0].key}))
    assert sorted(moved.rglob("*")) == before, "a capture wrote into the user's tree"
    live = asyncio.run(_ask_live(moved))
    return Captured(root, moved, outside, first, again, live)


async def _ask_live(folder: Path) -> dict[str, set[Found]]:
    server = await open_standard(locate(), folder, StandardOptions(class_files=True))
    try:
        return {query: _library_types(await server.workspace_symbol(query)) for query in QUERIES}
    finally:
        await server.close()


def _library_types(answer: list[Any]) -> set[Found]:
    found = {
        (symbol["name"], symbol["kind"], symbol.get("tags") == [1], symbol["location"]["uri"])
        for symbol in answer
    }
    return {one for one in found if one[3].startswith("jdt:")}


def the_jdk(capture: Capture) -> tuple[Library, Attachment]:
    [jdk] = [library for library in capture.libraries if library.kind == "jdk"]
    [attachment] = [one for one in capture.attachments if one.key == jdk.key]
    return jdk, attachment


def test_the_jdk_is_captured(captured: Captured) -> None:
    jdk, attachment = the_jdk(captured.first)
    types = {f"{row.container}.{row.name}": row for row in jdk.types}
    assert jdk.name.startswith("JDK ")
    assert types["java.util.Map"].kind is SymbolKind.Interface
    assert types["java.lang.Thread.State"].kind is SymbolKind.Enum
    assert types["java.util.Observer"].deprecated
    assert not types["java.util.Map"].deprecated
    assert types["java.util.Map.Entry"].uri.endswith(
        "?={project}/{path}%60java.base{attributes}%3Cjava.util%28Map$Entry.class"
    )
    assert Path(attachment.file, "release").is_file()


def test_equal_jars_are_one_library_with_two_attachments(captured: Captured) -> None:
    [jar] = [library for library in captured.first.libraries if library.kind == "jar"]
    attached = {one.file: one.place for one in captured.first.attachments if one.key == jar.key}
    inside = str(captured.root / "lib" / "common é=1 (x).jar")
    assert set(attached) == {inside, str(captured.outside)}
    assert decoded(attached[inside].path) == "lib/common é=1 (x).jar"
    assert decoded(attached[str(captured.outside)].path) == str(captured.outside)
    assert decoded(attached[str(captured.outside)].attributes) == "=/note=/a=b c=/"
    assert "org.eclipse.core.runtime.IPath" in {f"{t.container}.{t.name}" for t in jar.types}


def test_no_problem_where_there_is_none(captured: Captured) -> None:
    assert captured.first.problems == []
    assert captured.moved.problems == []


def test_a_move_changes_attachments_only(captured: Captured) -> None:
    """And what is known is attached without its types."""
    jdk, _ = the_jdk(captured.first)
    assert captured.moved.libraries == [
        library._replace(types=()) if library.key == jdk.key else library
        for library in captured.first.libraries
    ]
    files = [
        one.file.replace(str(captured.root), str(captured.moved_root))
        for one in captured.first.attachments
    ]
    assert [one.file for one in captured.moved.attachments] == files
    assert captured.moved.attachments != captured.first.attachments


def test_no_row_names_the_machine_or_the_project(captured: Captured) -> None:
    _, attachment = the_jdk(captured.first)
    for library in captured.first.libraries:
        for row in library.types:
            assert "{project}/{path}" in row.uri
            assert attachment.place.path not in row.uri
            assert "app%20" not in row.uri
            assert library.kind == "jdk" or row.uri.startswith("jdt://contents/{jar}/")


def test_every_uri_comes_back(captured: Captured) -> None:
    places = {one.place for one in captured.moved.attachments}
    for row, uri in captured.rows:
        parts = split(uri)
        assert parts
        assert parts.template == row.uri
        assert parts.place in places
    assert len(captured.rows) > 10_000


@pytest.mark.parametrize("query", QUERIES)
def test_rows_answer_queries_as_the_live_server_does(query: str, captured: Captured) -> None:
    """Another server, over the user's own tree: URIs byte for byte. `.*` is all there is."""
    compiled = compile_query(query, strict=True)
    assert compiled
    ours = {
        (row.name, int(row.kind), row.deprecated, uri)
        for row, uri in captured.rows
        if compiled.matches(row.matched, row.qualification)
    }
    assert captured.live[query]
    assert ours == captured.live[query]


def test_a_build_that_cannot_be_imported_leaves_the_jdk(tmp_path: Path, captured: Captured) -> None:
    """Maven's own plugins are not on this machine, and it may not fetch them."""
    shutil.copytree(SAMPLES / "maven-shop", tmp_path / "shop")
    settings = tmp_path / "settings.xml"
    settings.write_text(_SETTINGS.format(tmp_path / "repository"))
    options = StandardOptions(offline=True, maven_settings=str(settings))
    jdk, _ = the_jdk(captured.first)
    result = asyncio.run(capture(locate(), str(tmp_path / "shop"), options, {jdk.key}))
    assert any("maven-resources-plugin" in problem for problem in result.problems)
    assert any("offline" in problem for problem in result.problems)
    found, attachment = the_jdk(result)
    assert found == jdk._replace(types=())
    assert attachment.place.project == "jdt.ls-java-project"
    assert attachment.file == the_jdk(captured.first)[1].file


def test_the_fingerprint_is_that_of_the_moved_build(captured: Captured) -> None:
    copy = captured.root
    shutil.copytree(captured.moved_root, copy)
    here, there = (class_path_fingerprint(str(root), "e") for root in (copy, captured.moved_root))
    shutil.rmtree(copy)
    assert here == there
