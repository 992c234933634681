"""Which library types a workspace sees: asked of a standard jdt.ls that has imported its build.

The server works on a copy of the build's files (`class_path.copy_build`), without the sources: they
have no part in the class path, and would only be indexed. Knows nothing of the store.
"""

from __future__ import annotations

import asyncio
import os
import reprlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from indexer import class_path
from indexer.errors import ServerError, ServerStartFailed
from indexer.jdtls.rpc import Rejected
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.scratch import Scratch
from indexer.jdtls.standard import StandardOptions, StandardServer, open_standard
from indexer.libraries import (
    Attachment,
    Library,
    LibraryType,
    Place,
    Sighting,
    decoded,
    encoded,
    fill,
    types_of,
)
from indexer.model import SymbolKind
from indexer.recipe import ContentKey
from indexer.uris import path_of

IN_FLIGHT = 6
"""Searches at once. The server opens the jar anew for each class file, which costs as much as the
jar is large, unless another search has it open just then: six searches for parts of the whole took
a third of the CPU time of one for all. The server's pool takes eight before it can deadlock."""

_LONGEST = 40
"""Length of a name from which on all longer ones are asked for at once."""

_MOST_QUESTIONS = 300
"""More than these, each of which looks through all names, take longer than asking for all."""

_VM = "org.eclipse.jdt.ls.core.vm.location"
_ENTRIES = "org.eclipse.jdt.ls.core.classpathEntries"
_LIBRARY = 1  # IClasspathEntry.CPE_LIBRARY
_TEST_SCOPE = '{"scope":"test"}'
_DEPRECATED_TAG = 1  # LSP 3.17, SymbolTag.Deprecated
_KINDS = {int(kind): kind for kind in SymbolKind}


@dataclass(slots=True)
class Capture:
    """What was found; everything in an order that depends on the class path alone."""

    libraries: list[Library] = field(default_factory=list)
    """Every library that is attached; those that were known before without their types."""
    attachments: list[Attachment] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why libraries may be missing: a build that cannot be imported, a jar that is not there."""


async def capture(
    runtime: Runtime,
    root: str,
    options: StandardOptions | None = None,
    known: Collection[ContentKey] = (),
) -> Capture:
    """Return the libraries on the class paths of the workspace folder `root`.

    Nothing is written into `root`. A build that cannot be imported, wholly or in part, is a
    problem and no error; where it leaves no Java project at all, the types of the JDK come by the
    project that jdt.ls has for files outside of any. Types of libraries in `known` are left out.
    Raises `ServerError`, with nothing left behind, when the server fails.
    """
    options = replace(options or StandardOptions(), class_files=True)
    scratch = await asyncio.to_thread(_scratch)
    try:
        copy = scratch.path / "tree" / (os.path.basename(root) or "root")
        try:
            await asyncio.to_thread(class_path.copy_build, root, os.fspath(copy))
        except OSError as exc:
            raise ServerStartFailed(f"the build's files could not be copied: {exc}") from exc
        server = await open_standard(runtime, copy, options)
        try:
            return await _Capturing(server, root, copy).run(known)
        except BaseExceptionGroup as group:  # what ended one of the searches ends them all
            raise group.exceptions[0] from None
        except (LookupError, TypeError, AttributeError) as exc:
            raise ServerError(
                f"an answer about the class path lacks or breaks {exc!r:.80}"
            ) from exc
        finally:
            await server.close()
    finally:
        await asyncio.to_thread(scratch.remove)


def _scratch() -> Scratch:
    try:
        return Scratch()
    except OSError as exc:
        raise ServerStartFailed(f"no temporary folder for the build's files: {exc}") from exc


class _Questions(NamedTuple):
    """Queries that find the types of libraries, in three steps."""

    first: tuple[str, ...]
    """All types."""
    dollars: tuple[str, ...]
    """At least those that have a dollar sign in their name or qualification."""
    dollar_names: tuple[str, ...]
    """Of all types, those that have one in their name."""


class _Plan(NamedTuple):
    """What to ask when most is known."""

    questions: _Questions
    files: set[str]
    """Files of the libraries that must be among those found, each unknown one among them."""

    def holds(self, captured: Capture, known: Collection[ContentKey]) -> bool:
        """False when a library was missed, or one was found of which not all may be asked for."""
        found = {one.file: one.key in known for one in captured.attachments}
        return self.files <= found.keys() and all(
            file in self.files for file, is_known in found.items() if not is_known
        )


class _Unsure(Exception):
    """No plan is sure to find all."""


def _planned(
    jars: set[str], homes: set[str], known: Collection[ContentKey], in_root: Callable[[str], str]
) -> _Plan:
    """One type of every known library, for its place, and the packages of the unknown jars.

    Raises `_Unsure`, and `OSError` for what cannot be read.
    """
    if any(class_path.jdk_key(home)[0] not in known for home in homes):
        raise _Unsure
    samples, files, packages = ["java.lang.Object"], set(homes), set[str]()
    for jar in jars:
        classes = class_path.classes_in(jar)
        if classes is None:
            raise _Unsure
        sample = [f"{package}.{names[0]}" for package, names in classes.items() if names][:1]
        if class_path.jar_key(jar) not in known:
            packages.update(classes)
        else:
            samples += sample
        if sample:
            files.add(in_root(jar))
    if "" in packages:
        raise _Unsure
    outer = [one for one in packages if not any(other in one for other in packages - {one})]
    if len(samples) + 3 * len(outer) > _MOST_QUESTIONS:
        raise _Unsure
    return _Plan(_questions(samples, sorted(outer)), files)


def _questions(samples: list[str], packages: list[str]) -> _Questions:
    """Ask for `samples`, and for all types in and below `packages`."""
    longest = min(_LONGEST, (_MOST_QUESTIONS - len(samples)) // max(len(packages), 1))
    names = tuple(f"{package}.*$*" for package in packages)
    return _Questions(
        (*samples, *(name for package in packages for name in _names(f"{package}.", longest))),
        (*names, *(f"*{package}*$*.*" for package in packages)),
        names,
    )


def _names(before: str, longest: int) -> tuple[str, ...]:
    """Queries for the names of each length, all from `longest` on by one: they leave out none."""
    exact = (before + "?" * length for length in range(1, longest))
    return (*exact, before + "?" * longest + "*")


# A query that begins with a dot asks for no qualification and, other than `*`, does not select by
# package as well.
_EVERYTHING = _Questions(_names(".", _LONGEST), ("*$*",), (".*$*",))


class _Capturing:
    """One capture over a server that has imported `copy`, which stands for `root`."""

    def __init__(self, server: StandardServer, root: str, copy: Path) -> None:
        self._server = server
        self._root = root
        self._copy = copy
        self._problems: list[str] = []

    async def run(self, known: Collection[ContentKey]) -> Capture:
        if not await self._server.projects():
            await self._make_default_project()
            if await asyncio.to_thread(class_path.has_build, self._root):
                self._problems.append(self._no_project())
        plan = await self._plan(known) if known else None
        if plan:
            captured = await self._captured(plan.questions, known)
            if plan.holds(captured, known):
                return captured
        return await self._captured(_EVERYTHING, known)

    async def _plan(self, known: Collection[ContentKey]) -> _Plan | None:
        """Ask no more than is unknown; None when only asking for everything is sure to find it."""
        try:
            jars, homes = await self._listed()
            return await asyncio.to_thread(_planned, jars, homes, known, self._in_root)
        except (OSError, Rejected, _Unsure):
            return None

    async def _listed(self) -> tuple[set[str], set[str]]:
        """Jars on the class paths of all projects, and the home folders of their JDKs."""
        jars, homes = set[str](), set[str]()
        for uri in await self._server.execute("java.project.getAll"):
            wanted = [_VM, _ENTRIES]
            settings = await self._server.execute("java.project.getSettings", uri, wanted)
            homes.add(str(settings.get(_VM)))
            entries = settings.get(_ENTRIES) or ()
            jars.update(str(entry["path"]) for entry in entries if entry["kind"] == _LIBRARY)
        return jars, homes

    async def _captured(self, questions: _Questions, known: Collection[ContentKey]) -> Capture:
        captured = Capture(problems=[*self._server.problems, *self._problems])
        libraries: dict[ContentKey, Library] = {}
        for (place, is_jdk), types in sorted((await self._types(questions)).items()):
            file = await self._file(place, fill(types[0].uri, place))
            try:
                key, name = await asyncio.to_thread(_identity, file, is_jdk)
            except OSError as exc:
                captured.problems.append(_unreadable(file, exc))
                continue
            captured.attachments.append(Attachment(key, self._moved(place), file))
            kept = () if key in known else tuple(types)
            libraries.setdefault(key, Library(key, name, "jdk" if is_jdk else "jar", kept))
        captured.libraries = sorted(libraries.values(), key=lambda one: (one.name, one.key))
        return captured

    def _no_project(self) -> str:
        # jdt.ls says nothing at all when Gradle is neither there nor to be had.
        cause = "" if self._server.problems else " (no cause is known; one may be a missing Gradle)"
        return f"no Java project could be imported from {self._root}{cause}: only a JDK is known"

    async def _make_default_project(self) -> None:
        """Have jdt.ls make its project for files outside of any: only a project brings a JDK."""
        stray = self._copy.parent.parent / "stray" / "Stray.java"
        try:
            stray.parent.mkdir()
            stray.write_text("class Stray {}\n", encoding="utf-8")
        except OSError as exc:
            raise ServerError(
                f"{stray}, for the language server, cannot be written: {exc}"
            ) from exc
        await self._server.document_symbol(stray.as_uri())

    async def _types(self, questions: _Questions) -> dict[tuple[Place, bool], list[LibraryType]]:
        """The types by their place and whether that is a JDK."""
        sightings = await self._asked(questions.first)
        for _ in range(2):  # the first time opens their class files, which may change the answer
            sightings += await self._asked(questions.dollars)
        dollar_names = {seen.uri for seen in await self._asked(questions.dollar_names)}
        found: dict[tuple[Place, bool], list[LibraryType]] = defaultdict(list)
        for place, is_jdk, found_type in types_of(sightings, dollar_names):
            found[place, is_jdk].append(found_type)
        return found

    async def _asked(self, queries: Iterable[str]) -> list[Sighting]:
        waiting = iter(queries)
        sightings: list[Sighting] = []

        async def ask() -> None:
            for query in waiting:
                answer = await self._server.workspace_symbol(query)
                sightings.extend(map(_sighting, answer))

        async with asyncio.TaskGroup() as group:
            for _ in range(IN_FLIGHT):
                group.create_task(ask())
        return sightings

    async def _file(self, place: Place, uri: str) -> str:
        """Absolute path of the jar, or of the JDK's home, in the user's tree if it is in there."""
        path = decoded(place.path)
        if not place.jar:
            return path.removesuffix(f"{os.sep}{class_path.JRT_FS}")
        if not (os.path.isabs(path) and os.path.exists(path)):
            path = await self._file_in_project(path, uri)
        return self._in_root(path)

    async def _file_in_project(self, path: str, uri: str) -> str:
        """The file behind a path below its project, or, with the project's name, below them all."""
        try:
            answer = await self._server.execute("java.project.getClasspaths", uri, _TEST_SCOPE)
        except Rejected:
            return path
        listed = [*answer["classpaths"], *answer["modulepaths"]]
        if os.path.isabs(path):
            below = "/" + path[1:].partition("/")[2]
            return next((str(entry) for entry in listed if entry.endswith(below)), path)
        return os.path.join(path_of(answer["projectRoot"]) or "", path)

    def _moved(self, place: Place) -> Place:
        """The place as it is for a server over the user's own tree."""
        path = decoded(place.path)
        return place._replace(path=encoded(self._in_root(path))) if os.path.isabs(path) else place

    def _in_root(self, path: str) -> str:
        for copy in (os.fspath(self._copy), os.path.realpath(self._copy)):
            if path.startswith(f"{copy}{os.sep}"):
                return self._root + path[len(copy) :]
        return path


def _identity(file: str, is_jdk: bool) -> tuple[ContentKey, str]:
    if is_jdk:
        return class_path.jdk_key(file)
    return class_path.jar_key(file), os.path.basename(file)


def _unreadable(file: str, exc: OSError) -> str:
    if isinstance(exc, IsADirectoryError):
        return f"{file} is a folder of class files, which is no library: its types are left out"
    return f"{file} cannot be read ({exc.strerror}): its types are left out"


def _sighting(symbol: Any) -> Sighting:
    """What one `SymbolInformation` says (LSP 3.17). Raises `ServerError` when it is none."""
    try:
        return Sighting(
            str(symbol["name"]),
            str(symbol.get("containerName") or ""),
            _KINDS[symbol["kind"]],
            _DEPRECATED_TAG in (symbol.get("tags") or ()) or bool(symbol.get("deprecated")),
            str(symbol["location"]["uri"]),
        )
    except (KeyError, TypeError, AttributeError) as exc:
        raise ServerError(
            f"workspace/symbol lacks or breaks {str(exc)[:80]}: {reprlib.repr(symbol)}"
        ) from exc
