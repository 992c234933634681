"""What the warm server and its clients say to each other: frames of JSON, and data as JSON.

A frame is four bytes, the length of what follows (big-endian), and a JSON object. The server greets
with `hello`; then each request is answered by any number of `outcomes` and one `done` or `error`.
Before them comes a `busy` every `BEAT`, so that only a server that hangs is silent. What comes is
data, checked as it is read; a request names the Java that the server starts for it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import indexer
from indexer.errors import (
    RuntimeNotFound,
    ServerDied,
    ServerError,
    ServerStartFailed,
    ServerTimeout,
)
from indexer.jdtls.runtime import Java, JdtlsHome, Runtime
from indexer.jdtls.source import Outcome, Source
from indexer.model import Outline, Position, Range, Symbol, SymbolKind
from indexer.recipe import EXTRACTION

VERSION = f"{indexer.__version__}/2/{EXTRACTION}"
"""Who speaks: javadex, this protocol, and how outlines are derived. Both ends must agree."""

BEAT = 1.0
"""Seconds between two signs of life of a server at work."""

MAX_FRAME = 256 * 1024 * 1024
"""Bytes; nothing that is sent comes near it."""

LENGTH = 4
"""Bytes before a frame."""

_ERRORS = {
    each.__name__: each for each in (RuntimeNotFound, ServerDied, ServerStartFailed, ServerTimeout)
}


class Garbled(ServerError):
    """What came is not what the other end of this protocol sends."""


def frame(message: dict[str, Any]) -> bytes:
    """Return `message` as it is sent."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return len(body).to_bytes(LENGTH, "big") + body


def length_of(head: bytes) -> int:
    """Return the number of bytes that follow; raises `Garbled` for one that cannot be."""
    length = int.from_bytes(head, "big")
    if length > MAX_FRAME:
        raise Garbled(f"a frame of {length} bytes was announced")
    return length


def message_of(body: bytes) -> dict[str, Any]:
    """Return what a frame says; raises `Garbled` when it is no JSON object."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as exc:
        raise Garbled(f"a frame of {len(body)} bytes is no JSON: {exc}") from exc
    if not isinstance(message, dict):
        raise Garbled(f"a frame holds no object: {message!r:.100}")
    return message


def runtime_json(runtime: Runtime) -> Any:
    """Return a runtime as JSON."""
    return [list(runtime.java), list(runtime.jdtls)]


def runtime_from(found: Any) -> Runtime:
    """Return the runtime that `runtime_json` wrote; raises `Garbled`."""
    try:
        java, jdtls = Java(*found[0]), JdtlsHome(*found[1])
    except (TypeError, LookupError) as exc:
        raise Garbled(f"this is no runtime: {found!r:.100}") from exc
    if not all(isinstance(part, str) for part in (*java, *jdtls)):
        raise Garbled(f"this is no runtime: {found!r:.100}")
    return Runtime(java, jdtls)


def sources_json(sources: Sequence[Source]) -> Any:
    """Return sources as JSON; the place in the list takes the place of the key."""
    return [[source.stem, source.text] for source in sources]


def sources_from(found: Any) -> list[Source]:
    """Return the sources that `sources_json` wrote; raises `Garbled`."""
    if not isinstance(found, list) or not all(_is_source(each) for each in found):
        raise Garbled(f"these are no sources: {found!r:.100}")
    return [Source(number, stem, text) for number, (stem, text) in enumerate(found)]


def _is_source(found: Any) -> bool:
    is_pair = isinstance(found, list) and len(found) == 2
    return is_pair and all(isinstance(part, str) for part in found)


def outcome_json(outcome: Outcome) -> Any:
    """Return an outcome as JSON."""
    outline = outcome.outline
    rows = None if outline is None else [outline.dropped, _rows(outline)]
    return [outcome.source.key, rows, outcome.by_name, outcome.reason, outcome.lost]


def outcome_from(found: Any, sources: Sequence[Source]) -> Outcome:
    """Return the outcome that `outcome_json` wrote, of one of `sources`; raises `Garbled`."""
    try:
        number, rows, by_name, reason, lost = found
        if type(number) is not int or number < 0:  # true and -1 would be places, too
            raise ValueError(number)
        source = sources[number]
        outline = None if rows is None else Outline(_symbols(rows[1]), int(rows[0]))
        return Outcome(source, outline, bool(by_name), str(reason), bool(lost))
    except (TypeError, ValueError, LookupError, OverflowError) as exc:
        raise Garbled(f"this is no outcome: {found!r:.100}") from exc


def error_json(error: Exception) -> dict[str, Any]:
    """Return an error as JSON."""
    return {"error": type(error).__name__, "message": str(error)}


def error_from(message: dict[str, Any]) -> ServerError:
    """Return the error that `error_json` wrote; one of an unknown kind is a `ServerDied`."""
    kind = _ERRORS.get(str(message.get("error")), ServerDied)
    return kind(str(message.get("message", "the warm server failed and did not say why")))


def _rows(outline: Outline) -> list[list[Any]]:
    """All symbols in reading order, each with its depth: outlines nest deeper than JSON may."""
    rows, pending = [], [(0, symbol) for symbol in reversed(outline.symbols)]
    while pending:
        depth, node = pending.pop()
        full, name = node.range, node.selection_range
        rows.append(
            [
                *(depth, node.name, int(node.kind), node.detail, node.deprecated),
                *(*full.start, *full.end, *name.start, *name.end),
            ]
        )
        pending += [(depth + 1, child) for child in reversed(node.children)]
    return rows


def _symbols(rows: list[list[Any]]) -> tuple[Symbol, ...]:
    """Undo `_rows`: from the last to the first, so that children are there before their parent."""
    waiting: dict[int, list[Symbol]] = {}
    for depth, name, kind, detail, deprecated, *places in reversed(rows):
        if not all(isinstance(text, str) for text in (name, detail)):
            raise ValueError("a symbol without a name")
        at = [Position(int(places[place]), int(places[place + 1])) for place in (0, 2, 4, 6)]
        children = tuple(reversed(waiting.pop(depth + 1, ())))
        node = Symbol(
            *(name, SymbolKind(kind), Range(at[0], at[1]), Range(at[2], at[3])),
            *(detail, bool(deprecated), children),
        )
        waiting.setdefault(depth, []).append(node)
    symbols = tuple(reversed(waiting.pop(0, ())))
    if waiting:
        raise ValueError("symbols without a parent")
    return symbols
