"""The three ways a pattern matches a name: glob, prefix, camel. Pure; knows no query syntax.

Each function takes a pattern once and returns a predicate over names. Rules, defects included:
docs/matching.md 4. For each there is a hint: a necessary condition, in plain data, that a store
can turn into an index scan. A hint may admit too much, never too little.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from indexer.hints import NameHint, QualHint
from indexer.javachars import (
    capitals,
    fold,
    is_identifier_part,
    is_upper,
    joined,
    units,
)

Predicate = Callable[[str], bool]

_MOST_FRAGMENTS = 8
"""Fragments named in a hint; more would cost the store more than they save."""


def has_wildcard(text: str) -> bool:
    """True when `text` is a glob rather than a name."""
    return "*" in text or "?" in text


def glob(pattern: str) -> Predicate:
    """`*` any run, `?` one unit, case ignored, whole string (docs/matching.md 4.1).

    The defect of the original is copied: a string used up before a run of stars at the end of
    the pattern fails unless that run is short enough. What is left of a run of `n` stars then
    asks for one more unit: n >= 2 after an earlier star, n >= 3 without one.
    """
    if pattern == "*":
        return lambda _text: True
    folded = _folded_units(pattern)
    head, *middle = folded.split("*")
    if not middle and "?" not in head:
        return lambda text: _folded_units(text) == head
    run = len(folded) - len(folded.rstrip("*"))
    spare = run >= (2 if "*" in folded.rstrip("*") else 3)
    matches = _gapped(folded, spare) if "?" in folded else _literal(head, middle, spare)
    shortest = len(folded) - folded.count("*") + spare

    def test(text: str) -> bool:
        return len(text) * 2 >= shortest and matches(_folded_units(text))

    return test


def _literal(head: str, middle: list[str], spare: bool) -> Predicate:
    """Match a folded string against pieces without `?`: each at its first place after the last."""
    *inner, tail = middle
    pieces = [piece for piece in inner if piece]

    def test(text: str) -> bool:
        if not text.startswith(head):
            return False
        position = len(head)
        for piece in pieces:
            found = text.find(piece, position)
            if found < 0:
                return False
            position = found + len(piece)
        if tail:
            return len(text) - len(tail) >= position and text.endswith(tail)
        return not spare or position < len(text)

    return test


def _gapped(folded: str, spare: bool) -> Predicate:
    """Match a folded string against pieces with `?`, by a regular expression.

    A piece, once found, is never looked for again further right (atomic groups): that is what the
    original does, and it keeps the time linear in the string whatever the pattern.
    """
    head, *middle = (
        "".join("." if unit == "?" else re.escape(unit) for unit in piece)
        for piece in folded.split("*")
    )
    expression = head
    if middle:
        *inner, tail = middle
        expression += "".join(f"(?>.*?{piece})" for piece in inner if piece)
        expression += f".*{tail}" if tail else ".+" if spare else ".*"
    matches = re.compile(expression, re.DOTALL).fullmatch
    return lambda text: matches(text) is not None


def qual_hint(pattern: str) -> QualHint:
    """Necessary condition of `glob(pattern)`: the pieces between wildcards, in their order."""
    head, *rest = re.split(r"[*?]", fold(joined(pattern)))
    start, *broken = _without_lone_halves(head)
    if broken:
        return QualHint(start)
    found = [part for piece in rest for part in _without_lone_halves(piece) if part]
    return QualHint(start, tuple(found[:_MOST_FRAGMENTS]), exact=not rest)


def glob_hint(pattern: str) -> NameHint:
    """`qual_hint`, said of a name."""
    hint = qual_hint(pattern)
    return NameHint(hint.prefix, hint.fragments, hint.exact)


def _without_lone_halves(text: str) -> list[str]:
    """Split at lone surrogates: a store cannot hold them, and may have them as half of a pair."""
    return re.split("[\ud800-\udfff]", text)


def prefix(pattern: str) -> Predicate:
    """The name begins with `pattern`, case ignored (docs/matching.md 4.2)."""
    start = _folded_units(pattern)
    return lambda text: _folded_units(text).startswith(start)


def prefix_hint(pattern: str) -> NameHint:
    """Necessary condition of `prefix(pattern)`."""
    return NameHint(prefix=_without_lone_halves(fold(joined(pattern)))[0])


def camel(pattern: str) -> Predicate:
    """The humps of `pattern` are the first humps of the name (docs/matching.md 4.3).

    `pattern` is not empty. Capitals of the name may not be skipped, digits may.
    """
    wanted = units(pattern)
    first = wanted[0]
    matches_ascii = re.compile(
        re.escape(first) + "".join(map(_ascii_step, wanted[1:])), re.DOTALL
    ).match

    def test(name: str) -> bool:
        if name.isascii():
            return matches_ascii(name) is not None
        return _walk_humps(wanted, units(name))

    return test


def _ascii_step(unit: str) -> str:
    """Expression that finds `unit` in an ASCII name: at once, or after a jump if it may jump."""
    if not _may_jump(unit):
        return re.escape(unit)
    skipped = "a-z_$0-9" if not unit.isdecimal() else "a-z_$" + "0123456789".replace(unit, "")
    return f"[{skipped}]*+{re.escape(unit)}"


def _walk_humps(pattern: str, name: str) -> bool:
    """The walk of docs/matching.md 4.3 over units, for names that are not only ASCII."""
    if not name.startswith(pattern[0]):
        return False
    place = 1
    for unit in pattern[1:]:
        if not name.startswith(unit, place):
            if not _may_jump(unit):
                return False
            while place < len(name) and name[place] != unit and _is_passed_over(name[place]):
                place += 1
            if not name.startswith(unit, place):
                return False
        place += 1
    return True


def _may_jump(unit: str) -> bool:
    """True for what may leave units of the name out before it: capitals and ASCII digits.

    The original also lets units jump that are no identifier parts, of which a name has only
    surrogates; a type's pattern never has one, a method's may.
    """
    if unit.isascii():
        return unit.isupper() or unit.isdigit()
    return is_upper(unit) or not is_identifier_part(unit)


def _is_passed_over(unit: str) -> bool:
    if unit.isascii():
        return unit.islower() or unit.isdigit() or unit in "_$"
    return is_identifier_part(unit) and not is_upper(unit)


def camel_hint(pattern: str) -> NameHint:
    """Necessary condition of `camel(pattern)`.

    No jump passes over an upper-case unit, so the name's capitals begin with the pattern's. Up to
    the first unit after index 0 that may jump, the name begins with the pattern itself.
    """
    wanted = units(pattern)
    steady = next(
        (place for place, unit in enumerate(wanted) if place and _may_jump(unit)), len(wanted)
    )
    return NameHint(
        prefix=_without_lone_halves(fold(joined(wanted[:steady])))[0],
        caps=capitals(wanted),
        first=_without_lone_halves(wanted[0])[0],
    )


def _folded_units(text: str) -> str:
    return text.lower() if text.isascii() else units(fold(text))
