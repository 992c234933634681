"""The command `mcp`: parse, serve."""

from __future__ import annotations

import gc
from typing import Any

import click

from indexer.cli_options import asked, common_options
from indexer.errors import UsageError
from query.service import Scope


@click.command("mcp")
@common_options
@click.option(
    "--live-timeout",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    help="Seconds to wait for a language server when the index lacks an outline; 0: ask none.",
)
def mcp_command(**arguments: Any) -> int:
    """Serve the two tools to coding agents: MCP over stdin and stdout.

    Answers from what the index has, and brings it up to date in the background. `javadex setup`
    tells clients how to start it.
    """
    roots, db, named = asked(arguments["roots"], arguments["db"])
    if arguments["as_json"]:
        raise UsageError("--json is nothing for mcp: it speaks MCP; leave it out")

    def tell(message: str) -> None:
        if not arguments["quiet"]:
            click.echo(f"javadex: {message}", err=True)

    # The SDK makes some hundred thousand objects that stay: looking through them again and again
    # takes a tenth of the start (benchmarks/mcp_server.py).
    gc.disable()
    try:
        from query.mcp.server import serve
    except ModuleNotFoundError as exc:
        if exc.name is None or exc.name.startswith(("indexer", "query")):
            raise
        raise UsageError(
            f"the MCP SDK is not installed ({exc}); run: pip install 'javadex[mcp]'"
        ) from None
    gc.freeze()
    gc.enable()
    from query.mcp.stderr import install

    stderr = install()
    scope = Scope(tuple(roots), db, arguments["java"], arguments["jdtls"], named, tell=tell)
    serve(scope, arguments["live_timeout"], stderr.drain)
    return 0
