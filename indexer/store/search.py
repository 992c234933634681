"""Finding names in the index: one statement for a question, the cut made where the names are.

A statement collects all matches as narrow rows (nearness, where), counts them, and fetches whole
rows only for those near enough to be shown (docs/architecture.md, "Finding a name").
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from indexer.files import FileStat
from indexer.hints import Criteria, Nearness
from indexer.model import Position, Range, SymbolKind
from indexer.store.plans import MEMBERS, TYPES, Checks, Part, Statement, Table, key_sql, parts


class Match(NamedTuple):
    """A type or member of a file in a workspace folder that answers to a question."""

    name: str
    qualification: str
    """Declared package and enclosing types, as the matcher takes it."""
    package: str
    """Declared package."""
    folder_package: str | None
    """The folder's package, where it is not the declared one."""
    workspace_id: int
    path: str
    outline_id: int
    kind: SymbolKind
    stat: FileStat
    """Of the file, when its content was read."""
    digest: bytes
    """Of the file's content."""
    ordinal: int
    label: str
    """The symbol's name in the outline: `Box<T>`, `send(String)`."""
    range: Range
    selection_range: Range


class LibraryMatch(NamedTuple):
    """A type of a library that a workspace folder uses."""

    name: str
    """As jdt.ls shows it."""
    matched: str
    """As queries are compared with it."""
    qualification: str
    """As the matcher takes it."""
    container: str
    """As jdt.ls shows it."""
    kind: SymbolKind
    uri: str
    """Template, see `indexer.libraries.fill`."""
    library: str
    """Name of the library, for people."""
    workspace_id: int
    project: str
    path: str
    """Portable (`indexer.portable`), of the jar or of `jrt-fs.jar`."""
    attributes: str
    jar: str
    file: str
    """Portable, of the jar or the JDK's home."""


class Wanted(NamedTuple):
    """A question: what is looked for, and where."""

    criteria: Criteria
    nearness: Nearness
    workspace_ids: Sequence[int]
    kinds: frozenset[SymbolKind] | None = None
    """None: of any kind."""
    path: str = ""
    """Glob over the files' paths below their folders, as SQLite's GLOB takes it; empty: any."""
    seen_by_jdtls: bool = False
    """Only in files that jdt.ls itself looks at."""
    most: int = 0
    """Number of rows to fetch, and more where the last ones are equally near; 0 fetches all."""


class Found(NamedTuple):
    """What answers to a question."""

    total: int
    matches: list[Match]
    """Those that come first, in no order."""


class FoundInLibraries(NamedTuple):
    """Library types that answer to a question; as `Found`."""

    total: int
    matches: list[LibraryMatch]


def search(connection: sqlite3.Connection, checks: Checks, table: Table, wanted: Wanted) -> Found:
    """Return what answers to `wanted` among the files of its workspace folders."""
    statement = Statement(connection, checks)
    rows = statement.run(_source_sql(statement, table, wanted))
    whole = [row for row in rows if row[8] is not None]  # else the index lost its symbol
    return Found(rows[0][0] if rows else 0, [_match(row[1:]) for row in whole])


def search_libraries(
    connection: sqlite3.Connection, checks: Checks, wanted: Wanted
) -> FoundInLibraries:
    """Return the types that answer to `wanted` in the libraries of its workspace folders."""
    statement = Statement(connection, checks)
    ids = statement.values(wanted.workspace_ids)
    uses = f"SELECT 1 FROM attachment WHERE workspace_id IN ({ids}) LIMIT 1"
    if not statement.run(uses):
        return FoundInLibraries(0, [])
    rows = statement.run(_library_sql(statement, wanted, ids))
    matches = [LibraryMatch._make([*row[1:5], SymbolKind(row[5]), *row[6:]]) for row in rows]
    return FoundInLibraries(rows[0][0] if rows else 0, matches)


def _source_sql(statement: Statement, table: Table, wanted: Wanted) -> str:
    weight = _weight(table.e)
    limits = _limits(statement, table.e, wanted)
    carried = "e.ordinal, e.owner_id" if table is MEMBERS else "NULL, NULL"
    matches = " UNION ALL ".join(
        f"SELECT {_key(statement, table, wanted, part, weight)}, n.id, f.id, {carried} "
        f"FROM {part.tables} "
        f"CROSS JOIN file f ON f.outline_id = {table.e}.outline_id "
        f"WHERE {part.condition} AND {limits}"
        for part in parts(statement, table, wanted.criteria)
    )
    entry = "CROSS JOIN type n ON n.id = m.name_id"
    ordinal, qualification, owner = "n.ordinal", "q.text", "n"
    if table is MEMBERS:
        entry = (
            "CROSS JOIN member_name n ON n.id = m.name_id CROSS JOIN type w ON w.id = m.owner_id"
        )
        ordinal, qualification, owner = "m.ordinal", "q.text || '.' || w.name", "w"
    return (
        "WITH m (key, name_id, file_id, ordinal, owner_id) "
        f"AS MATERIALIZED ({matches}) "
        f"SELECT (SELECT count(*) FROM m), n.name, {qualification}, o.package, f.package, "
        "f.workspace_id, f.path, o.id, s.kind, f.size, f.mtime_ns, f.ctime_ns, "
        "f.inode, o.digest, s.ordinal, s.name, s.start_line, s.start_column, s.end_line, "
        "s.end_column, s.name_start_line, s.name_start_column, s.name_end_line, s.name_end_column "
        f"FROM m {entry} CROSS JOIN file f ON f.id = m.file_id "
        "CROSS JOIN outline o ON o.id = f.outline_id "
        f"LEFT JOIN symbol s ON s.outline_id = o.id AND s.ordinal = {ordinal} "
        f"CROSS JOIN qualification q ON q.id = {owner}.qualification_id WHERE {cut(wanted.most)}"
    )


def _library_sql(statement: Statement, wanted: Wanted, ids: str) -> str:
    limits = [f"a.workspace_id IN ({ids})"]
    if wanted.kinds is not None:
        limits.append(f"n.kind IN ({statement.values(map(int, wanted.kinds))})")
    matches = " UNION ALL ".join(
        f"SELECT {_key(statement, TYPES, wanted, part, 'n.weight')}, n.id, a.id "
        f"FROM {part.tables} CROSS JOIN attachment a ON a.library_id = n.library_id "
        f"WHERE {part.condition} AND {' AND '.join(limits)}"
        for part in parts(statement, TYPES, wanted.criteria)
    )
    return (
        f"WITH m (key, type_id, attachment_id) AS MATERIALIZED ({matches}) "
        "SELECT (SELECT count(*) FROM m), t.name, n.name, q.text, t.container, n.kind, "
        "t.uri, l.name, a.workspace_id, a.project, a.path, a.attributes, a.jar, "
        "a.file FROM m CROSS JOIN type n ON n.id = m.type_id "
        "CROSS JOIN library_type t ON t.type_id = n.id CROSS JOIN library l ON l.id = n.library_id "
        "CROSS JOIN attachment a ON a.id = m.attachment_id "
        f"CROSS JOIN qualification q ON q.id = n.qualification_id WHERE {cut(wanted.most)}"
    )


def _key(statement: Statement, table: Table, wanted: Wanted, part: Part, weight: str) -> str:
    return key_sql(statement, table, wanted.nearness, weight, by_humps=part.by_humps)


def cut(most: int) -> str:
    """Condition on `m.key` that leaves the `most` nearest matches, and those as near as the last.

    0 leaves all.
    """
    if not most:
        return "TRUE"
    return f"m.key <= coalesce((SELECT key FROM m ORDER BY key LIMIT 1 OFFSET {most - 1}), 1 << 62)"


def _weight(e: str) -> str:
    """The entry's weight, with the folder's package in the qualified name that is shown."""
    return (
        f"{e}.weight + iif(f.package IS NULL, 0, length(f.package) + (f.package <> '') - "
        "(SELECT length(o.package) + (o.package <> '') FROM outline o WHERE o.id = f.outline_id))"
    )


def _limits(statement: Statement, e: str, wanted: Wanted) -> str:
    """Which files and kinds the matches may be of."""
    limits = [f"f.workspace_id IN ({statement.values(wanted.workspace_ids)})"]
    if wanted.kinds is not None:
        limits.append(f"{e}.kind IN ({statement.values(map(int, wanted.kinds))})")
    if wanted.seen_by_jdtls:
        limits.append("NOT f.hidden")
    if wanted.path:
        limits.append(f"f.path GLOB +{statement.value(wanted.path)}")
    return " AND ".join(limits)


def _match(row: Sequence[Any]) -> Match:
    return Match._make(
        [
            *row[:7],
            SymbolKind(row[7]),
            FileStat(*row[8:12]),
            *row[12:15],
            Range(Position(*row[15:17]), Position(*row[17:19])),
            Range(Position(*row[19:21]), Position(*row[21:23])),
        ]
    )
