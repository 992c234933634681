"""The schema's identity, and what makes a file a javadex index. Imports nothing but sqlite3.

History: 1 (javadex 0.1.0): workspace folders, outlines by content and recipe, types.
"""

from __future__ import annotations

import sqlite3

from indexer.errors import IndexDamaged, IndexTooNew

VERSION = 1
"""Kept in `PRAGMA user_version`; raised with every migration."""

APPLICATION_ID = 0x4A415644
"""`JAVD`, kept in `PRAGMA application_id` so that no other database is taken for an index."""


def check(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version of an open database, 0 for an empty one.

    Raises `IndexDamaged` when it is not ours or cannot be read, `IndexTooNew` when it was written
    by a later javadex.
    """
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    except sqlite3.DatabaseError as exc:
        raise damaged(path, exc) from exc
    if application == 0 and version == 0 and tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise IndexDamaged(
            f"{path} is an SQLite database, but no javadex index; name another one with --db"
        )
    if version > VERSION:
        raise IndexTooNew(
            f"{path} has schema {version}, this javadex knows up to {VERSION}; "
            "update javadex, or name another index with --db"
        )
    return version


def damaged(path: str, cause: object) -> IndexDamaged:
    """Return the error for a file that SQLite cannot read."""
    return IndexDamaged(
        f"the index {path} is damaged ({cause}); `javadex index` sets it aside and builds a new one"
    )
