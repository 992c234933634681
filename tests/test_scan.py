"""A question after edits: what changed, came or went is seen, and indexed anew."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer import build as building
from indexer import files, folders
from indexer.errors import ServerTimeout
from indexer.files import resolve_root
from indexer.jdtls.convert import outline_from
from indexer.jdtls.runtime import locate
from indexer.jdtls.source import Outcome, Source
from indexer.recipe import content_key
from indexer.standing import Standing
from indexer.store.reader import Workspace, open_reader
from query import renew as renewing
from query import scan as scanning
from query import upkeep
from query.contract import FindAnswer, Reason
from query.remember import remember
from query.scan import Scan, scan
from query.service import Scope, Service
from query.upkeep import Limits
from tests.fakes.server import outline
from tests.support import indexing
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree, toy

Ask = Callable[..., FindAnswer]


@pytest.fixture(autouse=True)
def trusted_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file or folder is never too young to be trusted, and every question looks anew."""
    monkeypatch.setattr(files, "RACY_NS", -(10**18))
    monkeypatch.setattr(folders, "RACY_NS", -(10**18))
    monkeypatch.setattr(upkeep, "SCAN_EVERY", 0.0)
    monkeypatch.setattr(upkeep, "WATCH_AFTER", 3600.0)


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer) -> Tree:
    for name in ("Order", "Stock", "util/Text"):
        tree.write(f"src/shop/{name}.java", toy(f"shop/{name}.java"))
    index.build(tree.path)
    server.forget()
    return tree


@pytest.fixture
def ask(shop: Tree, index: Index) -> Iterator[Ask]:
    service = Service(Scope((resolve_root(str(shop.path)),), str(index.path), upkeep=Limits(10.0)))

    def find(query: str) -> FindAnswer:
        answer = service.find(query)
        assert isinstance(answer, FindAnswer)
        return answer

    yield find
    service.close()


def found(answer: FindAnswer) -> list[tuple[str, int]]:
    return [(hit.name, hit.selection_range.lines[0]) for hit in answer.hits]


def looked(shop: Tree, index: Index, budget: float = 10.0) -> Scan:
    reader = open_reader(str(index.path))
    try:
        (workspace,) = reader.workspaces()
        return scan(reader, workspace, budget)
    finally:
        reader.close()


def test_nothing_changed(shop: Tree, index: Index, ask: Ask, server: InstantServer) -> None:
    assert looked(shop, index) == Scan(changed=False)
    before = index.path.read_bytes()
    answer = ask("Order")
    assert found(answer) == [("Order", 2)]
    assert answer.provenance.detail == "matched as given"
    assert server.starts == 0
    assert index.path.read_bytes() == before


def test_a_changed_file_is_outlined_first(shop: Tree, ask: Ask, server: InstantServer) -> None:
    shop.write(
        "src/shop/Order.java", "package shop;\n\n\n\nclass Order {\n  class Line {\n  }\n}\n"
    )
    assert found(ask("Order")) == [("Order", 5)]
    assert server.asked == ["Order"]
    server.forget()
    assert found(ask("Line")) == [("Line", 6)]
    assert server.asked == []


def test_new_files_are_found(shop: Tree, ask: Ask, server: InstantServer) -> None:
    shop.write("src/shop/Refund.java", toy("shop/Refund.java"))
    shop.write("src/brand/fresh/deep/Cart.java", toy("brand/fresh/deep/Cart.java"))
    assert found(ask("Refund")) == [("Refund", 2)]
    assert found(ask("Cart")) == [("Cart", 2)]
    assert sorted(server.asked) == ["Cart", "Refund"]
    assert server.starts == 1


def test_what_is_gone_is_not_found(shop: Tree, index: Index, ask: Ask) -> None:
    (shop / "src/shop/Stock.java").unlink()
    shutil.rmtree(shop / "src/shop/util")
    assert looked(shop, index).changed
    assert ask("Stock").reason is Reason.WORKSPACE_SYMBOL_NO_MATCH
    assert ask("Text").reason is Reason.WORKSPACE_SYMBOL_NO_MATCH
    assert ask("*").total == 1


def test_renames_and_reverts_start_no_server(shop: Tree, ask: Ask, server: InstantServer) -> None:
    before = (shop / "src/shop/Order.java").read_bytes()
    (shop / "src/shop/Order.java").rename(shop / "src/shop/util/Order.java")
    (hit,) = ask("Order").hits
    assert hit.file.endswith("src/shop/util/Order.java")
    (shop / "src/shop/util/Order.java").write_bytes(b"class Other {\n}\n")
    assert found(ask("Other")) == [("Other", 1)]
    server.forget()
    (shop / "src/shop/util/Order.java").write_bytes(before)
    assert found(ask("Order")) == [("Order", 2)]
    assert server.starts == 0


def test_a_touched_file_is_unchanged(shop: Tree, index: Index) -> None:
    os.utime(shop / "src/shop/Order.java", ns=(1, 1))
    (shop / "src/shop/notes.txt").write_text("a folder with another time, and no other Java file")
    assert looked(shop, index) == Scan(changed=False)


def test_many_touched_files_are_not_read_one_by_one(
    shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "_MOST_READ", 1)
    for name in ("Order", "Stock"):
        os.utime(shop / f"src/shop/{name}.java", ns=(1, 1))
    assert looked(shop, index).changed


def test_ignored_files_do_not_count(tree: Tree, index: Index, server: InstantServer) -> None:
    tree.write("src/A.java")
    tree.write(".gitignore", "gen/\n")
    tree.commit()
    index.build(tree.path)
    tree.write("gen/B.java")
    tree.write("src/gen/C.java")
    assert looked(tree, index) == Scan(changed=False)
    tree.write("docs/more/D.java")
    assert looked(tree, index).changed


@pytest.mark.parametrize("where", ["", "src/"])
@pytest.mark.parametrize("how", ["edited", "new", "deleted"])
@pytest.mark.parametrize("ignored_first", [True, False])
def test_what_git_ignores_may_change(
    how: str, ignored_first: bool, where: str, tree: Tree, index: Index, server: InstantServer
) -> None:
    """In place, too, so that no folder shows it."""
    tree.write("src/shop/A.java")
    tree.commit()
    tree.write("src/shop/GenB.java")  # not tracked
    rules, other = where + ".gitignore", "# nothing\n"
    states = ["Gen*.java\n", None if how == "deleted" else other]
    if how == "new":
        states = ["Gen*.java\n", None]
    first, then = states if ignored_first else states[::-1]
    if first is not None:
        tree.write(rules, first)
    index.build(tree.path)
    assert looked(tree, index) == Scan(changed=False)
    scope = Scope((resolve_root(str(tree.path)),), str(index.path), upkeep=Limits(10.0))
    if then is None:
        (tree / rules).unlink()
    else:
        tree.write(rules, then)
    with Service(scope) as service:
        answer = service.find("GenB")
    assert isinstance(answer, FindAnswer)
    assert answer.total == ignored_first
    assert looked(tree, index) == Scan(changed=False)  # once


def test_rules_mean_nothing_where_git_has_no_say(
    tree: Tree, index: Index, server: InstantServer
) -> None:
    tree.write("src/A.java")
    tree.write(".gitignore", "# nothing\n")
    tree.commit()
    index.build(tree.path, use_git=False)
    tree.write(".gitignore", "*.java\n")
    tree.write("src/.gitignore", "*.java\n")
    assert looked(tree, index) == Scan(changed=False)


def test_the_way_of_the_last_run_is_kept(tree: Tree, index: Index, server: InstantServer) -> None:
    """A folder indexed without git, with its own limit, is looked at and renewed in that way."""
    tree.write("src/A.java")
    tree.write(".gitignore", "gen/\n")
    tree.write("gen/B.java")
    tree.write("src/Big.java", "class Big {\n}\n" + "//" * 500)
    tree.commit()
    index.build(tree.path, use_git=False, max_file_size=200)
    assert looked(tree, index) == Scan(changed=False)
    tree.write("gen/C.java")
    scope = Scope((resolve_root(str(tree.path)),), str(index.path), upkeep=Limits(10.0))
    with Service(scope) as service:
        answer = service.find("*")
    assert isinstance(answer, FindAnswer)
    assert sorted(hit.name for hit in answer.hits) == ["A", "B", "C"]


def test_time_is_up(shop: Tree, index: Index) -> None:
    shop.write("src/shop/Order.java", "class Changed {\n}\n")
    assert looked(shop, index, budget=0.0) == Scan(changed=False, complete=False)


def test_git_has_no_more_time_than_a_look(
    tree: Tree, index: Index, server: InstantServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tree.write("src/A.java")
    tree.commit()
    index.build(tree.path)
    tree.write("src/New.java")
    assert looked(tree, index) == Scan(changed=True)
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text("#!/bin/sh\nexec sleep 60\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", f"{git.parent}:{os.environ['PATH']}")
    started = time.monotonic()
    assert looked(tree, index, budget=0.5) == Scan(changed=False, complete=False)
    assert time.monotonic() - started < 5


def test_a_miss_is_sure_only_if_all_was_looked_at(shop: Tree, index: Index) -> None:
    shop.write("src/shop/New.java", "class New {\n}\n")
    root = resolve_root(str(shop.path))
    with Service(Scope((root,), str(index.path), upkeep=Limits(1e-9))) as service:
        miss, hit = service.find("New"), service.find("Order")
    assert isinstance(miss, FindAnswer)
    assert miss.reason is Reason.SERVER_NOT_FULLY_READY
    assert miss.provenance.state is Standing.UNKNOWN
    assert "time was up before all files were looked at; allow more" in miss.message
    assert f"run `javadex index {shop.path} --db {index.path}`" in miss.message
    assert isinstance(hit, FindAnswer)
    assert found(hit) == [("Order", 2)]
    assert "time was up" in hit.provenance.detail


@pytest.mark.parametrize("times", [1, 2])
def test_what_is_written_during_a_renewal_is_no_miss(
    times: int, shop: Tree, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = list[str]()

    def build(*arguments: Any) -> Any:
        report = building.build(*arguments)
        if len(written) < times:
            written.append(f"Late{len(written)}")
            shop.write(f"src/shop/{written[-1]}.java", f"class {written[-1]} {{\n}}\n")
        return report

    monkeypatch.setattr(renewing, "build", build)
    shop.write("src/shop/New.java", "class New {\n}\n")
    for number in range(times):
        answer = ask(f"Late{number}")
        assert answer.reason is Reason.SERVER_NOT_FULLY_READY
        assert "changed again while it was indexed; ask again" in answer.message
        assert answer.provenance.state is Standing.CHANGED
    assert found(ask("New")) == [("New", 1)]
    answer = ask("Late*")
    assert (answer.total, answer.provenance.state) == (times, Standing.FRESH)


def test_a_look_after_a_renewal_holds_no_longer_than_another(
    shop: Tree, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written between two questions is found."""
    monkeypatch.setattr(upkeep, "SCAN_EVERY", 3600.0)
    monkeypatch.setattr(upkeep, "HOLDS", 0.0)
    for name in ("New", "Newer", "Newest"):
        shop.write(f"src/shop/{name}.java", f"class {name} {{\n}}\n")
        assert found(ask(name)) == [(name, 1)]


def test_a_folder_that_lost_all_its_files_is_no_change_that_goes_on(shop: Tree, ask: Ask) -> None:
    """Its index is kept, as a run would (--allow-empty), and nothing is shown of it."""
    shutil.rmtree(shop / "src")
    for _ in range(2):
        answer = ask("Order")
        assert answer.total == 0
        assert "changed again" not in answer.message


@pytest.mark.skipif(sys.platform == "darwin", reason="has no such file names")
@pytest.mark.parametrize("path", [b"caf\xe9.java", b"caf\xe9/A.java"])
def test_a_file_without_a_name_in_the_index_is_no_change_that_goes_on(
    shop: Tree, ask: Ask, path: bytes
) -> None:
    """The path that is stored for it is not its own; a file that really has that one is found."""
    odd = shop.path / os.fsdecode(path)
    odd.parent.mkdir(exist_ok=True)
    odd.write_text("class Odd { }\n")
    for _ in range(3):
        answer = ask("Nowhere")
        assert answer.reason is Reason.WORKSPACE_SYMBOL_NO_MATCH, answer.message
    assert answer.provenance.state is Standing.FRESH
    assert "indexed anew" not in answer.message
    shop.write(path.decode("utf-8", "replace"), "class Same {\n}\n")
    assert found(ask("Same")) == [("Same", 1)]


def test_the_time_for_servers_is_for_all_folders(
    tree: Tree, index: Index, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    roots = []
    for name in ("one", "two", "three"):
        tree.write(f"{name}/A.java", "class A {\n}\n")
        roots.append(resolve_root(str(tree / name)))
    index.build(*roots)
    limits = list[float | None]()

    def slow(_runtime: object, _sources: object, limit: float | None) -> Any:
        limits.append(limit)
        time.sleep(0.3)
        raise ServerTimeout("it took too long")

    monkeypatch.setattr(renewing, "ask", slow)
    for root in roots:
        tree.write(f"{root.name}/B.java", f"class B {{ /* {root.name} */\n}}\n")
    with Service(Scope(tuple(roots), str(index.path), upkeep=Limits(10.0, 0.4))) as service:
        answer = service.find("B")
    assert isinstance(answer, FindAnswer)
    first, second = limits
    assert first == pytest.approx(0.4, abs=0.1)
    assert second == pytest.approx(0.1, abs=0.1)
    assert "it took too long; there are new contents, and other folders took" in answer.message


def test_without_a_server_the_rest_is_answered(
    shop: Tree, ask: Ask, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.jdtls.pool.outlines", server.lost_after(0))
    shop.write("src/shop/Order.java", "package shop;\n\n\n\nclass Order {\n}\n")
    assert found(ask("Stock")) == [("Stock", 2)]
    answer = ask("Order")
    assert answer.reason is Reason.SERVER_NOT_FULLY_READY
    assert "Order.java" in answer.message
    assert "indexed anew: gone" in answer.provenance.detail


def test_an_index_that_cannot_be_written(
    shop: Tree, index: Index, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another indexer at work: the answer says what it lacks, and does not wait for it."""
    from indexer.store.lock import writer_lock

    shop.write("src/shop/New.java", "class New {\n}\n")
    with writer_lock(str(index.path), 0, lambda: None):
        answer = ask("Stock")
    assert found(answer) == [("Stock", 2)]
    assert "could not be indexed anew" in answer.provenance.detail


def test_a_look_holds_for_a_while(
    shop: Tree, index: Index, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "SCAN_EVERY", 3600.0)
    monkeypatch.setattr(upkeep, "HOLDS", 1e9)
    assert ask("Late").total == 0
    shop.write("src/shop/Late.java", "class Late {\n}\n")
    assert ask("Late").total == 0
    scope = Scope((resolve_root(str(shop.path)),), str(index.path), upkeep=Limits(10.0))
    with Service(scope) as service:
        answer = service.find("Late")
    assert isinstance(answer, FindAnswer)
    assert answer.total == 1


def test_a_look_holds_for_twice_as_long_as_it_took(
    shop: Tree, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, took, looks = 1000.0, 0.1, list[float]()

    def slow(_reader: object, _folder: Workspace, _budget: float) -> Scan:
        nonlocal now
        looks.append(now)
        now += took
        return Scan(changed=False)

    monkeypatch.setattr(upkeep, "SCAN_EVERY", 1.0)
    monkeypatch.setattr(upkeep, "WATCH_AFTER", 1e9)
    monkeypatch.setattr(upkeep, "scan", slow)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    ask("Order")
    now += 0.19
    ask("Order")
    assert looks == [1000.0]
    now += 0.02
    ask("Order")
    assert len(looks) == 2
    took = 5.0
    now += 0.21
    ask("Order")
    now += 1.01  # a slow one does not hold longer than others
    ask("Order")
    assert len(looks) == 4


def test_hits_that_changed_do_not_wait_for_the_next_look(
    shop: Tree, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "SCAN_EVERY", 3600.0)
    monkeypatch.setattr(upkeep, "HOLDS", 1e9)
    assert found(ask("Order")) == [("Order", 2)]
    shop.write("src/shop/Order.java", "package shop;\n\n\n\nclass Order {\n}\n")
    assert found(ask("Order")) == [("Order", 5)]
    moved = shop / "src/shop/util/Order.java"
    (shop / "src/shop/Order.java").rename(moved)
    assert [hit.file for hit in ask("Order").hits] == [str(moved)]
    moved.unlink()
    assert ask("Order").reason is Reason.WORKSPACE_SYMBOL_NO_MATCH


def test_a_look_that_does_not_help_is_not_tried_all_the_time(
    shop: Tree, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []

    def blind(_reader: object, folder: Workspace, _budget: float) -> Scan:
        looks.append(folder.root)
        return Scan(changed=False)

    monkeypatch.setattr(upkeep, "SCAN_EVERY", 3600.0)
    monkeypatch.setattr(upkeep, "HOLDS", 1e9)
    monkeypatch.setattr(upkeep, "scan", blind)
    assert found(ask("Order")) == [("Order", 2)]
    shop.write("src/shop/Order.java", "class Order { } // a change that no look shows")
    for _ in range(3):
        assert ask("Order").reason is Reason.SERVER_NOT_FULLY_READY
    assert len(looks) == 2
    assert found(ask("Stock")) == [("Stock", 2)]


def test_folders_that_git_knows_and_others(tree: Tree) -> None:
    from indexer.discovery import discover

    tree.write("src/a/A.java")
    tree.write("doc/guide/text.md", "x")
    tree.write("out/B.java")
    tree.write(".gitignore", "out/\n")
    (tree / "empty/inner").mkdir(parents=True)
    tree.commit()
    known = discover(resolve_root(str(tree.path))).folders
    assert known == {"", "src", "src/a", "doc", "doc/guide", "empty", "empty/inner"}


@pytest.mark.parametrize("path", ["A.java", "src/A.java"])
def test_time_set_back(
    tree: Tree, index: Index, server: InstantServer, path: str, tmp_path: Path
) -> None:
    """Same size, same modification time: the change time still tells."""
    file = tree.write(path, "class One {\n}\n")
    status = file.stat()
    index.build(tree.path)
    tree.write(path, "class Two {\n}\n")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert looked(tree, index).changed


def test_a_file_that_could_not_be_opened_and_now_can(
    tree: Tree, index: Index, server: InstantServer, tmp_path: Path
) -> None:
    outside = tmp_path / "Outside.java"
    outside.write_text("class Outside { }")
    tree.write("A.java", "class A { }")
    link = tree.path / "Linked.java"
    link.symlink_to(outside)
    index.build(tree.path)
    assert looked(tree, index) == Scan(changed=False)
    link.unlink()
    assert looked(tree, index) == Scan(changed=True), "it is gone"
    tree.write("Linked.java", "class Linked { }")
    assert looked(tree, index) == Scan(changed=True), "it is a file now"
    index.build(tree.path)
    assert looked(tree, index) == Scan(changed=False)


def test_what_is_known_is_taken_over_without_a_server(
    shop: Tree, index: Index, server: InstantServer
) -> None:
    """A rename, a file that is gone: only the new content waits for a server."""
    (shop / "src/shop/Order.java").rename(shop / "src/shop/Renamed.java")
    (shop / "src/shop/Stock.java").unlink()
    shop.write("src/shop/New.java", "class New {\n}\n")
    scope = Scope((resolve_root(str(shop.path)),), str(index.path), upkeep=Limits(10.0, 0.0))
    with Service(scope) as service:
        order, new = service.find("Order"), service.find("New")
    assert isinstance(order, FindAnswer)
    assert isinstance(new, FindAnswer)
    assert [os.path.basename(hit.file) for hit in order.hits] == ["Renamed.java"]
    assert "no language server may be asked" in order.provenance.detail
    assert new.reason is Reason.SERVER_NOT_FULLY_READY
    assert server.starts == 0
    assert index.rows("SELECT path FROM file ORDER BY path") == [
        ("src/shop/Renamed.java",),
        ("src/shop/util/Text.java",),
    ]
    with Service(scope._replace(upkeep=Limits(10.0))) as service:
        found_now = service.find("New")
    assert isinstance(found_now, FindAnswer)
    assert found_now.hits


@pytest.mark.parametrize("package", ["odd", "shop"])
def test_a_run_that_was_cut_off_at_its_very_end(
    package: str,
    shop: Tree,
    index: Index,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """It stored all files, but not how jdt.ls sees them: what was so before means nothing now."""
    for text in {"odd": "shop", "shop": "odd"}[package], package:
        shop.write("src/shop/Order.java", f"package {text};\n\nclass Order {{\n}}\n")
        with monkeypatch.context() as patch:
            if text == package:
                patch.setattr("indexer.store.writer.placements", _cut_off)
                with pytest.raises(KeyboardInterrupt):
                    index.build(shop.path)
            else:
                index.build(shop.path)
    sql = "SELECT package FROM file WHERE path = 'src/shop/Order.java'"
    assert index.rows(sql) == [(None,)]  # as declared
    assert looked(shop, index).changed
    (hit,) = ask("Order").hits
    assert hit.container == "shop"
    assert not looked(shop, index).changed
    fresh = Index(tmp_path / "fresh.db")
    fresh.build(shop.path)
    assert index.content() == fresh.content()


def _cut_off(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("by_name", [False, True])
def test_an_outline_that_takes_the_place_of_a_failure(
    by_name: bool, shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A live answer may be given while a run notes that there is none."""
    text = "package odd;\nclass Bad {\n} // poison\n"
    shop.write("src/shop/Bad.java", text)
    index.build(shop.path)
    monkeypatch.setattr(indexing, "POISON", "nothing")
    source = Source(0, "Bad", text)
    outcome = Outcome(source, outline_from(outline(text)), by_name=by_name)
    runtime = locate(None, None)
    remember(str(index.path), runtime, content_key(text.encode()), outcome)
    if by_name:  # otherwise it has a row of its own, which `--retry-failed` takes
        fresh = Index(tmp_path / "fresh.db")
        fresh.build(shop.path)
        packages = "SELECT path, package, hidden FROM file ORDER BY path"
        assert index.rows(packages) == fresh.rows(packages)
        assert ("src/shop/Bad.java", "shop", 0) in index.rows(packages)
    assert index.rows("SELECT placed FROM workspace") == [(1,)]
