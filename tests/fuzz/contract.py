"""The two tools under inputs of any kind: an answer or an error, and none that is nonsense."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from indexer.build import BuildOptions, build
from indexer.files import resolve_root
from indexer.model import SymbolKind
from query.contract import MAX_DEPTH, FindAnswer, OutlineAnswer, ToolError, find_json, outline_json
from query.service import Scope, Service
from query.upkeep import Limits
from tests.support.indexing import Notes, instant_servers
from tests.support.trees import Tree

SECONDS = 2.0
"""Longest that one call may take; most take a thousandth."""

_PARTS = (
    *("Order", "shop", "OrdServ", "x", "#", ".", "$", "*", "?", "::", "(", ")", "<", ">", ",", " "),
    *("/", "\\", "..", "%2e%2e%2f", "%", "%00", "%ff", "\0", "\ud800", "\udce4", "é", "𝐀", "\n"),
    *("file://", "jdt://contents/", "untitled:", "http://", "C:", "~", "A.java", "src/shop/", "["),
    *("]", "^", "-", "OR 1=1", "NEAR(", "a" * 300, "*" * 50, "A" * 40, "\u202e", "İ", "ß", "ﬁ"),
    *("\x1b[31m", "'", '"', ";", "import ", "class ", "{@link ", "a?" * 300, "x/" * 200, "\u0345"),
)
_RIGHT = (
    *("Order", "shop.Order", "Order#run", "*Service", "OrdServ", "shop.util.Text", "Ünï", "O*r?e*"),
    *("Order$Line", "new Order()", "src/shop/Order.java:3", "Order.java", "", "*"),
)
_RIGHT_FILES = (
    *("src/shop/Order.java", "./src/shop/util/Text.java", "tree/src/shop/Stock.java", "Link.java"),
    *("Away/Secret.java", "src/shop/util/Ünï.java", "src/../src/shop/Order.java", "notes.txt"),
)
_SCHEMES = (
    *("file://", "file:", "FILE://", "file://localhost", "file://other", "jdt://", "untitled:"),
    *("vscode-remote://", "http://", "data:", "\0file://", "file:////", "file://[", "//"),
)
_ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 7, 60, 10**12, 1 << 31, (1 << 31) + 1, 1.5, float("nan"), 10**4000),
    *(b"Order", [], ["Order"], {}, object(), "", " ", "Order", "20", "\ud800" * 3, frozenset([5])),
)
_OPTIONS = ("limit", "strict", "kinds", "source_methods", "path", "libraries", "surprise")
_KEYS: dict[str, Sequence[str]] = {
    "results": ("results", "total", "truncated?"),
    "missed": ("results", "reason", "message", "didYouMean?"),
    "error": ("error", "errorCode", "hint?"),
    "symbols": ("documentUri", "file", "symbols", "truncated?", "stale?"),
    "none": ("symbols", "reason", "message"),
    "hit": (
        *("name", "kind", "container?", "documentUri", "file", "outlineSupported"),
        *("selectionRange", "signature?", "readFileRange?"),
    ),
    "symbol": (
        *("name", "kind", "startLine", "endLine", "readFileRange", "range", "detail?", "children?"),
    ),
}
"""Keys of each kind of object in their order, as docs/tools.md has them; `?`: may be absent."""


class Tools:
    """A small index, and a service that starts nothing."""

    def __init__(self, folder: Path) -> None:
        tree = Tree(folder / "tree")
        for name in ("Order", "OrderService", "Stock", "util/Text", "util/Ünï"):
            tree.write(f"src/shop/{name}.java")
        tree.write("src/shop/Big.java", "class Big { class In { class A { int a; } } int b, c; }\n")
        tree.write("src/shop/Empty.java", "// nothing\n")
        tree.write("notes.txt", "class Secret { }\n")
        away = folder / "away"
        away.mkdir()
        (away / "Secret.java").write_text("class Secret { int key; }\n")
        (tree.path / "Link.java").symlink_to(away / "Secret.java")
        (tree.path / "Away").symlink_to(away)
        self.root = str(tree.path)
        root = resolve_root(self.root)
        db = str(folder / "index.db")
        build([root], db, BuildOptions(outliner=instant_servers), Notes())
        tree.write("src/shop/Stock.java", "class Fresh { }\n")  # of which the index knows nothing
        self.service = Service(Scope((root,), db, upkeep=Limits(0.0, 0.0)))

    def one_find(self, chance: random.Random, counts: Counter[str]) -> None:
        """Ask for a symbol."""
        chosen = chance.sample(_OPTIONS, chance.choice((0, 0, 1, 2, 4)))
        options = {name: _option(name, chance) for name in chosen}
        query = _value(_RIGHT, chance)
        declarations = chance.random() < 0.5
        started = time.monotonic()
        answer = self.service.find(query, **options)
        document = find_json(answer, declarations=declarations)
        _check(document, time.monotonic() - started)
        if isinstance(answer, ToolError):
            counts[answer.code.value] += 1
            return
        self._check_hits(answer, document, options.get("limit", 20))
        for hit in document["results"]:
            assert ("readFileRange" in hit) == declarations, hit
        if document["results"]:
            self._check_way_on(chance.choice(document["results"]))
        counts[answer.reason.value if answer.reason else "found"] += 1

    def _check_hits(self, answer: FindAnswer, document: dict[str, Any], limit: int) -> None:
        assert bool(answer.reason) == (not document["results"]), document
        if answer.reason:
            return
        shown = len(document["results"])
        assert not limit or shown <= limit, document
        assert (shown < document["total"]) == (document.get("truncated") is True), document
        for hit in document["results"]:
            assert hit["file"].startswith(self.root + os.sep), hit
            assert "Secret" not in hit["name"], hit

    def _check_way_on(self, hit: dict[str, Any]) -> None:
        """What findSymbol names, getFileStructure takes."""
        answer = self.service.outline(hit["documentUri"], limit=0)
        assert isinstance(answer, OutlineAnswer), (hit, answer)
        assert answer.file == hit["file"], (hit, answer)

    def one_outline(self, chance: random.Random, counts: Counter[str]) -> None:
        """Ask for an outline."""
        uri, limit = self._uri(chance), chance.choice((0, 1, 2, 3, 5, 20))
        allow_stale = chance.random() < 0.3
        started = time.monotonic()
        answer = self.service.outline(uri, limit=limit, allow_stale=allow_stale)
        document = outline_json(answer)
        _check(document, time.monotonic() - started)
        if isinstance(answer, ToolError):
            counts[answer.code.value] += 1
            return
        assert bool(answer.reason) == (not document["symbols"]), document
        nodes = list(_symbols(document["symbols"], 1))
        assert "Secret" not in {node["name"] for _, node in nodes}, (uri, document)
        if limit:
            assert len(nodes) <= limit, (uri, document)
            assert all(depth <= MAX_DEPTH for depth, _ in nodes), (uri, document)
        left_out = len(nodes) < answer.outline.node_count
        assert left_out == ("truncated" in document), (uri, document)
        assert ("stale" in document) <= allow_stale, (uri, document)
        assert os.path.realpath(answer.file).startswith(self.root + os.sep), (uri, answer.file)
        stale = "found, stale" if answer.stale else "found"
        counts[answer.reason.value if answer.reason else stale] += 1

    def _uri(self, chance: random.Random) -> str:
        """A path or URI in many spellings, often of a file that is there, often spoilt."""
        text = chance.choice(_RIGHT_FILES) if chance.random() < 0.6 else _text(_RIGHT_FILES, chance)
        how = chance.randrange(4)
        if how == 1:
            text = f"{self.root}/{text}"
        elif how == 2:
            text = f"{chance.choice(_SCHEMES)}{self.root}/{text}"
        elif how == 3:
            text = f"{chance.choice(_SCHEMES)}{text}"
        return text if chance.random() < 0.6 else _spoilt(text, chance)


def _check(document: dict[str, Any], seconds: float) -> None:
    """What holds for every answer."""
    assert seconds < SECONDS, (document, seconds)
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    assert json.loads(text.encode()) == document, document  # valid UTF-8
    assert None not in _values(document), document
    kinds = ("results", "missed", "error", "symbols", "none")
    assert any(_has_keys(document, kind) for kind in kinds), document
    for hit in document.get("results", ()):
        assert _has_keys(hit, "hit"), hit
        _check_lines(hit["selectionRange"]["startLine"], hit["selectionRange"]["endLine"])
        if "readFileRange" in hit:
            assert hit["readFileRange"]["offset"] >= 1 <= hit["readFileRange"]["limit"], hit
    for _, node in _symbols(document.get("symbols", ()), 1):
        assert _has_keys(node, "symbol"), node
        start, end = node["startLine"], node["endLine"]
        _check_lines(start, end)
        assert node["range"] == f"L{start}-{end}", node
        assert node["readFileRange"] == {"offset": start, "limit": end - start + 1}, node


def _check_lines(start: int, end: int) -> None:
    assert 1 <= start <= end, (start, end)


def _has_keys(found: dict[str, Any], kind: str) -> bool:
    """True when an object has the keys of its kind, in order, those that may be absent or not."""
    names = [key.rstrip("?") for key in _KEYS[kind]]
    needed = {key for key in _KEYS[kind] if not key.endswith("?")}
    return needed <= found.keys() and list(found) == [name for name in names if name in found]


def _symbols(nodes: Sequence[Any], depth: int) -> Iterator[tuple[int, Any]]:
    for node in nodes:
        yield depth, node
        yield from _symbols(node.get("children", ()), depth + 1)


def _values(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return [value for child in node.values() for value in _values(child)]
    if isinstance(node, list):
        return [value for child in node for value in _values(child)]
    return [node]


def _text(right: Sequence[str], chance: random.Random) -> str:
    """One that is right, one that is almost, or one that is none."""
    kind = chance.randrange(3)
    if kind == 2:
        return "".join(chance.choices(_PARTS, k=chance.randrange(1, 6)))
    text = chance.choice(right)
    return _spoilt(text, chance) if kind else text


def _spoilt(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(("", "", *_PARTS)) + text[at + chance.choice((0, 0, 1)) :]


def _value(right: Sequence[str], chance: random.Random) -> Any:
    return chance.choice(_ODD) if chance.random() < 0.1 else _text(right, chance)


def _option(name: str, chance: random.Random) -> Any:
    if name == "surprise" or chance.random() < 0.1:
        return chance.choice(_ODD)
    right = {
        "limit": chance.choice((0, 1, 2, 50)),
        "kinds": frozenset(chance.sample(list(SymbolKind), chance.choice((1, 4, 26)))),
        "path": chance.choice(("*", "src/*", "src/shop/O*", "[", _text(_RIGHT_FILES, chance))),
    }
    return right.get(name, chance.random() < 0.5)
