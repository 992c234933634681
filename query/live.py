"""The live fallback: ask jdt.ls now, through the warm server or one that is started for the call.

Imported only when an answer goes live.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator, Iterable
from itertools import chain, islice

from indexer.engine import recipe_of
from indexer.errors import IndexUnusable, ServerStartFailed
from indexer.javatext import decode
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.source import Outcome, Source
from indexer.recipe import ContentKey
from indexer.store.lock import writer_lock
from indexer.store.writer import NewOutline, open_writer
from indexer.warm.client import Client, connect_or_start
from indexer.warm.options import options_from_environment

MANY = 256
"""More texts than these are faster done by servers that are started for them, side by side."""


def ask(
    runtime: Runtime, sources: Iterable[Source], time_limit: float | None = None
) -> Generator[list[Outcome], None, None]:
    """Yield the outcomes of `sources`; `time_limit` in seconds for all of it, None for no limit.

    Raises `ServerTimeout` when time is up, and the other `ServerError`s.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    rest = iter(sources)
    few = list(islice(rest, MANY + 1))
    client = _client(deadline) if len(few) <= MANY else None
    if client:
        with client:
            yield from client.outlines(runtime, few)
        return
    from indexer.jdtls.pool import stream

    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    with contextlib.closing(stream(runtime, chain(few, rest), time_limit=left)) as outcomes:
        yield from outcomes


def _client(deadline: float | None) -> Client | None:
    """The warm server, or None where there can be none: then one is started for the call."""
    options = options_from_environment()
    if options is None:
        return None
    try:
        return connect_or_start(options, deadline)
    except ServerStartFailed as exc:
        import logging

        logging.getLogger("javadex").info("no warm server: %s", exc)
        return None


def live_outline(
    runtime: Runtime, content: bytes, stem: str, time_limit: float | None = None
) -> Outcome:
    """Ask a server for the outline of `content`; `time_limit` in seconds, None: no limit.

    Raises `ServerTimeout` when time is up, and the other `ServerError`s.
    """
    with contextlib.closing(ask(runtime, [Source(0, stem, decode(content))], time_limit)) as found:
        return next(found)[0]


def remember(db: str, runtime: Runtime, key: ContentKey, outcome: Outcome) -> None:
    """Store what came of a live call; an index that cannot be written now is left as it is.

    The loss of a server is not stored: a single call may have met a passing cause.
    """
    if outcome.lost:
        return
    new = NewOutline(key, outcome.unit, outcome.outline, outcome.reason or None)
    with contextlib.suppress(IndexUnusable), writer_lock(db, 0, lambda: None):
        writer = open_writer(db)
        try:
            writer.save_outlines(writer.recipe(recipe_of(runtime.jdtls)), [new])
        finally:
            writer.close()
