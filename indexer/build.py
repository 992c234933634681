"""The use case of the indexer: bring the index up to date with the workspace folders.

Unchanged files cost a stat, changed ones a reading and a hash; only contents that the store does
not know go to a language server, and without any no server is started. Every batch is committed as
it comes; no transaction spans a server's work.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from itertools import chain
from typing import Protocol

from indexer.discovery import FileProblem, JavaFile, Problem, discover
from indexer.engine import recipe_of
from indexer.errors import IndexDamaged, IndexNotWritable, IndexUnusable, ServerError
from indexer.files import Content, FileStat, Root, Unsteady, read
from indexer.folders import Lookout, folder_stats, rule_stats
from indexer.javatext import decode, stem_of
from indexer.jdtls.runtime import Runtime, locate
from indexer.jdtls.source import Outcome, Source
from indexer.library_build import LibraryReport, update_libraries
from indexer.limits import MAX_FILE_SIZE
from indexer.recipe import ContentKey, content_key
from indexer.store.lock import writer_lock
from indexer.store.writer import NewOutline, OutlineRef, StoredFile, Writer, open_writer


class FileState(Enum):
    """What a run made of a file."""

    REUSED = "reused"
    OUTLINED = "outlined"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(slots=True)
class WorkspaceReport:
    """What a run did to one workspace folder."""

    root: Root
    counts: dict[FileState, int] = field(default_factory=lambda: dict.fromkeys(FileState, 0))
    removed: int = 0
    symbols: int = 0
    types: int = 0
    kept: bool = False
    """True when the folder held no Java file any more and its former index was left as it was."""
    problems: list[FileProblem] = field(default_factory=list)
    """Files without an outline, and notices, which are no files and not counted as such."""
    libraries: LibraryReport | None = None
    """None unless the run was about libraries, too."""

    @property
    def files(self) -> int:
        """Java files of the folder; the sum of all counts."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a run did."""

    db: str
    workspaces: list[WorkspaceReport]
    seconds: float
    engine: str

    def count(self, state: FileState) -> int:
        """Files of that state over all workspace folders."""
        return sum(workspace.counts[state] for workspace in self.workspaces)

    @property
    def files(self) -> int:
        """Java files over all workspace folders."""
        return sum(workspace.files for workspace in self.workspaces)


class Progress(Protocol):
    """Who wants to know how a run gets on."""

    def start(self, total: int) -> None:
        """Say that `total` files were found; again when a damaged index makes it start over."""

    def advance(self, count: int) -> None:
        """Say that `count` more files have their final state."""

    def notice(self, message: str) -> None:
        """Say something that a person should read now."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How to run."""

    java: str | None = None
    jdtls: str | None = None
    servers: int | None = None
    """Most language servers at a time; None: cores + 1."""
    heap: str = "1g"
    """Java heap of each, as `-Xmx` takes it."""
    answer_timeout: float = 60.0
    """Seconds without an outline after which a server counts as hung."""
    use_git: bool = True
    max_file_size: int = MAX_FILE_SIZE
    """Bytes; 0 means no limit."""
    lock_timeout: float = 600.0
    """Seconds to wait for another indexer."""
    allow_empty: bool = False
    """Let a folder without Java files replace an index that has some."""
    retry_failed: bool = False
    time_limit: float | None = None
    """Seconds for the language servers; None: as long as it takes."""
    libraries: bool = False
    """Bring the types of libraries up to date, too."""
    check: bool = True
    """Read every page of the index first, so that damage is found before it is met."""
    outliner: Outliner | None = None
    """Yields the outcome of every source; None: `own_servers`."""


Outliner = Callable[[Runtime, Iterable[Source], BuildOptions], Generator[list[Outcome], None, None]]


def build(roots: Sequence[Root], db: str, options: BuildOptions, progress: Progress) -> BuildReport:
    """Bring the index at `db` up to date with `roots`.

    Raises `RuntimeNotFound`, `IndexBusy`, `IndexNotWritable`, `IndexTooNew` and the `ServerError`s
    of the pool; what was committed by then stays. A damaged index is set aside and built anew.
    `KeyboardInterrupt` passes through, after servers and database are closed.
    """
    started = time.monotonic()
    runtime = locate(options.java, options.jdtls)
    waiting = f"waiting for another javadex that is indexing into {db}"
    with writer_lock(db, options.lock_timeout, lambda: progress.notice(waiting)):
        try:
            reports = _run(roots, db, runtime, options, progress)
        except IndexDamaged as exc:
            progress.notice(f"{exc}; it was kept as {_set_aside(db)}")
            reports = _run(roots, db, runtime, options, progress)
    seconds = time.monotonic() - started
    return BuildReport(db, reports, seconds, f"jdt.ls {runtime.jdtls.version}")


def _set_aside(db: str) -> str:
    target = f"{db}.corrupt-{datetime.now(UTC):%Y%m%dT%H%M%S}"
    try:
        os.replace(db, target)
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.replace(db + suffix, target + suffix)
    except OSError as exc:
        raise IndexNotWritable(
            f"the damaged index {db} cannot be set aside: {exc.strerror}; "
            "mend the permissions of its folder, or name another place with --db"
        ) from exc
    return target


def _run(
    roots: Sequence[Root], db: str, runtime: Runtime, options: BuildOptions, progress: Progress
) -> list[WorkspaceReport]:
    writer = open_writer(db)
    try:
        reports = _run_with(writer, roots, runtime, options, progress)
    except BaseException:
        with contextlib.suppress(IndexUnusable):  # what went wrong first is what to tell
            writer.close()
        raise
    writer.close()
    return reports


def _run_with(
    writer: Writer,
    roots: Sequence[Root],
    runtime: Runtime,
    options: BuildOptions,
    progress: Progress,
) -> list[WorkspaceReport]:
    if options.check:
        writer.check()
    recipe_id = writer.recipe(recipe_of(runtime.jdtls))
    waiting = _Waiting(writer, recipe_id)
    updates = [_Update(writer, root, recipe_id, options, waiting) for root in roots]
    progress.start(sum(update.total for update in updates))
    for notice in chain.from_iterable(update.notices() for update in updates):
        progress.notice(notice)
    _bring_up_to_date(updates, waiting, runtime, options, progress)
    if options.libraries:
        for update in updates:
            update.update_libraries(runtime, progress)
    return [update.report for update in updates]


def _bring_up_to_date(
    updates: Sequence[_Update],
    waiting: _Waiting,
    runtime: Runtime,
    options: BuildOptions,
    progress: Progress,
) -> None:
    told = 0

    def tell() -> None:
        nonlocal told
        settled = sum(update.settled for update in updates)
        progress.advance(settled - told)
        told = settled

    sources = chain.from_iterable(update.unknown_sources() for update in updates)
    first = next(sources, None)
    tell()
    if first is not None:
        outliner = options.outliner or own_servers
        try:
            with contextlib.closing(outliner(runtime, chain([first], sources), options)) as found:
                for batch in found:
                    waiting.take(batch)
                    tell()
        except ServerError:
            for _ in sources:  # what the store knows needs no server
                pass
            for update in updates:
                update.settle_known()
            raise
    for update in updates:
        update.finish()
    tell()


def own_servers(
    runtime: Runtime, sources: Iterable[Source], options: BuildOptions
) -> Generator[list[Outcome], None, None]:
    """Start servers for this run and yield what they make of `sources`."""
    from indexer.jdtls.pool import PoolOptions, default_servers, stream
    from indexer.jdtls.server import ServerOptions

    pool = PoolOptions(
        servers=options.servers or default_servers(),
        answer_timeout=options.answer_timeout,
        server=ServerOptions(heap=options.heap),
    )
    return stream(runtime, sources, pool, options.time_limit)


class _Waiting:
    """Files whose content is at a server, by content and stem, over all workspace folders."""

    def __init__(self, writer: Writer, recipe_id: int) -> None:
        self._writer = writer
        self._recipe_id = recipe_id
        self._files: dict[tuple[ContentKey, str], list[tuple[_Update, StoredFile]]] = {}

    def add(self, key: ContentKey, stem: str, update: _Update, file: StoredFile) -> bool:
        """Let `file` wait; returns whether it is the first, so that a server must be asked."""
        files = self._files.setdefault((key, stem), [])
        files.append((update, file))
        return len(files) == 1

    def take(self, outcomes: Sequence[Outcome]) -> None:
        """Store what became of sources, and the files that waited for them."""
        new, waiting = [], []
        for outcome in outcomes:
            slot = outcome.source.key
            assert isinstance(slot, tuple)
            new.append(NewOutline(slot[0], outcome.unit, outcome.outline, outcome.reason or None))
            waiting.append(self._files.pop(slot))
        refs = self._writer.save_outlines(self._recipe_id, new)
        touched = set()
        for ref, outcome, files in zip(refs, outcomes, waiting, strict=True):
            for number, (update, file) in enumerate(files):
                state = FileState.REUSED if number else FileState.OUTLINED
                update.settle(file, ref, state, outcome.reason)
                touched.add(update)
        for update in touched:
            update.flush()


class _Update:
    """One workspace folder on its way to being up to date, for one run.

    Call `unknown_sources` to its end, let what comes of it be settled, then `finish`.

    When the index is of another recipe, the outlines are stored as they come, but the files are
    kept back until all are settled, and then change over in one transaction. Until then readers
    are served the whole former index, and a run that is cut off costs no more than its hashing.
    """

    def __init__(
        self,
        writer: Writer,
        root: Root,
        recipe_id: int,
        options: BuildOptions,
        waiting: _Waiting,
    ) -> None:
        self.report = WorkspaceReport(root)
        self._writer = writer
        self._recipe_id = recipe_id
        self._options = options
        self._started_ns = time.time_ns()
        findings = discover(root, use_git=options.use_git, max_bytes=options.max_file_size)
        self._files = findings.files
        self._skipped = findings.skipped
        self._notices = findings.notices
        self._folders = findings.folders
        self._retry_failed = options.retry_failed
        self._workspace_id = writer.start_run(root, recipe_id)
        self._keep_back = not writer.serves(self._workspace_id, recipe_id)
        self._before = writer.files(self._workspace_id, recipe_id)
        self._dirty: list[StoredFile] = []
        self._vanished: set[str] = set()
        self._waiting = waiting
        empty = not findings.files and not findings.skipped
        self.report.kept = empty and bool(self._before) and not options.allow_empty

    @property
    def total(self) -> int:
        """Java files that were found."""
        return len(self._files) + len(self._skipped)

    @property
    def settled(self) -> int:
        """How many of them have their final state; those that went meanwhile have one, too."""
        return self.report.files + len(self._vanished)

    def notices(self) -> Iterator[str]:
        """What a person should know before the work starts."""
        path = self.report.root.path
        if self.report.kept:
            yield (
                f"{path} holds no Java file, but its index has {len(self._before)}; "
                "it was left as it was (--allow-empty to empty it)"
            )
        elif not self.total:
            yield f"{path} holds no Java file"
        for problem in self._notices:
            self.report.problems.append(FileProblem(problem.path, "notice", problem.reason))

    def unknown_sources(self) -> Iterator[Source]:
        """Read what changed and yield each content that the store does not know, once."""
        for problem in self._skipped:
            self._skip(problem, _NO_STAT)
        for file in self._files:
            before = self._before.get(file.path)
            if before and before.stat == file.stat and self._is_known(before.outline):
                self._count(before)
                continue
            source = self._read(file)
            if source:
                yield source
            if len(self._dirty) >= _FLUSH:
                self.flush()
        self.flush()

    def finish(self) -> None:
        """Forget what is gone, place what is there, note that the folder is complete."""
        if not self.report.kept:
            if self._keep_back:
                self._write()
            self._forget_and_place()
            where = (self.report.root.path, self._folders, self._started_ns)
            rules = rule_stats(*where) if self._options.use_git else []
            self._writer.save_folders(
                self._workspace_id,
                [*folder_stats(*where), *rules],
                Lookout(self._options.use_git, self._options.max_file_size),
            )
            self._writer.finish_run(self._workspace_id, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
        self.report.symbols, self.report.types = self._writer.counts(self._workspace_id)

    def settle_known(self) -> None:
        """Store what is sure without a server: the folder is not complete by that."""
        if not self.report.kept and not self._keep_back:
            self.flush()
            self._forget_and_place()

    def _forget_and_place(self) -> None:
        found = {file.path for file in self._files} | {problem.path for problem in self._skipped}
        found -= self._vanished
        gone = [path for path in self._before if path not in found]
        self.report.removed = len(gone)
        if gone:
            self._writer.remove_files(self._workspace_id, gone)
        self._writer.place_files()

    def update_libraries(self, runtime: Runtime, progress: Progress) -> None:
        """Bring the types of the libraries that the folder uses up to date."""
        root, again = self.report.root, self._retry_failed
        found = update_libraries(self._writer, self._workspace_id, root, runtime, again=again)
        self.report.libraries = found
        for problem in found.problems:
            self.report.problems.append(FileProblem(".", "notice", problem))
            progress.notice(f"{root.path}: {problem}")

    def _read(self, file: JavaFile) -> Source | None:
        full = os.path.join(self.report.root.path, file.path)
        try:
            content = read(full, root=self.report.root.path)
        except FileNotFoundError:
            self._vanished.add(file.path)
            return None
        except (OSError, Unsteady) as exc:
            reason = exc.strerror if isinstance(exc, OSError) else str(exc)
            self._skip(Problem(file.path, reason or str(exc)), file.stat)
            return None
        return self._recognise(file.path, content)

    def _recognise(self, path: str, content: Content) -> Source | None:
        """Settle the file when its content is known, else return what to ask."""
        key, stem = content_key(content.data), stem_of(path)
        stored = StoredFile(path, content.stat.settled(time.time_ns()), None)
        ref = self._writer.find_outline(key, stem, self._recipe_id)
        if ref and self._is_known(ref):
            self.settle(stored, ref, FileState.REUSED, self._reason(ref))
            return None
        if not self._waiting.add(key, stem, self, stored):
            return None
        return Source((key, stem), stem, decode(content.data))

    def _is_known(self, ref: OutlineRef | None) -> bool:
        """False when a server must be asked; with `retry_failed` also for what failed before."""
        return ref is not None and not (ref.failed and self._retry_failed)

    def settle(self, file: StoredFile, ref: OutlineRef, state: FileState, reason: str) -> None:
        """Give a file its outline and its place in the report."""
        if ref.failed:
            state = FileState.FAILED
            self.report.problems.append(FileProblem(file.path, state.value, reason))
        self.report.counts[state] += 1
        self._dirty.append(StoredFile(file.path, file.stat, ref))

    def _count(self, before: StoredFile) -> None:
        """Count a file whose stat says that nothing changed."""
        assert before.outline
        if before.outline.failed:
            reason = self._reason(before.outline)
            self.report.problems.append(FileProblem(before.path, "failed", reason))
        state = FileState.FAILED if before.outline.failed else FileState.REUSED
        self.report.counts[state] += 1

    def _reason(self, ref: OutlineRef) -> str:
        return self._writer.failure(ref) if ref.failed else ""

    def _skip(self, problem: Problem, stat: FileStat) -> None:
        self.report.counts[FileState.SKIPPED] += 1
        self.report.problems.append(FileProblem(problem.path, "skipped", problem.reason))
        before = self._before.get(problem.path)
        if not before or before.skipped != problem.reason:
            self._dirty.append(StoredFile(problem.path, stat, None, problem.reason))

    def flush(self) -> None:
        """Write what was settled since the last time, unless it is to be kept back."""
        if self._dirty and not self._keep_back:
            self._write()

    def _write(self) -> None:
        self._writer.save_files(self._workspace_id, self._recipe_id, self._dirty)
        self._dirty.clear()


_FLUSH = 500
"""Files whose new state is kept in memory at most; a kill loses no more than their hashing."""

_NO_STAT = FileStat(0, -1, 0, 0)
