"""Warm servers of a test's own: a short private place, and nothing of them left at the end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from indexer.errors import ServerDied
from indexer.warm.client import connect
from indexer.warm.place import Place

DEADLINE = 30.0
"""Seconds until something must have happened."""


def until(happened: Callable[[], Any], what: str) -> Any:
    """Wait until `happened` returns something that is true, and return it."""
    deadline = time.monotonic() + DEADLINE
    while not (found := happened()):
        assert time.monotonic() < deadline, f"{what}: not within {DEADLINE:g} s"
        time.sleep(0.02)
    return found


class WarmPlace:
    """A folder for `XDG_RUNTIME_DIR`, short enough for sockets."""

    def __init__(self) -> None:
        self.runtime_dir = Path(tempfile.mkdtemp(prefix="jdx", dir=_SHORT))
        self.place = Place(str(self.runtime_dir / "javadex"))
        self._seen: dict[int, float] = {}

    @property
    def env(self) -> dict[str, str]:
        """What sends a command here; the idle time ends a server that a broken test leaves."""
        return {"XDG_RUNTIME_DIR": str(self.runtime_dir), "JAVADEX_SERVER_IDLE": "60"}

    def status(self) -> dict[str, Any] | None:
        """What the server says of itself, None when there is none. Needs `env` in this process."""
        client = connect(time.monotonic() + DEADLINE)
        if client is None:
            return None
        with client:
            state: dict[str, Any] = client.do("status")
        for process in self._processes(state["pid"]):
            self._seen[process.pid] = process.create_time()
        return state

    def pid(self) -> int:
        """Process id of the server that must be there."""
        state = self.status()
        assert state, "no warm server is running"
        pid: int = state["pid"]
        return pid

    def processes(self) -> list[psutil.Process]:
        """All processes that were ever seen here and still live."""
        return [process for pid in self._seen if (process := self._alive(pid))]

    def close(self) -> None:
        """End what is still there."""
        if Path(self.place.socket).exists():
            with contextlib.suppress(ServerDied):  # one that a test killed is just ending
                self.status()
        for process in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGTERM)
        try:
            until(lambda: not self.processes(), f"warm servers end: {self.processes()}")
        finally:
            for process in self.processes():
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            shutil.rmtree(self.runtime_dir, ignore_errors=True)

    def _alive(self, pid: int) -> psutil.Process | None:
        try:
            process = psutil.Process(pid)
            same = process.create_time() == self._seen[pid]
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.NoSuchProcess:
            return None

    def _processes(self, pid: int) -> list[psutil.Process]:
        try:
            process = psutil.Process(pid)
            return [process, *process.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []


_SHORT = "/tmp" if os.path.isdir("/tmp") else None
