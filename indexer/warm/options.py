"""How the warm server runs, as plain data, and what the environment says of it."""

from __future__ import annotations

import os
from typing import NamedTuple

from indexer.errors import UsageError

OVERHEAD = 320
"""MB that a JVM with jdt.ls takes beside its heap (docs/benchmarks.md, "The warm server")."""


class CrewOptions(NamedTuple):
    """What the language servers may take."""

    heap: int = 1024
    """MB of Java heap for each."""
    memory: int = 2688
    """MB for all of them: a server counts with its heap and `OVERHEAD`. One is always allowed."""
    answer_timeout: float = 30.0
    """Seconds without an outline after which a server counts as hung."""
    start_timeout: float = 120.0
    """Seconds until a server must be ready."""

    @property
    def most(self) -> int:
        """Servers at a time."""
        return max(1, self.memory // self.share)

    @property
    def share(self) -> int:
        """MB that one server may take."""
        return self.heap + OVERHEAD


class DaemonOptions(NamedTuple):
    """How to run."""

    idle: float = 900.0
    """Seconds without a request after which it ends."""
    crew: CrewOptions = CrewOptions()


def options_from_environment() -> DaemonOptions | None:
    """Return the options of a server that is started on demand, None when none may be.

    `JAVADEX_SERVER_IDLE` is the idle time in seconds, 0 for no warm server; `JAVADEX_SERVER_MEMORY`
    is the memory in MB. Raises `UsageError` for what is no number.
    """
    idle = _number("JAVADEX_SERVER_IDLE", 900.0)
    memory = _number("JAVADEX_SERVER_MEMORY", 2688.0)
    return DaemonOptions(idle, CrewOptions(memory=int(memory))) if idle else None


def _number(name: str, default: float) -> float:
    text = os.environ.get(name, "").strip()
    try:
        number = float(text) if text else default
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise UsageError(f"{name} is {text!r}; it takes a number that is not negative")
    return number
