"""The live fallback: ask jdt.ls now, through the warm server or one that is started for the call.

Imported only when an answer goes live.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator, Hashable, Iterable
from itertools import chain, islice

from indexer.errors import ServerDied, ServerHangs, ServerStartFailed, ServerTimeout
from indexer.javatext import decode
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.source import Outcome, Source
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
        told = set[Hashable]()
        try:
            with client:
                for found in client.outlines(runtime, few, _get_ready_to_remember):
                    told.update(outcome.source.key for outcome in found)
                    yield found
            return
        except ServerHangs as exc:
            _note(exc)
            few = [source for source in few if source.key not in told]
    from indexer.jdtls.pool import stream

    left = None if deadline is None else deadline - time.monotonic()
    if left is not None and left <= 0:
        raise ServerTimeout(
            "the warm server did not answer in time, it may be starting; call again"
        )
    with contextlib.closing(stream(runtime, chain(few, rest), time_limit=left)) as outcomes:
        yield from outcomes


def _get_ready_to_remember() -> None:
    """Load what storing the answer takes: as long as a warm server takes for it."""
    import query.remember  # noqa: F401


def _client(deadline: float | None) -> Client | None:
    """The warm server, or None where there can be none: then one is started for the call."""
    options = options_from_environment()
    if options is None:
        return None
    try:
        return connect_or_start(options, deadline)
    except ServerStartFailed as exc:
        _note(exc)
        return None


def _note(failure: ServerStartFailed) -> None:
    import logging

    logging.getLogger("javadex").info("no warm server: %s", failure)


def live_outline(
    runtime: Runtime, content: bytes, stem: str, time_limit: float | None = None
) -> Outcome:
    """Ask a server for the outline of `content`; `time_limit` in seconds, None: no limit.

    Raises `ServerTimeout` when time is up, and the other `ServerError`s.
    """
    with contextlib.closing(ask(runtime, [Source(0, stem, decode(content))], time_limit)) as found:
        for outcomes in found:
            return outcomes[0]
    raise ServerDied("the language server gave no answer; call again")
