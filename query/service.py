"""The two answers: from the index where it is sure, live where it is not.

The hot path imports nothing heavy; `query.live` is imported when an answer goes live.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from indexer.engine import expected_recipe
from indexer.errors import IndexMissing, IndexUnusable, ServerError, ServerTimeout
from indexer.files import SUFFIX, Root, Unsteady, identity, is_unicode, read
from indexer.javatext import stem_of
from indexer.jdtls.runtime import java_here, locate
from indexer.limits import MAX_FILE_SIZE
from indexer.model import TYPE_KINDS, Outline, SymbolKind
from indexer.recipe import content_key, engine_of
from indexer.standing import Standing
from indexer.store.location import index_command
from indexer.store.nearest import widened
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
from query.outlining import LOST, Shelf, cause_of, filled, unready, why
from query.paths import WorkspaceFile, resolve, shown
from query.upkeep import Limits, Note, Upkeep


class Scope(NamedTuple):
    """What questions are about: workspace folders, the index that has them, the engine."""

    roots: tuple[Root, ...]
    db: str
    java: str | None = None
    jdtls: str | None = None
    explicit: bool = True
    """False when no folder was named and `roots` is the working directory."""
    upkeep: Limits = Limits()
    """What `find` may do about files that changed before it answers; its `renewal` is the time for
    a live outline, too, and 0 asks no server."""
    tell: Callable[[str], None] = lambda _message: None
    """Given what a person should know while waiting."""
    renewing: Callable[[], str] = lambda: ""
    """Says how a run of the indexer gets on that goes on beside, "" when there is none: what
    changed is left to it then. Called from the thread of the question."""
    obstacle: Callable[[], str] = lambda: ""
    """Says what kept the last such run from its end, and the remedy; "" for nothing. Told where
    the index lacks what such a run would have put there."""


class _Lacking(NamedTuple):
    """A workspace folder of the scope that cannot be searched, or not wholly."""

    standing: Standing
    message: str


class Service:
    """Answers questions about one scope; keeps the index open between them.

    Use as a context manager. Every answer is a value; what raises is an index that `find` cannot
    use (`IndexUnusable`), never a question.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._reader: Reader | None = None
        self._identity: tuple[int, int] | None = None
        self._upkeep = Upkeep(
            scope.db, scope.upkeep, scope.java, scope.jdtls, scope.tell, scope.renewing
        )
        self._recipe = expected_recipe(scope.jdtls)
        self._told: set[str] = set()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the index, and stop watching."""
        self._upkeep.close()
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
            answer = self._found(query, options)
            if _shows_changes(answer) and self._upkeep.distrust():
                answer = self._found(query, options)
                self._upkeep.settle(helped=not _shows_changes(answer))
        except IndexMissing as exc:
            cause = str(exc).rpartition("; ")[0]
            message = self._expected() or f"{cause}; run `{self._command(*self._scope.roots)}`"
            return FindAnswer((), 0, Reason.SERVER_NOT_FULLY_READY, message)
        return answer

    def _found(self, query: str, options: FindOptions) -> FindAnswer:
        """Look after the index, then search; the other way round where that is as good.

        While the system is being asked what happened there is time to search. The answer holds if
        nothing did: a look at files takes a while, in which those of the hits may change.
        """
        reader = self._open()
        if not self._upkeep.begin():
            note = self._upkeep.note(reader, self._indexed)
        else:
            version = reader.version
            early = self._search(reader, query, options)
            note = self._upkeep.note(reader, self._indexed)
            if not note.took_a_look and reader.version == version:
                return _noted(early[0], note, early[1])
        answer, lacking = self._search(self._open(), query, options)
        return _noted(answer, note, lacking)

    def _search(
        self, reader: Reader, query: str, options: FindOptions
    ) -> tuple[FindAnswer, list[_Lacking]]:
        with reader.snapshot():
            folders, lacking = self._folders(reader)
            finder = Finder(reader, folders, options, partial(java_here, self._scope.java))
            answer = finder.answer(query)
            if answer is None:
                answer = self._miss(reader, query, options, folders, lacking)
                answer = _with_left_out(answer, finder.left_out)
        return answer, lacking

    def _indexed(self, reader: Reader) -> list[Workspace]:
        """The folders of the scope that a run has indexed to the end."""
        return [folder for folder in self._folders(reader)[0].values() if folder.indexed_at]

    def _miss(
        self,
        reader: Reader,
        query: str,
        options: FindOptions,
        folders: Mapping[int, Workspace],
        lacking: Sequence[_Lacking],
    ) -> FindAnswer:
        if lacking:
            message = self._expected() or "; ".join(each.message for each in lacking)
            provenance = Provenance("none", lacking[0].standing)
            return FindAnswer((), 0, Reason.SERVER_NOT_FULLY_READY, message, provenance)
        places = ", ".join(folder.root for folder in folders.values())
        when = min((folder.indexed_at or "" for folder in folders.values()), default="")
        return FindAnswer(
            (),
            0,
            Reason.WORKSPACE_SYMBOL_NO_MATCH,
            f"nothing in {places} matches {query[:200]!r}{_filters(options)} "
            f"(index complete at {when}){'' if options.kinds else _ONLY_TYPES}",
            Provenance("index", indexed_at=when, detail="no form of the query matched"),
            self._near_names(reader, query, options, folders) if _wants_types(options) else (),
        )

    def _near_names(
        self, reader: Reader, query: str, options: FindOptions, folders: Mapping[int, Workspace]
    ) -> tuple[str, ...]:
        """Names of types that may have been meant, of those that would be found."""
        from query.suggest import near_names

        finder = Finder(reader, folders, options._replace(limit=1))

        def is_found(name: str) -> bool:
            answer = finder.answer(name)
            return answer is not None and any(
                hit.name == name.rpartition(".")[2] for hit in answer.hits
            )

        names = near_names(reader, list(folders), query, libraries=options.libraries)
        return tuple(filter(is_found, names))

    def outline(
        self, uri: object, *, limit: int = DEFAULT_LIMIT, allow_stale: bool = False
    ) -> OutlineAnswer | ToolError:
        """Return the outline of the bytes that the file holds now.

        The file is read and hashed on every call; only a hash that the index knows is answered
        from it, every other goes live. A limit of 0 returns all symbols. With `allow_stale`, the
        last outline that the index has of the path stands in, marked, where there is no other.
        """
        if not isinstance(uri, str):
            return _invalid("uri", uri, "a text")
        if not _is_limit(limit):
            return _invalid("limit", limit, _WANTED["limit"][1])
        shelf = self._shelf()
        file = resolve(uri, shelf.roots(self._scope.roots, explicit=self._scope.explicit))
        if isinstance(file, ToolError):
            return file
        content = _content_of(file, lambda: shelf.ask(lambda reader: self._near(reader, file), []))
        if isinstance(content, ToolError):
            return content
        answer = OutlineAnswer(file_uri(file.full), file.full, Outline(), limit)
        if isinstance(content, str):
            return answer._replace(
                reason=Reason.DOCUMENT_SYMBOL_PROVIDER_EMPTY,
                message=content,
                provenance=Provenance("none", Standing.SKIPPED),
            )
        answer = self._outline_of(content, file, answer, shelf)
        if allow_stale and answer.reason is Reason.SERVER_NOT_FULLY_READY:
            return shelf.last(file, answer)
        return answer

    def _outline_of(
        self, content: bytes, file: WorkspaceFile, answer: OutlineAnswer, shelf: Shelf
    ) -> OutlineAnswer:
        key = content_key(content)
        known = shelf.look_up(file, key, self._recipe or shelf.recipe(file.root))
        if known.stored:
            stored, provenance = known.stored, Provenance("index", known.standing)
            return filled(answer, stored.outline, stored.failure or "", provenance)
        if len(content) > MAX_FILE_SIZE:
            message = (
                f"{file.full} has {len(content)} bytes, the limit is {MAX_FILE_SIZE}; "
                "`javadex index --max-file-size 0` knows none"
            )
            return unready(answer, message, Provenance("none", Standing.SKIPPED))
        because = why(known.standing, shelf.trouble)
        provenance = Provenance("live", known.standing, detail=because)
        try:
            return self._ask_live(content, file, answer, provenance)
        except ServerError as exc:
            cause = cause_of(exc, self._scope.upkeep.renewal)
            both = f"{cause}; besides, {shelf.trouble}" if shelf.trouble else cause
            return unready(answer, both, provenance._replace(source="none"))

    def _ask_live(
        self, content: bytes, file: WorkspaceFile, answer: OutlineAnswer, provenance: Provenance
    ) -> OutlineAnswer:
        seconds = self._scope.upkeep.renewal
        if not seconds:
            raise ServerTimeout("no language server is asked with --live-timeout 0")
        runtime = locate(self._scope.java, self._scope.jdtls)
        from query.live import live_outline

        outcome = live_outline(runtime, content, stem_of(file.path), seconds)
        if outcome.lost:
            message = f"{outcome.reason}; {LOST}"
            return unready(answer, message, provenance._replace(source="none"))
        if provenance.state is not Standing.DAMAGED:  # nothing is added to what cannot be trusted
            from query.remember import remember

            remember(self._scope.db, runtime, content_key(content), outcome)
        return filled(answer, outcome.outline or Outline(), outcome.reason, provenance)

    def _expected(self) -> str:
        """What comes of a run beside that will bring, or was to bring, what is lacking; or ""."""
        return self._scope.renewing() or self._scope.obstacle()

    def _command(self, *roots: Root) -> str:
        return index_command(roots, self._scope.db)

    def _open(self) -> Reader:
        """The index as it is on disk now: what SQLite would not see change is opened anew."""
        path = self._scope.db
        there = identity(path)
        is_same = there is not None and there == self._identity
        if self._reader and not (is_same and self._reader.is_current):
            self.close()
        if not self._reader:
            self._reader, self._identity = open_reader(path), there
        return self._reader

    def _shelf(self) -> Shelf:
        """The index as far as it is usable: an outline can do without."""
        try:
            return Shelf(self._open(), "", self._tell_once)
        except IndexMissing:
            return Shelf(None, "", self._tell_once)
        except IndexUnusable as exc:
            return Shelf(None, str(exc), self._tell_once)

    def _tell_once(self, trouble: str) -> None:
        if trouble not in self._told:
            self._told.add(trouble)
            self._scope.tell(trouble)

    def _roots(self, reader: Reader) -> tuple[Root, ...]:
        """The scope's folders; a folder that nobody named gives way to an indexed one around it."""
        if self._scope.explicit:
            return self._scope.roots
        return widened(self._scope.roots, reader)

    def _folders(self, reader: Reader) -> tuple[dict[int, Workspace], list[_Lacking]]:
        """The indexed folders of the scope by id, and what is lacking of the scope."""
        indexed = {workspace.root: workspace for workspace in reader.workspaces()}
        folders, lacking = {}, list[_Lacking]()
        for root in self._roots(reader):
            workspace = indexed.get(root.path)
            if workspace is None:
                message = f"{root.path} is not indexed yet; run `{self._command(root)}`"
                lacking.append(_Lacking(Standing.UNKNOWN, message))
                continue
            if self._is_foreign(workspace):
                message = (
                    f"the index of {root.path} was made by {engine_of(workspace.recipe)}, here is "
                    f"{engine_of(self._recipe or '')}; run `{self._command(root)}`"
                )
                lacking.append(_Lacking(Standing.OTHER_RECIPE, message))
                continue
            if workspace.indexed_at is None:
                message = f"{root.path} is still being indexed, or its run was interrupted"
                lacking.append(_Lacking(Standing.UNKNOWN, message))
            folders[workspace.id] = workspace
        return folders, lacking

    def _is_foreign(self, workspace: Workspace) -> bool:
        """True when its outlines are another engine's than the one here, as that is now."""
        if self._recipe and workspace.recipe != self._recipe:
            self._recipe = expected_recipe(self._scope.jdtls)
        return self._recipe not in (None, workspace.recipe)

    def _near(self, reader: Reader, file: WorkspaceFile) -> list[str]:
        """Indexed files that the caller may have meant, absolute; those that are there still."""
        from query.near import nearest

        folders, _ = self._folders(reader)
        paths = [
            os.path.join(folder.root, row.path)
            for folder in folders.values()
            for row in reader.files(folder.id)
        ]
        return [path for path in nearest(file.path, paths) if os.path.isfile(path)]


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
    filters += [f"paths {shown(options.path)!r}"] if options.path else []
    return f" with {' and '.join(filters)}" if filters else ""


def _wants_types(options: FindOptions) -> bool:
    """True when any type would do: names of types may be offered."""
    return not options.path and (options.kinds is None or options.kinds >= TYPE_KINDS)


def _shows_changes(answer: FindAnswer) -> bool:
    """True when the files of its hits changed or went since the index was looked after."""
    return any(
        each in (Standing.CHANGED, Standing.DELETED) for each, _ in answer.provenance.left_out
    )


def _with_left_out(answer: FindAnswer, left_out: tuple[tuple[Standing, int], ...]) -> FindAnswer:
    """A miss with what matched and no longer stands: files that are gone, if any."""
    if not left_out or answer.provenance.source == "none":
        return answer
    provenance = answer.provenance._replace(state=left_out[0][0], left_out=left_out)
    return answer._replace(provenance=provenance)


def _noted(answer: FindAnswer, note: Note, lacking: Sequence[_Lacking]) -> FindAnswer:
    """The answer with what was done for it, and what it may lack, in its metadata.

    Nothing found in an index that is known to be outdated, or that was not held against all files,
    does not mean that there is nothing.
    """
    provenance = answer.provenance
    is_miss = answer.reason is Reason.WORKSPACE_SYMBOL_NO_MATCH
    if note.is_outdated:
        provenance = provenance._replace(source="index", state=Standing.CHANGED)
    elif note.is_incomplete and is_miss:
        provenance = provenance._replace(state=Standing.UNKNOWN)
    elif lacking and provenance.state in (Standing.FRESH, Standing.LIBRARY_UNKNOWN):
        provenance = provenance._replace(state=lacking[0].standing)
    if is_miss and (note.is_outdated or note.is_incomplete):
        message = f"{answer.message}; but {note.text}"
        answer = answer._replace(reason=Reason.SERVER_NOT_FULLY_READY, message=message)
    more = (each.message for each in lacking if each.message not in answer.message)
    detail = "; ".join(filter(None, (provenance.detail, note.text, *more)))
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
            hint = "an outline is of one Java file: pass the path of one in it"
            return ToolError(ErrorCode.FILE_NOT_FOUND, f"{full} is a folder", hint)
        if not is_unicode(full):
            os.stat(full)
            return f"{full!a} has a name that is not UTF-8, it has no place in the index"
        if not full.endswith(SUFFIX):
            os.stat(full)
            return f"{full} is no Java file; only *{SUFFIX} files have an outline here"
        return read(full, root=file.root.path).data
    except (FileNotFoundError, NotADirectoryError):
        return _not_found(file, near)
    except PermissionError:
        return ToolError(
            ErrorCode.PERMISSION_DENIED, f"{full} may not be read", "change its permissions"
        )
    except OSError as exc:
        return ToolError(
            ErrorCode.FILE_SYSTEM_UNAVAILABLE,
            f"{shown(full)} cannot be read: {exc.strerror or exc}",
            "check the file and the file system it lies on",
        )
    except Unsteady as exc:
        return ToolError(ErrorCode.UNEXPECTED_ERROR, f"{full}: {exc}", "call again")


def _not_found(file: WorkspaceFile, near: Callable[[], list[str]]) -> ToolError:
    paths = near()
    hint = (
        "nearest indexed files: " + ", ".join(paths)
        if paths
        else "find the type by its name, and pass the documentUri of the result"
    )
    return ToolError(ErrorCode.FILE_NOT_FOUND, f"{shown(file.full)} does not exist", hint)
