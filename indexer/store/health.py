"""How an index file is, for those who must leave no trace: nothing is written, not even beside it.

SQLite makes its log and its shared memory beside a WAL database for a reader, too, and a reader
that only reads cannot take them away again. So a file without a log is read as it is, without
SQLite's locks, and anew with them when it was written meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from typing import NamedTuple

from indexer.errors import IndexBusy, IndexMissing, IndexUnusable
from indexer.files import FileStat
from indexer.store import schema, trust
from indexer.store.location import look_for_index
from indexer.store.reader import Reader

_STEPS = 20_000
"""Steps of SQLite's machine between two looks at the clock: some milliseconds."""


class Health(NamedTuple):
    """What SQLite says of an index that can be read."""

    schema: int
    size: int
    """Bytes, with the log beside it."""
    is_checked: bool
    """False when time was up before all pages were read."""


def health(path: str, seconds: float) -> Health:
    """Read the index at `path` through, for at most `seconds`.

    Raises `IndexMissing`, and the other `IndexUnusable`s for what cannot be used.
    """
    look_for_index(path)
    deadline = time.monotonic() + seconds
    for attempt in (1, 2):
        try:
            with _opened(path) as (connection, version):
                return Health(version, _size(path), _check(connection, path, deadline))
        except IndexBusy:
            if attempt == 2:
                raise
    raise AssertionError("unreachable")


def lacking_features() -> list[str]:
    """Return what the index needs and the SQLite of this Python has not, [] for nothing."""
    found = []
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for name, sql in _FEATURES.items():
            try:
                connection.execute(sql)
            except sqlite3.Error as exc:
                found.append(f"{name} ({exc})")
    return found


_FEATURES = {
    "STRICT tables": "CREATE TABLE strict_one (id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID",
    "FTS5": "CREATE VIRTUAL TABLE fragment USING fts5 (words, content = '', detail = none, "
    "columnsize = 0, tokenize = \"ascii tokenchars '_$.'\")",
    "FTS5's vocabulary": "CREATE VIRTUAL TABLE temp.word USING fts5vocab (main, fragment, row)",
}
"""As `schema_2.sql` and `indexer.store.names` need them."""


@contextlib.contextmanager
def untouched_reader(path: str) -> Iterator[Reader]:
    """Yield a reader that leaves no file beside the index; for a short look.

    Raises what `health` raises.
    """
    with _opened(path) as (connection, _):
        yield Reader(connection, path)


@contextlib.contextmanager
def _opened(path: str) -> Iterator[tuple[sqlite3.Connection, int]]:
    before = None if _has_log(path) else _stat(path)
    connection = _connect(path, immutable=before is not None)
    try:
        version = schema.check(connection, path)
        if version == 0:
            raise IndexMissing(f"the index {path} is empty; run `javadex index`")
        if version < schema.VERSION:
            raise IndexUnusable(
                f"the index {path} has the older schema {version}, this javadex reads "
                f"{schema.VERSION}; `javadex index` upgrades it, outlines are kept"
            )
        _refuse_strange_names(connection, path, version)
        yield connection, version
    except IndexUnusable as exc:
        if before is not None and (_has_log(path) or _stat(path) != before):
            raise IndexBusy(
                f"the index {path} is being written; ask again when that is done"
            ) from exc
        raise
    finally:
        connection.close()


def _refuse_strange_names(connection: sqlite3.Connection, path: str, version: int) -> None:
    """As `trust.check_once`, which would note that it was done: no file outside is looked at."""
    if trust.is_of_this_user(path):
        return
    with schema.translated(path):
        for found in trust.strange_names(connection, version):
            raise schema.damaged(path, found)


def _connect(path: str, *, immutable: bool) -> sqlite3.Connection:
    escaped = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    mode = "mode=ro&immutable=1" if immutable else "mode=ro"
    with schema.translated(path):
        connection = sqlite3.connect(f"file:{escaped}?{mode}", uri=True, isolation_level=None)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA temp_store = MEMORY")
            schema.guard(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _check(connection: sqlite3.Connection, path: str, deadline: float) -> bool:
    """True when SQLite has read all and found no fault, False when time was up."""
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
    try:
        with schema.translated(path):
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except IndexUnusable as exc:
        if getattr(exc.__cause__, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            return False
        raise
    finally:
        connection.set_progress_handler(None, 0)
    if found != "ok":
        raise schema.damaged(path, found)
    return True


def _has_log(path: str) -> bool:
    try:
        return os.path.getsize(f"{path}-wal") > 0
    except OSError:
        return False


def _stat(path: str) -> FileStat | None:
    try:
        return FileStat.of(os.stat(path))
    except OSError:
        return None


def _size(path: str) -> int:
    return sum(os.path.getsize(each) for each in (path, f"{path}-wal") if os.path.exists(each))
