"""Workspace folders and single files: their identity, and reading them safely. Light to import."""

from __future__ import annotations

import contextlib
import os
import stat
from functools import partial
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


def identity(path: str) -> tuple[int, int] | None:
    """Return what the system knows a file or folder by, None when it is gone.

    What is put in its place has another one.
    """
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_unicode(path: str) -> bool:
    """False for a path whose bytes are not UTF-8: neither the index nor a URI can hold it."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_below(path: str) -> bool:
    """True for a path, with `/`, that as it is written stays below the folder it starts from."""
    if os.sep == "\\" and ("\\" in path or ":" in path):
        return False
    return "\0" not in path and not _AWAY.intersection(path.split("/"))


_AWAY = frozenset({"", ".", ".."})
"""Parts of a path that lead away from where it starts, or that no listing would give."""


def stat_inside(root: str, path: str, linked: dict[str, bool]) -> os.stat_result:
    """Return the status of a file that a run would index at `path` below the folder `root`.

    Raises `FileNotFoundError` also when a folder of `path` is a link, which no run follows, or the
    file is a link out of `root`. `linked` keeps what was seen of folders, between calls.
    """
    full = f"{root.rstrip('/')}/{path}"
    if not is_below(path) or _is_linked(root.rstrip("/"), path.rpartition("/")[0], linked):
        raise FileNotFoundError(0, "it is not in the workspace folder", full)
    status = os.lstat(full)
    if stat.S_ISLNK(status.st_mode):
        if not _lies_in(os.path.realpath(full), root):
            raise FileNotFoundError(0, "it leads outside the workspace folder", full)
        status = os.stat(full)
    return status


def _is_linked(root: str, folder: str, linked: dict[str, bool]) -> bool:
    if not folder:
        return False
    full = f"{root}/{folder}"
    if full not in linked:
        above = folder.rpartition("/")[0]
        linked[full] = _is_linked(root, above, linked) or os.path.islink(full)
    return linked[full]


class Content(NamedTuple):
    """A file's bytes with the identity that they had while they were read."""

    data: bytes
    stat: FileStat


class Unsteady(Exception):
    """The file kept changing while it was read."""


def read(full_path: str, *, root: str = "", attempts: int = 3) -> Content:
    """Read a file so that bytes and identity belong together.

    With `root`, a canonical path, only a file that lies in this folder: what was opened is looked
    at, so that a link that takes a file's place after `full_path` was resolved leads nowhere.

    Raises `OSError`, and `Unsteady` when the file changed under each of `attempts` readings.
    """
    for _ in range(attempts):
        with open(full_path, "rb", opener=partial(_open_regular, root)) as file:
            before = FileStat.of(os.fstat(file.fileno()))
            data = file.read()
            after = FileStat.of(os.fstat(file.fileno()))
        if before == after and len(data) == after.size:
            return Content(data, after)
    raise Unsteady(f"it changed while it was read, {attempts} times in a row")


def without_waiting(path: str, flags: int) -> int:
    """Open `path`, for `open` as its opener, unless a pipe or device took a file's place.

    Folders are left to `open`. Raises `OSError`.
    """
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(0, "no regular file", path)
        with contextlib.suppress(AttributeError):
            os.set_blocking(descriptor, True)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _open_regular(root: str, path: str, flags: int) -> int:
    """Open a file as `read` does, which takes a folder for no file, too."""
    descriptor = without_waiting(path, flags)
    try:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(0, "no regular file", path)
        if root and not _lies_in(_real_path(descriptor, path), root):
            raise OSError(0, "it leads outside the workspace folder", path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


_PROC = "/proc/self/fd"
"""Where Linux tells what a descriptor is open on."""


def _real_path(descriptor: int, path: str) -> str:
    """Where the open file lies; without Linux' /proc, where its path leads to just now."""
    try:
        return os.readlink(f"{_PROC}/{descriptor}")
    except OSError:
        return os.path.realpath(path)


def _lies_in(real: str, root: str) -> bool:
    """True when a path without links lies below `root`, in whatever spelling."""
    if real.startswith(root.rstrip("/") + "/"):
        return True
    with contextlib.suppress(OSError):
        folder, wanted = os.path.dirname(real), os.stat(root)
        while folder != os.path.dirname(folder):  # a file system may not tell A from a
            if os.path.samestat(os.stat(folder), wanted):
                return True
            folder = os.path.dirname(folder)
    return False
