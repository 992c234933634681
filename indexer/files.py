"""Workspace folders and single files: their identity, and reading them safely. Light to import."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import NamedTuple

from indexer.errors import RootError

SUFFIX = ".java"

RACY_NS = 2_000_000_000
"""A file changed less than this before it was read may change again unseen (coarse clocks)."""


class Root(NamedTuple):
    """A workspace folder."""

    path: str
    """Canonical absolute path."""
    name: str
    """Display name."""


class FileStat(NamedTuple):
    """What tells a changed file from an unchanged one without reading it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileStat:
        """Return the identity in `status`."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    def settled(self, now_ns: int) -> FileStat:
        """This, or one that equals no other when the file is too young to be trusted."""
        young = now_ns - max(self.mtime_ns, self.ctime_ns) < RACY_NS
        return FileStat(self.size, -1, self.ctime_ns, self.inode) if young else self


def resolve_root(path: str, name: str | None = None) -> Root:
    """Return the root for a path as the user gave it.

    Raises `RootError` when it does not exist, is no folder, may not be read, or is not UTF-8.
    """
    try:
        canonical = os.path.realpath(path)
    except OSError as exc:
        raise RootError(f"the working directory is gone: {exc.strerror}") from exc
    if not os.path.isdir(canonical):
        cause = "is not a folder" if os.path.exists(canonical) else "does not exist"
        raise RootError(f"the workspace folder {path!r} {cause}; name an existing folder")
    if not os.access(canonical, os.R_OK | os.X_OK):
        raise RootError(f"the workspace folder {path!r} may not be read; change its permissions")
    if not is_unicode(canonical):
        raise RootError(f"the path of the workspace folder {path!r} is not UTF-8")
    return Root(canonical, name or os.path.basename(canonical) or canonical)


def is_unicode(path: str) -> bool:
    """False for a path whose bytes are not UTF-8: neither the index nor a URI can hold it."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


class Content(NamedTuple):
    """A file's bytes with the identity that they had while they were read."""

    data: bytes
    stat: FileStat


class Unsteady(Exception):
    """The file kept changing while it was read."""


def read(full_path: str, *, attempts: int = 3) -> Content:
    """Read a file so that bytes and identity belong together.

    Raises `OSError`, and `Unsteady` when the file changed under each of `attempts` readings.
    """
    for _ in range(attempts):
        with open(full_path, "rb", opener=_open_regular) as file:
            before = FileStat.of(os.fstat(file.fileno()))
            data = file.read()
            after = FileStat.of(os.fstat(file.fileno()))
        if before == after and len(data) == after.size:
            return Content(data, after)
    raise Unsteady(f"it changed while it was read, {attempts} times in a row")


def _open_regular(path: str, flags: int) -> int:
    """Open `path` without waiting for a pipe or device that took a file's place."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "no regular file", path)
    with contextlib.suppress(AttributeError):
        os.set_blocking(descriptor, True)
    return descriptor
