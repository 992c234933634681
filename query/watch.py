"""What happened below workspace folders since the last question, for processes that live on.

The operating system tells (by watchfiles), so a question in a quiet tree looks at no file. What it
tells is taken as a hint where to look, never as an answer.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from indexer.files import SUFFIX, identity
from indexer.folders import is_rules

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

_TICK = 1
"""Milliseconds that a question waits for events on their way; the kernel hands them on at once."""

_PATIENCE = 1.0
"""Seconds for the thread to answer; without an answer anything may have happened."""

_NO_FOLDERS = (".class", ".jar", ".lock", ".log", ".swp", ".tmp")
"""Ends of names that are files': one that is gone need not have been a folder full of sources."""


class Watch:
    """Watches folders from the moment that `is_ready` says so. Close it when done.

    A thread asks the system, so that a question can go on meanwhile. Use it from one other thread.
    """

    def __init__(self, roots: Iterable[str]) -> None:
        """Start watching `roots`, absolute paths; that takes a while in a large tree."""
        self.roots = tuple(roots)
        self._identities = [*map(identity, self.roots)]
        self._is_ready = False
        self._failure = ""
        self._asked = False
        self._kept: set[str] = set()
        """What an answer said that nobody took."""
        self._number = 0
        """Of the last question."""
        self._questions: SimpleQueue[int] = SimpleQueue()
        """Their numbers; 0 ends the thread."""
        self._answers: SimpleQueue[tuple[int, set[str]]] = SimpleQueue()
        threading.Thread(target=self._run, name="javadex-watch", daemon=True).start()

    def is_of(self, roots: tuple[str, ...]) -> bool:
        """True when it watches these folders and no other.

        A path may lead to another folder by now, of which the system would tell nothing.
        """
        return self.roots == roots and self._identities == [*map(identity, roots)]

    @property
    def is_ready(self) -> bool:
        """True when nothing that happens from now on is missed."""
        return self._is_ready

    @property
    def failure(self) -> str:
        """Why there will be no watching, "" for no reason: too many folders for the system."""
        return self._failure

    def ask(self) -> None:
        """Have the system asked meanwhile; `dirty` has the answer."""
        if self._asked:
            self._kept |= self._answer()
        self._asked = True
        self._number += 1
        self._questions.put(self._number)

    def dirty(self) -> set[str]:
        """Return the roots below which something happened since the last call.

        All that happened before the last `ask` is in it, if that was called.
        """
        if not self._is_ready:
            return set(self.roots)
        if not self._asked:
            self.ask()
        found, self._kept, self._asked = self._kept | self._answer(), set(), False
        return found

    def _answer(self) -> set[str]:
        """Return what was said up to the last question, late answers to former ones included."""
        deadline, found = time.monotonic() + _PATIENCE, set[str]()
        while True:
            try:
                number, roots = self._answers.get(timeout=max(0.0, deadline - time.monotonic()))
            except Empty:
                return set(self.roots)
            found |= roots
            if number == self._number:
                return found

    def close(self) -> None:
        """Stop watching."""
        self._questions.put(0)

    def _run(self) -> None:
        notify = self._open()
        if notify is None:
            return
        try:
            self._is_ready = True
            while number := self._questions.get():
                self._answers.put((number, self._happened(notify)))
        finally:
            notify.close()

    def _open(self) -> RustNotify | None:
        try:
            from watchfiles._rust_notify import RustNotify

            return RustNotify(
                list(self.roots),
                debug=False,
                force_polling=False,
                poll_delay_ms=1000,
                recursive=True,
                ignore_permission_denied=True,
            )
        except (ImportError, OSError, RuntimeError) as exc:  # files are looked at, as without it
            self._failure = str(exc) or repr(exc)
            return None

    def _happened(self, notify: RustNotify) -> set[str]:
        try:
            found = notify.watch(_TICK, _TICK, _TICK, None)
        except (OSError, RuntimeError):  # nobody knows what happened: everything may have
            return set(self.roots)
        if isinstance(found, str):
            return set()
        paths = {path for _, path in found if _matters(path)}
        return {root for root in self.roots if any(_is_below(path, root) for path in paths)}


def _matters(path: str) -> bool:
    """True for a Java file, for git's rules, and for what is or may have been a folder."""
    if path.endswith(SUFFIX) or is_rules(path):
        return True
    if f"{os.sep}.git{os.sep}" in path:
        return False
    return os.path.isdir(path) or not (path.endswith(_NO_FOLDERS) or os.path.lexists(path))


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
