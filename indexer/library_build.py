"""The use case of `index --libraries`: bring the library types of workspace folders up to date.

A server is started only for a folder whose class path may have changed. Whatever goes wrong is a
problem to report, never the end of the run: the sources are indexed by then.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field

from indexer.class_path import class_path_fingerprint
from indexer.errors import ServerError
from indexer.files import Root
from indexer.jdtls.runtime import Runtime
from indexer.portable import bases_of
from indexer.store.writer import Writer


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
    fingerprint = class_path_fingerprint(root.path, _engine(runtime))
    if not again and writer.class_path(workspace_id) == fingerprint:
        return LibraryReport(False, *writer.library_counts(workspace_id))
    from indexer.jdtls.libraries import capture

    try:
        captured = asyncio.run(capture(runtime, root.path, known=writer.known_libraries()))
    except ServerError as exc:
        counts = writer.library_counts(workspace_id)
        return LibraryReport(False, *counts, (f"libraries were not captured: {exc}",))
    writer.save_libraries(
        workspace_id,
        fingerprint,
        captured.libraries,
        captured.attachments,
        bases_of(root.path, runtime.java.executable),
    )
    counts = writer.library_counts(workspace_id)
    return LibraryReport(True, *counts, tuple(captured.problems))


def _engine(runtime: Runtime) -> str:
    return f"{runtime.jdtls.version} {os.path.realpath(runtime.java.executable)}"
