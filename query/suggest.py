"""Names that a query without a match may have meant: for an answer's `didYouMean` only."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from indexer.files import is_unicode
from indexer.javachars import fold
from indexer.store.reader import Reader
from query.normalise import parted_name

MOST = 5
"""Names that are offered."""

_LONGEST = 100
"""Characters of a name that is looked at; no type's name is longer for good reasons."""
_ALIKE = 0.7
"""Least ratio of `difflib` between what was asked for and what is offered."""


def near_names(
    reader: Reader, workspace_ids: Sequence[int], query: str, *, libraries: bool
) -> tuple[str, ...]:
    """Return up to `MOST` qualified names of types near to the name in `query`, nearest first.

    Of equally near ones those come first that are where the query says.
    """
    place, asked = parted_name(query)
    wanted, where = fold(asked), fold(f".{place}")
    if not wanted or len(wanted) > _LONGEST or not is_unicode(wanted):
        return ()
    near: list[tuple[float, bool, int, str]] = []
    for name, qualification in reader.near_types(workspace_ids, wanted, libraries=libraries):
        ratio = SequenceMatcher(None, wanted, fold(name), autojunk=False).ratio()
        if ratio >= _ALIKE:
            elsewhere = not fold(f".{qualification}").endswith(where)
            full = f"{qualification}.{name}".lstrip(".")
            near.append((-ratio, elsewhere, len(full), full))
    return tuple(full for *_, full in sorted(near)[:MOST])
