"""Clients of `javadex mcp`: the SDK's own over a real process, and one that writes raw lines."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import psutil
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

from query.mcp.tools import FIND, OUTLINE, REFRESH
from tests.support.cli import Javadex

ANSWER = 60.0
"""Seconds for one answer; the longest takes some."""

CHECKOUT = str(Path(__file__).parents[2])
"""What is tested, wherever another javadex may be installed."""

COMMAND = (sys.executable, "-P", "-c", "from query.cli import main; main()", "mcp")

_Result = TypeVar("_Result")


class Agent:
    """A client of the server, in the words of the tests. Every answer is checked in form."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def call(self, tool: str, **arguments: Any) -> Any:
        """The document of an answer, which is no failure."""
        result = await self.result(tool, arguments)
        assert not result.is_error, result
        return result.structured_content

    async def failure(self, tool: str, **arguments: Any) -> Any:
        """The document of a failed call: a result, not an error of the protocol."""
        result = await self.result(tool, arguments)
        assert result.is_error, result
        document = result.structured_content
        assert isinstance(document, dict)
        return document

    async def result(self, tool: str, arguments: Mapping[str, Any], **more: Any) -> CallToolResult:
        """The whole result; its text says what its structured content says.

        The SDK's client has compared that with the tool's output schema.
        """
        async with asyncio.timeout(ANSWER):
            result: CallToolResult = await self.session.call_tool(tool, dict(arguments), **more)
        (block,) = result.content
        assert isinstance(block, TextContent)
        assert json.loads(block.text) == result.structured_content
        assert block.text == json.dumps(result.structured_content, ensure_ascii=False, indent=2)
        return result

    async def find(self, query: str, **more: Any) -> Any:
        """The document of findSymbol."""
        return await self.call(FIND, query=query, **more)

    async def names(self, query: str, **more: Any) -> list[str]:
        """The names that findSymbol gives."""
        return [hit["name"] for hit in (await self.find(query, **more))["results"]]

    async def outline(self, uri: str, **more: Any) -> Any:
        """The document of getFileStructure."""
        return await self.call(OUTLINE, uri=uri, **more)

    async def ready(self) -> Any:
        """Wait until the index is up to date; what the refresh tool says."""
        found = await self.call(REFRESH, wait=int(ANSWER) - 5)
        assert found["state"] == "done", found
        return found


def talk(
    javadex: Javadex,
    scenario: Callable[[Agent], Awaitable[_Result]],
    *arguments: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> _Result:
    """Run `scenario` with a server that is started for it, and is gone at the end with its all."""

    async def run() -> _Result | Exception:
        async with connected(javadex, *arguments, cwd=cwd, env=env) as agent:
            try:
                return await scenario(agent)
            except Exception as exc:  # raised below: task groups would wrap it in groups
                return exc

    result = asyncio.run(run())
    if isinstance(result, Exception):
        raise result
    return result


@contextlib.asynccontextmanager
async def connected(
    javadex: Javadex,
    *arguments: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> AsyncIterator[Agent]:
    """Start a server and connect; at the end none of its processes may be left."""
    parameters = parameters_of(javadex, *arguments, cwd=cwd, env=env)
    others = psutil.Process().children()
    with (javadex.folder / "mcp-stderr.txt").open("a", encoding="utf-8") as errlog:
        async with (
            stdio_client(parameters, errlog=errlog) as (read_stream, write_stream),
            ClientSession(read_stream, write_stream) as session,
        ):
            (server,) = (each for each in psutil.Process().children() if each not in others)
            family = [server]
            await session.initialize()
            yield Agent(session)
            family += server.children(recursive=True)
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not alive, alive


def environment(javadex: Javadex) -> dict[str, str]:
    """The environment of a server: what it runs, and what it starts, is of this checkout."""
    return javadex.env | {"PYTHONPATH": CHECKOUT}


def parameters_of(
    javadex: Javadex,
    *arguments: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> StdioServerParameters:
    """How a client of the SDK starts a server."""
    return StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], *map(str, arguments)],
        env=environment(javadex) | dict(env or {}),
        cwd=cwd or javadex.folder,
    )


class Lines:
    """A server that is written to line by line: for what no proper client sends."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.seen: list[bytes] = []
        """Every line of its stdout."""
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        if process.stdout:
            threading.Thread(target=self._read, daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        """Write a message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def write(self, line: bytes) -> None:
        """Write a line."""
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def answer(self, number: int) -> dict[str, Any]:
        """The response to the request of that id; every line before it is JSON-RPC, too."""
        while True:
            line = self._lines.get(timeout=ANSWER)
            assert line, "the server ended"
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            if message.get("id") == number:
                found: dict[str, Any] = message
                return found

    def shake_hands(self) -> None:
        """Initialize, as any client does first."""
        self.send(
            {
                "id": 0,
                "method": "initialize",
                "params": {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {},
                    "clientInfo": {"name": "test", "version": "0"},
                },
            }
        )
        assert self.answer(0)["result"]["serverInfo"]["name"] == "javadex"
        self.send({"method": "notifications/initialized"})

    def call(self, number: int, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool call."""
        params = {"name": tool, "arguments": arguments}
        self.send({"id": number, "method": "tools/call", "params": params})
        found: dict[str, Any] = self.answer(number)["result"]
        return found

    def end(self) -> int:
        """Close its stdin; returns the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(timeout=20)

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.seen.append(line)
            self._lines.put(line)
        self._lines.put(b"")


@contextlib.contextmanager
def lines(javadex: Javadex, *arguments: object, **options: Any) -> Iterator[Lines]:
    """Start a server to write lines to; it is gone at the end.

    `options` may have a `cwd`, more of an `env`, files as `stdout` (then nothing is read) and
    `stderr`, and a `preexec` to be called in its process first.
    """
    with (
        (javadex.folder / "mcp-stderr.txt").open("ab") as errlog,
        subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=options.get("stdout", subprocess.PIPE),
            stderr=options.get("stderr", errlog),
            env=environment(javadex) | options.get("env", {}),
            cwd=options.get("cwd") or javadex.folder,
            preexec_fn=options.get("preexec"),
        ) as process,
    ):
        try:
            yield Lines(process)
        finally:
            process.kill()


def fill(write: int) -> int:
    """Write until nothing more fits; returns how much that was."""
    flags = fcntl.fcntl(write, fcntl.F_GETFL)
    fcntl.fcntl(write, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    count = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            count += os.write(write, b".")
    fcntl.fcntl(write, fcntl.F_SETFL, flags)
    return count


def in_the_indexer(folder: Path, code: str) -> dict[str, str]:
    """Environment in which the process that indexes, and no other, runs `code` at its start."""
    (folder / "path").mkdir()
    text = f'import os, sys\nif "query.mcp.indexing" in sys.orig_argv:\n    {code}\n'
    (folder / "path" / "sitecustomize.py").write_text(text, "utf-8")
    return {"PYTHONPATH": f"{CHECKOUT}{os.pathsep}{folder / 'path'}"}
