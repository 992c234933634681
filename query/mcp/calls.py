"""A tool call in terms of the service: the answer's document, its text, its metadata. No SDK."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from indexer.engine import expected_recipe
from indexer.errors import IndexDamaged, IndexMissing, JavadexError
from indexer.files import is_unicode
from indexer.jdtls.runtime import java_here
from query.contract import (
    ErrorCode,
    FindAnswer,
    OutlineAnswer,
    Reason,
    ToolError,
    error_json,
    find_json,
    meta_json,
    outline_json,
)
from query.fit import find_within, outline_within, text_of
from query.mcp.inputs import FindInput, OutlineInput
from query.mcp.tools import REFRESH
from query.service import Scope, Service

_MEND = f"call {REFRESH}, which makes a damaged index anew; until then use text search"
_OBEY = "do what the error says; until then use text search"
_REPORT = "use text search, and report this"
_MOST_PROBLEMS = 20
"""Problems that a status lists; clients cap answers, and `javadex status` lists them all."""


class Reply(NamedTuple):
    """What goes back to the client."""

    document: dict[str, Any]
    text: str
    """The document as JSON."""
    is_error: bool = False
    meta: dict[str, Any] | None = None


def reply(
    document: dict[str, Any], *, is_error: bool = False, meta: dict[str, Any] | None = None
) -> Reply:
    """Return a reply of `document`; bytes of a path that are no UTF-8 are written as escapes."""
    text = text_of(document)
    if not text.isascii() and not is_unicode(text):
        document = _escaped(document)
        text = text_of(document)
    return Reply(document, text, is_error, meta)


def _escaped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _escaped(each) for key, each in value.items()}
    if isinstance(value, list):
        return [*map(_escaped, value)]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def failure(error: ToolError) -> Reply:
    """Return the reply that a call failed: a result, with what to do next."""
    return reply(error_json(error), is_error=True)


def find(service: Service, given: FindInput) -> tuple[Reply, FindAnswer | ToolError]:
    """Answer a call of findSymbol; with the reply comes what it is made of."""
    answer = service.find(given.query, limit=given.limit, kinds=given.kinds, path=given.path)
    if isinstance(answer, ToolError):
        return failure(answer), answer
    if given.max_chars is None:
        document = find_json(answer, declarations=given.declarations)
    else:
        document = find_within(answer, given.max_chars, declarations=given.declarations)
    return reply(document, meta=meta_json(answer.provenance)), answer


def outline(service: Service, given: OutlineInput) -> tuple[Reply, OutlineAnswer | ToolError]:
    """Answer a call of getFileStructure; with the reply comes what it is made of."""
    answer = service.outline(given.uri, limit=given.limit)
    if isinstance(answer, ToolError):
        return failure(answer), answer
    if given.max_chars is None or answer.reason:
        document = outline_json(answer)
    else:
        document = outline_within(answer, given.max_chars)
    return reply(document, meta=meta_json(answer.provenance)), answer


def failed(error: Exception) -> Reply:
    """Return the reply to a call that raised: an index that cannot be used, or a fault of ours."""
    if isinstance(error, JavadexError):
        hint = _MEND if isinstance(error, IndexDamaged) else _OBEY
        return failure(ToolError(ErrorCode.UNEXPECTED_ERROR, str(error), hint))
    return failure(
        ToolError(ErrorCode.UNEXPECTED_ERROR, f"internal error: {error!r:.500}", _REPORT)
    )


def status_of(scope: Scope, refresh: dict[str, Any]) -> Reply:
    """Answer a call of the status tool; `refresh` is how the last run got on."""
    from indexer import status  # seldom asked for, and it takes all that discovery takes

    try:
        state = status.status(
            scope.roots,
            scope.db,
            expected_recipe(scope.jdtls),
            explicit=scope.explicit,
            java=partial(java_here, scope.java),
        )
    except IndexMissing as exc:
        reason = Reason.SERVER_NOT_FULLY_READY.value
        message = scope.renewing() or scope.obstacle() or str(exc)
        return reply({"reason": reason, "message": message, "refresh": refresh})
    document = status.status_json(state)
    more = len(document["problems"]) - _MOST_PROBLEMS
    if more > 0:
        document["problems"] = document["problems"][:_MOST_PROBLEMS]
        document["moreProblems"] = more
    return reply(document | {"refresh": refresh})
