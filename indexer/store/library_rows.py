"""Writing library types, and how workspace folders use them, within the caller's transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from indexer.libraries import Attachment, Library, LibraryType, decoded, is_nested_class
from indexer.portable import Bases, portable
from indexer.recipe import ContentKey
from indexer.store.names import NameWriter
from indexer.types import Declared


def known_libraries(connection: sqlite3.Connection) -> set[ContentKey]:
    """Return the keys of all libraries whose types are stored."""
    rows = connection.execute("SELECT digest, size FROM library")
    return {ContentKey(*row) for row in rows}


def save_library(connection: sqlite3.Connection, names: NameWriter, library: Library) -> None:
    """Store a library with its types, unless it is known."""
    cursor = connection.execute(
        "INSERT INTO library (digest, size, name, kind) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (*library.key, library.name, library.kind),
    )
    if not cursor.rowcount:
        return
    assert cursor.lastrowid is not None
    rows = [
        (
            names.save_library_type(cursor.lastrowid, _declared(found)),
            found.name,
            found.container,
            found.uri,
            int(found.deprecated),
        )
        for found in library.types
    ]
    names.flush()
    connection.executemany("INSERT INTO library_type VALUES (?, ?, ?, ?, ?)", rows)


def _declared(found: LibraryType) -> Declared:
    nested = is_nested_class(found.uri)
    return Declared(0, found.matched, found.qualification, found.kind, nested)


def attach(
    connection: sqlite3.Connection,
    workspace_id: int,
    attachments: Sequence[Attachment],
    bases: Bases,
) -> None:
    """Let `attachments` be all that the workspace folder uses."""
    connection.execute("DELETE FROM attachment WHERE workspace_id = ?", (workspace_id,))
    connection.executemany(
        "INSERT INTO attachment (workspace_id, library_id, project, path, attributes, jar, file) "
        "SELECT ?, id, ?, ?, ?, ?, ? FROM library WHERE digest = ? AND size = ?",
        [
            (
                workspace_id,
                attachment.place.project,
                portable(decoded(attachment.place.path), bases),
                attachment.place.attributes,
                attachment.place.jar,
                portable(attachment.file, bases),
                *attachment.key,
            )
            for attachment in attachments
        ],
    )
