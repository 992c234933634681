"""What goes to an outline server and what comes back, as plain data. Light to import."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from indexer.model import Outline

BATCH = 64
"""Texts per barrier: more would save waits, and leave more undone when a server dies."""


class Source(NamedTuple):
    """A text whose outline is wanted."""

    key: Hashable
    """The caller's name for it; no two sources of a stream share one."""
    stem: str
    """The file's name without `.java`."""
    text: str
    """As decoded by `indexer.javatext.decode`."""


class Outcome(NamedTuple):
    """What became of one source: an outline, or the reason why there is none."""

    source: Source
    outline: Outline | None = None
    by_name: bool = False
    """True when the outline may depend on the file's name and must be stored under it."""
    reason: str = ""
    lost: bool = False
    """True when the reason is the loss of a server, which may have had a passing cause."""

    @property
    def unit(self) -> str:
        """The name under which to store it (`recipe.unit_names`): "" when no name matters."""
        return self.source.stem if self.by_name or self.outline is None else ""
