"""The use case of `javadex status`: how well the index fits what is on disk now. Writes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from indexer.discovery import FileProblem, Findings, JavaFile, discover
from indexer.errors import IndexMissing
from indexer.files import Root, Unsteady, read
from indexer.folders import Lookout
from indexer.limits import MAX_FILE_SIZE
from indexer.portable import bases_of, local
from indexer.recipe import content_key, engine_of
from indexer.standing import NOT_ON_DISK, STALE, Standing
from indexer.store.location import index_command
from indexer.store.nearest import widened
from indexer.store.reader import FileRow, LibraryRow, Reader, Workspace, open_reader


@dataclass(slots=True)
class WorkspaceStatus:
    """State of one workspace folder."""

    root: Root
    counts: dict[Standing, int] = field(default_factory=lambda: dict.fromkeys(Standing, 0))
    """Java files, and for `LIBRARY_UNKNOWN` libraries."""
    symbols: int = 0
    types: int = 0
    indexed_at: str | None = None
    """UTC, ISO 8601; None when no run has finished."""
    recipe: str = ""
    problems: list[FileProblem] = field(default_factory=list)
    """Files that failed, were skipped, are damaged or deleted, with the reason."""

    @property
    def files(self) -> int:
        """Java files on disk; the sum of `summary`."""
        return sum(count for each, count in self.counts.items() if each not in NOT_ON_DISK)

    @property
    def summary(self) -> dict[str, int]:
        """The counts of files on disk in five parts, by their names in the JSON."""
        return {
            "fresh": self.counts[Standing.FRESH],
            "stale": sum(self.counts[each] for each in STALE),
            "missing": self.counts[Standing.UNKNOWN],
            "failed": self.counts[Standing.FAILED],
            "skipped": self.counts[Standing.SKIPPED],
        }

    def note(self, path: str, standing: Standing, reason: str = "") -> None:
        """Count a file, and list it when there is a reason to tell."""
        self.counts[standing] += 1
        if reason:
            self.problems.append(FileProblem(path, standing.value, reason))


@dataclass(frozen=True, slots=True)
class Status:
    """State of an index."""

    db: str
    schema: int
    workspaces: list[WorkspaceStatus]


class _Known(NamedTuple):
    """What the index knows of a workspace folder."""

    rows: Mapping[str, FileRow]
    """By path."""
    damaged: frozenset[str] = frozenset()
    other_recipe: bool = False
    """True when its outlines are those of another engine than would be used here."""
    workspace: Workspace | None = None
    counts: tuple[int, int] = (0, 0)
    """Symbols and types."""
    libraries: Sequence[LibraryRow] = ()
    lookout: Lookout = Lookout(True, MAX_FILE_SIZE)


def status(
    roots: Sequence[Root],
    db: str,
    recipe: str | None,
    *,
    explicit: bool,
    use_git: bool | None = None,
    max_file_size: int | None = None,
    java: Callable[[], str] = lambda: "",
) -> Status:
    """Compare the index at `db` with `roots`.

    Folders that nobody named (`explicit` is false) give way to indexed ones around them.
    Outlines of another recipe than `recipe` (a fingerprint; None: any) are stale. Files whose stat
    changed are read and hashed. `java` gives the executable that would run the language server, ""
    for none; libraries of a JDK are looked for there. Files are looked for as the last run did,
    unless `use_git` or `max_file_size` (bytes, 0: no limit) say how. Raises `IndexMissing`, also
    when none of `roots` was ever indexed, and the other `IndexUnusable`s.
    """
    reader = open_reader(db)
    try:
        with reader.snapshot():  # no longer than it takes to read: a run may wait for its end
            version = reader.schema
            roots = roots if explicit else widened(roots, reader)
            every = _known(reader, roots, recipe)
    finally:
        reader.close()
    states = []
    for root, known in zip(roots, every, strict=True):
        findings = discover(
            root,
            use_git=known.lookout.use_git if use_git is None else use_git,
            max_bytes=known.lookout.max_file_size if max_file_size is None else max_file_size,
        )
        state = _compare(root, known, findings)
        if known.workspace:
            state.indexed_at = known.workspace.indexed_at
            state.recipe = known.workspace.recipe
            state.symbols, state.types = known.counts
            state.counts[Standing.LIBRARY_UNKNOWN] = _unknown(known.libraries, root, java)
        states.append(state)
    return Status(db, version, states)


def _known(reader: Reader, roots: Sequence[Root], recipe: str | None) -> list[_Known]:
    indexed = {workspace.root: workspace for workspace in reader.workspaces()}
    if not any(root.path in indexed for root in roots):
        names = ", ".join(root.path for root in roots)
        remedy = f"run `{index_command(roots, reader.path)}`"
        raise IndexMissing(f"{names} is not in the index {reader.path}; {remedy}")
    return [
        _known_of(reader, indexed[root.path], recipe) if root.path in indexed else _Known({})
        for root in roots
    ]


def _known_of(reader: Reader, workspace: Workspace, recipe: str | None) -> _Known:
    return _Known(
        {row.path: row for row in reader.files(workspace.id)},
        reader.damaged_paths(workspace.id),
        recipe is not None and workspace.recipe != recipe,
        workspace,
        reader.counts(workspace.id),
        reader.libraries(workspace.id),
        reader.lookout(workspace.id),
    )


def _unknown(libraries: Sequence[LibraryRow], root: Root, java: Callable[[], str]) -> int:
    """Number of libraries that are not on this machine, or of which the index has no type."""
    if not libraries:
        return 0
    bases = bases_of(root.path, java())
    return len(
        {
            each.id
            for each in libraries
            if not each.captured or not os.path.exists(local(each.file, bases))
        }
    )


def _compare(root: Root, known: _Known, findings: Findings) -> WorkspaceStatus:
    state = WorkspaceStatus(root)
    gone = dict(known.rows)
    for file in findings.files:
        state.note(file.path, *_standing(root, file, gone.pop(file.path, None), known))
    for problem in findings.skipped:
        gone.pop(problem.path, None)
        state.note(problem.path, Standing.SKIPPED, problem.reason)
    for path in gone:
        state.note(path, Standing.DELETED, "in the index, but not on disk")
    return state


def _standing(
    root: Root, file: JavaFile, row: FileRow | None, known: _Known
) -> tuple[Standing, str]:
    """How the index' entry of a Java file fits the file, and the reason if one is to be told."""
    if row is None:
        return Standing.UNKNOWN, ""
    if file.path in known.damaged:
        return Standing.DAMAGED, "the index has lost its outline; `javadex index` makes it anew"
    if row.digest is None and not row.skipped:
        return Standing.OTHER_RECIPE, ""
    if row.stat != file.stat:
        try:
            digest = content_key(
                read(os.path.join(root.path, file.path), root=root.path).data
            ).digest
        except (OSError, Unsteady) as exc:
            return Standing.SKIPPED, str(exc)
        if digest != row.digest:
            return Standing.CHANGED, ""
    if row.skipped:
        return Standing.SKIPPED, row.skipped
    if known.other_recipe:
        return Standing.OTHER_RECIPE, ""
    return (Standing.FAILED, row.failure) if row.failure else (Standing.FRESH, "")


def _engines(recipes: list[str]) -> str:
    return ", ".join(sorted({engine_of(recipe) for recipe in recipes if recipe}))


def status_json(state: Status) -> dict[str, Any]:
    """Return the JSON of `javadex status` (docs/tools.md)."""
    return {
        "db": state.db,
        "schema": state.schema,
        "engine": _engines([workspace.recipe for workspace in state.workspaces]),
        "workspaces": [
            {
                "name": workspace.root.name,
                "root": workspace.root.path,
                "files": workspace.files,
                **workspace.summary,
                "symbols": workspace.symbols,
                "types": workspace.types,
                "indexedAt": workspace.indexed_at,
                "standing": {each.value: count for each, count in workspace.counts.items()},
            }
            for workspace in state.workspaces
        ],
        "problems": [
            problem_json(workspace.root.path, problem)
            for workspace in state.workspaces
            for problem in workspace.problems
        ],
    }


def problem_json(root: str, problem: FileProblem) -> dict[str, str]:
    """Return the JSON of a file, below `root`, that has no outline."""
    return {
        "file": os.path.normpath(os.path.join(root, problem.file)),
        "state": problem.state,
        "reason": problem.reason,
    }
