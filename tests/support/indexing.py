"""Indexing within the test's process: an instant server, and the index' content to compare."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from pathlib import Path
from typing import Any

from indexer.build import BuildOptions, BuildReport, FileState, build
from indexer.errors import ServerStartFailed
from indexer.files import Root, resolve_root
from indexer.javatext import SPECIAL_STEMS, declares_something
from indexer.jdtls.convert import outline_from
from indexer.jdtls.proof import takes_sentinel
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.source import Outcome, Source
from tests.fakes.server import outline

POISON = "poison"
"""A text that holds this word gets no outline."""


class InstantServer:
    """Stands for `indexer.jdtls.pool.outlines`: the toy outlines, at once and without a process."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        """Stems of the sources, in the order they came."""
        self.starts = 0

    async def outlines(
        self, _runtime: object, sources: Iterable[Source], _options: object = None
    ) -> AsyncGenerator[list[Outcome], None]:
        """Yield the outcome of every source."""
        self.starts += 1
        for source in sources:
            self.asked.append(source.stem)
            yield [_outcome(source)]

    def lost_after(self, count: int, before_each: Callable[[], None] = lambda: None) -> Any:
        """A stand-in like `outlines` whose server is lost after `count` outcomes.

        `before_each` is called when an outcome is there, before it is given or lost.
        """

        async def dies(
            runtime: object, sources: Iterable[Source], options: object = None
        ) -> AsyncGenerator[list[Outcome], None]:
            left = count
            async for outcomes in self.outlines(runtime, sources, options):
                before_each()
                if not left:
                    raise ServerStartFailed("gone")
                left -= 1
                yield outcomes

        return dies

    def forget(self) -> None:
        """Start counting anew."""
        self.asked.clear()
        self.starts = 0


def _outcome(source: Source) -> Outcome:
    if POISON in source.text:
        return Outcome(source, reason="the fake server was poisoned")
    found = outline_from(outline(source.text))
    if not found and declares_something(source.text):
        return Outcome(source, reason="no symbols for a text that declares some")
    by_name = source.stem in SPECIAL_STEMS or not takes_sentinel(source.text)
    return Outcome(source, found, by_name=by_name)


def instant_servers(
    _runtime: Runtime, sources: Iterable[Source], _options: BuildOptions
) -> Generator[list[Outcome], None, None]:
    """The toy outlines, at once and without a process: an `indexer.build.Outliner`."""
    for source in sources:
        yield [_outcome(source)]


class Notes:
    """A progress that remembers what it was told."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.notices: list[str] = []

    def start(self, total: int) -> None:
        self.total = total
        self.done = 0

    def advance(self, count: int) -> None:
        self.done += count

    def notice(self, message: str) -> None:
        self.notices.append(message)


class Index:
    """An index and how it is brought up to date."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes = Notes()

    def build(self, *roots: Path | Root, **options: Any) -> BuildReport:
        """Bring the index up to date; checks that the counts add up."""
        self.notes = Notes()
        folders = [root if isinstance(root, Root) else resolve_root(str(root)) for root in roots]
        report = build(folders, str(self.path), BuildOptions(**options), self.notes)
        assert self.notes.done == self.notes.total == report.files
        return report

    def rows(self, sql: str, *values: object) -> list[Any]:
        """Rows of a query, on a connection of its own."""
        with sqlite3.connect(self.path) as connection:
            rows = connection.execute(sql, values).fetchall()
        connection.close()
        return rows

    def content(self) -> dict[str, Any]:
        """All that the index says of the files, without ids, times and forgotten outlines."""
        return content(self.path)


def counts(report: BuildReport, place: int = 0) -> dict[str, int]:
    """What became of the files of one workspace folder; zeros left out."""
    workspace = report.workspaces[place]
    every = {state.value: workspace.counts[state] for state in FileState}
    return {
        name: number for name, number in (every | {"removed": workspace.removed}).items() if number
    }


_FILES = """
SELECT w.name, f.path, f.size, f.skipped, coalesce(f.package, ''), f.package IS NULL, f.hidden,
       hex(o.digest), o.size, o.unit, o.package, o.dropped, o.failure, r.fingerprint
FROM file f JOIN workspace w ON w.id = f.workspace_id
LEFT JOIN outline o ON o.id = f.outline_id LEFT JOIN recipe r ON r.id = o.recipe_id
ORDER BY w.name, f.path
"""
_SYMBOLS = """
SELECT w.name, f.path, s.* FROM file f JOIN workspace w ON w.id = f.workspace_id
JOIN symbol s ON s.outline_id = f.outline_id ORDER BY w.name, f.path, s.ordinal
"""
_TYPES = """
SELECT w.name, f.path, t.ordinal, t.name, t.folded, t.reversed, t.initials, t.kind, t.weight,
       q.text, q.folded
FROM file f JOIN workspace w ON w.id = f.workspace_id JOIN type t ON t.outline_id = f.outline_id
JOIN qualification q ON q.id = t.qualification_id ORDER BY w.name, f.path, t.ordinal
"""
_MEMBERS = """
SELECT w.name, f.path, m.ordinal, n.name, n.folded, n.initials, m.kind, m.weight, o.name, q.text
FROM file f JOIN workspace w ON w.id = f.workspace_id JOIN member m ON m.outline_id = f.outline_id
JOIN member_name n ON n.id = m.name_id JOIN type o ON o.id = m.owner_id
JOIN qualification q ON q.id = o.qualification_id
ORDER BY w.name, f.path, m.ordinal
"""


def content(path: Path) -> dict[str, Any]:
    """See `Index.content`."""
    connection = sqlite3.connect(path)
    try:
        symbols = connection.execute(_SYMBOLS).fetchall()
        return {
            "files": connection.execute(_FILES).fetchall(),
            "symbols": [(*row[:2], *row[3:]) for row in symbols],  # without the outline's id
            "types": connection.execute(_TYPES).fetchall(),
            "members": connection.execute(_MEMBERS).fetchall(),
        }
    finally:
        connection.close()
