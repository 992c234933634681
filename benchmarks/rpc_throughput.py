"""What the Python side of the wire costs: javadex' own JSON-RPC and converter, or pygls' client.

    pip install pygls
    python -m benchmarks.rpc_throughput [--answers 2000] [--nodes 16] [--repeat 5]

Each client runs in a process of its own, against `canned_server.py`, with 64 requests at a time as
the outline engine has them. Counted are the CPU seconds of that process from the first request to
the last outline, without its start, its imports and the server. pygls is no dependency of javadex;
without it, its rows are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import converters, types

from benchmarks import machine, tables
from benchmarks.canned_server import VARIANTS, answers
from indexer.jdtls.convert import outline_from
from indexer.jdtls.rpc import Connection
from indexer.model import Outline, Position, Range, Symbol, SymbolKind

_BATCH = 64
_URI = "file:///tree/src/Service.java"
_TIMEOUT = 600.0
_REPOSITORY = Path(__file__).resolve().parents[1]
_SERVER = str(Path(__file__).with_name("canned_server.py"))
_CONVERTER = converters.get_converter()

Ask = Callable[[], Awaitable[Any]]

_CLIENTS = {
    "own": "own JSON-RPC, `convert.outline_from`",
    "pygls": "pygls, its objects as they come",
    "pygls-model": "pygls, its objects made into ours",
}


async def _timed(ask: Ask, convert: Callable[[Any], Any], count: int) -> dict[str, Any]:
    """Ask `count` times, a batch after the other; return the cost, and a digest of the answers."""
    for answer in await asyncio.gather(*(ask() for _ in range(VARIANTS))):  # caches fill here
        convert(answer)
    first: list[Any] = []
    cpu, wall = time.process_time(), time.perf_counter()
    for done in range(0, count, _BATCH):
        batch = await asyncio.gather(*(ask() for _ in range(min(_BATCH, count - done))))
        outlines = [convert(answer) for answer in batch]
        first = first or outlines
    cost = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    return {**cost, "digest": hashlib.sha256(repr(first).encode()).hexdigest()}


async def own_client(count: int, nodes: int) -> dict[str, Any]:
    """Measure javadex' own connection and converter."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        _SERVER,
        str(nodes),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,  # as the outline engine has it
    )
    assert process.stdin
    assert process.stdout
    connection = Connection(process.stdout, process.stdin, {})
    reading = asyncio.ensure_future(connection.run())

    def ask() -> Awaitable[Any]:
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(_URI))
        return connection.send_request(
            types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _CONVERTER.unstructure(params)
        )

    try:
        await connection.request("initialize", {"capabilities": {}}, _TIMEOUT)
        return await asyncio.wait_for(_timed(ask, outline_from, count), _TIMEOUT)
    finally:
        connection.close()  # the end of its input ends the server
        await process.wait()
        await reading


async def pygls_client(
    count: int, nodes: int, convert: Callable[[Any], Any] = lambda answer: answer
) -> dict[str, Any]:
    """Measure pygls' client."""
    client = importlib.import_module("pygls.lsp.client").LanguageClient("benchmark", "1")
    await client.start_io(sys.executable, _SERVER, str(nodes))

    def ask() -> Awaitable[Any]:
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(_URI))
        answer: Awaitable[Any] = client.text_document_document_symbol_async(params)
        return answer

    try:
        await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
        return await asyncio.wait_for(_timed(ask, convert, count), _TIMEOUT)
    finally:
        client.exit(None)
        await client.stop()


def from_objects(nodes: Sequence[types.DocumentSymbol]) -> Outline:
    """Return javadex' outline for lsprotocol's symbols."""
    return Outline(tuple(map(_from_object, nodes)))


def _from_object(node: types.DocumentSymbol) -> Symbol:
    return Symbol(
        name=node.name,
        kind=SymbolKind(node.kind.value),
        range=_range(node.range),
        selection_range=_range(node.selection_range),
        detail=node.detail or "",
        deprecated=types.SymbolTag.Deprecated in (node.tags or ()) or bool(node.deprecated),
        children=tuple(map(_from_object, node.children or ())),
    )


def _range(value: types.Range) -> Range:
    start, end = value.start, value.end
    return Range(Position(start.line, start.character), Position(end.line, end.character))


def measure_one(client: str, count: int, nodes: int) -> dict[str, Any]:
    """Measure one client in this process."""
    if client == "own":
        return asyncio.run(own_client(count, nodes))
    if client == "pygls":
        return asyncio.run(pygls_client(count, nodes))
    return asyncio.run(pygls_client(count, nodes, from_objects))


def in_new_process(client: str, count: int, nodes: int) -> dict[str, Any]:
    """Measure one client in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.rpc_throughput", "--one", client]
    command += ["--answers", str(count), "--nodes", str(nodes)]
    done = subprocess.run(
        command, cwd=_REPOSITORY, capture_output=True, text=True, timeout=2 * _TIMEOUT, check=False
    )
    if done.returncode:
        raise SystemExit(f"{client}: {done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def clients_table(count: int, nodes: int, repeat: int) -> str:
    """Return the table of clients, each with its median cost; run in turn."""
    names = [name for name in _CLIENTS if name == "own" or importlib.util.find_spec("pygls")]
    if len(names) == 1:
        print("pygls is not installed (pip install pygls): only our own side", file=sys.stderr)
    else:
        print(f"pygls {importlib.metadata.version('pygls')}\n")
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for _ in range(repeat):
        for name in names:
            runs[name].append(in_new_process(name, count, nodes))
    digests = {run["digest"] for name in ("own", "pygls-model") for run in runs.get(name, ())}
    if len(digests) != 1:
        raise SystemExit("the clients do not come to the same outlines")
    cpu = {name: statistics.median(run["cpu"] for run in of_one) for name, of_one in runs.items()}
    wall = {name: statistics.median(run["wall"] for run in of_one) for name, of_one in runs.items()}
    rows = [
        (
            _CLIENTS[name],
            cpu[name],
            1e6 * cpu[name] / count,
            cpu[name] / cpu["own"],
            count / wall[name],
        )
        for name in names
    ]
    header = ("client", "CPU s", "CPU us per answer", "x own", "answers per s")
    return tables.table(header, rows)


def converters_table(nodes: int, repeat: int) -> str:
    """Return the table of what decoding and converting costs per node, in this process."""
    results = answers(nodes)
    bodies = [json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}) for result in results]
    decoded = [json.loads(body) for body in bodies]
    steps: dict[str, Callable[[], Any]] = {
        "`json.loads`": lambda: [json.loads(body) for body in bodies],
        "`convert.outline_from`": lambda: [outline_from(body["result"]) for body in decoded],
        "lsprotocol's converter": lambda: [
            _CONVERTER.structure(body, types.DocumentSymbolResponse) for body in decoded
        ],
    }
    costs = {name: _microseconds(step, repeat) / (nodes * VARIANTS) for name, step in steps.items()}
    own = costs["`convert.outline_from`"]
    rows = [(name, cost, cost / own) for name, cost in costs.items()]
    return tables.table(("step", "CPU us per node", "x outline_from"), rows)


def _microseconds(step: Callable[[], Any], repeat: int) -> float:
    step()
    costs = []
    for _ in range(repeat):
        started = time.process_time()
        for _ in range(10):
            step()
        costs.append((time.process_time() - started) / 10)
    return 1e6 * statistics.median(costs)


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--answers", type=int, default=2000, help="outlines per run")
    parser.add_argument("--nodes", type=int, default=16, help="symbols of an outline, at least 3")
    parser.add_argument("--repeat", type=int, default=5, help="runs to take the median of")
    parser.add_argument("--one", choices=_CLIENTS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure_one(arguments.one, arguments.answers, arguments.nodes)))
        return
    print(machine.as_line(machine.describe()))
    print(f"\n{arguments.answers} answers of {arguments.nodes} nodes, {_BATCH} at a time:\n")
    print(clients_table(arguments.answers, arguments.nodes, arguments.repeat))
    print(f"\nOutlines of {arguments.nodes} nodes:\n")
    print(converters_table(arguments.nodes, arguments.repeat))


if __name__ == "__main__":
    main()
