"""Temporary folders that do not pile up: what a killed owner leaves, the next start deletes.

The owner is the living process that holds the operating system's lock on a file in the folder; any
death releases it. Knows nothing of what else is in the folder.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from indexer.temporary import temporary_folder

_PREFIX = "javadex-"
_NAME = re.compile(re.escape(_PREFIX) + r"[a-z0-9_]{8}")  # as tempfile.mkdtemp makes it
_LOCK = "javadex.lock"
_UNLOCKED = "javadex.lock.new"
_GRACE = 60.0
"""Seconds for which a folder without a lock file may be one that is just being made."""


class Scratch:
    """An empty temporary folder of this process, from its making to `remove`.

    Raises `OSError` when it cannot be made or locked.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=temporary_folder()))
        # Shared by all threads: it may be released in another one than this.
        self._lock = FileLock(self.path / _UNLOCKED, thread_local=False)
        self._lock.acquire(timeout=0)
        # Only now the name that `sweep` looks for: it must never find a lock that is not held yet.
        (self.path / _UNLOCKED).rename(self.path / _LOCK)

    def remove(self) -> None:
        """Delete the folder, as far as it can be deleted; the rest is the next sweep's."""
        with suppress(OSError):
            _delete(self.path)
        self._lock.release()


def sweep() -> None:
    """Delete the folders that dead processes of this user left behind, as far as possible."""
    with suppress(OSError), os.scandir(temporary_folder()) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name):
                with suppress(OSError, RuntimeError):  # a held lock is an OSError, too
                    _sweep(entry)


def _sweep(entry: os.DirEntry[str]) -> None:
    stat = entry.stat(follow_symlinks=False)
    if stat.st_uid != os.getuid() or not entry.is_dir(follow_symlinks=False):
        return
    folder = Path(entry.path)
    if (folder / _LOCK).exists():
        with FileLock(folder / _LOCK).acquire(timeout=0):
            _delete(folder)
    elif time.time() - stat.st_mtime > _GRACE:
        # Died before it had its lock, so nothing was in it. `rmdir` spares a folder of other make.
        (folder / _UNLOCKED).unlink(missing_ok=True)
        folder.rmdir()


def _delete(folder: Path) -> None:
    """The lock file goes last and only with all the rest: what is left can still be swept."""
    for child in folder.iterdir():
        if child.is_dir() and not child.is_symlink():
            shutil.rmtree(child, ignore_errors=True)
        elif child.name != _LOCK:
            child.unlink()
    if [*folder.iterdir()] == [folder / _LOCK]:
        (folder / _LOCK).unlink()
        folder.rmdir()
