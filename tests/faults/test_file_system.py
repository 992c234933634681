"""Files that turn into something else, move, or go: between runs, and while an answer is made."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer.build import BuildOptions, FileState, build
from indexer.files import Root, resolve_root
from query.contract import FindAnswer, OutlineAnswer, Reason, ToolError
from query.scan import scan
from query.service import Scope, Service
from query.upkeep import Limits
from tests.support.cli import Javadex
from tests.support.indexing import Index, InstantServer, Notes
from tests.support.trees import Tree

PROMPT = 15.0
"""Seconds within which an answer is there that has nothing to wait for, on a busy machine."""

MANY = 10_000


def _nothing(path: Path) -> None:
    assert not path.exists()


def _folder(path: Path) -> None:
    path.mkdir()


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(path.name)
    finally:
        os.chdir(here)


def _device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))  # /dev/zero: it has no end
    except PermissionError:
        pytest.skip("only root makes devices, and not in every container")


Turn = Callable[[Path], None]
THINGS = [_nothing, _folder, _fifo, _socket, _device]
each_thing = pytest.mark.parametrize("turn", THINGS, ids=lambda turn: turn.__name__.strip("_"))


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer) -> Tree:
    for name in ("Cart", "CartItem", "Order"):
        tree.write(f"src/shop/{name}.java")
    index.build(tree.path)
    return tree


@pytest.fixture
def service(shop: Tree, index: Index) -> Any:
    scope = Scope((_root(shop),), str(index.path), upkeep=Limits(scan=5.0))
    with Service(scope) as opened:
        yield opened


def _root(tree: Tree) -> Root:
    return resolve_root(str(tree.path))


def _names(answer: FindAnswer | ToolError) -> list[str]:
    assert isinstance(answer, FindAnswer)
    return [hit.name for hit in answer.hits]


def _turned(turn: Turn, path: Path) -> None:
    path.unlink()
    turn(path)


# --- between runs -------------------------------------------------------------------------------


@each_thing
def test_between_runs(turn: Turn, shop: Tree, javadex: Javadex, index: Index) -> None:
    """Never waited for, never found; the others are, and the next run forgets it."""
    path = shop / "src/shop/Cart.java"
    _turned(turn, path)
    common = ("--root", shop.path, "--db", index.path, "--json")
    started = time.monotonic()
    unseen = javadex.run("find", "Cart", "--no-scan", *common)
    find = javadex.run("find", "Cart", *common)
    outline = javadex.run("outline", path, *common)
    assert time.monotonic() - started < PROMPT
    for run in (unseen, find):
        assert [hit["name"] for hit in run.json["results"]] == ["CartItem"]
    assert outline.code in (1, 2)
    assert outline.json["errorCode"] in ("fileNotFound", "fileSystemUnavailable")
    run = javadex.run("index", *common)
    (workspace,) = run.json["workspaces"]
    assert (run.code, workspace["files"] - workspace["skipped"]) == (0, 2)
    assert javadex.asked == []  # nothing of it went to a server


@each_thing
def test_where_an_edit_is_expected(
    turn: Turn, shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file was edited, and when `index` opens it, it is something else."""
    path = shop.write("src/shop/Cart.java", "class Cart { int other; }\n")
    _at_opening(monkeypatch, path, turn)
    report = build([_root(shop)], str(index.path), BuildOptions(), Notes())
    assert report.count(FileState.REUSED) == 2
    assert report.count(FileState.SKIPPED) == (0 if turn is _nothing else 1)
    assert report.files - report.count(FileState.SKIPPED) == 2
    assert index.rows("SELECT count(*) FROM file WHERE outline_id IS NOT NULL") == [(2,)]


# --- while an answer is made --------------------------------------------------------------------


@each_thing
def test_between_the_scan_and_the_answer(
    turn: Turn, shop: Tree, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scan has seen nothing; the look at the hits themselves does."""
    _after_scan(monkeypatch, lambda: _turned(turn, shop / "src/shop/Cart.java"))
    assert _names(service.find("Cart")) == ["CartItem"]


def test_a_folder_that_goes_between_the_scan_and_the_answer(
    shop: Tree, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("src/other/CartLine.java")
    _after_scan(monkeypatch, lambda: shutil.rmtree(shop / "src/shop", ignore_errors=True))
    assert _names(service.find("Cart")) == ["CartLine"]


def test_the_workspace_folder_goes_between_the_scan_and_the_answer(
    shop: Tree, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    _after_scan(monkeypatch, lambda: shutil.rmtree(shop.path))
    assert _names(service.find("Cart")) == []
    assert isinstance(service.outline(str(shop / "src/shop/Cart.java")), ToolError)


@each_thing
def test_between_two_looks_at_a_hit(
    turn: Turn, shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its time has changed, so it is to be read; by then it is something else."""
    path = shop / "src/shop/Cart.java"
    os.utime(path)
    _at_opening(monkeypatch, path, turn)
    with Service(Scope((_root(shop),), str(index.path))) as service:
        assert _names(service.find("Cart")) == ["CartItem"]
    assert not path.is_file()


@each_thing
def test_between_the_look_and_the_reading_of_an_outline(
    turn: Turn, shop: Tree, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shop / "src/shop/Cart.java"
    _at_opening(monkeypatch, path, turn)
    answer = service.outline(str(path))
    assert isinstance(answer, ToolError)
    assert answer.code.value in ("fileNotFound", "fileSystemUnavailable")


def _at_opening(monkeypatch: pytest.MonkeyPatch, path: Path, turn: Turn) -> None:
    """Turn `path` into something else at the moment when javadex opens it to read it."""
    opening: Any = os.open

    def too_late(full: Any, *arguments: Any, **more: Any) -> int:
        if full == str(path) and path.is_file():
            _turned(turn, path)
        descriptor: int = opening(full, *arguments, **more)
        return descriptor

    monkeypatch.setattr(os, "open", too_late)


def _after_scan(monkeypatch: pytest.MonkeyPatch, harm: Callable[[], None]) -> None:
    def and_then(*arguments: Any) -> Any:
        found = scan(*arguments)
        harm()
        return found

    monkeypatch.setattr("query.upkeep.scan", and_then)


# --- names --------------------------------------------------------------------------------------


def test_case_only_rename(shop: Tree, service: Service, server: InstantServer) -> None:
    """The old name is gone, the new one is found, and no server is asked for either."""
    old, new = shop / "src/shop/Cart.java", shop / "src/shop/cart.java"
    if (shop / "src/shop/CART.java").exists():
        pytest.skip("the file system does not tell upper from lower case")
    server.forget()
    old.rename(new)
    answer = service.find("Cart")
    assert isinstance(answer, FindAnswer)
    assert [hit.file for hit in answer.hits if hit.name == "Cart"] == [str(new)]
    assert isinstance(service.outline(str(old)), ToolError)
    outline = service.outline(str(new))
    assert isinstance(outline, OutlineAnswer)
    assert [symbol.name for symbol in outline.outline.symbols][-1] == "Cart"
    assert server.asked == []


# --- many ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_ten_thousand_changed_files(
    tree: Tree, index: Index, server: InstantServer, javadex: Javadex
) -> None:
    """An answer in time that says what it left out; what it shows is right; then all is found."""
    for number in range(MANY):
        tree.write(f"src/p{number % 100}/F{number}.java", f"class F{number} {{ int x; }}\n")
    index.build(tree.path)
    for number in range(MANY):
        text = f"\n\nclass F{number} {{ int y; }}\n"
        tree.write(f"src/p{number % 100}/F{number}.java", text)
    tree.write("src/p0/F7x.java", "class F7x { int z; }\n")
    javadex.faults(delay=0.002)
    common = ("--root", tree.path, "--db", index.path, "--json", "--explain", "--limit", 50)
    started = time.monotonic()
    unseen = javadex.run("find", "F77", "--no-scan", *common)
    middle = time.monotonic()
    find = javadex.run("find", "F77", "--live-timeout", 2, *common)
    took = time.monotonic() - middle
    print(f"no scan {middle - started:.1f} s, live timeout 2 s: {took:.1f} s")
    assert unseen.json["reason"] == Reason.SERVER_NOT_FULLY_READY.value
    assert "their files changed" in unseen.json["message"]
    assert took < 2 + PROMPT
    for hit in find.json["results"]:
        assert hit["selectionRange"]["startLine"] == 3
    words = find.stdout + find.stderr
    assert "could not be indexed anew" in words or "their files changed" in words
    index.build(tree.path)
    full = javadex.run("find", "F77", *common)
    assert [hit["selectionRange"]["startLine"] for hit in full.json["results"]][:1] == [3]
    assert full.json["total"] == 111
    assert javadex.servers() == []
