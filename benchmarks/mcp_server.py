"""What a call over MCP costs, and the start of the server, on an index that is there.

    python -m benchmarks.mcp_server TREE [--db FILE] [--starts 9] [--calls 300]

A start is from the process to its first answer, handshake included; beside it stands a Python that
only loads the SDK. Calls are timed twice, with the same queries and files: inside (input, lane,
answer, JSON text; in this process, by the server's own parts), and over the protocol, by a client
that does nothing but write and read lines. Both look for changed files as they do in use.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import machine, processes, tables
from indexer.files import resolve_root
from query.mcp.answering import Tools
from query.mcp.tools import FIND, OUTLINE
from query.service import Scope

_SEED = 1
_WARM_UP = 2.0
"""Seconds from the first call after which a server has the system tell what changes."""

_TARGETS = {
    "start to first answer": "<= 1500",
    "find, inside": "<= 3",
    "outline, inside": "<= 3",
}
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "0"},
}


class Client:
    """Writes requests and reads responses, a line each."""

    def __init__(self, command: list[str], env: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(env)
        )
        self._number = 0

    def request(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """The result of a request."""
        assert self._process.stdin
        assert self._process.stdout
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}}
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        while True:
            answer = json.loads(self._process.stdout.readline())
            if answer.get("id") == self._number:
                return answer["result"]

    def hello(self) -> None:
        """The handshake."""
        assert self._process.stdin
        self.request("initialize", _HELLO)
        self._process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        """A call that must be answered from the index."""
        found = self.request("tools/call", {"name": tool, "arguments": arguments})
        _check(found["structuredContent"], found.get("_meta"))

    def close(self) -> None:
        """End the server."""
        self._process.communicate(timeout=30)


def _check(document: dict[str, Any], meta: dict[str, Any] | None) -> None:
    if not (document.get("results") or document.get("symbols")):
        raise SystemExit(f"no answer: {document}")
    if meta is None or meta["source"] != "index":
        raise SystemExit(f"not from the index: {meta}")


def _timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def starts(command: list[str], env: Mapping[str, str], query: str, count: int) -> list[float]:
    """Seconds from the start of a server to its first answer."""
    seconds = []
    for _ in range(count):
        started = time.perf_counter()
        client = Client(command, env)
        client.hello()
        client.call(FIND, {"query": query})
        seconds.append(time.perf_counter() - started)
        client.close()
    return seconds


def protocol(
    command: list[str], env: Mapping[str, str], files: list[Path], calls: int
) -> dict[str, list[float]]:
    """Seconds of calls over the protocol."""
    client = Client(command, env)
    client.hello()
    client.call(FIND, {"query": files[0].stem})
    client.request("tools/call", {"name": "javadex_refresh", "arguments": {"wait": 300}})
    time.sleep(_WARM_UP)
    figures: dict[str, list[float]] = {}
    for number in range(-20, calls):
        path = files[number % len(files)]
        ways: dict[str, Callable[[], object]] = {
            "find, round trip": partial(client.call, FIND, {"query": path.stem}),
            "outline, round trip": partial(client.call, OUTLINE, {"uri": str(path)}),
            "ping, round trip": partial(client.request, "ping"),
        }
        for name, way in ways.items():
            seconds = _timed(way)
            if number >= 0:
                figures.setdefault(name, []).append(seconds)
    client.close()
    return figures


async def inside(scope: Scope, files: list[Path], calls: int) -> dict[str, list[float]]:
    """Seconds of calls without the protocol."""

    async def silent(_done: float, _total: float | None, _message: str) -> None:
        pass

    figures: dict[str, list[float]] = {}
    tools = Tools(scope, 0.0)
    try:
        await tools.call(FIND, {"query": files[0].stem}, silent)
        await asyncio.sleep(_WARM_UP)
        for number in range(-20, calls):
            path = files[number % len(files)]
            ways: list[tuple[str, str, dict[str, Any]]] = [
                ("find, inside", FIND, {"query": path.stem}),
                ("outline, inside", OUTLINE, {"uri": str(path)}),
            ]
            for name, tool, arguments in ways:
                started = time.perf_counter()
                reply = await tools.call(tool, arguments, silent)
                seconds = time.perf_counter() - started
                _check(reply.document, reply.meta)
                if number >= 0:
                    figures.setdefault(name, []).append(seconds)
    finally:
        await tools.stop()
    return figures


def report(figures: dict[str, list[float]]) -> str:
    """Return the table of medians, in milliseconds."""
    rows = [
        (
            name,
            len(seconds),
            1000 * statistics.median(seconds),
            1000 * sorted(seconds)[int(0.9 * (len(seconds) - 1))],
            _TARGETS.get(name, ""),
        )
        for name, seconds in figures.items()
    ]
    return tables.table(("ms", "n", "p50", "p90", "target for p50"), rows)


def _measure(tree: Path, scratch: Path, arguments: argparse.Namespace) -> None:
    env = processes.environment(scratch)
    db = arguments.db or str(scratch / "index.db")
    common = ["--root", str(tree), "--db", db]
    print("bringing the index up to date", file=sys.stderr)
    processes.run([processes.javadex(), "index", *common, "-q"], env)
    # Names that no other file has, so that a query has one or few answers, as agents' queries do.
    every = [path for path in sorted(tree.rglob("*.java")) if "-" not in path.name]
    files = random.Random(_SEED).sample(every, min(100, len(every)))
    command = [processes.javadex(), "mcp", *common]
    load = [sys.executable, "-c", "import mcp.server.lowlevel, mcp.server.stdio"]
    figures = {
        "start to first answer": starts(command, env, files[0].stem, arguments.starts),
        "a Python that loads the SDK": [
            _timed(lambda: processes.run(load, env)) for _ in range(arguments.starts)
        ],
        **asyncio.run(inside(Scope((resolve_root(str(tree)),), db), files, arguments.calls)),
        **protocol(command, env, files, arguments.calls),
    }
    print(report(figures))


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("--db", help="an index to use, and to bring up to date")
    parser.add_argument("--starts", type=int, default=9, help="starts to time")
    parser.add_argument("--calls", type=int, default=300, help="calls of each kind")
    arguments = parser.parse_args()
    tree = Path(resolve_root(arguments.tree).path)
    print(machine.as_line(machine.describe()) + "\n")
    with tempfile.TemporaryDirectory(prefix="jdx-bench-") as folder:
        _measure(tree, Path(folder), arguments)


if __name__ == "__main__":
    main()
