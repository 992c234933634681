"""Indexing as a process while things go wrong: kills, signals, hangs, a full disk, two at once."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from indexer.store.lock import writer_lock
from tests.support.cli import Javadex
from tests.support.indexing import content
from tests.support.trees import Tree, toy

DEADLINE = 30.0
"""Seconds after which a test stops waiting for what should take one."""

PROMPT = 3.0
"""Seconds within which Ctrl-C must have ended all."""


def until(what: Callable[[], Any], why: str) -> None:
    """Poll until `what` is true."""
    deadline = time.monotonic() + DEADLINE
    while not what():
        assert time.monotonic() < deadline, why
        time.sleep(0.005)


def counts(run: Any, place: int = 0) -> dict[str, int]:
    """Non-zero counts of a `--json` run."""
    names = ("reused", "outlined", "removed", "skipped", "failed")
    workspace = run.json["workspaces"][place]
    assert workspace["files"] == sum(workspace[name] for name in names if name != "removed")
    return {name: workspace[name] for name in names if workspace[name]}


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store" / "index.db"


@pytest.fixture
def shop(tree: Tree) -> Tree:
    for name in "ABC":
        tree.write(f"src/{name}.java")
    return tree


# --- kill -9 ------------------------------------------------------------------------------------


class Shooting:
    """A run that is killed again and again, over a tree that changes in between."""

    def __init__(self, tree: Tree, javadex: Javadex, db: Path, copy: Path) -> None:
        self.tree, self.javadex, self.db, self.copy = tree, javadex, db, copy
        self.command = ("index", tree.path, "--db", db, "--servers", 2)
        self.luck = random.Random(20)
        self.types: dict[str, str] = {}
        """Path to the type that the file holds now."""

    def write(self, paths: list[str], version: int) -> None:
        """Give the files content that was never there before."""
        for number, path in enumerate(paths):
            self.types[path] = f"T{version}x{number}"
            self.tree.write(path, f"class {self.types[path]} {{\n  int x;\n}}\n")

    def committed(self) -> set[str]:
        """Types in the store, once no process is left that could change it."""
        until(lambda: not self.javadex.servers(), "a server outlived its owner")
        return committed_types(self.db, self.copy)

    def shoot(self, committed: set[str]) -> bool:
        """Start a run and kill it; true when servers were at work then."""
        before = len(self.javadex.asked)
        missing = len(set(self.types.values()) - committed)
        wanted = before + 1 + int(missing * self.luck.random())
        with self.javadex.start(*self.command) as process:
            early = self.luck.random() < 0.3
            if not early:
                until(lambda: len(self.javadex.asked) >= wanted, "nothing is asked")
            with_timeout(process, self.luck.uniform(0, 0.8 if early else 0.05))
            at_work = process.poll() is None and bool(self.javadex.servers())
            process.kill()
            process.wait()
        assert committed.isdisjoint(self.javadex.asked[before:])
        return at_work


@pytest.mark.slow
@pytest.mark.timeout(400)  # 25 s on two idle cores, more on busy ones
def test_kill_at_random_moments(tree: Tree, javadex: Javadex, db: Path, tmp_path: Path) -> None:
    """Twenty kills; nothing that was committed is ever asked for again, and the rest is right."""
    javadex.faults(delay=0.002)
    shooting = Shooting(tree, javadex, db, tmp_path / "copy")
    paths = [f"src/p{number % 7}/F{number}.java" for number in range(300)]
    shooting.write(paths, 0)
    at_work = 0
    for kill in range(20):
        at_work += shooting.shoot(shooting.committed())
        shooting.write(shooting.luck.sample(paths, 30), kill + 1)
    assert at_work >= 8

    committed = shooting.committed()
    assert len(committed) > 64
    before = len(javadex.asked)
    run = javadex.run(*shooting.command, "--json")
    assert (run.code, run.json["workspaces"][0]["files"]) == (0, 300)
    assert committed.isdisjoint(javadex.asked[before:])
    assert list(db.parent.glob("*.corrupt-*")) == []
    connection = sqlite3.connect(db)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    assert javadex.run("index", tree.path, "--db", tmp_path / "fresh.db").code == 0
    assert content(db) == content(tmp_path / "fresh.db")
    assert list(javadex.temporary.glob("javadex-*")) == []


def with_timeout(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def committed_types(db: Path, copy: Path) -> set[str]:
    """Top-level types of all outlines in the store, read from a copy: the original stays as the
    kill left it, log and all."""
    shutil.rmtree(copy, ignore_errors=True)
    if not db.exists():
        return set()
    copy.mkdir()
    for suffix in ("", "-wal"):
        if Path(f"{db}{suffix}").exists():
            shutil.copy(f"{db}{suffix}", copy)
    connection = sqlite3.connect(copy / db.name)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'type'").fetchone():
            return set()
        return {row[0] for row in connection.execute("SELECT name FROM type")}
    finally:
        connection.close()


# --- signals ------------------------------------------------------------------------------------


@contextmanager
def working(javadex: Javadex, *command: object) -> Iterator[subprocess.Popen[bytes]]:
    """A run that has committed something and now waits for a server that hangs."""
    with javadex.start("index", *command, "--servers", 1, "--progress", "json") as process:
        assert process.stderr
        for line in process.stderr:
            if json.loads(line).get("done", 0) >= 64:
                break
        else:
            pytest.fail("the run ended early")
        yield process


@pytest.fixture
def hanging(tree: Tree, javadex: Javadex) -> Tree:
    """Seventy files; the server hangs on the last of them."""
    for number in range(70):
        tree.write(f"T{number:02}.java")
    tree.write("Z.java", "class Z { } // stuck\n}")
    # The first batch must take longer than the pause between two lines of progress.
    javadex.faults(on={"stuck": "hang"}, delay=0.005)
    return tree


def test_ctrl_c(hanging: Tree, javadex: Javadex, db: Path) -> None:
    with working(javadex, hanging.path, "--db", db) as process:
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=DEADLINE)
        assert time.monotonic() - started < PROMPT
    assert process.returncode == 130
    summary = "javadex: interrupted after 64 of 71 files; what was finished is kept"
    assert summary in stderr.decode()
    assert "Traceback" not in stderr.decode()
    assert javadex.servers() == []
    assert list(javadex.temporary.iterdir()) == []
    javadex.faults()
    before = len(javadex.asked)
    run = javadex.run("index", hanging.path, "--db", db, "--json")
    assert counts(run) == {"reused": 64, "outlined": 7}
    assert len(javadex.asked) == before + 7


def test_ctrl_c_while_waiting_for_another_indexer(shop: Tree, javadex: Javadex, db: Path) -> None:
    db.parent.mkdir()
    with (
        writer_lock(str(db), 0, lambda: None),
        javadex.start("index", shop.path, "--db", db) as process,
    ):
        assert process.stderr
        assert b"waiting for another javadex" in process.stderr.readline()
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(DEADLINE)
        assert time.monotonic() - started < PROMPT
    assert process.returncode == 130
    assert not db.exists()


def test_sigterm_leaves_no_server(hanging: Tree, javadex: Javadex, db: Path) -> None:
    with working(javadex, hanging.path, "--db", db) as process:
        process.terminate()
        process.wait(DEADLINE)
    assert process.returncode != 0
    until(lambda: not javadex.servers(), "a server outlived its owner")
    javadex.faults()
    run = javadex.run("index", hanging.path, "--db", db, "--json")
    assert counts(run) == {"reused": 64, "outlined": 7}
    assert list(javadex.temporary.iterdir()) == []


def test_another_connection_can_write_while_a_server_hangs(
    hanging: Tree, javadex: Javadex, db: Path
) -> None:
    with working(javadex, hanging.path, "--db", db):
        connection = sqlite3.connect(db, timeout=0)
        with connection:
            connection.execute("UPDATE workspace SET name = name")
        connection.close()
        find = javadex.run("find", "T00", "--root", hanging.path, "--db", db, "--json")
        assert (find.code, find.json["total"]) == (0, 1)
        none = javadex.run("find", "Nothing", "--root", hanging.path, "--db", db, "--json")
        assert (none.code, none.json["reason"]) == (3, "serverNotFullyReady")


# --- servers that fail --------------------------------------------------------------------------


def test_a_poison_file_costs_itself_only(shop: Tree, javadex: Javadex, db: Path) -> None:
    shop.write("src/Bad.java", "class Bad { } // boom\n}")
    javadex.faults(on={"boom": "die"})
    run = javadex.run("index", shop.path, "--db", db, "--json", "--max-failed", 1)
    assert (run.code, counts(run)) == (0, {"outlined": 3, "failed": 1})
    (problem,) = run.json["problems"]
    assert problem["file"] == str(shop / "src/Bad.java")
    assert "ended with exit code 13" in problem["reason"]
    assert "the fake dies now" in problem["reason"]
    javadex.faults(exit_at_start={"code": 1})
    assert javadex.run("index", shop.path, "--db", db, "--max-failed", 1).code == 0
    javadex.faults()
    run = javadex.run("index", shop.path, "--db", db, "--json", "--retry-failed")
    assert counts(run) == {"reused": 3, "outlined": 1}


def test_a_hung_file_costs_itself_only(shop: Tree, javadex: Javadex, db: Path) -> None:
    shop.write("src/Slow.java", "class Slow { } // stuck\n}")
    javadex.faults(on={"stuck": "hang"})
    run = javadex.run(
        "index", shop.path, "--db", db, "--json", "--max-failed", 1, "--file-timeout", 0.5
    )
    assert (run.code, counts(run)) == (0, {"outlined": 3, "failed": 1})
    assert "gave no outline for 0.5 s" in run.json["problems"][0]["reason"]
    assert javadex.servers() == []


def test_an_empty_answer_for_a_declaration_is_a_failure(
    shop: Tree, javadex: Javadex, db: Path
) -> None:
    shop.write("src/Empty.java", "class Empty { } // nothing\n}")
    javadex.faults(on={"nothing": "empty"})
    run = javadex.run("index", shop.path, "--db", db, "--json", "--max-failed", 1)
    assert counts(run) == {"outlined": 3, "failed": 1}
    assert "no symbols for a text that declares some" in run.json["problems"][0]["reason"]


def test_a_server_that_does_not_start(shop: Tree, javadex: Javadex, db: Path) -> None:
    """Exit 4 with the cause; an older index keeps answering for what did not change."""
    assert javadex.run("index", shop.path, "--db", db).code == 0
    shop.write("src/New.java")
    javadex.faults(exit_at_start={"code": 13, "stderr": "no such bundle"})
    run = javadex.run("index", shop.path, "--db", db, "--json")
    assert run.code == 4
    assert "exit code 13" in run.stderr
    assert "no such bundle" in run.stderr
    assert list(run.json) == ["error", "errorCode"]
    assert javadex.run("find", "A", "--root", shop.path, "--db", db).code == 0
    assert javadex.run("index", shop.path, "--db", db, "--java", "/nowhere").code == 4


def test_a_file_that_changes_while_it_is_indexed(tree: Tree, javadex: Javadex, db: Path) -> None:
    """Stored is the outline of the bytes that were hashed; the other bytes are the next run's."""
    tree.write("A.java", toy("A.java", "int first;"))
    javadex.faults(delay=0.3)
    with javadex.start("index", tree.path, "--db", db) as process:
        until(javadex.servers, "no server was started")
        tree.write("A.java", toy("A.java", "int second;"))
        assert process.wait(DEADLINE) == 0
    connection = sqlite3.connect(db)
    assert connection.execute("SELECT name FROM members").fetchall() == [("first",)]
    connection.close()
    find = javadex.run("find", "A", "--root", tree.path, "--db", db, "--no-scan")
    assert find.code == 3
    run = javadex.run("index", tree.path, "--db", db, "--json")
    assert counts(run) == {"outlined": 1}
    assert javadex.run("find", "A", "--root", tree.path, "--db", db).code == 0


# --- two at once --------------------------------------------------------------------------------


def test_two_indexers(shop: Tree, javadex: Javadex, db: Path) -> None:
    """The second waits, says so, and then does its work; or it says why it does not."""
    db.parent.mkdir()
    waiting = f"javadex: waiting for another javadex that is indexing into {db}\n"
    with ExitStack() as stack:
        with writer_lock(str(db), 0, lambda: None):
            run = javadex.run("index", shop.path, "--db", db, "--lock-timeout", 0.1)
            assert (run.code, run.stdout) == (3, "")
            assert run.stderr.startswith(waiting)
            assert "for more than 0.1 s" in run.stderr
            assert "--lock-timeout" in run.stderr
            assert not db.exists()
            command = ("index", shop.path, "--db", db, "--json")
            process = stack.enter_context(javadex.start(*command))
            assert process.stderr
            assert process.stderr.readline().decode() == waiting
        stdout, _ = process.communicate(timeout=DEADLINE)
    assert (process.returncode, json.loads(stdout)["workspaces"][0]["outlined"]) == (0, 3)


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs a folder that takes no file")
def test_a_place_that_takes_no_file_is_not_waited_for(shop: Tree, javadex: Javadex) -> None:
    run = javadex.run("index", shop.path, "--db", "/proc/self/fd/x.db")
    assert (run.code, run.stdout) == (3, "")
    assert "waiting" not in run.stderr
    assert "cannot be locked" in run.stderr


def test_two_indexers_of_different_folders_share_a_store(
    shop: Tree, javadex: Javadex, db: Path, tmp_path: Path
) -> None:
    other = Tree(tmp_path / "other")
    for name in "ABCD":
        other.write(f"src/{name}.java")
    with (
        javadex.start("index", shop.path, "--db", db, "--json") as one,
        javadex.start("index", other.path, "--db", db, "--json") as two,
    ):
        reports = [json.loads(run.communicate(timeout=DEADLINE)[0]) for run in (one, two)]
        assert (one.returncode, two.returncode) == (0, 0)
    assert sum(report["workspaces"][0]["outlined"] for report in reports) == 4
    asked = javadex.asked
    assert [asked.count(name) for name in "ABC"] == [1, 1, 1]
    assert set(asked) == set("ABCD")  # D twice if it is asked alone: only equal answers count


# --- a full disk --------------------------------------------------------------------------------


def limited(size: int) -> Callable[[], None]:
    """For `preexec`: no file may grow beyond `size` bytes, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("growth", [0, 40_000])
def test_full_disk(tree: Tree, javadex: Javadex, db: Path, growth: int) -> None:
    """Exit 3, and the index answers as before; with room again the run goes on."""
    for number in range(20):
        tree.write(f"src/T{number}.java")
    assert javadex.run("index", tree.path, "--db", db).code == 0
    before = content(db)
    for number in range(100):
        tree.write(f"src/N{number}.java", toy(f"src/N{number}.java", *["int someField;"] * 20))
    run = javadex.run("index", tree.path, "--db", db, preexec=limited(db.stat().st_size + growth))
    assert (run.code, run.stdout) == (3, "")
    assert f"the index {db} cannot be written" in run.stderr
    assert "free disk space" in run.stderr
    assert "Traceback" not in run.stderr
    assert javadex.servers() == []
    after = content(db)
    for table, rows in before.items():
        assert [row for row in rows if row not in set(after[table])] == []
    assert javadex.run("find", "T7", "--root", tree.path, "--db", db).code == 0
    run = javadex.run("index", tree.path, "--db", db, "--json")
    assert run.code == 0
    assert run.json["workspaces"][0]["files"] == 120
    connection = sqlite3.connect(db)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_disk_full_from_the_start(shop: Tree, javadex: Javadex, db: Path) -> None:
    run = javadex.run("index", shop.path, "--db", db, preexec=limited(0))
    assert (run.code, run.stdout) == (3, "")
    assert str(db) in run.stderr
    assert "Traceback" not in run.stderr
    assert javadex.run("index", shop.path, "--db", db).code == 0
