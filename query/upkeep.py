"""Keeping the index up to date on the way to answers: when to look, when to renew, what to tell.

A process that asks once looks at all files. One that lives on has the operating system tell where
something happened, and looks there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.files import Root
from indexer.store.location import index_command
from indexer.store.reader import Reader, Workspace
from query.scan import scan

if TYPE_CHECKING:  # imported by processes that live on
    from query.watch import Watch

SCAN_EVERY = 1.0
"""Most seconds for which a look at all files holds; the files of the hits themselves are looked at
for every answer."""

HOLDS = 2.0
"""For how many times as long as it took a look holds: a process that asks a thousand times does
not spend its time on looks, and what an agent wrote between two questions is found."""

WATCH_AFTER = 1.0
"""Seconds after the first look from which a process that still asks is one that lives on."""

SURE_FOR = 10.0
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
    is_incomplete: bool = False
    """True when time was up before all files were looked at: nobody knows."""
    took_a_look: bool = False
    """True when files were looked at, which takes a while: what was read before may be old."""


class _Seen(NamedTuple):
    """What came of the last look at a workspace folder, as it was after its last run."""

    until: float
    """Time of `time.monotonic()` from which it is looked at anew of its own accord."""
    note: Note = Note()
    """What is to be said until then."""


class Upkeep:
    """Looks for changes, and renews the index of workspace folders that changed. Close it."""

    def __init__(
        self,
        db: str,
        limits: Limits,
        java: str | None,
        jdtls: str | None,
        tell: Callable[[str], None],
        renewing: Callable[[], str] = lambda: "",
    ) -> None:
        """`tell` is given what a person should know while waiting.

        `renewing` says how a run gets on that goes on beside, "" for none: what changed is left to
        it.
        """
        self._db = db
        self._limits = limits
        self._runtime = (java, jdtls)
        self._tell = tell
        self._renewing = renewing
        self._kept: set[str] = set()
        """Roots that the last renewal left as they were in the index, as a run would."""
        self._seen: dict[Workspace, _Seen] = {}
        """By the folder with its last run: whoever indexes it anew, it is looked at anew."""
        self._looked = False
        """True when the last call of `note` looked at any folder."""
        self._trusted_until = 0.0
        self._first_look: float | None = None
        self._watch: Watch | None = None

    def close(self) -> None:
        """Stop watching."""
        if self._watch:
            self._watch.close()
            self._watch = None
        self._seen.clear()

    def begin(self) -> bool:
        """Have the system say meanwhile what `note` will ask for; False if it is not watching."""
        if not (self._limits.scan and self._watch and self._watch.is_ready):
            return False
        self._watch.ask()
        return True

    def note(self, reader: Reader, folders: Callable[[Reader], Iterable[Workspace]]) -> Note:
        """Look and renew as needed; returns what may be said with the answer.

        `folders` gives those to look at, and is called only if looks are to be had at all.
        Must not be called inside a snapshot of `reader`: what is renewed would not be seen. Call
        `begin` some time before.
        """
        if not self._limits.scan:
            return Note()
        every = list(folders(reader))
        told = self._listen(every)
        self._seen = {each: self._seen[each] for each in every if each in self._seen}
        due = [each for each in every if self._is_due(each, told or ())]
        self._looked = bool(due)
        outdated = self._look(reader, due, is_watching=told is not None)
        renewed = ""
        if outdated and (beside := self._renewing()):
            note = Note(beside, is_outdated=True)
            self._seen |= dict.fromkeys(outdated, _Seen(time.monotonic() + SCAN_EVERY, note))
        elif outdated:
            renewed = self._renew(outdated, reader)
            roots, every = {each.root for each in outdated}, list(folders(reader))
            anew = [each for each in every if each.root in roots and each not in self._seen]
            self._look_again(reader, anew, is_watching=told is not None)
        notes = [self._seen[each].note for each in every if each in self._seen]
        texts = dict.fromkeys([renewed, *(note.text for note in notes)])
        is_outdated = any(note.is_outdated for note in notes)
        is_incomplete = any(note.is_incomplete for note in notes)
        text = "; ".join(filter(None, texts))
        return Note(text, is_outdated, is_incomplete, self._looked)

    def distrust(self) -> bool:
        """Have the next `note` look at all that holds: hits show that something changed meanwhile.

        False when that would be of no use: nothing is looked at here, it was just now, or the
        last time it did not help.
        """
        if not self._limits.scan or self._looked or time.monotonic() < self._trusted_until:
            return False
        self._seen = {each: seen for each, seen in self._seen.items() if seen.note.is_outdated}
        return True

    def settle(self, *, helped: bool) -> None:
        """Say whether the look after a `distrust` helped."""
        if not helped:
            self._trusted_until = time.monotonic() + SURE_FOR

    def _is_due(self, folder: Workspace, told: Container[str]) -> bool:
        seen = self._seen.get(folder)
        if seen is None or seen.until <= time.monotonic():
            return True
        return folder.root in told and not seen.note.is_outdated

    def _listen(self, folders: Sequence[Workspace]) -> set[str] | None:
        """Return the roots in which something happened since the last call; watches in time.

        None while nobody would tell what happens after this call.
        """
        roots = tuple(sorted(folder.root for folder in folders))
        if self._watch and not self._watch.is_of(roots):
            self.close()
        if self._watch is None:
            if self._first_look and time.monotonic() - self._first_look >= WATCH_AFTER:
                from query.watch import Watch

                self._watch = Watch(roots)
            return None
        return self._watch.dirty() if self._watch.is_ready else None

    def _look(
        self, reader: Reader, folders: Iterable[Workspace], *, is_watching: bool
    ) -> list[Workspace]:
        """Look at `folders`, all in the time of a look; returns those that changed."""
        outdated = []
        deadline = time.monotonic() + self._limits.scan
        for folder in folders:
            started = time.monotonic()
            found = scan(reader, folder, deadline - started)
            now = time.monotonic()
            self._first_look = self._first_look or now
            if found.changed:
                outdated.append(folder)
            elif found.complete:
                held = min(SCAN_EVERY, HOLDS * (now - started))
                self._seen[folder] = _Seen(now + (SURE_FOR if is_watching else held))
            else:
                command = index_command([Root(folder.root, folder.name)], self._db)
                text = (
                    f"{folder.root}: time was up before all files were looked at; "
                    f"allow more (`find --scan-budget`), or run `{command}`"
                )
                self._seen[folder] = _Seen(now + SCAN_EVERY, Note(text, is_incomplete=True))
        return outdated

    def _look_again(
        self, reader: Reader, folders: Sequence[Workspace], *, is_watching: bool
    ) -> None:
        """Look at folders that were just indexed: somebody may have gone on writing meanwhile.

        One that still differs is not indexed again before the next look: a run may leave it so.
        """
        for folder in self._look(reader, folders, is_watching=is_watching):
            text = f"{folder.root} changed again while it was indexed; ask again"
            note = Note() if folder.root in self._kept else Note(text, is_outdated=True)
            self._seen[folder] = _Seen(time.monotonic() + SCAN_EVERY, note)

    def _renew(self, folders: Sequence[Workspace], reader: Reader) -> str:
        """Index `folders` anew; returns what to say, if that is not to be said again."""
        from query.renew import renew

        what = f"{', '.join(folder.root for folder in folders)} changed since the last run"
        self._tell(f"{what}, indexing what is new")
        roots = [(Root(each.root, each.name), reader.lookout(each.id)) for each in folders]
        renewal = renew(roots, self._db, *self._runtime, self._limits.renewal)
        self._kept = set(renewal.kept)
        for folder in folders:
            self._seen.pop(folder, None)
        if renewal.problem:
            note = Note(f"{what}, and could not be indexed anew: {renewal.problem}", True)
            self._seen |= dict.fromkeys(folders, _Seen(time.monotonic() + TRY_AGAIN, note))
            return ""
        done = what if renewal.kept else f"{what} and was indexed anew"
        return "; ".join([done, *renewal.notices])
