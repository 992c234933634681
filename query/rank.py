"""In what order matches are shown: closest name first, the workspace before libraries. Pure.

jdt.ls answers in hash order, different in every process (docs/matching.md 6); this order is ours:
the same between runs, whatever order the matches come in.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from indexer.files import is_unicode
from indexer.hints import Nearness
from indexer.javachars import capitals, fold, is_upper
from query.match import MethodQuery, TypeQuery
from query.members import MemberQuery
from query.patterns import Predicate, begins_humps, camel, has_wildcard, hump_pieces, may_jump

RankKey = tuple[int, bool, bool, int, int, str, str]
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
    """Folded hump pieces, see `begins_humps`; empty when the query has fewer than two."""
    camel: Predicate
    initials: bool
    """True when the query is capitals only, two or more: then `AC` is no beginning of `Acl`."""
    dotted: str
    """Folded end of the full name that means this very type; empty without a dot."""

    def has_humps(self, name: str) -> bool:
        """True when the humps of `name` answer to the query."""
        return self.camel(name) or begins_humps(self.pieces, name)


def rank_key(
    query: TypeQuery | MethodQuery | MemberQuery,
    name: str,
    qualification: str,
    is_library: bool,
    qualified_name: str,
    path: str,
    *,
    nested: bool = False,
) -> RankKey:
    """Sort key of one match; total over matches that differ in qualified name or path.

    Closeness of the name; then, for a query with a dot, the type whose full name is or ends with
    the whole query; workspace before library; of names that are not the one asked for those with
    fewer capitals, then those of no nested type; shorter qualified name; qualified name; path.
    `qualification` is the matcher's (declared package), `qualified_name` the one that is shown.
    """
    wanted = _wanted(query.text)
    level = closeness(query, name)
    elsewhere, fullness = False, 0
    if level > Closeness.EXACT_IGNORING_CASE:
        fullness = len(capitals(name)) * 2 + nested
    elif wanted.dotted:
        elsewhere = not fold(f".{qualification}.{name}").endswith(wanted.dotted)
    length = len(qualified_name)
    return int(level), elsewhere, is_library, fullness, length, qualified_name, path


def closeness(query: TypeQuery | MethodQuery | MemberQuery, name: str) -> Closeness:
    """How close `name` is to the part of the query after its last dot, outer stars left off."""
    wanted = _wanted(query.text)
    if wanted.name == "":
        return Closeness.REST
    if name == wanted.name:
        return Closeness.EXACT
    folded = fold(name)
    if folded == wanted.folded:
        return Closeness.EXACT_IGNORING_CASE
    if name.startswith(wanted.name) if wanted.initials else folded.startswith(wanted.folded):
        return Closeness.PREFIX
    return Closeness.HUMPS if wanted.has_humps(name) else Closeness.REST


def nearness(query: TypeQuery | MethodQuery | MemberQuery) -> Nearness:
    """What the store needs to know of the order to cut it where `rank_key` would."""
    wanted = _wanted(query.text)
    if not wanted.name or not is_unicode(query.text):
        return Nearness()
    jumps = len(wanted.pieces) > 1 or sum(map(may_jump, wanted.name[1:])) > 0
    return Nearness(
        wanted.name,
        wanted.folded,
        wanted.dotted,
        wanted.initials,
        wanted.has_humps if jumps else None,
    )


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
        initials=plain and len(name) > 1 and all(map(is_upper, name)),
        dotted=fold(f".{qualifier}.{name}") if dot and plain else "",
    )
