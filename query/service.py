"""The two answers: from the index where it is sure, live where it is not.

The hot path imports nothing heavy; `query.live` is imported when an answer goes live.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from indexer.engine import expected_recipe
from indexer.errors import IndexMissing, ServerError
from indexer.files import SUFFIX, Root, Unsteady, is_unicode, read
from indexer.javatext import stem_of
from indexer.jdtls.runtime import Runtime, locate
from indexer.limits import MAX_FILE_SIZE
from indexer.model import Outline, SymbolKind
from indexer.recipe import ContentKey, content_key, engine_of
from indexer.store.nearest import around
from indexer.store.reader import Reader, TypeRow, Workspace, open_reader
from indexer.types import enclosing_types
from indexer.uris import file_uri
from query.contract import (
    ErrorCode,
    FindAnswer,
    Hit,
    OutlineAnswer,
    Provenance,
    Reason,
    ToolError,
)
from query.freshness import Candidate, Freshness
from query.match import TypeQuery, compile_query
from query.paths import WorkspaceFile, resolve
from query.rank import RankKey, rank_key
from query.strict import as_jdtls_answers

DEFAULT_LIMIT = 20
"""Results, or symbols, when the caller sets no limit."""


class Scope(NamedTuple):
    """What questions are about: workspace folders, the index that has them, the engine."""

    roots: tuple[Root, ...]
    db: str
    java: str | None = None
    jdtls: str | None = None
    explicit: bool = True
    """False when no folder was named and `roots` is the working directory."""


class Service:
    """Answers questions about one scope; keeps the index open between them.

    Use as a context manager. Every answer is a value; what raises is a broken index
    (`IndexUnusable`), never a question.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._reader: Reader | None = None
        self._identity: tuple[int, int] | None = None
        self._recipe = expected_recipe(scope.jdtls)

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the index."""
        if self._reader:
            self._reader.close()
            self._reader = None

    def find(
        self, query: str, *, limit: int = DEFAULT_LIMIT, strict: bool = False
    ) -> FindAnswer | ToolError:
        """Return the types that `query` selects, best first; a limit of 0 returns all.

        `strict` answers as jdt.ls does, to the letter (docs/matching.md); otherwise a query's own
        trailing star keeps the exact name, and a query without a match is tried once more in the
        forms of `query.normalise`.
        """
        compiled = compile_query(query, strict=strict)
        if compiled is None:
            return ToolError(
                ErrorCode.EMPTY_QUERY,
                "the parameter `query` is blank",
                "pass a type's name, a part of it, or a pattern such as `*Service`",
            )
        try:
            reader = self._open()
        except IndexMissing as exc:
            return FindAnswer((), 0, Reason.SERVER_NOT_FULLY_READY, str(exc))
        with reader.snapshot():
            folders, unready = self._folders(reader)
            answer = self._search(reader, folders, compiled, limit, strict)
            if _is_empty(answer) and not strict:
                answer = self._retry(reader, folders, query, limit) or answer
        return _no_match(query, folders, unready) if _is_empty(answer) else answer

    def outline(self, uri: str, *, limit: int = DEFAULT_LIMIT) -> OutlineAnswer | ToolError:
        """Return the outline of the bytes that the file holds now.

        The file is read and hashed on every call; only a hash that the index knows is answered
        from it, every other goes live. A limit of 0 returns all symbols.
        """
        reader = self._open_if_any()
        roots = self._roots(reader)
        file = resolve(uri, roots)
        if isinstance(file, ToolError):
            return file
        content = _content_of(file, lambda: self._near(reader, file))
        if isinstance(content, ToolError):
            return content
        answer = OutlineAnswer(file_uri(file.full), file.full, Outline(), limit)
        if isinstance(content, str):
            return answer._replace(reason=Reason.DOCUMENT_SYMBOL_PROVIDER_EMPTY, message=content)
        return self._outline_of(content, file, answer, reader)

    def _outline_of(
        self, content: bytes, file: WorkspaceFile, answer: OutlineAnswer, reader: Reader | None
    ) -> OutlineAnswer:
        key, stem = content_key(content), stem_of(file.path)
        recipe = self._recipe or _recipe_in(reader, file.root)
        stored = reader.outline(key, stem, recipe) if reader and recipe else None
        if stored:
            return _filled(answer, stored.outline, stored.failure or "", Provenance("index"))
        if len(content) > MAX_FILE_SIZE:
            message = f"{file.full} has {len(content)} bytes, the limit is {MAX_FILE_SIZE}"
            return answer._replace(reason=Reason.SERVER_NOT_FULLY_READY, message=message)
        try:
            runtime = locate(self._scope.java, self._scope.jdtls)
            return self._ask_live(runtime, content, key, stem, answer)
        except ServerError as exc:
            return answer._replace(reason=Reason.SERVER_NOT_FULLY_READY, message=str(exc))

    def _ask_live(
        self,
        runtime: Runtime,
        content: bytes,
        key: ContentKey,
        stem: str,
        answer: OutlineAnswer,
    ) -> OutlineAnswer:
        from query.live import live_outline, remember

        outcome = live_outline(runtime, content, stem)
        remember(self._scope.db, runtime, key, outcome)
        why = "the index does not know this content"
        return _filled(
            answer, outcome.outline or Outline(), outcome.reason, Provenance("live", detail=why)
        )

    def _search(
        self,
        reader: Reader,
        folders: Mapping[int, Workspace],
        query: TypeQuery,
        limit: int,
        strict: bool,
    ) -> FindAnswer:
        rows = [
            row
            for row in reader.types(
                list(folders), query.name_hints, query.qualifier_hint, query.qualification_hint
            )
            if query.matches(row.name, row.qualification) and not (strict and row.hidden)
        ]
        rows = _once(rows, folders)
        candidates = [Candidate(row, row.ordinal) for row in rows]
        if strict:
            candidates = list(as_jdtls_answers(reader, rows))
        candidates.sort(key=lambda candidate: _rank(query, candidate.row))
        left = Freshness(reader, folders).filter(candidates, limit)
        hits = tuple(_hit(reader, folders, candidate) for candidate in left.shown)
        detail = f"query {query.text!r}"
        gone = len(left.changed) + left.deleted
        if gone:
            detail += f"; {gone} results left out, their files changed since the last run"
        since = min((folder.indexed_at or "" for folder in folders.values()), default="")
        provenance = Provenance("index", since, detail)
        if left.changed and not hits:
            message = _changed(left.changed, folders)
            return FindAnswer((), 0, Reason.SERVER_NOT_FULLY_READY, message, provenance)
        return FindAnswer(hits, len(candidates) - gone, provenance=provenance)

    def _retry(
        self, reader: Reader, folders: Mapping[int, Workspace], query: str, limit: int
    ) -> FindAnswer | None:
        from query.normalise import candidates

        for form in candidates(query):
            compiled = compile_query(form)
            if compiled:
                answer = self._search(reader, folders, compiled, limit, strict=False)
                if not _is_empty(answer):
                    return answer
        return None

    def _open(self) -> Reader:
        """The index as it is on disk now: one that was replaced is opened anew."""
        path = self._scope.db
        try:
            status = os.stat(path)
        except OSError:
            self.close()
            raise IndexMissing(f"there is no index at {path} yet; run `javadex index`") from None
        identity = (status.st_dev, status.st_ino)
        if self._reader and self._identity != identity:
            self.close()
        if not self._reader:
            self._reader, self._identity = open_reader(path), identity
        return self._reader

    def _open_if_any(self) -> Reader | None:
        """The index, or None before one was built: an outline can do without."""
        try:
            return self._open()
        except IndexMissing:
            return None

    def _roots(self, reader: Reader | None) -> tuple[Root, ...]:
        """The scope's folders; a folder that nobody named gives way to an indexed one around it."""
        if self._scope.explicit or not reader:
            return self._scope.roots
        indexed = [workspace.root for workspace in reader.workspaces()]
        return tuple(around(root, indexed) for root in self._scope.roots)

    def _folders(self, reader: Reader) -> tuple[dict[int, Workspace], list[str]]:
        """The indexed folders of the scope by id, and why others are not ready."""
        indexed = {workspace.root: workspace for workspace in reader.workspaces()}
        folders, unready = {}, []
        for root in self._roots(reader):
            workspace = indexed.get(root.path)
            if workspace is None:
                unready.append(f"{root.path} is not indexed yet; run `javadex index {root.path}`")
                continue
            if self._recipe and workspace.recipe != self._recipe:
                unready.append(
                    f"the index of {root.path} was made by {engine_of(workspace.recipe)}, here is "
                    f"{engine_of(self._recipe)}; run `javadex index {root.path}`"
                )
                continue
            if workspace.indexed_at is None:
                unready.append(f"{root.path} is still being indexed, or its run was interrupted")
            folders[workspace.id] = workspace
        return folders, unready

    def _near(self, reader: Reader | None, file: WorkspaceFile) -> list[str]:
        """Indexed paths that the caller may have meant."""
        from query.near import nearest

        if not reader:
            return []
        folders, _ = self._folders(reader)
        paths = [row.path for folder in folders for row in reader.files(folder)]
        return nearest(file.path, paths)


def _recipe_in(reader: Reader | None, root: Root) -> str | None:
    """The recipe that the index of `root` was made with, for a machine without an engine."""
    if not reader:
        return None
    recipes = [workspace.recipe for workspace in reader.workspaces() if workspace.root == root.path]
    return recipes[0] if recipes else None


def _is_empty(answer: FindAnswer) -> bool:
    """True when nothing matched, not even in a file that changed since."""
    return not answer.total and answer.reason is None


def _changed(rows: Sequence[TypeRow], folders: Mapping[int, Workspace]) -> str:
    paths = dict.fromkeys(os.path.join(folders[row.workspace_id].root, row.path) for row in rows)
    named = ", ".join(list(paths)[:3]) + (", ..." if len(paths) > 3 else "")
    return (
        f"{len(rows)} types matched, but their files changed since the last run: {named}; "
        "run `javadex index`, or ask for a file's outline, which is always up to date"
    )


def _no_match(query: str, folders: Mapping[int, Workspace], unready: Sequence[str]) -> FindAnswer:
    if unready:
        return FindAnswer((), 0, Reason.SERVER_NOT_FULLY_READY, "; ".join(unready))
    places = ", ".join(folder.root for folder in folders.values())
    when = min((folder.indexed_at or "" for folder in folders.values()), default="")
    return FindAnswer(
        (),
        0,
        Reason.WORKSPACE_SYMBOL_NO_MATCH,
        f"no type in {places} matches {query[:200]!r} (index complete at {when}); only types are "
        "searched by name: for a member look at the outline of its type, or search the text",
    )


def _once(rows: list[TypeRow], folders: Mapping[int, Workspace]) -> list[TypeRow]:
    """Of a file that lies in several of the folders, one inside the other, the inner one's rows."""
    if len(folders) < 2:
        return rows
    by_place: dict[tuple[str, int], TypeRow] = {}
    for row in sorted(rows, key=lambda row: len(folders[row.workspace_id].root)):
        full = os.path.join(folders[row.workspace_id].root, row.path)
        by_place[full, row.ordinal] = row
    return list(by_place.values())


def _rank(query: TypeQuery, row: TypeRow) -> RankKey:
    qualified = ".".join(filter(None, (_container(row), row.name)))
    return rank_key(query, row.name, row.qualification, False, qualified, row.path)


def _container(row: TypeRow) -> str:
    """Package of the folder, then the enclosing types (docs/matching.md, section 6)."""
    package = row.package if row.folder_package is None else row.folder_package
    return ".".join(filter(None, (package, enclosing_types(row.qualification, row.package))))


def _hit(reader: Reader, folders: Mapping[int, Workspace], candidate: Candidate) -> Hit:
    row = candidate.row
    full = os.path.join(folders[row.workspace_id].root, row.path)
    own = reader.place(row.outline_id, row.ordinal)
    kind = own.kind
    # jdt.ls has a kind of its own for records in outlines, but not in workspace/symbol.
    kind = SymbolKind.Class if kind is SymbolKind.Struct else kind
    same = candidate.ordinal == row.ordinal
    place = own if same else reader.place(row.outline_id, candidate.ordinal)
    return Hit(row.name, kind, _container(row), file_uri(full), full, place.selection_range)


def _content_of(file: WorkspaceFile, near: Callable[[], list[str]]) -> bytes | str | ToolError:
    """The file's bytes; or a word on why it has no outline; or the error that reading it gave."""
    full = file.full
    try:
        if os.path.isdir(full):
            return _not_found(file, "is a folder", near)
        if not is_unicode(full):
            os.stat(full)
            return f"{full!a} has a name that is not UTF-8, it has no place in the index"
        if not full.endswith(SUFFIX):
            os.stat(full)
            return f"{full} is no Java file; only *{SUFFIX} files have an outline here"
        return read(full).data
    except (FileNotFoundError, NotADirectoryError):
        return _not_found(file, "does not exist", near)
    except PermissionError:
        return ToolError(
            ErrorCode.PERMISSION_DENIED, f"{full} may not be read", "change its permissions"
        )
    except OSError as exc:
        return ToolError(
            ErrorCode.FILE_SYSTEM_UNAVAILABLE,
            f"{full} cannot be read: {exc.strerror or exc}",
            "check the file and the file system it lies on",
        )
    except Unsteady as exc:
        return ToolError(ErrorCode.UNEXPECTED_ERROR, f"{full}: {exc}", "call again")


def _not_found(file: WorkspaceFile, what: str, near: Callable[[], list[str]]) -> ToolError:
    paths = near()
    hint = (
        "nearest indexed paths: " + ", ".join(paths)
        if paths
        else "find the type with findSymbol and pass its documentUri"
    )
    return ToolError(ErrorCode.FILE_NOT_FOUND, f"{file.full} {what}", hint)


def _filled(
    answer: OutlineAnswer, outline: Outline, failure: str, provenance: Provenance
) -> OutlineAnswer:
    if failure:
        return answer._replace(
            reason=Reason.SERVER_NOT_FULLY_READY,
            message=f"this content has no outline: {failure}; once the cause is mended, "
            "`javadex index --retry-failed` asks again",
            provenance=provenance,
        )
    if not outline:
        return answer._replace(
            reason=Reason.DOCUMENT_SYMBOL_PROVIDER_EMPTY,
            message=f"{answer.file} declares no type, package or member",
            provenance=provenance,
        )
    return answer._replace(outline=outline, provenance=provenance)
