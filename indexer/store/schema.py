"""The schema's identity, and what makes a file a javadex index. Imports nothing heavy.

History: 1: workspace folders, outlines by content and recipe, types. 2: members, fragments of
names, libraries. 3 (javadex 0.1.0): folders that tell whether files came or went.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from indexer.errors import IndexDamaged, IndexTooNew, IndexUnusable
from indexer.store.shape import strange_entry

VERSION = 3
"""Kept in `PRAGMA user_version`; raised with every migration."""

APPLICATION_ID = 0x4A415644
"""`JAVD`, kept in `PRAGMA application_id` so that no other database is taken for an index."""

_LONGEST = 256 * 1024 * 1024
"""Bytes of one value or row; no source file, and so no name in it, is as long."""

_DEFENSIVE = 1010
"""SQLITE_DBCONFIG_DEFENSIVE, which Python's module names from 3.12 on."""

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""SQLite's codes for a file that will not get better."""

_WRONG_TABLES = ("no such table", "no such column", "already exists", "unsupported file format")
"""What it says under its general code when the tables are not those that every index has."""


def check(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version of an open database, 0 for an empty one.

    Raises `IndexTooNew` when it was written by a later javadex, `IndexUnusable` when it is another
    program's, holds what no javadex put there, or is out of reach, and of that `IndexDamaged` when
    SQLite cannot make sense of it.
    """
    with translated(path):
        connection.execute("BEGIN")  # all is of one state, also while an indexer upgrades it
        try:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version: int = connection.execute("PRAGMA user_version").fetchone()[0]
            entries = connection.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
        finally:
            connection.rollback()
    if application == 0 and version == 0 and not entries:
        return 0
    if application != APPLICATION_ID:
        raise IndexUnusable(  # not damaged: it must never be set aside
            f"{path} is an SQLite database, but no javadex index; name another one with --db"
        )
    if version > VERSION:
        raise IndexTooNew(
            f"{path} has schema {version}, this javadex knows up to {VERSION}; "
            "update javadex, or name another index with --db"
        )
    strange = strange_entry(entries, version)
    if strange is not None:
        raise IndexUnusable(  # nor this: whoever put it there may want it back
            f"{path} is not an index that javadex made, its schema has its own {strange[:80]!r}; "
            "remove it, or build one with `javadex index` under another name (--db)"
        )
    return version


def guard(connection: sqlite3.Connection) -> None:
    """Switch off, before anything is read, what an index does not need and a hostile file may use.

    See https://www.sqlite.org/security.html. Extensions cannot be loaded unless Python is told so.
    """
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    if hasattr(connection, "setconfig"):  # Python 3.12
        connection.setconfig(_DEFENSIVE, True)


def unreadable(path: str, cause: Exception) -> IndexUnusable:
    """Return the error for a file that cannot be read now, but is not damaged."""
    if getattr(cause, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_ROLLBACK:
        return IndexUnusable(
            f"the index {path} was left in the middle of a write; `javadex index` takes that back"
        )
    return IndexUnusable(
        f"the index {path} cannot be read: {cause}; "
        "mend its permissions or free disk space, or name another index with --db"
    )


@contextmanager
def translated(
    path: str, otherwise: Callable[[str, Exception], IndexUnusable] = unreadable
) -> Iterator[None]:
    """Turn SQLite's errors into ours; `otherwise` makes the one for what is no damage.

    Calls that are wrong in themselves are our mistakes and pass as they are: they say nothing of
    the file, and a good index must not be set aside for them.
    """
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError) as exc:
        raise (damaged if is_damage(exc) else otherwise)(path, exc) from exc


def is_damage(cause: Exception) -> bool:
    """True when `cause` speaks of the file's content, not of access to it or of our call."""
    if not isinstance(cause, sqlite3.OperationalError):
        # The second when a damaged name is part of SQLite's own message.
        return type(cause) in (sqlite3.DatabaseError, UnicodeDecodeError)
    code: int | None = getattr(cause, "sqlite_errorcode", None)
    if code is None:  # Python's own: a text that is not UTF-8
        return True
    if code == sqlite3.SQLITE_ERROR:
        return any(text in str(cause) for text in _WRONG_TABLES)
    return code & 0xFF in _DAMAGE


def damaged(path: str, cause: object) -> IndexDamaged:
    """Return the error for a file that SQLite cannot read."""
    return IndexDamaged(
        f"the index {path} is damaged ({cause}); `javadex index` sets it aside and builds a new one"
    )
