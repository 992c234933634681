"""A language server that has its answers ready: the cost of a client is measured against it.

    python canned_server.py NODES

Answers `initialize` and `shutdown`, and every documentSymbol with one of a few outlines of NODES
symbols, encoded beforehand. Needs the standard library only.
"""

from __future__ import annotations

import json
import sys
from itertools import cycle
from typing import Any

VARIANTS = 40
"""Different outlines, sent in turn."""


def answers(nodes: int) -> list[list[dict[str, Any]]]:
    """Return documentSymbol results of `nodes` symbols each, shaped like those of jdt.ls."""
    return [_outline(nodes, variant) for variant in range(VARIANTS)]


def _outline(nodes: int, variant: int) -> list[dict[str, Any]]:
    package = _symbol(f"org.example.part{variant}", 4, 16, 16, "")
    holder = _symbol(f"Service{variant}", 5, 20, 20 + 8 * nodes, "")
    holder["children"] = [_member(variant, number) for number in range(nodes - 2)]
    return [package, holder]


def _member(variant: int, number: int) -> dict[str, Any]:
    line = 24 + 8 * number
    if number % 4 == 0:
        return _symbol(f"field{variant}_{number}", 8, line, line, "")
    node = _symbol(f"compute{variant}_{number}(String, Map<K, V>)", 6, line, line + 6, " : List<V>")
    if number % 8 == 7:
        node["tags"] = [1]
        node["deprecated"] = True
    return node


def _symbol(name: str, kind: int, first: int, last: int, detail: str) -> dict[str, Any]:
    return {
        "name": name,
        "detail": detail,
        "kind": kind,
        "range": _range(first, 4, last, 5 if last > first else 60),
        "selectionRange": _range(first, 16, first, 16 + len(name.partition("(")[0])),
        "children": [],
    }


def _range(line: int, column: int, end_line: int, end_column: int) -> dict[str, Any]:
    return {
        "start": {"line": line, "character": column},
        "end": {"line": end_line, "character": end_column},
    }


def serve(nodes: int) -> None:
    """Answer on stdout what comes on stdin, until `exit` or the end of the stream."""
    canned = cycle([json.dumps(answer).encode() for answer in answers(nodes)])
    while (message := _receive()) is not None:
        method = message.get("method")
        if method == "exit":
            return
        if "id" not in message:
            continue
        if method == "textDocument/documentSymbol":
            result = next(canned)
        else:
            result = b'{"capabilities": {}}' if method == "initialize" else b"null"
        body = b'{"jsonrpc": "2.0", "id": %b, "result": %b}' % (
            json.dumps(message["id"]).encode(),
            result,
        )
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        sys.stdout.buffer.flush()


def _receive() -> dict[str, Any] | None:
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if not length:
        return None
    message: dict[str, Any] = json.loads(sys.stdin.buffer.read(length))
    return message


if __name__ == "__main__":
    serve(int(sys.argv[1]))
