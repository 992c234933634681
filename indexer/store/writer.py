"""Writing the index: rows by `executemany`; `migrations` makes the tables. Knows no server.

There is one writer at a time (`indexer.store.lock`). Every public method is one short transaction
or none, so that a kill loses at most what one call was given.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from indexer.errors import IndexNotWritable
from indexer.files import FileStat, Root
from indexer.folders import FolderStat, Lookout
from indexer.layout import Placement, placements
from indexer.libraries import Attachment, Library
from indexer.model import Outline
from indexer.portable import Bases
from indexer.recipe import ContentKey, Recipe, unit_names
from indexer.store import schema
from indexer.store.library_rows import attach, known_libraries, save_library
from indexer.store.names import NameWriter
from indexer.store.rows import LOST_SYMBOLS, SYMBOL_COLUMNS, counts, symbol_rows
from indexer.store.trust import check_once, note_made, note_written
from indexer.types import declarations, declared_package

BUSY_TIMEOUT = 5.0
"""Seconds to wait for another program that writes: a javadex would hold the lock beside."""

CLOSE_TIMEOUT = 1.0
"""Seconds to wait for one at the end; what stays in the log is as safe there."""

_SYMBOL_INSERT = f"INSERT INTO symbol (outline_id, {SYMBOL_COLUMNS}) VALUES ({', '.join('?' * 15)})"


@dataclass(frozen=True, slots=True)
class OutlineRef:
    """An outline in the store."""

    id: int
    failed: bool


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as the last run left it; either `outline` or `skipped` is set."""

    path: str
    stat: FileStat
    outline: OutlineRef | None
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class NewOutline:
    """What one content came to: an outline, or the reason why there is none."""

    key: ContentKey
    unit: str
    outline: Outline | None
    failure: str | None = None


class Writer:
    """The one open writing connection to an index. Use `open_writer`."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._conn = connection
        self._path = path
        self._names = NameWriter(self._conn)

    def recipe(self, recipe: Recipe) -> int:
        """Return the id of `recipe`, new or known."""
        with self._transaction():
            self._conn.execute(
                "INSERT INTO recipe (fingerprint) VALUES (?) ON CONFLICT DO NOTHING",
                (recipe.fingerprint,),
            )
            rows = self._rows("SELECT id FROM recipe WHERE fingerprint = ?", recipe.fingerprint)
        recipe_id: int = rows[0][0]
        return recipe_id

    def start_run(self, root: Root, recipe_id: int) -> int:
        """Return the id of the workspace folder; a new one counts as not indexed yet.

        A known one keeps the recipe that it is served under until `save_files` changes it.
        """
        with self._transaction():
            self._conn.execute(
                "INSERT INTO workspace (root, name, recipe_id) VALUES (?1, ?2, ?3) "
                "ON CONFLICT (root) DO UPDATE SET name = ?2",
                (root.path, root.name, recipe_id),
            )
            row = self._conn.execute("SELECT id FROM workspace WHERE root = ?", (root.path,))
            workspace_id: int = row.fetchone()[0]
        return workspace_id

    def serves(self, workspace_id: int, recipe_id: int) -> bool:
        """True when readers are served the workspace folder's outlines of that recipe."""
        row = self._rows("SELECT recipe_id FROM workspace WHERE id = ?", workspace_id)
        return bool(row[0][0] == recipe_id)

    def finish_run(self, workspace_id: int, indexed_at: str) -> None:
        """Note that the workspace folder is complete; `indexed_at` in UTC, ISO 8601."""
        with self._transaction():
            self._names.count_words()
            self._conn.execute(
                "UPDATE workspace SET indexed_at = ? WHERE id = ?", (indexed_at, workspace_id)
            )

    def files(self, workspace_id: int, recipe_id: int) -> dict[str, StoredFile]:
        """Return the files of the last run by path; without outlines of other recipes."""
        rows = self._rows(
            "SELECT f.path, f.size, f.mtime_ns, f.ctime_ns, f.inode, f.skipped, "
            "o.id, o.failure IS NOT NULL, o.recipe_id "
            "FROM file f LEFT JOIN outline o ON o.id = f.outline_id WHERE f.workspace_id = ?",
            workspace_id,
        )
        return {
            row[0]: StoredFile(
                row[0],
                FileStat(*row[1:5]),
                OutlineRef(row[6], bool(row[7])) if row[8] == recipe_id else None,
                row[5],
            )
            for row in rows
        }

    def find_outline(self, key: ContentKey, stem: str, recipe_id: int) -> OutlineRef | None:
        """Return the outline for a file with this content and stem, if the store has it."""
        units = unit_names(stem)
        rows = self._rows(
            "SELECT id, failure IS NOT NULL FROM outline WHERE digest = ? AND size = ? "
            f"AND recipe_id = ? AND unit IN ({', '.join('?' * len(units))}) "
            "ORDER BY failure IS NOT NULL, unit",
            *(key.digest, key.size, recipe_id, *units),
        )
        return OutlineRef(rows[0][0], bool(rows[0][1])) if rows else None

    def failure(self, ref: OutlineRef) -> str:
        """Return why there is no outline."""
        return self._rows("SELECT failure FROM outline WHERE id = ?", ref.id)[0][0] or ""

    def counts(self, workspace_id: int) -> tuple[int, int]:
        """Return how many symbols and types the files of a workspace folder hold."""
        with _translated(self._path):
            return counts(self._conn, workspace_id)

    def save_outlines(self, recipe_id: int, outlines: Sequence[NewOutline]) -> list[OutlineRef]:
        """Store outlines, with their symbols and types; returns where, in the same order.

        What comes of a content that failed before takes the failure's place; an outline stays.
        """
        with self._transaction():
            return [self._save_outline(recipe_id, outline) for outline in outlines]

    def save_files(self, workspace_id: int, recipe_id: int, files: Iterable[StoredFile]) -> None:
        """Store what files of a workspace folder hold now, by outlines of that recipe.

        All outlines of a folder's files are of one recipe. So under another recipe than it is
        served under, all files of the folder must come in one call, which changes over at once and
        forgets the others.
        """
        files = list(files)
        with self._transaction():
            moved = [self._is_placed_anew(workspace_id, file) for file in files]
            self._conn.executemany(
                "INSERT INTO file (workspace_id, path, size, mtime_ns, ctime_ns, inode, "
                "outline_id, skipped) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
                # Until it is placed, the package that a file declares is its best guess.
                "ON CONFLICT (workspace_id, path) DO UPDATE SET size = ?3, mtime_ns = ?4, "
                "ctime_ns = ?5, inode = ?6, outline_id = ?7, skipped = ?8, "
                "package = iif(?9, NULL, package), hidden = iif(?7 IS NULL, 0, hidden)",
                [
                    (
                        workspace_id,
                        file.path,
                        file.stat.size,
                        file.stat.mtime_ns,
                        file.stat.ctime_ns,
                        file.stat.inode,
                        file.outline.id if file.outline else None,
                        file.skipped,
                        is_moved,
                    )
                    for file, is_moved in zip(files, moved, strict=True)
                ],
            )
            changed_over = self._conn.execute(
                "UPDATE workspace SET placed = 0, recipe_id = ?2 WHERE id = ?1 AND recipe_id <> ?2",
                (workspace_id, recipe_id),
            ).rowcount
            if changed_over:  # files that are gone must not be found with the former outlines
                self._conn.execute(
                    "DELETE FROM file WHERE workspace_id = ? AND outline_id IN "
                    "(SELECT id FROM outline WHERE recipe_id <> ?)",
                    (workspace_id, recipe_id),
                )
            if any(moved):
                self._conn.execute(
                    "UPDATE workspace SET placed = 0 WHERE id = ? AND placed", (workspace_id,)
                )

    def _is_placed_anew(self, workspace_id: int, file: StoredFile) -> bool:
        """True unless the file was there with the same declared package: all that counts."""
        before = self._conn.execute(
            "SELECT o.package FROM file f JOIN outline o ON o.id = f.outline_id "
            "WHERE f.workspace_id = ? AND f.path = ?",
            (workspace_id, file.path),
        ).fetchone()
        if before is None or file.outline is None:
            return True
        sql = "SELECT package FROM outline WHERE id = ?"
        return bool(before != self._conn.execute(sql, (file.outline.id,)).fetchone())

    def remove_files(self, workspace_id: int, paths: Iterable[str]) -> None:
        """Forget files that are gone; their outlines stay for the next time their bytes appear."""
        with self._transaction():
            self._conn.executemany(
                "DELETE FROM file WHERE workspace_id = ? AND path = ?",
                [(workspace_id, path) for path in paths],
            )
            self._conn.execute("UPDATE workspace SET placed = 0 WHERE id = ?", (workspace_id,))

    def save_folders(
        self, workspace_id: int, folders: Iterable[FolderStat], lookout: Lookout
    ) -> None:
        """Store the folders that tell whether files came or went, and how files were looked for."""
        with self._transaction():
            wanted = {(workspace_id, *folder) for folder in folders}
            stored = set(
                self._rows(
                    "SELECT workspace_id, path, mtime_ns FROM folder WHERE workspace_id = ?",
                    workspace_id,
                )
            )
            self._conn.executemany(
                "DELETE FROM folder WHERE workspace_id = ? AND path = ?",
                [row[:2] for row in stored - wanted],
            )
            self._conn.executemany("INSERT INTO folder VALUES (?, ?, ?)", wanted - stored)
            self._conn.execute(
                "UPDATE workspace SET use_git = ?, max_file_size = ? WHERE id = ?",
                (int(lookout.use_git), lookout.max_file_size, workspace_id),
            )

    def place_files(self) -> None:
        """Work out how jdt.ls sees the files, where any came, changed or went since the last time.

        Of every workspace folder: an outline may take the place of a failure in several.
        """
        for (workspace_id,) in self._rows("SELECT id FROM workspace WHERE NOT placed"):
            rows = self.declared_packages(workspace_id)
            places = placements((path, package) for _, path, package in rows)
            self.save_placements(workspace_id, zip((row[0] for row in rows), places, strict=True))

    def declared_packages(self, workspace_id: int) -> list[tuple[int, str, str]]:
        """Return (file id, path, declared package) of every outlined file, by path."""
        return self._rows(
            "SELECT f.id, f.path, o.package FROM file f JOIN outline o ON o.id = f.outline_id "
            "WHERE f.workspace_id = ? ORDER BY f.path",
            workspace_id,
        )

    def save_placements(self, workspace_id: int, places: Iterable[tuple[int, Placement]]) -> None:
        """Store how jdt.ls sees the files; rows that say so already are not written."""
        with self._transaction():
            self._conn.executemany(
                "UPDATE file SET package = ?1, hidden = ?2 "
                "WHERE id = ?3 AND (package IS NOT ?1 OR hidden <> ?2)",
                [(place.package, int(place.hidden), file_id) for file_id, place in places],
            )
            self._conn.execute("UPDATE workspace SET placed = 1 WHERE id = ?", (workspace_id,))

    def known_libraries(self) -> set[ContentKey]:
        """Return the keys of all libraries whose types are stored."""
        with _translated(self._path):
            return known_libraries(self._conn)

    def class_path(self, workspace_id: int) -> str | None:
        """Return what the folder's libraries were captured from, None when they never were."""
        found: str | None = self._rows(
            "SELECT class_path FROM workspace WHERE id = ?", workspace_id
        )[0][0]
        return found

    def save_libraries(
        self,
        workspace_id: int,
        class_path: str,
        libraries: Iterable[Library],
        attachments: Sequence[Attachment] | None,
        bases: Bases,
    ) -> None:
        """Store what a workspace folder uses now, and from which class path that was captured.

        `attachments` of None leave it with what it used before.
        """
        with self._transaction():
            for library in libraries:
                save_library(self._conn, self._names, library)
            if attachments is not None:
                attach(self._conn, workspace_id, attachments, bases)
            self._names.count_words()
            self._conn.execute(
                "UPDATE workspace SET class_path = ? WHERE id = ?", (class_path, workspace_id)
            )

    def library_files(self, workspace_id: int) -> list[str]:
        """Return the jars and JDKs that the workspace folder uses, as portable paths."""
        rows = self._rows("SELECT file FROM attachment WHERE workspace_id = ?", workspace_id)
        return [row[0] for row in rows]

    def library_counts(self, workspace_id: int) -> tuple[int, int]:
        """Return how many libraries the workspace folder uses, and how many types they have."""
        found: tuple[int, int] = self._rows(
            "SELECT count(DISTINCT a.library_id), count(DISTINCT t.id) FROM attachment a "
            "LEFT JOIN type t ON t.library_id = a.library_id WHERE a.workspace_id = ?",
            workspace_id,
        )[0]
        return found

    def check(self) -> None:
        """Read every page; raise `IndexDamaged` when one is not as SQLite writes it.

        A run that reads a part only would leave damage in the rest, where readers meet it.
        """
        found = self._rows("PRAGMA quick_check(1)")[0][0]
        if found != "ok":
            raise schema.damaged(self._path, found)
        lost = self._rows(f"SELECT count(*) FROM outline o WHERE {LOST_SYMBOLS}")[0][0]
        if lost:
            raise schema.damaged(self._path, f"{lost} outlines have lost symbols")

    def close(self) -> None:
        """Put the log into the database, unless a reader needs it just now, and close it."""
        try:
            with _translated(self._path):
                self._conn.execute(f"PRAGMA busy_timeout = {int(CLOSE_TIMEOUT * 1000)}")
                self._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._conn.close()
        note_written(self._path)

    def _rows(self, sql: str, *values: object) -> list[Any]:
        with _translated(self._path):
            return self._conn.execute(sql, values).fetchall()

    def _save_outline(self, recipe_id: int, new: NewOutline) -> OutlineRef:
        outline = Outline() if new.outline is None else new.outline
        rows = symbol_rows(outline)
        identity = (new.key.digest, new.key.size, recipe_id, new.unit)
        stored = self._conn.execute(
            "INSERT INTO outline (digest, size, recipe_id, unit, package, dropped, failure, "
            "symbols) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (digest, size, recipe_id, unit) DO UPDATE SET package = excluded.package, "
            "dropped = excluded.dropped, failure = excluded.failure, symbols = excluded.symbols "
            "WHERE outline.failure IS NOT NULL RETURNING id",
            (*identity, declared_package(outline), outline.dropped, new.failure, len(rows)),
        ).fetchall()
        if not stored:  # a file of the same bytes was faster
            row = self._conn.execute(
                "SELECT id FROM outline "
                "WHERE digest = ? AND size = ? AND recipe_id = ? AND unit = ?",
                identity,
            ).fetchone()
            return OutlineRef(row[0], failed=False)
        outline_id: int = stored[0][0]
        # Files whose failure this replaces, in other workspace folders too, have a package now.
        self._conn.execute(
            "UPDATE workspace SET placed = 0 WHERE placed AND id IN "
            "(SELECT workspace_id FROM file WHERE outline_id = ?)",
            (outline_id,),
        )
        self._conn.execute("UPDATE file SET package = NULL WHERE outline_id = ?", (outline_id,))
        self._conn.executemany(_SYMBOL_INSERT, [(outline_id, *row) for row in rows])
        self._names.save_declared(outline_id, declarations(outline))
        return OutlineRef(outline_id, new.failure is not None)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _translated(self._path):
            self._conn.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._names.flush()
            except BaseException:
                self._conn.rollback()
                self._names.undo()
                raise
            self._conn.commit()


def open_writer(path: str) -> Writer:
    """Open the index at `path`, making or upgrading it as needed; its folder must exist.

    Raises `IndexDamaged`, `IndexTooNew` or `IndexNotWritable`.
    """
    with _translated(path):
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None)
    try:
        with _translated(path):
            schema.guard(connection)
            version = schema.check(connection, path)
            if version == 0:
                os.chmod(path, 0o600)  # names and outlines of private code
            else:
                check_once(connection, path, version)
            connection.execute("PRAGMA foreign_keys = ON")
            # A full folder for temporary files is no fault of the index. Upgrades sort there.
            connection.execute("PRAGMA temp_store = MEMORY")
            # Where the file system refuses WAL, SQLite keeps the rollback journal: slower for
            # readers during a run, and just as safe.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if version < schema.VERSION:
                from indexer.store.migrations import migrate  # 60 ms that a live answer spares

                migrate(connection)
            if version == 0:
                note_made(connection, path)
    except BaseException:
        connection.close()
        raise
    return Writer(connection, path)


def _translated(path: str) -> AbstractContextManager[None]:
    return schema.translated(path, _not_writable)


def _not_writable(path: str, cause: Exception) -> IndexNotWritable:
    remedy = "free disk space or mend its permissions"
    if getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
        remedy = "end the other program that writes to it"
    return IndexNotWritable(
        f"the index {path} cannot be written: {cause}; {remedy}, or name another place with --db"
    )
