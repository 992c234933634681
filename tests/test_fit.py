"""Answers cut to a number of characters: as many as fit, in reading order, and the rest counted."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from indexer.jdtls.convert import outline_from
from indexer.model import Position, Range, SymbolKind
from query.contract import FindAnswer, Hit, OutlineAnswer, find_json, outline_json
from query.fit import find_within, outline_within, text_of
from tests.fakes.server import outline
from tests.strategies import toy_java

_HERE = Range(Position(0, 0), Position(0, 1))


def flat(symbols: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Names and ranges in reading order."""
    found = []
    for symbol in symbols:
        found.append((symbol["name"], symbol["range"]))
        found += flat(symbol.get("children", []))
    return found


def hits(names: list[str]) -> FindAnswer:
    found = tuple(
        Hit(name, SymbolKind.Class, "p", f"file:///{name}", f"/{name}", _HERE, _HERE)
        for name in names
    )
    return FindAnswer(found, len(found) + 3)


@given(toy_java(), st.integers(1, 60), st.integers(0, 6000))
def test_an_outline_within(text: str, limit: int, characters: int) -> None:
    answer = OutlineAnswer("file:///A.java", "/A.java", outline_from(outline(text)), limit)
    whole, cut = outline_json(answer), outline_within(answer, characters)
    shown, all_shown = flat(cut["symbols"]), flat(whole["symbols"])
    assert shown == all_shown[: len(shown)]
    assert len(text_of(cut)) <= characters or not shown
    assert len(shown) + cut.get("omitted", 0) == answer.outline.node_count
    assert ("omitted" in cut) == ("truncated" in cut)
    if len(shown) < len(all_shown):  # one more would not have fitted
        more = outline_json(answer._replace(limit=len(shown) + 1))
        more |= {"truncated": True, "omitted": answer.outline.node_count - len(shown) - 1}
        more = more if more["omitted"] else {k: v for k, v in more.items() if k != "omitted"}
        assert len(text_of(more)) > characters
    else:
        assert cut["symbols"] == whole["symbols"]


@given(st.lists(st.text(st.characters(categories=["L"]), min_size=1), max_size=20), st.integers(0))
def test_results_within(names: list[str], characters: int) -> None:
    answer = hits(names)
    whole = find_json(answer, declarations=True)
    cut = find_within(answer, characters, declarations=True)
    shown = len(cut["results"])
    assert cut["results"] == whole["results"][:shown]
    assert (cut["total"], cut["omitted"]) == (len(names) + 3, len(names) + 3 - shown)
    assert len(text_of(cut)) <= characters or not shown
    assert shown == len(names) or len(text_of(find_within(answer, 1 << 30, declarations=True))) > (
        characters
    )
