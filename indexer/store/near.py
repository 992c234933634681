"""Types whose names are near to one that is not there: candidates, by fragments and slips.

A slip spoils one place of a name. So two thirds of what was asked for stand in the name that was
meant, whichever third the slip is in; and a letter too much, or two that changed places, can be put
right by trying.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence

from indexer.hints import NameHint
from indexer.store.plans import Checks, Statement, starts_with

_MOST = 200
"""Candidates of each way."""
_SHORTEST = 6
"""Characters of a name whose thirds say something."""


def near_types(
    connection: sqlite3.Connection,
    checks: Checks,
    workspace_ids: Sequence[int],
    folded: str,
    *,
    libraries: bool,
) -> set[tuple[str, str]]:
    """Return (name, qualification) of types whose folded name may be near to `folded`."""
    found: set[tuple[str, str]] = set()
    for way in (_by_slips, *(_BY_THIRDS if len(folded) >= _SHORTEST else [_by_first])):
        statement = Statement(connection, checks)
        tables, condition = way(statement, folded)
        ids = statement.values(workspace_ids)
        used = (
            f"SELECT 1 FROM file f WHERE f.outline_id = n.outline_id AND f.workspace_id IN ({ids})"
        )
        if libraries:
            used += (
                " UNION ALL SELECT 1 FROM attachment a WHERE a.library_id = n.library_id "
                f"AND a.workspace_id IN ({ids})"
            )
        found |= set(
            statement.run(
                f"SELECT n.name, q.text FROM {tables} "
                f"CROSS JOIN qualification q ON q.id = n.qualification_id WHERE {condition} "
                f"AND EXISTS ({used}) "
                f"ORDER BY {_difference(statement, folded)} LIMIT {_MOST}"
            )
        )
    return found


_Way = Callable[[Statement, str], tuple[str, str]]
"""From a name to tables and a condition on `type n`."""


def _by_slips(statement: Statement, folded: str) -> tuple[str, str]:
    slips = statement.values(sorted(set(_slips(folded))))
    return "type n INDEXED BY type_folded", f"n.folded IN ({slips})"


def _by_first(statement: Statement, folded: str) -> tuple[str, str]:
    """Of a short name only the first letter counts, and its length."""
    begins = starts_with(statement, "n.folded", folded[0])
    return "type n INDEXED BY type_folded", f"{begins} AND {_difference(statement, folded)} < 2"


def _third(place: int) -> _Way:
    """Two thirds of the name stand: all but the one at `place`, from 0.

    Only their rarest words are asked for: so a second slip may pass, too.
    """

    def way(statement: Statement, folded: str) -> tuple[str, str]:
        first, second = len(folded) // 3, 2 * len(folded) // 3
        hint = (
            NameHint(suffix=folded[first:]),
            NameHint(prefix=folded[:first], suffix=folded[second:]),
            NameHint(prefix=folded[:second]),
        )[place]
        words = statement.value(statement.words("type", hint))
        spare = f"{_difference(statement, folded)} <= {len(folded) // 3}"
        tables = "type_fragment CROSS JOIN type n ON n.id = type_fragment.rowid"
        return tables, f"type_fragment MATCH {words} AND {spare}"

    return way


_BY_THIRDS = [_third(place) for place in range(3)]


def _difference(statement: Statement, folded: str) -> str:
    """In how many characters a name is longer or shorter."""
    return f"abs(length(n.folded) - {statement.value(len(folded))})"


def _slips(folded: str) -> Iterator[str]:
    """Texts that one slip turns into `folded`: two letters changed places, or one is too many."""
    for place in range(len(folded)):
        yield folded[:place] + folded[place + 1 :]
        if place:
            yield folded[: place - 1] + folded[place] + folded[place - 1] + folded[place + 1 :]
