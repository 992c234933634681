"""The two tools' answers: frozen data, and the JSON of it (docs/tools.md). Knows no SQL, no jdtls.

Key order is part of the contract; an optional key is absent, never null. Lines are 1-based and
inclusive.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from indexer.model import Outline, Range, Symbol, SymbolKind
from indexer.standing import Standing

MAX_DEPTH = 4
"""Levels of an outline that are shown when a limit is set."""


class Reason(Enum):
    """Why an answer is empty."""

    SERVER_NOT_FULLY_READY = "serverNotFullyReady"
    WORKSPACE_SYMBOL_NO_MATCH = "workspaceSymbolNoMatch"
    DOCUMENT_SYMBOL_PROVIDER_EMPTY = "documentSymbolProviderEmpty"


class ErrorCode(Enum):
    """What was wrong with a call."""

    EMPTY_QUERY = "emptyQuery"
    INVALID_PARAMETER = "invalidParameter"
    FILE_NOT_FOUND = "fileNotFound"
    PERMISSION_DENIED = "permissionDenied"
    FILE_SYSTEM_UNAVAILABLE = "fileSystemUnavailable"
    UNSUPPORTED_URI_SCHEME = "unsupportedUriScheme"
    OUTSIDE_WORKSPACE = "outsideWorkspace"
    NO_WORKSPACE_FOLDER = "noWorkspaceFolder"
    AMBIGUOUS_WORKSPACE_PATH = "ambiguousWorkspacePath"
    UNEXPECTED_ERROR = "unexpectedError"


class Provenance(NamedTuple):
    """Where an answer came from; metadata, never part of the answer itself."""

    source: str
    """`index`, `live`, or `none` when neither could answer."""
    state: Standing = Standing.FRESH
    """What the index had, and so what led to the answer."""
    indexed_at: str = ""
    """When the index was last complete: UTC, ISO 8601."""
    left_out: tuple[tuple[Standing, int], ...] = ()
    """How many matches were left out, by what became of their files; none that is zero."""
    detail: str = ""
    """What a person may want to know: the form of the query that matched, why it went live."""


class Hit(NamedTuple):
    """A type or member that matches a query."""

    name: str
    kind: SymbolKind
    container: str
    document_uri: str
    file: str
    """Absolute path; empty for a type of a library."""
    selection_range: Range
    range: Range
    """Of the whole declaration."""
    signature: str = ""
    """Of a member: its label in the outline, `send(String)`."""
    library: str = ""
    """Of a type of a library: the library's name. Its ranges say nothing."""
    missing: str = ""
    """Path of the library's file when it is not on this machine: then the URI leads nowhere."""


class FindAnswer(NamedTuple):
    """Answer of `lsp_java_findSymbol`."""

    hits: tuple[Hit, ...]
    total: int
    reason: Reason | None = None
    """Set when there are no hits."""
    message: str = ""
    provenance: Provenance = Provenance("none", Standing.UNKNOWN)
    near: tuple[str, ...] = ()
    """Without a match: qualified names that may have been meant."""


class OutlineAnswer(NamedTuple):
    """Answer of `lsp_java_getFileStructure`."""

    document_uri: str
    file: str
    outline: Outline
    limit: int
    """Most symbols to show, nested ones included; 0 shows all, at every depth."""
    reason: Reason | None = None
    """Set when there are no symbols."""
    message: str = ""
    """Why there are no symbols, or none but stale ones."""
    provenance: Provenance = Provenance("none", Standing.UNKNOWN)
    stale: bool = False
    """True when the symbols are those of earlier bytes or another engine: lines may be wrong."""


class ToolError(NamedTuple):
    """A call that cannot be answered."""

    code: ErrorCode
    error: str
    hint: str = ""


def find_json(answer: FindAnswer | ToolError, *, declarations: bool = False) -> dict[str, Any]:
    """Return the JSON of a findSymbol answer; `declarations` adds what to read of each hit."""
    if isinstance(answer, ToolError):
        return error_json(answer)
    if answer.reason:
        missed: dict[str, Any] = {"results": [], "reason": answer.reason.value}
        missed["message"] = answer.message
        if answer.near:
            missed["didYouMean"] = list(answer.near)
        return missed
    document: dict[str, Any] = {
        "results": [_hit_json(hit, declarations) for hit in answer.hits],
        "total": answer.total,
    }
    if len(answer.hits) < answer.total:
        document["truncated"] = True
    return document


def outline_json(answer: OutlineAnswer | ToolError) -> dict[str, Any]:
    """Return the JSON of a getFileStructure answer."""
    if isinstance(answer, ToolError):
        return error_json(answer)
    if answer.reason:
        return {"symbols": [], "reason": answer.reason.value, "message": answer.message}
    symbols, truncated = pruned(answer.outline.symbols, answer.limit)
    document: dict[str, Any] = {
        "documentUri": answer.document_uri,
        "file": answer.file,
        "symbols": [_symbol_json(node) for node in symbols],
    }
    if truncated:
        document["truncated"] = True
    if answer.stale:
        document["stale"] = True
    return document


def meta_json(provenance: Provenance) -> dict[str, Any]:
    """Return the JSON of an answer's metadata, `_meta` (docs/tools.md)."""
    meta: dict[str, Any] = {"source": provenance.source, "state": provenance.state.value}
    if provenance.indexed_at:
        meta["indexedAt"] = provenance.indexed_at
    if provenance.left_out:
        meta["leftOut"] = {standing.value: count for standing, count in provenance.left_out}
    if provenance.detail:
        meta["detail"] = provenance.detail
    return meta


def error_json(error: ToolError) -> dict[str, Any]:
    """Return the JSON of an error; bytes of a path that are no UTF-8 are written as escapes."""
    text = error.error.encode("utf-8", "backslashreplace").decode()
    document = {"error": text, "errorCode": error.code.value}
    if error.hint:
        document["hint"] = error.hint
    return document


def pruned(symbols: tuple[Symbol, ...], limit: int) -> tuple[tuple[Symbol, ...], bool]:
    """Return the first `limit` symbols in reading order, at most `MAX_DEPTH` levels deep.

    Nested symbols count like others, before the next sibling of what holds them. With them comes
    whether any was left out. A limit of 0 leaves everything in.
    """
    if limit == 0:
        return symbols, False
    left, truncated = limit, False

    def level(nodes: tuple[Symbol, ...], depth: int) -> tuple[Symbol, ...]:
        nonlocal left, truncated
        shown = []
        for node in nodes:
            if left == 0 or depth > MAX_DEPTH:
                truncated = True
                break
            left -= 1
            shown.append(node._replace(children=level(node.children, depth + 1)))
        return tuple(shown)

    return level(symbols, 1), truncated


def _symbol_json(symbol: Symbol) -> dict[str, Any]:
    start, end = symbol.range.lines
    document: dict[str, Any] = {
        "name": symbol.name,
        "kind": symbol.kind.name,
        "startLine": start,
        "endLine": end,
        "readFileRange": _read_range(symbol.range),
        "range": f"L{start}-{end}",
    }
    if symbol.detail:
        document["detail"] = symbol.detail
    if symbol.children:
        document["children"] = [_symbol_json(child) for child in symbol.children]
    return document


def _hit_json(hit: Hit, declarations: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"name": hit.name, "kind": hit.kind.name}
    if hit.container:
        document["container"] = hit.container
    start, end = hit.selection_range.lines
    document |= {
        "documentUri": hit.document_uri,
        **_location_json(hit),
        "selectionRange": {"startLine": start, "endLine": end},
    }
    if hit.signature:
        document["signature"] = hit.signature
    if declarations and not hit.library:
        document["readFileRange"] = _read_range(hit.range)
    return document


def _location_json(hit: Hit) -> dict[str, Any]:
    if not hit.library:
        return {"file": hit.file, "outlineSupported": True}
    document: dict[str, Any] = {
        "outlineSupported": False,
        "unsupportedReason": ErrorCode.UNSUPPORTED_URI_SCHEME.value,
        "library": hit.library,
    }
    if hit.missing:
        document["libraryMissing"] = hit.missing
    return document


def _read_range(full: Range) -> dict[str, int]:
    start, end = full.lines
    return {"offset": start, "limit": end - start + 1}
