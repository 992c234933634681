"""Writing what is found by name: types, members, their qualifications and fragments.

All of it is derived from outlines; reading it is `indexer/store/search.py`. Rows are collected and
written in one go: one by one they would cost twice the time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from indexer.javachars import fold, initials
from indexer.store.fragments import fragments_of
from indexer.types import Declared, weight

_MOST_KEPT = 1 << 18
"""Texts whose ids are kept in memory from one transaction to the next."""

_FREQUENT = 64
"""Texts that a word must stand in to be counted."""


class NameWriter:
    """Writes into the tables of names, within its caller's transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._conn = connection
        self._types = _Rows(
            connection,
            "type",
            "id, outline_id, ordinal, library_id, name, folded, reversed, initials, "
            "qualification_id, kind, weight",
        )
        self._qualifications = _Texts(connection, "qualification", "id, text, folded")
        self._names = _Texts(connection, "member_name", "id, name, folded, initials")
        self._members: list[tuple[int, ...]] = []

    def save_declared(self, outline_id: int, declared: Iterable[Declared]) -> None:
        """Store the types and members of an outline."""
        owners: dict[str, int] = {}
        for found in declared:
            if found.is_type:
                type_id = self._save_type(found, (outline_id, found.ordinal, None))
                owners[f"{found.qualification}.{found.name}"] = type_id
            else:
                self._save_member(found, outline_id, owners[found.qualification])

    def save_library_type(self, library_id: int, found: Declared) -> int:
        """Store a type of a library; returns its id."""
        return self._save_type(found, (None, None, library_id))

    def flush(self) -> None:
        """Write what was collected: the last call of every transaction."""
        for rows in (self._qualifications, self._names, self._types):
            rows.flush()
        self._conn.executemany("INSERT INTO member VALUES (?, ?, ?, ?, ?, ?)", self._members)
        self._members.clear()

    def undo(self) -> None:
        """Forget what was collected: the transaction was undone."""
        self._members.clear()
        for rows in (self._types, self._qualifications, self._names):
            rows.undo()

    def count_words(self) -> None:
        """Count anew in how many texts each word of the fragments stands, if there are many new.

        The numbers only help a search to choose, so they need not be exact.
        """
        for table in ("type", "member_name", "qualification"):
            texts = self._conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0]
            counted = self._conn.execute(
                "SELECT coalesce(max(number), 0) FROM word_count WHERE texts = ? AND word = ''",
                (table,),
            ).fetchone()[0]
            if texts > counted + counted // 8:
                self._count_words(table, texts)

    def _count_words(self, table: str, texts: int) -> None:
        self._conn.execute("DELETE FROM word_count WHERE texts = ?", (table,))
        self._conn.execute(
            f"CREATE VIRTUAL TABLE temp.word USING fts5vocab (main, {table}_fragment, row)"
        )
        self._conn.execute(
            "INSERT INTO word_count SELECT ?, term, doc FROM temp.word WHERE doc >= ?",
            (table, _FREQUENT),
        )
        self._conn.execute("DROP TABLE temp.word")
        self._conn.execute("INSERT INTO word_count VALUES (?, '', ?)", (table, texts))

    def _save_type(self, found: Declared, home: tuple[int | None, int | None, int | None]) -> int:
        """`home`: outline and place in it, or library."""
        folded = fold(found.name)
        return self._types.add(
            folded,
            *home,
            found.name,
            folded,
            folded[::-1],
            initials(found.name),
            self._qualifications.id(found.qualification),
            int(found.kind),
            weight(found),
        )

    def _save_member(self, found: Declared, outline_id: int, owner_id: int) -> None:
        self._members.append(
            (
                self._names.id(found.name),
                outline_id,
                found.ordinal,
                owner_id,
                int(found.kind),
                weight(found),
            )
        )


class _Rows:
    """New rows of a table whose texts have fragments; ids are given here, for there is one writer.

    `columns` begin with the id.
    """

    def __init__(self, connection: sqlite3.Connection, table: str, columns: str) -> None:
        self._conn = connection
        self._table = table
        marks = ", ".join("?" * (columns.count(",") + 1))
        self._insert = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
        self._rows: list[tuple[object, ...]] = []
        self._fragments: list[tuple[int, str]] = []
        self._last: int | None = None

    def add(self, folded: str, *values: object) -> int:
        """Collect a row; returns its id."""
        if self._last is None:
            row = self._conn.execute(f"SELECT coalesce(max(id), 0) FROM {self._table}")
            self._last = int(row.fetchone()[0])
        self._last += 1
        self._rows.append((self._last, *values))
        self._fragments.append((self._last, fragments_of(folded)))
        return self._last

    def flush(self) -> None:
        """Write what was collected."""
        self._conn.executemany(self._insert, self._rows)
        self._conn.executemany(
            f"INSERT INTO {self._table}_fragment (rowid, words) VALUES (?, ?)", self._fragments
        )
        self._clear()

    def undo(self) -> None:
        """Forget what was collected: the transaction was undone."""
        self._clear()

    def _clear(self) -> None:
        self._rows.clear()
        self._fragments.clear()
        self._last = None


class _Texts(_Rows):
    """Rows of distinct texts."""

    def __init__(self, connection: sqlite3.Connection, table: str, columns: str) -> None:
        super().__init__(connection, table, columns)
        self._has_initials = columns.endswith("initials")
        self._known = f"SELECT id FROM {table} WHERE {columns.split(', ')[1]} = ?"
        self._ids: dict[str, int] = {}

    def id(self, text: str) -> int:
        """Return the id of a text, new or known."""
        known = self._ids.get(text)
        if known is not None:
            return known
        row = self._conn.execute(self._known, (text,)).fetchone()
        if row:
            self._ids[text] = row[0]
            return int(row[0])
        folded = fold(text)
        more = (initials(text),) if self._has_initials else ()
        self._ids[text] = self.add(folded, text, folded, *more)
        return self._ids[text]

    def flush(self) -> None:
        """Write what was collected."""
        super().flush()
        if len(self._ids) > _MOST_KEPT:
            self._ids.clear()

    def undo(self) -> None:
        """Forget what was collected, and all ids: some were of the transaction."""
        super().undo()
        self._ids.clear()
