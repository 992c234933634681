"""The schema's history as sqlite-utils migrations: new indexes get their tables, old ones more.

Imported only for that: a run on an index of this schema does without sqlite-utils.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib import resources

from sqlite_utils import Database, Migrations

from indexer.model import SymbolKind
from indexer.store import schema
from indexer.store.names import NameWriter
from indexer.store.rows import SYMBOL_COLUMNS, outline_from_rows
from indexer.types import declarations

_MIGRATIONS = Migrations("javadex")


def migrate(connection: sqlite3.Connection) -> None:
    """Bring an open database to the schema's present version, in one transaction.

    All or nothing: else a kill could leave a database that is nobody's.
    """
    db = Database(connection)
    with db.atomic():
        _MIGRATIONS.apply(db)


@_MIGRATIONS()
def schema_1(db: Database) -> None:
    """Make the tables of schema 1 in an empty database."""
    for statement in _statements(resources.files(__package__).joinpath("schema.sql").read_text()):
        db.execute(statement)
    db.conn.executemany(
        "INSERT INTO kind (id, name) VALUES (?, ?)",
        [(kind, kind.name) for kind in SymbolKind],
    )
    db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    db.execute("PRAGMA user_version = 1")


@_MIGRATIONS()
def schema_2(db: Database) -> None:
    """Turn schema 1 into schema 2: all that is found by name is derived anew from the outlines."""
    for statement in _statements(resources.files(__package__).joinpath("schema_2.sql").read_text()):
        db.execute(statement)
    names = NameWriter(db.conn)
    for outline_id in [row[0] for row in db.execute("SELECT id FROM outline ORDER BY id")]:
        rows = db.execute(
            f"SELECT {SYMBOL_COLUMNS} FROM symbol WHERE outline_id = ? ORDER BY ordinal",
            (outline_id,),
        ).fetchall()
        names.save_declared(outline_id, declarations(outline_from_rows(rows)))
        if outline_id % 1000 == 0:
            names.flush()
    names.flush()
    names.count_words()
    db.execute("PRAGMA user_version = 2")


@_MIGRATIONS()
def schema_3(db: Database) -> None:
    """Turn schema 2 into schema 3; the next run fills what is new."""
    for statement in _statements(resources.files(__package__).joinpath("schema_3.sql").read_text()):
        db.execute(statement)
    db.execute("PRAGMA user_version = 3")


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of `script`, which `executescript` would commit one by one."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
