"""The language servers that are kept ready: as many as the memory allows, for any engine."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from indexer.jdtls.pool import Losses, PoolOptions, Worker
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.server import ServerOptions
from indexer.warm.options import CrewOptions

_PATIENCE = 1.0
"""Seconds to wait for a busy server before another one is started: most answers take a tenth."""


@dataclass(frozen=True, slots=True)
class ServerState:
    """One server, for people."""

    engine: str
    java: str
    pid: int | None
    """None while it is starting."""
    busy: bool
    memory: int
    """MB resident; 0 where the system does not tell."""


@dataclass(slots=True)
class _Seat:
    worker: Worker
    busy: bool = False
    last: int = field(default=0)
    """Grows with each use: the one with the smallest gives way to another engine."""


class Crew:
    """Lends workers to requests, one request at a time, and ends them all."""

    def __init__(self, options: CrewOptions) -> None:
        self._options = options
        self._seats: list[_Seat] = []
        self._changed = asyncio.Condition()
        self._uses = 0

    @contextlib.asynccontextmanager
    async def worker(self, runtime: Runtime) -> AsyncIterator[Worker]:
        """Lend a worker for `runtime`; its server may still have to be started."""
        seat = await self._take(runtime)
        try:
            yield seat.worker
        except BaseException:
            await seat.worker.close()  # who knows what it was in the middle of
            raise
        finally:
            if memory_of(seat.worker.pid) > self._options.share:
                await seat.worker.close()
            await self._give_back(seat)

    def states(self) -> list[ServerState]:
        """What the servers are doing."""
        return [
            ServerState(
                f"jdt.ls {seat.worker.runtime.jdtls.version}",
                seat.worker.runtime.java.executable,
                seat.worker.pid,
                seat.busy,
                memory_of(seat.worker.pid),
            )
            for seat in self._seats
        ]

    async def close(self) -> None:
        """End all servers."""
        seats, self._seats = self._seats, []
        for seat in seats:
            await seat.worker.close()

    async def _take(self, runtime: Runtime) -> _Seat:
        patient = True
        async with self._changed:
            while True:
                own = [seat for seat in self._seats if seat.worker.runtime == runtime]
                seat = next((each for each in own if not each.busy), None)
                if seat is None and not (own and patient):
                    seat = await self._new_seat(runtime)
                if seat:
                    self._uses += 1
                    seat.busy, seat.last = True, self._uses
                    return seat
                try:
                    await asyncio.wait_for(self._changed.wait(), _PATIENCE)
                except TimeoutError:
                    patient = False

    async def _new_seat(self, runtime: Runtime) -> _Seat | None:
        """A seat for another server, at the cost of an idle one of another engine if need be."""
        if len(self._seats) >= self._options.most:
            idle = [seat for seat in self._seats if not seat.busy]
            if not idle:
                return None
            oldest = min(idle, key=lambda seat: seat.last)
            self._seats.remove(oldest)
            await oldest.worker.close()
        seat = _Seat(Worker(runtime, self._pool_options(), Losses()))
        self._seats.append(seat)
        return seat

    def _pool_options(self) -> PoolOptions:
        server = ServerOptions(f"{self._options.heap}m", self._options.start_timeout)
        return PoolOptions(answer_timeout=self._options.answer_timeout, server=server)

    async def _give_back(self, seat: _Seat) -> None:
        async with self._changed:
            seat.busy = False
            if seat.worker.pid is None and seat in self._seats:
                self._seats.remove(seat)
            self._changed.notify_all()


def memory_of(pid: int | None) -> int:
    """MB that are resident of a process; 0 for none, and where the system does not tell."""
    on_linux: bool = sys.platform == "linux"
    if pid is None or not on_linux:
        return 0
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) // 1024
    except (OSError, ValueError, IndexError):
        pass
    return 0
