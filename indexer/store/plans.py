"""Ways to names: from the hints of a question to SQL that an index serves.

A hint becomes two things: a way, the tables in the order that reads least, and a truth, the
condition that holds whatever the way. No kind of question reads all names, except those that ask
nothing of them.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from indexer.hints import Check, Criteria, NameHint, Nearness, QualHint
from indexer.store.fragments import expression, pieces_of
from indexer.types import LENGTHS

_LAST_CHARACTER = "\U0010ffff"
_ENOUGH = 4
"""Characters of a beginning that select better than fragments do."""
_RAREST = 4
"""Words that a search asks the fragments for."""
_RAREST_OF_TEXT = 2
"""Words of these that one piece of a pattern gives: neighbours say nearly the same."""
_MANY = 2000
"""Names from which on looking up each one's qualification costs more than choosing those first."""
_MOST_PIECES = 200
"""Words that the rarest are chosen from."""
_LEVELS = 1 << 40
"""Keys are multiples of this plus a weight."""


class Table(NamedTuple):
    """Where names stand (alias `n`) and what has them (alias `e`)."""

    names: str
    e: str = "n"
    """Alias of the entries: what has a name. In `type` a name and its entry are one row."""
    entries: str = ""
    """Join from the names to the entries."""
    has_reversed: bool = True
    """An index of the names from their ends; others are as good by their fragments."""
    qualification: str = "SELECT text, folded FROM qualification WHERE id = n.qualification_id"
    """The qualification of an entry, plain and folded."""


TYPES = Table("type")
MEMBERS = Table(
    "member_name",
    e="e",
    entries="CROSS JOIN member e ON e.name_id = n.id",
    has_reversed=False,
    qualification="SELECT o.text || '.' || w.name AS text, o.folded || '.' || w.folded AS folded "
    "FROM type w JOIN qualification o ON o.id = w.qualification_id WHERE w.id = e.owner_id",
)

_OF_QUALIFICATION = "CROSS JOIN type n INDEXED BY type_qualification ON n.qualification_id = q.id"
_OF_OWNER = (
    "type w INDEXED BY type_folded CROSS JOIN member e INDEXED BY member_owner "
    "ON e.owner_id = w.id CROSS JOIN member_name n ON n.id = e.name_id"
)


class Checks:
    """SQL functions for what data cannot say; made once, for SQLite forgets its plans with each.

    A statement says what they check just before it is run.
    """

    MOST = 12

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.current: list[Check] = []
        for place in range(self.MOST):
            connection.create_function(
                f"javadex_{place}", 1, partial(self._check, place), deterministic=True
            )

    def _check(self, place: int, text: str) -> bool:
        return self.current[place](text)


class Statement:
    """Values and checks of one statement, named as they are needed."""

    def __init__(self, connection: sqlite3.Connection, checks: Checks) -> None:
        self._conn = connection
        self._values: dict[str, object] = {}
        self._checks = checks
        checks.current = []

    def value(self, value: object) -> str:
        """Return the placeholder for a value."""
        name = f"v{len(self._values)}"
        self._values[name] = value
        return f":{name}"

    def values(self, values: Iterable[object]) -> str:
        """Return placeholders for a list of values."""
        return ", ".join(map(self.value, values))

    def call(self, check: Check, text: str) -> str:
        """Return the call of a predicate for the SQL expression `text`."""
        self._checks.current.append(check)
        return f"javadex_{len(self._checks.current) - 1}({text})"

    def words(self, texts: str, hint: NameHint | QualHint) -> str:
        """Return an FTS5 expression that what `hint` admits fulfils, "" for none.

        It asks for the rarest words: every further one costs as much as it has texts.
        """
        groups = pieces_of(hint)
        counted = self._counts(texts, [piece for group in groups for piece in group])
        wanted = [
            piece
            for group in groups
            for piece in sorted(group, key=lambda piece: counted.get(piece, 0))[:_RAREST_OF_TEXT]
        ]
        return expression(sorted(wanted, key=lambda piece: counted.get(piece, 0))[:_RAREST])

    def at_most(self, texts: str, hint: NameHint | QualHint) -> float:
        """Return about how many texts `hint` admits, rather too many than too few."""
        pieces = [piece for group in pieces_of(hint) for piece in group]
        counted = self._counts(texts, pieces)
        return min((counted.get(piece, 0) for piece in pieces), default=math.inf)

    def _counts(self, texts: str, pieces: Sequence[str]) -> dict[str, int]:
        """In how many texts frequent pieces stand; rare ones are left out."""
        asked = list(dict.fromkeys(pieces))[:_MOST_PIECES]
        rows = self._conn.execute(
            "SELECT word, number FROM word_count WHERE texts = ? "
            f"AND word IN ({', '.join('?' * len(asked))})",
            (texts, *asked),
        )
        return dict(rows.fetchall())

    def run(self, sql: str) -> list[Any]:
        """Return the rows."""
        return self._conn.execute(sql, self._values).fetchall()


class Part(NamedTuple):
    """A way to matches that no other part gives."""

    tables: str
    condition: str
    by_humps: bool = False
    """True when all matches have the humps that are asked for, if not even the beginning."""


class _Way(NamedTuple):
    """Tables to read in their order, and the condition that an index fulfils."""

    tables: str
    condition: str = "TRUE"


def parts(statement: Statement, table: Table, criteria: Criteria) -> Iterator[Part]:
    """Yield the ways to all names and entries that `criteria` admits, each of them once."""
    earlier: list[str] = []

    def part(way: _Way, condition: str, truth: str, *, by_humps: bool = False) -> Part:
        others = [f"NOT ({other})" for other in earlier]
        earlier.append(truth)
        return Part(way.tables, " AND ".join([way.condition, condition, *others]), by_humps)

    qualifier = _text_sql(statement, "q", "text", criteria.qualifier)
    checked = _of_qualification(table, qualifier) if qualifier != _ANY else _ANY
    for hint in criteria.names:
        name = _name_sql(statement, hint)
        truth = f"{name} AND {checked}"
        if criteria.owner:
            way = _Way(_OF_OWNER, f"w.folded = {statement.value(criteria.owner)}")
            yield part(way, truth, truth)
        elif table is MEMBERS or qualifier == _ANY:
            way = _by_name(statement, hint, table)
            yield part(way, truth, truth, by_humps=hint.initials != "")
        elif _asks_little(hint):
            way = _by_qualification(statement, criteria.qualifier)
            yield part(way, f"{name} AND {qualifier}", truth)
        elif _selects_better(statement, criteria.qualifier, table, hint):
            chosen = _qualifications(statement, criteria.qualifier)
            ids = f"SELECT q.id FROM {chosen.tables} WHERE {chosen.condition} AND {qualifier}"
            condition = f"n.qualification_id IN ({ids}) AND {name}"
            yield part(_by_name(statement, hint, table), condition, truth)
        else:
            yield part(_by_name(statement, hint, table), truth, truth)
    if criteria.qualification is not None:
        condition = _text_sql(statement, "q", "text", criteria.qualification)
        yield part(_by_qualification(statement, criteria.qualification), condition, condition)


def _of_qualification(table: Table, expression: str) -> str:
    """`expression` over the qualification `q` of an entry."""
    return f"(SELECT {expression} FROM ({table.qualification}) q)"


def _selects_better(
    statement: Statement, qualifier: QualHint, table: Table, name: NameHint
) -> bool:
    """True when it pays to choose the qualifications first, and to compare ids with the names'."""
    names = statement.at_most(table.names, name)
    return names > _MANY and statement.at_most("qualification", qualifier) < names / 4


def _asks_little(hint: NameHint) -> bool:
    return len(hint.prefix) < 2 and len(hint.initials) < 2 and not pieces_of(hint)


def _by_name(statement: Statement, hint: NameHint, table: Table) -> _Way:
    """The way through the index of names that selects best."""
    names = table.names
    if hint.suffix and not hint.prefix and not hint.fragments and table.has_reversed:
        condition = starts_with(statement, "n.reversed", hint.suffix[::-1])
        return _Way(f"{names} n INDEXED BY {names}_reversed {table.entries}", condition)
    if len(hint.initials) > 1:
        return _Way(f"{names} n INDEXED BY {names}_initials {table.entries}")
    if hint.exact or len(hint.prefix) >= _ENOUGH or (hint.prefix and not hint.fragments):
        return _Way(f"{names} n INDEXED BY {names}_folded {table.entries}")
    words = statement.words(names, hint)
    if words:
        tables = f"{names}_fragment CROSS JOIN {names} n ON n.id = {names}_fragment.rowid"
        return _Way(f"{tables} {table.entries}", f"{names}_fragment MATCH {statement.value(words)}")
    return _Way(f"{names} n {table.entries}")


def _by_qualification(statement: Statement, hint: QualHint) -> _Way:
    """The way from the qualifications that `hint` may admit to the types that have them."""
    way = _qualifications(statement, hint)
    return way._replace(tables=f"{way.tables} {_OF_QUALIFICATION}")


def _qualifications(statement: Statement, hint: QualHint) -> _Way:
    """The way to qualifications that `hint` may admit."""
    found_by_beginning = hint.exact or len(hint.prefix) >= _ENOUGH
    words = "" if found_by_beginning else statement.words("qualification", hint)
    if not words:
        return _Way("qualification q")
    fragment = "qualification_fragment"
    return _Way(
        f"{fragment} CROSS JOIN qualification q ON q.id = {fragment}.rowid",
        f"{fragment} MATCH {statement.value(words)}",
    )


_ANY = "TRUE"


def _name_sql(statement: Statement, hint: NameHint) -> str:
    """Condition on a name, the whole of what the hint asks."""
    conditions = [_text_sql(statement, "n", "name", hint)]
    if hint.initials:
        conditions.append(starts_with(statement, "n.initials", hint.initials))
    return " AND ".join(reversed(conditions))  # the check of the text comes last


def _text_sql(statement: Statement, alias: str, column: str, hint: NameHint | QualHint) -> str:
    """Condition on a text and its folded form."""
    folded, conditions = f"{alias}.folded", []
    if hint.exact:
        conditions.append(f"{folded} = {statement.value(hint.prefix)}")
    elif hint.prefix:
        conditions.append(starts_with(statement, folded, hint.prefix))
    if hint.fragments or hint.suffix:
        pieces = (hint.prefix, *hint.fragments, hint.suffix)
        pattern = "*".join(map(_literal, pieces))
        # `+`: a bare parameter here makes SQLite plan the statement anew for every value.
        conditions.append(f"{folded} GLOB +{statement.value(pattern)}")
    if hint.check:
        conditions.append(statement.call(hint.check, f"{alias}.{column}"))
    return " AND ".join(conditions) or _ANY


def starts_with(statement: Statement, column: str, start: str) -> str:
    """Condition that an ordered index serves."""
    first, last = statement.value(start), statement.value(start + _LAST_CHARACTER)
    return f"{column} BETWEEN {first} AND {last}"


def _literal(text: str) -> str:
    """`text` for GLOB, with its wildcards taken literally."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)


def key_sql(
    statement: Statement, table: Table, nearness: Nearness, weight: str, *, by_humps: bool
) -> str:
    """Number that is smaller the nearer a match is: what `query.rank.rank_key` says first.

    Names that are equal to the one that is asked for differ by the length of their qualified name
    only, the last part of the weight.
    """
    if not nearness.name:
        return f"{_LEVELS} * 4 + {weight}"
    folded, name = statement.value(nearness.folded), statement.value(nearness.name)
    cases = [f"WHEN n.folded = {folded} THEN (n.name <> {name})"]
    begins = starts_with(statement, "n.folded", nearness.folded)
    if nearness.initials:
        begins += f" AND substr(n.name, 1, length({name})) = {name}"
    cases.append(f"WHEN {begins} THEN 2")
    if nearness.initials and not by_humps:
        cases.append(f"WHEN {starts_with(statement, 'n.initials', nearness.name)} THEN 3")
    elif nearness.humps and not by_humps:
        begins = starts_with(statement, "n.folded", nearness.folded[0])
        cases.append(f"WHEN {begins} AND {statement.call(nearness.humps, 'n.name')} THEN 3")
    level = f"(CASE {' '.join(cases)} ELSE {3 if by_humps else 4} END) * {_LEVELS}"
    same = f"{weight} & {LENGTHS - 1}"
    if nearness.dotted:
        dotted = statement.value(nearness.dotted)
        elsewhere = _of_qualification(
            table, f"substr('.' || q.folded || '.' || n.folded, -length({dotted})) <> {dotted}"
        )
        same = f"({same}) + ({elsewhere}) * {_LEVELS // 2}"
    return f"{level} + iif(n.folded = {folded}, {same}, {weight})"
