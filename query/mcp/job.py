"""What the process that indexes is told to do. Light: the server loads it at its start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Job(NamedTuple):
    """What to index, and with what."""

    roots: Sequence[tuple[str, str]]
    """Path and display name of each workspace folder."""
    explicit: bool
    """False when nobody named a folder: then it is the working directory, or one around it."""
    db: str
    java: str | None
    jdtls: str | None
    asks_servers: bool = True
    """False: take over what the index knows already, and leave the rest."""
    retry_failed: bool = False
