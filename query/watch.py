"""What happened below workspace folders since the last question, for processes that live on.

The operating system tells (by watchfiles), so a question in a quiet tree looks at no file. What it
tells is taken as a hint where to look, never as an answer.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from indexer.files import SUFFIX, identity
from indexer.folders import is_rules

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

_TICK = 1
"""Milliseconds between two looks at what came."""

_ON_THEIR_WAY = 250
"""Milliseconds for events to come; on a busy machine they do not come at once."""

_TRIES = 3
"""To start in a tree from which folders go meanwhile."""

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
        self._thread = threading.Thread(target=self._run, name="javadex-watch", daemon=True)
        self._thread.start()

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
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        with ExitStack() as stack:
            marks = _Marks(stack)
            notify = self._open(marks)
            while notify and (number := self._questions.get()):
                found = self._happened(notify, marks)
                if found is None:  # until there is another watch, and once more after that
                    self._is_ready, found = False, set(self.roots)
                    notify.close()
                    notify = self._open(marks)
                self._answers.put((number, found))
            self._is_ready = False
            if notify:
                notify.close()

    def _open(self, marks: _Marks, tries: int = _TRIES) -> RustNotify | None:
        try:
            from watchfiles._rust_notify import RustNotify

            for root in self.roots:
                if link := _astray(root):
                    raise OSError(f"the link {link!r} leads where no watch is to follow")
            notify = RustNotify(
                [*self.roots, *marks.folders],
                debug=False,
                force_polling=False,
                poll_delay_ms=1000,
                recursive=True,
                ignore_permission_denied=False,  # else it is silent about what it left out
            )
        except (ImportError, OSError, RuntimeError) as exc:  # files are looked at, as without it
            if isinstance(exc, FileNotFoundError) and tries > 1:
                return self._open(marks, tries - 1)
            self._failure = str(exc) or repr(exc)
            return None
        self._is_ready = True
        return notify

    def _happened(self, notify: RustNotify, marks: _Marks) -> set[str] | None:
        """The roots below which something happened until now, None when it cannot go on."""
        try:
            paths = _events(notify, marks)
        except TimeoutError:
            return set(self.roots)
        except (OSError, RuntimeError):
            return None
        changed = [path for path in paths if _matters(path)]
        return {root for root in self.roots if any(_is_below(path, root) for path in changed)}


class _Marks:
    """Makes files in a folder of its own, so that the system tells of them."""

    def __init__(self, stack: ExitStack) -> None:
        """The folder goes when `stack` closes; after a kill, when the next server starts."""
        from indexer.jdtls.scratch import Scratch

        self.folders: tuple[str, ...] = ()
        """The folder, if one could be made."""
        self._names = (f"{number}.tmp" for number in count())
        self._last: Path | None = None
        with suppress(OSError):
            scratch = Scratch()
            stack.callback(scratch.remove)
            self.folders = (os.path.realpath(scratch.path),)

    def make(self) -> str:
        """Make one, and return its path. Raises `OSError`."""
        if self._last:
            self._last.unlink(missing_ok=True)
        self._last = Path(*self.folders, next(self._names))
        self._last.touch()
        return str(self._last)


def _events(notify: RustNotify, marks: _Marks) -> set[str]:
    """Return the paths of which the system tells until now.

    It tells in order: once it tells of a mark, it has told of all before. Without marks, what is
    on its way is missed. Raises `TimeoutError` when a mark does not come.
    """
    if not marks.folders:
        found = notify.watch(_TICK, _TICK, _TICK, None)
        return set() if isinstance(found, str) else {path for _, path in found}
    paths, deadline = set[str](), time.monotonic() + _ON_THEIR_WAY / 1000
    try:
        mark = marks.make()
    except OSError as exc:
        raise TimeoutError from exc
    while mark not in paths:
        # One long wait, for at the end of each watchfiles throws away what comes just then.
        found = notify.watch(_TICK, _TICK, _ON_THEIR_WAY, None)
        if isinstance(found, str) or time.monotonic() > deadline:
            raise TimeoutError
        paths.update(path for _, path in found)
    return paths


def _astray(root: str) -> str:
    """Return a link that leads out of `root` or to a folder with more such links, "" for none.

    The system follows links to folders: to all of the disk, if need be, or in ever more ways.
    """
    real = os.path.realpath(root)
    links = {
        path: os.path.realpath(path)
        for folder, names, _ in os.walk(real)
        for path in (os.path.join(folder, name) for name in names)
        if os.path.islink(path)
    }
    with_links = {str(folder) for path in links for folder in Path(path).parents}
    astray = (a for a, b in links.items() if b in with_links or not _is_below(b, real))
    return next(astray, "")


def _matters(path: str) -> bool:
    """True for a Java file, for git's rules, and for what is or may have been a folder."""
    if path.endswith(SUFFIX) or is_rules(path):
        return True
    if f"{os.sep}.git{os.sep}" in path:
        return False
    return os.path.isdir(path) or not (path.endswith(_NO_FOLDERS) or os.path.lexists(path))


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
