"""What README and docs say about the product is so: commands, tools, tables, exit codes, paths.

What can be run is run by `test_commands_in_docs.py`.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from benchmarks import verify_tree
from indexer import errors
from indexer.standing import Standing
from query.cli import INTERNAL_ERROR, cli
from query.contract import ErrorCode, Reason
from query.mcp.tools import TOOLS as TOOL_LIST
from query.mcp.tools import Tool
from query.setup.clients import CLIENTS
from tests.support import reference
from tests.support.documents import PAGES, REPOSITORY, blocks, prose

README = (REPOSITORY / "README.md").read_text("utf-8")
CLI = (REPOSITORY / "docs" / "cli.md").read_text("utf-8")
TOOLS = (REPOSITORY / "docs" / "tools.md").read_text("utf-8")
SCHEMA = (REPOSITORY / "docs" / "schema.md").read_text("utf-8")
MATCHING = (REPOSITORY / "docs" / "matching.md").read_text("utf-8")
SECURITY = (REPOSITORY / "docs" / "security.md").read_text("utf-8")
ARCHITECTURE = (REPOSITORY / "docs" / "architecture.md").read_text("utf-8")
BENCHMARKS = (REPOSITORY / "docs" / "benchmarks.md").read_text("utf-8")
MODULES = sorted(
    path for package in ("indexer", "query") for path in (REPOSITORY / package).rglob("*.py")
)

_LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
_PATH = re.compile(r"(?<![\w/.:-])(?:docs|indexer|query)/[\w/.-]*\w")
_SECONDARY = re.compile(r"`([a-z][\w-]*\.md)`")


def chapter(page: str, title: str) -> str:
    """What stands below the heading `title`."""
    (found,) = re.findall(
        rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL
    )
    return str(found)


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
    drawn = re.findall(r"^[│├└─\s]*(\w+) +(\d+)  ", errors.__doc__ or "", re.MULTILINE)
    real = {error.__name__: error.exit_code for error in family(errors.JavadexError)}
    assert {error: int(code) for error, code in drawn} == real


def errors_of_commands() -> dict[str, int]:
    """`errorCode` to exit code, of every document that a failed command may print."""
    for module in MODULES:
        if module.name != "__main__.py":
            path = module.relative_to(REPOSITORY).with_suffix("")
            importlib.import_module(".".join(path.parts))
    raised, found = [errors.JavadexError], {"unexpectedError": INTERNAL_ERROR}
    while raised:
        error = raised.pop()
        raised += error.__subclasses__()
        found[error.__name__[0].lower() + error.__name__[1:]] = error.exit_code
    del found["indexIncomplete"]  # there is a report instead
    del found["outputLost"]  # there is no place for a document
    return found


def test_error_codes_of_commands_are_in_the_reference() -> None:
    rows = re.findall(r"^\| (`[a-z]\w*`[^|]*) \| (\d+) \|", CLI, re.MULTILINE)
    told = {error: int(code) for cell, code in rows for error in re.findall(r"`(\w+)`", cell)}
    assert told == errors_of_commands()


# --- words ---------------------------------------------------------------------------------------


def test_reasons_and_codes_and_states_are_in_the_page_of_tools() -> None:
    words = {each.value for kind in (Reason, ErrorCode, Standing) for each in kind}
    assert words - set(re.findall(r"\w+", TOOLS)) == set()


def test_error_codes_in_tables_are_the_tools() -> None:
    """Those of the command line are in a table of their own."""
    known = {each.value for each in ErrorCode}
    pages = "\n".join(page.read_text("utf-8") for page in PAGES)
    for table in re.findall(r"^\| errorCode \| means .*\n((?:\|.*\n)+)", TOOLS, re.MULTILINE):
        assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) <= known
    named = {
        kind: set(re.findall(rf"\b{kind}\b:? `?\"?([a-z]+[A-Z]\w+)", pages))
        for kind in ("reason", "errorCode")
    }
    assert named["reason"]
    assert named["reason"] <= {each.value for each in Reason}
    assert named["errorCode"]
    assert named["errorCode"] <= known


OTHERS_WORDS = {"architecture.md", "matching.md"}
"""Pages with words of Java and of jdt.ls."""

OF_MCP = {"isError"}


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in OTHERS_WORDS], ids=lambda page: page.name
)
def test_words_set_as_code_stand_in_the_code(page: Path) -> None:
    """Keys, reasons, codes and states: what is written `likeThis`."""
    named = set(re.findall(r"`([a-z]+[A-Z]\w*)`", prose(page.read_text("utf-8"))))
    scripts = (REPOSITORY / "benchmarks").glob("*.py")
    sources = (path.read_text("utf-8") for path in [*MODULES, *scripts])
    known = {*errors_of_commands()}.union(*(re.findall(r"\w+", text) for text in sources))
    assert named - known - OF_MCP == set()


# --- what is generated --------------------------------------------------------------------------


@pytest.mark.parametrize("page", sorted(reference.PAGES))
def test_reference_pages_say_what_the_product_says(page: str) -> None:
    text = (REPOSITORY / "docs" / page).read_text("utf-8")
    part = reference.PAGES[page]
    assert reference.parts(text) == [part], "one part, with its two comments"
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


# --- environment -------------------------------------------------------------------------------


_VARIABLE = re.compile(
    r"JAVADEX_[A-Z_]+|XDG_[A-Z_]+|NO_COLOR|[A-Z_]+_COLOR|[A-Z_]+_FORCE|JAVA_HOME"
)


_LOOKED_UP = re.compile(r'(?:(?:environ|env)(?:\.get\(|\[)|getenv\()"(\w+)"(?!\] = )')


def variables_read() -> Iterator[str]:
    """Environment variables of ours, and of everybody, that a module names to read them; and those
    that it looks up by their name."""
    for module in MODULES:
        text = module.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and _VARIABLE.fullmatch(value):
                yield value
        yield from _LOOKED_UP.findall(text)
        if "user_state_dir" in text:  # platformdirs reads it
            yield "XDG_STATE_HOME"


@pytest.mark.parametrize(
    ("code", "variable"),
    [
        ('os.environ["TERM"]', "TERM"),
        ('os.environ.get("TERM", "")', "TERM"),
        ('env.get("PATH")', "PATH"),
        ('os.getenv("LANG")', "LANG"),
        ('env["LANG"] = "C"', ""),
        ('document.get("total")', ""),
    ],
)
def test_what_is_looked_up_is_seen(code: str, variable: str) -> None:
    assert "".join(_LOOKED_UP.findall(code)) == variable


def test_every_variable_that_is_read_is_in_the_reference() -> None:
    read = set(variables_read())
    told = set(re.findall(r"^\| `(\w+)` \|", chapter(CLI, "Environment"), re.MULTILINE))
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
        for page in PAGES
        for block in blocks(page.read_text("utf-8"))
        if block.language in ("json", "toml")
    ]
    configurations = [each for each in shown if {"mcpServers", "servers", "mcp_servers"} & {*each}]
    assert len(configurations) >= 2
    assert [each for each in configurations if each not in written] == []


# --- figures ------------------------------------------------------------------------------------


def test_figures_in_the_readme_were_measured() -> None:
    """Every number of the comparison stands in the page on benchmarks, as it is there."""
    rows = [
        line
        for line in chapter(README, "Against alternatives").splitlines()
        if line.startswith("|")
    ]
    numbers = re.findall(r"\d[\d,]*(?:\.\d+)?", "\n".join(rows))
    assert len(numbers) >= 8
    assert [
        each for each in numbers if not re.search(rf"(?<![\d.,]){each}(?![\d.,]\d)", BENCHMARKS)
    ] == []


def test_rows_of_verify_are_as_the_script_prints_them() -> None:
    counts = dict.fromkeys(("skipped", "exception", "stale", "real"), 0)
    workspace = dict.fromkeys(("files", "nodes", "types", "queries"), 0)
    document = {
        "workspaces": [{**workspace, "project": "generated", "counts": counts}],
        "seconds": 0.0,
    }
    printed = [row for row, *_ in verify_tree.rows(document, 1)]
    shown = re.findall(
        r"^\| ([a-z][^|]*) \|", chapter(BENCHMARKS, "Against plain jdt.ls"), re.MULTILINE
    )
    assert shown == [row for row in printed if not row.startswith("files that changed")]


def test_the_corpus_is_as_large_as_the_pages_say() -> None:
    told = [int(number) for number in re.findall(r"\b\d+\b", chapter(MATCHING, "11. Evidence"))]
    corpus = REPOSITORY / "tests" / "data" / "matching"
    names = ("types_corpus", "vectors", "vectors_methods")
    lines = [len((corpus / f"{each}.jsonl").read_text("utf-8").split("\n")) - 1 for each in names]
    assert told == [len([*(corpus / "corpus").rglob("*.java")]), *lines]
    assert f"replayed on {lines[1]} recorded answers" in README


# --- links and paths ----------------------------------------------------------------------------


@pytest.mark.parametrize("document", PAGES, ids=name)
def test_links_lead_to_files_and_headings(document: Path) -> None:
    links = [found for found in _LINK.findall(document.read_text("utf-8")) if "://" not in found[0]]
    assert links or document.name != "README.md"
    for link, anchor in links:
        target = document.parent / link if link else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text("utf-8")), f"{link}#{anchor}"


def anchors(page: str) -> set[str]:
    """What a link may name in a page: its headings as GitHub spells them, and `-1` for the next."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ +(.+?) *$", prose(page), re.MULTILINE):
        anchor = re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
    return {
        f"{anchor}-{n}" if n else anchor for anchor, most in found.items() for n in range(most + 1)
    }


def missing(text: str) -> list[str]:
    """Paths of ours that a text names and that are not there; a module may lack its suffix."""
    named = {REPOSITORY / path for path in _PATH.findall(text)}
    return sorted(
        name(path)
        for path in named
        if not path.exists() and not path.with_name(f"{path.name}.py").exists()
    )


@pytest.mark.parametrize("document", PAGES, ids=name)
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
    links = _LINK.findall(index.read_text("utf-8"))
    linked = {(index.parent / link).resolve() for link, _ in links}
    assert {page for page in index.parent.rglob("*.md") if page != index} <= linked


# --- modules and tests --------------------------------------------------------------------------


def test_the_code_map_has_every_module() -> None:
    """By its name, by its folder, or by a pattern; and names no other one."""
    rows = re.findall(
        r"^\| (`[^|]*) \| ([^|]*) \|", chapter(ARCHITECTURE, "Code map"), re.MULTILINE
    )
    modules = {name(module.with_suffix("")) for module in MODULES if module.name[0] != "_"}
    named: set[str] = set()
    for cell, does in rows:
        for each in re.findall(r"`([^`]+)`", cell):
            found = {
                module
                for module in modules
                if fnmatch(module, f"{each}*" if each[-1] == "/" else each)
            }
            assert found, each
            named |= found
        if cell.endswith("/`"):  # a folder, whose modules are named beside
            inside = {f"{cell.strip('`')}{each}" for each in re.findall(r"`([a-z_]+)`", does)}
            assert inside - modules == set()
    assert modules - named == set()


def test_tests_in_the_page_on_security_exist() -> None:
    """A name may be cut short by `…`; it is one of test_security.py, or of a file in its line."""
    seen = 0
    for line in SECURITY.splitlines():
        files = {"test_security.py", *re.findall(r"\b(?:mcp/)?test_\w+\.py\b", line)}
        text = "".join((REPOSITORY / "tests" / file).read_text("utf-8") for file in files)
        for named, cut in re.findall(r"`(test_\w+)(…?)`", line):
            seen += 1
            start = f"def {named}" if cut else f"def {named}("
            assert f"\n{start}" in text, named
    assert seen > 20


# --- tasks --------------------------------------------------------------------------------------


def test_ci_runs_what_make_check_runs() -> None:
    makefile = (REPOSITORY / "Makefile").read_text("utf-8")
    recipes = dict(re.findall(r"^([a-z-]+):[^\n]*\n((?:\t[^\n]+\n)*)", makefile, re.MULTILINE))
    (parts,) = re.findall(r"^check: ([a-z ]*[a-z])", makefile, re.MULTILINE)
    wanted = [
        line.strip().replace("$(BIN)", "").replace("$(PYTHON)", "python")
        for part in parts.split()
        for line in recipes[part].splitlines()
    ]
    script = (REPOSITORY / ".ci" / "run").read_text("utf-8")
    commands = re.findall(r"^\"\$bin/(\w[\w-]*)\"(.*)$", script, re.MULTILINE)
    run = [f"{program}{rest}".removesuffix(" -q") for program, rest in commands]
    assert len(wanted) >= 5
    assert run[1:] == wanted
    for text in (recipes["setup"], run[0]):
        assert " -e '.[jdtls,test]'" in text


# --- tables -------------------------------------------------------------------------------------


def test_tables_in_the_architecture_exist() -> None:
    """In the chapter on the store, words set as code are tables, or known as something else."""
    named = set(re.findall(r"`([a-z_]+)`", chapter(ARCHITECTURE, "The store")))
    connection = reference.new_index()
    try:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
        pragmas = {row[0] for row in connection.execute("PRAGMA pragma_list")}
    finally:
        connection.close()
    commands = cli.list_commands(click.Context(cli))
    assert named & tables
    assert named - tables - pragmas - {*commands, *(module.stem for module in MODULES)} == set()
