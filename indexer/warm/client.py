"""The side of the warm server's callers: connect, start one where there is none, ask. Light.

No asyncio, no LSP: a call that goes live has 150 ms for all it does.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import Any

from indexer.errors import ServerDied, ServerHangs, ServerStartFailed, ServerTimeout
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.source import BATCH, Outcome, Source
from indexer.warm import wire
from indexer.warm.options import DaemonOptions
from indexer.warm.place import Place, is_same_user, is_supported, peer, place

START = 15.0
"""Seconds for the warm server's own process to come up; its language servers take their time."""

_STEP = 0.02
"""Seconds between two tries to connect while another process starts a server."""

_GREETING = 5.0
"""Seconds for a server to greet; it may have to load its modules first."""

_CONNECTING = 2.0
"""Seconds for the system to connect: only a server that hangs lets its callers pile up."""

_SILENCE = 30.0
"""Seconds without a word, where there is no deadline: many times `wire.BEAT`, as machines swap."""

_MOST_BYTES = 16 * 1024 * 1024
"""Characters of the texts of one request."""


class Client:
    """A connection to the warm server. Use as a context manager.

    Every wait ends at `deadline`, a time of `time.monotonic()`, with a `ServerTimeout`. Without
    one, it lasts as long as the server shows signs of life, and ends with `ServerHangs`.
    """

    def __init__(self, connection: socket.socket, deadline: float | None) -> None:
        self._connection = connection
        self._deadline = deadline

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def hello(self) -> str:
        """Return the version of the server, as it greets.

        Raises `ServerHangs` when it does not.
        """
        until, patience = self._deadline, time.monotonic() + _GREETING
        self._deadline = patience if until is None else min(until, patience)
        try:
            return str(self._receive().get("hello"))
        except ServerTimeout:
            raise ServerHangs(
                f"{self._name()} does not greet in time; end it, if it hangs"
            ) from None
        finally:
            self._deadline = until

    def greets(self) -> bool:
        """Hear the greeting; False for one of another javadex. Closes itself when it raises."""
        try:
            return self.hello() == wire.VERSION
        except BaseException:
            self.__exit__()
            raise

    def outlines(
        self,
        runtime: Runtime,
        sources: Iterable[Source],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Generator[list[Outcome], None, None]:
        """Yield the outcomes of `sources`, in the lists they come in.

        `meanwhile` is called when the server is at work, for what would have to be done later.
        Raises the `ServerError` that ended it.
        """
        for batch in _requests(sources):
            self._send(
                {
                    "do": "outline",
                    "runtime": wire.runtime_json(runtime),
                    "sources": wire.sources_json(batch),
                }
            )
            meanwhile()
            while "done" not in (message := self._receive()):
                found = message.get("outcomes")
                if not isinstance(found, list):
                    raise wire.Garbled(f"the warm server answers {message!r:.100}")
                yield [wire.outcome_from(each, batch) for each in found]

    def do(self, what: str, **more: Any) -> Any:
        """Have the server do `warm`, `status` or `stop`, and return what it says."""
        self._send({"do": what, **more})
        return self._receive().get("done")

    def _send(self, message: dict[str, Any]) -> None:
        with self._bounded():
            self._connection.sendall(wire.frame(message))

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = {"busy": True}
        while "busy" in message:
            with self._bounded():
                head = self._exactly(wire.LENGTH)
                message = wire.message_of(self._exactly(wire.length_of(head)))
        if "error" in message:
            raise wire.error_from(message)
        return message

    def _exactly(self, count: int) -> bytes:
        parts = []
        while count:
            part = self._connection.recv(min(count, 1 << 20))
            if not part:
                raise ServerDied("the warm server ended during the call; call again")
            parts.append(part)
            count -= len(part)
            self._set_timeout()
        return b"".join(parts)

    def _set_timeout(self) -> None:
        left = _left(self._deadline)
        self._connection.settimeout(_SILENCE if left is None else left)

    def _name(self) -> str:
        found = peer(self._connection)
        return f"the warm server (pid {found.pid})" if found else "the warm server"

    @contextlib.contextmanager
    def _bounded(self) -> Iterator[None]:
        try:
            self._set_timeout()
            yield
        except TimeoutError:
            if self._deadline is None:
                raise ServerHangs(
                    f"{self._name()} has been silent for {_SILENCE:g} s; end it, if it hangs"
                ) from None
            raise ServerTimeout(
                "the language server did not answer in time; it goes on in the background, so "
                "call again, or wait longer with --live-timeout"
            ) from None
        except OSError as exc:
            raise ServerDied(f"the warm server ended during the call ({exc}); call again") from exc


def _left(deadline: float | None) -> float | None:
    """Seconds until `deadline`, None for no limit; raises `TimeoutError` when it has passed."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def connect(deadline: float | None = None, *, of_any_version: bool = False) -> Client | None:
    """Return a client of the running server, None when there is none.

    A server of another javadex counts only if asked for: it knows `stop`, if nothing else. Raises
    `ServerStartFailed` for a place that is not safe, and for a server that hangs.
    """
    if not is_supported():
        return None
    client = _connected(place(), deadline)
    if client and not (client.greets() or of_any_version):
        client.__exit__()
        return None
    return client


def connect_or_start(options: DaemonOptions, deadline: float | None = None) -> Client | None:
    """Return a client; start the server if there is none, and in the place of another javadex'.

    None where the system has no sockets in folders. Raises `ServerStartFailed`.
    """
    if not is_supported():
        return None
    where = place()
    for _ in range(3):  # a server that is just ending takes the connection and says nothing
        client = _connected(where, deadline) or _started(where, options, deadline)
        with contextlib.suppress(ServerDied):
            if client.greets():
                return client
            with client:
                client.do("stop")
        client.__exit__()
    raise ServerStartFailed(f"the warm server at {where.socket} does not stay; see {where.log}")


def _connected(where: Place, deadline: float | None) -> Client | None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(min(_CONNECTING, _left(deadline) or _CONNECTING))
        connection.connect(where.socket)
        if is_same_user(connection):
            return Client(connection, deadline)
    except (BlockingIOError, TimeoutError):
        connection.close()
        raise ServerHangs(
            f"the warm server at {where.socket} takes no more calls; end it, if it hangs"
        ) from None
    except OSError:
        pass
    connection.close()
    return None


def _started(where: Place, options: DaemonOptions, deadline: float | None) -> Client:
    """Start a server and connect; several at once end up at the one that was first."""
    latest = time.monotonic() + START
    if deadline is not None:
        latest = min(latest, deadline)
    with _spawned(where, options, latest - time.monotonic()) as ready:
        ended = False  # without a word: there is another one, or it failed
        while not ended and (left := latest - time.monotonic()) > 0:
            told = select.select([ready], [], [], min(_STEP, left))[0]
            ended = bool(told) and not os.read(ready, 1)
            if client := _connected(where, deadline):
                return client
    raise ServerStartFailed(f"the warm server did not come up{_last_words(where)}")


@contextlib.contextmanager
def _spawned(where: Place, options: DaemonOptions, seconds: float) -> Iterator[int]:
    """Start the process and yield a pipe: a byte when clients can connect, its end at its end.

    The process that is waited for, for `seconds` at most, leaves at once another one behind.
    """
    import subprocess

    ready, write = os.pipe()
    try:
        try:
            log = os.open(where.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_LINK, 0o600)
            if os.fstat(log).st_size > _LONGEST_LOG:
                os.truncate(log, 0)
            try:
                subprocess.run(
                    [
                        *(sys.executable, "-P", "-m", "indexer.warm"),
                        *(str(write), json.dumps(options)),
                    ],
                    check=True,
                    cwd="/",
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[write],
                    start_new_session=True,
                    timeout=max(0.0, seconds),
                )
            finally:
                os.close(log)
        finally:
            os.close(write)
        yield ready
    except (OSError, subprocess.SubprocessError) as exc:
        raise ServerStartFailed(f"the warm server cannot be started: {exc}") from exc
    finally:
        os.close(ready)


_LONGEST_LOG = 1 << 20
"""Bytes; a server writes some lines for each language server that it starts or loses."""

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def _last_words(where: Place) -> str:
    try:
        with open(where.log, encoding="utf-8", errors="replace") as log:
            lines = log.read()[-2000:].splitlines()[-5:]
    except OSError:
        return ""
    return f"; the end of {where.log}: " + " | ".join(lines) if lines else ""


def _requests(sources: Iterable[Source]) -> Iterator[list[Source]]:
    """Sources in requests of at most `BATCH` texts, and not too many characters."""
    rest = iter(sources)
    while batch := list(islice(rest, BATCH)):
        part: list[Source] = []
        size = 0
        for source in batch:
            if part and size + len(source.text) > _MOST_BYTES:
                yield part
                part, size = [], 0
            part.append(source)
            size += len(source.text)
        yield part
