"""`find --format`: what editors, fzf and scripts read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from indexer.model import Position, Range, SymbolKind
from query.contract import FindAnswer, Hit
from query.formats import byte_column, jsonl, vimgrep
from tests.support.cli import Console, Result
from tests.support.indexing import InstantServer
from tests.support.trees import Tree


class Place(NamedTuple):
    file: str
    line: int
    column: int
    text: str


_ERROR_FORMAT = re.compile(r"(?P<f>.+?):(?P<l>\d+):(?P<c>\d+):(?P<m>.*)")
"""Vim's `%f:%l:%c:%m`."""


def places(text: str) -> list[Place]:
    """What Vim's quickfix makes of a text; every line must be an entry."""
    assert text.endswith("\n") or not text
    found = [_ERROR_FORMAT.fullmatch(line) for line in text.splitlines()]
    assert all(found)
    return [Place(m["f"], int(m["l"]), int(m["c"]), m["m"]) for m in found if m]


def text_at(place: Place) -> str:
    """What stands where an editor goes: lines as grep counts them, columns in bytes."""
    content = Path(place.file).read_bytes().removeprefix(b"\xef\xbb\xbf")
    return content.split(b"\n")[place.line - 1][place.column - 1 :].decode()


@pytest.fixture
def shop(tree: Tree, console: Console, server: InstantServer) -> Tree:
    tree.write("src/shop/Order.java", "package shop;\n\n  class Order {\n  void orderAll() {}\n}\n")
    tree.write("src/shop/Ordnung.java", "package shop;\n/* größe 漢 𠀀 */ class Ordnung {\n}\n")
    tree.write("src/with space/Ord.java", b"\xef\xbb\xbfclass Ord {\r\n}\r\n")
    assert console.run("index", tree.path).code == 0
    return tree


@pytest.fixture
def find(shop: Tree, console: Console) -> Any:
    def run(*arguments: object, **options: Any) -> Result:
        return console.run("find", "--root", shop.path, *arguments, **options)

    return run


# --- vimgrep ------------------------------------------------------------------------------------


def test_vimgrep(shop: Tree, find: Any) -> None:
    run = find("order", "--format", "vimgrep", "--kind", "type", "--kind", "method")
    assert (run.code, run.stderr) == (0, "")
    file = str(shop / "src/shop/Order.java")
    assert places(run.stdout) == [
        Place(file, 3, 9, "Class shop.Order"),
        Place(file, 4, 8, "Method shop.Order.orderAll()"),
    ]


def test_an_editor_gets_to_the_name(find: Any) -> None:
    found = places(find("Or", "--format", "vimgrep").stdout)
    assert len(found) == 3
    for place in found:
        name = place.text.rpartition(".")[2].rpartition(" ")[2]
        assert text_at(place).startswith(f"{name} "), place


def test_columns_are_bytes(find: Any) -> None:
    (place,) = places(find("Ordnung", "--format", "vimgrep").stdout)
    assert (place.line, place.column) == (2, len("/* größe 漢 𠀀 */ class ".encode()) + 1)


@pytest.mark.parametrize(
    ("text", "line", "units", "column"),
    [
        ("class A", 0, 6, 7),
        ("\nclass A", 1, 6, 7),
        ("a\r\nb\rc d", 2, 2, 3),  # as the language server counts lines
        ("ö A", 0, 2, 4),
        ("𠀀 A", 0, 3, 6),  # two units of UTF-16, four bytes
        ("\ufffd A", 0, 2, 5),
        ("A\nB", 0, 99, 2),  # no further than the line
        ("A", 5, 3, 1),
        ("", 0, 3, 1),
    ],
)
def test_byte_column(text: str, line: int, units: int, column: int) -> None:
    assert byte_column(text, Position(line, units)) == column


def hit(name: str, file: str, library: str = "") -> Hit:
    place = Range(Position(1, 6), Position(1, 9))
    return Hit(name, SymbolKind.Class, "kit", "", file, place, place, library=library)


def test_libraries_have_no_place(tmp_path: Path) -> None:
    (tmp_path / "Kit.java").write_text("\nclass Kit {}\n", "utf-8")
    hits = (hit("Kit", str(tmp_path / "Kit.java")), hit("Kite", "", "a.jar"), hit("K", "", "b.jar"))
    shown = vimgrep(FindAnswer(hits, 7))
    assert shown.text == f"{tmp_path}/Kit.java:2:7:Class kit.Kit\n"
    assert shown.notices == (
        "2 of libraries left out, which have no file",
        "4 more of 7 (--limit 0 shows all)",
    )
    assert vimgrep(FindAnswer(hits[1:], 2)).text == ""


def test_a_file_that_went_away_has_a_place_all_the_same(tmp_path: Path) -> None:
    shown = vimgrep(FindAnswer((hit("Kit", str(tmp_path / "Kit.java")),), 1))
    assert shown.text == f"{tmp_path}/Kit.java:2:1:Class kit.Kit\n"


def test_a_line_is_a_line_whatever_the_name(tmp_path: Path) -> None:
    name = "A\nB\x1b[1m"
    (tmp_path / "K\nit.java").write_text("\nclass Kit {}\n", "utf-8")
    text = vimgrep(FindAnswer((hit(name, str(tmp_path / "K\nit.java")),), 1)).text
    assert text.count("\n") == 1
    assert "\x1b" not in text


# --- jsonl --------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [[], ["--declarations"]])
def test_jsonl(find: Any, more: list[str]) -> None:
    lines = find("Or", "--format", "jsonl", *more)
    document = find("Or", "--json", *more)
    assert (lines.code, lines.stderr) == (0, "")
    assert lines.lines == document.json["results"]
    assert len(lines.lines) == 3
    assert [list(line) for line in lines.lines] == [*map(list, document.json["results"])]
    assert '": ' not in lines.stdout


def test_jsonl_knows_no_line_end_in_a_name() -> None:
    text = jsonl(FindAnswer((hit("A\nB\u2028", "/w/A.java"),), 1)).text
    assert text.count("\n") == 1
    assert json.loads(text)["name"] == "A\nB\u2028"


# --- common -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "vimgrep"])
def test_what_is_not_shown_is_told_beside(find: Any, form: str) -> None:
    run = find("Or", "--format", form, "--limit", 1)
    assert run.stdout.count("\n") == 1
    assert run.stderr == "javadex: 2 more of 3 (--limit 0 shows all)\n"
    assert find("Or", "--format", form, "--limit", 1, "--quiet").stderr == ""


@pytest.mark.parametrize("form", ["plain", "jsonl", "vimgrep"])
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["Nothing"], 1, "(workspaceSymbolNoMatch)"),
        (["Or", "--db", "none.db"], 3, "(serverNotFullyReady)"),
        ([" "], 2, "(emptyQuery)"),
    ],
)
def test_nothing_to_show(
    find: Any,
    form: str,
    arguments: list[str],
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = find(*arguments, "--format", form)
    assert (run.code, run.stdout) == (code, "")
    assert told in run.stderr


@pytest.mark.parametrize("form", ["plain", "jsonl", "vimgrep"])
def test_explain_stays_beside(find: Any, form: str) -> None:
    plain = find("Or", "--format", form)
    explained = find("Or", "--format", form, "--explain")
    assert explained.stdout == plain.stdout
    assert "source: index" in explained.stderr


def test_format_json_is_json(find: Any) -> None:
    document = find("Or", "--json").stdout
    for arguments in (["--format", "json"], ["--format=json"], ["--json", "--format", "json"]):
        assert find("Or", *arguments).stdout == document
    assert find("Or").stdout == find("Or", "--format", "plain").stdout != document


@pytest.mark.parametrize("arguments", [["--format=json"], ["--format", "json"]])
def test_errors_are_documents_where_json_was_asked_for(find: Any, arguments: list[str]) -> None:
    run = find("Or", "--limit", "x", *arguments)
    assert (run.code, run.json["errorCode"]) == (2, "usageError")
    run = find("Or", "--kind", "x", *arguments)
    assert (run.code, run.json["errorCode"]) == (2, "usageError")
    assert find("Or", "--limit", "x", "--format", "jsonl").stdout == ""


@pytest.mark.parametrize("form", ["plain", "jsonl", "vimgrep"])
def test_formats_that_exclude_each_other(find: Any, form: str) -> None:
    run = find("Or", "--json", "--format", form)
    assert run.code == 2
    assert f"--json and --format {form}" in run.stderr
    run = find("--batch", "-", "--format", form, stdin=b"Or\n")
    assert (run.code, run.stdout) == (2, "")
    assert f"--format {form}" in run.stderr


def test_a_batch_in_json(find: Any) -> None:
    plain = find("--batch", "-", stdin=b"Or\n")
    assert plain.code == 0
    assert find("--batch", "-", "--format", "json", stdin=b"Or\n").stdout == plain.stdout


def test_an_unknown_format_is_named(find: Any) -> None:
    run = find("Or", "--format", "xml")
    assert run.code == 2
    assert "'xml' is not one of 'plain', 'json', 'jsonl', 'vimgrep'" in run.stderr
