"""What two answers about the same Java have in common, and where they part. Pure.

One side is the index, the other a live jdt.ls, whose JSON is read here a second time: javadex' own
converter has no part in what its stored outlines are held against.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import zip_longest
from typing import Any, NamedTuple

from indexer.javachars import capitals, is_lower, is_upper
from indexer.model import Range, Symbol
from query.contract import Hit

_KNOWN_KEYS = frozenset(
    {"name", "detail", "kind", "tags", "deprecated", "range", "selectionRange", "children"}
)
_DEPRECATED = 1  # LSP 3.17, SymbolTag.Deprecated
_TYPE_KINDS = frozenset({5, 10, 11, 23})  # LSP 3.17, SymbolKind: class, enum, interface, struct

Numbers = tuple[int, int, int, int]
"""Start line and column, end line and column: zero-based, columns in UTF-16 units, half-open."""


class Class(Enum):
    """What a difference means."""

    STALE = "stale"
    """The index does not speak of the bytes that are on disk."""
    SKIPPED = "skipped"
    """jdt.ls does not look at the file where it lies."""
    EXCEPTION = "exception"
    """A documented difference (docs/matching.md)."""
    REAL = "real"
    """Nothing explains it: one side is wrong."""


class Kind(Enum):
    """What was compared."""

    OUTLINE = "outline"
    TYPE = "type"
    QUERY = "query"


class Difference(NamedTuple):
    """Something that one side says and the other does not."""

    verdict: Class
    kind: Kind
    subject: str
    """The file, below its workspace folder with `/`; of a `QUERY` the query."""
    detail: str
    """In words: what each side says, and the reason for the verdict."""


class Node(NamedTuple):
    """A symbol with its depth: a list of them in preorder is an outline."""

    depth: int
    name: str
    kind: int
    detail: str
    deprecated: bool
    range: Numbers
    selection_range: Numbers
    unknown: str = ""
    """Fields of the live answer that LSP does not know."""


class Type(NamedTuple):
    """A type as workspace/symbol gives it."""

    path: str
    name: str
    range: Numbers
    """Of its name."""
    kind: int
    container: str


Nodes = list[Node] | str
"""An outline, or a word on why a side has none."""


def nodes_of(symbols: Sequence[Symbol], depth: int = 0) -> Iterator[Node]:
    """Yield the nodes of a stored outline."""
    for symbol in symbols:
        yield Node(
            depth,
            symbol.name,
            int(symbol.kind),
            symbol.detail,
            symbol.deprecated,
            _numbers(symbol.range),
            _numbers(symbol.selection_range),
        )
        yield from nodes_of(symbol.children, depth + 1)


def _numbers(value: Range) -> Numbers:
    return (*value.start, *value.end)


def live_nodes(answer: Sequence[Any], depth: int = 0) -> Iterator[Node]:
    """Yield the nodes of a documentSymbol answer.

    Raises `LookupError` or `TypeError` for what is no hierarchy of document symbols.
    """
    for node in answer:
        yield Node(
            depth,
            node["name"],
            node["kind"],
            node.get("detail") or "",
            _DEPRECATED in (node.get("tags") or ()) or bool(node.get("deprecated")),
            _live_numbers(node["range"]),
            _live_numbers(node["selectionRange"]),
            ", ".join(sorted(set(node) - _KNOWN_KEYS)),
        )
        yield from live_nodes(node.get("children") or (), depth + 1)


def _live_numbers(value: Any) -> Numbers:
    start, end = value["start"], value["end"]
    return start["line"], start["character"], end["line"], end["character"]


def outline_differences(ours: Nodes, theirs: Nodes) -> list[str]:
    """Say in words where two outlines part, field by field; [] for equal ones.

    Two sides without an outline agree, whatever words each has for it.
    """
    if ours == theirs or (isinstance(ours, str) and isinstance(theirs, str)):
        return []
    if isinstance(ours, str) or isinstance(theirs, str) or not ours or not theirs:
        return [f"index: {_short(ours)}; live: {_short(theirs)}"]
    said = []
    for number, (mine, live) in enumerate(zip_longest(ours, theirs)):
        if mine is None or live is None:
            one, side = (mine, "index") if mine else (live, "live answer")
            said.append(f"node {number} is only in the {side}: {one}")
        elif mine != live:
            said += [
                f"node {number} {mine.name!r}: {name}: index {ours_!r}, live {theirs_!r}"
                for name, ours_, theirs_ in zip(Node._fields, mine, live, strict=True)
                if ours_ != theirs_
            ]
    return said


def _short(outline: Nodes) -> str:
    return outline if isinstance(outline, str) else f"{len(outline)} nodes"


def indexed_types(hits: Iterable[Hit], path_of: Callable[[str], str | None]) -> set[Type]:
    """Return the types that `find` gave; `path_of` turns a full path into one below the folder."""
    return {
        Type(path, hit.name, _numbers(hit.selection_range), int(hit.kind), hit.container)
        for hit in hits
        if (path := path_of(hit.file)) is not None
    }


def live_types(answer: Iterable[Any], path_of: Callable[[str], str | None]) -> set[Type]:
    """Return the types of a workspace/symbol answer; `path_of` does the same for a URI.

    Raises `LookupError` or `TypeError` for what is no list of symbol informations.
    """
    return {
        Type(
            path,
            hit["name"],
            _live_numbers(hit["location"]["range"]),
            hit["kind"],
            hit.get("containerName") or "",
        )
        for hit in answer
        if (path := path_of(hit["location"]["uri"])) is not None
    }


def type_names(nodes: Nodes) -> set[str]:
    """Names of the types in an outline, local ones among them."""
    if isinstance(nodes, str):
        return set()
    return {node.name.partition("<")[0].rstrip() for node in nodes if node.kind in _TYPE_KINDS}


class Split(NamedTuple):
    """Types that only one side has, of one file and name: at most one of the two is empty."""

    path: str
    name: str
    ours: tuple[Type, ...]
    theirs: tuple[Type, ...]

    @property
    def detail(self) -> str:
        """What each side says, in words."""
        if len(self.ours) == len(self.theirs) == 1:
            mine, live = self.ours[0], self.theirs[0]
            parts = [
                f"{field}: index {one!r}, live {other!r}"
                for field, one, other in zip(Type._fields, mine, live, strict=True)
                if one != other
            ]
            return f"type {self.name}: {'; '.join(parts)}"
        said = [
            f"{side} {[found[2:] for found in types]}"
            for side, types in (("only in the index:", self.ours), ("only live:", self.theirs))
            if types
        ]
        return f"type {self.name}: {'; '.join(said)} (place, kind, container)"


def type_splits(ours: set[Type], theirs: set[Type]) -> list[Split]:
    """Return where two sets of types part, by file and name."""
    groups: dict[tuple[str, str], tuple[list[Type], list[Type]]] = {}
    for side, types in enumerate((ours - theirs, theirs - ours)):
        for found in sorted(types):
            groups.setdefault((found.path, found.name), ([], []))[side].append(found)
    return [
        Split(path, name, tuple(mine), tuple(live))
        for (path, name), (mine, live) in sorted(groups.items())
    ]


def sample_queries(types: Iterable[Type], count: int, seed: int) -> list[str]:
    """Return up to `count` queries made from the names of types: the same for the same arguments.

    In turn: the name, a lower-case prefix, its capitals, a piece with mixed case, a leading star,
    the name with a part of its package, the package.
    """
    pool = sorted({(found.name, found.container) for found in types})
    generator = random.Random(seed)  # noqa: S311 - a repeatable sample, no secret
    generator.shuffle(pool)
    queries: dict[str, None] = {}
    for number, (name, container) in enumerate(pool):
        if len(queries) >= count:
            break
        form = _FORMS[number % len(_FORMS)]
        queries[form(name, container) or name] = None
    return list(queries)


def _prefix(name: str, _container: str) -> str:
    return name[: max(3, len(name) * 3 // 5)].lower()


def _humps(name: str, _container: str) -> str:
    found = capitals(name)
    return found if len(found) > 1 else ""


def _mixed_piece(name: str, _container: str) -> str:
    """From one character behind the start to one character into the last hump: `rderServiceI`."""
    steps = [
        place
        for place in range(1, len(name))
        if is_lower(name[place - 1]) and is_upper(name[place])
    ]
    return name[1 : steps[-1] + 1] if steps else ""


def _starred(name: str, _container: str) -> str:
    """From the last capital, else from the middle."""
    last = max((place for place, char in enumerate(name) if is_upper(char)), default=0)
    return "*" + name[last or len(name) // 2 :]


def _qualified(name: str, container: str) -> str:
    return f"{container.rpartition('.')[2]}.{name}" if container else ""


_FORMS: tuple[Callable[[str, str], str], ...] = (
    lambda name, _container: name,
    _prefix,
    _humps,
    _mixed_piece,
    _starred,
    _qualified,
    lambda _name, container: container,
)


def counts(differences: Iterable[Difference]) -> Mapping[Class, int]:
    """Return the number of differences of every class."""
    found = Counter(difference.verdict for difference in differences)
    return {verdict: found[verdict] for verdict in Class}
