"""The live fallback: ask jdt.ls for one outline now, and keep it for the next call.

Starts a server for the call. Imported only when an answer goes live.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from indexer.engine import recipe_of
from indexer.errors import IndexUnusable, ServerTimeout
from indexer.javatext import decode
from indexer.jdtls.pool import outlines
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.session import Outcome, Source
from indexer.recipe import ContentKey
from indexer.store.lock import writer_lock
from indexer.store.writer import NewOutline, open_writer


def live_outline(
    runtime: Runtime, content: bytes, stem: str, time_limit: float | None = None
) -> Outcome:
    """Ask a server for the outline of `content`; `time_limit` in seconds, None: no limit.

    Raises `ServerTimeout` when time is up, and the `ServerError`s of the pool.
    """
    source = Source(0, stem, decode(content))

    async def ask() -> Outcome:
        async with asyncio.timeout(time_limit):
            answers = [outcome async for batch in outlines(runtime, [source]) for outcome in batch]
        return answers[0]

    try:
        return asyncio.run(ask())
    except TimeoutError:
        raise ServerTimeout(f"no outline within {time_limit:g} s") from None


def remember(db: str, runtime: Runtime, key: ContentKey, outcome: Outcome) -> None:
    """Store what came of a live call; an index that cannot be written now is left as it is.

    The loss of a server is not stored: a single call may have met a passing cause.
    """
    if outcome.lost:
        return
    new = NewOutline(key, outcome.unit, outcome.outline, outcome.reason or None)
    with suppress(IndexUnusable), writer_lock(db, 0, lambda: None):
        writer = open_writer(db)
        try:
            writer.save_outlines(writer.recipe(recipe_of(runtime.jdtls)), [new])
        finally:
            writer.close()
