"""In what order matches are shown: closest name first, the workspace before libraries. Pure.

jdt.ls answers in hash order, different in every process (docs/matching.md 6); this order is ours:
the same between runs, whatever order the matches come in.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from indexer.javachars import fold, is_lower, is_upper
from query.match import MethodQuery, TypeQuery, hump_pieces
from query.patterns import Predicate, camel, has_wildcard

RankKey = tuple[int, bool, bool, int, str, str]
"""What `rank_key` returns; smaller is shown earlier."""


class Closeness(IntEnum):
    """How a name answers to a query, best first."""

    EXACT = 0
    EXACT_IGNORING_CASE = 1
    PREFIX = 2
    HUMPS = 3
    REST = 4


class _Wanted(NamedTuple):
    """What a query asks of names, prepared once."""

    name: str
    folded: str
    pieces: tuple[str, ...]
    """Folded hump pieces, see `_begins_humps`; empty when the query has fewer than two."""
    camel: Predicate
    dotted: str
    """Folded end of the full name that means this very type; empty without a dot."""


def rank_key(
    query: TypeQuery | MethodQuery,
    name: str,
    qualification: str,
    is_library: bool,
    qualified_name: str,
    path: str,
) -> RankKey:
    """Sort key of one match; total over matches that differ in qualified name or path.

    Closeness of the name; then, for a query with a dot, the type whose full name is or ends with
    the whole query; workspace before library; shorter qualified name; qualified name; path.
    `qualification` is the matcher's (declared package), `qualified_name` the one that is shown.
    """
    wanted = _wanted(query.text)
    level = closeness(query, name)
    elsewhere = False
    if wanted.dotted and level <= Closeness.EXACT_IGNORING_CASE:
        elsewhere = not fold(f".{qualification}.{name}").endswith(wanted.dotted)
    return int(level), elsewhere, is_library, len(qualified_name), qualified_name, path


def closeness(query: TypeQuery | MethodQuery, name: str) -> Closeness:
    """How close `name` is to the part of the query after its last dot, outer stars left off."""
    wanted = _wanted(query.text)
    if wanted.name == "":
        return Closeness.REST
    if name == wanted.name:
        return Closeness.EXACT
    folded = fold(name)
    if folded.startswith(wanted.folded):
        same = len(folded) == len(wanted.folded)
        return Closeness.EXACT_IGNORING_CASE if same else Closeness.PREFIX
    if wanted.camel(name) or _begins_humps(wanted.pieces, name, folded):
        return Closeness.HUMPS
    return Closeness.REST


@lru_cache(maxsize=64)
def _wanted(text: str) -> _Wanted:
    qualifier, dot, last = text.rpartition(".")
    name = last.strip("*")
    plain = name != "" and not has_wildcard(name)
    pieces = tuple(map(fold, hump_pieces(name))) if plain else ()
    return _Wanted(
        name=name,
        folded=fold(name),
        pieces=pieces if len(pieces) > 1 else (),
        camel=camel(name) if plain else lambda _name: False,
        dotted=fold(f".{qualifier}.{name}") if dot and plain else "",
    )


def _begins_humps(pieces: tuple[str, ...], name: str, folded: str) -> bool:
    """True when each piece begins at a hump of the name, the first one at its start.

    A hump is an upper-case unit, or whatever follows one that is neither letter nor digit. Unlike
    camel (docs/matching.md 4.3) humps may be skipped and case is ignored: `NuEx` is at home in
    `NullPointerException`, where the matcher finds it as an infix only.
    """
    if not pieces or not folded.startswith(pieces[0]):
        return False
    place = len(pieces[0])
    for piece in pieces[1:]:
        place = folded.find(piece, place)
        while place >= 0 and not _is_hump(name, place):
            place = folded.find(piece, place + 1)
        if place < 0:
            return False
        place += len(piece)
    return True


def _is_hump(name: str, place: int) -> bool:
    if is_upper(name[place]):
        # Within a run of capitals only the first and the last (`XMLHttp`: X, H) begin a word.
        after = name[place + 1 : place + 2]
        return not is_upper(name[place - 1]) or (after != "" and is_lower(after))
    return name[place - 1] in "_$"
