"""What README and docs say about the product is so: commands, tools, tables, exit codes, paths.

What can be run is run by `test_commands_in_docs.py`.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from indexer import errors
from query.cli import INTERNAL_ERROR, cli
from query.mcp.tools import TOOLS as TOOL_LIST
from query.mcp.tools import Tool
from query.setup.clients import CLIENTS
from tests.support import reference
from tests.support.documents import blocks

REPOSITORY = Path(__file__).parents[1]
README = (REPOSITORY / "README.md").read_text("utf-8")
CLI = (REPOSITORY / "docs" / "cli.md").read_text("utf-8")
TOOLS = (REPOSITORY / "docs" / "tools.md").read_text("utf-8")
SCHEMA = (REPOSITORY / "docs" / "schema.md").read_text("utf-8")
ARCHITECTURE = (REPOSITORY / "docs" / "architecture.md").read_text("utf-8")
DOCUMENTS = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
MODULES = sorted(
    path for package in ("indexer", "query") for path in (REPOSITORY / package).rglob("*.py")
)

_LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
_PATH = re.compile(r"(?<![\w/.:-])(?:docs|indexer|query)/[\w/.-]*\w")
_SECONDARY = re.compile(r"`([a-z][\w-]*\.md)`")


def name(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


# --- exit codes ---------------------------------------------------------------------------------


def codes_in_reference() -> dict[int, str]:
    """Code to meaning, without the article and what a colon adds."""
    rows = re.findall(r"^\| (\d+) \| ([^|:]+?)(?::[^|]*)? \|$", CLI, re.MULTILINE)
    return {int(code): meaning.removeprefix("the ") for code, meaning in rows}


def codes_in_help() -> dict[int, str]:
    """Code to meaning, from what `javadex --help` prints."""
    shown = " ".join(CliRunner().invoke(cli, ["--help"]).output.split())
    (told,) = re.findall(r"Exit codes: ([^.]+)\.", shown)
    return {int(code): meaning for code, meaning in re.findall(r"(\d+) ([^,]+)", told)}


def family(error: type[errors.JavadexError]) -> Iterator[type[errors.JavadexError]]:
    """The error and its descendants, without those that other modules keep to themselves."""
    if error.__module__ == errors.__name__:
        yield error
    for child in error.__subclasses__():
        yield from family(child)


def test_exit_codes_are_the_same_everywhere() -> None:
    assert codes_in_reference() == codes_in_help()
    raised = {error.exit_code for error in family(errors.JavadexError)}
    assert set(codes_in_reference()) == raised | {0, INTERNAL_ERROR, 130}


def test_the_tree_of_errors_is_as_its_module_draws_it() -> None:
    drawn = re.findall(r"^[│├└─\s]*(\w+) +(\d)  ", errors.__doc__ or "", re.MULTILINE)
    real = {error.__name__: error.exit_code for error in family(errors.JavadexError)}
    assert {error: int(code) for error, code in drawn} == real


# --- what is generated --------------------------------------------------------------------------


@pytest.mark.parametrize("page", sorted(reference.PAGES))
def test_reference_pages_say_what_the_product_says(page: str) -> None:
    text = (REPOSITORY / "docs" / page).read_text("utf-8")
    part = reference.PAGES[page]
    assert f"<!-- generated: {part} -->" in text
    assert text == reference.current(text), "write the page anew: `make docs`"


def test_every_command_and_option_has_a_meaning() -> None:
    """A new one without help, or a new column of the schema, shows as a question mark."""
    for page in (CLI, TOOLS, SCHEMA):
        assert not re.search(r"^\?$|\| \? \|", page, re.MULTILINE)


def test_commands_of_commands_are_there() -> None:
    paths = {context.command_path for _, context in reference.all_commands()}
    assert {"javadex", "javadex find", "javadex index", "javadex server start"} <= paths
    assert {f"### {path}" for path in paths} <= set(CLI.splitlines())


def test_the_schema_page_has_every_column() -> None:
    """Independently of how the page is made."""
    connection = reference.new_index()
    try:
        named = {
            (table, column[1])
            for (table,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
                "AND name NOT GLOB '*_fragment_*' AND name NOT GLOB '*sqlite_*'"
            )
            for column in connection.execute(f"PRAGMA table_info({table})")
        }
    finally:
        connection.close()
    shown = {
        (section.split("\n", 1)[0], column)
        for section in SCHEMA.split("\n### ")[1:]
        for column in re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    }
    assert shown == named


def property_names(schema: Any) -> Iterator[str]:
    """Every key that a JSON schema knows of objects, nested ones included."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from property_names(part)


@pytest.mark.parametrize("tool", TOOL_LIST.values(), ids=lambda tool: tool.name)
def test_keys_of_answers_are_in_the_page_of_tools(tool: Tool) -> None:
    named = set(property_names(tool.output))
    assert named
    assert named - set(re.findall(r"\w+", TOOLS)) == set()


# --- options and environment --------------------------------------------------------------------


def options() -> set[str]:
    """Every option of every command, those that click adds included."""
    return {
        option
        for command, context in reference.all_commands()
        for parameter in command.get_params(context)
        for option in parameter.opts
    }


def test_options_in_the_readme_exist() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", README))
    assert {"--root", "--json"} <= named
    assert named - options() == set()


_VARIABLE = re.compile(
    r"JAVADEX_[A-Z_]+|XDG_[A-Z_]+|NO_COLOR|[A-Z_]+_COLOR|[A-Z_]+_FORCE|JAVA_HOME"
)


def variables_read() -> Iterator[str]:
    """Environment variables of ours, and of everybody, that a module names to read them."""
    for module in MODULES:
        text = module.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and _VARIABLE.fullmatch(value):
                yield value
        if "user_state_dir" in text:  # platformdirs reads it
            yield "XDG_STATE_HOME"


def test_every_variable_that_is_read_is_in_the_reference() -> None:
    read = set(variables_read())
    (chapter,) = re.findall(r"^## Environment\n(.*?)^## ", CLI, re.MULTILINE | re.DOTALL)
    told = set(re.findall(r"^\| `(\w+)` \|", chapter, re.MULTILINE))
    assert {"JAVADEX_ROOT", "JAVADEX_DB", "XDG_CACHE_HOME"} <= read
    assert told == read


# --- set-ups of clients ------------------------------------------------------------------------


AGENTS = (REPOSITORY / "docs" / "howto-agents.md").read_text("utf-8")


def set_up(client: str, folder: Path) -> dict[str, str]:
    """Content by path of what `javadex setup CLIENT` would write."""
    told = CliRunner().invoke(cli, ["setup", client, "--root", str(folder), "--json", "-q"])
    assert told.exit_code == 0, told.output
    return {file["path"]: file["content"] for file in json.loads(told.stdout)["files"]}


def test_the_table_of_clients_is_what_setup_writes(tmp_path: Path) -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| `(\S+)` \| `(\S+)` \| `(\S+)` \|", AGENTS, re.MULTILINE)
    for client, *paths in rows:
        *files, skill = paths
        assert [*files, f"{skill}SKILL.md"] == list(set_up(client, tmp_path))
    assert [row[0] for row in rows] == list(CLIENTS)


def test_configurations_in_pages_are_what_setup_writes(tmp_path: Path) -> None:
    written: list[Any] = []
    for client in CLIENTS:
        path, content = next(iter(set_up(client, tmp_path).items()))
        written.append((tomllib if path.endswith(".toml") else json).loads(content))
    shown = [
        (json if block.language == "json" else tomllib).loads(block.text)
        for page in DOCUMENTS
        for block in blocks(page.read_text("utf-8"))
        if block.language in ("json", "toml")
    ]
    configurations = [each for each in shown if {"mcpServers", "servers", "mcp_servers"} & {*each}]
    assert len(configurations) >= 2
    assert [each for each in configurations if each not in written] == []


# --- figures ------------------------------------------------------------------------------------


def test_figures_in_the_readme_were_measured() -> None:
    """Every number of the comparison stands in the page on benchmarks, as it is there."""
    measured = (REPOSITORY / "docs" / "benchmarks.md").read_text("utf-8")
    (chapter,) = re.findall(
        r"^## Against alternatives\n(.*?)^## ", README, re.MULTILINE | re.DOTALL
    )
    rows = [line for line in chapter.splitlines() if line.startswith("|")]
    numbers = re.findall(r"\d[\d,]*(?:\.\d+)?", "\n".join(rows))
    assert len(numbers) >= 8
    assert [
        each for each in numbers if not re.search(rf"(?<![\d.,]){each}(?![\d.,]\d)", measured)
    ] == []


# --- links and paths ----------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_to_files(document: Path) -> None:
    links = [link for link in _LINK.findall(document.read_text("utf-8")) if "://" not in link]
    assert links or document.name != "README.md"
    assert [link for link in links if not (document.parent / link).exists()] == []


def missing(text: str) -> list[str]:
    """Paths of ours that a text names and that are not there; a module may lack its suffix."""
    named = {REPOSITORY / path for path in _PATH.findall(text)}
    return sorted(
        name(path)
        for path in named
        if not path.exists() and not path.with_name(f"{path.name}.py").exists()
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_paths_in_documents_exist(document: Path) -> None:
    text = document.read_text("utf-8")
    assert missing(text) == []
    named = _SECONDARY.findall(text)
    assert [other for other in named if not (document.parent / other).exists()] == []


def docstrings(module: Path) -> str:
    """All strings that stand for themselves: docstrings, and those below attributes."""
    nodes = ast.walk(ast.parse(module.read_text("utf-8")))
    return "\n".join(
        node.value.value
        for node in nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def test_paths_in_docstrings_exist() -> None:
    texts = {name(module): docstrings(module) for module in MODULES}
    assert any(_PATH.search(text) for text in texts.values())
    assert {module: missing(text) for module, text in texts.items() if missing(text)} == {}


# --- the index of all pages ---------------------------------------------------------------------


def test_every_page_is_in_the_index_of_pages() -> None:
    index = REPOSITORY / "docs" / "README.md"
    linked = {(index.parent / link).resolve() for link in _LINK.findall(index.read_text("utf-8"))}
    assert {page for page in index.parent.rglob("*.md") if page != index} <= linked


# --- tables -------------------------------------------------------------------------------------


def test_tables_in_the_architecture_exist() -> None:
    """In the chapter on the store, words set as code are tables, or known as something else."""
    (chapter,) = re.findall(r"^## The store\n(.*?)^## ", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`([a-z_]+)`", chapter))
    connection = reference.new_index()
    try:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
        pragmas = {row[0] for row in connection.execute("PRAGMA pragma_list")}
    finally:
        connection.close()
    commands = cli.list_commands(click.Context(cli))
    assert named & tables
    assert named - tables - pragmas - {*commands, *(module.stem for module in MODULES)} == set()
