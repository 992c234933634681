"""What the index knows of one file, in whatever state it is, and answers made of that.

An outline can do without an index: the bytes are on disk and a server can be asked. So trouble with
the index is kept here and told, not raised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from indexer.errors import (
    IndexUnusable,
    RuntimeNotFound,
    ServerError,
    ServerStartFailed,
    ServerTimeout,
)
from indexer.files import Root
from indexer.javatext import stem_of
from indexer.model import Outline
from indexer.recipe import ContentKey
from indexer.standing import Standing
from indexer.store.nearest import widened
from indexer.store.reader import Entry, Reader, StoredOutline, Workspace
from query.contract import OutlineAnswer, Provenance, Reason
from query.paths import WorkspaceFile

_T = TypeVar("_T")

_WHY = {
    Standing.CHANGED: "the index has another content of this file",
    Standing.UNKNOWN: "the index does not know this file",
    Standing.OTHER_RECIPE: "the index has this content as another engine outlined it",
    Standing.DAMAGED: "the index has lost the outline of this content",
}
"""Why the index could not answer."""


class Known(NamedTuple):
    """How the index stands to the bytes of a file."""

    standing: Standing
    stored: StoredOutline | None = None
    """Given when that is `FRESH` or `FAILED`."""


class Shelf:
    """An open index, asked about single files; None for one that is not there or not usable."""

    def __init__(self, reader: Reader | None, trouble: str, tell: Callable[[str], None]) -> None:
        """`trouble` says what is wrong with an index that is there; `tell` is given what is."""
        self._reader = reader
        self._tell = tell
        self.trouble = trouble
        """What is wrong with the index, "" for nothing that showed."""
        if trouble:
            tell(trouble)

    def roots(self, roots: Sequence[Root], *, explicit: bool) -> tuple[Root, ...]:
        """Return `roots`; those that nobody named give way to indexed ones around them."""
        if explicit:
            return tuple(roots)
        return self.ask(lambda reader: widened(roots, reader), tuple(roots))

    def recipe(self, root: Root) -> str | None:
        """Return the recipe that `root` was indexed with, for a machine without an engine."""
        recipes = [each.recipe for each in self._workspaces() if each.root == root.path]
        return recipes[0] if recipes else None

    def look_up(self, file: WorkspaceFile, key: ContentKey, recipe: str | None) -> Known:
        """Return what the index knows of a file that has the content `key`."""
        lost = Known(Standing.DAMAGED)
        if self._reader is None:
            return lost if self.trouble else Known(Standing.UNKNOWN)
        return self.ask(lambda reader: _known(reader, file, key, recipe), lost)

    def last(self, file: WorkspaceFile, answer: OutlineAnswer) -> OutlineAnswer:
        """Return `answer` with the last outline of the file, marked stale; as it is without one."""
        last = self.ask(lambda reader: reader.last_outline(file.root.path, file.path), None)
        if last is None:
            return answer
        detail = f"the last outline that the index has of this path; {answer.message}"
        state = answer.provenance.state
        return answer._replace(
            outline=last.outline,
            reason=None,
            provenance=Provenance("index", state, last.indexed_at, detail=detail),
            stale=True,
        )

    def _workspaces(self) -> list[Workspace]:
        return self.ask(Reader.workspaces, list[Workspace]())

    def ask(self, question: Callable[[Reader], _T], otherwise: _T) -> _T:
        """Return what the index says, or `otherwise`, with what is wrong with it kept and told."""
        if self._reader is None:
            return otherwise
        try:
            return question(self._reader)
        except IndexUnusable as exc:
            self.trouble = str(exc)
            self._tell(self.trouble)
            return otherwise


def _known(reader: Reader, file: WorkspaceFile, key: ContentKey, recipe: str | None) -> Known:
    with reader.snapshot():
        stored = reader.outline(key, stem_of(file.path), recipe) if recipe else None
        if stored:
            return Known(Standing.FAILED if stored.failure else Standing.FRESH, stored)
        return Known(_why_not(reader.entry(file.root.path, file.path), key, recipe))


def _why_not(entry: Entry | None, key: ContentKey, recipe: str | None) -> Standing:
    """Why the index has no outline of the content `key` by `recipe` at a path."""
    if entry is None or entry.key is None:
        return Standing.UNKNOWN
    if entry.key != key:
        return Standing.CHANGED
    return Standing.DAMAGED if entry.recipe == recipe else Standing.OTHER_RECIPE


def why(standing: Standing, trouble: str) -> str:
    """Return why the index could not answer, for people."""
    return trouble or _WHY[standing]


def filled(
    answer: OutlineAnswer, outline: Outline, failure: str, provenance: Provenance
) -> OutlineAnswer:
    """Return `answer` with an outline in it, or with the reason why there is none."""
    if failure:
        message = (
            f"this content has no outline: {failure}; once the cause is mended, "
            "`javadex index --retry-failed` asks again"
        )
        return unready(answer, message, provenance._replace(state=Standing.FAILED))
    if not outline:
        return answer._replace(
            reason=Reason.DOCUMENT_SYMBOL_PROVIDER_EMPTY,
            message=f"{answer.file} declares no type, package or member",
            provenance=provenance,
        )
    return answer._replace(outline=outline, provenance=provenance)


def unready(answer: OutlineAnswer, message: str, provenance: Provenance) -> OutlineAnswer:
    """Return `answer` without symbols, and why: cause and remedy."""
    return answer._replace(
        reason=Reason.SERVER_NOT_FULLY_READY, message=message, provenance=provenance
    )


LOST = "call again; if it comes to the same, `javadex index` can give a server more memory (--heap)"
"""What to do when a server was lost over a text."""


def cause_of(error: ServerError, limit: float) -> str:
    """Return why no server answered in `limit` seconds, and what to do about it."""
    if isinstance(error, RuntimeNotFound):
        return str(error)  # which says both
    if not limit:
        return f"{error}; allow it some seconds, or run `javadex index`"
    if isinstance(error, ServerTimeout):
        return (
            f"no language server gave the outline within {limit:g} s (--live-timeout): {error}; "
            "call again, allow more, or run `javadex index`"
        )
    if isinstance(error, ServerStartFailed):
        return f"{error}; mend that, or name another Java or jdt.ls with --java or --jdtls"
    return f"{error}; {LOST}"
