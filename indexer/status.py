"""The use case of `javadex status`: how well the index fits what is on disk now. Writes nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from indexer.discovery import FileProblem, JavaFile, discover
from indexer.errors import IndexMissing
from indexer.files import Root, Unsteady, read
from indexer.recipe import content_key
from indexer.store.nearest import around
from indexer.store.reader import FileRow, Workspace, open_reader


class EntryState(Enum):
    """How the index' entry of a Java file fits the file."""

    FRESH = "fresh"
    STALE = "stale"
    """The bytes changed, or the outline is one of an engine that is no longer used."""
    MISSING = "missing"
    """On disk, but not in the index."""
    FAILED = "failed"
    """The language server gave no outline for these bytes."""
    SKIPPED = "skipped"


@dataclass(slots=True)
class WorkspaceStatus:
    """State of one workspace folder."""

    root: Root
    counts: dict[EntryState, int] = field(default_factory=lambda: dict.fromkeys(EntryState, 0))
    symbols: int = 0
    types: int = 0
    indexed_at: str | None = None
    """UTC, ISO 8601; None when no run has finished."""
    recipe: str = ""
    problems: list[FileProblem] = field(default_factory=list)
    """Files that failed or were skipped, and deleted ones, which are not counted."""

    @property
    def files(self) -> int:
        """Java files on disk; the sum of all counts."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Status:
    """State of an index."""

    db: str
    schema: int
    workspaces: list[WorkspaceStatus]


def status(
    roots: Sequence[Root],
    db: str,
    recipe: str | None,
    *,
    explicit: bool,
    use_git: bool,
    max_file_size: int,
) -> Status:
    """Compare the index at `db` with `roots`.

    Folders that nobody named (`explicit` is false) give way to indexed ones around them.
    Outlines of another recipe than `recipe` (a fingerprint; None: any) are stale. Files whose stat
    changed are read and hashed. Raises `IndexMissing`, also when none of `roots` was ever indexed,
    and the other `IndexUnusable`s.
    """
    reader = open_reader(db)
    try:
        indexed = {workspace.root: workspace for workspace in reader.workspaces()}
        if not explicit:
            roots = [around(root, list(indexed)) for root in roots]
        if not any(root.path in indexed for root in roots):
            names = ", ".join(root.path for root in roots)
            raise IndexMissing(f"{names} is not in the index {db}; run `javadex index`")
        states = []
        for root in roots:
            workspace = indexed.get(root.path)
            rows = reader.files(workspace.id) if workspace else []
            state = _compare(root, rows, use_git, max_file_size)
            if workspace:
                if recipe and workspace.recipe != recipe:
                    _make_stale(state)
                _describe(state, workspace)
                state.symbols, state.types = reader.counts(workspace.id)
            states.append(state)
        return Status(db, reader.schema, states)
    finally:
        reader.close()


def _make_stale(state: WorkspaceStatus) -> None:
    state.counts[EntryState.STALE] += state.counts[EntryState.FRESH]
    state.counts[EntryState.FRESH] = 0


def _describe(state: WorkspaceStatus, workspace: Workspace) -> None:
    state.indexed_at = workspace.indexed_at
    state.recipe = workspace.recipe


def _compare(
    root: Root, rows: Sequence[FileRow], use_git: bool, max_file_size: int
) -> WorkspaceStatus:
    state = WorkspaceStatus(root)
    stored = {row.path: row for row in rows}
    findings = discover(root, use_git=use_git, max_bytes=max_file_size)
    for file in findings.files:
        entry, reason = _entry_state(root, file, stored.pop(file.path, None))
        state.counts[entry] += 1
        if reason:
            state.problems.append(FileProblem(file.path, entry.value, reason))
    for problem in findings.skipped:
        stored.pop(problem.path, None)
        state.counts[EntryState.SKIPPED] += 1
        state.problems.append(FileProblem(problem.path, "skipped", problem.reason))
    for path in stored:
        state.problems.append(FileProblem(path, "deleted", "in the index, but not on disk"))
    return state


def _entry_state(root: Root, file: JavaFile, row: FileRow | None) -> tuple[EntryState, str]:
    if row is None:
        return EntryState.MISSING, ""
    if row.digest is None and not row.skipped:
        return EntryState.STALE, ""
    if row.stat != file.stat:
        try:
            digest = content_key(read(os.path.join(root.path, file.path)).data).digest
        except (OSError, Unsteady) as exc:
            return EntryState.SKIPPED, str(exc)
        if digest != row.digest:
            return EntryState.STALE, ""
    if row.skipped:
        return EntryState.SKIPPED, row.skipped
    return (EntryState.FAILED, row.failure) if row.failure else (EntryState.FRESH, "")
