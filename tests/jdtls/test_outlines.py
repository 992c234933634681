"""Outlines of every sample file: what jdt.ls says live, kept through index, store and reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from indexer.javatext import decode
from indexer.jdtls.convert import outline_from
from indexer.jdtls.proof import misplaced_symbol
from indexer.model import Outline, Symbol
from indexer.recipe import content_key
from indexer.store.reader import Reader, open_reader
from tests.jdtls.conftest import Indexed, Live
from tests.jdtls.samples import MODULE_INFO, SAMPLES, UNSEEN, java_files

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

FILES = java_files(SAMPLES)


@pytest.fixture(scope="module")
def reader(indexed: Indexed) -> Iterator[Reader]:
    reader = open_reader(str(indexed.db))
    yield reader
    reader.close()


def outline_in(reader: Reader, path: str) -> Outline:
    recipe = reader.workspaces()[0].recipe
    stored = reader.outline(content_key((SAMPLES / path).read_bytes()), Path(path).stem, recipe)
    assert stored is not None
    assert stored.failure is None
    return stored.outline


@pytest.mark.parametrize("path", FILES)
def test_equals_live_document_symbol(path: str, reader: Reader, live: Live) -> None:
    if path in UNSEEN:
        assert live.outlines[path] == [], f"jdt.ls sees it now, although: {UNSEEN[path]}"
        expected = live.twins[path]
        assert expected
    else:
        expected = live.outlines[path]
    assert outline_in(reader, path) == outline_from(expected)


def test_no_symbol_of_a_live_answer_is_dropped(live: Live) -> None:
    assert [path for path, answer in live.outlines.items() if outline_from(answer).dropped] == []


def test_only_files_that_declare_nothing_are_empty(live: Live) -> None:
    empty = {path for path, answer in live.outlines.items() if not answer}
    assert empty == {
        MODULE_INFO,
        *UNSEEN,
        "odd/broken/Garbage.java",
        "odd/encoding/BadBytes.java",
        "odd/encoding/Empty.java",
        "odd/encoding/OnlyComment.java",
        "odd/encoding/OnlySpace.java",
    }


def test_command_line_shows_what_the_store_holds(indexed: Indexed, reader: Reader) -> None:
    paths = [str(indexed.samples / path) for path in FILES]
    answers = indexed.cli.batch(
        "outline", paths, "--limit", "0", "--explain", "--db", indexed.db, *indexed.sample_roots
    )
    for path, answer in zip(FILES, answers, strict=True):
        outline = outline_in(reader, path)
        assert answer.pop("_meta") == {"source": "index", "state": "fresh"}
        assert answer["symbols"] == [shown(symbol) for symbol in outline.symbols]
        if outline:
            assert answer["file"] == str(indexed.samples / path)
            assert unquote(urlsplit(answer["documentUri"]).path) == answer["file"]
        else:
            assert answer["reason"] == "documentSymbolProviderEmpty"


def shown(symbol: Symbol) -> dict[str, Any]:
    """The JSON that docs/tools.md gives for a symbol, written down a second time."""
    first = symbol.range.start.line + 1
    at_line_start = symbol.range.end.column == 0 and symbol.range.end.line > symbol.range.start.line
    last = symbol.range.end.line + (0 if at_line_start else 1)
    document: dict[str, Any] = {
        "name": symbol.name,
        "kind": symbol.kind.name,
        "startLine": first,
        "endLine": last,
        "readFileRange": {"offset": first, "limit": last - first + 1},
        "range": f"L{first}-{last}",
    }
    if symbol.detail:
        document["detail"] = symbol.detail
    if symbol.children:
        document["children"] = [shown(child) for child in symbol.children]
    return document


def test_deepest_nesting_survives_the_store(reader: Reader) -> None:
    outline = outline_in(reader, "odd/src/nested/Deep.java")
    depth, level = 0, outline.symbols
    while level:
        depth += 1
        level = tuple(child for symbol in level for child in symbol.children)
    assert depth > 12  # twelve types, and members in the innermost


# What holds for every outline, whatever the file.

NAMES_WRITTEN_OTHERWISE = {
    "odd/src/unicode/Ignorable.java": "jdt.ls leaves ignorable characters out of names (JLS 3.8)",
}


def symbols_of(outline: Outline) -> Iterator[tuple[Symbol | None, Symbol]]:
    """Every symbol with its parent, in reading order."""
    pending: list[tuple[Symbol | None, Symbol]] = [(None, node) for node in outline.symbols]
    while pending:
        parent, node = pending.pop(0)
        yield parent, node
        pending += [(node, child) for child in node.children]


def lines_of(path: str) -> list[str]:
    text = decode((SAMPLES / path).read_bytes())
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@pytest.fixture(scope="module")
def outlines(reader: Reader) -> dict[str, Outline]:
    return {path: outline_in(reader, path) for path in FILES}


def test_every_symbol_has_a_name(outlines: dict[str, Outline]) -> None:
    nameless = [p for p, outline in outlines.items() for _, s in symbols_of(outline) if not s.name]
    assert nameless == []


def test_names_lie_inside_declarations(outlines: dict[str, Outline]) -> None:
    for path, outline in outlines.items():
        for _, symbol in symbols_of(outline):
            assert symbol.range.start <= symbol.selection_range.start, (path, symbol)
            assert symbol.selection_range.end <= symbol.range.end, (path, symbol)


def test_children_lie_inside_their_parents(outlines: dict[str, Outline]) -> None:
    for path, outline in outlines.items():
        for parent, symbol in symbols_of(outline):
            if parent:
                assert parent.range.encloses(symbol.range), (path, parent.name, symbol)


def test_siblings_stand_in_source_order(outlines: dict[str, Outline]) -> None:
    for path, outline in outlines.items():
        parents = [symbol for _, symbol in symbols_of(outline)]
        for siblings in (outline.symbols, *(parent.children for parent in parents)):
            places = [symbol.selection_range.start for symbol in siblings]
            assert places == sorted(places), (path, [symbol.name for symbol in siblings])


def test_ranges_end_in_the_file(outlines: dict[str, Outline]) -> None:
    for path, outline in outlines.items():
        lines = lines_of(path)
        end = (len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)
        for _, symbol in symbols_of(outline):
            assert symbol.range.end <= end, (path, symbol)
            column = symbol.range.end.column
            assert column <= len(lines[symbol.range.end.line].encode("utf-16-le")) // 2, path


def test_names_stand_where_they_are_said_to(outlines: dict[str, Outline]) -> None:
    elsewhere = {
        path
        for path, outline in outlines.items()
        if misplaced_symbol(outline, decode((SAMPLES / path).read_bytes()))
    }
    assert elsewhere == set(NAMES_WRITTEN_OTHERWISE)


def test_shown_lines_hold_the_declaration(outlines: dict[str, Outline]) -> None:
    for path, outline in outlines.items():
        lines = lines_of(path)
        for _, symbol in symbols_of(outline):
            first, last = symbol.range.lines
            cut = "\n".join(lines[first - 1 : last])
            assert 1 <= first <= last <= len(lines), (path, symbol)
            name = symbol.name.partition("(")[0].partition("<")[0].rstrip()
            if is_written_so(name, path, cut):
                assert name in cut, (path, symbol)


def is_written_so(name: str, path: str, cut: str) -> bool:
    """False for made-up labels, escaped names and the implicit class of a compact source file."""
    compact = path.startswith("odd/compact/") and name == Path(path).stem
    return (
        name.isidentifier()
        and "\\u" not in cut
        and path not in NAMES_WRITTEN_OTHERWISE
        and not compact
    )


# A few outlines spelled out, so that an error of the plain server's setup cannot hide one of ours.


def tree(symbols: tuple[Symbol, ...]) -> list[Any]:
    return [
        [symbol.name, symbol.kind.name, *symbol.range.lines, *tree(symbol.children)]
        for symbol in symbols
    ]


def test_same_names_at_three_levels(outlines: dict[str, Outline]) -> None:
    assert tree(outlines["odd/src/nested/Outer.java"].symbols) == [
        ["nested", "Package", 1, 1],
        [
            "Outer",
            "Class",
            2,
            9,
            ["Port", "Interface", 3, 3, ["push()", "Method", 3, 3]],
            [
                "Mid",
                "Class",
                4,
                7,
                ["Leaf", "Class", 5, 5, ["n", "Field", 5, 5]],
                [
                    "Mode",
                    "Enum",
                    6,
                    6,
                    ["A", "EnumMember", 6, 6],
                    ["B", "EnumMember", 6, 6],
                ],
            ],
            ["n", "Field", 8, 8],
        ],
        ["Sibling", "Class", 10, 10, ["n", "Field", 10, 10]],
    ]


def test_overloads_stay_apart(outlines: dict[str, Outline]) -> None:
    (mail,) = (s for s in outlines["odd/src/layout/Mail.java"].symbols if s.name == "Mail")
    labels = [(child.kind, child.name) for child in mail.children]
    assert len(set(labels)) == len(labels) > 5


def test_declaration_starts_at_its_javadoc(outlines: dict[str, Outline]) -> None:
    (doc,) = (s for s in outlines["odd/src/layout/Doc.java"].symbols if s.name == "Doc")
    hello = doc.children[0]
    assert hello.deprecated
    assert (hello.range.lines, hello.selection_range.lines) == ((3, 10), (9, 9))
