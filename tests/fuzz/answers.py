"""The reading of outlines in damaged answers to documentSymbol.

Whatever comes: an outline whose symbols all keep what `indexer.model` promises, or the error for
an answer that is none.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from indexer.jdtls.convert import UnusableAnswer, outline_from
from indexer.model import Outline, Symbol, SymbolKind
from tests.fakes.server import outline as toy_outline
from tests.fuzz.rpc import ODD

_TEXT = "package a;\nclass A { int x; void m() {} class B { int y; } }\nenum E { }\n"
_NUMBERS = (-1, 0, 1, 5, 23, 27, 99, 2**31 - 1, 2**31, 2**63, True, 1.0, 5.0, "3")
"""What may stand in the place of a line, a column or a kind."""


def one_answer(chance: random.Random, counts: Counter[str]) -> None:
    """Read an outline from a damaged answer."""
    answer: Any = toy_outline(_TEXT)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        answer = _mutated(answer, chance)
    if chance.random() < 0.02:
        answer = _nested(chance.choice((10, 150, 199, 200, 201, 400)))
    before = repr(answer)
    try:
        found = outline_from(answer)
    except UnusableAnswer:
        counts["unusable"] += 1
    else:
        _check(found, answer)
        counts["an outline, nodes dropped" if found.dropped else "an outline"] += 1
    assert repr(answer) == before, "an answer that is read stays as it is"


def _check(found: Outline, answer: Any) -> None:
    """No node went without being counted, and each keeps its promises."""
    assert isinstance(answer, list | None), answer
    shown = len(found.symbols)
    assert shown <= len(answer or []) <= shown + found.dropped, (answer, found)
    for symbol in found.symbols:
        _check_symbol(symbol)


def _check_symbol(symbol: Symbol) -> None:
    for text in (symbol.name, symbol.detail):
        assert type(text) is str, symbol
        text.encode()
    assert symbol.name, symbol
    assert type(symbol.kind) is SymbolKind, symbol
    assert type(symbol.deprecated) is bool, symbol
    for place in (*symbol.range, *symbol.selection_range):
        # JSON's true passes for 1: to refuse it would cost time at every symbol, and it harms none.
        assert all(isinstance(number, int) and 0 <= number < 2**31 for number in place), symbol
    assert symbol.range.start <= symbol.range.end, symbol
    assert symbol.selection_range.start <= symbol.selection_range.end, symbol
    assert symbol.range.encloses(symbol.selection_range), symbol
    first, last = symbol.range.lines
    assert 1 <= first <= last, symbol
    for child in symbol.children:
        _check_symbol(child)


def _nested(depth: int) -> Any:
    node = copy.deepcopy(toy_outline("class A { }\n")[0])
    for _ in range(depth - 1):
        node = node | {"children": [node]}
    return [node]


def _mutated(answer: Any, chance: random.Random) -> Any:
    """Replace, remove or repeat a part of a document, at any depth."""
    if not isinstance(answer, dict | list) or chance.random() < 0.02:
        return chance.choice(ODD)
    answer = copy.deepcopy(answer)
    spots = list(_spots(answer))
    if not spots:
        return answer
    node, key = chance.choice(spots)
    value = chance.choice(_NUMBERS if isinstance(node[key], int) else ODD)
    changes: tuple[Callable[[], None], ...] = (
        lambda: node.__setitem__(key, value),
        lambda: node.__delitem__(key),
        lambda: node.__setitem__(key, copy.deepcopy(chance.choice(spots)[0])),
        lambda: _added(chance.choice(spots)[0], chance),
    )
    chance.choice(changes)()
    return answer


def _spots(node: Any) -> Any:
    """Yield every place in a document: what holds it, and its key there."""
    for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(value, dict | list):
            yield from _spots(value)


def _added(node: Any, chance: random.Random) -> None:
    """Put in what need not be there."""
    if isinstance(node, list):
        node.insert(chance.randrange(len(node) + 1), chance.choice(ODD))
        return
    key = chance.choice(("tags", "deprecated", "detail", "children", "location", "data"))
    node[key] = chance.choice((*ODD, [1], [1, 2], ["1"], True))
