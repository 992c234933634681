"""The parts of the pages that follow from the product: commands, tools, tables.

`make docs` (`python -m tests.support.reference`) writes them into the pages; a test compares. A
generated part stands between two comments. What people write into the tables of the schema, the
meaning of a column, is kept.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from indexer.cli_options import common_options
from indexer.store.migrations import migrate
from query.cli import cli
from query.mcp.tools import TOOLS, Tool

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
UNKNOWN = "?"
"""The meaning of a column that nobody has written down yet."""

_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(\n<!-- end of \2 -->)", re.DOTALL)


# --- commands -----------------------------------------------------------------------------------


def context_of(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    """Return a context in which `command` is called by `name`."""
    return click.Context(command, info_name=name, parent=parent, **cli.context_settings)


def all_commands() -> Iterator[tuple[click.Command, click.Context]]:
    """Yield every command, the one above them and those below groups included."""
    yield from _family(cli, context_of(cli, "javadex", None))


def _family(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child, name
            if not child.hidden:
                yield from _family(child, context_of(child, name, context))


def options_of(command: click.Command, context: click.Context) -> set[str]:
    """Return every option of a command, those that click adds included."""
    return {name for parameter in command.get_params(context) for name in parameter.opts}


def check_call(arguments: list[str]) -> None:
    """Have click parse a call of javadex without making it; fails as the call would."""
    command: click.Command = cli
    context = context_of(cli, "javadex", None)
    while isinstance(command, click.Group) and arguments and arguments[0][0] != "-":
        name, *arguments = arguments
        found = command.get_command(context, name)
        assert found, f"there is no command {name}"
        command = found
    command.make_context(command.name, arguments, parent=context, **cli.context_settings)


def check_mention(text: str) -> None:
    """Fail when a text such as `javadex server stop|status --json` names what is not there.

    Commands end at the first word in capitals or brackets; values of options are not looked at.
    """
    named: list[tuple[click.Command, click.Context]] = [(cli, context_of(cli, "javadex", None))]
    for word in text.split()[1:]:
        ((group, context), *_) = named
        if not isinstance(group, click.Group) or not re.fullmatch(r"[a-z|-]+", word):
            break
        found = {name: group.get_command(context, name) for name in word.split("|")}
        lacking = [name for name, command in found.items() if command is None]
        assert not lacking, f"there is no command {lacking} in `{text}`"
        named = [
            (command, context_of(command, name, context))
            for name, command in found.items()
            if command
        ]
    meant = all_commands() if named[0][0] is cli else named
    known = {option for command, context in meant for option in options_of(command, context)}
    unknown = options_in(text) - known
    assert not unknown, f"there is no option {sorted(unknown)} in `{text}`"


def options_in(text: str) -> set[str]:
    """Return the long options that a text names, whatever program they belong to."""
    return {*re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)}


def commands(_page: str = "") -> str:
    """Return the reference of the command line."""
    parts = [_common_part()]
    parts += [_command_part(command, context) for command, context in all_commands()]
    return "\n".join(parts)


def _common() -> list[click.Parameter]:
    return click.command("any")(common_options(lambda: None)).params


def _common_part() -> str:
    rows = _table(_common(), context_of(cli, "javadex", None))
    return f"### Common options\n\n{rows}"


def _command_part(command: click.Command, context: click.Context) -> str:
    shared = {option.opts[-1] for option in _common()}
    options = [
        option
        for option in command.params
        if isinstance(option, click.Option) and not option.hidden
    ]
    has_common = shared <= {option.opts[-1] for option in options}
    own: list[click.Parameter] = [
        each for each in options if not has_common or each.opts[-1] not in shared
    ]
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"### {context.command_path}", f"`{usage}`", *_paragraphs(command.help or "")]
    if own:
        parts.append(_table(own, context))
    if has_common:
        parts.append("And the [common options](#common-options).")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _paragraphs(help_text: str) -> list[str]:
    """The paragraphs of a help text; one that keeps its lines (after `\\b`) becomes a block."""
    paragraphs = re.split(r"\n\s*\n", help_text.split("\f")[0].strip())
    return [
        "```text\n" + each.lstrip("\b").strip("\n") + "\n```"
        if each.startswith("\b")
        else " ".join(each.split())
        for each in paragraphs
    ]


def _table(options: list[click.Parameter], context: click.Context) -> str:
    rows = ["| option | default | meaning |", "|---|---|---|"]
    for option in options:
        assert isinstance(option, click.Option)
        metavar = "" if option.is_flag or option.count else f" {_metavar(option, context)}"
        names = ", ".join(f"`{name}{metavar}`" for name in [*option.opts, *option.secondary_opts])
        rows.append(_row(names, _default(option), option.help or UNKNOWN))
    return "\n".join(rows) + "\n"


def _metavar(option: click.Option, context: click.Context) -> str:
    shown = option.make_metavar(context)
    return "NUMBER" if re.fullmatch("(INTEGER|FLOAT)( RANGE)?", shown) else shown


def _default(option: click.Option) -> str:
    if option.envvar:
        return f"`{option.envvar}`"
    shown = option.show_default and option.default is not None
    return (
        f"`{option.default:g}`"
        if shown and isinstance(option.default, float)
        else (f"`{option.default}`" if shown else "")
    )


def _row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


# --- tools --------------------------------------------------------------------------------------


def tools(_page: str = "") -> str:
    """Return the tools of the MCP server with their inputs."""
    return "\n".join(map(_tool_part, TOOLS.values()))


def _tool_part(tool: Tool) -> str:
    changes = "reads only" if tool.read_only else "writes the index"
    parts = [f"### {tool.name}", f"{tool.title}; {changes}."]
    if tool.inputs:
        rows = ["| input | type | default | meaning |", "|---|---|---|---|"]
        rows += [
            _row(f"`{name}`", _type(schema), _value(name, schema, tool), schema["description"])
            for name, schema in tool.inputs.items()
        ]
        parts.append("\n".join(rows))
    else:
        parts.append("No input.")
    return "\n\n".join(parts) + "\n"


def _type(schema: dict[str, Any]) -> str:
    if schema["type"] == "array":
        return f"array of {_type(schema['items'])}"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    least, most = schema.get("minimum"), schema.get("maximum")
    bounds = f" {least}..{most}" if most is not None else f" from {least}" if least else ""
    return f"{schema['type']}{bounds}"


def _value(name: str, schema: dict[str, Any], tool: Tool) -> str:
    if name in tool.required:
        return "required"
    default = schema.get("default")
    return "" if default is None else f"`{str(default).lower()}`"


# --- schema -------------------------------------------------------------------------------------

_HEADING = re.compile(r"^### (\w+)$(.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r"^\| `(\w+)` \|(?:[^|]*\|)? ([^|]*) \|$", re.MULTILINE)


def new_index() -> sqlite3.Connection:
    """Return an index without content."""
    connection = sqlite3.connect(":memory:")
    migrate(connection)
    return connection


def tables(page: str) -> str:
    """Return the views and tables of a new index, with the meanings that `page` has."""
    known = {found[1]: found[2] for found in _HEADING.finditer(page)}
    connection = new_index()
    try:
        listed = connection.execute("PRAGMA main.table_list").fetchall()
        entries = [(kind, name) for _, name, kind, *_ in listed if _ours(name, kind)]
        return "\n".join(
            _table_part(connection, name, kind, known.get(name, ""))
            for kind, name in sorted(entries, key=lambda entry: (_ORDER.index(entry[0]), entry[1]))
        )
    finally:
        connection.close()


_ORDER = ("view", "table", "virtual")


def _ours(name: str, kind: str) -> bool:
    return kind in _ORDER and not name.startswith(("sqlite_", "_sqlite"))


def _table_part(connection: sqlite3.Connection, name: str, kind: str, known: str) -> str:
    introduction = known.partition("\n|")[0].strip() or UNKNOWN
    meanings = dict(_COLUMN.findall(known))
    # What type an expression has, which a view's columns are, depends on SQLite's version.
    typed = kind == "table"
    rows = [_row("column", *["type"] * typed, "meaning"), "|---" * (2 + typed) + "|"]
    for _, column, declared, *_ in connection.execute(f"PRAGMA table_info({name})"):
        types = [declared.lower()] * typed
        rows.append(_row(f"`{column}`", *types, meanings.get(column, UNKNOWN)))
    return f"### {name}\n\n{introduction}\n\n" + "\n".join(rows) + "\n"


# --- pages --------------------------------------------------------------------------------------

PARTS: dict[str, Callable[[str], str]] = {"commands": commands, "tools": tools, "tables": tables}
"""What is generated, by the name that its comments give."""

PAGES = {"cli.md": "commands", "tools.md": "tools", "schema.md": "tables"}


def parts(page: str) -> list[str]:
    """Return the names of the generated parts of a page."""
    return [name for _, name, _ in _PART.findall(page)]


def current(page: str) -> str:
    """Return a page with its generated parts as they are now."""
    return _PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]](part[0])}{part[3]}", page)


def main() -> None:
    """Write the generated parts into the pages."""
    for name in PAGES:
        page = DOCS / name
        text = page.read_text("utf-8")
        if (renewed := current(text)) != text:
            page.write_text(renewed, "utf-8")
            sys.stderr.write(f"renewed docs/{name}\n")


if __name__ == "__main__":
    main()
