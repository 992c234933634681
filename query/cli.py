"""The command `javadex`: find and outline here, other commands imported when they are called."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import Any, NoReturn

import click

import indexer
from indexer.cli_options import (
    asked,
    color_option,
    common_options,
    complete_files,
    fail,
    not_negative,
    output_lost,
    print_json,
    wants_colours,
    write,
)
from indexer.errors import JavadexError, OutputLost, UsageError
from indexer.model import SymbolKind
from query.contract import (
    ErrorCode,
    FindAnswer,
    OutlineAnswer,
    Reason,
    ToolError,
    find_json,
    meta_json,
    outline_json,
)
from query.kinds import KINDS, kinds_of
from query.limits import DEFAULT_LIMIT
from query.paths import WorkspaceFile, resolve
from query.render import Style, explain_text, find_text, outline_text, stale_text
from query.service import Scope, Service
from query.upkeep import Limits

_LATER = {
    "completion": ("query.completion_cli", "completion_command"),
    "doctor": ("query.doctor_cli", "doctor_command"),
    "index": ("indexer.cli", "index_command"),
    "mcp": ("query.mcp_cli", "mcp_command"),
    "server": ("indexer.server_cli", "server_group"),
    "setup": ("query.setup_cli", "setup_command"),
    "status": ("indexer.cli", "status_command"),
    "verify": ("query.verify_cli", "verify_command"),
}

COMPLETE = "_JAVADEX_COMPLETE"
"""Set by a shell that asks what a word may become; click derives this name from the command's."""

INTERNAL_ERROR = 70
"""Exit code of a fault in javadex itself (sysexits(3), EX_SOFTWARE)."""

_EXIT_BY_ERROR = {
    ErrorCode.FILE_NOT_FOUND: 1,
    ErrorCode.PERMISSION_DENIED: 1,
    ErrorCode.FILE_SYSTEM_UNAVAILABLE: 1,
    ErrorCode.UNEXPECTED_ERROR: 1,
}

_Answer = FindAnswer | OutlineAnswer | ToolError


class _Group(click.Group):
    """A group whose rarer commands cost nothing until they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_LATER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _LATER:
            module, name = _LATER[cmd_name]
            command: click.Command = getattr(import_module(module), name)
            return command
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one may have been meant."""
        if args[0] in self.list_commands(ctx) or args[0].startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from query.usage import unknown_command

        raise click.UsageError(unknown_command(args, self.list_commands(ctx)), ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what stands before the command; most options stand behind it."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as exc:
            if not any(exc.option_name in each.opts for each in find.params):
                raise
            from query.usage import too_early

            message = too_early(exc.option_name, given, self.list_commands(ctx))
            raise click.UsageError(message, ctx) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete commands by their names; importing them for their help would take too long."""
        from click.shell_completion import CompletionItem

        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return [*map(CompletionItem, names), *click.Command.shell_complete(self, ctx, incomplete)]


def _complete_kinds(
    _context: click.Context, _option: click.Parameter, incomplete: str
) -> list[str]:
    return [kind for kind in KINDS if kind.startswith(incomplete)]


def _complete_names(context: click.Context, _argument: click.Parameter, incomplete: str) -> Any:
    from query.completion import names

    return names(context.params, incomplete)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(indexer.__version__, prog_name="javadex")
def cli() -> None:
    """Instant, offline Java navigation from an index that jdtls made.

    Exit codes: 0 ok, 1 nothing found or `verify` found a real difference or `doctor` found an
    error, 2 usage, 3 no usable index, 4 language server failed, 5 index incomplete, 70 internal
    error, 74 stdout cannot be written, 130 interrupted.
    """


def _answer_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        [
            click.option(
                "--limit",
                type=int,
                default=DEFAULT_LIMIT,
                show_default=True,
                help="Most results or symbols; 0: all.",
            ),
            click.option("--explain", is_flag=True, help="Say where the answer came from."),
            click.option(
                "--batch",
                type=click.File(encoding="utf-8", errors="surrogateescape"),
                metavar="FILE|-",
                shell_complete=complete_files,
                help="One query or path per line; one JSON document per line comes out.",
            ),
        ]
    ):
        command = option(command)
    return command


def _live_timeout(when: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--live-timeout",
        type=click.FloatRange(min=0),
        default=30.0,
        show_default=True,
        help=f"Seconds to wait for a language server {when}; 0: ask none.",
    )


@cli.command()
@click.argument("query", required=False, shell_complete=_complete_names)
@common_options
@_answer_options
@color_option
@click.option(
    "--format",
    type=click.Choice(["plain", "json", "jsonl", "vimgrep"]),
    help="plain: for people; json: as --json; jsonl: a JSON document per hit; vimgrep: "
    "file:line:column:text for editors, the column in bytes. [default: plain]",
)
@click.option("--strict", is_flag=True, help="Answer as jdt.ls does, to the letter.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    shell_complete=_complete_kinds,
    help="What to look for, repeatable: type (class, interface, enum), member (method, "
    "constructor, field, constant). [default: type]",
)
@click.option(
    "--scope",
    type=click.Choice(["source", "all"]),
    default="all",
    show_default=True,
    help="Sources of the workspace, or libraries after them (`javadex index --libraries`).",
)
@click.option(
    "--scan-budget",
    type=click.FloatRange(min=0),
    default=2.0,
    show_default=True,
    help="Seconds to look for files that changed since the last run, which are indexed anew first.",
)
@click.option("--no-scan", is_flag=True, help="Look at the files of the results only.")
@_live_timeout("when files changed")
@click.option("--path", metavar="GLOB", default="", help="Only files whose path matches.")
@click.option("--declarations", is_flag=True, help="In JSON: what to read of each hit.")
@click.option(
    "--source-methods",
    is_flag=True,
    envvar="JAVADEX_SOURCE_METHODS",
    help="Find methods, too, as jdt.ls does with java.symbols.includeSourceMethodDeclarations.",
)
def find(query: str | None, **arguments: Any) -> int:
    """Find Java types, and with --kind members, by name, hump abbreviation or pattern.

    Examples: OrderService, OrdSer, NPE, *Service, shop.orders.Order, shop.orders, Order#total
    """
    form = _format(arguments)
    options = {
        "limit": not_negative(arguments["limit"], "--limit"),
        "strict": arguments["strict"],
        "kinds": _kinds(arguments["kinds"]),
        "source_methods": arguments["source_methods"],
        "path": arguments["path"],
        "libraries": arguments["scope"] == "all",
    }
    if arguments["strict"] and options["kinds"] is not None:
        raise UsageError("--strict knows no --kind, as jdt.ls does not; it has --source-methods")
    budget = 0.0 if arguments["no_scan"] else arguments["scan_budget"]
    scope = _scope(arguments)._replace(upkeep=Limits(budget, arguments["live_timeout"]))
    with Service(scope) as service:
        return _serve(
            query,
            "QUERY",
            arguments,
            lambda text: service.find(text, **options),
            partial(find_json, declarations=arguments["declarations"]),
            _shows(form, arguments),
        )


def _format(arguments: dict[str, Any]) -> str:
    """The value of `--format`, of which `--json` is a short form."""
    form: str = arguments["format"] or ("json" if arguments["as_json"] else "plain")
    if arguments["as_json"] and form != "json":
        raise UsageError(f"--json and --format {form} exclude each other; pass one of them")
    if arguments["batch"] is not None and arguments["format"] not in (None, "json"):
        raise UsageError(
            f"--batch prints one JSON document per line, not --format {form}; leave that out"
        )
    arguments["as_json"] = form == "json"
    return form


def _shows(form: str, arguments: dict[str, Any]) -> Callable[[FindAnswer], str]:
    """Return what makes the text of an answer; what is to be told beside goes to stderr."""
    if form in ("plain", "json"):
        return partial(find_text, style=_style(arguments))
    from query import formats

    def shown(answer: FindAnswer) -> str:
        if form == "jsonl":
            found = formats.jsonl(answer, declarations=arguments["declarations"])
        else:
            found = formats.vimgrep(answer)
        for notice in found.notices if not arguments["quiet"] else ():
            click.echo(f"javadex: {notice}", err=True)
        return found.text

    return shown


def _style(arguments: dict[str, Any]) -> Style:
    """How texts look: on a terminal with paths from the working directory, that can be clicked."""
    folder = ""
    if sys.stdout.isatty():
        with suppress(OSError):  # it may be gone
            folder = os.getcwd()
    return Style(wants_colours(arguments["color"]), folder)


def _kinds(names: Sequence[str]) -> frozenset[SymbolKind] | None:
    try:
        return kinds_of(names)
    except ValueError as exc:
        from query.usage import did_you_mean

        name = str(exc)
        hint = "repeat --kind for several; " if "," in name else did_you_mean(name, KINDS)
        raise UsageError(f"--kind is {name!r}; {hint}it takes one of {', '.join(KINDS)}") from None


@cli.command()
@click.argument("file", required=False, shell_complete=complete_files)
@common_options
@_answer_options
@color_option
@_live_timeout("when the index lacks the bytes")
@click.option(
    "--allow-stale",
    is_flag=True,
    help="Without a live answer: the last outline that the index has of the path, marked stale.",
)
def outline(file: str | None, **arguments: Any) -> int:
    """Show the outline of a Java file, as its bytes are now.

    FILE is a path, or a documentUri that find gave. A line behind a path, as in A.java:12, is
    left out.
    """
    limit, allow_stale = not_negative(arguments["limit"], "--limit"), arguments["allow_stale"]
    scope = _scope(arguments)._replace(upkeep=Limits(renewal=arguments["live_timeout"]))
    with Service(scope) as service:
        return _serve(
            file,
            "FILE",
            arguments,
            lambda text: service.outline(
                _from_here(text, scope), limit=limit, allow_stale=allow_stale
            ),
            outline_json,
            partial(outline_text, style=_style(arguments)),
        )


def _from_here(text: str, scope: Scope) -> str:
    """Take `text` from the working directory, as other commands do, if it leads into the workspace.

    Else it is what the tool takes: a path below a workspace folder, or a URI.
    """
    found = re.fullmatch(_WITH_LINE, text)
    if found and not _is_there(text, scope):
        text = found[1]
    here = os.path.abspath(text)
    inside = not scope.explicit or isinstance(resolve(here, scope.roots), WorkspaceFile)
    return here if inside and os.path.exists(here) else text


def _is_there(text: str, scope: Scope) -> bool:
    below = resolve(text, scope.roots)
    return os.path.lexists(text) or (
        isinstance(below, WorkspaceFile) and os.path.lexists(below.full)
    )


_WITH_LINE = r"(.+\.java):\d+(?::\d+)?"
"""A path as `find` shows it, with the line."""


def _scope(arguments: dict[str, Any]) -> Scope:
    roots, db, named = asked(arguments["roots"], arguments["db"])

    def tell(message: str) -> None:
        if not arguments["quiet"]:
            click.echo(f"javadex: {message}", err=True)

    return Scope(tuple(roots), db, arguments["java"], arguments["jdtls"], explicit=named, tell=tell)


def _serve(
    text: str | None,
    name: str,
    arguments: dict[str, Any],
    ask: Callable[[str], Any],
    to_json: Callable[[Any], dict[str, Any]],
    to_text: Callable[[Any], str],
) -> int:
    """Answer one question, or with `--batch` as many as there are lines."""
    batch = arguments["batch"]
    if (text is None) == (batch is None):
        hint = "" if text else f", as in: javadex {_EXAMPLES[name]}"
        raise click.UsageError(f"pass either {name} or --batch{hint}")
    if batch is not None:
        return _serve_batch(batch, arguments["explain"], ask, to_json)
    assert text is not None
    answer = ask(text)
    if arguments["as_json"]:
        print_json(_document(answer, to_json, arguments["explain"]))
    else:
        _show(answer, to_text, arguments["explain"], arguments["quiet"])
    return _exit_code(answer)


_EXAMPLES = {"QUERY": "find OrderService", "FILE": "outline src/shop/Order.java"}


def _serve_batch(
    batch: Any, explain: bool, ask: Callable[[str], Any], to_json: Callable[[Any], dict[str, Any]]
) -> int:
    """One document for each line; the exit code tells only that some could not be answered."""
    code = 0
    for line in _lines(batch):
        answer = ask(line)
        print_json(_document(answer, to_json, explain), compact=True)
        if not isinstance(answer, ToolError) and answer.reason is Reason.SERVER_NOT_FULLY_READY:
            code = max(code, _exit_code(answer))
    return code


def _lines(batch: Any) -> Iterator[str]:
    for line in batch:
        yield line.rstrip("\r\n")


def _document(
    answer: _Answer, to_json: Callable[[Any], dict[str, Any]], explain: bool
) -> dict[str, Any]:
    document = to_json(answer)
    if explain and not isinstance(answer, ToolError):
        document["_meta"] = meta_json(answer.provenance)
    return document


def _show(answer: _Answer, to_text: Callable[[Any], str], explain: bool, quiet: bool) -> None:
    if isinstance(answer, ToolError):
        hint = f"; {answer.hint}" if answer.hint else ""
        click.echo(f"javadex: {answer.error} ({answer.code.value}){hint}", err=True)
        return
    if answer.reason:
        if not quiet:
            click.echo(f"javadex: {answer.message} ({answer.reason.value})", err=True)
            for name in answer.near if isinstance(answer, FindAnswer) else ():
                click.echo(f"javadex: did you mean {name}?", err=True)
    else:
        write(to_text(answer))
        if isinstance(answer, OutlineAnswer) and answer.stale:  # with --quiet, too: it may be wrong
            click.echo(f"javadex: {stale_text(answer)}", err=True)
    if explain:
        click.echo(f"javadex: {explain_text(answer.provenance)}", err=True)


def _exit_code(answer: _Answer) -> int:
    if isinstance(answer, ToolError):
        return _EXIT_BY_ERROR.get(answer.code, 2)
    if answer.reason is Reason.SERVER_NOT_FULLY_READY:
        return 3 if isinstance(answer, FindAnswer) else 4
    return 1 if answer.reason is Reason.WORKSPACE_SYMBOL_NO_MATCH else 0


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:  # else the next file that is opened, the index, would be stdout
        click.echo("javadex: stdout is closed; give it a place, such as /dev/null", err=True)
        sys.exit(OutputLost.exit_code)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    try:
        code = _run(arguments)
    except OutputLost as exc:  # met when an error was told as a document
        code = fail(exc, as_json=False)
    sys.exit(code)


_LOST = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG)
"""What writing gives; where javadex itself writes, it says what and where."""


def _asks_for_json(arguments: list[str]) -> bool:
    """True when an error is to be a document, too; told before the arguments are understood."""
    return any(
        each in ("--json", "--format=json") or (each, value) == ("--format", "json")
        for each, value in pairwise([*arguments, ""])
    )


def _run(arguments: list[str]) -> int:
    as_json = _asks_for_json(arguments)
    if COMPLETE in os.environ:
        from query.completion_shells import register

        register()
    try:
        code = cli.main(arguments, prog_name="javadex", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except JavadexError as exc:
        return fail(exc, as_json)
    except click.ClickException as exc:
        if isinstance(exc, click.UsageError):
            from query.usage import helped

            exc = helped(exc, arguments)
        exc.show()
        if as_json:
            print_json({"error": exc.format_message(), "errorCode": "usageError"})
        return exc.exit_code
    except (KeyboardInterrupt, click.Abort):
        return 130
    except Exception as exc:  # the outermost loop: a fault of ours must not look like an answer
        if isinstance(exc, OSError) and exc.errno in _LOST:  # a help text, which click writes
            return fail(output_lost(exc), as_json)
        import traceback

        traceback.print_exc()
        if as_json:
            print_json({"error": f"internal error: {exc!r}", "errorCode": "unexpectedError"})
        return INTERNAL_ERROR
