"""Run a command and account for all processes it starts: wall time, CPU time, peak memory.

CPU seconds are those the kernel charged to our ended children (`getrusage(RUSAGE_CHILDREN)`, after
minus before). A process's account takes in every descendant that its parent waited for, and javadex
waits for its servers and for git; so the sum is exact, and short-lived processes are in it. The
samples of psutil give what the kernel's sum cannot: how the CPU time divides between indexer and
servers, who was there at all, and each one's memory. Their own CPU sum lacks up to one interval at
each process' end and serves as a cross-check.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import psutil

INTERVAL = 0.05
"""Seconds between two samples."""

_MAX_SECONDS = 3600.0
_END_SECONDS = 10.0
_GONE = (psutil.NoSuchProcess, psutil.AccessDenied, OSError)


@dataclass(slots=True)
class Seen:
    """A process as the last sample found it."""

    pid: int
    name: str
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    """Largest resident set, shared pages included."""


@dataclass(frozen=True, slots=True)
class Run:
    """A command that ended well."""

    stdout: str
    wall_seconds: float
    cpu_seconds: float
    processes: list[Seen] = field(default_factory=list)
    """The command itself and its descendants; empty when they were not watched."""
    watcher_seconds: float = 0.0
    """CPU seconds that the watching took from the machine; in no other figure."""

    def named(self, name: str) -> list[Seen]:
        """Return the processes of that name."""
        return [seen for seen in self.processes if seen.name == name]


def run(command: Sequence[str], env: Mapping[str, str], *, watch: bool = False) -> Run:
    """Run `command` to its end; its failure ends the script, with what it said."""
    before = _children_seconds()
    started = time.perf_counter()
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(env)
        ) as process,
        _Watcher(process.pid, watch) as watcher,
    ):
        try:
            stdout, stderr = process.communicate(timeout=_MAX_SECONDS)
        except BaseException:
            _end(process)
            raise
        wall = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {stderr[-2000:]}")
    cpu = _children_seconds() - before
    return Run(stdout, wall, cpu, list(watcher.seen.values()), watcher.cpu_seconds)


def _end(process: subprocess.Popen[str]) -> None:
    """End a command early; javadex takes an interrupt as a reason to clear up first."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def javadex() -> str:
    """Return the console script that belongs to the running interpreter."""
    script = Path(sys.executable).with_name("javadex")
    if not script.is_file():
        raise SystemExit(f"{script} is missing: install javadex for {sys.executable} first")
    return str(script)


def environment(scratch: Path) -> dict[str, str]:
    """Return the environment to measure in: no setting of the caller's shell changes the figures.

    Byte code goes to a folder of ours, so that an editable installation that may not write any
    starts as fast as one that pip compiled. Whoever measures must run each command once before.
    """
    foreign = ("PYTHON", "JAVADEX_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    if "PYTHONPATH" in os.environ:
        env["PYTHONPATH"] = os.environ["PYTHONPATH"]
    env["PYTHONPYCACHEPREFIX"] = str(scratch / "pycache")
    env["XDG_CACHE_HOME"] = str(scratch / "cache")
    return env


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class _Watcher:
    """Samples a process and its descendants on a thread, from entry to exit."""

    def __init__(self, pid: int, active: bool) -> None:
        self.seen: dict[tuple[int, str], Seen] = {}
        """By pid and name: between fork and exec a child is still a copy of its parent."""
        self.cpu_seconds = 0.0
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch) if active else None

    def __enter__(self) -> _Watcher:
        if self._thread:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        while not self._done.is_set():
            self._sample()
            self.cpu_seconds = time.thread_time()
            self._done.wait(INTERVAL)

    def _sample(self) -> None:
        try:
            root = psutil.Process(self._pid)
            processes = [root, *root.children(recursive=True)]
        except _GONE:
            return
        for process in processes:
            try:
                self._note(process)
            except _GONE:
                continue

    def _note(self, process: psutil.Process) -> None:
        with process.oneshot():
            name = process.name()
            times = process.cpu_times()
        seen = self.seen.setdefault((process.pid, name), Seen(process.pid, name))
        seen.cpu_seconds = max(seen.cpu_seconds, times.user + times.system)
        seen.peak_bytes = max(seen.peak_bytes, _resident(process))


def _resident(process: psutil.Process) -> int:
    """Peak resident bytes by the kernel's own high-water mark, else the resident bytes now."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except FileNotFoundError:
        pass
    resident: int = process.memory_info().rss
    return resident
