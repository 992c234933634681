"""Several outline servers at work on one stream of sources; their deaths and hangs survived.

A batch whose server died or fell silent is not lost: what was sure is kept, the rest is tried file
by file on a new server, and the file that ends a server again is quarantined with the reason.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
)
from dataclasses import dataclass, field
from itertools import islice

from indexer.errors import ServerDied, ServerTimeout
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.server import ServerOptions
from indexer.jdtls.session import Session, open_session
from indexer.jdtls.source import BATCH, Outcome, Source

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


def stream(
    runtime: Runtime,
    sources: Iterable[Source],
    options: PoolOptions | None = None,
    time_limit: float | None = None,
) -> Generator[list[Outcome], None, None]:
    """`outlines` for callers without a loop; `time_limit` in seconds for all of it.

    Raises `ServerTimeout` when time is up, besides what `outlines` raises. Close it when done, so
    that no server outlives an early end.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit

    async def following() -> list[Outcome] | None:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        async with asyncio.timeout(left):
            return await anext(answers, None)

    with asyncio.Runner() as runner:
        answers = outlines(runtime, sources, options)
        try:
            while (outcomes := runner.run(following())) is not None:
                yield outcomes
        except TimeoutError:
            raise ServerTimeout(
                f"not all outlines came within {time_limit:g} s; those that did are kept"
            ) from None
        finally:
            runner.run(_closed(answers))


async def _closed(answers: AsyncGenerator[list[Outcome], None]) -> None:
    await answers.aclose()


class _Pool:
    def __init__(self, runtime: Runtime, sources: Iterable[Source], options: PoolOptions) -> None:
        self._runtime = runtime
        self._sources = iter(sources)
        self._options = options
        self._results: asyncio.Queue[list[Outcome]] = asyncio.Queue(maxsize=2 * options.servers)
        self._workers: set[asyncio.Task[None]] = set()
        self._losses = Losses()

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
        worker = Worker(self._runtime, self._options, self._losses)
        try:
            while batch:
                await worker.serve(batch, self._results.put)
                batch = self._next_batch()
        finally:
            await worker.close()


class Losses:
    """Counts servers that were lost in a row without one outline between them."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def count(self, failure: ServerDied | ServerTimeout | None, *, gained: bool) -> None:
        """Note how an attempt went; raises `failure` when it was the last that may be lost."""
        if gained:
            self._in_a_row = 0
        if failure:
            self._in_a_row += 1
            if self._in_a_row >= MAX_DEATHS:
                raise type(failure)(
                    f"{failure} (given up after {MAX_DEATHS} servers in a row gave no outline)"
                )


class Worker:
    """Keeps one session, and opens another when it was lost. Use it from one task at a time."""

    def __init__(self, runtime: Runtime, options: PoolOptions, losses: Losses) -> None:
        self.runtime = runtime
        self._options = options
        self._losses = losses
        self._session: Session | None = None

    @property
    def pid(self) -> int | None:
        """Process id of the server, None while there is none."""
        return self._session.pid if self._session else None

    async def start(self) -> None:
        """Open the session, if there is none; raises `ServerStartFailed`."""
        if self._session is None:
            started = time.monotonic()
            self._session = await open_session(
                self.runtime, self._options.server, self._options.answer_timeout
            )
            seconds = time.monotonic() - started
            _LOG.info("server %d ready after %.1f s", self._session.pid, seconds)

    async def close(self) -> None:
        """End the server, if there is one."""
        session, self._session = self._session, None
        if session:
            await session.close()

    async def serve(
        self, batch: list[Source], put: Callable[[list[Outcome]], Awaitable[None]]
    ) -> None:
        """Give every source of `batch` its outcome, through restarts if need be.

        Raises `ServerStartFailed`, and what `Losses.count` raises.
        """
        left = await self._attempt(batch, put, alone=False)
        for source in left:
            await self._attempt([source], put, alone=True)

    async def _attempt(
        self,
        batch: list[Source],
        put: Callable[[list[Outcome]], Awaitable[None]],
        *,
        alone: bool,
    ) -> list[Source]:
        """Outline `batch` once; returns what is left when the server was lost over it."""
        done: list[Outcome] = []
        failure: ServerDied | ServerTimeout | None = None
        await self.start()
        assert self._session
        try:
            await self._session.outlines(batch, done)
        except (ServerDied, ServerTimeout) as exc:
            failure = exc
            _LOG.info("lost a server over %d files: %s", len(batch), exc)
            await self.close()
        gained = any(outcome.outline is not None for outcome in done)
        settled = {outcome.source for outcome in done}
        left = [source for source in batch if source not in settled]
        if failure and alone:
            done.extend(Outcome(source, reason=str(failure), lost=True) for source in left)
        if done:
            await put(done)
        # Last: a file that was given up is not tried by a next run.
        self._losses.count(failure, gained=gained)
        return left
