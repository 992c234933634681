"""The two answers: from the index where it is sure, live where it is not.

The hot path imports nothing heavy; `query.live` is imported when an answer goes live.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from indexer.engine import expected_recipe
from indexer.errors import IndexMissing, RuntimeNotFound, ServerError
from indexer.files import SUFFIX, Root, Unsteady, is_unicode, read
from indexer.javatext import stem_of
from indexer.jdtls.runtime import Runtime, locate, locate_java
from indexer.limits import MAX_FILE_SIZE
from indexer.model import TYPE_KINDS, Outline, SymbolKind
from indexer.recipe import ContentKey, content_key, engine_of
from indexer.store.nearest import around
from indexer.store.reader import Reader, Workspace, open_reader
from indexer.uris import file_uri
from query.contract import (
    ErrorCode,
    FindAnswer,
    OutlineAnswer,
    Provenance,
    Reason,
    ToolError,
)
from query.finding import Finder, FindOptions
from query.limits import DEFAULT_LIMIT
from query.match import is_blank
from query.paths import WorkspaceFile, resolve
from query.upkeep import Limits, Upkeep


class Scope(NamedTuple):
    """What questions are about: workspace folders, the index that has them, the engine."""

    roots: tuple[Root, ...]
    db: str
    java: str | None = None
    jdtls: str | None = None
    explicit: bool = True
    """False when no folder was named and `roots` is the working directory."""
    upkeep: Limits = Limits()
    """What `find` may do about files that changed before it answers."""
    tell: Callable[[str], None] = lambda _message: None
    """Given what a person should know while waiting."""


class Service:
    """Answers questions about one scope; keeps the index open between them.

    Use as a context manager. Every answer is a value; what raises is a broken index
    (`IndexUnusable`), never a question.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._reader: Reader | None = None
        self._identity: tuple[int, int] | None = None
        self._upkeep = Upkeep(scope.db, scope.upkeep, scope.java, scope.jdtls, scope.tell)
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

    def find(self, query: object, **wanted: Any) -> FindAnswer | ToolError:
        """Return what `query` selects, best first; keywords are the fields of `FindOptions`.

        Types by default. Without `strict`, a query's own trailing star keeps the exact name, and a
        query without a match is tried once more in the forms that it may mean (docs/matching.md).
        """
        if not isinstance(query, str):
            return _invalid("query", query, "a text")
        options = _options(wanted)
        if isinstance(options, ToolError):
            return options
        if is_blank(query):
            return ToolError(
                ErrorCode.EMPTY_QUERY,
                "the parameter `query` is blank",
                "pass a type's name, a part of it, or a pattern such as `*Service`",
            )
        try:
            reader = self._open()
        except IndexMissing as exc:
            return FindAnswer((), 0, Reason.SERVER_NOT_FULLY_READY, str(exc))
        note = self._upkeep.note(reader, self._indexed)
        with reader.snapshot():
            folders, unready = self._folders(reader)
            finder = Finder(reader, folders, options, self._java)
            answer = finder.answer(query) or self._miss(reader, query, options, folders, unready)
        return _noted(answer, note)

    def _indexed(self, reader: Reader) -> list[Workspace]:
        """The folders of the scope that a run has indexed to the end."""
        return [folder for folder in self._folders(reader)[0].values() if folder.indexed_at]

    def _java(self) -> str:
        """The Java that would run the language server here, "" for none."""
        try:
            return locate_java(self._scope.java, os.environ).executable
        except RuntimeNotFound:
            return ""

    def _miss(
        self,
        reader: Reader,
        query: str,
        options: FindOptions,
        folders: Mapping[int, Workspace],
        unready: Sequence[str],
    ) -> FindAnswer:
        if unready:
            return FindAnswer((), 0, Reason.SERVER_NOT_FULLY_READY, "; ".join(unready))
        from query.suggest import near_names

        places = ", ".join(folder.root for folder in folders.values())
        when = min((folder.indexed_at or "" for folder in folders.values()), default="")
        return FindAnswer(
            (),
            0,
            Reason.WORKSPACE_SYMBOL_NO_MATCH,
            f"nothing in {places} matches {query[:200]!r}{_filters(options)} "
            f"(index complete at {when}){'' if options.kinds else _ONLY_TYPES}",
            Provenance("index", when, "no form of the query matched"),
            near_names(reader, list(folders), query, libraries=options.libraries)
            if _wants_types(options)
            else (),
        )

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


def _options(wanted: Mapping[str, Any]) -> FindOptions | ToolError:
    """The options with `wanted` in them, or what is wrong with the first that cannot be right."""
    for name, value in wanted.items():
        if name not in _WANTED:
            known = ", ".join(_WANTED)
            return ToolError(
                ErrorCode.INVALID_PARAMETER, f"there is no parameter `{name}`", f"pass {known}"
            )
        is_right, text = _WANTED[name]
        if not is_right(value):
            return _invalid(name, value, text)
    return FindOptions(**wanted)


def _is_limit(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _are_kinds(value: object) -> bool:
    return value is None or (
        isinstance(value, frozenset) and all(isinstance(kind, SymbolKind) for kind in value)
    )


def _is_glob(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_GLOB and is_unicode(value)


_MOST = 1 << 31
_LONGEST_GLOB = 10_000
"""SQLite refuses globs above 50,000 bytes; no path is that long."""

_WANTED: dict[str, tuple[Callable[[object], bool], str]] = {
    "limit": (_is_limit, f"a whole number from 0 to {_MOST}"),
    "strict": (_is_switch, "true or false"),
    "kinds": (_are_kinds, "a set of symbol kinds, or none"),
    "source_methods": (_is_switch, "true or false"),
    "path": (_is_glob, f"a glob of at most {_LONGEST_GLOB} characters, all of them Unicode"),
    "libraries": (_is_switch, "true or false"),
}
"""What each option of a search must be."""


_ONLY_TYPES = (
    "; only types were searched: for a member ask for its kind, or look at the outline of its type"
)


def _filters(options: FindOptions) -> str:
    """What a miss may be due to, beside the query."""
    kinds = sorted(kind.name for kind in options.kinds or ())
    filters = [f"kinds {', '.join(kinds)}"] if kinds else []
    filters += [f"paths {options.path!r}"] if options.path else []
    return f" with {' and '.join(filters)}" if filters else ""


def _wants_types(options: FindOptions) -> bool:
    """True when any type would do: names of types may be offered."""
    return not options.path and (options.kinds is None or options.kinds >= TYPE_KINDS)


def _noted(answer: FindAnswer, note: str) -> FindAnswer:
    if not note:
        return answer
    provenance = answer.provenance
    detail = "; ".join(filter(None, (provenance.detail, note)))
    return answer._replace(provenance=provenance._replace(detail=detail))


def _invalid(parameter: str, value: object, wanted: str) -> ToolError:
    return ToolError(
        ErrorCode.INVALID_PARAMETER,
        f"the parameter `{parameter}` is {value!r:.200}",
        f"pass {wanted}",
    )


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
