"""What all commands share: options, workspace folders, errors and exit codes. Knows click."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from indexer.errors import JavadexError, OutputLost, UsageError
from indexer.files import Root, resolve_root
from indexer.store.location import default_db
from indexer.store.nearest import nearest_db

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _log_to_stderr(_context: click.Context, _option: click.Parameter, verbose: bool) -> None:
    if verbose:
        import logging

        logging.basicConfig(stream=sys.stderr, format="javadex: %(message)s")
        logging.getLogger("javadex").setLevel(logging.INFO)


def _completes(kind: str) -> Callable[..., list[Any]]:
    """For `shell_complete`: the shell is told to complete names of files, or folders with `dir`."""

    def complete(
        _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type=kind)]

    return complete


complete_files = _completes("file")
complete_folders = _completes("dir")


java_option = click.option(
    "--java",
    metavar="PATH",
    shell_complete=complete_files,
    help="Java home or executable, 21 or later.",
)
jdtls_option = click.option(
    "--jdtls", metavar="FOLDER", shell_complete=complete_folders, help="An unpacked jdt.ls."
)


def common_options(command: _Command) -> _Command:
    """Add the options that every command has."""
    for option in reversed(
        [
            click.option(
                "--root",
                "roots",
                multiple=True,
                metavar="[NAME=]PATH",
                shell_complete=complete_folders,
                help="Workspace folder, or a .code-workspace file; repeatable. "
                "[env: JAVADEX_ROOT; default: the working directory]",
            ),
            click.option(
                "--db",
                envvar="JAVADEX_DB",
                metavar="FILE",
                shell_complete=complete_files,
                help="The index to use.",
            ),
            java_option,
            jdtls_option,
            click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
            click.option("-q", "--quiet", is_flag=True, help="Print no notices."),
            click.option(
                "-v",
                "--verbose",
                is_flag=True,
                expose_value=False,
                callback=_log_to_stderr,
                help="Tell what servers are started and lost.",
            ),
        ]
    ):
        command = option(command)
    return command


def color_option(command: _Command) -> _Command:
    """Add the option that says whether a text for people has colours; see `wants_colours`."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colours: auto, on a terminal; NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE are heeded.",
    )(command)


def wants_colours(choice: str) -> bool:
    """True when what goes to stdout may have colours; `choice` is the value of `--color`.

    With `auto`, a `NO_COLOR` that is not empty counts first (https://no-color.org), then a
    `FORCE_COLOR` or `CLICOLOR_FORCE` that is neither empty nor 0 (https://bixense.com/clicolors),
    then whether stdout is a terminal, and not a dumb one.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def named_roots(values: Sequence[str]) -> list[Root]:
    """Return the workspace folders for `--root` values; [] when none is named anywhere.

    Raises `RootError` and `UsageError`.
    """
    if not values and (from_environment := os.environ.get("JAVADEX_ROOT")):
        values = [part for part in from_environment.split(os.pathsep) if part]
    roots: list[Root] = []
    for value in values:
        if not value:
            raise UsageError("--root is empty; name a folder, or leave it out")
        if value.endswith(".code-workspace"):
            from indexer.code_workspace import folders

            roots.extend(resolve_root(path, name) for path, name in folders(value))
        else:
            roots.append(_root(value))
    by_path = {root.path: root for root in reversed(roots)}  # the first name of a folder counts
    return [by_path[path] for path in dict.fromkeys(root.path for root in roots)]


def _root(value: str) -> Root:
    name, equals, path = value.partition("=")
    if equals and name and not os.path.exists(value):
        return resolve_root(path, name)
    return resolve_root(value)


def index_path(db: str | None, roots: Sequence[Root]) -> str:
    """Return the path of the index: `--db`, else the one of the first folder's repository."""
    return os.path.abspath(db) if db else default_db(roots[0].path)


def asked(roots: Sequence[str], db: str | None) -> tuple[list[Root], str, bool]:
    """Return what a question is about: folders, index, and whether the folders were named.

    Takes the values of `--root` and `--db`. Unnamed, it is the working directory and the index of
    the nearest folder around it that has one.
    """
    named = named_roots(roots)
    folders = named or [resolve_root(os.curdir)]
    path = index_path(db, folders) if db or named else nearest_db(folders[0].path)
    return folders, path, bool(named)


def fail(error: JavadexError, as_json: bool) -> int:
    """Show an error and return its exit code."""
    click.echo(f"javadex: {error}", err=True)
    if as_json:
        name = type(error).__name__
        print_json({"error": str(error), "errorCode": name[0].lower() + name[1:]})
    return error.exit_code


def print_json(document: object, *, compact: bool = False) -> None:
    """Print one JSON document on stdout, in UTF-8 whatever the locale."""
    import json

    text = (
        json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        if compact
        else json.dumps(document, ensure_ascii=False, indent=2)
    )
    write(text + "\n")


def write(text: str) -> None:
    """Write data to stdout; a name that is no Unicode is escaped rather than fatal.

    Ends the process when whoever read it has enough. Raises `OutputLost`.
    """
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # not left to click, which would end with 1, "nothing found"
        _forget_output()
        raise SystemExit(0) from None
    except OSError as exc:
        raise output_lost(exc) from exc


def output_lost(cause: OSError) -> OutputLost:
    """Return the error for an stdout that takes nothing; what it has not taken is dropped."""
    _forget_output()
    return OutputLost(
        f"the answer cannot be written to stdout: {cause.strerror}; "
        "give it a place that can be written"
    )


def _forget_output() -> None:
    """Nothing more is written, at the process' end neither."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def not_negative(value: int, option: str) -> int:
    """Return `value`, refusing a negative one."""
    if value < 0:
        raise UsageError(f"{option} is {value}; it takes a positive number, or 0 for no limit")
    return value
