"""The warm server itself: an asyncio loop behind a socket, with a crew of language servers.

It ends when nobody asked for the idle time, when its socket is gone or another one's, when it is
told to, and on SIGTERM. Its language servers end with it, however it ends: the kernel kills them
with the thread that started them, which is this process' only one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

from indexer.errors import JavadexError
from indexer.files import identity
from indexer.jdtls.source import BATCH, Outcome
from indexer.temporary import temporary_folder
from indexer.warm import wire
from indexer.warm.crew import Crew
from indexer.warm.options import DaemonOptions
from indexer.warm.place import Place, is_same_user

_LOG = logging.getLogger("javadex")

_WATCH = 2.0
"""Seconds between two looks at the socket and the clock."""

_FAREWELL = 1.0
"""Seconds for a client to take the end of its answer when the connection is closed."""

_PATIENCE = 60.0
"""Seconds for a client to say what it began to say, and to take what it asked for."""


def serve(place: Place, options: DaemonOptions, listening: socket.socket) -> None:
    """Be the warm server of this user, behind an open door, until it is time to end."""
    asyncio.run(_Daemon(place, options, listening).run())


class _Caller:
    """The client that a request came from."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @property
    def is_gone(self) -> bool:
        """True when it hung up."""
        return self._reader.at_eof() or self._writer.is_closing()

    async def send(self, message: dict[str, Any]) -> None:
        """Send it a frame."""
        await _send(self._writer, message)


class _Daemon:
    def __init__(self, place: Place, options: DaemonOptions, listening: socket.socket) -> None:
        self._place = place
        self._options = options
        self._listening = listening
        self._socket = identity(place.socket)
        self._crew = Crew(options.crew)
        self._end = asyncio.Event()
        self._started = time.time()
        self._last = time.monotonic()
        self._active = 0
        self._served = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end.set)
        server = await asyncio.start_unix_server(self._accept, sock=self._listening)
        _LOG.info("warm server %d is ready, ends after %g s idle", os.getpid(), self._options.idle)
        try:
            await self._until_end()
        finally:
            self._unlink()
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._crew.close()
            _LOG.info("warm server %d ends after %d outlines", os.getpid(), self._served)

    async def _until_end(self) -> None:
        while not self._end.is_set():
            left = self._options.idle - (time.monotonic() - self._last)
            if not self._active and left <= 0:
                return
            if self._socket is None or identity(self._place.socket) != self._socket:
                _LOG.info("the socket is gone")  # nobody will ever ask again
                return
            if not os.path.isdir(temporary_folder()):
                _LOG.info("the temporary folder is gone")  # no server could be started here
                return
            with contextlib.suppress(TimeoutError):
                wait = _WATCH if self._active else min(_WATCH, max(left, 0.01))
                await asyncio.wait_for(self._end.wait(), wait)

    def _unlink(self) -> None:
        with contextlib.suppress(OSError):
            if identity(self._place.socket) == self._socket:
                os.unlink(self._place.socket)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._last = time.monotonic()  # a client that was let in has time to say what it wants
        task = asyncio.ensure_future(self._talk(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client from its greeting to its end; whatever it does harms itself only."""
        try:
            if not is_same_user(writer.get_extra_info("socket")):
                return
            await _send(writer, {"hello": wire.VERSION, "pid": os.getpid()})
            while (message := await _receive(reader)) is not None:
                async with self._counted():
                    await self._answer(message, reader, writer)
        except (ConnectionError, TimeoutError, asyncio.IncompleteReadError):
            return
        except wire.Garbled as exc:
            _LOG.info("a client was not understood: %s", exc)
        finally:
            await _closed(writer)

    @contextlib.asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        self._active += 1
        try:
            yield
        finally:
            self._active -= 1
            self._last = time.monotonic()

    async def _answer(
        self, message: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        handler = _HANDLERS.get(str(message.get("do")))
        if handler is None:
            raise wire.Garbled(f"nobody knows how to do {message.get('do')!r:.50}")
        try:
            async with _beating(writer):
                done = await handler(self, message, _Caller(reader, writer))
        except (wire.Garbled, ConnectionError, TimeoutError):
            raise
        except (JavadexError, OSError) as exc:
            await _send(writer, wire.error_json(exc))
        else:
            await _send(writer, {"done": done})

    async def outline(self, message: dict[str, Any], caller: _Caller) -> None:
        """Outline texts. A batch that was begun comes to its end even when its client goes."""
        runtime = wire.runtime_from(message.get("runtime"))
        sources = wire.sources_from(message.get("sources"))
        for first in range(0, len(sources), BATCH):
            done: list[Outcome] = []

            async def put(outcomes: list[Outcome], done: list[Outcome] = done) -> None:
                done += outcomes

            failure: JavadexError | None = None
            try:
                async with self._crew.worker(runtime) as worker:
                    if caller.is_gone:  # while it waited for the worker
                        return
                    await worker.serve(sources[first : first + BATCH], put)
            except JavadexError as exc:  # what was sure by then counts
                failure = exc
            self._served += len(done)
            # Not before the worker is free: a client that is slow to take it must not hold it.
            if done:
                await caller.send({"outcomes": [wire.outcome_json(each) for each in done]})
            if failure:
                raise failure

    async def warm(self, message: dict[str, Any], _caller: _Caller) -> None:
        """Have a language server ready."""
        async with self._crew.worker(wire.runtime_from(message.get("runtime"))) as worker:
            await worker.start()

    async def status(self, _message: dict[str, Any], _caller: _Caller) -> dict[str, Any]:
        """Say how it is."""
        return {
            "pid": os.getpid(),
            "version": wire.VERSION,
            "socket": self._place.socket,
            "startedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._started)),
            "idle": self._options.idle,
            "memory": self._options.crew.memory,
            "outlines": self._served,
            "servers": [asdict(state) for state in self._crew.states()],
        }

    async def stop(self, _message: dict[str, Any], _caller: _Caller) -> None:
        """End."""
        self._end.set()


_HANDLERS = {
    "outline": _Daemon.outline,
    "warm": _Daemon.warm,
    "status": _Daemon.status,
    "stop": _Daemon.stop,
}


async def _receive(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    """The next message, None at the end: to be silent is no offence, to stop in the middle is."""
    try:
        head = await reader.readexactly(wire.LENGTH)
    except asyncio.IncompleteReadError as exc:
        if exc.partial:
            raise
        return None
    async with asyncio.timeout(_PATIENCE):
        return wire.message_of(await reader.readexactly(wire.length_of(head)))


@contextlib.asynccontextmanager
async def _beating(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    """Let the client hear meanwhile that this server does not hang."""

    async def beat() -> None:
        while not writer.is_closing():
            await asyncio.sleep(wire.BEAT)
            if not writer.transport.get_write_buffer_size():  # else it has enough to take
                writer.write(wire.frame({"busy": True}))

    beats = asyncio.ensure_future(beat())
    try:
        yield
    finally:
        beats.cancel()


async def _closed(writer: asyncio.StreamWriter) -> None:
    """Close a connection; what a client has not taken by now it will not get."""
    writer.close()
    try:
        async with asyncio.timeout(_FAREWELL):
            await writer.wait_closed()
    except (ConnectionError, TimeoutError):
        writer.transport.abort()


async def _send(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    writer.write(wire.frame(message))
    async with asyncio.timeout(_PATIENCE):
        await writer.drain()
