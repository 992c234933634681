"""The three ways a pattern matches a name: glob, prefix, camel. Pure; knows no query syntax.

Each function takes a pattern once and returns a predicate over names. Rules, defects included:
docs/matching.md 4. For each there is a hint, the same condition in plain data that a store can turn
into an index scan; where data cannot say it all, the hint carries the predicate as its `check`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from indexer.hints import NameHint, QualHint
from indexer.javachars import (
    fold,
    initials,
    is_identifier_part,
    is_lower,
    is_passed_over,
    is_upper,
    joined,
    units,
)

Predicate = Callable[[str], bool]

_MOST_FRAGMENTS = 8
"""Fragments named in a hint; more would cost the store more than they save."""

_LONGEST_PIECE = 500
"""Characters of a piece in a hint: SQLite refuses patterns above 50,000 bytes."""


def has_wildcard(text: str) -> bool:
    """True when `text` is a glob rather than a name."""
    return "*" in text or "?" in text


def one_star(pattern: str) -> str:
    """`pattern` with the stars at its end made one: the defect told in `glob` cannot show."""
    bare = pattern.rstrip("*")
    return bare if bare == pattern else bare + "*"


def hump_pieces(text: str) -> list[str]:
    """`text` cut wherever a lower-case unit meets an upper-case one: `NuPo` is `Nu`, `Po`."""
    pieces, start = [], 0
    for place in range(1, len(text)):
        if is_lower(text[place - 1]) and is_upper(text[place]):
            pieces.append(text[start:place])
            start = place
    return [*pieces, text[start:]]


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
    spare = _wants_spare(folded)
    matches = _gapped(folded, spare) if "?" in folded else _literal(head, middle, spare)
    shortest = len(folded) - folded.count("*") + spare

    def test(text: str) -> bool:
        return len(text) * 2 >= shortest and matches(_folded_units(text))

    return test


def _wants_spare(pattern: str) -> bool:
    """True when the stars at the end ask for one more unit: the defect told in `glob`."""
    bare = pattern.rstrip("*")
    return len(pattern) - len(bare) >= (2 if "*" in bare else 3)


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
    """What `glob(pattern)` asks of a text: the pieces between wildcards, in their order."""
    pieces = re.split(r"[*?]", fold(joined(pattern)))
    texts = [_storable(piece) for piece in pieces]
    first, *inner, last = texts if len(texts) > 1 else [texts[0], ""]
    fragments = [text for text in inner if text]
    hint = QualHint(
        prefix=first,
        fragments=tuple(fragments[:_MOST_FRAGMENTS]),
        suffix=last if pieces[-1] == last else "",
        exact=len(pieces) == 1 and first == pieces[0],
    )
    whole = texts == pieces and len(fragments) <= _MOST_FRAGMENTS
    literal = "?" not in pattern and not _wants_spare(pattern)
    return hint if whole and literal else hint._replace(check=glob(pattern))


def glob_hint(pattern: str) -> NameHint:
    """`qual_hint`, said of a name."""
    hint = qual_hint(pattern)
    return NameHint(hint.prefix, hint.fragments, hint.suffix, hint.exact, check=hint.check)


def _storable(text: str) -> str:
    """The beginning of `text` that a store can be asked for, not endless.

    A store cannot hold lone surrogates, and may have them as half of a pair; what follows a NUL it
    would not see.
    """
    return re.split("[\0\ud800-\udfff]", text)[0][:_LONGEST_PIECE]


def prefix(pattern: str) -> Predicate:
    """The name begins with `pattern`, case ignored (docs/matching.md 4.2)."""
    start = _folded_units(pattern)
    return lambda text: _folded_units(text).startswith(start)


def prefix_hint(pattern: str) -> NameHint:
    """What `prefix(pattern)` asks of a name."""
    folded = fold(joined(pattern))
    text = _storable(folded)
    return NameHint(prefix=text, check=None if text == folded else prefix(pattern))


def camel(pattern: str) -> Predicate:
    """The humps of `pattern` are the first humps of the name (docs/matching.md 4.3).

    `pattern` is not empty. Capitals of the name may not be skipped, digits may.
    """
    wanted = units(pattern)
    first = wanted[0]

    @cache  # most queries meet no name that is worth the expression
    def expression() -> re.Pattern[str]:
        return re.compile(re.escape(first) + "".join(map(_ascii_step, wanted[1:])), re.DOTALL)

    def test(name: str) -> bool:
        if not name.startswith(first):
            return False
        if name.isascii():
            return expression().match(name) is not None
        return _walk_humps(wanted, units(name))

    return test


def _ascii_step(unit: str) -> str:
    """Expression that finds `unit` in an ASCII name: at once, or after a jump if it may jump."""
    if not may_jump(unit):
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
            if not may_jump(unit):
                return False
            while place < len(name) and name[place] != unit and is_passed_over(name[place]):
                place += 1
            if not name.startswith(unit, place):
                return False
        place += 1
    return True


def may_jump(unit: str) -> bool:
    """True for what may leave units of the name out before it: capitals and ASCII digits.

    The original also lets units jump that are no identifier parts, of which a name has only
    surrogates; a type's pattern never has one, a method's may.
    """
    if unit.isascii():
        return unit.isupper() or unit.isdigit()
    return is_upper(unit) or not is_identifier_part(unit)


def camel_hint(pattern: str) -> NameHint:
    """What `camel(pattern)` asks of a name.

    No jump passes over an upper-case unit, so the name's initials begin with the pattern's; that is
    all when the pattern has nothing else. Up to the first unit after index 0 that may jump, the
    name begins with the pattern itself.
    """
    wanted = units(pattern)
    steady = next(
        (place for place, unit in enumerate(wanted) if place and may_jump(unit)), len(wanted)
    )
    first = _storable(initials(joined(wanted)))
    if first == pattern and all(map(is_upper, wanted[1:])):
        return NameHint(initials=first)
    return NameHint(
        prefix=_storable(fold(joined(wanted[:steady]))), initials=first, check=camel(pattern)
    )


def _folded_units(text: str) -> str:
    return text.lower() if text.isascii() else units(fold(text))


def begins_humps(pieces: Sequence[str], name: str) -> bool:
    """True when each piece begins at a hump of the name, the first one at its start.

    A hump is an upper-case unit, or whatever follows one that is neither letter nor digit. Unlike
    camel (docs/matching.md 4.3) humps may be skipped and case is ignored: `NuEx` is at home in
    `NullPointerException`, where the matcher finds it as an infix only.
    """
    folded = fold(name)
    if not pieces or not folded.startswith(pieces[0]):
        return False
    return _at_humps(pieces[1:], name, folded, len(pieces[0]))


def at_humps(pattern: str) -> Predicate:
    """Every piece of `pattern` begins at a hump of the name, in their order (docs/matching.md 13).

    Pieces as in `hump_pieces`, humps as in `begins_humps`; the first may begin at any of them.
    """
    pieces = [fold(piece) for piece in hump_pieces(pattern)]
    return lambda name: _at_humps(pieces, name, fold(name), 0)


def at_humps_hint(pattern: str) -> NameHint:
    """What `at_humps(pattern)` asks of a name."""
    pieces = [_storable(fold(piece)) for piece in hump_pieces(pattern)]
    return NameHint(
        fragments=tuple(filter(None, pieces[:_MOST_FRAGMENTS])), check=at_humps(pattern)
    )


def _at_humps(pieces: Sequence[str], name: str, folded: str, place: int) -> bool:
    """True when each piece begins at a hump, from `place` on."""
    for piece in pieces:
        place = folded.find(piece, place)
        while place >= 0 and not _is_hump(name, place):
            place = folded.find(piece, place + 1)
        if place < 0:
            return False
        place += len(piece)
    return True


def _is_hump(name: str, place: int) -> bool:
    if place == 0:
        return True
    if is_upper(name[place]):
        # Within a run of capitals only the first and the last (`XMLHttp`: X, H) begin a word.
        after = name[place + 1 : place + 2]
        return not is_upper(name[place - 1]) or (after != "" and is_lower(after))
    return name[place - 1] in "_$"
