"""kill -9 at random moments: of the indexer, of its servers, of questions that are being answered.

The long form: `JAVADEX_TEST_KILLS=300`. `JAVADEX_TEST_SEED` repeats the choices of a run.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from indexer.errors import IndexMissing
from indexer.javatext import decode
from indexer.jdtls.convert import outline_from
from indexer.recipe import content_key
from indexer.store.lock import writer_lock
from indexer.store.reader import Reader, open_reader
from tests.fakes.server import outline
from tests.fakes.world import until
from tests.support.cli import Javadex
from tests.support.faults import luck, number_from
from tests.support.indexing import Index, InstantServer, content
from tests.support.trees import Tree

KILLS = number_from("JAVADEX_TEST_KILLS", 16)
LONGEST = 1.0
"""Seconds after its start within which a process is killed; undisturbed it takes about as long."""
VICTIMS = ("indexer", "language server", "find", "outline")

# One of each kind costs 1.5 s on two idle cores, more on busy ones.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(60 + 10 * KILLS)]


class Ground:
    """A tree that changes, its index, and all that its files ever held."""

    def __init__(self, tree: Tree, javadex: Javadex, db: Path) -> None:
        self.tree, self.javadex, self.db = tree, javadex, db
        self.luck = luck()
        self.paths = [f"src/p{number % 4}/F{number}.java" for number in range(24)]
        self.texts: dict[bytes, str] = {}
        self.version = 0
        self.kills: Counter[str] = Counter()
        self.common = ("--root", tree.path, "--db", db)

    def change(self, count: int) -> list[str]:
        """Give `count` files a content that was never there before; some file comes or goes."""
        changed = self.luck.sample(self.paths, count)
        for path in changed:
            self.version += 1
            lines = "\n" * self.luck.randrange(4)
            text = f"{lines}class T{self.version} {{\n  int a{self.version};\n}}\n"
            self.texts[text.encode()] = Path(path).stem
            self.tree.write(path, text)
        return changed

    def kill_one(self, victim: str) -> None:
        """Start what `victim` is about, and kill it after a while."""
        changed = self.change(self.luck.randint(1, 8))
        command: tuple[object, ...] = ("index", "--servers", 1, *self.common)
        if victim == "find":
            command = ("find", "T*", *self.common)
        elif victim == "outline":
            command = ("outline", self.tree / changed[0], *self.common)
        with self.javadex.start(*command) as process:
            if victim == "language server":
                until(lambda: bool(self.javadex.servers()) or process.poll() is not None)
                _let_run(process, self.luck.uniform(0, LONGEST / 4))
                self.kills[victim] += self._kill_a_server()
                _, stderr = process.communicate(timeout=60)
                # One that is killed before it was ready ends the run, one at work is replaced.
                assert process.returncode in (0, 4)
                assert (process.returncode == 4) == (b"signal 9" in stderr)
            else:
                _let_run(process, self.luck.uniform(0, LONGEST))
                self.kills[victim] += process.poll() is None
                process.kill()
                process.wait()

    def _kill_a_server(self) -> bool:
        servers = self.javadex.servers()
        with contextlib.suppress(psutil.NoSuchProcess):
            for server in servers[:1]:
                server.kill()
        return bool(servers)

    def check(self) -> None:
        """No server is left; the index is sound, and what it holds is right."""
        assert until(lambda: not self.javadex.servers()), "a server outlived its owner"
        try:
            reader = open_reader(str(self.db))
        except IndexMissing:
            return  # killed before there were tables
        with contextlib.closing(reader), contextlib.closing(sqlite3.connect(self.db)) as connection:
            assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
            recipes = [row[0] for row in connection.execute("SELECT fingerprint FROM recipe")]
            stored = connection.execute("SELECT count(*) FROM outline").fetchone()[0]
            assert sum(self._is_right(reader, recipe) for recipe in recipes) == stored

    def _is_right(self, reader: Reader, recipe: str) -> int:
        """How many of all contents are stored; each must have the outline of its own text."""
        found = 0
        for data, stem in self.texts.items():
            known = reader.outline(content_key(data), stem, recipe)
            if known:
                assert known.failure is None
                assert known.outline == outline_from(outline(decode(data)))
                found += 1
        return found

    def complete(self, fresh: Path) -> None:
        """A further run ends well, sweeps up, and comes to what a clean build comes to."""
        self.change(1)  # so that a server starts, which sweeps
        run = self.javadex.run("index", "--servers", 1, *self.common)
        assert (run.code, run.stderr) == (0, "")
        assert list(self.javadex.temporary.iterdir()) == []
        Index(fresh).build(self.tree.path)
        assert content(self.db) == content(fresh)
        fresh.unlink()


def _let_run(process: subprocess.Popen[bytes], seconds: float) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def test_kills(tree: Tree, javadex: Javadex, server: InstantServer, tmp_path: Path) -> None:
    """After each kill the index is sound and right, and the next run completes it."""
    javadex.faults(delay=0.02)
    ground = Ground(tree, javadex, tmp_path / "store" / "index.db")
    ground.change(len(ground.paths))
    started = time.monotonic()
    for kill in range(KILLS):
        ground.kill_one(VICTIMS[kill % len(VICTIMS)])
        ground.check()
        ground.complete(tmp_path / "fresh.db")
    print(f"{KILLS} runs in {time.monotonic() - started:.0f} s; killed at work: {ground.kills}")
    assert list((tmp_path / "store").glob("*.corrupt-*")) == []
    assert sum(ground.kills.values()) >= KILLS // 4


def test_a_killed_owner_of_the_lock_is_no_owner(
    tree: Tree, javadex: Javadex, tmp_path: Path
) -> None:
    """Who waits for a killed indexer goes on at once, and who comes later does not wait."""
    db = tmp_path / "index.db"
    tree.write("A.java", "class A { } // stuck\n}")
    started = tmp_path / "started"
    javadex.faults(on={"stuck": "hang"}, report=str(started))
    common = ("index", tree.path, "--db", db, "--json")
    with javadex.start(*common) as owner:
        assert until(started.exists)
        assert javadex.run(*common, "--lock-timeout", 0).code == 3
        javadex.faults()
        with javadex.start(*common, "--lock-timeout", 60) as waiting:
            assert waiting.stderr
            assert b"waiting for another javadex" in waiting.stderr.readline()
            owner.kill()
            owner.wait()
            stdout, _ = waiting.communicate(timeout=30)
    assert json.loads(stdout)["workspaces"][0]["outlined"] == 1
    with writer_lock(str(db), 0, lambda: None):
        pass
    assert javadex.run(*common, "--lock-timeout", 0).json["workspaces"][0]["reused"] == 1
    assert until(lambda: not javadex.servers())
