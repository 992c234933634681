"""The recorded queries of the matching corpus, replayed on an index that jdt.ls' outlines made."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from indexer.model import SymbolKind
from tests.jdtls.conftest import Indexed
from tests.jdtls.samples import CORPUS

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

VECTORS = [
    json.loads(line) for line in (CORPUS.parent / "vectors.jsonl").read_text("utf-8").splitlines()
]

Found = tuple[str, str, int, str, int]


def recorded(vector: dict[str, Any]) -> set[Found]:
    return {
        (hit["name"], hit["container"], hit["kind"], hit["path"], hit["line"] + 1)
        for hit in vector["results"]
    }


def answered(indexed: Indexed, document: dict[str, Any]) -> set[Found]:
    return {
        (
            hit["name"],
            hit.get("container", ""),
            int(SymbolKind[hit["kind"]]),
            os.path.relpath(hit["file"], indexed.corpus),
            hit["selectionRange"]["startLine"],
        )
        for hit in document.get("results", ())
    }


def replay(indexed: Indexed, *options: str) -> list[set[Found]]:
    """The answers to all recorded queries, asked in one process where they fit on a line."""
    options = (*options, "--limit", "0", "--db", str(indexed.db), "--root", str(indexed.corpus))
    one_line = [vector["query"] for vector in VECTORS if fits_on_a_line(vector["query"])]
    documents = iter(indexed.cli.batch("find", one_line, *options))
    return [
        answered(
            indexed,
            next(documents) if fits_on_a_line(vector["query"]) else alone(indexed, vector, options),
        )
        for vector in VECTORS
    ]


def fits_on_a_line(query: str) -> bool:
    return query.splitlines() in ([], [query])


def alone(indexed: Indexed, vector: dict[str, Any], options: tuple[str, ...]) -> dict[str, Any]:
    """The answer to a query with a line end in it."""
    query = vector["query"]
    code = 2 if not query.strip() else 0 if vector["results"] else 1
    document: dict[str, Any] = indexed.cli.json("find", query, *options, exits_with=code)
    return document


def test_strict_answers_equal_the_recorded_ones(indexed: Indexed) -> None:
    different = {
        vector["query"]: sorted(answer ^ recorded(vector))
        for vector, answer in zip(VECTORS, replay(indexed, "--strict"), strict=True)
        if answer != recorded(vector)
    }
    assert len(VECTORS) == 770
    assert different == {}


def test_ordinary_answers_hold_all_recorded_ones(indexed: Indexed) -> None:
    """Whoever asks without --strict misses nothing that jdt.ls would find."""
    missing = {
        vector["query"]: sorted(recorded(vector) - answer)
        for vector, answer in zip(VECTORS, replay(indexed), strict=True)
        if not recorded(vector) <= answer
    }
    assert missing == {}


DECLARED_TWICE = "src/acme/fmt/Errors.java"
"""jdt.ls gives the place of the first declaration for both, and drops what only the second has."""


def test_ordinary_answers_add_nothing_elsewhere(indexed: Indexed) -> None:
    """Without --strict only a trailing star, or an answer that would be empty, adds types."""
    for vector, answer in zip(VECTORS, replay(indexed), strict=True):
        live = recorded(vector)
        if live and not vector["query"].rstrip().endswith("*"):
            more = {found for found in answer - live if found[3] != DECLARED_TWICE}
            assert more == set(), vector["query"]


def test_deprecation_equals_the_recorded_tag(indexed: Indexed) -> None:
    (everything,) = (vector for vector in VECTORS if vector["query"] == "*")
    theirs = {
        (hit["path"], hit["name"], hit["line"] + 1)
        for hit in everything["results"]
        if hit.get("tags") == [1]
    }
    with closing(sqlite3.connect(indexed.db)) as connection:
        rows = connection.execute(
            "SELECT path, name, line FROM types WHERE deprecated AND workspace = 'corpus'"
        ).fetchall()
    assert theirs
    assert set(rows) == theirs
