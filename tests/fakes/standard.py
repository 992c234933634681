"""A standard server within the test's process: toy outlines of real files, builds by agreement.

It stands for `indexer.jdtls.standard.open_standard`. An Eclipse project's source folders are read
from `.classpath`; those of other builds are what the test says in `imported`. It proves nothing
about jdt.ls; for that there is the real one.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indexer.errors import ServerStartFailed
from indexer.javachars import is_valid_package_segment, is_valid_unit_name
from indexer.jdtls import settings
from indexer.jdtls.rpc import Rejected
from indexer.jdtls.standard import Project, StandardOptions
from indexer.uris import file_uri, path_of
from query.match import compile_query
from tests.fakes.server import outline

NEWEST = settings.COMPILER["org.eclipse.jdt.core.compiler.source"]


class FakeStandard:
    """Opens servers; what they do wrong is set in its attributes before."""

    def __init__(self) -> None:
        self.imported: dict[str, str] = {}
        """Source folders of a build that is not an Eclipse project, with their Java version."""
        self.problems: tuple[str, ...] = ()
        """What the import of such a build says."""
        self.fails: set[str] = set()
        """Messages of servers that do not start, one for each that is to fail."""
        self.texts: dict[str, str] = {}
        """By file name: what the server takes for the file's text."""
        self.answers: dict[str, Any] = {}
        """By file name: what it answers to documentSymbol; an exception is raised."""
        self.only_imported = False
        """True when `texts` and `answers` hold for own imports only, not for generated projects."""
        self.lost: set[str] = set()
        """Names of types that workspace/symbol does not find."""
        self.wavering: dict[str, str] = {}
        """By file name: what it takes for the text, once for documentSymbol and once for search."""
        self.opened: list[FakeServer] = []
        self.queries: list[str] = []

    async def open(
        self, _runtime: object, folder: Path, options: StandardOptions | None = None
    ) -> FakeServer:
        """Stand for `open_standard`."""
        await asyncio.sleep(0)
        if self.fails:
            raise ServerStartFailed(self.fails.pop())
        assert options
        self.opened.append(FakeServer(self, folder))
        return self.opened[-1]

    @property
    def running(self) -> int:
        """Servers that were not closed."""
        return sum(not server.closed for server in self.opened)


class FakeServer:
    """A running server over `folder`."""

    pid = 4711

    def __init__(self, fake: FakeStandard, folder: Path) -> None:
        self.fake = fake
        self.folder = folder
        self.closed = False
        self.wavered: set[tuple[str, str]] = set()
        self.files = sorted(
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        )
        classpath = folder / ".classpath"
        if classpath.exists():
            found = re.findall(r'kind="src" path="([^"]*)"', classpath.read_text("utf-8"))
            self.roots = dict.fromkeys(found, NEWEST)
        else:
            self.roots = fake.imported
        self.obeys = not fake.only_imported or not classpath.exists()

    @property
    def problems(self) -> tuple[str, ...]:
        return () if (self.folder / ".classpath").exists() else self.fake.problems

    async def explain(self, timeout: float) -> tuple[str, ...]:
        assert timeout > 0
        return self.problems

    async def projects(self) -> list[Project]:
        return [
            Project(str(self.folder), (str(self.folder / root),), java)
            for root, java in self.roots.items()
        ]

    def notify(self, _method: str, _params: Any) -> None:
        assert not self.closed

    async def document_symbol(self, uri: str) -> Any:
        assert not self.closed
        await asyncio.sleep(0)
        path = Path(path_of(uri) or "")
        answer = self.fake.answers.get(path.name) if self.obeys else None
        if isinstance(answer, Exception):
            raise answer
        if answer is not None:
            return answer
        return outline(self._text(path, "outline")) if self._package(path) is not None else []

    async def workspace_symbol(self, query: str) -> list[Any]:
        await asyncio.sleep(0)
        self.fake.queries.append(query)
        compiled = compile_query(query, strict=True)
        assert compiled
        return [
            symbol
            for symbol, qualification in self._symbols()
            if compiled.matches(symbol["name"], qualification)
            and symbol["name"] not in self.fake.lost
        ]

    async def close(self) -> None:
        self.closed = True

    def _text(self, path: Path, use: str) -> str:
        if (path.name, use) not in self.wavered and path.name in self.fake.wavering:
            self.wavered.add((path.name, use))
            return self.fake.wavering[path.name]
        text = self.fake.texts.get(path.name) if self.obeys else None
        return path.read_text("utf-8") if text is None else text

    def _package(self, path: Path) -> str | None:
        """The package of the file's folder; None for a file that jdt.ls does not look at."""
        below = path.relative_to(self.folder).as_posix()
        inside = [root for root in self.roots if not root or below.startswith(f"{root}/")]
        if not inside or not is_valid_unit_name(path.stem):
            return None
        root = max(inside, key=len)
        segments = os.path.dirname(below[len(root) :].lstrip("/")).split("/")
        if segments == [""]:
            return ""
        return ".".join(segments) if all(map(is_valid_package_segment, segments)) else None

    def _symbols(self) -> Iterator[tuple[dict[str, Any], str]]:
        for name in self.files:
            path = self.folder / name
            if path.suffix == ".java" and (package := self._package(path)) is not None:
                nodes = outline(self._text(path, "search"))
                declared = "".join(node["name"] for node in nodes if node["kind"] == 4)
                yield from self._types(nodes, path, package, declared)

    def _types(
        self, nodes: list[Any], path: Path, container: str, qualification: str
    ) -> Iterator[tuple[dict[str, Any], str]]:
        for node in nodes:
            if node["kind"] in (5, 10, 11):
                location = {"uri": file_uri(str(path)), "range": node["selectionRange"]}
                symbol = {"name": node["name"], "kind": node["kind"], "location": location}
                yield {**symbol, "containerName": container}, qualification
                inner = f"{container}.{node['name']}".lstrip(".")
                below = f"{qualification}.{node['name']}"
                yield from self._types(node["children"], path, inner, below)


def rejected() -> Rejected:
    """The error that jdt.ls gives when its parser fails."""
    return Rejected("textDocument/documentSymbol", -32603, "Internal error.")
