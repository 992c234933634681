"""The JSON of the two tools, to the letter: keys, their order, lines, what is cut off."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.model import Outline, Position, Range, Symbol, SymbolKind
from indexer.standing import Standing
from query.contract import (
    MAX_DEPTH,
    ErrorCode,
    FindAnswer,
    Hit,
    OutlineAnswer,
    Provenance,
    Reason,
    ToolError,
    error_json,
    find_json,
    meta_json,
    outline_json,
    pruned,
)
from query.render import explain_text, find_text, outline_text, stale_text


def span(start: tuple[int, int], end: tuple[int, int]) -> Range:
    return Range(Position(*start), Position(*end))


def symbol(name: str, *children: Symbol, start: int = 0, end: int = 0, detail: str = "") -> Symbol:
    place = span((start, 0), (end, 9))
    return Symbol(name, SymbolKind.Class, place, place, detail, children=children)


def hit(name: str = "Order", container: str = "shop") -> Hit:
    place = span((4, 13), (4, 18))
    return Hit(
        *(name, SymbolKind.Class, container),
        *(f"file:///w/{name}.java", f"/w/{name}.java"),
        *(place, span((2, 0), (9, 1))),
    )


def dumped(document: object) -> str:
    return json.dumps(document, indent=2)


# --- find ---------------------------------------------------------------------------------------


def test_find() -> None:
    assert (
        dumped(find_json(FindAnswer((hit(),), 1)))
        == """{
  "results": [
    {
      "name": "Order",
      "kind": "Class",
      "container": "shop",
      "documentUri": "file:///w/Order.java",
      "file": "/w/Order.java",
      "outlineSupported": true,
      "selectionRange": {
        "startLine": 5,
        "endLine": 5
      }
    }
  ],
  "total": 1
}"""
    )


def test_find_leaves_out_what_is_not_there() -> None:
    (result,) = find_json(FindAnswer((hit(container=""),), 1))["results"]
    assert list(result) == [
        "name",
        "kind",
        "documentUri",
        "file",
        "outlineSupported",
        "selectionRange",
    ]


def test_find_says_when_it_was_cut() -> None:
    document = find_json(FindAnswer((hit(), hit("Other")), 7))
    assert list(document) == ["results", "total", "truncated"]
    assert (len(document["results"]), document["total"], document["truncated"]) == (2, 7, True)


@pytest.mark.parametrize(
    "reason", [Reason.SERVER_NOT_FULLY_READY, Reason.WORKSPACE_SYMBOL_NO_MATCH]
)
def test_find_without_results(reason: Reason) -> None:
    document = find_json(FindAnswer((), 0, reason, "because"))
    assert document == {"results": [], "reason": reason.value, "message": "because"}
    assert list(document) == ["results", "reason", "message"]


def test_names_of_reasons_and_codes() -> None:
    assert [reason.value for reason in Reason] == [
        "serverNotFullyReady",
        "workspaceSymbolNoMatch",
        "documentSymbolProviderEmpty",
    ]
    assert [code.value for code in ErrorCode] == [
        "emptyQuery",
        "invalidParameter",
        "fileNotFound",
        "permissionDenied",
        "fileSystemUnavailable",
        "unsupportedUriScheme",
        "outsideWorkspace",
        "noWorkspaceFolder",
        "ambiguousWorkspacePath",
        "unexpectedError",
    ]


def test_errors() -> None:
    document = error_json(ToolError(ErrorCode.FILE_NOT_FOUND, "A.java is not there", "try B.java"))
    assert (
        dumped(document)
        == """{
  "error": "A.java is not there",
  "errorCode": "fileNotFound",
  "hint": "try B.java"
}"""
    )
    bare = ToolError(ErrorCode.EMPTY_QUERY, "blank")
    assert find_json(bare) == outline_json(bare) == {"error": "blank", "errorCode": "emptyQuery"}


# --- outline ------------------------------------------------------------------------------------


def answer(*symbols: Symbol, limit: int = 20) -> OutlineAnswer:
    return OutlineAnswer("file:///w/A.java", "/w/A.java", Outline(symbols), limit)


def test_outline() -> None:
    method = Symbol(
        "total()", SymbolKind.Method, span((3, 2), (4, 3)), span((3, 6), (3, 11)), " : int"
    )
    top = Symbol(
        "Order", SymbolKind.Class, span((2, 0), (5, 1)), span((2, 6), (2, 11)), children=(method,)
    )
    assert (
        dumped(outline_json(answer(top)))
        == """{
  "documentUri": "file:///w/A.java",
  "file": "/w/A.java",
  "symbols": [
    {
      "name": "Order",
      "kind": "Class",
      "startLine": 3,
      "endLine": 6,
      "readFileRange": {
        "offset": 3,
        "limit": 4
      },
      "range": "L3-6",
      "children": [
        {
          "name": "total()",
          "kind": "Method",
          "startLine": 4,
          "endLine": 5,
          "readFileRange": {
            "offset": 4,
            "limit": 2
          },
          "range": "L4-5",
          "detail": " : int"
        }
      ]
    }
  ]
}"""
    )


@pytest.mark.parametrize(
    ("place", "lines"),
    [
        (span((0, 0), (0, 0)), (1, 1)),
        (span((2, 0), (3, 0)), (3, 3)),  # ends before the first character of the next line
        (span((2, 0), (3, 1)), (3, 4)),
        (span((2, 4), (2, 9)), (3, 3)),
        (span((2, 4), (2, 0)), (3, 3)),
        (span((0, 0), (9, 0)), (1, 9)),
    ],
)
def test_lines(place: Range, lines: tuple[int, int]) -> None:
    (shown,) = outline_json(answer(Symbol("A", SymbolKind.Class, place, place)))["symbols"]
    first, last = lines
    assert (shown["startLine"], shown["endLine"]) == lines
    assert shown["readFileRange"] == {"offset": first, "limit": last - first + 1}
    assert shown["range"] == f"L{first}-{last}"


def test_find_gives_the_lines_of_the_name() -> None:
    shown = find_json(FindAnswer((hit()._replace(selection_range=span((6, 0), (8, 0))),), 1))
    assert shown["results"][0]["selectionRange"] == {"startLine": 7, "endLine": 8}


@pytest.mark.parametrize(
    "reason", [Reason.SERVER_NOT_FULLY_READY, Reason.DOCUMENT_SYMBOL_PROVIDER_EMPTY]
)
def test_outline_without_symbols(reason: Reason) -> None:
    empty = answer()._replace(reason=reason, message="because")
    assert dumped(outline_json(empty)) == dumped(
        {"symbols": [], "reason": reason.value, "message": "because"}
    )


def test_a_stale_outline_says_so_last() -> None:
    stale = answer(symbol("A", symbol("b")), limit=1)._replace(stale=True, message="no Java")
    document = outline_json(stale)
    assert list(document) == ["documentUri", "file", "symbols", "truncated", "stale"]
    assert document["stale"] is True
    assert "stale" not in outline_json(answer(symbol("A")))


def test_metadata() -> None:
    full = Provenance(
        "index",
        Standing.DELETED,
        "2026-01-02T03:04:05Z",
        ((Standing.DELETED, 2), (Standing.OTHER_RECIPE, 1)),
        "matched as given",
    )
    assert (
        dumped(meta_json(full))
        == """{
  "source": "index",
  "state": "deleted",
  "indexedAt": "2026-01-02T03:04:05Z",
  "leftOut": {
    "deleted": 2,
    "otherRecipe": 1
  },
  "detail": "matched as given"
}"""
    )
    assert explain_text(full) == (
        "source: index, state: deleted, indexedAt: 2026-01-02T03:04:05Z, "
        "leftOut: 2 deleted + 1 otherRecipe, detail: matched as given"
    )


@pytest.mark.parametrize("standing", Standing)
def test_metadata_names_every_standing(standing: Standing) -> None:
    provenance = Provenance("none", standing)
    assert meta_json(provenance) == {"source": "none", "state": standing.value}
    assert explain_text(provenance) == f"source: none, state: {standing.value}"


def test_answers_say_that_nothing_is_known_until_something_is() -> None:
    for empty in (FindAnswer((), 0), answer()):
        assert meta_json(empty.provenance) == {"source": "none", "state": "unknown"}


def chain(depth: int) -> Symbol:
    below = (chain(depth - 1),) if depth > 1 else ()
    return symbol(f"level{depth}", *below)


def test_truncated_by_depth() -> None:
    assert "truncated" not in outline_json(answer(chain(MAX_DEPTH)))
    document = outline_json(answer(chain(MAX_DEPTH + 1)))
    assert document["truncated"] is True
    assert list(document) == ["documentUri", "file", "symbols", "truncated"]
    assert json.dumps(document).count('"name"') == MAX_DEPTH


def test_truncated_by_count() -> None:
    tree = (symbol("A", symbol("a1"), symbol("a2", symbol("a2x"))), symbol("B"), symbol("C"))
    assert names(*pruned(tree, 4)) == ("A a1 a2 a2x", True)
    assert names(*pruned(tree, 5)) == ("A a1 a2 a2x B", True)
    assert names(*pruned(tree, 6)) == ("A a1 a2 a2x B C", False)
    assert names(*pruned(tree, 1)) == ("A", True)
    assert names(*pruned((), 1)) == ("", False)


def names(symbols: tuple[Symbol, ...], truncated: bool) -> tuple[str, bool]:
    return " ".join(walked(symbols)), truncated


def walked(symbols: tuple[Symbol, ...]) -> list[str]:
    return [name for node in symbols for name in (node.name, *walked(node.children))]


def test_no_limit_shows_all_at_every_depth() -> None:
    deep = chain(MAX_DEPTH + 3)
    assert pruned((deep,), 0) == ((deep,), False)
    many = tuple(symbol(str(number)) for number in range(500))
    assert pruned(many, 0) == (many, False)


forests = st.recursive(
    st.just(()),
    lambda below: st.lists(below.map(lambda kids: symbol("s", *kids)), max_size=4).map(tuple),
)


@given(forests, st.integers(1, 30))
def test_pruned_counts(forest: tuple[Symbol, ...], limit: int) -> None:
    shown, truncated = pruned(forest, limit)
    all_of_them, kept = Outline(forest).node_count, Outline(shown).node_count
    assert kept <= limit
    assert truncated == (kept < all_of_them)
    assert height(shown) <= MAX_DEPTH
    if all_of_them <= limit and height(forest) <= MAX_DEPTH:
        assert shown == forest


def height(forest: tuple[Symbol, ...]) -> int:
    return max((1 + height(node.children) for node in forest), default=0)


# --- text for people ----------------------------------------------------------------------------


def test_find_text() -> None:
    lines = find_text(FindAnswer((hit(), hit("LongName", "")), 9)).splitlines()
    assert lines == [
        "/w/Order.java:5     Class      shop.Order",
        "/w/LongName.java:5  Class      LongName",
        "... 7 more of 9 (--limit 0 shows all)",
    ]


def test_outline_text() -> None:
    text = outline_text(answer(symbol("A", symbol("b", detail=" : int", start=1, end=2)), limit=2))
    assert text.splitlines() == ["/w/A.java", "  L1-1  Class A", "  L2-3    Class b : int"]
    cut = outline_text(answer(symbol("A", symbol("b")), limit=1))
    assert cut.splitlines()[-1] == "... more of 2 symbols (--limit 0 shows all)"


def test_stale_text() -> None:
    stale = answer(symbol("A"))._replace(
        stale=True, message="no Java was found", provenance=Provenance("index", Standing.FAILED)
    )
    assert stale_text(stale) == (
        "this is the last outline that the index has, its lines may be wrong (stale: failed); "
        "no Java was found"
    )
