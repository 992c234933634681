"""The real server killed, and the real server without memory."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import psutil
import pytest

from tests.jdtls.cli import COMMAND, Cli
from tests.jdtls.samples import SAMPLES
from tests.support.trees import many_classes

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

FILES = 600
MEMBERS = 30
DEADLINE = 120.0


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home")


@pytest.fixture
def many_files(tmp_path: Path) -> Path:
    return many_classes(tmp_path / "many", FILES, MEMBERS)


class Run:
    """`javadex index` as a process that tells its progress."""

    def __init__(self, cli: Cli, *arguments: str | Path) -> None:
        self._process = subprocess.Popen(
            [*COMMAND, "index", *map(str, arguments), "--json", "--progress", "json", "-v"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=cli.environment,
        )
        self.done = 0
        self.servers: set[int] = set()
        self.ready: list[int] = []
        """Process ids of the servers that answer, in the order in which they were ready."""
        self._reader = threading.Thread(target=self._read_progress, args=(self._process.stderr,))
        self._reader.start()

    def _read_progress(self, stream: IO[str]) -> None:
        for line in stream:
            if found := re.search(r"server (\d+) ready", line):
                self.ready.append(int(found[1]))
            with contextlib.suppress(ValueError):
                self.done = max(self.done, json.loads(line).get("done", 0))

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def alive(self) -> list[psutil.Process]:
        """Its servers that are alive now."""
        try:
            children = psutil.Process(self._process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        servers = []
        for child in children:
            with contextlib.suppress(psutil.NoSuchProcess):
                if "java" in child.name() and child.status() != psutil.STATUS_ZOMBIE:
                    servers.append(child)
        self.servers |= {server.pid for server in servers}
        return servers

    def end(self) -> tuple[int, str]:
        """Exit code and stdout, watching the servers until then."""
        give_up = time.monotonic() + DEADLINE
        while self.running and time.monotonic() < give_up:
            self.alive()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0.05)
        assert self.running is False, "the run did not end"
        self._reader.join()
        assert self._process.stdout
        return self._process.returncode, self._process.stdout.read()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()


@contextlib.contextmanager
def started(cli: Cli, *arguments: str | Path) -> Iterator[Run]:
    run = Run(cli, *arguments)
    try:
        yield run
    finally:
        run.close()


def test_killed_server_loses_nothing(many_files: Path, cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "index.db"
    with started(cli, many_files, "--servers", "2", "--db", db, "--no-git") as run:
        give_up = time.monotonic() + DEADLINE
        while run.done == 0 and run.running and time.monotonic() < give_up:
            run.alive()
        run.alive()
        psutil.Process(run.ready[0]).kill()  # one that is still starting ends the run
        assert 0 < run.done < FILES
        code, stdout = run.end()
        assert code == 0
        assert len(run.servers) == 3, "the killed server was replaced"
    report = json.loads(stdout)
    (workspace,) = report["workspaces"]
    assert (workspace["outlined"], workspace["failed"]) == (FILES, 0)
    assert workspace["symbols"] == FILES * (MEMBERS + 2)
    assert report["problems"] == []
    assert list(cli.temporary.iterdir()) == []
    assert not any(psutil.pid_exists(pid) for pid in run.servers)


def test_heap_too_small_to_start(cli: Cli, tmp_path: Path) -> None:
    options = ("--db", tmp_path / "index.db", "--no-git", "--heap", "10m")
    before = time.monotonic()
    run = cli.run("index", SAMPLES / "gradle-lib", *options, exits_with=4)
    assert time.monotonic() - before < DEADLINE
    assert "out of memory with a heap of 10m" in run.stderr
    assert "--heap" in run.stderr
    assert run.stdout == ""
    assert list(cli.temporary.iterdir()) == []


def test_heap_too_small_for_one_file(cli: Cli, tmp_path: Path) -> None:
    """The file that takes the memory is named with the cure, and the others are outlined."""
    folder = tmp_path / "big"
    folder.mkdir()
    for number in range(5):
        (folder / f"Small{number}.java").write_text(f"class Small{number} {{\n}}\n", "utf-8")
    members = "".join(
        f"    int m{n}(int a, String b) {{ return a + {n}; }}\n" for n in range(30000)
    )
    (folder / "Huge.java").write_text(f"class Huge {{\n{members}}}\n", "utf-8")
    options = ("--db", tmp_path / "index.db", "--no-git", "--heap", "32m")
    report = cli.json("index", folder, *options, "--max-failed", "1")
    (workspace,) = report["workspaces"]
    assert (workspace["outlined"], workspace["failed"]) == (5, 1)
    (problem,) = report["problems"]
    assert problem["file"] == str(folder / "Huge.java")
    assert "raise it with --heap" in problem["reason"]
    assert list(cli.temporary.iterdir()) == []
