"""The use case of `javadex verify`: what the index says against what a live jdt.ls says.

The live side is `query.truth`. Outlines are documentSymbol's of closed files, field by field; types
are workspace/symbol's, as sets, against strict answers. Every difference gets a verdict and a
reason. Reads the index and the files, writes neither.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from indexer.build import Progress
from indexer.discovery import discover
from indexer.engine import recipe_of
from indexer.errors import IndexMissing, IndexUnusable, ServerStartFailed
from indexer.files import Root, Unsteady, read
from indexer.javatext import stem_of
from indexer.jdtls.runtime import Runtime, locate
from indexer.jdtls.standard import StandardOptions
from indexer.limits import MAX_FILE_SIZE
from indexer.recipe import content_key, engine_of
from indexer.store.location import index_command
from indexer.store.nearest import widened
from indexer.store.reader import FileRow, Reader, Workspace, open_reader
from indexer.types import declared_package
from query.contract import FindAnswer
from query.parity import (
    Class,
    Difference,
    Kind,
    Nodes,
    Split,
    Type,
    indexed_types,
    nodes_of,
    outline_differences,
    sample_queries,
    type_names,
    type_splits,
)
from query.service import Scope, Service
from query.truth import GENERATED, Known, Tree, Truth, open_generated, open_truth

_MOST_ASKED_AGAIN = 200
"""Differences that are asked for a second time; more of them are no accident."""

_SHOWN = 3
"""Places where an outline differs that are told; one wrong place moves what follows."""


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """What to compare and how."""

    sample: int = 0
    """Number of files to compare; 0 takes all."""
    seed: int = 1
    """Of the choice of files and queries: equal for an equal tree, sample and seed."""
    queries: int = 50
    """Most queries to ask of both sides."""
    use_git: bool = True
    max_file_size: int = MAX_FILE_SIZE
    server: StandardOptions = field(default_factory=StandardOptions)


@dataclass(frozen=True, slots=True)
class WorkspaceReport:
    """What came of one workspace folder."""

    root: Root
    project: str
    """How the live server saw it: `maven`, `gradle`, `eclipse` (own import) or `generated`."""
    import_problem: str
    """Why the build's own import could not be used, or what it lacks; "" for neither."""
    files: int
    """Compared."""
    nodes: int
    """In the live outlines."""
    types: int
    """In the live answers."""
    queries: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What came of all of them."""

    workspaces: tuple[WorkspaceReport, ...]
    seconds: float

    @property
    def holds(self) -> bool:
        """True when no difference is left that nothing explains."""
        return not any(
            difference.verdict is Class.REAL
            for workspace in self.workspaces
            for difference in workspace.differences
        )


def verify(scope: Scope, options: VerifyOptions, progress: Progress) -> VerifyReport:
    """Compare the index with a live server, for every workspace folder of the scope.

    Raises `IndexUnusable` when the index cannot be compared, `ServerError` when a server fails.
    """
    started = time.monotonic()
    reader = open_reader(scope.db)
    try:
        runtime = locate(scope.java, scope.jdtls)
        reports = tuple(
            _verify_folder(_Side(reader, workspace, root, scope), runtime, options, progress)
            for workspace, root in _indexed(reader, scope, runtime)
        )
    finally:
        reader.close()
    return VerifyReport(reports, time.monotonic() - started)


def _indexed(reader: Reader, scope: Scope, runtime: Runtime) -> list[tuple[Workspace, Root]]:
    by_root = {workspace.root: workspace for workspace in reader.workspaces()}
    roots = scope.roots if scope.explicit else widened(scope.roots, reader)
    recipe = recipe_of(runtime.jdtls).fingerprint
    for root in roots:
        remedy = f"run `{index_command([root], scope.db)}`"
        if root.path not in by_root:
            raise IndexMissing(f"{root.path} is not in the index {scope.db}; {remedy}")
        if (made_by := by_root[root.path].recipe) != recipe:
            raise IndexUnusable(
                f"the index of {root.path} was made by {engine_of(made_by)}, here is "
                f"{engine_of(recipe)}; {remedy}"
            )
    return [(by_root[root.path], root) for root in roots]


class _Side:
    """What the index says of one workspace folder."""

    def __init__(self, reader: Reader, workspace: Workspace, root: Root, scope: Scope) -> None:
        self.root = root
        self._reader = reader
        self._workspace = workspace
        self._scope = scope

    def rows(self) -> dict[str, FileRow]:
        """The files, by path."""
        return {row.path: row for row in self._reader.files(self._workspace.id)}

    def known(self, path: str, row: FileRow | None) -> Known | str:
        """What the index knows of the bytes that the file holds now; or why it speaks of others."""
        if row is None:
            return "the file is not in the index"
        if row.skipped:
            return f"the index left the file out: {row.skipped}"
        try:
            key = content_key(read(os.path.join(self.root.path, path), root=self.root.path).data)
        except (OSError, Unsteady) as exc:
            return f"the file cannot be read: {getattr(exc, 'strerror', None) or exc}"
        if row.digest != key.digest:
            return "the file holds other bytes than those that were indexed"
        stored = self._reader.outline(key, stem_of(path), self._workspace.recipe)
        if stored is None:
            return "the index has lost the outline of these bytes"
        return Known(path, key, declared_package(stored.outline), bool(stored.outline))

    def nodes(self, file: Known) -> Nodes:
        """The stored outline, or why there is none."""
        stored = self._reader.outline(file.key, stem_of(file.path), self._workspace.recipe)
        if stored is None:
            return "no outline"
        return stored.failure or list(nodes_of(stored.outline.symbols))

    def types(self, queries: list[str]) -> dict[str, set[Type]]:
        """Strict answers to the queries. Raises `IndexUnusable` when the index will not answer."""
        found = {}
        with Service(self._scope._replace(roots=(self.root,), explicit=True)) as service:
            for query in queries:
                answer = service.find(query, limit=0, strict=True, libraries=False)
                if not isinstance(answer, FindAnswer):
                    raise IndexUnusable(f"the index refuses the query {query!r}: {answer.error}")
                found[query] = indexed_types(answer.hits, self._path)
        return found

    def _path(self, full: str) -> str | None:
        return os.path.relpath(full, self.root.path)


def _verify_folder(
    side: _Side, runtime: Runtime, options: VerifyOptions, progress: Progress
) -> WorkspaceReport:
    tree, stale = _survey(side, options)
    progress.start(len(tree.chosen))
    if not tree.chosen:
        return WorkspaceReport(side.root, GENERATED, "", 0, 0, 0, 0, tuple(stale))
    return asyncio.run(_compare_live(side, tree, stale, runtime, options, progress))


def _survey(side: _Side, options: VerifyOptions) -> tuple[Tree, list[Difference]]:
    """Look at the files: those whose bytes the index knows, and differences for the others."""
    found = discover(side.root, use_git=options.use_git, max_bytes=options.max_file_size)
    on_disk = {file.path for file in found.files}
    left_out = {problem.path for problem in found.skipped}
    rows = side.rows()
    every = sorted(on_disk | {path for path in rows if path not in left_out})
    chosen = set(every)
    if options.sample:
        size = min(options.sample, len(every))
        generator = random.Random(options.seed)  # noqa: S311 - a repeatable sample, no secret
        chosen = set(generator.sample(every, size))
    known, others, stale = dict[str, Known](), [], []
    for path in every:
        if path in on_disk:
            state = side.known(path, rows.get(path))
            if isinstance(state, Known):
                known[path] = state
                continue
            others.append(path)
        else:
            gone = not os.path.lexists(os.path.join(side.root.path, path))
            state = "the file is gone" if gone else "the file is no longer part of the workspace"
        if path in chosen:
            stale.append(_stale(path, state))
    return Tree(side.root, known, tuple(others), tuple(p for p in known if p in chosen)), stale


def _stale(path: str, reason: str) -> Difference:
    return Difference(Class.STALE, Kind.OUTLINE, path, f"{reason}; run `javadex index`")


@dataclass(slots=True)
class _Findings:
    """What one server's answers gave, not yet judged."""

    nodes: int = 0
    types: int = 0
    queries: int = 0
    outlines: dict[str, tuple[list[str], bool]] = field(default_factory=dict)
    """By path: where the outlines part, and whether the live one is empty."""
    names: set[str] = field(default_factory=set)
    """Of types in live outlines."""
    splits: list[tuple[str, Split]] = field(default_factory=list)
    """With the query that found them; "" for the comparison of all types."""
    wavering: list[Difference] = field(default_factory=list)
    """What was no difference any more when jdt.ls was asked again."""


async def _compare_live(
    side: _Side,
    tree: Tree,
    stale: list[Difference],
    runtime: Runtime,
    options: VerifyOptions,
    progress: Progress,
) -> WorkspaceReport:
    truth = await open_truth(tree, runtime, options.server)
    try:
        if truth.problem:
            progress.notice(f"{side.root.path}: {truth.problem}")
        stale += [
            _stale(path, "the file has just changed")
            for path in tree.chosen
            if path in truth.changed
        ]
        paths = [path for path in tree.chosen if path not in truth.changed]
        findings = await _outlines(side, tree, truth, paths, progress)
        await _types(side, truth, paths, findings, options)
        await _ask_again(side, tree, truth, findings)
    finally:
        await truth.close()
    second = await _second_look(side, tree, truth, findings, runtime, options)
    judged = [*_judged_outlines(truth, findings, second), *_judged_types(truth, findings, second)]
    return WorkspaceReport(
        side.root,
        truth.project,
        truth.problem,
        len(paths),
        findings.nodes,
        findings.types,
        findings.queries,
        (*stale, *findings.wavering, *judged),
    )


async def _outlines(
    side: _Side, tree: Tree, truth: Truth, paths: list[str], progress: Progress | None
) -> _Findings:
    findings = _Findings()

    def take(path: str, theirs: Nodes) -> None:
        ours = side.nodes(tree.known[path])
        parted = outline_differences(ours, theirs)
        if parted:
            findings.outlines[path] = (parted, not theirs)
        findings.nodes += 0 if isinstance(theirs, str) else len(theirs)
        findings.names |= type_names(theirs)
        if progress:
            progress.advance(1)

    await truth.outlines(paths, take)
    return findings


async def _types(
    side: _Side, truth: Truth, paths: list[str], findings: _Findings, options: VerifyOptions
) -> None:
    """Compare all types of the files, then the answers to a sample of queries."""
    comparable = {path for path in paths if not truth.unseen(path)}

    def of_these(types: set[Type]) -> set[Type]:
        return {found for found in types if found.path in comparable}

    ours = of_these(side.types(["*"])["*"])
    queries = ["*"]
    if options.sample and truth.has_all_files:  # `*` would make the server open every file
        queries = sorted(findings.names | {found.name for found in ours})
    theirs = of_these(set().union(*(await truth.types(queries)).values()))
    findings.types = len(theirs)
    findings.splits = [("", split) for split in type_splits(ours, theirs)]
    told = {found for _, split in findings.splits for found in (*split.ours, *split.theirs)}
    asked = sample_queries(ours | theirs, options.queries, options.seed)
    findings.queries = len(asked)
    indexed, live = side.types(asked), await truth.types(asked)
    for query in asked:
        mine, others = of_these(indexed[query]) - told, of_these(live[query]) - told
        findings.splits += [(query, split) for split in type_splits(mine, others)]


async def _ask_again(side: _Side, tree: Tree, truth: Truth, findings: _Findings) -> None:
    """Ask once more, one at a time, for what differs: only what jdt.ls says twice is its answer."""
    doubtful = [path for path in findings.outlines if not truth.unseen(path)]
    if len(doubtful) + len(findings.splits) > _MOST_ASKED_AGAIN:
        return

    def take(path: str, theirs: Nodes) -> None:
        if not outline_differences(side.nodes(tree.known[path]), theirs):
            parted, _ = findings.outlines.pop(path)
            findings.wavering.append(_wavering(Kind.OUTLINE, path, parted[0]))

    await truth.outlines(doubtful, take, at_once=1)
    answers = await truth.types(
        dict.fromkeys(query or split.name for query, split in findings.splits)
    )
    kept = []
    for query, split in findings.splits:
        live = {
            found
            for found in answers[query or split.name]
            if (found.path, found.name) == (split.path, split.name)
        }
        if live.issuperset(split.ours) and live.isdisjoint(split.theirs):
            kind, subject, detail = _told(query, split)
            findings.wavering.append(_wavering(kind, subject, detail))
        else:
            kept.append((query, split))
    findings.splits = kept


def _wavering(kind: Kind, subject: str, detail: str) -> Difference:
    reason = "asked again, jdt.ls gives what the index has"
    return Difference(Class.EXCEPTION, kind, subject, f"{detail}; {reason}")


async def _second_look(
    side: _Side,
    tree: Tree,
    truth: Truth,
    findings: _Findings,
    runtime: Runtime,
    options: VerifyOptions,
) -> Mapping[str, bool]:
    """Ask a second server, over a generated project, about what the build's own import answers.

    Returns the files whose outlines are the stored ones there, with whether the first answer was
    empty: it is the build that leaves them out, or has them read in its own way.
    """
    doubtful = [path for path in findings.outlines if not truth.unseen(path)]
    if not doubtful or not truth.has_all_files:
        return {}
    # With one that both sides have seen: a server that answers for it is not merely unready.
    agreed = [
        path
        for path in tree.chosen
        if path not in findings.outlines and tree.known[path].has_symbols
    ]
    again = Tree(tree.root, tree.known, (), (*doubtful, *agreed[:1]))
    try:
        other = await open_generated(again, runtime, options.server)
    except ServerStartFailed:
        return {}  # it answers nothing for all of them, either
    try:
        looked = await _outlines(side, again, other, doubtful, None)
    finally:
        await other.close()
    return {path: findings.outlines[path][1] for path in doubtful if path not in looked.outlines}


def _judged_outlines(
    truth: Truth, findings: _Findings, second: Mapping[str, bool]
) -> Iterator[Difference]:
    for path, (parted, live_is_empty) in sorted(findings.outlines.items()):
        verdict, reason = _why_not_real(truth, path, second, live_is_empty=live_is_empty)
        more = [f"and {len(parted) - _SHOWN} more"] if len(parted) > _SHOWN else []
        words = [*parted[:_SHOWN], *more, *([reason] if reason else [])]
        yield Difference(verdict, Kind.OUTLINE, path, "; ".join(words))


def _judged_types(
    truth: Truth, findings: _Findings, second: Mapping[str, bool]
) -> Iterator[Difference]:
    for query, split in findings.splits:
        verdict, reason = _why_not_real(truth, split.path, second, live_is_empty=not split.theirs)
        if verdict is Class.REAL and (known := _exception(truth, findings, split)):
            verdict, reason = Class.EXCEPTION, known
        kind, subject, detail = _told(query, split)
        yield Difference(verdict, kind, subject, detail + (f"; {reason}" if reason else ""))


def _exception(truth: Truth, findings: _Findings, split: Split) -> str:
    """The documented reason for a difference in types, "" for none."""
    if split.path in truth.strays and _but_for_container(split.ours) == _but_for_container(
        split.theirs
    ):
        return "no source root fits its package, and jdt.ls takes the container from the root"
    if truth.nested(split.path) and not split.theirs and split.name in findings.names:
        return "of a source folder inside another one live workspace/symbol loses the types"
    return ""


def _but_for_container(types: Iterable[Type]) -> set[Type]:
    return {found._replace(container="") for found in types}


def _told(query: str, split: Split) -> tuple[Kind, str, str]:
    if query:
        return Kind.QUERY, query, f"{split.path}: {split.detail}"
    return Kind.TYPE, split.path, split.detail


def _why_not_real(
    truth: Truth, path: str, second: Mapping[str, bool], *, live_is_empty: bool
) -> tuple[Class, str]:
    if live_is_empty and (reason := truth.unseen(path)):
        return Class.SKIPPED, f"jdt.ls does not look at the file: {reason}"
    if path in second:
        if second[path] and live_is_empty:
            return Class.SKIPPED, "the imported project leaves the file out of its source folder"
        if level := truth.java(path):
            return Class.EXCEPTION, f"the build has the file read as Java {level}"
    return Class.REAL, ""
