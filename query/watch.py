"""What happened below workspace folders since the last question, for processes that live on.

The operating system tells (by watchfiles), so a question in a quiet tree looks at no file. What it
tells is taken as a hint where to look, never as an answer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from indexer.files import SUFFIX, identity

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

_TICK = 1
"""Milliseconds that a question waits for events on their way; the kernel hands them on at once."""

_NO_FOLDERS = (".class", ".jar", ".lock", ".log", ".swp", ".tmp")
"""Ends of names that are files': one that is gone need not have been a folder full of sources."""


class Watch:
    """Watches folders from the moment that `is_ready` says so. Close it when done."""

    def __init__(self, roots: Iterable[str]) -> None:
        """Start watching `roots`, absolute paths; that takes a while in a large tree."""
        self.roots = tuple(roots)
        self._identities = [*map(identity, self.roots)]
        self._notify: RustNotify | None = None
        self._closed = False
        self._failure = ""
        self._lock = threading.Lock()
        threading.Thread(target=self._open, name="javadex-watch", daemon=True).start()

    def is_of(self, roots: tuple[str, ...]) -> bool:
        """True when it watches these folders and no other.

        A path may lead to another folder by now, of which the system would tell nothing.
        """
        return self.roots == roots and self._identities == [*map(identity, roots)]

    @property
    def is_ready(self) -> bool:
        """True when nothing that happens from now on is missed."""
        return self._notify is not None

    @property
    def failure(self) -> str:
        """Why there will be no watching, "" for no reason: too many folders for the system."""
        return self._failure

    def dirty(self) -> set[str]:
        """Return the roots below which something happened since the last call."""
        if self._notify is None:
            return set(self.roots)
        found = self._notify.watch(_TICK, _TICK, _TICK, None)
        if found == "signal":
            raise KeyboardInterrupt
        if isinstance(found, str):
            return set()
        paths = {path for _, path in found if _matters(path)}
        return {root for root in self.roots if any(_is_below(path, root) for path in paths)}

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            self._closed = True
            if self._notify:
                self._notify.close()
                self._notify = None

    def _open(self) -> None:
        try:
            from watchfiles._rust_notify import RustNotify

            notify = RustNotify(
                list(self.roots),
                debug=False,
                force_polling=False,
                poll_delay_ms=1000,
                recursive=True,
                ignore_permission_denied=True,
            )
        except (ImportError, OSError, RuntimeError) as exc:  # files are looked at, as without it
            self._failure = str(exc) or repr(exc)
            return
        with self._lock:
            if self._closed:
                notify.close()
            else:
                self._notify = notify


def _matters(path: str) -> bool:
    """True for a Java file, and for what is or may have been a folder."""
    if path.endswith(SUFFIX):
        return True
    if f"{os.sep}.git{os.sep}" in path:
        return False
    return os.path.isdir(path) or not (path.endswith(_NO_FOLDERS) or os.path.lexists(path))


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
