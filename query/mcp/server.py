"""The MCP server: the SDK's side of it. Nothing but this module knows the SDK."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, NoReturn

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

import indexer
from query.mcp.answering import Tools
from query.mcp.tools import INSTRUCTIONS, TOOLS
from query.service import Scope


def _tool(name: str) -> types.Tool:
    tool = TOOLS[name]
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input,
        output_schema=tool.output,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def make_server(scope: Scope, live_timeout: float) -> Server[Tools]:
    """Return the server; what it needs is started when it runs, and stopped when that ends."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Server[Tools]) -> AsyncIterator[Tools]:
        tools = Tools(scope, live_timeout)
        tools.start()
        try:
            yield tools
        finally:
            with anyio.CancelScope(shield=True):
                await tools.stop()

    async def list_tools(
        _: ServerRequestContext[Tools, Any], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(name) for name in TOOLS])

    async def call_tool(
        context: ServerRequestContext[Tools, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tools = context.lifespan_context
        reply = await tools.call(
            params.name, params.arguments or {}, context.session.report_progress
        )
        return types.CallToolResult(
            content=[types.TextContent(text=reply.text)],
            structured_content=reply.document,
            is_error=reply.is_error,
            _meta=reply.meta,
        )

    return Server(
        "javadex",
        version=indexer.__version__,
        title="javadex",
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _serve(scope: Scope, live_timeout: float, leave: Callable[[], NoReturn]) -> None:
    server = make_server(scope, live_timeout)
    stdout = os.dup(sys.stdout.fileno())
    async with stdio_server() as (read_stream, write_stream):
        try:
            await server.run(read_stream, write_stream, server.create_initialization_options())
        except asyncio.CancelledError:  # the SDK's, when it cannot write any more
            if _is_unread(stdout):
                leave()
            raise


def _is_unread(descriptor: int) -> bool:
    """True when nobody is at the other end of a pipe or socket."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def serve(scope: Scope, live_timeout: float, farewell: Callable[[], None]) -> None:
    """Serve MCP over stdin and stdout until stdin ends, or nobody reads stdout any more.

    Ctrl-C ends it as SIGTERM does, at once: the thread that reads stdin could not be waited for,
    and what was started ends by itself with this process. So it is when the client closes stdout;
    `farewell` is called before that.
    """

    def leave() -> NoReturn:
        farewell()
        os._exit(0)

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        asyncio.run(_serve(scope, live_timeout, leave))
    except* ConnectionError:  # the client went without waiting for its answers
        leave()
