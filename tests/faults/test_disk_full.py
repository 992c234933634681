"""A file system that is really full, where root can make a small one; else tests/test_build_faults
has the limit on the size of files."""

from __future__ import annotations

import ctypes
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cli import Javadex
from tests.support.faults import questions
from tests.support.trees import Tree, toy

SIZE = 3 << 20
_MNT_DETACH = 2


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of three megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, b"size=%d" % SIZE):
        pytest.skip(f"no file system can be mounted here: {os.strerror(ctypes.get_errno())}")
    yield folder
    assert libc.umount2(os.fsencode(folder), _MNT_DETACH) == 0


def _fill(folder: Path, left: int) -> Path:
    """Take all room but `left` bytes."""
    room = os.statvfs(folder)
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(room.f_bavail * room.f_frsize - left))
    return ballast


@pytest.fixture
def full(small: Path, tree: Tree, javadex: Javadex) -> Path:
    """An index on a file system that has no room left, and files that are not in it yet."""
    db = small / "index.db"
    tree.write("src/Old.java")
    assert javadex.run("index", tree.path, "--db", db).code == 0
    for number in range(80):
        tree.write(f"src/N{number}.java", toy(f"src/N{number}.java", *["int aField;"] * 30))
    _fill(small, 0)
    return db


@pytest.mark.parametrize("left", [0, 8192, 200_000])
def test_the_index_on_a_full_disk(full: Path, left: int, tree: Tree, javadex: Javadex) -> None:
    """Exit 3; what was there stays; with room the run goes on."""
    common = ("--root", tree.path, "--db", full)
    before = full.read_bytes()
    ballast = full.with_name("ballast")
    ballast.unlink()
    _fill(full.parent, left)
    run = javadex.run("index", *common)
    assert (run.code, run.stdout) == (3, "")
    assert str(full) in run.stderr
    assert "Traceback" not in run.stderr
    assert left or full.read_bytes() == before
    ballast.unlink()
    find = javadex.run("find", "Old", "--no-scan", "--json", *common)
    assert [hit["name"] for hit in find.json["results"]] == ["Old"]
    assert javadex.run("index", *common).code == 0
    assert javadex.run("find", "N79", *common).code == 0
    connection = sqlite3.connect(full)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    assert (javadex.servers(), list(javadex.temporary.iterdir())) == ([], [])


def test_a_full_disk_is_called_full(full: Path, tree: Tree, javadex: Javadex) -> None:
    run = javadex.run("index", tree.path, "--db", full)
    assert "free disk space" in run.stderr


def test_a_full_disk_can_be_read(full: Path, tree: Tree, javadex: Javadex) -> None:
    run = javadex.run("find", "Old", "--no-scan", "--root", tree.path, "--db", full)
    assert run.code == 0


def test_a_reader_of_a_full_disk_sees_what_comes_later(
    full: Path, tree: Tree, javadex: Javadex
) -> None:
    """A long-lived process reads without SQLite's locks then, and must not take old for new."""
    with questions(javadex, "find", "--no-scan", "--root", tree.path, "--db", full) as asked:
        before = asked.ask("*")
        full.with_name("ballast").unlink()
        assert javadex.run("index", tree.path, "--db", full).code == 0
        after = asked.ask("*")
        assert asked.end() == (0, "")
    assert (before["total"], after["total"]) == (1, 81)


def test_no_room_for_the_folder_of_a_server(small: Path, tree: Tree, javadex: Javadex) -> None:
    """A server that has no place is a server that cannot start, named, and cured by room."""
    file = tree.write("A.java")
    assert javadex.run("index", tree.path).code == 0
    tree.write("A.java", "class Edited {\n}\n")
    ballast = _fill(small, 8192)  # enough for Python to take the folder for a temporary one
    env = {"TMPDIR": str(small)}
    run = javadex.run("outline", file, "--root", tree.path, env=env)
    assert run.code == 4
    assert "No space left" in run.stderr
    assert "Traceback" not in run.stderr
    ballast.unlink()
    assert javadex.run("outline", file, "--root", tree.path, env=env).code == 0
    assert list(small.iterdir()) == []
