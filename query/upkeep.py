"""Keeping the index up to date on the way to answers: when to look, when to renew, what to tell."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from indexer.files import Root
from indexer.store.reader import Reader, Workspace
from query.scan import scan

SCAN_EVERY = 1.0
"""Seconds for which a look at all files holds: a process that asks a thousand times looks seldom.
The files of the hits themselves are looked at for every answer."""

TRY_AGAIN = 60.0
"""Seconds after a renewal that failed before the next one is tried."""


class Limits(NamedTuple):
    """What upkeep may cost."""

    scan: float = 0.0
    """Seconds to look for changes before an answer; 0: no look, and no renewal."""
    renewal: float = 30.0
    """Seconds to wait for language servers; what is outlined by then is kept."""


class Upkeep:
    """Looks for changes, and renews the index of workspace folders that changed."""

    def __init__(
        self,
        db: str,
        limits: Limits,
        java: str | None,
        jdtls: str | None,
        tell: Callable[[str], None],
    ) -> None:
        """`tell` is given what a person should know while waiting."""
        self._db = db
        self._limits = limits
        self._runtime = (java, jdtls)
        self._tell = tell
        self._next_look = 0.0
        self._failure = ""

    def note(self, reader: Reader, folders: Callable[[Reader], Iterable[Workspace]]) -> str:
        """Look and renew as needed; returns what may be said with the answer.

        `folders` gives those to look at, and is called only if there is a look to be had.
        Must not be called inside a snapshot of `reader`: what is renewed would not be seen.
        """
        if not self._limits.scan or time.monotonic() < self._next_look:
            return self._failure
        self._failure, notes, dirty = "", [], []
        for folder in folders(reader):
            found = scan(reader, folder, self._limits.scan)
            if found.changed:
                dirty.append((Root(folder.root, folder.name), reader.lookout(folder.id)))
            elif not found.complete:
                notes.append(f"{folder.root}: time was up before all files were looked at")
        self._next_look = time.monotonic() + SCAN_EVERY
        if dirty:
            from query.renew import renew

            names = ", ".join(root.path for root, _ in dirty)
            self._tell(f"{names} changed since the last run, indexing what is new")
            renewal = renew(dirty, self._db, *self._runtime, self._limits.renewal)
            wait = TRY_AGAIN if renewal.problem else SCAN_EVERY
            self._next_look = time.monotonic() + wait
            what = f"{names} changed since the last run"
            if renewal.problem:
                self._failure = f"{what}, and could not be indexed anew: {renewal.problem}"
                notes.append(self._failure)
            else:
                notes.append("; ".join([f"{what} and was indexed anew", *renewal.notices]))
        return "; ".join(notes)
