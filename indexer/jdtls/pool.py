"""Several outline servers at work on one stream of sources; their deaths and hangs survived.

A batch whose server died or fell silent is not lost: what was sure is kept, the rest is tried file
by file on a new server, and the file that ends a server again is quarantined with the reason.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass, field
from itertools import islice

from indexer.errors import ServerDied, ServerTimeout
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.server import ServerOptions
from indexer.jdtls.session import BATCH, Outcome, Session, Source, open_session

_LOG = logging.getLogger("javadex")

MAX_DEATHS = 5
"""So many servers lost in a row without one outline between them mean that none will ever come."""


def default_servers() -> int:
    """One more than the usable cores: a server waits part of its time for its own debounce."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else 2


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """How to run a pool."""

    servers: int = field(default_factory=default_servers)
    """Most servers at a time; fewer are started when there is less work."""
    answer_timeout: float = 60.0
    """Longest silence, in seconds, of a server that owes an outline."""
    server: ServerOptions = field(default_factory=ServerOptions)


async def outlines(
    runtime: Runtime, sources: Iterable[Source], options: PoolOptions | None = None
) -> AsyncGenerator[list[Outcome], None]:
    """Yield the outcomes of `sources`, in the lists they arrive in, one for each source.

    `sources` is read as the servers need it, so it may be longer than memory. Raises
    `ServerStartFailed` when a server does not come up and `ServerDied` or `ServerTimeout` when
    servers keep ending without an outline; all that was yielded before stays valid.
    """
    pool = _Pool(runtime, sources, options or PoolOptions())
    try:
        async for outcomes in pool.run():
            yield outcomes
    finally:
        await pool.close()


class _Pool:
    def __init__(self, runtime: Runtime, sources: Iterable[Source], options: PoolOptions) -> None:
        self._runtime = runtime
        self._sources = iter(sources)
        self._options = options
        self._results: asyncio.Queue[list[Outcome]] = asyncio.Queue(maxsize=2 * options.servers)
        self._workers: set[asyncio.Task[None]] = set()
        self._deaths_in_a_row = 0

    async def run(self) -> AsyncIterator[list[Outcome]]:
        for _ in range(self._options.servers):
            batch = self._next_batch()
            if not batch:
                break
            self._workers.add(asyncio.ensure_future(self._work(batch)))
        while self._workers or not self._results.empty():
            getter = asyncio.ensure_future(self._results.get())
            try:
                await asyncio.wait({getter, *self._workers}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                answered = not getter.cancel()
            if answered:
                yield getter.result()
            for worker in [worker for worker in self._workers if worker.done()]:
                self._workers.discard(worker)
                while not self._results.empty():  # what was reached counts, even if it failed now
                    yield self._results.get_nowait()
                worker.result()

    async def close(self) -> None:
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def _next_batch(self) -> list[Source]:
        return list(islice(self._sources, BATCH))

    async def _work(self, batch: list[Source]) -> None:
        worker = _Worker(self._runtime, self._options)
        try:
            while batch:
                await self._serve(worker, batch)
                batch = self._next_batch()
        finally:
            await worker.close()

    async def _serve(self, worker: _Worker, batch: list[Source]) -> None:
        """Give every source of `batch` its outcome, through restarts if need be."""
        left = await self._attempt(worker, batch, alone=False)
        for source in left:
            await self._attempt(worker, [source], alone=True)

    async def _attempt(self, worker: _Worker, batch: list[Source], *, alone: bool) -> list[Source]:
        """Outline `batch` once; returns what is left when the server was lost over it."""
        done: list[Outcome] = []
        failure: ServerDied | ServerTimeout | None = None
        try:
            await (await worker.session()).outlines(batch, done)
        except (ServerDied, ServerTimeout) as exc:
            failure = exc
            _LOG.info("lost a server over %d files: %s", len(batch), exc)
            await worker.close()
        gained = any(outcome.outline is not None for outcome in done)
        settled = {outcome.source for outcome in done}
        left = [source for source in batch if source not in settled]
        if failure and alone:
            done.extend(Outcome(source, reason=str(failure), lost=True) for source in left)
        if done:
            await self._results.put(done)
        self._count(failure, gained)  # last: a file that was given up is not tried by a next run
        return left

    def _count(self, failure: ServerDied | ServerTimeout | None, gained: bool) -> None:
        if gained:
            self._deaths_in_a_row = 0
        if failure:
            self._deaths_in_a_row += 1
            if self._deaths_in_a_row >= MAX_DEATHS:
                raise type(failure)(
                    f"{failure} (given up after {MAX_DEATHS} servers in a row gave no outline)"
                )


class _Worker:
    """Keeps one session, and opens another when it was lost."""

    def __init__(self, runtime: Runtime, options: PoolOptions) -> None:
        self._runtime = runtime
        self._options = options
        self._session: Session | None = None

    async def session(self) -> Session:
        if self._session is None:
            started = time.monotonic()
            self._session = await open_session(
                self._runtime, self._options.server, self._options.answer_timeout
            )
            seconds = time.monotonic() - started
            _LOG.info("server %d ready after %.1f s", self._session.pid, seconds)
        return self._session

    async def close(self) -> None:
        session, self._session = self._session, None
        if session:
            await session.close()
