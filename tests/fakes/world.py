"""A world of its own for code that starts fake servers: what they leave behind fails the test."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from indexer.jdtls.runtime import Runtime
from tests.fakes.runtime import fake_runtime, located, set_faults

SOON = 20.0
"""Seconds after which something that must happen at once counts as missing."""


class World:
    """Servers of a fake runtime below `folder`, and the temporary folder they lie in."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(self.temporary))
        self.environment = fake_runtime(folder / "runtime")

    def runtime(self, **faults: Any) -> Runtime:
        """The runtime, with servers that have `faults` from now on."""
        set_faults(self.folder / "runtime", **faults)
        return located(self.environment)

    @property
    def java(self) -> Path:
        """The script that stands for java."""
        return self.folder / "runtime" / "java-home" / "bin" / "java"

    @property
    def servers(self) -> list[int]:
        """Process ids of the living servers of this world, whoever started them."""
        return [
            process.info["pid"]
            for process in psutil.process_iter(["pid", "cmdline", "status"])
            if process.info["status"] != psutil.STATUS_ZOMBIE
            and any(str(self.folder) in part for part in process.info["cmdline"] or ())
        ]

    @property
    def leftovers(self) -> list[str]:
        """What lies in the temporary folder."""
        return sorted(path.name for path in self.temporary.iterdir())

    def check(self) -> None:
        """Fail when anything is left."""
        assert self.servers == []
        assert self.leftovers == []

    def settle(self) -> None:
        """Like `check`, for the end of a test: what was killed may take its moment to go."""
        until(lambda: not self.servers)
        self.check()


def until(condition: Callable[[], bool]) -> bool:
    """Wait for `condition`; False when it does not come true in time."""
    deadline = time.monotonic() + SOON
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


async def until_async(condition: Callable[[], bool]) -> bool:
    """Like `until`, while the event loop goes on."""
    deadline = time.monotonic() + SOON
    while not condition():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True
