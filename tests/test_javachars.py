"""Java's view of characters: case, identifiers, units, the names jdt.ls skips."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.javachars import (
    capitals,
    fold,
    initials,
    is_identifier_part,
    is_identifier_start,
    is_lower,
    is_passed_over,
    is_upper,
    is_valid_package_segment,
    is_valid_unit_name,
    is_whitespace,
    java_trim,
    joined,
    units,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("HashMap2", "hashmap2"),
        ("ÉÄ", "éä"),
        ("İstanbul", "istanbul"),  # one unit stays one unit
        ("ΣΑΣ", "σασ"),  # no final sigma
        ("ßς", "ßς"),
        ("ǅ", "ǆ"),
        ("𝐀A𐐀", "𝐀a𐐀"),  # a unit of a pair has no case
        ("\ud835A", "\ud835a"),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(st.characters()))
def test_fold_keeps_length_and_can_be_stored(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)
    stored = joined(units(text))
    assert units(stored) == units(text)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_units_split_what_joined_joins(text: str) -> None:
    assert len(units(text)) == len(text.encode("utf-16-le")) // 2
    assert joined(units(text)) == text


@pytest.mark.parametrize(
    ("name", "expected"),
    [("HashMap", "HM"), ("aB", "B"), ("été", ""), ("ÉcoleⅧǅ", "ÉⅧ"), ("𝐀Math", "M"), ("", "")],
)
def test_capitals(name: str, expected: str) -> None:
    assert capitals(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("HashMap2", "HM"),
        ("aB_C$D1", "aBCD"),
        ("éB名Ⅷ", "éBⅧ"),
        ("A𐀀b", "A𐀀"),
        ("\x01A", "\x01A"),
        ("", ""),
    ],
)
def test_initials(name: str, expected: str) -> None:
    assert initials(name) == expected


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_names_take_a_shorter_way_to_the_same(name: str) -> None:
    assert capitals(name) == "".join(filter(is_upper, name))
    assert initials(name) == name[:1] + "".join(c for c in name[1:] if not is_passed_over(c))


def test_character_classes() -> None:
    assert [c for c in "aAªǅⅧⅷ𝐀1_\ud835" if is_upper(c)] == ["A", "Ⅷ"]
    assert [c for c in "aAªǅⅧⅷ𝐚1_\ud835" if is_lower(c)] == ["a", "ª", "ⅷ"]
    assert [c for c in "a$_€‿名Ⅷ1٣.- \u0301\x00\ud835" if is_identifier_start(c)] == list(
        "a$_€‿名Ⅷ"
    )
    assert [c for c in "a1٣\u0301\u200b\x00\x80.-\u00a0\ud835" if is_identifier_part(c)] == list(
        "a1٣\u0301\u200b\x00\x80"
    )
    blank = " \t\n\x0b\x1c\u2003\u2028\u3000"
    assert [c for c in blank + "\x85\xa0\u2007\u202f\u200b\x01a" if is_whitespace(c)] == list(blank)
    assert java_trim("\x01 \tFoo\u00a0 \x00") == "Foo\u00a0"


@pytest.mark.parametrize("stem", ["Foo", "package-info", "record", "_", "$", "été", "𝐀Math"])
def test_files_that_are_read(stem: str) -> None:
    assert is_valid_unit_name(stem)


@pytest.mark.parametrize(
    "stem", ["my-file", "1st", "foo.bar", "class", "With Space", "", "module-info", "null"]
)
def test_files_that_are_skipped(stem: str) -> None:
    assert not is_valid_unit_name(stem)


def test_package_segments() -> None:
    kept = ["record", "_", "Upper", "été"]
    skipped = ["bad-dir", "2num", ".hid", "META-INF", "int", "enum", "a b"]
    assert [name for name in kept + skipped if is_valid_package_segment(name)] == kept


def test_ascii_never_loads_the_unicode_database() -> None:
    code = (
        "import sys; from query.match import compile_query; from query.rank import closeness;"
        "q = compile_query('a.HashMa'); assert q and q.matches('HashMap', 'a');"
        "closeness(q, 'HashMap'); sys.exit('unicodedata' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
