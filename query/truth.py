"""The live side of a parity check: a standard jdt.ls over a copy of a workspace folder.

The build's own import is tried first where there is a build. A half-imported workspace would answer
nothing for files that are all right, so whatever goes wrong with it leads to a generated Eclipse
project over the inferred source roots, with the cause kept for the report.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from indexer.errors import ServerError, ServerStartFailed
from indexer.files import Root
from indexer.javachars import is_valid_package_segment, is_valid_unit_name
from indexer.javatext import stem_of
from indexer.jdtls import settings
from indexer.jdtls.rpc import Rejected
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.scratch import Scratch
from indexer.jdtls.standard import IN_FLIGHT, StandardOptions, StandardServer, open_standard
from indexer.layout import source_roots
from indexer.recipe import ContentKey
from query.parity import Node, Nodes, Type, live_nodes, live_types
from query.shadow import Laid, Mirror, Shadow, copy_files, mirror_build, uri_of, write_project

GENERATED = "generated"
"""Name of the project that is made here, beside those of builds in `build_of`."""

_OUTSIDE = "it lies outside every source folder of the imported project"

NEWEST = settings.COMPILER["org.eclipse.jdt.core.compiler.source"]
"""The Java version that files are read as unless a build says otherwise."""

READY_SECONDS = 120.0
"""How long a server that says it is ready may go on answering nothing for files with symbols."""

GRACE_SECONDS = 10.0
"""How long a source folder may stay silent when another has answered."""

_T = TypeVar("_T")

_EXPLAIN_SECONDS = 5.0
_CAUSES = 3  # problems of an import that are told
_PROBES = 3  # files of a source folder that are asked for before it counts as silent
_OPENED_FROM = 200_000
"""Bytes; jdt.ls' time for a closed file grows with symbols x size, an open one costs little."""


class Known(NamedTuple):
    """A file whose bytes on disk the index knows."""

    path: str
    key: ContentKey
    package: str
    """As declared, "" for none."""
    has_symbols: bool


@dataclass(frozen=True, slots=True)
class Tree:
    """What is to be copied and asked for."""

    root: Root
    known: Mapping[str, Known]
    """By path: all of them, for they tell where the source roots are."""
    others: tuple[str, ...]
    """Java files on disk that the index does not know as they are; a build may need them."""
    chosen: tuple[str, ...]
    """Paths to compare, all of them known."""


class Truth:
    """A live server, and how it sees the files. Make one with `open_truth`; close it."""

    def __init__(
        self,
        server: StandardServer,
        scratch: Scratch,
        shadow: Shadow,
        project: str,
        changed: Iterable[str],
    ) -> None:
        self._server = server
        self._scratch = scratch
        self._shadow = shadow
        self.project = project
        """`maven`, `gradle`, `eclipse` or `GENERATED`."""
        self.changed = frozenset(changed)
        """Files that held other bytes when they were copied than when they were looked at."""
        self.roots: Mapping[str, str] = {}
        """Source folders, with the Java version that they are read as."""
        self.strays: frozenset[str] = frozenset()
        """Files whose package fits no folder above them; a folder of their own was made for it."""
        self.problem = ""
        """Why the build's own import is not used, or what it lacks."""

    @property
    def has_all_files(self) -> bool:
        """True when the server has the whole tree, false when only the chosen files."""
        return self.project != GENERATED

    def unseen(self, path: str) -> str:
        """Say why jdt.ls does not look at a file; "" when it should."""
        folder = path.rpartition("/")[0]
        root = _root_of(folder, self.roots)
        if root is None:
            return _OUTSIDE
        below = folder[len(root) :].strip("/")
        if not is_valid_unit_name(stem_of(path)):
            return f"{stem_of(path)!r} is no Java name"
        for name in below.split("/") if below else ():
            if not is_valid_package_segment(name):
                return f"the folder name {name!r} is no package name"
        return ""

    def java(self, path: str) -> str:
        """The Java version that the build has the file read as; "" when it is the newest."""
        level = self.roots.get(_root_of(path.rpartition("/")[0], self.roots) or "", "")
        return "" if level == NEWEST else level

    def nested(self, path: str) -> bool:
        """True when the file's source folder lies in another one."""
        root = _root_of(path.rpartition("/")[0], self.roots)
        if not root or not self.has_all_files:
            return False
        return _root_of(_above(root), self.roots) is not None

    async def outlines(
        self,
        paths: Iterable[str],
        take: Callable[[str, Nodes], None],
        *,
        at_once: int = IN_FLIGHT,
    ) -> None:
        """Ask for outlines and give each to `take`; an error of the server is its text."""
        pending = iter(paths)

        async def work() -> None:
            for path in pending:
                take(path, await self._outline(path))

        await asyncio.gather(*(work() for _ in range(at_once)))

    async def types(self, queries: Iterable[str]) -> dict[str, set[Type]]:
        """Return the answers of workspace/symbol to `queries`, with the paths of the copied files.

        One after the other: of searches at the same time jdt.ls has given some ranges without end.
        """
        return {
            query: _read(
                "workspace/symbol",
                live_types,
                await self._server.workspace_symbol(query),
                self._shadow.path,
            )
            for query in queries
        }

    async def close(self) -> None:
        """End the server and delete the copy."""
        try:
            await self._server.close()
        finally:
            self._scratch.remove()

    async def until_ready(self, files: Iterable[Known]) -> list[str]:
        """Wait until every source folder answers for one of its files; return those that do not.

        ServiceReady comes before the projects can answer. Raises `ServerStartFailed` when all stay
        silent; one alone may hold nothing but files that the live server leaves out.
        """
        probes: dict[str, list[str]] = {}
        for file in files:
            root = _root_of(file.path.rpartition("/")[0], self.roots)
            may_answer = file.has_symbols and file.path not in self.changed
            if root is not None and may_answer and not self.unseen(file.path):
                probes.setdefault(root, []).append(file.path)
        silent = dict(probes)
        loop = asyncio.get_running_loop()
        deadline, heard = loop.time() + READY_SECONDS, False
        while silent:
            for root, paths in [*silent.items()]:
                if await self._answers(paths):
                    del silent[root]
            if len(silent) < len(probes) and not heard:
                deadline, heard = loop.time() + GRACE_SECONDS, True
            if not silent or loop.time() > deadline:
                break
            await asyncio.sleep(0.2)
        if silent and not heard:
            raise ServerStartFailed(
                f"the language server (pid {self._server.pid}) says it is ready, but after "
                f"{READY_SECONDS:g} s it has symbols for none of {len(probes)} source folders"
            )
        return [*silent]

    async def _answers(self, paths: list[str]) -> bool:
        for path in paths[:_PROBES]:
            if await self._outline(path):
                return True
        return False

    async def _outline(self, path: str) -> Nodes:
        uri = uri_of(self._shadow, path)
        text = _text_to_open(self._shadow.place(path))
        if text is not None:
            document = {"uri": uri, "languageId": "java", "version": 1, "text": text}
            self._server.notify("textDocument/didOpen", {"textDocument": document})
        try:
            answer = await self._server.document_symbol(uri)
        except Rejected as exc:
            return str(exc)
        finally:
            if text is not None:
                self._server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        return _read("documentSymbol", _nodes, answer or ())


def _nodes(answer: Any) -> list[Node]:
    return list(live_nodes(answer))


def _read(method: str, reading: Callable[..., _T], *answer: Any) -> _T:
    try:
        return reading(*answer)
    except (LookupError, TypeError, AttributeError) as exc:
        raise ServerError(f"the live answer to {method} cannot be read: {exc!r}") from exc


def _text_to_open(file: Path) -> str | None:
    """The text of a big file, unless its encoding is a matter of opinion."""
    if file.stat().st_size < _OPENED_FROM:
        return None
    try:
        return file.read_bytes().decode("ascii")
    except UnicodeDecodeError:
        return None


def _root_of(folder: str, roots: Collection[str]) -> str | None:
    """The nearest of `roots` at or above `folder`."""
    while folder not in roots:
        if not folder:
            return None
        folder = _above(folder)
    return folder


def _above(folder: str) -> str:
    return folder.rpartition("/")[0]


def build_of(folder: str) -> str:
    """Name the build that jdt.ls would import in `folder`, "" for none."""
    for name, files in (
        ("gradle", ("build.gradle", "settings.gradle", "build.gradle.kts", "settings.gradle.kts")),
        ("maven", ("pom.xml",)),
        ("eclipse", (".classpath",)),
    ):
        if any(os.path.isfile(os.path.join(folder, file)) for file in files):
            return name
    return ""


async def open_truth(tree: Tree, runtime: Runtime, options: StandardOptions) -> Truth:
    """Start a server for the tree: with its own import, else over a generated project.

    Raises `ServerError`.
    """
    project, problem = build_of(tree.root.path) if options.import_build else "", ""
    if project:
        found = await _imported(tree, project, runtime, options)
        if isinstance(found, Truth):
            return found
        problem = found
    return await open_generated(tree, runtime, options, problem)


async def _imported(
    tree: Tree, project: str, runtime: Runtime, options: StandardOptions
) -> Truth | str:
    """The server with the build's own import, or why that is no use."""
    scratch = _scratch()
    mirror = Mirror(_real(scratch) / "tree" / (os.path.basename(tree.root.path) or "root"))
    try:
        mirror.folder.mkdir(parents=True)
        mirror_build(tree.root, mirror)
        keys = [(path, file.key) for path, file in tree.known.items()]
        changed = copy_files(tree.root, [*keys, *((path, None) for path in tree.others)], mirror)
        server = await open_standard(runtime, mirror.folder, options)
    except ServerStartFailed as exc:
        scratch.remove()
        return str(exc)
    except BaseException:
        scratch.remove()
        raise
    truth = Truth(server, scratch, mirror, project, changed)
    try:
        truth.roots = await _source_folders(server, mirror)
        problem = await _why_unfit(truth, server, tree)
        truth.problem = "; ".join(server.problems[:_CAUSES])
    except ServerError as exc:
        problem = str(exc)
    except BaseException:
        await truth.close()
        raise
    if problem:
        await truth.close()
        return problem
    return truth


async def _source_folders(server: StandardServer, mirror: Mirror) -> dict[str, str]:
    """The projects' source folders, relative to the tree, with their Java version."""
    found = {}
    for project in await server.projects():
        for folder in map(os.path.realpath, project.source_folders):
            relative = os.path.relpath(folder, mirror.folder)
            if not relative.startswith(".."):
                found["" if relative == "." else relative] = project.java
    return found


async def _why_unfit(truth: Truth, server: StandardServer, tree: Tree) -> str:
    """Say why an import cannot be used: it failed, as a whole or in part."""
    covered = [file for file in tree.known.values() if truth.unseen(file.path) != _OUTSIDE]
    missing = len(tree.known) - len(covered)
    cause = "; ".join((await server.explain(_EXPLAIN_SECONDS))[:_CAUSES]) if missing else ""
    if not covered:
        return (
            cause or f"the {truth.project} import made no project with Java files, without a word"
        )
    if cause:
        return f"{missing} of {len(tree.known)} Java files are in no imported project: {cause}"
    try:
        silent = await truth.until_ready(covered)
    except ServerStartFailed as exc:
        return str(exc)
    return f"the imported source folder {silent[0]!r} answers nothing" if silent else ""


async def open_generated(
    tree: Tree, runtime: Runtime, options: StandardOptions, problem: str = ""
) -> Truth:
    """Start a server over an Eclipse project with the chosen files in their inferred source roots.

    `problem` says why this is not the build's own import. Raises `ServerError`.
    """
    places, strays = _places(tree)
    scratch = _scratch()
    try:
        laid = Laid(_real(scratch) / "project", places)
        laid.folder.mkdir()
        write_project(laid)
        changed = copy_files(tree.root, [(path, tree.known[path].key) for path in places], laid)
        server = await open_standard(runtime, laid.folder, replace(options, import_build=False))
    except BaseException:
        scratch.remove()
        raise
    truth = Truth(server, scratch, laid, GENERATED, changed)
    truth.roots = dict.fromkeys(places.values(), NEWEST)
    truth.strays = strays
    truth.problem = problem
    try:
        await truth.until_ready(tree.known[path] for path in tree.chosen)
    except BaseException:
        await truth.close()
        raise
    return truth


def _places(tree: Tree) -> tuple[dict[str, str], frozenset[str]]:
    """The source root of every chosen file, and the files for which their own folder stands in."""
    roots = source_roots((file.path, file.package) for file in tree.known.values())
    places, strays = {}, set()
    for path in tree.chosen:
        folder = path.rpartition("/")[0]
        root = _root_of(folder, roots)
        if root is None:
            strays.add(path)
        places[path] = folder if root is None else root
    return places, frozenset(strays)


def _scratch() -> Scratch:
    try:
        return Scratch()
    except OSError as exc:
        raise ServerStartFailed(f"no temporary folder for the copy of the files: {exc}") from exc


def _real(scratch: Scratch) -> Path:
    return Path(os.path.realpath(scratch.path))  # as the server names it in its answers
