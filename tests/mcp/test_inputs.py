"""Arguments of calls: taken, clamped, or refused with a word on what to pass; never a crash."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.model import SymbolKind
from query.contract import ErrorCode, ToolError
from query.mcp.inputs import FindInput, OutlineInput, find_input, outline_input, unknown_parameter
from query.mcp.tools import FIND, LEAST_CHARS, MOST_HITS, MOST_NODES, OUTLINE, STATUS, TOOLS

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
_FIND = st.fixed_dictionaries(
    {"query": st.text(max_size=5) | _JSON},
    optional={name: _JSON for name in TOOLS[FIND].inputs if name != "query"},
)
_OUTLINE = st.fixed_dictionaries(
    {}, optional={name: st.text(max_size=5) | _JSON for name in TOOLS[OUTLINE].inputs}
)


@given(_FIND)
def test_whatever_is_passed_to_find(arguments: dict[str, Any]) -> None:
    given_ = find_input(arguments)
    if isinstance(given_, ToolError):
        assert given_.code is ErrorCode.INVALID_PARAMETER
        assert given_.hint
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(arguments, TOOLS[FIND].input)  # what it allows is taken
    else:
        assert 1 <= given_.limit <= MOST_HITS
        assert given_.max_chars is None or given_.max_chars >= LEAST_CHARS


@given(_OUTLINE)
def test_whatever_is_passed_to_outline(arguments: dict[str, Any]) -> None:
    given_ = outline_input(arguments)
    if isinstance(given_, ToolError):
        assert given_.code is ErrorCode.INVALID_PARAMETER
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(arguments, TOOLS[OUTLINE].input)
    else:
        assert isinstance(given_.uri, str)
        assert 1 <= given_.limit <= MOST_NODES


def test_what_is_left_out_or_null_has_its_default() -> None:
    nothing = dict.fromkeys(("limit", "kinds", "declarations", "path", "maxChars"))
    expected = FindInput("Order", 20, None, False, "", None)
    assert find_input({"query": "Order"}) == expected
    assert find_input({"query": "Order", **nothing}) == expected
    assert outline_input({"uri": "A.java"}) == OutlineInput("A.java", 20, None)


@pytest.mark.parametrize(
    ("passed", "taken"), [(-1, 1), (0, 1), (7, 7), (7.0, 7), (50, 50), (51, 50), (1e300, 50)]
)
def test_numbers_out_of_range_are_clamped(passed: float, taken: int) -> None:
    found = find_input({"query": "Order", "limit": passed, "maxChars": 1})
    assert isinstance(found, FindInput)
    assert (found.limit, found.max_chars) == (taken, LEAST_CHARS)


def test_kinds_are_groups_of_symbol_kinds() -> None:
    found = find_input({"query": "x", "kinds": ["Interface", "enums"]})
    assert isinstance(found, FindInput)
    assert found.kinds == frozenset({SymbolKind.Interface, SymbolKind.Enum})


def test_a_parameter_that_no_tool_has() -> None:
    assert unknown_parameter(FIND, {"query": 5, "limit": "x"}) is None
    wrong = unknown_parameter(FIND, {"query": "x", "Limit": 5})
    assert wrong
    assert (wrong.error, "limit" in wrong.hint) == ("there is no parameter `Limit`", True)
    nothing = unknown_parameter(STATUS, {"x": 1})
    assert nothing
    assert nothing.hint == "javadex_status takes no parameter"
