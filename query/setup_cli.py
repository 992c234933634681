"""The command `setup`: parse, call one function, render."""

from __future__ import annotations

import difflib
import shlex
import shutil
from importlib.util import find_spec
from typing import Any

import click

from indexer.cli_options import complete_folders, named_roots, print_json, write
from indexer.errors import UsageError
from indexer.files import resolve_root
from query.setup.clients import CLIENTS, COMMAND, Client
from query.setup.plan import Action, Step, carry_out, plan_undo, plan_write
from query.setup.texts import lines_of

_MODES = ("print", "write", "undo")

_DONE = {
    Action.CREATE: "created",
    Action.CHANGE: "changed",
    Action.UNCHANGED: "unchanged",
    Action.RESTORE: "restored",
    Action.DELETE: "deleted",
    Action.KEEP: "kept",
    Action.ABSENT: "nothing to undo in",
}


@click.command("setup")
@click.argument("client", type=click.Choice(list(CLIENTS)))
@click.option("--print", "print_", is_flag=True, help="Show what would be written. [default]")
@click.option("--write", is_flag=True, help="Write it.")
@click.option("--undo", is_flag=True, help="Take it out again; restore what was there.")
@click.option(
    "--root",
    metavar="PATH",
    shell_complete=complete_folders,
    help="The project. [env: JAVADEX_ROOT; default: the working directory]",
)
@click.option(
    "--command",
    metavar="COMMAND",
    help="What starts javadex, words separated as in a shell. [default: javadex]",
)
@click.option("--force", is_flag=True, help="Replace an entry that javadex did not write.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("-q", "--quiet", is_flag=True, help="Print no notices.")
def setup_command(client: str, **arguments: Any) -> int:
    """Tell a coding agent of javadex: its MCP server, instructions, and a skill.

    Writes files of the project, which are made to be committed. What others wrote in them stays as
    it is, to the byte. Nothing is written without --write or --undo.
    """
    mode = _mode(arguments)
    chosen, root = CLIENTS[client], _root(arguments["root"])
    command = _command(arguments["command"])
    plan = plan_undo if mode == "undo" else plan_write
    steps = plan(root, chosen, command, force=arguments["force"])
    if mode != "print":
        carry_out(root, steps)
    notices = _notices(chosen, command, steps) if mode != "undo" else []
    if arguments["as_json"]:
        print_json(_document(chosen, root, mode, steps, notices))
    else:
        write(_shown(steps) if mode == "print" else _told(steps))
    if not arguments["quiet"]:
        for notice in notices:
            click.echo(f"javadex: {notice}", err=True)
    return 0


def _mode(arguments: dict[str, Any]) -> str:
    asked = [mode for mode in _MODES if arguments["print_" if mode == "print" else mode]]
    if len(asked) > 1:
        raise UsageError(f"--{' and --'.join(asked)} exclude each other; pass one of them")
    return asked[0] if asked else "print"


def _root(value: str | None) -> str:
    roots = named_roots([] if value is None else [value]) or [resolve_root(".")]
    if len(roots) > 1:
        raise UsageError("set-up is for one project at a time; name its folder with --root")
    return roots[0].path


def _command(value: str | None) -> tuple[str, ...]:
    if value is None:
        return COMMAND
    try:
        words = tuple(shlex.split(value))
        value.encode()
    except ValueError as exc:
        raise UsageError(f"--command {value!r} cannot be split into words: {exc}") from None
    if not words:
        raise UsageError("--command is empty; name what starts javadex, or leave it out")
    return words


def _notices(client: Client, command: tuple[str, ...], steps: list[Step]) -> list[str]:
    notices = []
    if shutil.which(command[0]) is None:
        notices.append(
            f"{command[0]} is not found on PATH, so {client.title} may not start it; install "
            "javadex where PATH leads (pipx, uv tool), or pass --command"
        )
    if command == COMMAND and find_spec("mcp") is None:
        notices.append("the MCP SDK is not installed here; run: pip install 'javadex[mcp]'")
    if any(step.writes for step in steps):
        notices.append(f"next: {client.then}")
    return notices


def _told(steps: list[Step]) -> str:
    return "".join(
        f"{_DONE[step.action]} {step.path}{f' ({step.note})' if step.note else ''}\n"
        for step in steps
    )


def _shown(steps: list[Step]) -> str:
    return "\n".join(f"==> {step.path} ({step.action.value})\n{_content(step)}" for step in steps)


def _content(step: Step) -> str:
    """The text of a new file, the difference for one that is there."""
    after = (step.after or b"").decode()
    if step.action is Action.CREATE:
        return after
    before = (step.file.data or b"").decode()
    one, other = (text.replace("\r\n", "\n") for text in (before, after))
    lines = difflib.unified_diff(lines_of(one), lines_of(other), step.path, step.path)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _document(
    client: Client, root: str, mode: str, steps: list[Step], notices: list[str]
) -> dict[str, Any]:
    return {
        "client": client.name,
        "root": root,
        "mode": mode,
        "files": [_file(step, mode) for step in steps],
        "notices": notices,
    }


def _file(step: Step, mode: str) -> dict[str, Any]:
    document: dict[str, Any] = {"path": step.path, "action": step.action.value}
    if step.note:
        document["note"] = step.note
    if mode == "print":
        document["content"] = (step.after or b"").decode()
    return document
