"""The use case of `index --libraries`: bring the library types of workspace folders up to date.

A server is started only for a folder whose class path may have changed. Whatever goes wrong is a
problem to report, never the end of the run: the sources are indexed by then.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from indexer.class_path import class_path_fingerprint
from indexer.errors import ServerError
from indexer.files import Root
from indexer.jdtls.runtime import Runtime
from indexer.portable import bases_of, local
from indexer.store.writer import Writer

_PROBLEM = "\n\n"
"""Stands between the fingerprint and the problems that are stored with it, to be told again."""


@dataclass(frozen=True, slots=True)
class LibraryReport:
    """What became of the libraries of one workspace folder."""

    captured: bool
    """False when those of the run before still hold."""
    libraries: int
    types: int
    problems: tuple[str, ...] = field(default=())
    """Why some, or all, may be missing."""


def update_libraries(
    writer: Writer, workspace_id: int, root: Root, runtime: Runtime, *, again: bool
) -> LibraryReport:
    """Capture the libraries of `root` if its class path may have changed, or `again` says so."""
    bases = bases_of(root.path, runtime.java.executable)
    files = [local(file, bases) for file in writer.library_files(workspace_id)]
    fingerprint = _fingerprint(root, runtime, files)
    before, *problems = (writer.class_path(workspace_id) or "").split(_PROBLEM)
    counts = writer.library_counts(workspace_id)
    if not again and before == fingerprint:
        return LibraryReport(False, *counts, tuple(problems))
    from indexer.jdtls.libraries import capture

    try:
        captured = asyncio.run(capture(runtime, root.path, known=writer.known_libraries()))
    except ServerError as exc:
        return LibraryReport(False, *counts, (f"libraries were not captured: {exc}",))
    problems, attachments = list(captured.problems), None
    if problems and counts[0] > len(captured.libraries):
        # A failed import must not cost what a good one has found.
        problems.append("the libraries of an earlier import are kept")
    else:
        attachments = captured.attachments
        files = [attachment.file for attachment in attachments]
    seen = _PROBLEM.join([_fingerprint(root, runtime, files), *problems])
    writer.save_libraries(workspace_id, seen, captured.libraries, attachments, bases)
    return LibraryReport(True, *writer.library_counts(workspace_id), tuple(problems))


def _fingerprint(root: Root, runtime: Runtime, files: Iterable[str]) -> str:
    """What tells whether the class path may have changed: the build, the engine, the libraries."""
    stats = []
    for file in sorted({*files}):
        # Of a JDK the file that names its version and maker.
        path = os.path.join(file, "release") if os.path.isdir(file) else file
        with contextlib.suppress(OSError):
            status = os.stat(path)
            stats.append(f"{file} {status.st_size} {status.st_mtime_ns}")
    return class_path_fingerprint(root.path, "\n".join([_engine(runtime), *stats]))


def _engine(runtime: Runtime) -> str:
    return f"{runtime.jdtls.version} {os.path.realpath(runtime.java.executable)}"
