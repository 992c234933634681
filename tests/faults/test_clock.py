"""Clocks that go wrong: times in the future, set back by hand, and a clock that steps back."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from indexer.files import resolve_root
from query.contract import FindAnswer, OutlineAnswer
from query.service import Scope, Service
from query.upkeep import Limits
from tests.support.indexing import Index, InstantServer, counts
from tests.support.trees import Tree

HOUR = 3_600_000_000_000
"""Nanoseconds."""

ONE, TWO = "class One {\n}\n", "\nclass Two{\n}\n"  # of the same size, at other lines


def _ask(tree: Tree, index: Index, scan: float = 5.0) -> dict[str, int]:
    """Lines of the types One and Two, as far as they are found."""
    scope = Scope((resolve_root(str(tree.path)),), str(index.path), upkeep=Limits(scan=scan))
    lines: dict[str, int] = {}
    with Service(scope) as service:
        for name in ("One", "Two"):
            answer = service.find(name)
            assert isinstance(answer, FindAnswer)
            lines |= {hit.name: hit.selection_range.start.line + 1 for hit in answer.hits}
    return lines


def _outlined(tree: Tree, index: Index, path: Path) -> list[str]:
    with Service(Scope((resolve_root(str(tree.path)),), str(index.path))) as service:
        answer = service.outline(str(path))
    assert isinstance(answer, OutlineAnswer)
    return [symbol.name for symbol in answer.outline.symbols]


def _set_time(path: Path, mtime_ns: int) -> None:
    os.utime(path, ns=(mtime_ns, mtime_ns))


def _step(monkeypatch: pytest.MonkeyPatch, nanoseconds: int) -> None:
    """The clock of this process is off; that of the file system stays."""
    now, seconds = time.time_ns, time.time
    monkeypatch.setattr(time, "time_ns", lambda: now() + nanoseconds)
    monkeypatch.setattr(time, "time", lambda: seconds() + nanoseconds / 1e9)


@pytest.fixture
def file(tree: Tree, server: InstantServer) -> Path:
    return tree.write("src/A.java", ONE)


def test_a_time_in_the_future_is_not_trusted(file: Path, tree: Tree, index: Index) -> None:
    """An edit that sets the same future time again is seen, by `index` and by both answers."""
    future = time.time_ns() + HOUR
    _set_time(file, future)
    index.build(tree.path)
    assert index.rows("SELECT mtime_ns FROM file") == [(-1,)]
    file.write_text(TWO, "utf-8")
    _set_time(file, future)
    assert _ask(tree, index, scan=0) == {}
    assert _outlined(tree, index, file) == ["Two"]
    assert _ask(tree, index) == {"Two": 2}


def test_a_folder_from_the_future_is_not_trusted(file: Path, tree: Tree, index: Index) -> None:
    future = time.time_ns() + HOUR
    _set_time(file.parent, future)
    index.build(tree.path)
    assert (-1,) in index.rows("SELECT mtime_ns FROM folder WHERE path = 'src'")
    tree.write("src/B.java", TWO)
    _set_time(file.parent, future)
    assert _ask(tree, index) == {"One": 1, "Two": 2}


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_run_under_a_wrong_clock(
    hours: int, file: Path, tree: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was stored while the clock was off makes no later edit unseen."""
    with monkeypatch.context() as patch:
        _step(patch, hours * HOUR)
        index.build(tree.path)
    status = file.stat()
    file.write_text(TWO, "utf-8")
    _set_time(file, status.st_mtime_ns)
    assert _ask(tree, index, scan=0) == {}
    assert _outlined(tree, index, file) == ["Two"]
    assert _ask(tree, index) == {"Two": 2}


def test_a_clock_that_steps_back_between_runs(
    file: Path, tree: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Edits that look older than the last run are edits."""
    old = time.time_ns() - HOUR
    index.build(tree.path)
    _step(monkeypatch, -2 * HOUR)
    file.write_text(TWO, "utf-8")
    _set_time(file, old)
    assert counts(index.build(tree.path)) == {"outlined": 1}
    assert _ask(tree, index) == {"Two": 2}


@pytest.mark.parametrize("settled", [True, False], ids=["settled", "young"])
def test_time_set_back_after_an_edit_of_the_same_size(
    settled: bool, file: Path, tree: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`touch -r`: size, time and inode are what they were; the change time is not."""
    old = time.time_ns() - HOUR
    _set_time(file, old)
    with monkeypatch.context() as patch:
        if settled:
            _step(patch, HOUR)  # so that the index trusts what it saw
        index.build(tree.path)
    assert index.rows("SELECT mtime_ns FROM file") == [(old if settled else -1,)]
    inode = file.stat().st_ino
    file.write_text(TWO, "utf-8")
    _set_time(file, old)
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (inode, old)
    assert _ask(tree, index, scan=0) == {}
    assert _outlined(tree, index, file) == ["Two"]
    assert _ask(tree, index) == {"Two": 2}


def test_a_new_file_in_a_folder_whose_time_was_set_back(
    file: Path, tree: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As unpacking or copying with times does; the change time of the folder tells."""
    old = time.time_ns() - HOUR
    for folder in (file.parent, tree.path):
        _set_time(folder, old)
    with monkeypatch.context() as patch:
        _step(patch, HOUR)
        index.build(tree.path)
    tree.write("src/B.java", TWO)
    _set_time(file.parent, old)
    assert _ask(tree, index) == {"One": 1, "Two": 2}
    assert counts(index.build(tree.path))["reused"] == 2
