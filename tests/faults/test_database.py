"""The database damaged, emptied, replaced or removed under a process that has it open.

What a process that opens it afterwards makes of it is in `tests/test_store.py`.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Console, Javadex
from tests.support.faults import Questions, questions
from tests.support.indexing import Index, InstantServer, content
from tests.support.trees import Tree, toy

PAGE = 4096
FILES = 45
NAMES = [f"Type{number}" for number in range(0, FILES, 4)]


def _half(db: Path) -> None:
    os.truncate(db, db.stat().st_size // 2)


def _one_page_less(db: Path) -> None:
    os.truncate(db, db.stat().st_size - PAGE)


def _garbage_in_the_middle(db: Path) -> None:
    with db.open("r+b") as file:
        file.seek(db.stat().st_size // 2 // PAGE * PAGE)
        file.write(random.Random(4).randbytes(PAGE))


def _zero_bytes(db: Path) -> None:
    os.truncate(db, 0)


def _newer_schema(db: Path) -> None:
    """As a later javadex would leave it: another file in its place."""
    newer = db.with_name("newer.db")
    shutil.copy(db, newer)
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()
    newer.replace(db)


HARM = [_half, _one_page_less, _garbage_in_the_middle, _zero_bytes, _newer_schema]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    (tmp_path / "store").mkdir()
    return tmp_path / "store" / "index.db"


@pytest.fixture
def shop(tree: Tree, db: Path, server: InstantServer) -> Tree:
    """Files enough for a database of many pages, and their index."""
    for number in range(FILES):
        path = f"src/p{number % 9}/Type{number}.java"
        tree.write(path, "\n" * (number % 5) + toy(path, *(f"int f{n};" for n in range(9))))
    Index(db).build(tree.path)
    assert db.stat().st_size > 20 * PAGE
    return tree


def _first(asked: Questions) -> Any:
    return asked.ask("Type3")["results"][0]["name"]


def _answers(asked: Questions) -> list[Any]:
    return [answer for answer in map(asked.ask, NAMES) if answer is not None]


@pytest.mark.parametrize("before", [False, True], ids=["unread", "read"])
@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__.strip("_"))
def test_under_an_open_reader(
    harm: Callable[[Path], None], before: bool, shop: Tree, javadex: Javadex, db: Path
) -> None:
    """Right answers, or the end with exit 3 and the cause; then `index` mends it."""
    common = ("--root", shop.path, "--db", db)
    with questions(javadex, "find", *common) as sound:
        right = _answers(sound)
    assert [answer["results"][0]["name"] for answer in right] == NAMES
    with questions(javadex, "find", *common) as asked:
        assert asked.ask("src" if not before else "Type*")
        if before:
            assert _answers(asked) == right
        harm(db)
        answers = _answers(asked)
        code, stderr = asked.end()
    assert "Traceback" not in stderr
    unready = [one for one in answers if one.get("reason") == "serverNotFullyReady"]
    assert [one for one in answers if one not in unready] == right[: len(answers) - len(unready)]
    if len(answers) < len(right):
        assert str(db) in stderr
    assert code == (0 if answers == right else 3)
    _mended(javadex, shop, db, set_aside=harm is not _newer_schema)


def _mended(javadex: Javadex, shop: Tree, db: Path, *, set_aside: bool) -> None:
    common = ("--root", shop.path, "--db", db)
    run = javadex.run("index", *common)
    if not set_aside:
        assert run.code == 3
        assert "update javadex" in run.stderr
        db.unlink()
        run = javadex.run("index", *common)
    assert run.code == 0
    fresh = Index(db.with_name("fresh.db"))
    fresh.build(shop.path)
    assert content(db) == fresh.content()
    assert javadex.run("find", NAMES[3], *common).code == 0


def test_removed_under_an_open_reader(shop: Tree, javadex: Javadex, db: Path) -> None:
    """No answer from a file that is gone; what is built anew is seen at the next question."""
    common = ("--root", shop.path, "--db", db)
    with questions(javadex, "find", *common) as asked:
        assert _first(asked) == "Type3"
        for path in db.parent.glob("index.db*"):
            path.unlink()
        gone = asked.ask("Type3")
        assert (gone["results"], gone["reason"]) == ([], "serverNotFullyReady")
        assert str(db) in gone["message"]
        Index(db).build(shop.path)
        assert _first(asked) == "Type3"
        assert asked.end() == (3, "")


@pytest.mark.parametrize("log", [False, True], ids=["log empty", "log full"])
def test_replaced_under_an_open_reader(
    log: bool, shop: Tree, javadex: Javadex, db: Path, server: InstantServer
) -> None:
    """Another index takes the name, as a shipped one does: the next answer is of the new one.

    Its folder is indexed by other files at other lines. With `log`, a log of the old database lies
    beside it, as a killed indexer leaves it.
    """
    common = ("--root", shop.path, "--db", db, "--no-scan")
    with questions(javadex, "find", *common) as asked:
        assert _first(asked) == "Type3"
        if log:
            _fill_log(db)
        for number in range(FILES):
            path = f"src/p{number % 9}/Type{number}.java"
            shop.write(path, "\n" * 9 + toy(path, "int other;").replace("Type", "Other"))
        new = Index(db.with_name("new.db"))
        new.build(shop.path)
        new.path.replace(db)
        if log:  # what replaces a database must take the old one's log away
            db.with_name("index.db-wal").unlink()
            db.with_name("index.db-shm").unlink()
        for name in NAMES:
            assert asked.ask(name)["results"] == []
            hit = asked.ask(name.replace("Type", "Other"))["results"][0]
            assert hit["selectionRange"]["startLine"] == 11
        assert asked.end()[0] == 0


def _fill_log(db: Path) -> None:
    """Commit something; it stays in the log, for the reader is there."""
    connection = sqlite3.connect(db)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("UPDATE file SET hidden = hidden")
    connection.commit()
    connection.close()
    assert db.with_name("index.db-wal").stat().st_size > PAGE


# --- where WAL is refused -----------------------------------------------------------------------


@pytest.fixture
def without_wal(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite itself refuses WAL, as on a file system without shared memory.

    Its VFS `unix-none` has none (and no locks), so `PRAGMA journal_mode = WAL` answers `delete`.
    """
    connect: Any = sqlite3.connect

    def through(database: str | Path, **more: Any) -> Any:
        text = os.fspath(database)
        uri = text if text.startswith("file:") else f"file:{text}"
        vfs = f"{'&' if '?' in uri else '?'}vfs=unix-none"
        return connect(uri + vfs, **{**more, "uri": True})

    monkeypatch.setattr(sqlite3, "connect", through)


@pytest.mark.usefixtures("without_wal")
def test_without_wal(
    tree: Tree, index: Index, server: InstantServer, console: Console, tmp_path: Path
) -> None:
    """The rollback journal takes the log's place; answers and renewals are the same."""
    tree.write("A.java")
    common = ("--root", tree.path, "--db", index.path, "--json")
    assert console.run("index", *common).code == 0
    assert index.rows("PRAGMA journal_mode") == [("delete",)]
    assert index.path.read_bytes()[18:20] == b"\x01\x01"  # no WAL
    assert console.run("find", "A", *common).json["total"] == 1
    assert console.run("outline", tree / "A.java", *common).json["symbols"][0]["name"] == "A"
    tree.write("B.java")
    assert console.run("find", "B", *common).json["total"] == 1
    assert console.run("status", *common).json["workspaces"][0]["fresh"] == 2
    assert sorted(path.name for path in tmp_path.glob("index.db*")) == [
        "index.db",
        "index.db.lock",
    ]


def test_a_write_that_is_cut_off_without_wal(
    tree: Tree, index: Index, server: InstantServer, console: Console, tmp_path: Path
) -> None:
    """What was half written is read by nobody; the next run takes it back."""
    for number in range(40):
        tree.write(f"T{number}.java", toy(f"T{number}.java", *["int aField;"] * 40))
    index.build(tree.path)
    index.rows("PRAGMA journal_mode = DELETE")
    cut = Index(tmp_path / "cut.db")
    writer = sqlite3.connect(index.path, isolation_level=None)
    writer.execute("PRAGMA cache_size = 5")  # so that pages go to the disk before the commit
    writer.execute("BEGIN")
    writer.execute("UPDATE symbol SET start_line = 7, name_start_line = 7, name_end_line = 7")
    for end in ("", "-journal"):  # as a kill leaves them
        shutil.copy(f"{index.path}{end}", f"{cut.path}{end}")
    writer.close()
    common = ("--root", tree.path, "--db", cut.path, "--json")
    run = console.run("find", "T1", *common)
    assert run.code == 3
    assert "in the middle of a write; `javadex index`" in run.stderr
    server.forget()
    assert console.run("index", *common).code == 0
    assert server.asked == []
    assert console.run("find", "T1", "--strict", *common).json["results"][0]["selectionRange"] == {
        "startLine": 1,
        "endLine": 1,
    }


@pytest.mark.usefixtures("without_wal")
def test_a_run_that_is_cut_off_without_wal(
    tree: Tree, index: Index, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed stays, and the next run goes on."""
    for number in range(20):
        tree.write(f"T{number}.java")
    with monkeypatch.context() as patch:
        patch.setattr("indexer.jdtls.pool.outlines", server.lost_after(7))
        with pytest.raises(Exception, match="gone"):
            index.build(tree.path)
    assert index.rows("PRAGMA quick_check") == [("ok",)]
    assert index.rows("SELECT count(*) FROM outline") == [(7,)]
    server.forget()
    index.build(tree.path)
    assert len(server.asked) == 13
