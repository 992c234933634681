"""The stderr of the MCP server: whatever a client does with it, or does not, calls are answered."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import IndexDamaged, IndexTooNew
from indexer.files import resolve_root
from query.mcp import calls, once
from query.mcp.answering import Tools
from query.mcp.once import Once
from query.mcp.stderr import LONGEST, MOST_WAITING, Spill
from query.mcp.tools import FIND, OUTLINE, REFRESH, STATUS
from query.service import Scope
from tests.support.cli import Javadex
from tests.support.mcp import CHECKOUT, Lines, fill, in_the_indexer, lines
from tests.support.trees import Tree


@pytest.fixture
def shop(tree: Tree) -> Tree:
    for number in range(3):
        tree.write(f"src/Order{number}.java")
    return tree


@contextlib.contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe to read from and to write to."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            with contextlib.suppress(OSError):  # closed by the test
                os.close(end)


def of_the_future(javadex: Javadex, shop: Tree, path: Path) -> Path:
    """An index that a later javadex wrote."""
    assert javadex.run("index", shop.path, "--db", path).code == 0
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    return path


def answers(server: Lines, shop: Tree) -> None:
    """All tools answer, also when there is something to tell on stderr."""
    server.shake_hands()
    assert server.call(1, REFRESH, wait=50)["structuredContent"]["state"] == "done"
    server.call(2, FIND, query="Order1")
    shop.write("src/Late.java")
    assert server.call(3, FIND, query="Late")["structuredContent"]["total"] == 1
    outline = server.call(4, OUTLINE, uri="src/Late.java")["structuredContent"]
    assert outline["symbols"][-1]["name"] == "Late"
    server.send({"id": 5, "method": "ping"})
    assert server.answer(5)["result"] == {}


# --- the server ---------------------------------------------------------------------------------


def test_nobody_reads_it(javadex: Javadex, shop: Tree) -> None:
    """Not even the first line fits."""
    with pipe() as (_, write):
        fill(write)
        with lines(javadex, "--root", shop.path, "-v", stderr=write) as server:
            answers(server, shop)
            assert server.end() == 0


def test_nobody_reads_it_and_every_call_fails(javadex: Javadex, shop: Tree, tmp_path: Path) -> None:
    db = of_the_future(javadex, shop, tmp_path / "future.db")
    with pipe() as (_, write):
        fill(write)
        with lines(javadex, "--root", shop.path, "--db", db, stderr=write) as server:
            server.shake_hands()
            for number in range(1, 50):
                assert server.call(number, FIND, query="Order1")["isError"]
            assert server.end() == 0


def test_nobody_reads_it_and_what_indexes_has_much_to_say(
    javadex: Javadex, shop: Tree, tmp_path: Path
) -> None:
    with pipe() as (_, write):
        fill(write)
        env = in_the_indexer(tmp_path, 'sys.stderr.write("." * 500_000)')
        with lines(javadex, "--root", shop.path, stderr=write, env=env) as server:
            answers(server, shop)
            assert server.end() == 0


def test_nobody_can_read_it(javadex: Javadex, shop: Tree, tmp_path: Path) -> None:
    with pipe() as (read, write):
        env = in_the_indexer(tmp_path, 'print("a word", file=sys.stderr)')
        with lines(javadex, "--root", shop.path, "-v", stderr=write, env=env) as server:
            os.close(read)
            answers(server, shop)
            assert server.end() == 0


def test_there_is_none(javadex: Javadex, shop: Tree) -> None:
    with lines(javadex, "--root", shop.path, preexec=lambda: os.close(2)) as server:
        answers(server, shop)
        if sys.platform == "linux":  # and nothing else took its place
            assert os.readlink(f"/proc/{server.process.pid}/fd/2") == os.devnull
        assert server.end() == 0


def test_what_is_wrong_is_told_once(javadex: Javadex, shop: Tree, tmp_path: Path) -> None:
    db = of_the_future(javadex, shop, tmp_path / "future.db")
    with lines(javadex, "--root", shop.path, "--db", db) as server:
        server.shake_hands()
        assert server.call(1, REFRESH, wait=50)["structuredContent"]["state"] == "failed"
        for number in range(2, 9):
            server.call(number, FIND, query=f"Order{number}")
            server.call(10 * number, OUTLINE, uri="src/Order1.java")
            server.call(11 * number, STATUS)
        assert server.end() == 0
    (line,) = (javadex.folder / "mcp-stderr.txt").read_text("utf-8").splitlines()
    assert line.startswith(f"javadex: {db} has schema 99")


def test_what_the_process_that_indexes_says_at_last(
    javadex: Javadex, shop: Tree, tmp_path: Path
) -> None:
    """It is told, and it is the cause when nothing else is known of one."""
    env = in_the_indexer(
        tmp_path, 'print("no memory left", file=sys.stderr, flush=True); os._exit(9)'
    )
    with lines(javadex, "--root", shop.path, env=env) as server:
        server.shake_hands()
        failed = server.call(1, REFRESH, wait=50)["structuredContent"]
        assert failed["state"] == "failed"
        assert "ended with 9: no memory left" in failed["problem"]
        assert server.end() == 0
    assert "no memory left" in (javadex.folder / "mcp-stderr.txt").read_text("utf-8")


# --- its parts ----------------------------------------------------------------------------------


def test_a_spill_passes_on_what_is_taken_and_drops_the_rest() -> None:
    with pipe() as (read, write):
        full = fill(write)
        spill = Spill(write)
        for number in range(10 * MOST_WAITING):
            text = b"%d\n" % number
            assert spill.write(text) == len(text)
        spill.drain(0.05)  # comes back, though nothing moves
        while full:
            full -= len(os.read(read, full))
        spill.drain(10)
        kept = os.read(read, 1 << 16).split()
        assert kept[:MOST_WAITING] == [b"%d" % number for number in range(MOST_WAITING)]
        assert len(kept) <= MOST_WAITING + 1
        spill.write(b"later")
        spill.drain(10)
        assert os.read(read, 100) == b"later"


def test_a_spill_takes_texts_of_any_length() -> None:
    with pipe() as (read, write):
        spill = Spill(write)
        assert spill.write(b"x" * 10_000_000) == 10_000_000
        spill.write(b"!")
        got = b""
        while not got.endswith(b"!"):
            got += os.read(read, 1 << 20)
        assert len(got) == LONGEST + 1


def test_a_spill_outlives_its_reader() -> None:
    with pipe() as (read, write):
        os.close(read)
        spill = Spill(write)
        spill.write(b"nobody")
        spill.drain(10)
        assert any(thread.name == "javadex-stderr" for thread in threading.enumerate())


def test_what_waits_at_the_end_is_written() -> None:
    code = "import sys; from query.mcp.stderr import install; install(); sys.stderr.write('x' * 99)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": CHECKOUT},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b"x" * 99


def test_nothing_is_told_twice() -> None:
    told: list[str] = []
    only = Once(told.append)
    for text in ("a", "b", "a", "b", "c"):
        only.tell(text)
    assert told == ["a", "b", "c"]
    for number in range(once.MOST_REMEMBERED):
        only.is_new(str(number))
    only.tell("a")
    assert told == ["a", "b", "c", "a"]


@pytest.mark.parametrize(
    ("error", "hinted"),
    [
        (IndexDamaged("it is damaged; `javadex index` makes it anew"), REFRESH),
        (IndexTooNew("it is of a later javadex; update javadex"), "what the error says"),
        (RuntimeError("a fault"), "report this"),
    ],
)
def test_what_a_call_that_raises_comes_to(
    tree: Tree,
    tmp_path: Path,
    error: Exception,
    hinted: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A traceback for faults of ours only, each text once, and a hint that fits."""
    told: list[str] = []

    def find(*_: Any, **__: Any) -> None:
        raise error

    async def nothing(*_: Any) -> None: ...

    async def run() -> None:
        scope = Scope((resolve_root(str(tree.path)),), str(tmp_path / "i.db"), tell=told.append)
        tools = Tools(scope, 0)
        for _ in range(3):
            reply = await tools.call(FIND, {"query": "Order"}, nothing)
            assert reply.is_error
            assert str(error) in reply.document["error"]
            assert hinted in reply.document["hint"]
            assert (REFRESH in reply.document["hint"]) == isinstance(error, IndexDamaged)
        await tools.stop()

    monkeypatch.setattr(calls, "find", find)
    with caplog.at_level(logging.INFO):
        asyncio.run(run())
    traces = [record for record in caplog.records if record.name == "javadex"]
    if isinstance(error, RuntimeError):
        assert told == []
        (trace,) = traces
        assert trace.exc_info
    else:
        assert told == [str(error)]
        assert traces == []
