"""How answers look to people: columns, colours, paths, and nothing that a terminal would obey."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from indexer.cli_options import wants_colours
from indexer.model import Outline, Position, Range, Symbol, SymbolKind
from query.contract import FindAnswer, Hit, OutlineAnswer
from query.render import Style, find_text, outline_text, width
from tests.support.cli import Console, Javadex
from tests.support.indexing import InstantServer
from tests.support.terminal import run_on_terminal
from tests.support.trees import Tree

COLOURS = Style(colours=True)
SGR = re.compile(r"\x1b\[\d+m")


def lines_of(first: int, last: int) -> Range:
    return Range(Position(first - 1, 0), Position(last - 1, 9))


def hit(
    file: str, name: str = "Order", kind: SymbolKind = SymbolKind.Class, container: str = "shop"
) -> Hit:
    return Hit(name, kind, container, "", file, lines_of(5, 5), lines_of(5, 9))


def found(*hits: Hit) -> FindAnswer:
    return FindAnswer(hits, len(hits))


def symbol(name: str, first: int, last: int, *children: Symbol, kind: str = "Class") -> Symbol:
    lines = lines_of(first, last)
    return Symbol(name, SymbolKind[kind], lines, lines, children=children)


def outline(*symbols: Symbol, file: str = "/w/A.java") -> OutlineAnswer:
    return OutlineAnswer("", file, Outline(symbols), 0)


# --- columns ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("Order", 5),
        ("Größe", 5),
        ("漢字", 4),
        ("Ａ", 2),  # full width
        ("ｱ", 1),  # half width
        ("e\u0301te", 3),  # a combining accent
        ("𠀀", 2),  # beyond 16 bits
    ],
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


def test_find_is_aligned_whatever_the_script() -> None:
    answer = found(hit("/w/a.java"), hit("/w/漢字.java"), hit("/w/e\u0301te\u0301.java"))
    lines = find_text(answer).splitlines()
    assert len({width(line.partition("Class")[0]) for line in lines}) == 1
    assert lines[0].startswith("/w/a.java:5     Class")


def test_kinds_are_aligned() -> None:
    kinds = [SymbolKind.Constructor, SymbolKind.EnumMember, SymbolKind.Enum]
    lines = find_text(found(*(hit("/w/A.java", kind=kind) for kind in kinds))).splitlines()
    assert {line.index("shop.Order") for line in lines} == {len("/w/A.java:5  Constructor  ")}


def test_one_long_path_moves_only_its_own_line() -> None:
    long = "/w/" + "x" * 200 + ".java"
    short, longer, sticks_out = find_text(
        found(hit("/w/A.java"), hit("/w/" + "y" * 30 + ".java"), hit(long))
    ).splitlines()
    assert short.index("Class") == longer.index("Class") < 60
    assert sticks_out.startswith(f"{long}:5  Class")


def test_outline_has_its_lines_in_a_column() -> None:
    text = outline_text(
        outline(
            symbol("Öl漢字", 1, 1200, symbol("run()", 2, 2, kind="Method"), symbol("B", 10, 99))
        )
    )
    assert text.splitlines() == [
        "/w/A.java",
        "  L1-1200  Class Öl漢字",
        "  L2-2       Method run()",
        "  L10-99     Class B",
    ]


# --- colours ------------------------------------------------------------------------------------


def test_colours_change_nothing_else() -> None:
    kinds = [SymbolKind.Class, SymbolKind.Method, SymbolKind.Field, SymbolKind.Package]
    answer = found(*(hit("/w/A.java", kind=kind, container="a.b") for kind in kinds))
    tree = outline(symbol("A", 1, 9, symbol("b", 2, 2, kind="Field")))
    for coloured, plain in (
        (find_text(answer, COLOURS), find_text(answer)),
        (outline_text(tree, COLOURS), outline_text(tree)),
    ):
        assert "\x1b" not in plain
        assert coloured != plain
        assert SGR.sub("", coloured) == plain
        assert coloured.count("\x1b[0m") * 2 == coloured.count("\x1b")  # each one is ended


def test_kinds_differ_by_colour() -> None:
    kinds = [SymbolKind.Class, SymbolKind.Interface, SymbolKind.Enum, SymbolKind.Method]
    kinds += [SymbolKind.Field, SymbolKind.Package]
    text = find_text(found(*(hit("/w/A.java", kind=kind) for kind in kinds)), COLOURS)
    codes = [re.search(rf"(\x1b\[\d+m){kind.name}", text) for kind in kinds]
    assert len({code[1] for code in codes if code}) == len(kinds)


EVIL = "A\x1b[31mB\r\n\u202e\x9b7m"


@pytest.mark.parametrize("style", [Style(), COLOURS, Style(True, "/w")])
def test_names_bring_no_codes_of_their_own(style: Style) -> None:
    evil = hit(f"/w/{EVIL}.java", EVIL, container=EVIL)._replace(signature=f"{EVIL}()")
    library = evil._replace(library=EVIL, missing=EVIL)
    tree = outline(symbol(EVIL, 1, 1)._replace(detail=EVIL), file=f"/w/{EVIL}.java")
    for text in (find_text(found(evil, library), style), outline_text(tree, style)):
        rest = SGR.sub("", text) if style.colours else text
        assert all(char.isprintable() or char == "\n" for char in rest)
        assert "\\x1b[31m" in rest


# --- whether there are colours ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "environment", "expected"),
    [
        ("auto", {}, False),  # stdout is no terminal here
        ("always", {}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"CLICOLOR_FORCE": "1"}, True),
        ("auto", {"FORCE_COLOR": "0", "CLICOLOR_FORCE": ""}, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
        ("auto", {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
    ],
)
def test_wants_colours(
    choice: str, environment: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_colours(choice) == expected


# --- paths --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "shown"),
    [
        ("", "/w/src/A.java"),
        ("/w", "src/A.java"),
        ("/w/src", "A.java"),
        ("/", "w/src/A.java"),
        ("/w/sr", "/w/src/A.java"),
        ("/other", "/w/src/A.java"),
    ],
)
def test_paths_are_relative_to_a_folder(folder: str, shown: str) -> None:
    style = Style(folder=folder)
    assert find_text(found(hit("/w/src/A.java")), style).startswith(f"{shown}:5 ")
    tree = outline(symbol("A", 1, 1), file="/w/src/A.java")
    assert outline_text(tree, style).splitlines()[0] == shown


# --- a real terminal ----------------------------------------------------------------------------


@pytest.fixture
def shop(
    tree: Tree,
    javadex: Javadex,
    console: Console,
    server: InstantServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Tree:
    """Indexed without a process, where the command then looks."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(javadex.cache))
    tree.write("src/shop/Order.java", "package shop;\nclass Order {\n  int x;\n}\n")
    assert console.run("index", tree.path).code == 0
    return tree


def clickable(line: str, folder: Path) -> Path:
    """The file that a terminal opens on a click on `path:line` at the begin of a line."""
    place = re.match(r"(\S+):(\d+)(?=\s|$)", line)
    assert place
    return folder / place[1]


def test_find_on_a_terminal(shop: Tree, javadex: Javadex) -> None:
    folder = shop / "src"
    run = run_on_terminal(javadex, "find", "Order", cwd=folder)
    assert (run.code, run.stderr) == (0, "")
    assert "\x1b[" in run.stdout
    plain = SGR.sub("", run.stdout)
    assert plain == "shop/Order.java:2  Class      shop.Order\n"
    assert clickable(plain, folder).samefile(shop / "src/shop/Order.java")
    elsewhere = run_on_terminal(javadex, "find", "Order", "--root", shop.path)
    assert SGR.sub("", elsewhere.stdout).startswith(f"{shop.path}/src/shop/Order.java:2 ")


def test_outline_on_a_terminal(shop: Tree, javadex: Javadex) -> None:
    run = run_on_terminal(javadex, "outline", "src/shop/Order.java", cwd=shop.path)
    assert run.code == 0
    assert SGR.sub("", run.stdout).splitlines() == [
        "src/shop/Order.java",
        "  L1-1  Package shop",
        "  L2-4  Class Order",
        "  L3-3    Field x",
    ]


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        ([], {"NO_COLOR": "1"}),
        ([], {"TERM": "dumb"}),
        (["--color", "never"], {}),
    ],
)
def test_terminals_without_colours(
    shop: Tree, javadex: Javadex, arguments: list[str], environment: dict[str, str]
) -> None:
    run = run_on_terminal(javadex, "find", "Order", *arguments, cwd=shop.path, env=environment)
    assert run.stdout == "src/shop/Order.java:2  Class      shop.Order\n"


def test_a_pipe_gets_absolute_paths_and_colours_on_demand(shop: Tree, javadex: Javadex) -> None:
    plain = javadex.run("find", "Order", cwd=shop.path).stdout
    assert plain == f"{shop.path}/src/shop/Order.java:2  Class      shop.Order\n"
    coloured = javadex.run("find", "Order", "--color", "always", cwd=shop.path).stdout
    assert coloured != plain
    assert SGR.sub("", coloured) == plain
    assert javadex.run("find", "Order", cwd=shop.path, env={"FORCE_COLOR": "1"}).stdout == coloured


def test_json_knows_no_terminal(shop: Tree, javadex: Javadex) -> None:
    piped = javadex.run("find", "Order", "--json", cwd=shop.path)
    shown = run_on_terminal(javadex, "find", "Order", "--json", "--color=always", cwd=shop.path)
    assert shown.stdout == piped.stdout
    assert piped.json["results"][0]["file"] == os.path.join(shop.path, "src/shop/Order.java")
