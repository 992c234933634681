"""Reading the index: stdlib sqlite3 only, read-only, no lock taken, nothing heavy imported."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from indexer.errors import IndexMissing, IndexUnusable
from indexer.files import FileStat
from indexer.folders import FolderStat, Lookout
from indexer.javatext import stem_of
from indexer.model import Outline, Position, Range, SymbolKind
from indexer.recipe import ContentKey, unit_names
from indexer.store import schema
from indexer.store.location import look_for_index
from indexer.store.plans import Checks, Table
from indexer.store.rows import LOST_SYMBOLS, SYMBOL_COLUMNS, counts, outline_from_rows
from indexer.store.search import (
    Found,
    FoundInLibraries,
    Wanted,
    search,
    search_libraries,
)
from indexer.store.trust import check_once, is_made_here


class Workspace(NamedTuple):
    """A workspace folder that was indexed."""

    id: int
    root: str
    name: str
    recipe: str
    """Fingerprint of the recipe that its outlines were made with."""
    indexed_at: str | None
    """UTC, ISO 8601; None while the first run has not finished."""
    is_placed: bool
    """False when a run that stored files has not worked out yet how jdt.ls sees them."""


class StoredOutline(NamedTuple):
    """What the store knows of a content: the outline, or why there is none."""

    outline: Outline
    failure: str | None


class Entry(NamedTuple):
    """What the last run noted of a path."""

    key: ContentKey | None
    """Of the content that it had; None when it was skipped."""
    recipe: str
    """Fingerprint of the recipe that it was outlined with."""


class LastOutline(NamedTuple):
    """The outline that a path last had."""

    outline: Outline
    indexed_at: str
    """When its folder was last complete: UTC, ISO 8601; "" for never."""


class LibraryRow(NamedTuple):
    """How a workspace folder uses a library."""

    id: int
    file: str
    """Portable (`indexer.portable`), of the jar or the JDK's home."""
    captured: bool
    """False when the index has none of its types."""


class Place(NamedTuple):
    """Kind and ranges of one stored symbol."""

    kind: SymbolKind
    range: Range
    selection_range: Range
    deprecated: bool


class FileRow(NamedTuple):
    """A file as the last run left it."""

    path: str
    stat: FileStat
    digest: bytes | None
    """Of its content; None when it was skipped, or outlined by an engine no longer used."""
    skipped: str | None
    failure: str | None


class Reader:
    """An open index. Use `open_reader`; close it when done."""

    def __init__(
        self, connection: sqlite3.Connection, path: str, frozen: FileStat | None = None
    ) -> None:
        self._conn = connection
        self._frozen = frozen
        self._checks = Checks(connection)
        self.path = path

    @property
    def schema(self) -> int:
        """Version of the schema."""
        version: int = self._rows("PRAGMA user_version")[0][0]
        return version

    @property
    def is_made_here(self) -> bool:
        """True when this user's javadex made the index, so that it may say what is indexed."""
        with schema.translated(self.path):
            return is_made_here(self._conn, self.path)

    @property
    def is_current(self) -> bool:
        """False when an index that is read without SQLite's locks was written since it was opened.

        Nothing that is read then can be trusted: open it anew.
        """
        return self._frozen is None or self._frozen == _frozen(self.path)

    @property
    def version(self) -> int:
        """Another number whenever somebody else wrote to the index (SQLite, `data_version`)."""
        version: int = self._rows("PRAGMA data_version")[0][0]
        return version

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside is of one state, whatever an indexer commits meanwhile.

        Raises `IndexUnusable` at the end when it cannot have been (`is_current`).
        """
        with schema.translated(self.path):
            self._conn.execute("BEGIN")
        try:
            yield
        finally:
            self._conn.rollback()
        if not self.is_current:
            raise IndexUnusable(f"the index {self.path} was written while it was read; ask again")

    def workspaces(self) -> list[Workspace]:
        """Return all workspace folders in the index, by root."""
        rows = self._rows(
            "SELECT w.id, w.root, w.name, coalesce(r.fingerprint, ''), w.indexed_at, w.placed "
            "FROM workspace w LEFT JOIN recipe r ON r.id = w.recipe_id ORDER BY w.root"
        )
        return [
            Workspace(number, root, name, recipe, indexed_at, bool(placed))
            for number, root, name, recipe, indexed_at, placed in rows
        ]

    def outline(self, key: ContentKey, stem: str, recipe: str) -> StoredOutline | None:
        """Return what is known of a file with this content and stem; None on a miss."""
        units = unit_names(stem)
        rows = self._rows(
            "SELECT o.id, o.dropped, o.failure, o.symbols "
            "FROM outline o JOIN recipe r ON r.id = o.recipe_id "
            "WHERE o.digest = ? AND o.size = ? AND r.fingerprint = ? "
            f"AND o.unit IN ({_marks(units)}) ORDER BY o.failure IS NOT NULL, o.unit",
            (key.digest, key.size, recipe, *units),
        )
        if not rows:
            return None
        return self._stored(*rows[0])

    def entry(self, root: str, path: str) -> Entry | None:
        """Return what the last run noted of `path` below the workspace folder `root`.

        None when it lists no such file. Raises `IndexDamaged` when it lists one and has lost what
        it held.
        """
        rows = self._rows(
            "SELECT f.skipped, o.digest, o.size, r.fingerprint FROM workspace w "
            "JOIN file f ON f.workspace_id = w.id LEFT JOIN outline o ON o.id = f.outline_id "
            "LEFT JOIN recipe r ON r.id = o.recipe_id WHERE w.root = ? AND f.path = ?",
            (root, path),
        )
        if not rows:
            return None
        skipped, digest, size, recipe = rows[0]
        if digest is None and skipped is None:
            raise schema.damaged(self.path, f"it has nothing of {path}")
        return Entry(None if digest is None else ContentKey(digest, size), recipe or "")

    def last_outline(self, root: str, path: str) -> LastOutline | None:
        """Return the outline that `path` had at the last run, or an older engine's of these bytes.

        None when it had none, or one without symbols.
        """
        units = unit_names(stem_of(path))
        rows = self._rows(
            "SELECT o.id, o.dropped, o.failure, o.symbols, coalesce(w.indexed_at, '') "
            "FROM workspace w JOIN file f ON f.workspace_id = w.id "
            "JOIN outline l ON l.id = f.outline_id "
            "JOIN outline o ON o.digest = l.digest AND o.size = l.size "
            f"WHERE w.root = ? AND f.path = ? AND o.unit IN ({_marks(units)}) "
            "AND o.failure IS NULL AND o.symbols ORDER BY o.id = l.id DESC, o.id DESC LIMIT 1",
            (root, path, *units),
        )
        if not rows:
            return None
        *stored, indexed_at = rows[0]
        return LastOutline(self._stored(*stored).outline, indexed_at)

    def damaged_paths(self, workspace_id: int) -> frozenset[str]:
        """Return the files whose outline is lost, wholly or in part; reads every symbol."""
        rows = self._rows(
            "SELECT f.path FROM file f LEFT JOIN outline o ON o.id = f.outline_id "
            "WHERE f.workspace_id = ? AND f.outline_id IS NOT NULL "
            f"AND (o.id IS NULL OR {LOST_SYMBOLS})",
            (workspace_id,),
        )
        return frozenset(row[0] for row in rows)

    def libraries(self, workspace_id: int) -> list[LibraryRow]:
        """Return how a workspace folder uses libraries; one of them may be there several times."""
        rows = self._rows(
            "SELECT DISTINCT a.library_id, a.file, "
            "EXISTS (SELECT 1 FROM type t WHERE t.library_id = a.library_id) "
            "FROM attachment a WHERE a.workspace_id = ?",
            (workspace_id,),
        )
        return [LibraryRow(library_id, file, bool(there)) for library_id, file, there in rows]

    def _stored(
        self, outline_id: int, dropped: int, failure: str | None, count: int
    ) -> StoredOutline:
        symbols = self._rows(
            f"SELECT {SYMBOL_COLUMNS} FROM symbol WHERE outline_id = ? ORDER BY ordinal",
            (outline_id,),
        )
        with _understood(self.path):
            if len(symbols) != count:
                raise ValueError(f"{len(symbols)} symbols where {count} were stored")
            return StoredOutline(outline_from_rows(symbols, dropped), failure)

    def find(self, table: Table, wanted: Wanted) -> Found:
        """Return what answers to a question: `TYPES` or `MEMBERS` of `indexer.store.search`."""
        with schema.translated(self.path), _understood(self.path):
            return search(self._conn, self._checks, table, wanted)

    def find_in_libraries(self, wanted: Wanted) -> FoundInLibraries:
        """Return the types that answer to a question in libraries."""
        with schema.translated(self.path), _understood(self.path):
            return search_libraries(self._conn, self._checks, wanted)

    def near_types(
        self, workspace_ids: Sequence[int], folded: str, *, libraries: bool
    ) -> set[tuple[str, str]]:
        """Return (name, qualification) of types that may be near to a name that is not there."""
        from indexer.store.near import near_types

        with schema.translated(self.path):
            return near_types(self._conn, self._checks, workspace_ids, folded, libraries=libraries)

    def place(self, outline_id: int, ordinal: int) -> Place:
        """Return where a stored symbol stands."""
        rows = self._rows(
            f"SELECT {SYMBOL_COLUMNS} FROM symbol WHERE outline_id = ? AND ordinal = ?",
            (outline_id, ordinal),
        )
        with _understood(self.path):
            row = rows[0]
            return Place(
                SymbolKind(row[2]),
                Range(Position(row[6], row[7]), Position(row[8], row[9])),
                Range(Position(row[10], row[11]), Position(row[12], row[13])),
                bool(row[5]),
            )

    def folders(self, workspace_id: int) -> list[FolderStat]:
        """Return the folders that tell whether files came or went; [] when no run has noted any."""
        rows = self._rows(
            "SELECT path, mtime_ns FROM folder WHERE workspace_id = ?", (workspace_id,)
        )
        return [FolderStat(*row) for row in rows]

    def stats(self, workspace_id: int) -> list[tuple[str, int, int, int, int]]:
        """Return (path, size, mtime, ctime, inode) of every file, as `FileStat` has them."""
        return self._rows(
            "SELECT path, size, mtime_ns, ctime_ns, inode FROM file WHERE workspace_id = ?",
            (workspace_id,),
        )

    def unopened(self, workspace_id: int) -> list[tuple[str, str]]:
        """Return (path, reason) of the files that the last run skipped without opening them."""
        return self._rows(
            "SELECT path, skipped FROM file "
            "WHERE workspace_id = ? AND skipped IS NOT NULL AND inode = 0",
            (workspace_id,),
        )

    def digest(self, workspace_id: int, path: str) -> bytes | None:
        """Return the digest of a file's content; None for a file that was skipped."""
        rows = self._rows(
            "SELECT o.digest FROM file f JOIN outline o ON o.id = f.outline_id "
            "WHERE f.workspace_id = ? AND f.path = ?",
            (workspace_id, path),
        )
        return rows[0][0] if rows else None

    def lookout(self, workspace_id: int) -> Lookout:
        """Return how the last run looked for the files of a workspace folder."""
        sql = "SELECT use_git, max_file_size FROM workspace WHERE id = ?"
        use_git, most = self._rows(sql, (workspace_id,))[0]
        return Lookout(bool(use_git), most)

    def files(self, workspace_id: int) -> list[FileRow]:
        """Return the files of a workspace folder, by path."""
        rows = self._rows(f"{_FILES} WHERE f.workspace_id = ? ORDER BY f.path", (workspace_id,))
        return [_file_row(row) for row in rows]

    def outlines_with_twins(self) -> frozenset[int]:
        """Return the ids of outlines that declare two types of one qualified name."""
        rows = self._rows(
            "SELECT DISTINCT outline_id FROM type WHERE outline_id IS NOT NULL "
            "GROUP BY outline_id, qualification_id, name HAVING count(*) > 1"
        )
        return frozenset(row[0] for row in rows)

    def types_of(self, outline_id: int) -> list[tuple[int, str, str, int | None]]:
        """Return (ordinal, name, qualification, parent's ordinal) of an outline's types."""
        return self._rows(
            "SELECT t.ordinal, t.name, q.text, s.parent FROM type t "
            "JOIN qualification q ON q.id = t.qualification_id "
            "JOIN symbol s ON s.outline_id = t.outline_id AND s.ordinal = t.ordinal "
            "WHERE t.outline_id = ? ORDER BY t.ordinal",
            (outline_id,),
        )

    def counts(self, workspace_id: int) -> tuple[int, int]:
        """Return how many symbols and types the files of a workspace folder hold."""
        with schema.translated(self.path):
            return counts(self._conn, workspace_id)

    def close(self) -> None:
        """Close the connection."""
        self._conn.close()

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with schema.translated(self.path):
            return self._conn.execute(sql, values).fetchall()


def open_reader(path: str) -> Reader:
    """Open the index at `path` for reading.

    Raises as `look_for_index` when there is none, `IndexUnusable` when it is of an older schema,
    `IndexDamaged` and `IndexTooNew` as `schema.check`, `IndexDamaged` as `trust.check_once`.
    """
    look_for_index(path)
    connection, frozen = _connect(path)
    try:
        version = schema.check(connection, path)
        if version == schema.VERSION:
            check_once(connection, path, version)
    except BaseException:
        connection.close()
        raise
    if version == 0:
        connection.close()
        raise IndexMissing(f"the index {path} is empty; run `javadex index`")
    if version < schema.VERSION:
        connection.close()
        raise IndexUnusable(
            f"the index {path} has the older schema {version}, this javadex reads "
            f"{schema.VERSION}; `javadex index` upgrades it, outlines are kept"
        )
    return Reader(connection, path, frozen)


def _connect(path: str) -> tuple[sqlite3.Connection, FileStat | None]:
    """Open the database; with what the file is, where SQLite reads it without its locks."""
    escaped = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    uri = f"file:{escaped}?mode=ro"
    with schema.translated(path):
        try:
            return _opened(uri), None
        except sqlite3.OperationalError as exc:
            code: int = getattr(exc, "sqlite_errorcode", 0)
            frozen = _frozen(path)
            if not _lacks_a_file_beside(code) or not frozen:
                raise
        # A WAL database in a folder or on a disk that takes no file: without a log, it is all.
        return _opened(f"{uri}&immutable=1"), frozen


def _opened(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        # A full folder for temporary files is no fault of the index. The matches of `*` go there.
        connection.execute("PRAGMA temp_store = MEMORY")
        schema.guard(connection)
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


_CACHE_KB = 65536
"""Pages that a reader keeps, as it reads them; no memory map, for a file that is cut short under a
map kills the process."""


def _frozen(path: str) -> FileStat | None:
    """What a file is that is all of an index; None when it is gone, or has a log beside it."""
    try:
        with contextlib.suppress(FileNotFoundError):
            if os.path.getsize(f"{path}-wal"):
                return None
        return FileStat.of(os.stat(path))
    except OSError:
        return None


def _lacks_a_file_beside(code: int) -> bool:
    """True when SQLite cannot make the files that it needs beside a WAL database.

    Not so when it may not take back what a kill left half written: the file alone is then wrong.
    """
    if code in (sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE):  # a full disk
        return True
    may_not_write = code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
    return may_not_write and code != sqlite3.SQLITE_READONLY_ROLLBACK


_FILES = (
    "SELECT f.path, f.size, f.mtime_ns, f.ctime_ns, f.inode, o.digest, f.skipped, o.failure "
    "FROM file f JOIN workspace w ON w.id = f.workspace_id "
    "LEFT JOIN outline o ON o.id = f.outline_id AND o.recipe_id = w.recipe_id"
)


def _file_row(row: Sequence[Any]) -> FileRow:
    return FileRow(row[0], FileStat(*row[1:5]), *row[5:])


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


@contextmanager
def _understood(path: str) -> Iterator[None]:
    """Rows that no writer of ours wrote are damage that SQLite did not notice."""
    try:
        yield
    except (LookupError, TypeError, ValueError) as exc:
        raise schema.damaged(path, exc) from exc
