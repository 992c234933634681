"""Types derived from outlines: exactly what jdt.ls' own `workspace/symbol` finds."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from contextlib import closing
from typing import Any

import pytest

from indexer.model import SymbolKind
from tests.jdtls.conftest import SYMBOL_QUERIES, Indexed, Live
from tests.jdtls.samples import PROJECTS, UNSEEN

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

Found = tuple[str, str, int, str, int]
"""Name, container, kind, sample path, line of the name (1-based)."""


def found_live(live: Live, query: str) -> set[Found]:
    return {
        (
            symbol["name"],
            symbol.get("containerName", ""),
            symbol["kind"],
            symbol["path"],
            symbol["location"]["range"]["start"]["line"] + 1,
        )
        for symbol in live.symbols[query]
    }


def found_by_us(indexed: Indexed, document: dict[str, Any]) -> set[Found]:
    return {
        (
            hit["name"],
            hit.get("container", ""),
            int(SymbolKind[hit["kind"]]),
            os.path.relpath(hit["file"], indexed.samples),
            hit["selectionRange"]["startLine"],
        )
        for hit in document["results"]
    }


def find(indexed: Indexed, query: str, *options: str) -> dict[str, Any]:
    document: dict[str, Any] = indexed.cli.json(
        "find", query, *options, "--limit", "0", "--db", indexed.db, *indexed.sample_roots
    )
    return document


@pytest.fixture(scope="module")
def all_types(indexed: Indexed) -> set[Found]:
    return found_by_us(indexed, find(indexed, "*", "--strict"))


@pytest.mark.parametrize("project", PROJECTS)
def test_types_equal_live_workspace_symbol(project: str, all_types: set[Found], live: Live) -> None:
    ours = {found for found in all_types if found[3].startswith(f"{project}/")}
    theirs = {found for found in found_live(live, "*") if found[3].startswith(f"{project}/")}
    assert theirs
    assert ours == theirs


@pytest.mark.parametrize("query", SYMBOL_QUERIES)
def test_answers_equal_live_ones(query: str, indexed: Indexed, live: Live) -> None:
    document = find(indexed, query, "--strict")
    ours, theirs = found_by_us(indexed, document), found_live(live, query)
    assert theirs, "a query without answers shows nothing"
    assert ours == theirs
    assert document["total"] == len(document["results"])


def test_document_uris_are_jdtls_own(indexed: Indexed, live: Live) -> None:
    """Percent signs, spaces and non-ASCII letters as the server writes them."""
    theirs = {
        symbol["path"].rpartition("/")[2]: symbol["location"]["uri"].rpartition("/")[2]
        for symbol in live.symbols["*"]
    }
    hits = find(indexed, "*", "--strict")["results"]
    ours = {os.path.basename(hit["file"]): hit["documentUri"].rpartition("/")[2] for hit in hits}
    assert ours == theirs
    assert any(not name.isascii() for name in ours)


def test_deprecation_equals_the_live_tag(indexed: Indexed, live: Live) -> None:
    theirs = Counter(
        (symbol["path"], symbol["name"], symbol["location"]["range"]["start"]["line"] + 1)
        for symbol in live.symbols["*"]
        if symbol.get("tags") == [1]
    )
    with closing(sqlite3.connect(indexed.db)) as connection:
        rows = connection.execute(
            "SELECT workspace || '/' || path, name, line FROM types "
            f"WHERE deprecated AND workspace IN ({','.join('?' * len(PROJECTS))})",
            PROJECTS,
        ).fetchall()
    ours = Counter(row for row in rows if row[0] not in UNSEEN)
    assert theirs
    assert set(ours) == set(theirs)


def test_types_in_unseen_files_are_found_unless_strict(
    indexed: Indexed, all_types: set[Found]
) -> None:
    hits = found_by_us(indexed, find(indexed, "*"))
    assert {found[3] for found in hits} - {found[3] for found in all_types} == set(UNSEEN)
    assert all_types <= hits
