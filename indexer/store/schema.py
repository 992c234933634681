"""The schema's identity, and what makes a file a javadex index. Imports nothing but sqlite3.

History: 1 (javadex 0.1.0): workspace folders, outlines by content and recipe, types.
"""

from __future__ import annotations

import sqlite3

from indexer.errors import IndexDamaged, IndexTooNew, IndexUnusable

VERSION = 1
"""Kept in `PRAGMA user_version`; raised with every migration."""

APPLICATION_ID = 0x4A415644
"""`JAVD`, kept in `PRAGMA application_id` so that no other database is taken for an index."""

FOREIGN_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What SQLite raises; the second when a damaged name is part of its own message."""

_DAMAGE = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""SQLite's codes for a file that will not get better; SQLITE_ERROR: it lacks a table of ours."""


def check(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version of an open database, 0 for an empty one.

    Raises `IndexTooNew` when it was written by a later javadex, `IndexUnusable` when it is another
    program's or out of reach, and of that `IndexDamaged` when SQLite cannot make sense of it.
    """
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    except FOREIGN_ERRORS as exc:
        raise unusable(path, exc) from exc
    if application == 0 and version == 0 and tables == 0:
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
    return version


def unusable(path: str, cause: Exception) -> IndexUnusable:
    """Return the error for what SQLite said: the file is damaged, or cannot be read now."""
    if is_damage(cause):
        return damaged(path, cause)
    return IndexUnusable(
        f"the index {path} cannot be read: {cause}; "
        "mend its permissions, or name another index with --db"
    )


def is_damage(cause: Exception) -> bool:
    """True when `cause` speaks of the file's content, not of access to it."""
    if not isinstance(cause, sqlite3.OperationalError):
        return True
    # Without a code it is Python's own: a text that is not UTF-8.
    code: int = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF in _DAMAGE


def damaged(path: str, cause: object) -> IndexDamaged:
    """Return the error for a file that SQLite cannot read."""
    return IndexDamaged(
        f"the index {path} is damaged ({cause}); `javadex index` sets it aside and builds a new one"
    )
