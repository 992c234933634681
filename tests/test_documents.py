"""What README and docs say about the product is so: exit codes, options, paths, SQL, tables."""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import sqlite_utils.cli
from click.testing import CliRunner

from indexer import errors
from query.cli import INTERNAL_ERROR, cli
from tests.support.indexing import POISON, Index, InstantServer
from tests.support.trees import Tree, toy

REPOSITORY = Path(__file__).parents[1]
README = (REPOSITORY / "README.md").read_text("utf-8")
ARCHITECTURE = (REPOSITORY / "docs" / "architecture.md").read_text("utf-8")
DOCUMENTS = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
MODULES = sorted(
    path for package in ("indexer", "query") for path in (REPOSITORY / package).rglob("*.py")
)

_LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
_PATH = re.compile(r"(?<![\w/.:-])(?:docs|indexer|query)/[\w/.-]*\w")
_SECONDARY = re.compile(r"`([\w-]+\.md)`")


def name(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


# --- exit codes ---------------------------------------------------------------------------------


def codes_in_readme() -> dict[int, str]:
    """Code to meaning, without the article and what a colon adds."""
    rows = re.findall(r"^\| (\d+) \| ([^|:]+?)(?::[^|]*)? \|$", README, re.MULTILINE)
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
    assert codes_in_readme() == codes_in_help()
    raised = {error.exit_code for error in family(errors.JavadexError)}
    assert set(codes_in_readme()) == raised | {0, INTERNAL_ERROR, 130}


def test_the_tree_of_errors_is_as_its_module_draws_it() -> None:
    drawn = re.findall(r"^[│├└─\s]*(\w+) +(\d)  ", errors.__doc__ or "", re.MULTILINE)
    real = {error.__name__: error.exit_code for error in family(errors.JavadexError)}
    assert {error: int(code) for error, code in drawn} == real


# --- options ------------------------------------------------------------------------------------


def options() -> set[str]:
    """Every option of every command, those that click adds included."""
    context = click.Context(cli, **cli.context_settings)
    commands = [cli.get_command(context, each) for each in cli.list_commands(context)]
    return {
        option
        for command in [cli, *filter(None, commands)]
        for parameter in command.get_params(click.Context(command, **cli.context_settings))
        for option in parameter.opts
    }


def test_options_in_the_readme_exist() -> None:
    ours = "\n".join(line for line in README.splitlines() if "$ sqlite-utils" not in line)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", ours))
    assert {"--root", "--json", "--help"} <= named
    assert named - options() == set()


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


# --- SQL ----------------------------------------------------------------------------------------

STATEMENTS = [shlex.split(line)[2:] for line in README.splitlines() if "$ sqlite-utils" in line]


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer) -> Index:
    """An index of a service, of what is none, and of a file that has no outline."""
    tree.write("shop/OrderService.java", toy("shop/OrderService.java", "void findAll() {}"))
    tree.write("shop/Order.java", toy("shop/Order.java", "void save() {}"))
    tree.write("shop/Broken.java", f"class Broken {{}} // {POISON}\n")
    index.build(tree.path)
    return index


def answer(statement: list[str], index: Index) -> list[dict[str, object]]:
    """What sqlite-utils prints when it is called as the README calls it."""
    arguments = [str(index.path) if word == "index.db" else word for word in statement]
    done = CliRunner().invoke(sqlite_utils.cli.cli, arguments)
    assert done.exit_code == 0, done.output
    rows: list[dict[str, object]] = json.loads(done.output)
    return rows


def test_the_sql_in_the_readme_answers(shop: Index) -> None:
    types, members, files = (answer(statement, shop) for statement in STATEMENTS)
    assert types == [
        {"qualified_name": "shop.OrderService", "path": "shop/OrderService.java", "line": 2}
    ]
    assert members == [
        {"owner": "OrderService", "name": "findAll()", "path": "shop/OrderService.java", "line": 3}
    ]
    assert [(row["path"], row["state"]) for row in files] == [("shop/Broken.java", "failed")]


# --- tables -------------------------------------------------------------------------------------


def test_tables_in_the_architecture_exist(shop: Index) -> None:
    """In the chapter on the store, words set as code are tables, or known as something else."""
    (chapter,) = re.findall(r"^## The store\n(.*?)^## ", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`([a-z_]+)`", chapter))
    tables = {row[0] for row in shop.rows("SELECT name FROM sqlite_schema")}
    commands = cli.list_commands(click.Context(cli))
    pragmas = {row[0] for row in shop.rows("PRAGMA pragma_list")}
    assert named & tables
    assert named - tables - pragmas - {*commands, *(module.stem for module in MODULES)} == set()
