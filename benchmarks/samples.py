"""What the benchmarks of `find` take from an index: its outlines, and the humps of names.

Reads through `Reader` only, so it holds whatever the tables look like.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from indexer.files import Root
from indexer.javatext import stem_of
from indexer.model import Outline
from indexer.recipe import ContentKey
from indexer.store.reader import open_reader

_HUMP = re.compile(r"[A-Z]+(?![a-z])[^A-Z]*|[A-Z][^A-Z]*|[^A-Z]+")


def humps(name: str) -> list[str]:
    """`HTTPServer2` cut into `HTTP`, `Server2`: where a word begins, as a reader sees it."""
    return _HUMP.findall(name)


def roots_in(db: str) -> tuple[Root, ...]:
    """Return the workspace folders of the index. Raises `IndexUnusable`."""
    reader = open_reader(db)
    try:
        return tuple(Root(workspace.root, workspace.name) for workspace in reader.workspaces())
    finally:
        reader.close()


def types_in(db: str) -> int:
    """Return how many types the index holds, over all its workspace folders."""
    reader = open_reader(db)
    try:
        return sum(reader.counts(workspace.id)[1] for workspace in reader.workspaces())
    finally:
        reader.close()


def outlines_in(db: str, files: int | None = None, seed: int = 1) -> Iterator[Outline]:
    """Yield the outlines of the index, by root and path; of `files` drawn by `seed`, if given.

    Each file has the same chance, and so has each type in them.
    """
    reader = open_reader(db)
    try:
        rows = [
            (workspace.recipe, row)
            for workspace in reader.workspaces()
            for row in reader.files(workspace.id)
            if row.digest is not None and not row.failure
        ]
        if files is not None and files < len(rows):
            rows = random.Random(seed).sample(rows, files)
        for recipe, row in rows:
            assert row.digest is not None
            key = ContentKey(row.digest, row.stat.size)
            stored = reader.outline(key, stem_of(row.path), recipe)
            if stored:
                yield stored.outline
    finally:
        reader.close()
