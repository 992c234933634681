"""The commands `javadex server start|stop|status`: parse, talk to the warm server, render."""

from __future__ import annotations

import time
from typing import Any

import click

from indexer.cli_options import java_option, jdtls_option, print_json, write
from indexer.errors import ServerStartFailed, UsageError
from indexer.jdtls.runtime import locate
from indexer.warm import wire
from indexer.warm.client import connect, connect_or_start
from indexer.warm.door import is_held
from indexer.warm.options import CrewOptions, DaemonOptions, options_from_environment
from indexer.warm.place import is_supported, place

_DEFAULTS = DaemonOptions()
_ENDING = 20.0
"""Seconds for a server to end, and to say how it is."""

_STARTING = 150.0
"""Seconds for a language server to be ready."""


@click.group("server")
def server_group() -> None:
    """The warm server: jdt.ls kept ready for stale answers of all your calls.

    The first answer that needs jdt.ls starts it; it ends when it was idle for a while.
    JAVADEX_SERVER_IDLE is that time in seconds, 0 for no warm server.
    """


def _common(command: Any) -> Any:
    command = click.option("-q", "--quiet", is_flag=True, help="Print no notices.")(command)
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


@server_group.command()
@java_option
@jdtls_option
@click.option(
    "--idle",
    type=click.FloatRange(min=1),
    help=f"Seconds without a request after which it ends. [{_DEFAULTS.idle:g}]",
)
@click.option(
    "--memory",
    type=click.IntRange(min=256),
    help=f"MB for all its language servers; one is always allowed. [{_DEFAULTS.crew.memory}]",
)
@click.option(
    "--heap",
    type=click.IntRange(min=64),
    help=f"MB of Java heap for each. [{_DEFAULTS.crew.heap}]",
)
@_common
def start(**arguments: Any) -> int:
    """Start it, unless it runs, and wait until a language server is ready."""
    if not is_supported():
        raise ServerStartFailed(
            "there is no warm server on this system: it has no sockets in the file system; "
            "every answer that needs jdt.ls starts one for itself"
        )
    runtime = locate(arguments["java"], arguments["jdtls"])
    _refuse_other_options(arguments)
    client = connect_or_start(_options(arguments), time.monotonic() + _STARTING)
    assert client
    with client:
        client.do("warm", runtime=wire.runtime_json(runtime))
        _show(client.do("status"), arguments)
    return 0


def _refuse_other_options(arguments: dict[str, Any]) -> None:
    """What is asked for by name and would have no effect is an error."""
    named = [f"--{each}" for each in ("idle", "memory", "heap") if arguments[each] is not None]
    running = connect(time.monotonic() + _ENDING) if named else None
    if running:
        running.__exit__()
        raise UsageError(
            f"{', '.join(named)}: the warm server runs already, as it was started; "
            "`javadex server stop` ends it, then start it anew"
        )


def _options(arguments: dict[str, Any]) -> DaemonOptions:
    found = options_from_environment() or _DEFAULTS
    crew = CrewOptions(
        heap=arguments["heap"] or found.crew.heap,
        memory=arguments["memory"] or found.crew.memory,
    )
    return DaemonOptions(arguments["idle"] or found.idle, crew)


@server_group.command()
@_common
def stop(**arguments: Any) -> int:
    """End it and its language servers; answers that wait for them fail."""
    client = connect(time.monotonic() + _ENDING, of_any_version=True)
    if client is None:
        _tell("no warm server is running", arguments)
        return 0
    with client:
        client.do("stop")
    _wait_for_end()
    _tell("the warm server has ended", arguments)
    return 0


def _wait_for_end() -> None:
    """Its socket goes first, its language servers then, its lock last."""
    deadline, where = time.monotonic() + _ENDING, place()
    while is_held(where):
        if time.monotonic() > deadline:
            raise ServerStartFailed(
                f"the warm server was told to end, but after {_ENDING:g} s still holds {where.lock}"
            )
        time.sleep(0.02)


@server_group.command()
@_common
def status(**arguments: Any) -> int:
    """Show it; exit code 1 when none is running."""
    client = connect(time.monotonic() + _ENDING)
    if client is None:
        _tell("no warm server is running", arguments)
        return 1
    with client:
        _show(client.do("status"), arguments)
    return 0


def _tell(message: str, arguments: dict[str, Any]) -> None:
    if arguments["as_json"]:
        print_json({"running": False})
    elif not arguments["quiet"]:
        click.echo(f"javadex: {message}", err=True)


def _show(state: dict[str, Any], arguments: dict[str, Any]) -> None:
    if arguments["as_json"]:
        print_json({"running": True, **state})
        return
    lines = [
        f"warm server, pid {state['pid']}, since {state['startedAt']}, "
        f"{state['outlines']} outlines, ends after {state['idle']:g} s idle, "
        f"socket {state['socket']}"
    ]
    lines += [
        f"  {server['engine']}, pid {server['pid'] or 'none yet'}, {server['memory']} MB, "
        f"{'busy' if server['busy'] else 'ready'}"
        for server in state["servers"]
    ]
    write("\n".join(lines) + "\n")
