"""Which tables, indexes and views an index of each schema has, to the letter. Runs no SQL.

A file from elsewhere may hold a view in a table's place, a trigger, an index on an expression or a
virtual table: SQL that would run when it is read. So nothing is read of a file that holds anything
but what the schema's own text declares (https://www.sqlite.org/security.html). That text is taken
apart here and not run: running it takes longer than all else that opening an index takes. For the
same reason the usual case is a comparison of texts and needs no regular expression.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache

_FOLDER = os.path.dirname(__file__)

# What sqlite-utils and FTS5 add on their own, in the words of their present versions.
_ACCOUNT = "_sqlite_migrations"
_ACCOUNT_INDEX = f"idx_{_ACCOUNT}_migration_set_name"
_OF_SQLITE_UTILS = {
    ("table", _ACCOUNT): f'CREATE TABLE "{_ACCOUNT}" (\n   "id" INTEGER PRIMARY KEY,\n'
    '   "migration_set" TEXT,\n   "name" TEXT,\n   "applied_at" TEXT\n)',
    ("index", _ACCOUNT_INDEX): f'CREATE UNIQUE INDEX "{_ACCOUNT_INDEX}"\n'
    f'    ON "{_ACCOUNT}" ("migration_set", "name")',
}
_OF_FTS5 = {
    "data": "(id INTEGER PRIMARY KEY, block BLOB)",
    "idx": "(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID",
    "config": "(k PRIMARY KEY, v) WITHOUT ROWID",
}

# Only for texts that differ, so compiled only then.
_BLANK = r"""('[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\])|(?:\s|--[^\n]*|/\*.*?\*/)+"""
"""White space and comments; quoted texts are taken whole, for what looks like a comment in them."""
_COLUMNS = r"""(?is)CREATE (?:TABLE|UNIQUE INDEX) ['"\w]+ ?(?:ON ["\w]+ ?)?
\((?:['"\w, ]|PRIMARY KEY ?\([\w, ]+\))+\)(?: WITHOUT ROWID)?""".replace("\n", "")
_MEANS_MORE = r"(?i)\b(?:as|check|collate|default|generated|references)\b"

Key = tuple[str, str]
"""Type and name of an entry."""


def strange_entry(entries: Iterable[tuple[str, str, str | None]], version: int) -> str | None:
    """Return the name of an entry that an index of that schema does not have, None for none.

    `entries` are (type, name, sql) of `sqlite_schema`. What is missing is left to whoever asks for
    it: it runs nothing, and is damage.
    """
    declared = declared_entries(version)
    for kind, name, sql in entries:
        if not _is_expected(kind, name, sql, declared.get((kind, name))):
            return name
    return None


def _is_expected(kind: str, name: str, sql: str | None, expected: str | None) -> bool:
    if sql is None:  # the index of a UNIQUE or PRIMARY KEY; SQLite refuses any other
        return kind == "index" and name.startswith("sqlite_autoindex_")
    if expected is None:
        return False
    return sql == expected or _means_the_same(kind, name, sql, expected)


@cache
def declared_entries(version: int) -> dict[Key, str]:
    """Return the text of each entry that an index of that schema has, as SQLite keeps it."""
    entries = dict(_OF_SQLITE_UTILS)
    for number in range(1, version + 1):
        for statement in _statements(f"schema_{number}.sql" if number > 1 else "schema.sql"):
            _take(statement, entries)
    return entries


def _statements(name: str) -> Iterator[str]:
    """Statements of a schema's text; each begins with a capital at the beginning of a line."""
    with open(os.path.join(_FOLDER, name), "rb", buffering=0) as file:
        text = file.read().decode().replace("\r\n", "\n")
    for piece in text.split(";\n"):
        while piece.startswith(("\n", "--")):
            piece = piece.partition("\n")[2]
        if piece:
            yield piece


def _take(statement: str, entries: dict[Key, str]) -> None:
    """Do to `entries` what `statement` does to `sqlite_schema`."""
    verb, kind, name, *rest = statement.split(None, 4)
    if kind in ("UNIQUE", "VIRTUAL"):
        kind, name = name, rest[0]
    key = (kind.lower(), name)
    if verb == "CREATE":
        entries[key] = statement
        if statement.startswith("CREATE VIRTUAL"):
            for part, columns in _OF_FTS5.items():
                entries["table", f"{name}_{part}"] = f"CREATE TABLE '{name}_{part}'{columns}"
    elif verb == "ALTER":
        before, _, after = entries[key].rpartition(")")
        entries[key] = f"{before}, {rest[1].removeprefix('COLUMN ')}){after}"
    else:
        del entries[key]
        for other in [other for other, sql in entries.items() if f" ON {name} (" in sql]:
            del entries[other]


def _means_the_same(kind: str, name: str, sql: str, expected: str) -> bool:
    """True when only comments and white space differ, which may be mended in our texts.

    The texts of FTS5 and sqlite-utils may differ in more from version to version, but name columns
    and keys only.
    """
    bare = _bare(sql)
    if (kind, name) in _OF_SQLITE_UTILS or name.endswith(
        tuple(f"_fragment_{it}" for it in _OF_FTS5)
    ):
        return bool(re.fullmatch(_COLUMNS, bare)) and not re.search(_MEANS_MORE, bare)
    return bare == _bare(expected)


def _bare(sql: str) -> str:
    return re.sub(_BLANK, lambda found: found[1] or " ", sql, flags=re.DOTALL)
