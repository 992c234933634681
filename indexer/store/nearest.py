"""The index that a question is for when nobody names a folder: the nearest one."""

from __future__ import annotations

import os
from collections.abc import Sequence

from indexer.errors import IndexUnusable
from indexer.files import Root
from indexer.store.location import default_db, repository
from indexer.store.reader import Reader, open_reader


def nearest_db(folder: str) -> str:
    """Return the index for a question asked in `folder`: its own, or one of a folder around it.

    In a repository that is the repository's. Elsewhere it is the nearest one with a workspace
    folder; one that only keeps live outlines does not count.
    """
    own = default_db(folder)
    if repository(folder):
        return own
    while True:
        db, parent = default_db(folder), os.path.dirname(folder)
        if os.path.exists(db) and _has_workspace(db):
            return db
        if parent == folder:
            return own
        folder = parent


def widened(roots: Sequence[Root], reader: Reader) -> tuple[Root, ...]:
    """Return `roots`, which nobody named, each with an indexed folder around it in its place.

    Not for the folders of an index from elsewhere: it would say what the workspace is.
    """
    if not reader.is_made_here:
        return tuple(roots)
    indexed = [workspace.root for workspace in reader.workspaces()]
    return tuple(around(root, indexed) for root in roots)


def around(root: Root, indexed: Sequence[str]) -> Root:
    """Return the innermost of the `indexed` folders at or above `root`, else `root`."""
    outer = [path for path in indexed if f"{root.path}/".startswith(path.rstrip("/") + "/")]
    nearest = max(outer, key=len, default=root.path)
    return root if nearest == root.path else Root(nearest, os.path.basename(nearest))


def _has_workspace(db: str) -> bool:
    try:
        reader = open_reader(db)
    except IndexUnusable:
        return True  # whoever opens it says what is wrong with it
    try:
        return bool(reader.workspaces())
    finally:
        reader.close()
