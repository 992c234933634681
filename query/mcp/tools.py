"""What the tools are called, take and give, as plain data: names, texts, JSON schemas. Pure.

The contract is that of VS Code's Java tools (docs/tools.md); inputs beyond it are optional. An
example is part of a tool's text and a call that must work (tests/mcp/test_examples.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from indexer.model import SymbolKind
from query.contract import ErrorCode, Reason
from query.kinds import KINDS
from query.limits import DEFAULT_LIMIT

FIND = "lsp_java_findSymbol"
OUTLINE = "lsp_java_getFileStructure"
STATUS = "javadex_status"
REFRESH = "javadex_refresh"

MOST_HITS = 50
MOST_NODES = 60
LEAST_CHARS = 500
"""A smaller `maxChars` is taken for this one: it would not hold a single symbol."""
LONGEST_WAIT = 600

INSTRUCTIONS = (
    "Java navigation from an index of what the Eclipse JDT language server knows. Find a type with "
    f"{FIND}, pass its documentUri to {OUTLINE}, read only the lines of the member you need "
    "(readFileRange). Answers take milliseconds and are never stale. With the reason "
    "serverNotFullyReady the answer is not known yet: its message says what to do. "
    f"{REFRESH} waits until the index is up to date."
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as clients see it."""

    name: str
    title: str
    text: str
    inputs: dict[str, Any]
    """JSON Schemas of the parameters, by name."""
    output: dict[str, Any]
    """JSON Schema of the answer, errors included."""
    required: tuple[str, ...] = ()
    examples: tuple[dict[str, Any], ...] = ()
    read_only: bool = True

    @property
    def description(self) -> str:
        """The text with the examples."""
        if not self.examples:
            return self.text
        shown = "\n".join(json.dumps(each) for each in self.examples)
        return f"{self.text}\nExamples:\n{shown}"

    @property
    def input(self) -> dict[str, Any]:
        """JSON Schema of the input."""
        schema = {"type": "object", "properties": self.inputs, "additionalProperties": False}
        return schema | {"required": list(self.required)} if self.required else schema


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _one_of(*shapes: dict[str, Any]) -> dict[str, Any]:
    """A schema for answers of several shapes; its root says object, as MCP wants it."""
    return {"type": "object", "anyOf": [*shapes]}


_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}
_COUNT = {"type": "integer", "minimum": 0}
_LINE = {"type": "integer", "minimum": 1}
_KIND = {"type": "string", "enum": [kind.name for kind in SymbolKind]}
_READ = _object({"offset": _LINE, "limit": _LINE}, "offset", "limit")
_ERROR = _object(
    {
        "error": _TEXT,
        "errorCode": {"type": "string", "enum": [code.value for code in ErrorCode]},
        "hint": _TEXT,
    },
    "error",
    "errorCode",
)
_MAX_CHARS = {
    "type": "integer",
    "minimum": LEAST_CHARS,
    "description": "Most characters of an answer with results or symbols. What does not fit is "
    "left out whole, and counted in `omitted`. Never cut: errors, messages, a file's documentUri "
    "and path.",
}
_OMITTED = {"truncated": {"const": True}, "omitted": _LINE}


def _reasons(*reasons: Reason) -> dict[str, Any]:
    return {"type": "string", "enum": [reason.value for reason in reasons]}


_HIT = _object(
    {
        "name": _TEXT,
        "kind": _KIND,
        "container": _TEXT,
        "documentUri": _TEXT,
        "file": _TEXT,
        "outlineSupported": _FLAG,
        "unsupportedReason": _TEXT,
        "library": _TEXT,
        "libraryMissing": _TEXT,
        "selectionRange": _object({"startLine": _LINE, "endLine": _LINE}, "startLine", "endLine"),
        "signature": _TEXT,
        "readFileRange": _READ,
    },
    *("name", "kind", "documentUri", "outlineSupported", "selectionRange"),
)

_NODE = _object(
    {
        "name": _TEXT,
        "kind": _KIND,
        "startLine": _LINE,
        "endLine": _LINE,
        "readFileRange": _READ,
        "range": {"type": "string", "pattern": "^L[0-9]+-[0-9]+$"},
        "detail": _TEXT,
        "children": {"type": "array", "items": {"$ref": "#/$defs/symbol"}},
    },
    *("name", "kind", "startLine", "endLine", "readFileRange", "range"),
)

_REFRESHING = {
    "state": {"type": "string", "enum": ["running", "done", "failed", "never"]},
    "done": _COUNT,
    "total": _COUNT,
    "problem": _TEXT,
    "notices": {"type": "array", "items": _TEXT},
}

_FIND = Tool(
    FIND,
    "Find Java types and members",
    "Locate Java types (classes, interfaces, enums, records, annotations) by name: exact, prefix, "
    "camel humps (`OrdSer`), `*` patterns, or qualified (`shop.orders.Order`). Case counts only in "
    "humps. Use it instead of text search when you look for a declaration. Members are found with "
    "`kinds`, or as `Order#total`. A result's selectionRange holds the lines of the name alone; "
    f"pass its documentUri to {OUTLINE} if outlineSupported is true, or ask with `declarations` "
    "for what to read. No result: `reason` and `message` say why, `didYouMean` what is near.",
    {
        "query": {
            "type": "string",
            "description": "A name, its beginning, humps, a pattern, or Type#member.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_HITS,
            "default": DEFAULT_LIMIT,
            "description": "Most results. Out of range is clamped.",
        },
        "kinds": {
            "type": "array",
            "items": {"type": "string", "enum": list(KINDS)},
            "description": "What to look for; types if left out.",
        },
        "declarations": {
            "type": "boolean",
            "default": False,
            "description": "Add to every result in a source the lines of its whole declaration "
            "(readFileRange): saves the outline.",
        },
        "path": {
            "type": "string",
            "description": "Glob over paths below the workspace folder; `*` takes slashes, too.",
        },
        "maxChars": _MAX_CHARS,
    },
    _one_of(
        _object(
            {"results": {"type": "array", "items": _HIT}, "total": _COUNT, **_OMITTED},
            *("results", "total"),
        ),
        _object(
            {
                "results": {"type": "array", "maxItems": 0},
                "reason": _reasons(Reason.SERVER_NOT_FULLY_READY, Reason.WORKSPACE_SYMBOL_NO_MATCH),
                "message": _TEXT,
                "didYouMean": {"type": "array", "items": _TEXT},
            },
            *("results", "reason", "message"),
        ),
        _ERROR,
    ),
    ("query",),
    (
        {"query": "OrderService"},
        {"query": "OrdSer", "limit": 5},
        {"query": "*Service", "path": "src/main/*"},
        {"query": "Order#total", "declarations": True},
        {"query": "find*", "kinds": ["method"], "maxChars": 4000},
    ),
)

_OUTLINE = Tool(
    OUTLINE,
    "Outline of a Java file",
    "Hierarchical outline of a Java file, as its bytes are on disk at the call: classes, methods, "
    "fields, each with its lines. Use it before reading a file: pick the symbol, read just its "
    "readFileRange (offset: first line, 1-based; limit: number of lines). At most 4 levels deep; "
    "`truncated` means that limit or depth left symbols out.",
    {
        "uri": {
            "type": "string",
            "description": f"documentUri of a result of {FIND}, an absolute path, or a path below "
            "a workspace folder.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_NODES,
            "default": DEFAULT_LIMIT,
            "description": "Most symbols, nested ones included. Out of range is clamped.",
        },
        "maxChars": _MAX_CHARS,
    },
    _one_of(
        _object(
            {
                "documentUri": _TEXT,
                "file": _TEXT,
                "symbols": {"type": "array", "items": {"$ref": "#/$defs/symbol"}},
                **_OMITTED,
            },
            *("documentUri", "file", "symbols"),
        ),
        _object(
            {
                "symbols": {"type": "array", "maxItems": 0},
                "reason": _reasons(
                    Reason.SERVER_NOT_FULLY_READY, Reason.DOCUMENT_SYMBOL_PROVIDER_EMPTY
                ),
                "message": _TEXT,
            },
            *("symbols", "reason", "message"),
        ),
        _ERROR,
    )
    | {"$defs": {"symbol": _NODE}},
    ("uri",),
    (
        {"uri": "src/main/java/shop/orders/OrderService.java"},
        {"uri": "src/main/java/shop/orders/OrderService.java", "limit": 60, "maxChars": 8000},
    ),
)

_STATUS = Tool(
    STATUS,
    "State of the Java index",
    "How well the index fits the files on disk: workspace folders, files by their state, problems, "
    "and whether it is being brought up to date. For when answers seem incomplete.",
    {},
    _one_of(
        _object(
            {
                "db": _TEXT,
                "schema": _COUNT,
                "engine": _TEXT,
                "workspaces": {"type": "array", "items": {"type": "object"}},
                "problems": {"type": "array", "items": {"type": "object"}},
                "moreProblems": _LINE,
                "refresh": _object(_REFRESHING, "state"),
            },
            *("db", "workspaces", "problems", "refresh"),
        ),
        _object(
            {"reason": _TEXT, "message": _TEXT, "refresh": _object(_REFRESHING, "state")},
            *("reason", "message", "refresh"),
        ),
        _ERROR,
    ),
    examples=({},),
)

_REFRESH = Tool(
    REFRESH,
    "Bring the Java index up to date",
    "Start to bring the index up to date, unless that is going on, and wait for its end for `wait` "
    "seconds. Rarely needed: it begins by itself when the server starts, and searches look for "
    "changed files first. Reports progress to clients that ask for it.",
    {
        "wait": {
            "type": "integer",
            "minimum": 0,
            "maximum": LONGEST_WAIT,
            "default": 30,
            "description": "Seconds to wait for its end. Out of range is clamped.",
        },
        "retryFailed": {
            "type": "boolean",
            "default": False,
            "description": "Ask again for files that had no outline earlier.",
        },
    },
    _one_of(_object(_REFRESHING, "state"), _ERROR),
    examples=({}, {"wait": 0}),
    read_only=False,
)

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (_FIND, _OUTLINE, _STATUS, _REFRESH)}
"""All tools by their names."""
