"""Library types among the answers of findSymbol. Imported when there is one."""

from __future__ import annotations

import os
from collections.abc import Callable

from indexer.libraries import Place, encoded, fill, is_nested_class
from indexer.model import Position, Range
from indexer.portable import Bases, bases_of, local
from indexer.store.search import LibraryMatch
from query.contract import Hit
from query.match import MethodQuery, TypeQuery
from query.members import MemberQuery
from query.rank import RankKey, rank_key

_NOWHERE = Range(Position(0, 0), Position(0, 0))
"""Where jdt.ls says that a class file declares its type."""


def library_rank(query: TypeQuery | MethodQuery | MemberQuery, match: LibraryMatch) -> RankKey:
    """Return the sort key of a library type; a URI takes the place of the path."""
    qualified = f"{match.container}.{match.name}".lstrip(".")
    uri = f"{match.uri} {match.project} {match.path}"
    nested = is_nested_class(match.uri)
    return rank_key(query, match.matched, match.qualification, True, qualified, uri, nested=nested)


class LibraryHits:
    """Makes hits of library types; what that takes is looked up once for each workspace folder."""

    def __init__(self, java: Callable[[], str]) -> None:
        """`java` gives the executable that would run the language server, "" for none."""
        self._java = java
        self._bases: dict[str, Bases] = {}

    def hit(self, match: LibraryMatch, root: str) -> Hit:
        """Return the hit for a type of a library that the workspace folder `root` uses."""
        if root not in self._bases:
            self._bases[root] = bases_of(root, self._java())
        bases = self._bases[root]
        path, file = encoded(local(match.path, bases)), local(match.file, bases)
        return Hit(
            match.name,
            match.kind,
            match.container,
            fill(match.uri, Place(match.project, path, match.attributes, match.jar)),
            "",
            _NOWHERE,
            _NOWHERE,
            library=match.library,
            missing="" if os.path.exists(file) else file,
        )
