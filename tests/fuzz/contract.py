"""The two tools under inputs of any kind: an answer or an error, and none that is nonsense."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

from indexer.build import BuildOptions, build
from indexer.files import resolve_root
from indexer.model import SymbolKind
from query.contract import FindAnswer, ToolError, find_json, outline_json
from query.service import Scope, Service
from query.upkeep import Limits
from tests.soak.oracle import _instant
from tests.support.indexing import Notes
from tests.support.trees import Tree

SECONDS = 3.0
"""Longest that one call may take; most take a thousandth."""

_PARTS = (
    *("Order", "shop", "OrdServ", "x", "#", ".", "$", "*", "?", "::", "(", ")", "<", ">", ",", " "),
    *("/", "\\", "..", "%2e%2e%2f", "%", "\0", "\ud800", "é", "𝐀", "\n", "\x1b[31m", "'", '"', ";"),
    *("file://", "jdt://contents/", "untitled:", "http://", "C:", "~", "A.java", "src/shop/", "["),
    *("]", "^", "-", "OR 1=1", "NEAR(", "a" * 300, "*" * 50, "A" * 40, "\u202e", "İ", "ß", "ﬁ"),
)
_RIGHT = (
    *("Order", "shop.Order", "Order#run", "*Service", "OrdServ", "shop.util.Text", "Ünï"),
    *("src/shop/Order.java", "./src/shop/util/Text.java", "tree/src/shop/Stock.java", "Link.java"),
)
_ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        1,
        7,
        60,
        10**12,
        1.5,
        float("nan"),
        b"Order",
        [],
        ["Order"],
        {},
        object(),
    ),
    *("", " ", "Order", "20"),
)
_OPTIONS = ("limit", "strict", "kinds", "source_methods", "path", "libraries", "surprise")
_KEYS = {
    "results": ["results", "total", "truncated"],
    "miss": ["results", "reason", "message", "didYouMean"],
    "error": ["error", "errorCode", "hint"],
    "symbols": ["documentUri", "file", "symbols", "truncated", "stale"],
    "none": ["symbols", "reason", "message"],
}


class Tools:
    """A small index, and a service that starts nothing."""

    def __init__(self, folder: Path) -> None:
        tree = Tree(folder / "tree")
        for name in ("Order", "OrderService", "Stock", "util/Text", "util/Ünï"):
            tree.write(f"src/shop/{name}.java")
        (folder / "Secret.java").write_text("class Secret { int key; }\n")
        (tree.path / "Link.java").symlink_to(folder / "Secret.java")
        self.root = str(tree.path)
        root = resolve_root(self.root)
        db = str(folder / "index.db")
        build([root], db, BuildOptions(outliner=_instant), Notes())
        self.service = Service(Scope((root,), db, upkeep=Limits(0.0, 0.0)))

    def one_find(self, chance: random.Random, counts: Counter[str]) -> None:
        """Ask for a symbol."""
        options = {
            name: _option(name, chance)
            for name in chance.sample(_OPTIONS, chance.choice((0, 0, 0, 1, 2)))
        }
        query = _value(chance)
        started = time.monotonic()
        answer = self.service.find(query, **options)
        document = find_json(answer, declarations=chance.random() < 0.5)
        self._check(document, time.monotonic() - started, (query, options))
        if isinstance(answer, ToolError):
            counts[f"find: {answer.code.value}"] += 1
            return
        assert isinstance(answer, FindAnswer)
        if not answer.reason:
            limit = options.get("limit", 20)
            assert not limit or len(answer.hits) <= limit, (query, options)
            assert answer.total >= len(answer.hits) > 0, (query, options)
        for hit in document["results"]:
            assert hit["file"].startswith(self.root + os.sep), hit
            assert 1 <= hit["selectionRange"]["startLine"] <= hit["selectionRange"]["endLine"], hit
        counts[f"find: {answer.reason.value if answer.reason else 'found'}"] += 1

    def one_outline(self, chance: random.Random, counts: Counter[str]) -> None:
        """Ask for an outline."""
        uri = _text(chance)
        if chance.random() < 0.3:
            uri = f"{chance.choice((self.root, 'file://' + self.root))}/src/shop/{uri}"
        started = time.monotonic()
        answer = self.service.outline(
            uri, limit=chance.choice((0, 1, 20)), allow_stale=chance.random() < 0.3
        )
        document = outline_json(answer)
        self._check(document, time.monotonic() - started, uri)
        if isinstance(answer, ToolError):
            counts[f"outline: {answer.code.value}"] += 1
            return
        assert "Secret" not in json.dumps(document.get("symbols")), uri
        if document.get("file"):
            assert os.path.realpath(document["file"]).startswith(self.root + os.sep), uri
        counts[f"outline: {answer.reason.value if answer.reason else 'found'}"] += 1

    def _check(self, document: dict[str, Any], seconds: float, asked: object) -> None:
        assert seconds < SECONDS, (asked, seconds)
        assert list(document) in [
            [key for key in keys if key in document] for keys in _KEYS.values()
        ], (asked, document)
        assert None not in _values(document), (asked, document)
        text = json.dumps(document, ensure_ascii=False)
        assert json.loads(text.encode("utf-8", "backslashreplace").decode()) is not None


def _values(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return [value for child in node.values() for value in _values(child)]
    if isinstance(node, list):
        return [value for child in node for value in _values(child)]
    return [node]


def _text(chance: random.Random) -> str:
    if chance.random() < 0.3:  # one that is almost right
        text = chance.choice(_RIGHT)
        at = chance.randrange(len(text) + 1)
        return text[:at] + chance.choice(("", "", *_PARTS)) + text[at + chance.choice((0, 0, 1)) :]
    return "".join(chance.choices(_PARTS, k=chance.randrange(1, 6)))


def _value(chance: random.Random) -> Any:
    return chance.choice(_ODD) if chance.random() < 0.1 else _text(chance)


def _option(name: str, chance: random.Random) -> Any:
    if name == "surprise" or chance.random() < 0.1:
        return chance.choice(_ODD)
    right = {
        "limit": chance.choice((0, 1, 50)),
        "kinds": frozenset(chance.sample(list(SymbolKind), 4)),
        "path": _text(chance),
    }
    return right.get(name, chance.random() < 0.5)
