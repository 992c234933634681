"""The real jdt.ls stopped in its tracks, short of memory, two at a time, among damaged leftovers.

Killed, and too small a heap to start or for one file: `tests/jdtls/test_trouble.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from indexer.jdtls.pool import Losses, PoolOptions, Worker
from indexer.jdtls.runtime import locate
from indexer.jdtls.source import Outcome, Source
from tests.fakes.world import until
from tests.jdtls.cli import COMMAND, Cli
from tests.support.trees import many_classes

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

FILES = 300
DEADLINE = 120.0


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home")


@pytest.fixture
def many(tmp_path: Path) -> Path:
    return many_classes(tmp_path / "many", FILES, 40)


@contextlib.contextmanager
def _index(cli: Cli, *arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """`javadex index` as a process that is gone at the end."""
    process = subprocess.Popen(
        [*COMMAND, "index", *map(str, arguments), "--no-git", "--json", "--progress", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=cli.environment,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _servers(process: subprocess.Popen[str]) -> list[psutil.Process]:
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            if "java" in child.name() and child.status() != psutil.STATUS_ZOMBIE:
                found.append(child)
    return found


def test_a_stopped_server_is_given_up_and_replaced(many: Path, cli: Cli, tmp_path: Path) -> None:
    """SIGSTOP in the middle of the work: the wait is bounded, and nothing is lost for it."""
    db = tmp_path / "index.db"
    with _index(cli, many, "--db", db, "--servers", "1", "--file-timeout", "3") as process:
        assert process.stderr
        for line in process.stderr:
            if json.loads(line).get("done", 0):
                break
        (victim,) = _servers(process)
        victim.send_signal(signal.SIGSTOP)
        stopped = time.monotonic()
        assert until(lambda: not victim.is_running()), "it is left stopped"
        assert time.monotonic() - stopped < 15
        stdout, stderr = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, stderr
    report = json.loads(stdout)
    (workspace,) = report["workspaces"]
    assert (workspace["outlined"], workspace["failed"]) == (FILES, 0)
    assert workspace["symbols"] == FILES * 42
    assert not psutil.pid_exists(victim.pid)
    assert list(cli.temporary.iterdir()) == []


def test_a_stopped_server_cannot_even_be_sent_large_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever for room in its pipe; the texts are outlined by the next one."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    texts = [f"class A{n} {{ int x; }}\n" + "// x\n" * 40_000 for n in range(3)]
    sources = [Source(n, f"A{n}", text) for n, text in enumerate(texts)]
    found: list[Outcome] = []

    async def put(outcomes: list[Outcome]) -> None:
        found.extend(outcomes)

    async def serve() -> int:
        worker = Worker(locate(), PoolOptions(answer_timeout=3.0), Losses())
        try:
            await worker.start()
            assert worker.pid
            victim = worker.pid
            os.kill(victim, signal.SIGSTOP)
            await asyncio.wait_for(worker.serve(sources, put), DEADLINE)
            return victim
        finally:
            await worker.close()

    assert not psutil.pid_exists(asyncio.run(serve()))
    names = [
        [each.name for each in outcome.outline.symbols] for outcome in found if outcome.outline
    ]
    assert sorted(names) == [["A0"], ["A1"], ["A2"]]
    assert list(tmp_path.iterdir()) == []


def test_two_at_once_among_damaged_leftovers(many: Path, cli: Cli, tmp_path: Path) -> None:
    """Data folders are private, so two indexers do not collide; what the dead left is swept."""
    for name in ("javadex-dead0001", "javadex-dead0002"):
        data = cli.temporary / name / "data" / ".metadata"
        data.mkdir(parents=True)
        (data / ".lock").write_bytes(b"")
        (data / ".plugins").write_bytes(b"\x00garbage" * 99)  # a file where a folder belongs
        (data.parents[1] / "javadex.lock").write_bytes(b"")
    dbs = [tmp_path / "one.db", tmp_path / "two.db"]
    with (
        _index(cli, many, "--db", dbs[0], "--servers", "1") as one,
        _index(cli, many, "--db", dbs[1], "--servers", "1") as two,
    ):
        together = until(lambda: bool(_servers(one) and _servers(two)))
        ends = [process.communicate(timeout=DEADLINE)[0] for process in (one, two)]
    assert together
    assert (one.returncode, two.returncode) == (0, 0)
    for end in ends:
        (workspace,) = json.loads(end)["workspaces"]
        assert (workspace["outlined"], workspace["failed"]) == (FILES, 0)
    assert list(cli.temporary.iterdir()) == []


def test_memory_that_ends_late_in_the_start(many: Path, cli: Cli, tmp_path: Path) -> None:
    """Enough for the first seconds, not for the rest: bounded, and the setting is named, too."""
    heap = "14m"
    started = time.monotonic()
    run = subprocess.run(
        [*COMMAND, "index", str(many), "--db", str(tmp_path / "index.db"), "--heap", heap],
        capture_output=True,
        encoding="utf-8",
        env=cli.environment,
        timeout=DEADLINE,
        check=False,
    )
    assert time.monotonic() - started < DEADLINE
    assert run.returncode == 4
    assert f"out of memory with a heap of {heap}; raise it with --heap" in run.stderr
    assert list(cli.temporary.iterdir()) == []
    assert os.path.exists(tmp_path / "index.db")
