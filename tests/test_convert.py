"""From a documentSymbol answer to an outline: what is kept, dropped, refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.jdtls.convert import UnusableAnswer, outline_from
from indexer.model import Outline, Position, Range, Symbol, SymbolKind


def at(line: int, column: int, last: int, until: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": column}, "end": {"line": last, "character": until}}


def node(**changes: Any) -> dict[str, Any]:
    """A good node, with `changes`; a change to `Ellipsis` takes the key away."""
    good = {"name": "A", "kind": 5, "range": at(1, 0, 9, 1), "selectionRange": at(1, 6, 1, 7)}
    return {key: value for key, value in {**good, **changes}.items() if value is not ...}


def span(line: int, column: int, last: int, until: int) -> Range:
    return Range(Position(line, column), Position(last, until))


A = Symbol("A", SymbolKind.Class, span(1, 0, 9, 1), span(1, 6, 1, 7))


# --- good answers -------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [None, []])
def test_no_symbols(answer: Any) -> None:
    assert outline_from(answer) == Outline()


def test_a_good_answer() -> None:
    method = node(
        name="run(int)",
        kind=6,
        range=at(2, 4, 4, 5),
        selectionRange=at(3, 9, 3, 12),
        detail=" : void",
        children=[],
    )
    outline = outline_from([node(children=[method], detail=""), node(name="É", kind=23)])
    run = Symbol("run(int)", SymbolKind.Method, span(2, 4, 4, 5), span(3, 9, 3, 12), " : void")
    assert outline == Outline(
        (A._replace(children=(run,)), A._replace(name="É", kind=SymbolKind(23)))
    )
    assert outline.node_count == 3


@pytest.mark.parametrize("kind", range(1, 27))
def test_every_kind_of_the_protocol(kind: int) -> None:
    assert outline_from([node(kind=kind)]).symbols[0].kind == kind


@pytest.mark.parametrize(
    ("changes", "deprecated"),
    [
        ({}, False),
        ({"tags": [1]}, True),
        ({"tags": [7, 1]}, True),
        ({"tags": [7]}, False),
        ({"tags": []}, False),
        ({"tags": None}, False),
        ({"deprecated": True}, True),
        ({"deprecated": False}, False),
        ({"deprecated": None, "tags": None, "children": None, "detail": None}, False),
    ],
)
def test_deprecation_comes_by_tag_or_by_flag(changes: dict[str, Any], deprecated: bool) -> None:
    assert outline_from([node(**changes)]) == Outline((A._replace(deprecated=deprecated),))


def test_what_is_not_known_is_passed_over() -> None:
    assert outline_from([node(data={"x": 1}, containerName="y")]) == Outline((A,))


def test_a_huge_answer() -> None:
    children = [node(name=f"f{n}", kind=8) for n in range(20_000)]
    outline = outline_from([node(children=children)])
    assert outline.node_count == 20_001
    assert outline.symbols[0].children[-1].name == "f19999"


def test_deep_nesting_is_kept_up_to_a_bound() -> None:
    def nested(depth: int) -> dict[str, Any]:
        return node(children=[nested(depth - 1)]) if depth > 1 else node()

    assert outline_from([nested(200)]).node_count == 200
    with pytest.raises(UnusableAnswer, match="nested deeper than 200"):
        outline_from([nested(201)])


# --- degenerate symbols cost themselves only -----------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": None},
        {"range": at(0, 0, 0, 0), "selectionRange": at(0, 0, 0, 0)},
        {"range": at(5, 3, 5, 2)},
        {"range": at(5, 3, 4, 9)},
    ],
)
def test_without_name_or_place(changes: dict[str, Any]) -> None:
    lost = node(**changes, children=[node(name="lost, too")])
    outline = outline_from([node(children=[lost, node()]), lost])
    assert outline == Outline((A._replace(children=(A,)),), dropped=2)


@pytest.mark.parametrize(
    "selection", [at(900, 0, 900, 3), at(0, 0, 0, 1), at(1, 6, 9, 2), at(3, 5, 3, 4)]
)
def test_a_name_outside_its_declaration_is_moved_to_its_start(selection: dict[str, Any]) -> None:
    moved = outline_from([node(selectionRange=selection)])
    assert moved == Outline((A._replace(selection_range=span(1, 0, 1, 0)),))


# --- whatever else is wrong costs the whole answer ------------------------------------------------

WRONG_NUMBERS = ["1", 1.0, -1, None, [1], {}, 2**31, 2**70]


@pytest.mark.parametrize("number", WRONG_NUMBERS)
@pytest.mark.parametrize("end", ["start", "end"])
@pytest.mark.parametrize("axis", ["line", "character"])
@pytest.mark.parametrize("which", ["range", "selectionRange"])
def test_a_position_that_is_none(which: str, end: str, axis: str, number: Any) -> None:
    broken = node()
    broken[which][end][axis] = number
    with pytest.raises(UnusableAnswer, match="lacks or breaks"):
        outline_from([node(children=[broken])])


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ...},
        {"kind": ...},
        {"range": ...},
        {"selectionRange": ...},
        {"name": 5},
        {"name": ["A"]},
        {"name": {"a": 1}},
        {"name": "\ud835"},  # cannot be stored
        {"detail": 5},
        {"detail": ["x"]},
        {"detail": "\udc00"},
        {"kind": 0},
        {"kind": 27},
        {"kind": -5},
        {"kind": "5"},
        {"kind": None},
        {"kind": [5]},
        {"range": None},
        {"range": []},
        {"range": [1, 0, 9, 1]},
        {"range": {"start": {"line": 1, "character": 0}}},
        {"range": {"start": {"line": 1}, "end": {"line": 1}}},
        {"selectionRange": "1:6-1:7"},
        {"children": 5},
        {"children": {"a": 1}},
        {"children": "text"},
        {"children": ["text"]},
        {"children": [None]},
        {"children": [[]]},
        {"tags": 1},
        {"tags": "1"},
    ],
)
def test_a_symbol_that_breaks_the_protocol(changes: dict[str, Any]) -> None:
    with pytest.raises(UnusableAnswer, match="lacks or breaks"):
        outline_from([node(), node(**changes)])


def test_a_flat_answer_is_refused_by_name() -> None:
    flat = {"name": "A", "kind": 5, "location": {"uri": "file:///A.java", "range": at(1, 6, 1, 7)}}
    with pytest.raises(UnusableAnswer, match="flat list"):
        outline_from([flat])


@pytest.mark.parametrize("answer", [{}, {"surprise": 1}, "text", 5, True, "", 0, False])
def test_no_list(answer: Any) -> None:
    with pytest.raises(UnusableAnswer, match="not a list"):
        outline_from(answer)


def test_the_message_stays_short_and_can_always_be_made() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    for answer in ({"a": "x" * 10**6}, {"a": deep}, [node(name=deep)], [node(kind="x" * 10**6)]):
        with pytest.raises(UnusableAnswer) as caught:
            outline_from(answer)
        assert len(str(caught.value)) < 1000


KEYS = st.sampled_from(["name", "kind", "range", "selectionRange", "children", "tags", "location"])
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 27) | st.text(max_size=3) | st.just(1.5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=8,
)


@given(
    st.lists(ANY_JSON | st.dictionaries(KEYS, ANY_JSON).map(lambda odd: node(**odd)), max_size=4)
)
@settings(max_examples=200)
def test_any_answer_is_kept_or_refused(answer: list[Any]) -> None:
    """What is kept holds only what the store can take and the contract can say."""
    try:
        outline = outline_from(answer)
    except UnusableAnswer:
        return
    for symbol in outline.symbols:
        json.dumps(symbol).encode()
        assert symbol.name
        assert symbol.range.start <= symbol.range.end
        assert all(number >= 0 for position in symbol.range for number in position)
