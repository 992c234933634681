"""Which index files were made here or read through once, so that opening them again costs nothing.

What lies in the user's cache folder was made by the user's javadex. Any other index may come from
anywhere: it is read through by SQLite's `quick_check` before the first use, and so are the texts
that name files. That this was done is noted in the cache folder, by what the file system says of
the file; every change to it from elsewhere, even in place, shows in there. A second note tells the
indexes that were made here, which may say what the workspace is. A note that cannot be kept costs
only that the file is read through again, or that the workspace has to be named.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator

from indexer.files import SUFFIX, FileStat, is_below
from indexer.store import schema
from indexer.store.location import cache_folder

_NAMES: tuple[tuple[int, str, Callable[[str], bool]], ...] = (
    (1, "SELECT path FROM file", lambda path: is_below(path) and path.endswith(SUFFIX)),
    (2, "SELECT uri FROM library_type", lambda uri: uri.startswith("jdt://contents/")),
    (3, "SELECT path FROM folder", lambda path: not path or is_below(path)),
)
"""Texts that lead to files, since which schema, and what is true of all that a run writes."""


def check_once(connection: sqlite3.Connection, path: str, version: int) -> None:
    """Read an index from elsewhere through, unless it was before and is the same since.

    Raises `IndexDamaged` when SQLite finds a fault in it, or it names files outside its folders.
    """
    if is_of_this_user(path):
        return
    with schema.translated(path):
        identity = _identity(path)
        if identity and _noted(identity[0]) == identity[1]:
            return
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found == "ok":
            found = next(strange_names(connection, version), "ok")
    if found != "ok":
        raise schema.damaged(path, found)
    if identity == _identity(path):
        _note(identity)


def note_written(path: str) -> None:
    """Note an index that a writer has just closed: it was sound before, and is still."""
    if not is_of_this_user(path):
        _note(_identity(path))


def is_made_here(connection: sqlite3.Connection, path: str) -> bool:
    """True for an index that this user's javadex made, from its first table on.

    Unlike the other note, this one holds while the index is written, and after a kill.
    """
    if is_of_this_user(path):
        return True
    identity = _identity(path)
    noted = _noted(f"{identity[0]}{_MADE}") if identity else ""
    return bool(noted) and noted == _birth(connection)


def note_made(connection: sqlite3.Connection, path: str) -> None:
    """Note an index whose tables were made just now."""
    identity = _identity(path)
    if identity and not is_of_this_user(path):
        _note((f"{identity[0]}{_MADE}", _birth(connection)))


_MADE = ".made"
"""What follows a file's name in the name of the note that it was made here."""


def _birth(connection: sqlite3.Connection) -> str:
    """When the first table was made, to the microsecond, "" if that is lost.

    No write changes it, and no two indexes share it: what takes a file's place, also in its inode,
    has another one.
    """
    rows = connection.execute("SELECT min(applied_at) FROM _sqlite_migrations").fetchall()
    return str(rows[0][0] or "")


def is_of_this_user(path: str) -> bool:
    """True for an index in the user's own cache folder."""
    return os.path.abspath(path).startswith(os.path.join(cache_folder(), ""))


def strange_names(connection: sqlite3.Connection, version: int) -> Iterator[str]:
    """Yield what the index names that no run would have noted: files outside its folders."""
    for sql, is_usual in [names[1:] for names in _NAMES if names[0] <= version]:
        for (text,) in connection.execute(sql):
            if not is_usual(text):
                yield f"it names {text[:200]!r}"


def _identity(path: str) -> tuple[str, str] | None:
    """Name of the note for the file at `path`, and what the note must say; None when it is gone."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    size, mtime_ns, ctime_ns, inode = FileStat.of(status)
    return f"{status.st_dev:x}-{inode:x}", f"{size} {mtime_ns} {ctime_ns}"


def _folder() -> str:
    return os.path.join(cache_folder(), "checked")


def _noted(name: str) -> str:
    try:
        with open(os.path.join(_folder(), name), encoding="ascii") as file:
            return file.read(200)
    except (OSError, UnicodeDecodeError):
        return ""


def _note(identity: tuple[str, str] | None) -> None:
    if identity is None:
        return
    target = os.path.join(_folder(), identity[0])
    temporary = f"{target}.{os.getpid()}"
    with contextlib.suppress(OSError):
        os.makedirs(_folder(), mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(temporary, flags, 0o600), "w", encoding="ascii") as file:
            file.write(identity[1])
        os.replace(temporary, target)
