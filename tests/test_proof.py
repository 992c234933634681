"""The proofs that an outline belongs to its text, with the fake server's toy Java as the parser."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings

from indexer.jdtls.convert import outline_from
from indexer.jdtls.proof import cut_sentinel, misplaced_symbol, takes_sentinel, with_sentinel
from indexer.model import Outline, Position, Range, Symbol, SymbolKind
from tests.fakes.server import outline as toy_outline
from tests.strategies import toy_java, toy_soup

NAME = "Jdx0123456789abcdef"
OTHER = "Jdxfedcba9876543210"


def outlined(text: str) -> Outline:
    return outline_from(toy_outline(text))


def proven(text: str, name: str = NAME) -> Outline | None:
    return cut_sentinel(outlined(with_sentinel(text, name)), text, name)


# --- the sentinel -------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["", "\n", "\r", "\r\n", "\n\n", "\r\r", "\n\r", " ", "\t\n "])
@pytest.mark.parametrize("inner", ["\n", "\r", "\r\n"])
def test_added_and_cut_whatever_the_line_ends(inner: str, end: str) -> None:
    text = f"package a;{inner}class A {{{inner}  int x;{inner}}}{end}"
    outline = proven(text)
    assert outline == outlined(text)
    assert [symbol.name for symbol in outline.symbols] == ["a", "A"]


@pytest.mark.parametrize(
    "text", ["class A {} // end", "class A {} // end\r", "", "\n", "// only\r\n"]
)
def test_added_and_cut_behind_comments_and_nothing(text: str) -> None:
    assert proven(text) == outlined(text)


def test_the_sentinel_stands_on_a_line_of_its_own() -> None:
    for text in ("class A {}", "class A {}\n", "class A {}\r", "class A {} // x"):
        lines = re.split(r"\r\n|\r|\n", with_sentinel(text, NAME))
        assert lines[-2:] == [f"class {NAME} {{}}", ""]


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("class A {}", True),
        ("class A {}\r\n \t", True),
        ("import a.b;\n", True),
        ("class A {} // end", False),
        ("class A {} /* end */", False),
        ("/* }", True),  # swallowed by the comment: then it proves nothing, which does no harm
        ("@Deprecated", False),
        ("class A", False),
        ("class A { int x = 1", False),
        ("class A {}\x1a", False),
        ("", False),
        (" \n", False),
    ],
)
def test_what_takes_a_sentinel(text: str, takes: bool) -> None:
    assert takes_sentinel(text) is takes


TEXT = "class A {\n  int x;\n}\n"
GOOD = outlined(with_sentinel(TEXT, NAME))


def test_the_sentinel_proves_where_it_was_put() -> None:
    assert cut_sentinel(GOOD, TEXT, NAME) == outlined(TEXT)
    assert cut_sentinel(GOOD._replace(dropped=3), TEXT, NAME) == outlined(TEXT)._replace(dropped=3)


def moved(symbol: Symbol, lines: int = 0, columns: int = 0) -> Symbol:
    (line, column), end = symbol.range
    return symbol._replace(range=Range(Position(line + lines, column + columns), end))


SENTINEL = GOOD.symbols[-1]


@pytest.mark.parametrize(
    "symbols",
    [
        (),
        GOOD.symbols[:-1],
        (SENTINEL, *GOOD.symbols[:-1]),
        (*GOOD.symbols, GOOD.symbols[0]),
        (GOOD.symbols[0]._replace(children=(SENTINEL,)),),
        (GOOD.symbols[0], SENTINEL._replace(children=(GOOD.symbols[0],))),
        (GOOD.symbols[0], SENTINEL._replace(name=OTHER)),
        (GOOD.symbols[0], SENTINEL._replace(name=NAME + "<T>")),
        (GOOD.symbols[0], moved(SENTINEL, lines=1)),
        (GOOD.symbols[0], moved(SENTINEL, lines=-1)),
        (GOOD.symbols[0], moved(SENTINEL, columns=1)),
    ],
    ids=[
        "empty",
        "absent",
        "first",
        "last but one",
        "nested",
        "with children",
        "another",
        "generic",
        "below",
        "above",
        "indented",
    ],
)
def test_the_sentinel_proves_nothing_elsewhere(symbols: tuple[Symbol, ...]) -> None:
    assert cut_sentinel(Outline(symbols), TEXT, NAME) is None


@pytest.mark.parametrize("text", ["class A {", "class A { void m() { } ", "class A { class B { }"])
def test_an_unclosed_text_is_not_proven(text: str) -> None:
    assert proven(text) is None


@given(toy_java())
@settings(max_examples=150)
def test_cutting_undoes_adding(text: str) -> None:
    outline = outlined(text)
    assert proven(text) == outline
    assert misplaced_symbol(outline, text) is None


@given(toy_soup())
@settings(max_examples=150)
def test_of_any_text_the_outline_is_right_or_not_proven(text: str) -> None:
    assert proven(text) in (None, outlined(text))


@given(toy_java(), toy_java())
@settings(max_examples=100)
def test_an_outline_of_another_text_is_caught(text: str, older: str) -> None:
    """The older state of a document holds another sentinel, or none, or ours on another line."""
    assert cut_sentinel(outlined(with_sentinel(older, OTHER)), text, NAME) is None
    assert cut_sentinel(outlined(text), text, NAME) is None
    assume(
        len(re.findall(r"\r\n|\r|\n", text + "\n")) != len(re.findall(r"\r\n|\r|\n", older + "\n"))
    )
    assert cut_sentinel(outlined(with_sentinel(older, NAME)), text, NAME) is None


# --- names in their places -----------------------------------------------------------------------

K = SymbolKind


def symbol(kind: SymbolKind, label: str, text: str, written: str, after: str = "") -> Symbol:
    """A symbol whose selection is `written` in the one-line `text`, behind `after`."""
    offset = text.index(written, text.index(after) + len(after))
    start, end = (
        Position(0, len(text[:at].encode("utf-16-le")) // 2)
        for at in (offset, offset + len(written))
    )
    return Symbol(label, kind, Range(Position(0, 0), end), Range(start, end))


@pytest.mark.parametrize(
    ("kind", "label", "text", "written"),
    [
        (K.Class, "A", "class A {}", "A"),
        (K.Class, "Box<T extends Comparable<T>>", "class Box<T extends Comparable<T>> {}", "Box"),
        (K.Method, "run(int, List<String>)", "void run(int a, List<String> b)", "run"),
        (K.Method, "of(T[]) <T>", "static <T> void of(T[] all)", "of"),
        (K.Constructor, "Box(T)", "Box(T value) {}", "Box"),
        (K.Constructor, "Box()", "record Box(int a) { Box { } }", "Box"),
        (K.Field, "été", "/* 𝐀𝐁 */ int été;", "été"),
        (K.Class, "𝐀x", "/* é */ class 𝐀x {}", "𝐀x"),
        (K.Class, "Ab", r"class \u0041b {}", r"\u0041b"),
        (K.Field, "b", r"int \uuuu0062;", r"\uuuu0062"),
        (K.Field, "𝐀x", r"int \ud835\udc00x;", r"\ud835\udc00x"),
        (K.Field, "é", r"/* 名 */ int \u00e9;", r"\u00e9"),
        (K.EnumMember, "ONE", "ONE { }", "ONE"),
        # Labels that are made up, and names that are not one word of the text.
        (K.Class, "new Runnable() {...}", "x = new Runnable() { }", "Runnable"),
        (K.Class, "{...}", "ONE { }", "ONE"),
        (K.Enum, "{...}", "ONE { }", "ONE"),
        (K.Package, "a.b", "package a . b;", "package a . b;"),
        (K.Module, "m", "module m {}", "module"),
    ],
)
def test_names_that_stand_in_their_place(
    kind: SymbolKind, label: str, text: str, written: str
) -> None:
    assert misplaced_symbol(Outline((symbol(kind, label, text, written),)), text) is None


@pytest.mark.parametrize("text", ["void main() {}", "int x;\nvoid main() {}\n"])
def test_an_implicit_class_spans_its_file(text: str) -> None:
    lines = text.split("\n")
    whole = Range(Position(0, 0), Position(len(lines) - 1, len(lines[-1])))
    assert misplaced_symbol(Outline((Symbol("Unit", K.Class, whole, whole),)), text) is None


@pytest.mark.parametrize(
    ("kind", "label", "text", "written"),
    [
        (K.Class, "A", "class B {}", "B"),
        (K.Class, "A", "class Ab {}", "Ab"),
        (K.Class, "Ab", "class Ab {}", "A"),
        (K.Class, "Box<T>", "class Bax<T> {}", "Bax"),
        (K.Method, "run()", "void ran() {}", "ran"),
        (K.Class, "𝐀x", "class 𝐁x {}", "𝐁x"),
        (K.Class, "Ab", r"class \u0042b {}", r"\u0042b"),
        (K.Field, "x", "int x; int y;", "y"),
        (K.Struct, "A", "record B() {}", "B"),
    ],
)
def test_names_that_stand_elsewhere(kind: SymbolKind, label: str, text: str, written: str) -> None:
    wrong = symbol(kind, label, text, written)
    good = Symbol("new X() {...}", K.Class, wrong.range, wrong.range)
    nested = Outline((good._replace(children=(good, wrong)),))
    assert misplaced_symbol(nested, text) is wrong


@pytest.mark.parametrize(
    "place", [Range(Position(7, 0), Position(7, 1)), Range(Position(0, 90), Position(0, 91))]
)
def test_a_place_outside_the_text(place: Range) -> None:
    lost = Symbol("A", K.Class, Range(Position(0, 0), place.end), place)
    assert misplaced_symbol(Outline((lost,)), "class A {}") is lost


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_places_count_all_line_ends(end: str) -> None:
    text = f"// é{end}class A {{{end}  int x;{end}}}"
    assert misplaced_symbol(outlined(text), text) is None
    stale = misplaced_symbol(outlined(end + text), text)
    assert stale
    assert stale.name == "A"
