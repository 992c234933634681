"""The matcher against jdt.ls' recorded answers, a slow oracle, and its own hints."""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexer.hints import NameHint, QualHint
from indexer.javachars import (
    capitals,
    fold,
    initials,
    is_identifier_part,
    is_identifier_start,
    is_lower,
    is_upper,
    java_trim,
    units,
)
from query.match import compile_method_query, compile_query

DATA = Path(__file__).parent / "data" / "matching"

# --- recorded answers -------------------------------------------------------------------------


@cache
def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def place(entry: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(entry[key] for key in ("name", "path", "line", "col", "container"))


def qualification(entry: dict[str, Any]) -> str:
    """docs/matching.md 1: the leading dot of a type nested in no package is meant."""
    return ".".join([entry["declaredPackage"], *entry["enclosing"]])


def test_types_as_recorded() -> None:
    wrong, vectors = [], recorded("vectors.jsonl")
    for vector in vectors:
        query = compile_query(vector["query"], strict=True)
        found = {
            place(entry)
            for entry in recorded("types_corpus.jsonl")
            if query and query.matches(entry["name"], qualification(entry))
        }
        if found != set(map(place, vector["results"])):
            wrong.append(vector["query"])
    assert wrong == []
    assert len(vectors) == 770


def test_methods_as_recorded() -> None:
    wrong, vectors = [], recorded("vectors_methods.jsonl")
    every = {place(method) for vector in vectors for method in vector["methods"]}
    for vector in vectors:
        query = compile_method_query(vector["query"], strict=True)
        found = {method for method in every if query and query.matches(method[0])}
        if found != set(map(place, vector["methods"])):
            wrong.append(vector["query"])
    assert wrong == []
    assert len(vectors) == 845


# --- a slow oracle, written down from docs/matching.md 2 to 4 ----------------------------------


def slow_glob(pattern: str, text: str) -> bool:
    pattern, text = fold(units(pattern)), fold(units(text))
    at, here, star, mark = 0, 0, -1, 0
    while here < len(text):
        unit = pattern[at : at + 1]
        if unit == "*":
            at, star, mark = at + 1, at + 1, here
            if star == len(pattern):
                return True
        elif unit in {"?", text[here]}:
            at, here = at + 1, here + 1
        elif star < 0:
            return False
        else:
            mark += 1
            at, here = star, mark
    if star < 0 and pattern[at : at + 1] == "*":  # the first star needs no unit to be entered
        at = star = at + 1
    return at == len(pattern) or star == len(pattern) or pattern[at:] == "*"


def slow_camel(pattern: str, name: str) -> bool:
    if pattern[0] != name[:1]:
        return False
    here = 1
    for unit in pattern[1:]:
        if name[here : here + 1] != unit:
            surrogate = "\ud800" <= unit <= "\udfff"
            if not (is_upper(unit) or unit in "0123456789" or surrogate):
                return False
            while name[here : here + 1] != unit:
                if here >= len(name) or is_upper(name[here]) or not is_identifier_part(name[here]):
                    return False
                here += 1
        here += 1
    return True


def slow_type(query: str, name: str, qual: str) -> bool:
    text = java_trim(query)
    q, dot, n = text.rpartition(".")
    if not dot:
        q, n = "*", text
        for at in range(len(text) - 1, 0, -1):
            if is_lower(text[at - 1]) and is_upper(text[at]):
                n = n[:at] + "*" + n[at:]
        n = n if n == text else f"*{n}*"
    elif not set("*?") & set(q):
        q = f"*{q}*"
    return (n != "" and slow_glob(q, qual) and slow_name(n, name)) or slow_glob(text, qual)


def slow_name(pattern: str, name: str) -> bool:
    if set("*?") & set(pattern):
        return slow_glob(pattern, name)
    pattern, name = units(pattern), units(name)
    usable = is_identifier_start(pattern[0]) and all(map(is_identifier_part, pattern))
    humps = sum(map(is_upper, pattern)) - is_upper(pattern[0]) >= 1
    return fold(name).startswith(fold(pattern)) or (usable and humps and slow_camel(pattern, name))


# --- names and queries near to them -------------------------------------------------------------

PARTS = ["a", "b", "A", "B", "Ab", "É", "é", "1", "2", "٣", "_", "$", "ǅ", "名", "İ", "𝐀", "𝐁"]
NAMES = st.lists(st.sampled_from(PARTS), min_size=1, max_size=7).map("".join)
QUALS = st.lists(NAMES | st.just(""), max_size=3).map(".".join)
NOISE = st.sampled_from(["*", "**", "***", "?", ".", "", " ", "\ud835", "\udc00", *PARTS])


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, str, str]:
    """A query, a name and a qualification; the query is often cut from the other two."""
    name, qual = draw(NAMES), draw(QUALS)
    source = draw(st.sampled_from([name, f"{qual}.{name}", qual, capitals(name), name.swapcase()]))
    pieces: list[str] = []
    for char in source:
        choice = draw(st.integers(0, 9))
        pieces += [char] if choice < 7 else [draw(NOISE)] if choice < 9 else []
    pieces += draw(st.lists(NOISE, max_size=2))
    return "".join(pieces), name, qual


@given(cases())
@settings(max_examples=400, deadline=None)
@example(("a***", "a", ""))
@example(("*a**", "a", "a"))
@example(("x.A1B", "A2b1cB", "x"))
@example(("x.A1B", "Aé1B", "x"))
@example(("x.A𝐀B", "A𝐀B", "x"))
def test_agrees_with_the_oracle(case: tuple[str, str, str]) -> None:
    text, name, qual = case
    query = compile_query(text, strict=True)
    if query is not None:
        assert query.matches(name, qual) == slow_type(text, name, qual)


# --- hints ----------------------------------------------------------------------------------------


def admits(hint: NameHint | QualHint, text: str) -> bool:
    """What a hint asks, as a store asks it of its columns."""
    texts = (hint.prefix, *hint.fragments, hint.suffix)
    "".join(texts).encode("utf-8")  # a store could not be asked for lone surrogates
    if isinstance(hint, NameHint) and not initials(text).startswith(hint.initials):
        return False
    if hint.check and not hint.check(text):
        return False
    return _has_in_order(fold(text), hint)


def _has_in_order(folded: str, hint: NameHint | QualHint) -> bool:
    if hint.exact:
        return folded == hint.prefix
    if not folded.startswith(hint.prefix):
        return False
    at = len(hint.prefix)
    for fragment in hint.fragments:
        found = folded.find(fragment, at)
        if found < 0:
            return False
        at = found + len(fragment)
    return folded.endswith(hint.suffix) and len(folded) - len(hint.suffix) >= at


@given(cases(), st.booleans())
@settings(max_examples=400, deadline=None)
@example(("\ud835*", "𝐀b", "𝐀"), True)
@example(("?\udc00*a", "𝐀ba", "𝐀a"), True)
@example(("a\ud835", "a𝐀", ""), True)
@example(("*a**", "a", "x"), True)
@example(("*ab", "ab", "x"), False)
@example(("a*ba", "aba", "x"), False)
@example(("*rder\0x", "Border", "x"), True)
@example(("*.Order\0z*", "Order", "x"), False)
def test_hints_ask_what_the_query_asks(case: tuple[str, str, str], strict: bool) -> None:
    """The store counts by the hints alone, so they must be neither wider nor narrower."""
    text, name, qual = case
    query = compile_query(text, strict=strict)
    if query:
        by_name = any(admits(hint, name) for hint in query.name_hints)
        assert by_name == query.matches_name(name)
        assert admits(query.qualifier_hint, qual) == query.matches_qualifier(qual)
        assert admits(query.qualification_hint, qual) == query.matches_qualification(qual)
    methods = compile_method_query(text, strict=strict)
    if methods:
        assert any(admits(hint, name) for hint in methods.name_hints) == methods.matches(name)


def test_hints_are_data_where_they_can_be() -> None:
    def hints(text: str) -> list[NameHint]:
        query = compile_query(text)
        assert query is not None
        return [hint._replace(check=None) for hint in query.name_hints if not hint.check] + [
            hint._replace(check=None) for hint in query.name_hints if hint.check
        ]

    def checked(text: str) -> int:
        query = compile_query(text)
        assert query is not None
        return sum(hint.check is not None for hint in query.name_hints)

    assert hints("hash") == [NameHint(prefix="hash")]
    assert hints("NPE") == [NameHint(prefix="npe"), NameHint(initials="NPE")]
    assert hints("x.HaMap")[1] == NameHint(prefix="ha", initials="HM")
    assert hints("HashMap") == [NameHint(fragments=("hash", "map"))]
    assert hints("*Map") == [NameHint(suffix="map")]
    assert hints("Hash*M?p") == [NameHint(prefix="hash", fragments=("m",), suffix="p")]
    assert hints("a.b.") == []
    texts = ("hash", "HashMap", "*Map", "a.*", "NPE", "Hash*M?p")
    assert list(map(checked, texts)) == [0, 0, 0, 0, 0, 1]


# --- the repair, and odd input --------------------------------------------------------------------


@given(cases())
@settings(max_examples=200, deadline=None)
def test_lenient_only_adds(case: tuple[str, str, str]) -> None:
    text, name, qual = case
    strict, lenient = compile_query(text, strict=True), compile_query(text)
    if strict and lenient and strict.matches(name, qual):
        assert lenient.matches(name, qual)


@pytest.mark.parametrize(
    ("text", "name"), [("HashMap*", "HashMap"), ("a***", "a"), ("x.*Ab**", "Ab")]
)
def test_own_trailing_star_keeps_the_exact_name(text: str, name: str) -> None:
    strict, lenient = compile_query(text, strict=True), compile_query(text)
    assert strict
    assert not strict.matches(name, "x")
    assert lenient
    assert lenient.matches(name, "x")


@pytest.mark.parametrize("text", ["", " \t\n", "\u2003", "\x1c"])
def test_blank(text: str) -> None:
    assert compile_query(text) is None
    assert compile_method_query(text) is None


def test_a_method_may_jump_to_a_pair() -> None:
    query = compile_method_query("a𝐀")
    assert query
    assert query.matches("abc𝐀")
    assert not query.matches("aB𝐀")


@pytest.mark.parametrize("unit", ["*a", "*?a", "A", "aB", "a.", "?", "*?", "x.AB", "É", "\ud835"])
def test_a_huge_query_is_bounded(unit: str) -> None:
    started = time.perf_counter()
    query = compile_query(unit * 5000)
    assert query
    for name in ("a" * 5000, "aB" * 5000, "É" * 5000):
        query.matches(name, name)
    assert time.perf_counter() - started < 5
