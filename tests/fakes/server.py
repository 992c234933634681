"""A language server that misbehaves on request, for faults that the real one has only by accident.

It stands where `java` would: the runtime's command line starts it. It understands a toy Java (see
`outline`), honours open documents and changes as jdt.ls does, and takes its faults from
`faults.json` beside the script. It proves nothing about jdt.ls; for that there is the real one.

Faults (all optional):
    exit_at_start: {"code": 13, "stderr": "text"}   end before the first message
    silent_at_start: true                           never answer `initialize`
    never_ready: true                               answer it, but never send ServiceReady
    outlives_stdin: true                            stay alive when the stream from us ends
    deaf: "marker"                                  read nothing after a document that holds it
    reads: [65536, 0.05]                            take messages in pieces of so many bytes, and
                                                    wait so many seconds between two
    noise: ["line", ...]                            print these to stdout before the first header
    report: "/path"                                 write argv, environment and pid there, as JSON
    early_empties: 3                                answer [] to the first three outline requests
    delay: 0.05                                     seconds before each outline
    answers: "/path"                                append every answer to our requests, as JSON
    on: {"marker": "fault", ...}                    when a text holds the marker, do this:
        die, oom, hang, empty, flat, degenerate, huge, broken_json, broken_header, reject, stale,
        misplaced, wander, notalist, ill_typed, close, late, compact,
        only_last
    late: 2                                         how often `late` answers [] before it is right
    asked: "/path"                                  append the name of every outlined document's
                                                    first type, one per line
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote

TOKEN = re.compile(
    r"\s*(?:(?P<package>package\s+(?P<pname>[\w.]+)\s*;)"
    r"|(?P<type>(?P<keyword>class|interface|enum)\s+(?P<name>\w+)\s*\{)"
    r"|(?P<field>int\s+(?P<fname>\w+)\s*;)"
    r"|(?P<method>void\s+(?P<mname>\w+)\(\)\s*\{\s*\})"
    r"|(?P<close>\})|(?P<junk>//[^\r\n]*|/\*(?s:.*?)\*/|\S))"
)
LINE_END = re.compile(r"\r\n|\r|\n")
KINDS = {"class": 5, "interface": 11, "enum": 10}


def outline(text: str) -> list[dict[str, Any]]:
    """Symbols of toy Java: packages, types with `{ }`, `int x;`, `void m() {}`, comments."""
    top: list[dict[str, Any]] = []
    stack: list[dict[str, Any]] = []
    for match in TOKEN.finditer(text):
        into = stack[-1]["children"] if stack else top
        if match["package"]:
            into.append(symbol(text, match, "package", "pname", 4))
        elif match["type"]:
            node = symbol(text, match, "type", "name", KINDS[match["keyword"]])
            into.append(node)
            stack.append(node)
        elif match["field"]:
            into.append(symbol(text, match, "field", "fname", 8))
        elif match["method"]:
            into.append(symbol(text, match, "method", "mname", 6, "()"))
        elif match["close"] and stack:
            stack.pop()["range"]["end"] = position(text, match.end("close"))
    for node in stack:
        node["range"]["end"] = position(text, len(text))
    return top


def symbol(
    text: str, match: re.Match[str], group: str, name: str, kind: int, suffix: str = ""
) -> dict[str, Any]:
    return {
        "name": match[name] + suffix,
        "kind": kind,
        "range": span(text, match.start(group), match.end(group)),
        "selectionRange": span(text, match.start(name), match.end(name)),
        "children": [],
    }


def span(text: str, start: int, end: int) -> dict[str, Any]:
    return {"start": position(text, start), "end": position(text, end)}


def position(text: str, offset: int) -> dict[str, int]:
    """Lines end as LSP says, columns count UTF-16 units."""
    lines = LINE_END.split(text[:offset])
    return {"line": len(lines) - 1, "character": len(lines[-1].encode("utf-16-le")) // 2}


def on_disk(uri: str) -> str:
    """The text of a document that is not open."""
    path = Path(unquote(uri.removeprefix("file://")))
    return path.read_bytes().decode("utf-8", "surrogatepass") if path.exists() else ""


class FakeServer:
    """Reads requests from stdin and answers on stdout, until a fault or the end of the stream."""

    def __init__(self, faults: dict[str, Any]) -> None:
        self.faults = faults
        self.documents: dict[str, str] = {}
        self.before: dict[str, str] = {}
        self.outlined = 0
        self.late = 0

    def run(self) -> None:
        while (message := self.receive()) is not None:
            method = message.get("method")
            handler = getattr(self, str(method).replace("/", "_").replace("$", ""), None)
            if method is None:
                self.note_answer(message)
            elif handler:
                handler(message.get("params"), message.get("id"))
            elif "id" in message:
                self.answer(message["id"], None)

    def receive(self) -> Any | None:
        length = 0
        while line := sys.stdin.buffer.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.body(length)) if length else None

    def body(self, length: int) -> bytes:
        piece, pause = self.faults.get("reads", (length, 0))
        parts = []
        for start in range(0, length, piece):
            time.sleep(pause if start else 0)
            parts.append(sys.stdin.buffer.read(min(piece, length - start)))
        return b"".join(parts)

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        sys.stdout.buffer.flush()

    def answer(self, request: Any, result: Any) -> None:
        self.send({"id": request, "result": result})

    def initialize(self, _params: Any, request: Any) -> None:
        if self.faults.get("silent_at_start"):
            time.sleep(3600)
        self.answer(request, {"capabilities": {}})

    def initialized(self, _params: Any, _request: Any) -> None:
        self.send({"id": "r1", "method": "client/registerCapability", "params": {}})
        self.send({"id": "r2", "method": "unheard/of", "params": {}})
        items = {"items": [{"section": "java"}, {"section": "editor"}]}
        self.send({"id": "r3", "method": "workspace/configuration", "params": items})
        self.send({"id": "r4", "method": "workspace/configuration"})
        if not self.faults.get("never_ready"):
            self.send({"method": "language/status", "params": {"type": "Starting"}})
            self.send({"method": "language/status", "params": {"type": "ServiceReady"}})

    def textDocument_didOpen(self, params: Any, _request: Any) -> None:  # noqa: N802
        document = params["textDocument"]
        self.take(document["uri"], document["text"])

    def textDocument_didChange(self, params: Any, _request: Any) -> None:  # noqa: N802
        uri = params["textDocument"]["uri"]
        self.before[uri] = self.documents[uri]
        self.take(uri, params["contentChanges"][0]["text"])

    def take(self, uri: str, text: str) -> None:
        self.documents[uri] = text
        if "deaf" in self.faults and self.faults["deaf"] in text:
            time.sleep(3600)

    def textDocument_didClose(self, params: Any, _request: Any) -> None:  # noqa: N802
        self.documents.pop(params["textDocument"]["uri"], None)

    def textDocument_documentSymbol(self, params: Any, request: Any) -> None:  # noqa: N802
        uri = params["textDocument"]["uri"]
        text = self.documents[uri] if uri in self.documents else on_disk(uri)
        self.outlined += 1
        time.sleep(self.faults.get("delay", 0))
        if self.outlined <= self.faults.get("early_empties", 0):
            self.answer(request, [])
            return
        faults = self.faults.get("on", {}).items()
        fault = next((fault for marker, fault in faults if marker in text), "")
        if fault:
            getattr(self, f"do_{fault}")(request, uri, text)
        else:
            self.note(text)
            self.answer(request, outline(text))

    def note_answer(self, message: Any) -> None:
        if "answers" in self.faults:
            with Path(self.faults["answers"]).open("a", encoding="utf-8") as log:
                log.write(json.dumps(message) + "\n")

    def note(self, text: str) -> None:
        if "asked" in self.faults:
            found = re.search(r"(?:class|interface|enum)\s+(\w+)", text)
            with Path(self.faults["asked"]).open("a", encoding="utf-8") as log:
                log.write(f"{found[1] if found else '-'}\n")

    def do_die(self, *_: Any) -> None:
        print("the fake dies now", file=sys.stderr, flush=True)
        os._exit(13)

    def do_oom(self, *_: Any) -> None:
        message = "Terminating due to java.lang.OutOfMemoryError: Java heap space"
        print(message, file=sys.stderr, flush=True)
        os._exit(3)

    def do_hang(self, *_: Any) -> None:
        time.sleep(3600)

    def do_empty(self, request: Any, *_: Any) -> None:
        self.answer(request, [])

    def do_notalist(self, request: Any, *_: Any) -> None:
        self.answer(request, {"surprise": True})

    def do_flat(self, request: Any, uri: str, text: str) -> None:
        flat = [
            {
                "name": node["name"],
                "kind": node["kind"],
                "location": {"uri": uri, "range": node["selectionRange"]},
            }
            for node in outline(text)
        ]
        self.answer(request, flat)

    def do_degenerate(self, request: Any, _uri: str, text: str) -> None:
        """A nameless node, one at 0:0, and a name outside its declaration, before the rest."""
        nodes = outline(text)
        zero = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        nameless = {**nodes[0], "name": "", "children": []}
        nowhere = {**nodes[0], "name": "generated", "range": zero, "selectionRange": zero}
        far = {"start": {"line": 900, "character": 0}, "end": {"line": 900, "character": 3}}
        nodes[0]["children"].append(
            {"name": "astray", "kind": 8, "range": nodes[0]["range"], "selectionRange": far}
        )
        self.answer(request, [nameless, nowhere, *nodes])

    def do_misplaced(self, request: Any, _uri: str, text: str) -> None:
        """Right names one line too low: what an outline of an older state looks like."""
        nodes = outline("\n" + text)
        self.answer(request, nodes)

    def do_wander(self, request: Any, _uri: str, text: str) -> None:
        """Like `misplaced`, and by another number of lines each time."""
        self.answer(request, outline("\n" * self.outlined + text))

    def do_late(self, request: Any, _uri: str, text: str) -> None:
        self.late += 1
        self.answer(request, [] if self.late <= self.faults["late"] else outline(text))

    def do_only_last(self, request: Any, _uri: str, text: str) -> None:
        self.answer(request, outline(text)[-1:])

    def do_compact(self, request: Any, uri: str, text: str) -> None:
        """What JLS 8.1.8 says of members without a class: all is in one named after the file."""
        whole = span(text, 0, len(text))
        name = Path(unquote(uri)).stem
        unit = {"name": name, "kind": 5, "range": whole, "selectionRange": whole}
        self.answer(request, [{**unit, "children": outline(text)}])

    def do_stale(self, request: Any, uri: str, text: str) -> None:
        self.answer(request, outline(self.before.get(uri, text)))

    def do_huge(self, request: Any, _uri: str, text: str) -> None:
        nodes = outline(text)
        child = {**nodes[0], "name": "x" * 200, "kind": 26, "children": []}
        child["name"] = "new Big() {...}"
        nodes[0]["children"].extend([child] * 40_000)
        self.answer(request, nodes)

    def do_ill_typed(self, request: Any, _uri: str, text: str) -> None:
        nodes = outline(text)
        nodes[0]["range"]["start"]["line"] = "0"
        self.answer(request, nodes)

    def do_close(self, *_: Any) -> None:
        """Close the output, but do not end."""
        sys.stdout.flush()
        os.close(1)
        time.sleep(3600)

    def do_broken_json(self, *_: Any) -> None:
        sys.stdout.buffer.write(b"Content-Length: 9\r\n\r\n{not json")
        sys.stdout.buffer.flush()

    def do_broken_header(self, *_: Any) -> None:
        sys.stdout.buffer.write(b"Content-Length: 99999999999\r\n\r\n")
        sys.stdout.buffer.flush()

    def do_reject(self, request: Any, *_: Any) -> None:
        self.send({"id": request, "error": {"code": -32603, "message": "Internal error."}})


def main() -> None:
    if "-version" in sys.argv:
        print('openjdk version "25.0.1" 2025-10-21', file=sys.stderr)
        return
    faults = json.loads(Path(sys.argv[0]).with_name("faults.json").read_text(encoding="utf-8"))
    if "report" in faults:
        report = {"argv": sys.argv, "env": dict(os.environ), "pid": os.getpid()}
        Path(faults["report"]).write_text(json.dumps(report), encoding="utf-8")
    start = faults.get("exit_at_start")
    if start:
        print(start.get("stderr", ""), file=sys.stderr, flush=True)
        os._exit(start["code"])
    for line in faults.get("noise", ()):
        print(line, flush=True)
    FakeServer(faults).run()
    if faults.get("outlives_stdin"):
        time.sleep(3600)
