"""Keeping the index up to date on the way to answers: when to look, when to renew, what to tell.

A process that asks once looks at all files. One that lives on has the operating system tell where
something happened, and looks there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.files import Root
from indexer.store.reader import Reader, Workspace
from query.scan import scan

if TYPE_CHECKING:  # imported by processes that live on
    from query.watch import Watch

SCAN_EVERY = 1.0
"""Seconds for which a look at all files holds: a process that asks a thousand times looks seldom.
The files of the hits themselves are looked at for every answer."""

WATCH_AFTER = 1.0
"""Seconds after the first look from which a process that still asks is one that lives on."""

SURE_FOR = 60.0
"""Seconds for which no look is needed while the system, which may lose an event, tells of none."""

TRY_AGAIN = 60.0
"""Seconds after a renewal that failed before the next one is tried."""


class Limits(NamedTuple):
    """What upkeep may cost."""

    scan: float = 0.0
    """Seconds to look for changes before an answer; 0: no look, and no renewal."""
    renewal: float = 30.0
    """Seconds to wait for language servers; what is outlined by then is kept. 0: ask none."""


class Note(NamedTuple):
    """What may be said with an answer."""

    text: str = ""
    is_outdated: bool = False
    """True when the index is known to be behind the files and could not be renewed."""


class Upkeep:
    """Looks for changes, and renews the index of workspace folders that changed. Close it."""

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
        self._first_look: float | None = None
        self._next_look = 0.0
        self._failure = Note()
        self._watch: Watch | None = None
        self._dirty: set[str] | None = None
        """Roots in which something happened since all was looked at; None: nobody knows."""

    def close(self) -> None:
        """Stop watching."""
        if self._watch:
            self._watch.close()
            self._watch = None
        self._dirty = None

    def note(self, reader: Reader, folders: Callable[[Reader], Iterable[Workspace]]) -> Note:
        """Look and renew as needed; returns what may be said with the answer.

        `folders` gives those to look at, and is called only if there is a look to be had.
        Must not be called inside a snapshot of `reader`: what is renewed would not be seen.
        """
        if not self._limits.scan or not self._is_due():
            return self._failure
        everywhere = list(folders(reader))
        is_watching = self._is_watching(everywhere)
        some = everywhere
        if self._dirty is not None and time.monotonic() < self._next_look:
            some = [folder for folder in everywhere if folder.root in self._dirty]
        outdated, unsure = self._look(reader, some)
        now = time.monotonic()
        self._first_look = self._first_look or now
        self._next_look = now + (SURE_FOR if is_watching else SCAN_EVERY)
        self._dirty = set() if is_watching and not unsure else None
        self._failure = Note()
        if not outdated:
            return Note("; ".join(unsure))
        renewed = self._renew(outdated, reader)
        return renewed._replace(text="; ".join([*unsure, renewed.text]))

    def _is_due(self) -> bool:
        if self._dirty is not None and self._watch and not self._failure.is_outdated:
            self._dirty |= self._watch.dirty()
            if self._dirty:
                return True
        return time.monotonic() >= self._next_look

    def _is_watching(self, folders: Sequence[Workspace]) -> bool:
        """True when what happens from now on in `folders` will be told; starts watching in time."""
        roots = tuple(sorted(folder.root for folder in folders))
        if self._watch and self._watch.roots != roots:
            self.close()
        if self._watch is None:
            if self._first_look and time.monotonic() - self._first_look >= WATCH_AFTER:
                from query.watch import Watch

                self._watch = Watch(roots)
            return False
        if not self._watch.is_ready:
            return False
        told = self._watch.dirty()  # before the look that comes now: no news after it
        if self._dirty is not None:
            self._dirty |= told
        return True

    def _look(
        self, reader: Reader, folders: Iterable[Workspace]
    ) -> tuple[list[Workspace], list[str]]:
        """Folders that changed since their last run, and what is to be said of others."""
        outdated, unsure = [], []
        for folder in folders:
            found = scan(reader, folder, self._limits.scan)
            if found.changed:
                outdated.append(folder)
            elif not found.complete:
                unsure.append(f"{folder.root}: time was up before all files were looked at")
        return outdated, unsure

    def _renew(self, folders: Sequence[Workspace], reader: Reader) -> Note:
        from query.renew import renew

        what = f"{', '.join(folder.root for folder in folders)} changed since the last run"
        self._tell(f"{what}, indexing what is new")
        roots = [(Root(each.root, each.name), reader.lookout(each.id)) for each in folders]
        renewal = renew(roots, self._db, *self._runtime, self._limits.renewal)
        if not renewal.problem:
            return Note("; ".join([f"{what} and was indexed anew", *renewal.notices]))
        self._next_look = time.monotonic() + TRY_AGAIN
        self._dirty = None
        self._failure = Note(f"{what}, and could not be indexed anew: {renewal.problem}", True)
        return self._failure
