"""Types whose names are near to one that is not there: candidates, by fragments and slips.

A slip spoils one place of a name. So two thirds of what was asked for stand in the name that was
meant, whichever third the slip is in; and a letter too much, or two that changed places, can be put
right by trying.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from indexer.hints import NameHint
from indexer.store.plans import Checks, Statement

_MOST = 200
"""Candidates of each way."""
_SHORTEST = 6
"""Characters of a name whose thirds say something."""


def near_types(
    connection: sqlite3.Connection, checks: Checks, workspace_ids: Sequence[int], folded: str
) -> set[tuple[str, str]]:
    """Return (name, qualification) of types whose folded name may be near to `folded`."""
    statement = Statement(connection, checks)
    slips = statement.values(sorted(set(_slips(folded))))
    found = _types(statement, "type n", f"n.folded IN ({slips})", workspace_ids)
    if len(folded) < _SHORTEST:
        return found
    tables = "type_fragment CROSS JOIN type n ON n.id = type_fragment.rowid"
    for hint in _thirds(folded):
        statement = Statement(connection, checks)
        # Only the rarest words of the two thirds: so a second slip may pass, too.
        words = statement.value(statement.words("type", hint))
        longer = f"abs(length(n.folded) - {statement.value(len(folded))})"
        condition = f"type_fragment MATCH {words} AND {longer} <= {len(folded) // 3}"
        found |= _types(statement, tables, condition, workspace_ids, longer)
    return found


def _types(
    statement: Statement,
    tables: str,
    condition: str,
    workspace_ids: Sequence[int],
    order: str = "n.id",
) -> set[tuple[str, str]]:
    rows = statement.run(
        f"SELECT n.name, q.text FROM {tables} "
        f"CROSS JOIN qualification q ON q.id = n.qualification_id WHERE {condition} "
        "AND EXISTS (SELECT 1 FROM file f WHERE f.outline_id = n.outline_id "
        f"AND f.workspace_id IN ({statement.values(workspace_ids)})) ORDER BY {order} LIMIT {_MOST}"
    )
    return set(rows)


def _slips(folded: str) -> Iterator[str]:
    """Texts that one slip turns into `folded`: two letters changed places, or one is too many."""
    for place in range(len(folded)):
        yield folded[:place] + folded[place + 1 :]
        if place:
            yield folded[: place - 1] + folded[place] + folded[place - 1] + folded[place + 1 :]


def _thirds(folded: str) -> Iterator[NameHint]:
    """What the name must be like when the slip is in the last, middle, first third."""
    first, second = len(folded) // 3, 2 * len(folded) // 3
    yield NameHint(prefix=folded[:second])
    yield NameHint(prefix=folded[:first], suffix=folded[second:])
    yield NameHint(suffix=folded[first:])
