"""Bringing the index up to date: what is asked, what is reused, and that no path matters.

The server is an instant fake in this process; its counterpart as a process, with faults, kills and
signals, is in test_build_faults.py.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from indexer import build as building
from indexer import files
from indexer.build import BuildOptions, FileState
from indexer.cli import _Bar
from indexer.errors import IndexNotWritable, ServerStartFailed
from indexer.files import Root, read
from indexer.jdtls.source import Outcome, Source
from indexer.store.writer import Writer
from tests.fakes.runtime import fake_runtime
from tests.support import indexing
from tests.support.indexing import Index, InstantServer, counts
from tests.support.trees import Tree, toy


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer) -> Tree:
    """Three files, indexed."""
    for path in ("src/a/A.java", "src/a/B.java", "src/b/C.java"):
        tree.write(path)
    index.build(tree.path)
    server.forget()
    return tree


@pytest.fixture
def old_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as old enough for their stat to be trusted."""
    monkeypatch.setattr(files, "RACY_NS", 0)


# --- what a run does ----------------------------------------------------------------------------


def test_first_run(tree: Tree, index: Index, server: InstantServer) -> None:
    tree.write("src/a/A.java")
    tree.write("src/a/B.java", "package a;\n" + toy("B.java"))
    report = index.build(tree.path)
    (workspace,) = report.workspaces
    assert counts(report) == {"outlined": 2}
    assert (workspace.root, workspace.files) == (Root(str(tree.path), "tree"), 2)
    assert (workspace.symbols, workspace.types) == (8, 2)
    assert report.db == str(index.path)
    assert report.engine == "jdt.ls 9.9.0.fake"
    assert index.notes.notices == []
    assert sorted(server.asked) == ["A", "B"]


def test_second_run_starts_no_server(shop: Tree, index: Index, server: InstantServer) -> None:
    assert counts(index.build(shop.path)) == {"reused": 3}
    assert server.starts == 0


def test_an_unchanged_tree_is_not_read(
    old_files: None,
    shop: Tree,
    index: Index,
    server: InstantServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = readings(monkeypatch)
    assert counts(index.build(shop.path)) == {"reused": 3}
    assert asked == []
    os.utime(shop / "src/a/A.java", ns=(1, 1))
    assert counts(index.build(shop.path)) == {"reused": 3}
    assert asked == ["A.java"]
    assert counts(index.build(shop.path)) == {"reused": 3}
    assert asked == ["A.java"]
    assert server.starts == 0


def test_young_files_are_read_again(
    shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write within the clock's grain would leave the stat as it was."""
    asked = readings(monkeypatch)
    index.build(shop.path)
    assert len(asked) == 3
    monkeypatch.setattr(files, "RACY_NS", 0)
    index.build(shop.path)
    assert len(asked) == 6
    index.build(shop.path)
    assert len(asked) == 6


def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are read from now on."""
    asked: list[str] = []

    def note(path: str, *, root: str) -> files.Content:
        asked.append(os.path.basename(path))
        return read(path, root=root)

    monkeypatch.setattr(building, "read", note)
    return asked


def test_edits(shop: Tree, index: Index, server: InstantServer) -> None:
    original = (shop / "src/a/A.java").read_bytes()
    shop.write("src/a/A.java", toy("src/a/A.java", "int other;"))
    assert counts(index.build(shop.path)) == {"reused": 2, "outlined": 1}
    assert server.asked == ["A"]
    assert index.rows("SELECT name FROM members WHERE path = 'src/a/A.java'") == [("other",)]
    shop.write("src/a/A.java", original)  # a revert costs nothing
    assert counts(index.build(shop.path)) == {"reused": 3}
    assert server.asked == ["A"]


def test_an_edit_that_keeps_size_and_time(
    old_files: None, shop: Tree, index: Index, server: InstantServer
) -> None:
    index.build(shop.path)
    file = shop / "src/a/A.java"
    before = os.stat(file)
    file.write_bytes(file.read_bytes().replace(b"int x", b"int y"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(file).st_mtime_ns == before.st_mtime_ns
    assert counts(index.build(shop.path)) == {"reused": 2, "outlined": 1}


def test_renames_copies_moves_and_deletions(
    shop: Tree, index: Index, server: InstantServer
) -> None:
    (shop / "src/a/A.java").rename(shop / "src/a/Renamed.java")
    assert counts(index.build(shop.path)) == {"reused": 3, "removed": 1}
    shutil.copy(shop / "src/a/B.java", shop / "src/a/Copy.java")
    assert counts(index.build(shop.path)) == {"reused": 4}
    (shop / "src/moved").mkdir()
    (shop / "src/b/C.java").rename(shop / "src/moved/C.java")
    assert counts(index.build(shop.path)) == {"reused": 4, "removed": 1}
    (shop / "src/a/Copy.java").unlink()
    assert counts(index.build(shop.path)) == {"reused": 3, "removed": 1}
    assert server.asked == []
    assert index.rows("SELECT path FROM file ORDER BY path") == [
        ("src/a/B.java",),
        ("src/a/Renamed.java",),
        ("src/moved/C.java",),
    ]


def test_a_deleted_file_that_comes_back_costs_nothing(
    shop: Tree, index: Index, server: InstantServer
) -> None:
    (shop / "src/a/A.java").unlink()
    assert counts(index.build(shop.path)) == {"reused": 2, "removed": 1}
    shop.write("src/a/A.java")
    assert counts(index.build(shop.path)) == {"reused": 3}
    assert server.starts == 0


def test_branches_and_worktrees_outline_only_what_differs(
    tree: Tree, index: Index, server: InstantServer, tmp_path: Path
) -> None:
    for name in "ABCDE":
        tree.write(f"src/{name}.java")
    tree.commit()
    tree.git("checkout", "-q", "-b", "feature")
    tree.write("src/A.java", toy("src/A.java", "int feature;"))
    tree.write("src/New.java")
    tree.git("rm", "-q", "src/E.java")
    tree.commit()
    assert counts(index.build(tree.path)) == {"outlined": 5}
    tree.git("checkout", "-q", "main")
    assert counts(index.build(tree.path)) == {"reused": 3, "outlined": 2, "removed": 1}
    server.forget()
    tree.git("checkout", "-q", "feature")
    assert counts(index.build(tree.path)) == {"reused": 5, "removed": 1}
    tree.git("worktree", "add", "-q", str(tmp_path / "second"), "main")
    Tree(tmp_path / "second").write("src/Only.java")
    assert counts(index.build(tmp_path / "second")) == {"reused": 5, "outlined": 1}
    assert server.asked == ["Only"]
    assert counts(index.build(tree.path)) == {"reused": 5}


def test_two_roots(shop: Tree, index: Index, server: InstantServer, tmp_path: Path) -> None:
    other = Tree(tmp_path / "other")
    other.write("src/a/A.java")
    other.write("src/x/Only.java")
    report = index.build(Root(str(shop.path), "shop"), Root(str(other.path), "lib"))
    assert counts(report, 0) == {"reused": 3}
    assert counts(report, 1) == {"reused": 1, "outlined": 1}
    assert [workspace.root.name for workspace in report.workspaces] == ["shop", "lib"]
    assert index.rows("SELECT name FROM workspace ORDER BY name") == [("lib",), ("shop",)]
    # one of them alone leaves the other as it was
    (other / "src/x/Only.java").unlink()
    assert counts(index.build(shop.path)) == {"reused": 3}
    assert len(index.rows("SELECT path FROM files WHERE workspace = 'lib'")) == 2


def test_names_that_count(tree: Tree, index: Index, server: InstantServer) -> None:
    """package-info and module-info are known by name; their content alone is not enough."""
    for folder in ("a", "b"):
        tree.write(f"{folder}/package-info.java", "package p;\n")
    tree.write("c/Ordinary.java", "package p;\n")
    report = index.build(tree.path)
    assert counts(report) == {"outlined": 2, "reused": 1}
    assert sorted(server.asked) == ["Ordinary", "package-info"]
    tree.write("c/module-info.java", "package p;\n")
    assert counts(index.build(tree.path)) == {"outlined": 1, "reused": 3}


def test_same_content_under_two_names(tree: Tree, index: Index, server: InstantServer) -> None:
    tree.write("a/One.java", "package a;\nclass Shared {\n}\n")
    tree.write("b/One.java", "package a;\nclass Shared {\n}\n")
    assert counts(index.build(tree.path)) == {"outlined": 1, "reused": 1}
    tree.write("c/Two.java", "package a;\nclass Shared {\n}\n")
    assert counts(index.build(tree.path)) == {"reused": 3}
    assert server.asked == ["One"]
    assert index.rows("SELECT count(*) FROM outline") == [(1,)]


def test_outlines_that_hold_the_name_are_kept_by_name(
    tree: Tree, index: Index, server: InstantServer
) -> None:
    tree.write("One.java", "class Half {\n")  # unproven: asked for by name
    tree.write("Two.java", "class Half {\n")
    assert counts(index.build(tree.path)) == {"outlined": 2}
    assert index.rows("SELECT unit FROM outline ORDER BY unit") == [("One",), ("Two",)]


def test_another_engine_outlines_all_anew(
    shop: Tree, index: Index, server: InstantServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = dict(os.environ)
    for name, value in fake_runtime(tmp_path / "newer", version="10.0.0").items():
        monkeypatch.setenv(name, value)
    assert counts(index.build(shop.path)) == {"outlined": 3}
    assert counts(index.build(shop.path)) == {"reused": 3}
    monkeypatch.setenv("JAVADEX_JDTLS", old["JAVADEX_JDTLS"])
    assert counts(index.build(shop.path)) == {"reused": 3}  # going back costs nothing
    assert len(server.asked) == 3


@pytest.fixture
def newer(shop: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another engine than the one that `shop` was indexed with."""
    for name, value in fake_runtime(tmp_path / "newer", version="10.0.0").items():
        monkeypatch.setenv(name, value)


def served(index: Index) -> list[Any]:
    """All that readers look at."""
    return [index.content(), index.rows("SELECT recipe_id, indexed_at FROM workspace")]


@pytest.mark.parametrize("finished", [0, 2])
def test_a_change_of_engine_that_is_cut_off_leaves_the_index_as_it_was(
    finished: int,
    shop: Tree,
    index: Index,
    server: InstantServer,
    newer: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The outlines that were finished are there for the next run."""
    before = served(index)

    def look() -> None:
        assert served(index) == before

    monkeypatch.setattr("indexer.jdtls.pool.outlines", server.lost_after(finished, look))
    with pytest.raises(ServerStartFailed):
        index.build(shop.path)
    assert served(index) == before
    monkeypatch.setattr("indexer.jdtls.pool.outlines", server.outlines)
    again = {"reused": finished, "outlined": 3 - finished}
    assert counts(index.build(shop.path)) == {name: n for name, n in again.items() if n}
    query = "SELECT f.id FROM file f JOIN workspace w JOIN outline o ON o.id = f.outline_id"
    assert len(index.rows(f"{query} WHERE o.recipe_id = w.recipe_id")) == 3
    assert index.rows("SELECT recipe_id FROM workspace") != before[1]


def test_a_change_of_engine_happens_at_once(
    shop: Tree, index: Index, newer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is killed right behind the change has all files under the new engine."""

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(building, "_FLUSH", 1)
    monkeypatch.setattr("indexer.store.writer.placements", cut_off)
    (shop / "src/b/C.java").unlink()
    with pytest.raises(KeyboardInterrupt):
        index.build(shop.path)
    query = (
        "SELECT f.path FROM file f JOIN workspace w "
        "JOIN outline o ON o.id = f.outline_id AND o.recipe_id = w.recipe_id ORDER BY f.path"
    )
    assert index.rows(query) == [("src/a/A.java",), ("src/a/B.java",)]


def test_an_empty_folder_keeps_its_index_under_another_engine(
    shop: Tree, index: Index, newer: None
) -> None:
    before = served(index)
    shutil.rmtree(shop / "src")
    assert index.build(shop.path).workspaces[0].kept
    assert served(index) == before


async def _no_server(*arguments: object) -> AsyncGenerator[list[Outcome], None]:
    if not arguments:
        yield []
    raise ServerStartFailed("it did not start")


# --- files without an outline -------------------------------------------------------------------


def test_failures_are_listed_and_not_retried(
    shop: Tree, index: Index, server: InstantServer
) -> None:
    bad = shop.write("src/a/Bad.java", "class Bad {} // poison\n")
    problem = [("src/a/Bad.java", "failed", "the fake server was poisoned")]
    for _ in range(2):
        report = index.build(shop.path)
        assert counts(report) == {"reused": 3, "failed": 1}
        assert [(p.file, p.state, p.reason) for p in report.workspaces[0].problems] == problem
    os.utime(bad)
    assert counts(index.build(shop.path)) == {"reused": 3, "failed": 1}
    assert server.asked == ["Bad"]
    bad.write_text("class Bad { /* still poison */ }\n")
    assert counts(index.build(shop.path)) == {"reused": 3, "failed": 1}
    assert server.asked == ["Bad", "Bad"]
    bad.write_text("class Bad { }\n")
    assert counts(index.build(shop.path)) == {"reused": 3, "outlined": 1}


def test_failures_are_retried_on_request(shop: Tree, index: Index, server: InstantServer) -> None:
    shop.write("src/a/Bad.java", "class Bad {} // poison\n")
    index.build(shop.path)
    assert counts(index.build(shop.path, retry_failed=True)) == {"reused": 3, "failed": 1}
    assert server.asked == ["Bad", "Bad"]
    assert counts(index.build(shop.path)) == {"reused": 3, "failed": 1}
    assert server.asked == ["Bad", "Bad"]


def test_a_retry_that_is_cut_off_loses_nothing(
    shop: Tree, index: Index, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("src/a/Bad.java", "class Bad {} // poison\n")
    index.build(shop.path)
    before = served(index)
    monkeypatch.setattr("indexer.jdtls.pool.outlines", _no_server)
    with pytest.raises(ServerStartFailed):
        index.build(shop.path, retry_failed=True)
    assert served(index) == before


def test_a_retry_is_for_the_folders_of_the_run(
    shop: Tree, index: Index, server: InstantServer, tmp_path: Path
) -> None:
    other = Tree(tmp_path / "other")
    other.write("Worse.java", "class Worse {} // poison\n")
    shop.write("src/a/Bad.java", "class Bad {} // poison\n")
    index.build(shop.path, other.path)
    before = served(index)
    server.forget()
    index.build(shop.path, retry_failed=True)
    assert server.asked == ["Bad"]
    assert index.content() == before[0]
    assert counts(index.build(other.path)) == {"failed": 1}
    assert server.asked == ["Bad"]


@pytest.mark.parametrize("path", ["src/a/Bad.java", "src/a/package-info.java"])
def test_a_retry_that_succeeds_takes_the_place_of_the_failure(
    path: str,
    shop: Tree,
    index: Index,
    server: InstantServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One under the file's own name is kept in the very row."""
    shop.write(path, "package b;\nclass Bad {\n} // poison\n")
    assert counts(index.build(shop.path)) == {"reused": 3, "failed": 1}
    monkeypatch.setattr(indexing, "POISON", "nothing")
    assert counts(index.build(shop.path)) == {"reused": 3, "failed": 1}
    assert counts(index.build(shop.path, retry_failed=True)) == {"reused": 3, "outlined": 1}
    assert counts(index.build(shop.path, retry_failed=True)) == {"reused": 4}
    fresh = Index(tmp_path / "fresh.db")
    fresh.build(shop.path)
    assert index.content() == fresh.content()


def test_when_all_fails_the_rest_of_the_index_keeps_answering(shop: Tree, index: Index) -> None:
    before = index.rows("SELECT path, qualified_name, line FROM types ORDER BY path")
    for name in ("New", "Newer"):
        shop.write(f"src/{name}.java", f"class {name} {{}} // poison\n")
    assert counts(index.build(shop.path)) == {"reused": 3, "failed": 2}
    assert index.rows("SELECT path, qualified_name, line FROM types ORDER BY path") == before


def test_skipped_files(shop: Tree, index: Index, server: InstantServer) -> None:
    shop.write("Big.java", "x" * 101)
    (shop / "Dead.java").symlink_to("nowhere")
    for _ in range(2):
        report = index.build(shop.path, max_file_size=100)
        assert counts(report) == {"reused": 3, "skipped": 2}
        assert [(p.file, p.state) for p in report.workspaces[0].problems] == [
            ("Big.java", "skipped"),
            ("Dead.java", "skipped"),
        ]
    assert server.starts == 0
    # what fits now is taken, and what no longer fits is no longer served
    assert counts(index.build(shop.path, max_file_size=0)) == {
        "reused": 3,
        "skipped": 1,
        "outlined": 1,
    }
    assert counts(index.build(shop.path, max_file_size=10)) == {"skipped": 5}
    assert index.rows("SELECT count(*) FROM types") == [(0,)]
    assert counts(index.build(shop.path, max_file_size=0)) == {"reused": 4, "skipped": 1}


def test_content_that_is_not_utf8(tree: Tree, index: Index, server: InstantServer) -> None:
    tree.write("Latin.java", b"class Latin { // caf\xe9\n}\n")
    tree.write("Bom.java", b"\xef\xbb\xbfclass Bom {\r\n}\r\n")
    tree.write("Wide.java", "\ufeffclass Wide {\n}\n".encode("utf-16-le"))
    tree.write("Binary.java", bytes(range(256)) * 4)
    assert counts(index.build(tree.path)) == {"outlined": 4}
    assert index.rows("SELECT name, line FROM types ORDER BY name") == [
        ("Bom", 1),
        ("Latin", 1),
        ("Wide", 1),
    ]


@pytest.mark.parametrize("use_git", [True, False])
def test_a_folder_whose_name_is_not_utf8(
    tree: Tree, index: Index, server: InstantServer, use_git: bool
) -> None:
    """Its files are skipped, as files of such names are; the others are not lost for it."""
    if use_git:
        tree.git("init", "-q")
    folder = os.path.join(os.fsencode(tree.path), b"caf\xe9")
    os.mkdir(folder)
    with open(os.path.join(folder, b"A.java"), "w") as file:
        file.write("class A { }")
    tree.write("ok/B.java", "class B { }")
    assert counts(index.build(tree.path, use_git=use_git)) == {"outlined": 1, "skipped": 1}
    assert index.rows("SELECT name FROM types") == [("B",)]
    assert ("ok",) in index.rows("SELECT path FROM folder")


def test_a_file_that_cannot_be_read(
    shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("src/a/A.java", "class Changed { }")

    def refuse(path: str, *, root: str) -> Any:
        if path.endswith("A.java"):
            raise PermissionError(13, "Permission denied", path)
        return read(path, root=root)

    monkeypatch.setattr(building, "read", refuse)
    report = index.build(shop.path)
    assert counts(report) == {"reused": 2, "skipped": 1}
    assert report.workspaces[0].problems[0].reason == "Permission denied"
    monkeypatch.undo()


def test_a_file_that_goes_while_we_look(
    shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vanish(path: str, *, root: str) -> Any:
        if path.endswith("A.java"):
            Path(path).unlink(missing_ok=True)
        return read(path, root=root)

    monkeypatch.setattr(building, "read", vanish)
    report = building.build(
        [Root(str(shop.path), "tree")], str(index.path), BuildOptions(), index.notes
    )
    assert counts(report) == {"reused": 2, "removed": 1}
    assert (index.notes.done, index.notes.total) == (3, 3)


def test_a_restless_file_is_skipped(
    shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    def restless(path: str, *, root: str) -> Any:
        if path.endswith("A.java"):
            raise files.Unsteady("it changed while it was read, 3 times in a row")
        return read(path, root=root)

    monkeypatch.setattr(building, "read", restless)
    report = index.build(shop.path)
    assert counts(report) == {"reused": 2, "skipped": 1}
    assert "while it was read" in report.workspaces[0].problems[0].reason


def test_a_file_that_changes_while_it_is_outlined(
    shop: Tree, index: Index, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is stored is the outline of the bytes that were hashed; the next run sees the others."""
    file = shop.write("src/a/A.java", toy("src/a/A.java", "int first;"))

    async def slow(
        runtime: Any, sources: Iterable[Source], options: Any
    ) -> AsyncGenerator[list[Outcome], None]:
        async for outcomes in server.outlines(runtime, sources, options):
            file.write_text(toy("src/a/A.java", "int second;"))
            yield outcomes

    monkeypatch.setattr("indexer.jdtls.pool.outlines", slow)
    assert counts(index.build(shop.path)) == {"reused": 2, "outlined": 1}
    query = "SELECT name FROM members WHERE path = 'src/a/A.java'"
    assert index.rows(query) == [("first",)]
    monkeypatch.setattr("indexer.jdtls.pool.outlines", server.outlines)
    assert counts(index.build(shop.path)) == {"reused": 2, "outlined": 1}
    assert index.rows(query) == [("second",)]


# --- empty folders ------------------------------------------------------------------------------


def test_a_folder_without_java(tree: Tree, index: Index, server: InstantServer) -> None:
    report = index.build(tree.path)
    assert counts(report) == {}
    assert index.notes.notices == [f"{tree.path} holds no Java file"]
    assert server.starts == 0


def test_an_empty_run_never_replaces_a_good_index(shop: Tree, index: Index) -> None:
    before = index.content()
    shutil.rmtree(shop / "src")
    report = index.build(shop.path)
    assert counts(report) == {}
    assert report.workspaces[0].kept
    assert (report.workspaces[0].symbols, report.workspaces[0].types) == (12, 3)
    (notice,) = index.notes.notices
    assert "its index has 3; it was left as it was (--allow-empty" in notice
    assert index.content() == before
    assert counts(index.build(shop.path, allow_empty=True)) == {"removed": 3}
    assert index.content()["files"] == []


# --- placement ----------------------------------------------------------------------------------


def placed(index: Index) -> dict[str, tuple[str | None, int]]:
    return {row[0]: row[1:] for row in index.rows("SELECT path, package, hidden FROM file")}


def test_placement_follows_the_roots_that_are_there(
    tree: Tree, index: Index, server: InstantServer
) -> None:
    tree.write("src/a/A.java", "package a;\nclass A {\n}\n")
    tree.write("src/b/Moved.java", "package a;\nclass Moved {\n}\n")
    tree.write("src/b/my-file.java", "package b;\nclass My {\n}\n")
    index.build(tree.path)
    assert placed(index) == {
        "src/a/A.java": (None, 0),
        "src/b/Moved.java": ("b", 0),
        "src/b/my-file.java": (None, 1),
    }
    (tree / "src/a/A.java").unlink()
    (tree / "src/b/my-file.java").unlink()
    index.build(tree.path)  # nothing names the root any more
    assert placed(index) == {"src/b/Moved.java": (None, 0)}


@pytest.mark.parametrize("change", ["new", "edited", "deleted"])
def test_placement_survives_a_run_that_was_cut_off(
    change: str,
    old_files: None,
    tree: Tree,
    index: Index,
    server: InstantServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All files were stored, but the run ended before it came to their places."""
    tree.write("src/a/A.java", "package a;\nclass A {\n}\n")
    tree.write("src/b/Moved.java", "package a;\nclass Moved {\n}\n")
    if change != "new":
        tree.write("lib/a/Second.java", "package a;\nclass Second {\n}\n")
        index.build(tree.path)
    if change == "edited":
        tree.write("src/a/A.java", "class A {\n}\n")
    elif change == "deleted":
        (tree / "src/a/A.java").unlink()

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("indexer.store.writer.placements", cut_off)
    with pytest.raises(KeyboardInterrupt):
        index.build(tree.path)
    monkeypatch.undo()
    for name, value in fake_runtime(index.path.parent / "runtime").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(files, "RACY_NS", 0)
    server.forget()
    index.build(tree.path)
    assert server.asked == []
    fresh = Index(index.path.with_name("fresh.db"))
    monkeypatch.setattr("indexer.jdtls.pool.outlines", server.outlines)
    fresh.build(tree.path)
    assert placed(index) == placed(fresh)


# --- the database -------------------------------------------------------------------------------


def test_no_transaction_spans_a_server_call(
    shop: Tree, index: Index, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a server works, another connection can write at once."""
    shop.write("src/New.java")
    wrote: list[bool] = []

    async def slow(
        runtime: Any, sources: Iterable[Source], options: Any
    ) -> AsyncGenerator[list[Outcome], None]:
        async for outcomes in server.outlines(runtime, sources, options):
            connection = sqlite3.connect(index.path, timeout=0)
            with connection:
                connection.execute("UPDATE workspace SET name = name")
            connection.close()
            wrote.append(True)
            await asyncio.sleep(0)
            yield outcomes

    monkeypatch.setattr("indexer.jdtls.pool.outlines", slow)
    index.build(shop.path)
    assert wrote == [True]


def test_batches_are_committed_as_they_come(
    tree: Tree, index: Index, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        tree.write(f"T{number}.java")

    monkeypatch.setattr("indexer.jdtls.pool.outlines", server.lost_after(3))
    with pytest.raises(ServerStartFailed):
        index.build(tree.path)
    assert index.rows("SELECT count(*) FROM outline") == [(3,)]
    assert index.rows("SELECT indexed_at FROM workspace") == [(None,)]
    monkeypatch.setattr("indexer.jdtls.pool.outlines", server.outlines)
    assert counts(index.build(tree.path)) == {"reused": 3, "outlined": 1}


def test_damage_that_shows_in_the_middle_of_a_run(
    shop: Tree, index: Index, server: InstantServer
) -> None:
    index.rows("DROP TABLE type")
    report = index.build(shop.path)
    assert counts(report) == {"outlined": 3}
    (aside,) = index.path.parent.glob("index.db.corrupt-*")
    assert any(f"kept as {aside}" in notice for notice in index.notes.notices)


def test_damage_is_not_hidden_by_what_closing_brings(
    shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.rows("DROP TABLE type")
    close, left = Writer.close, [IndexNotWritable("no checkpoint")]

    def fails_once(writer: Writer) -> None:
        close(writer)
        if left:
            raise left.pop()

    monkeypatch.setattr(Writer, "close", fails_once)
    assert counts(index.build(shop.path)) == {"outlined": 3}
    assert left == []


def test_damaged_index_in_a_folder_that_cannot_be_written(
    shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.path.write_bytes(b"no database" * 1000)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(IndexNotWritable, match="cannot be set aside: Permission denied"):
        index.build(shop.path)


def test_many_files_are_stored_while_the_run_goes_on(
    tree: Tree, index: Index, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is only hashed is stored too, so that a kill does not cost all of the hashing."""
    for number in range(30):
        tree.write(f"T{number:02}.java")
    index.build(tree.path)
    index.rows("DELETE FROM file")
    monkeypatch.setattr(building, "_FLUSH", 10)
    seen: list[int] = []

    def note(path: str, *, root: str) -> Any:
        seen.append(index.rows("SELECT count(*) FROM file")[0][0])
        return read(path, root=root)

    monkeypatch.setattr(building, "read", note)
    assert counts(index.build(tree.path)) == {"reused": 30}
    assert max(seen) == 20


# --- incremental = rebuild ----------------------------------------------------------------------

FOLDERS = ("", "src/a", "src/a/b", "src/c", "lib/a", "lib/my-dir")
NAMES = ("A", "B", "package-info", "my-file")
CONTENTS = (
    "",
    "// only a comment\n",
    "package a;\n",
    "package a;\nclass A {\n  int x;\n  class In {\n    void m() {}\n  }\n}\n",
    "package a.b;\ninterface B {\n}\n",
    "package c;\nenum C {\n}\nclass D {\n}\n",
    "class NoPackage {\n}\n",
    "class Unclosed {\n",
    "package a;\nclass Bad {} // poison\n",
    "package c;\nclass Ünï {\n}\n",
)
paths = st.builds(
    lambda folder, name: f"{folder}/{name}.java".lstrip("/"),
    st.sampled_from(FOLDERS),
    st.sampled_from(NAMES),
)


class Editing(RuleBasedStateMachine):
    """Random changes to a tree; after each run the index equals a fresh one."""

    server: InstantServer

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="javadex-test-"))
        self.tree = Tree(self.folder / "tree")
        self.index = Index(self.folder / "index.db")

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def existing(self, path: str) -> Path:
        """The file nearest to `path` in the list of all, for rules that need one."""
        every = sorted(self.tree.path.rglob("*.java"))
        return next((file for file in every if str(file) >= str(self.tree / path)), every[0])

    @initialize(path=paths, content=st.sampled_from(CONTENTS))
    def begin(self, path: str, content: str) -> None:
        self.tree.write(path, content)
        self.tree.write("Always.java")

    @rule(path=paths, content=st.sampled_from(CONTENTS))
    def write(self, path: str, content: str) -> None:
        self.tree.write(path, content)

    @rule(path=paths)
    def delete(self, path: str) -> None:
        if len(list(self.tree.path.rglob("*.java"))) > 1:
            self.existing(path).unlink()

    @rule(path=paths, destination=paths)
    def move(self, path: str, destination: str) -> None:
        (self.tree / destination).parent.mkdir(parents=True, exist_ok=True)
        self.existing(path).rename(self.tree / destination)

    @rule(path=paths, destination=paths)
    def copy(self, path: str, destination: str) -> None:
        source = self.existing(path)
        if source != self.tree / destination:
            self.tree.write(destination, source.read_bytes())

    @rule(folder=st.sampled_from(FOLDERS[1:]))
    def delete_folder(self, folder: str) -> None:
        if (self.tree / "Always.java").exists():
            shutil.rmtree(self.tree / folder, ignore_errors=True)

    @rule(path=paths)
    def touch(self, path: str) -> None:
        os.utime(self.existing(path))

    @rule(limit=st.sampled_from([0, 30]))
    def index_again(self, limit: int) -> None:
        self.index.build(self.tree.path, max_file_size=limit)
        fresh = Index(self.folder / "fresh.db")
        fresh.build(self.tree.path, max_file_size=limit)
        assert self.index.content() == fresh.content()
        fresh.path.unlink()
        self.server.forget()
        self.index.build(self.tree.path, max_file_size=limit)
        assert self.server.asked == []


@pytest.mark.parametrize("racy", [0, 10**12])
def test_incremental_equals_rebuild(
    racy: int, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With stats that are trusted, and with none that is."""
    monkeypatch.setattr(files, "RACY_NS", racy)
    Editing.server = server
    run_state_machine_as_test(
        Editing,
        settings=settings(
            max_examples=25,
            stateful_step_count=12,
            suppress_health_check=list(HealthCheck),
            deadline=None,
        ),
    )


# --- progress -----------------------------------------------------------------------------------


def test_a_run_that_starts_over_has_one_bar_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[dict[str, int]] = []

    class Bar:
        def __init__(self, total: int, **_: object) -> None:
            assert all(bar["closed"] for bar in bars)
            self.said = {"total": total, "done": 0, "closed": 0}
            bars.append(self.said)

        def update(self, count: int) -> None:
            self.said["done"] += count

        def close(self) -> None:
            self.said["closed"] += 1

    monkeypatch.setattr("tqdm.tqdm", Bar)
    progress = _Bar()
    progress.close()
    for total in (3, 0):
        progress.start(total)
        progress.advance(total)
    progress.close()
    progress.close()
    assert bars == [{"total": n, "done": n, "closed": 1} for n in (3, 0)]


def test_states_have_names() -> None:
    assert [state.value for state in FileState] == ["reused", "outlined", "skipped", "failed"]
