"""Keeping what came of a live answer, for the next call. Imported while the server is at work."""

from __future__ import annotations

import contextlib

from indexer.engine import recipe_of
from indexer.errors import IndexUnusable
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.source import Outcome
from indexer.recipe import ContentKey
from indexer.store.lock import writer_lock
from indexer.store.writer import NewOutline, open_writer

_LOCK_WAIT = 0.25
"""Seconds to wait for another writer: another answer that is stored takes a hundredth."""


def remember(db: str, runtime: Runtime, key: ContentKey, outcome: Outcome) -> None:
    """Store what came of a live call; an index that cannot be written now is left as it is.

    The loss of a server is not stored: a single call may have met a passing cause.
    """
    if outcome.lost:
        return
    new = NewOutline(key, outcome.unit, outcome.outline, outcome.reason or None)
    with contextlib.suppress(IndexUnusable), writer_lock(db, _LOCK_WAIT, lambda: None):
        writer = open_writer(db)
        try:
            writer.save_outlines(writer.recipe(recipe_of(runtime.jdtls)), [new])
            writer.place_files()  # it may take the place of a failure: files have a package now
        finally:
            writer.close()
